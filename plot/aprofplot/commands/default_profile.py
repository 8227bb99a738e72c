"""Which profiles a command reads where none is given."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Sequence

from aprofplot.errors import AprofError
from aprofplot.names import printable
from aprofplot.read.profile_file import APROF, Format

# What lies beside profiles: unfinished ones, and what was made of them.
_NO_PROFILES = (
    ".part",
    ".png",
    ".svg",
    ".pdf",
    ".json",
    ".csv",
    ".txt",
    ".html",
    ".folded",
    "~",
)


def newest_profile(kind: Format = APROF) -> str:
    """The newest aprof.out.*, or what `kind`'s tool writes, of the current folder. AprofError if
    there is none."""
    pattern = kind.usual_name.replace("PID", "*")
    found = [
        path
        for path in glob.glob(pattern)
        if os.path.isfile(path) and not path.endswith(_NO_PROFILES)
    ]
    if not found:
        raise AprofError(
            f"no profile given, and no {pattern} in the current folder",
            f"make one with valgrind --tool={kind.tool} PROGRAM",
        )
    return max(found, key=lambda path: (os.path.getmtime(path), path))


def profile_paths(command: str, given: Sequence[str], kind: Format = APROF) -> list[str]:
    """The profiles given or else the newest, which `command` says on standard error."""
    if given:
        return list(given)
    newest = newest_profile(kind)
    print(printable(f"{command}: reading {newest}"), file=sys.stderr)
    return [newest]
