"""The last line of a run's output: the most likely reason why it failed."""

from __future__ import annotations

import re
from pathlib import Path

from aprofplot.batch.measured import ENDED

_VALGRIND = re.compile(r"(==|--)\d+(==|--) *")
_FATAL = "Process terminating with default action of signal"


def last_words(run: Path) -> str:
    """From a run's folder. Some programs complain on standard output, and a launcher may have put
    its program's standard error there; but that may as well be data."""
    last = last_line(run / "stderr")
    if last:
        return last
    last = last_line(run / "stdout")
    return last if last.isprintable() and "\ufffd" not in last else ""


def last_line(path: Path) -> str:
    """The last line of a text file that says something; empty if there is none. Lines of the
    program come before Valgrind's, and before what a launcher says after the program's end. Of
    Valgrind's, what it says of a fatal signal, and where that was, come before the last.
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
    if own or not said:
        return (own or [""])[-1]
    fatal = [place for place, line in enumerate(said) if _FATAL in line]
    if not fatal:
        return said[-1]
    told = said[fatal[-1] : fatal[-1] + 3]
    return "; ".join(_VALGRIND.sub("", line, count=1) for line in told)
