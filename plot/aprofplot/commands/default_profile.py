"""Chooses the profiles to read if none is given."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Sequence

from aprofplot.errors import AprofError
from aprofplot.names import counted, printable, shorten
from aprofplot.read.process_tree import Process, cost_of, newest, run_of
from aprofplot.read.profile_file import APROF, Format

_SHOWN = 10  # profiles of a run, by cost
_COMMAND = 60  # characters of a command line

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


def profiles_here(kind: Format = APROF) -> list[str]:
    """All aprof.out.*, or what `kind`'s tool writes, of the current folder. AprofError if there are
    none."""
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
    return found


def profile_paths(command: str, given: Sequence[str], kind: Format = APROF) -> list[str]:
    """The profiles given; or else, of the newest run, that of the costliest process, which `command` says on
    standard error, with the others."""
    if given:
        return list(given)
    found = profiles_here(kind)
    last = newest(found)
    members = run_of(last, found)
    if len(members) < 2:
        _say(f"{command}: reading {last}")
        return [last]
    costs = {process.path: cost_of(process.path, kind) for process in members}
    members.sort(key=lambda process: (-costs[process.path], -os.path.getmtime(process.path)))
    total = max(sum(costs.values()), 1)

    def described(process: Process) -> str:
        share = 100 * costs[process.path] / total
        return f"{process.path}  {share:4.1f} %  {shorten(process.command, _COMMAND)}"

    first, *others = members
    _say(
        f"{command}: reading {first.path}, the costliest of the {len(members)} profiles of the newest run:"
    )
    for process in members[:_SHOWN]:
        _say(f"  {described(process)}")
    if len(others) >= _SHOWN:
        _say(f"  and {counted(len(members) - _SHOWN, 'more profile')}")
    return [first.path]


def _say(line: str) -> None:
    print(printable(line), file=sys.stderr)
