"""Loops under their names, FILE:LINE or ROUTINE/loop:LINE, to be plotted, checked and compared like
routines.

What one loop of the source became, by unrolling or peeling, is one loop here: those of one routine that have
one line and function, in the same outer loops. Two loops that are written in one line are one, too, as debug
information of lines cannot tell them from parts of one. `#N` behind a name is the N-th of that line's loops
in the machine code.
"""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from aprofplot.errors import AprofError, SelectionError
from aprofplot.merge import merge_loops
from aprofplot.model import (
    Loop,
    LoopKey,
    LoopProfile,
    PointTable,
    Routine,
    RoutineProfile,
    ThreadKey,
)
from aprofplot.names import base_name, endings
from aprofplot.selection import matching, say_taken

PROGRESS = "progress"  # beside the metrics of loops: by ordinal of the iteration
LAST = "last"  # a column of it: the last ordinal of a bin, as far as executions went

_AT_LINE = re.compile(r"(.*[^:]):([0-9]{1,9})")
_IN_ROUTINE = re.compile(r"(.+)/loop(?::([0-9]{1,9})|([+-]0x[0-9a-f]{1,16}))?")
_AT_ADDRESS = re.compile(r"(.+)([+-]0x[0-9a-f]{1,16})")
_NUMBERED = re.compile(r"(.+[0-9])#([1-9][0-9]{0,8})")
_NEAR = 5  # loops that are named instead of one that is not there


def loop_place(loop: Loop) -> str:
    """`store.cpp:12`; where the source is not known `main+0x12`, or `main-0x12` as offset_name()."""
    if loop.line:
        return f"{os.path.basename(loop.file) or '?'}:{loop.line}"
    return f"{base_name(loop.routine.name)}{_offset(loop):+#x}"


def scope_name(loop: Loop) -> str:
    """`Store::exists/loop:12`, after the function that it is written in; `main/loop+0x12`."""
    if loop.line:
        return f"{base_name(loop.function or loop.routine.name)}/loop:{loop.line}"
    return offset_name(loop)


def offset_name(loop: Loop) -> str:
    """`main/loop+0x12`, by where its code is in its routine; `main/loop-0x12` of a part before its entry."""
    return f"{base_name(loop.routine.name)}/loop{_offset(loop):+#x}"


def source_loops(loops: Iterable[LoopProfile]) -> list[LoopProfile]:
    """Those of the source, which may be several in the machine code; outer ones first."""
    return [of for of, _ in nested_loops(loops)]


def nested_loops(
    loops: Iterable[LoopProfile], merged: bool = False
) -> list[tuple[LoopProfile, int | None]]:
    """The source's loops, each with the place of the one around it, if there is one; outer ones first. `merged`:
    threads are, and a loop that fewer of them ran is yet in the one around it."""
    groups: dict[tuple[Hashable, tuple[ThreadKey, ...]], list[LoopProfile]] = {}
    for of in sorted(loops, key=lambda of: sum(1 for _ in of.loop.around)):
        groups.setdefault((source_of(of.loop), () if merged else of.threads), []).append(of)
    places = {key: place for place, key in enumerate(groups)}
    found = []
    for (_, threads), group in groups.items():
        around = ((source_of(loop), threads) for loop in group[0].loop.around)
        parent = next((places[key] for key in around if key in places), None)
        found.append((merge_loops(group), parent))
    return found


def source_of(loop: Loop) -> Hashable:
    """What the parts of one loop of the source have in common: they are in the same loops."""
    return loop.routine.key, _place(loop), tuple(map(_place, loop.around))


def _place(loop: Loop) -> Hashable:
    return (loop.file, loop.line, loop.function) if loop.line else loop.address


def numbers_in_line(loops: Iterable[LoopProfile]) -> dict[LoopKey, int]:
    """Of the loops whose line is also another's of their routine, by the order of their code, from 1."""
    there: dict[Hashable, set[LoopKey]] = {}
    for loop in (of.loop for of in loops if of.loop.line):
        there.setdefault((loop.routine.key, loop.file, loop.line), set()).add(loop.key)
    lines = (sorted(keys, key=lambda key: key.address) for keys in there.values() if len(keys) > 1)
    return {key: number for keys in lines for number, key in enumerate(keys, 1)}


def loop_scopes(loops: Sequence[LoopProfile]) -> list[RoutineProfile]:
    """All that can be named, as if they were routines: the source's loops, and those of one line by number."""
    numbers = numbers_in_line(loops)
    parts = [as_routine(of, numbers[of.loop.key]) for of in loops if of.loop.key in numbers]
    return [as_routine(of) for of in source_loops(loops)] + parts


def number_suffix(number: int) -> str:
    """What tells a loop from others of its line, behind its name; `number`: 0 if there are none."""
    return f"#{number}" if number else ""


def number_in(pattern: str) -> int:
    """The number that a name ends with; 0 without one."""
    numbered = _NUMBERED.fullmatch(pattern)
    return int(numbered[2]) if numbered is not None else 0


def _without_number(pattern: str) -> str:
    numbered = _NUMBERED.fullmatch(pattern)
    return numbered[1] if numbered is not None else pattern


def as_routine(of: LoopProfile, number: int = 0) -> RoutineProfile:
    """Its numbers as those of a routine, whose calls are executions; points by iterations and PROGRESS,
    too. `number`: in its line, unless that is 0."""
    loop = of.loop
    points = dict(of.points)
    if of.progress:
        points[PROGRESS] = progress_points(of)
    within = loop.routine
    name, namesake = scope_name(loop) + number_suffix(number), within.namesake
    routine = Routine(name, within.object, loop.file, loop.line, loop.address, namesake)
    return RoutineProfile(
        routine,
        of.threads,
        of.executions,
        of.unfinished,
        of.induced_thread,
        of.induced_external,
        of.cost,
        points,
    )


def progress_points(of: LoopProfile) -> PointTable:
    """A point for each bin: `size` is its first ordinal, `calls` are iterations, and the sums of their
    costs have columns."""
    most = max((int(t.column("size").max()) for t in of.points.values() if len(t)), default=0)
    most = of.longest or most
    events = tuple(of.progress[0].cost)
    rows = [[b.first, b.iterations, b.last(most), *b.cost.values()] for b in of.progress]
    columns = ("size", "calls", LAST, *(f"{event}.sum" for event in events))
    return PointTable(0, columns, np.array(rows, dtype=object).T)


@dataclass(frozen=True, eq=False)
class _Named:
    """A loop, by its routine or by the function that it is written in."""

    of: LoopProfile
    routine: Routine


def names_loop(pattern: str) -> bool:
    """Whether `pattern` can be a loop's."""
    ways = (_IN_ROUTINE, _AT_LINE, _AT_ADDRESS)
    return any(way.fullmatch(_without_number(pattern)) for way in ways)


def matching_loops(loops: Sequence[LoopProfile], pattern: str) -> list[LoopProfile]:
    """The loops that `pattern` names: at FILE:LINE, or of ROUTINE, all (`ROUTINE/loop`) or that at the line
    or offset. FILE is a path or its last parts; ROUTINE as people call it, or the function that the loop
    is written in. A number behind a line picks one of each routine's. `loops`: those of the machine code, or
    of the source."""
    number = number_in(pattern)
    if not number:
        return _at(source_loops(loops), pattern) or _at(loops, pattern)
    numbers = numbers_in_line(loops)
    there = _at(loops, _without_number(pattern))
    return [of for of in there if numbers.get(of.loop.key, 1) == number]


def _at(loops: Sequence[LoopProfile], pattern: str) -> list[LoopProfile]:
    inside = _IN_ROUTINE.fullmatch(pattern)
    if inside is not None:
        name, line, offset = inside.groups()
        return [
            of
            for of in _of_routine(loops, name)
            if (line is None or of.loop.line == int(line))
            and (offset is None or _offset(of.loop) == int(offset, 16))
        ]
    at = _AT_LINE.fullmatch(pattern)
    if at is not None:
        return [of for of in _in_file(loops, at[1]) if of.loop.line == int(at[2])]
    at = _AT_ADDRESS.fullmatch(pattern)
    if at is not None:
        return [of for of in _of_routine(loops, at[1]) if _offset(of.loop) == int(at[2], 16)]
    return []


def loops_of_inlined(loops: Sequence[LoopProfile], pattern: str) -> list[LoopProfile]:
    """The outermost loops of a function that was inlined, or of what was inlined at FILE:LINE."""
    at = _AT_LINE.fullmatch(pattern)
    if at is not None:
        found = [
            of
            for of in loops
            if any(c.line == int(at[2]) and _ends(c.file, at[1]) for c in of.loop.inlined)
        ]
    else:
        found = _of_routine(loops, pattern, inlined=True)
    there = {of.loop.key for of in found}
    return [of for of in found if not any(around.key in there for around in of.loop.around)]


def select_loops(
    loops: Sequence[LoopProfile], pattern: str, several: bool = False
) -> list[LoopProfile]:
    """The one that `pattern` names, or all if `several` are wanted. SelectionError, which names the nearest,
    if there is none, or lists them, if there are several; of a nest it is the outermost."""
    found = matching_loops(loops, pattern)
    if not found:
        raise no_loop(loops, pattern)
    if several or len(found) == 1:
        return found
    for outer in found:  # of a nest on one line
        if all(of is outer or outer.loop in of.loop.around for of in found):
            return [outer]
    raise SelectionError(
        f"'{pattern}' could be any of {len(found)} loops",
        "name one as FILE:LINE, FILE:LINE#N or ROUTINE/loop:LINE, or take --all:",
        _described(loops, [of.loop for of in found]),
    )


def no_loop(loops: Sequence[LoopProfile], pattern: str) -> AprofError:
    """Says that `pattern` names none, and which are near."""
    if not loops:
        return AprofError(
            f"no loops in the profile, so none at {pattern}", "profile with --loops=yes"
        )
    near = near_loops(loops, pattern)
    what = f"there is no loop at {pattern}"
    if not near:
        todo = "aprof-report lists the costly ones; without debug information (-g) they are ROUTINE+0xOFFSET"
        return SelectionError(what, todo)
    return SelectionError(what, "the nearest are:", _described(loops, near))


def near_loops(loops: Sequence[LoopProfile], pattern: str) -> list[Loop]:
    """Those of the file or routine that `pattern` names, the nearest lines first."""
    pattern = _without_number(pattern)
    at, inside = _AT_LINE.fullmatch(pattern), _IN_ROUTINE.fullmatch(pattern)
    if inside is not None:
        there, line = _of_routine(loops, inside[1]), int(inside[2] or 0)
    elif at is not None:
        there, line = _in_file(loops, at[1]), int(at[2])
    else:
        return []
    found = dict.fromkeys(of.loop for of in there)
    return sorted(found, key=lambda loop: (abs(loop.line - line), loop.address))[:_NEAR]


def _of_routine(
    loops: Sequence[LoopProfile], name: str, inlined: bool = False
) -> list[LoopProfile]:
    """Those of the routine or of the function that they are written in; if `inlined`, also of functions
    that this was inlined into. Inlined functions may be qualified, which their names in profiles are not.
    """
    named = [_Named(of, of.loop.routine) for of in loops]
    unqualified = []
    for of in loops:
        written = [(of.loop.function, of.loop.file)] if of.loop.function else []
        written += [(call.caller, call.file) for call in of.loop.inlined if inlined]
        functions = [
            _Named(of, Routine(function, of.loop.routine.object, file, 0, 0))
            for function, file in written
        ]
        named += functions
        inner = functions[: len(of.loop.inlined)]  # the routine is the outermost
        unqualified += [one for one in inner if not endings(one.routine.name)]
    found = matching(named, name)
    short = endings(name)[-1:]
    if not found and short:
        found = [one for one in unqualified if one.routine.name == short[0]]
        if found:
            say_taken(name, short[0])
    chosen = {id(one.of) for one in found}
    return [of for of in loops if id(of) in chosen]


def _in_file(loops: Sequence[LoopProfile], file: str) -> list[LoopProfile]:
    return [of for of in loops if _ends(of.loop.file, file)]


def _ends(path: str, file: str) -> bool:
    """Whether `file` is the path or its last parts."""
    return f"/{path}".endswith(f"/{file.lstrip('/')}")


def _offset(loop: Loop) -> int:
    return loop.address - loop.routine.address


def _described(loops: Sequence[LoopProfile], some: Iterable[Loop]) -> tuple[str, ...]:
    numbers = numbers_in_line(loops)
    return tuple(_description(loop, numbers.get(loop.key, 0)) for loop in some)


def _description(loop: Loop, number: int) -> str:
    into = f", inlined into {base_name(loop.routine.name)}" if loop.inlined else ""
    behind = number_suffix(number)
    return f"{scope_name(loop)}{behind}  ({loop_place(loop)}{behind}, {offset_name(loop)}{into})"
