"""The last line that a run wrote: of all it said, the most likely reason why it failed."""

from __future__ import annotations

import re
from pathlib import Path

from aprofplot.batch.measured import ENDED

_VALGRIND = re.compile(r"(==|--)\d+(==|--)")


def last_words(run: Path, wrapped: bool) -> str:
    """From a run's folder. `wrapped`: its program was started by a launcher, which may have put its
    standard error, or what it says itself, among the standard output."""
    last = last_line(run / "stderr")
    return last or (last_line(run / "stdout") if wrapped else "")


def last_line(path: Path) -> str:
    """The last line of a text file that says something; empty if there is none. Lines of the
    program come before Valgrind's, and before what a launcher says after the program's end.
    """
    try:
        with open(path, "rb") as file:
            file.seek(max(0, path.stat().st_size - 16384))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    ends = [place for place, line in enumerate(lines) if ENDED in line]
    inside = lines[: ends[-1]] if ends else lines
    said = [line.strip() for line in inside if line.strip()]
    own = [line for line in said if not _VALGRIND.match(line)]
    return (own or said or [""])[-1]
