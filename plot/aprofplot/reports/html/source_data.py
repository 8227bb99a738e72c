"""The annotated source of a routine as JSON: its lines, and which routines start or are called
there."""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence
from typing import Any

from aprofplot.model import Routine, RoutineProfile
from aprofplot.names import called_name, printable
from aprofplot.reports.excerpts import Excerpt, excerpt
from aprofplot.reports.sources import Sources, find_line

Starts = Mapping[str, Sequence[tuple[int, int]]]


def starts_by_file(routines: Sequence[RoutineProfile]) -> Starts:
    """By source file, (line, number of routine) of the routines that start there, ascending."""
    starts: dict[str, list[tuple[int, int]]] = {}
    for number, profile in enumerate(routines):
        if profile.routine.file and profile.routine.line:
            starts.setdefault(profile.routine.file, []).append((profile.routine.line, number))
    return {file: sorted(lines) for file, lines in starts.items()}


def source_details(
    sources: Sources,
    routine: Routine,
    starts: Starts,
    callees: Sequence[tuple[int, Routine]],
    written: float,
) -> dict[str, Any]:
    """`lines` of `path` from number `first` on, with `starts` [line, routine] and `calls`
    [line, routine]; else `missing`, why there are none, and `places`, where they were looked for.
    `changed`: after the profile was `written`."""
    source = find_line(sources, routine.object, routine.file, routine.line)
    if isinstance(source, dict):
        return source
    there = starts[routine.file]
    after = bisect.bisect_right(there, (routine.line, len(there) and 1 << 62))
    part = excerpt(source, routine.line, there[after][0] if after < len(there) else None)
    last = part.first + len(part.lines) - 1
    return {
        "path": printable(source.path),
        "first": part.first,
        "lines": list(part.lines),
        "cut": part.cut,
        "changed": source.changed > written > 0,
        "starts": [[line, number] for line, number in there if part.first <= line <= last],
        "calls": _calls(part, routine.line, callees),
    }


def _calls(
    part: Excerpt, start: int, callees: Sequence[tuple[int, Routine]]
) -> list[tuple[int, int]]:
    """(line, number) of each callee whose name stands there before a parenthesis, below the routine's
    own first line. Overloads and other namesakes all have that line."""
    by_name: dict[str, list[int]] = {}
    for number, callee in callees:
        by_name.setdefault(called_name(callee.name), []).append(number)
    found = []
    for line, content in enumerate(part.lines, part.first):
        names = re.findall(r"([A-Za-z_]\w*)\s*(?:<[^<>()]*>)?\s*\(", content)
        for name in dict.fromkeys(names):
            if line > start:
                found += [(line, number) for number in by_name.get(name, ())]
    return found
