"""The output of a command: standard output, or a file that is written completely or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TextIO

from aprofplot.commands.running import put_path
from aprofplot.errors import AprofError


@contextmanager
def open_output(path: str, read: Sequence[str] = ()) -> Iterator[TextIO]:
    """Standard output for `-`, else a whole_file, whose path is printed once it is complete."""
    if path == "-":
        yield sys.stdout
        return
    with whole_file(path, read) as file:
        yield file
    put_path(path)


@contextmanager
def whole_file(path: str, read: Sequence[str] = ()) -> Iterator[TextIO]:
    """The file, which keeps what it had, and its permissions, until the new one is complete; devices
    and pipes are written as they are. AprofError if it cannot be written, or is one of those `read`.
    """
    if any(os.path.samefile(path, other) for other in read if _exist(path, other)):
        raise AprofError(
            f"{path} is an input and would be overwritten", "name another file to write"
        )
    whole = os.path.realpath(path)  # what a link leads to is replaced, not the link
    regular = not os.path.exists(whole) or os.path.isfile(whole)
    part = f"{whole}.part" if regular else whole
    try:
        # surrogateescape: names in profiles may have bytes that are no UTF-8
        with open(part, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            yield file
        if regular:
            if os.path.exists(whole):
                os.chmod(part, os.stat(whole).st_mode & 0o7777)
            os.replace(part, whole)
    except OSError as error:
        what = f"{path}: cannot be written: {error.strerror or error}"
        raise AprofError(what, "name another file to write") from error
    finally:
        if regular:
            with suppress(OSError):
                os.remove(part)


def _exist(*paths: str) -> bool:
    return all(map(os.path.exists, paths))
