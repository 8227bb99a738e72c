"""Where a command writes: standard output, or a file that is there whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TextIO

from aprofplot.errors import AprofError


@contextmanager
def open_output(path: str, read: Sequence[str] = ()) -> Iterator[TextIO]:
    """Standard output for `-`, else the file, whose path is printed once it is complete. What was
    there before stays until then; devices and pipes are written as they are. AprofError if the
    file cannot be written, or is one of those `read`."""
    if path == "-":
        yield sys.stdout
        return
    if any(os.path.samefile(path, other) for other in read if os.path.exists(path)):
        raise AprofError(f"{path} is the profile itself", "name another file with -o")
    whole = os.path.realpath(path)  # what a link leads to is replaced, not the link
    regular = not os.path.exists(whole) or os.path.isfile(whole)
    part = f"{whole}.part" if regular else whole
    try:
        # surrogateescape: names in profiles may have bytes that are no UTF-8
        with open(part, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            yield file
        if regular:
            os.replace(part, whole)
    except OSError as error:
        what = f"{path}: cannot be written: {error.strerror or error}"
        raise AprofError(what, "name another file with -o") from error
    finally:
        if regular:
            with suppress(OSError):
                os.remove(part)
    print(path)
