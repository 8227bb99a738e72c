"""Groups the profiles of one run: of a process and those that it started (--trace-children=yes).
Looks at their headers only, and at their costs without points: for the choice of one among many."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from aprofplot.errors import AprofError
from aprofplot.read.fields import text
from aprofplot.read.profile_file import APROF, Format, load

_HEADER = 1 << 16  # bytes that hold it, but for very long command lines
_RECORD = re.compile(rb"^(command|pid|option parent) (.*)$", re.MULTILINE)
_NUMBER = re.compile(rb"[0-9]{1,20}")
# The self cost, in the first event, of each table; and all that was executed.
_COST = {
    APROF.keyword: re.compile(rb"^table (?:[0-9]+ ){7}([0-9]{1,20})\b", re.MULTILINE),
    b"cilkshadow-profile": re.compile(rb"^(?:work|overhead) ([0-9]{1,20})$", re.MULTILINE),
}


@dataclass(frozen=True)
class Process:
    """What a profile's header says of its process; `parent` is 0 if it does not say."""

    path: str
    pid: int
    parent: int
    command: str


def read_process(path: str) -> Process | None:
    """None if the file cannot be read or has no such header."""
    try:
        with open(path, "rb") as file:
            records = dict(_RECORD.findall(file.read(_HEADER)))
        pid, parent = (records.get(name, b"0") for name in (b"pid", b"option parent"))
        if not (_NUMBER.fullmatch(pid) and _NUMBER.fullmatch(parent)):
            return None
        return Process(path, int(pid), int(parent), text(records.get(b"command", b"")))
    except (OSError, AprofError):
        return None


def run_of(path: str, among: Sequence[str]) -> list[Process]:
    """The processes of the run that the profile at `path` is part of, in the order of `among`: of its first
    process, as far as that has a profile, and of all that this has started. Empty if it is not known who
    started that process."""
    found = [process for process in map(read_process, among) if process is not None]
    parents = {process.pid: process.parent for process in found}
    start = next(
        (process.pid for process in found if process.path == path and process.parent), None
    )
    if start is None:
        return []
    first, seen = start, {start}
    while parents.get(parents[first]) is not None and parents[first] not in seen:
        first = parents[first]
        seen.add(first)
    members, before = {first}, 0
    while len(members) > before:
        before = len(members)
        members |= {pid for pid, parent in parents.items() if parent in members}
    return [process for process in found if process.pid in members]


def cost_of(path: str, kind: Format) -> int:
    """What was executed, in the profile's first event; 0 if it cannot be read."""
    try:
        return sum(map(int, _COST[kind.keyword].findall(load(path, kind).data)))
    except AprofError:
        return 0


def newest(paths: Sequence[str]) -> str:
    """The one that was written last."""
    return max(paths, key=lambda path: (os.path.getmtime(path), path))
