"""The format of callgrind, for what reads it: KCachegrind, callgrind_annotate, gprof2dot, Qt Creator,
speedscope.

https://valgrind.org/docs/manual/cl-format.html. A call's cost is the outermost one: readers add up a
routine's calls to its inclusive cost, in which recursion must not count again. Calls that are all
within others of their callee, `f`, are calls of `f'2`, as callgrind has it, at no cost: as calls of
`f` without cost they would close cycles of which gprof2dot cannot make sense. Self costs stand at
the line where their routine or loop begins, which are functions both; a run's uncounted cost is that of a routine of its own, so that
the totals are the run's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import TextIO

from aprofplot.merge import merge_threads
from aprofplot.model import CallEdge, Profile, Routine, RoutineKey
from aprofplot.names import printable
from aprofplot.reports.loop_frames import as_functions, loop_frames
from aprofplot.reports.call_costs import NO_CALLER, calls_that_count_once

UNKNOWN = "???"  # what callgrind writes for an object or file that it does not know
UNCOUNTED = Routine("(uncounted)", "", "", 0, 0)
DEEPER = "'2"  # behind the name of a routine: its activations within others of it


def write_callgrind(out: TextIO, profile: Profile) -> None:
    """All threads and runs together, by routine and loop. Without call edges: self costs only."""
    merged = merge_threads(profile)
    routines, of_loops = as_functions(merged.routines, loop_frames(merged.loops))
    uncounted = [_uncounted(profile, event) for event in profile.event_names]
    own = [sum(r.cost[event].own for r in routines) for event in profile.event_names]
    totals = _numbers([a + b for a, b in zip(own, uncounted)])
    for line in _header(profile):
        out.write(printable(line) + "\n")
    out.write(f"summary: {totals}\n")
    calls: dict[RoutineKey, list[CallEdge]] = {}
    deeper: dict[RoutineKey, Routine] = {}
    for edge in (*calls_that_count_once(profile), *of_loops):
        calls.setdefault(edge.caller.key, []).append(edge)
        if _is_deeper(edge):
            deeper[edge.callee.key] = edge.callee
    names = _Names([r.routine for r in routines])
    functions = [(r.routine, [r.cost[e].own for e in profile.event_names]) for r in routines]
    functions.sort(key=lambda function: function[0].key)
    if NO_CALLER.key in calls:
        functions.append((NO_CALLER, [0 for _ in uncounted]))
    if any(uncounted):
        functions.append((UNCOUNTED, uncounted))
    for routine, costs in functions:
        _function(out, names, routine, costs)
        for edge in calls.get(routine.key, ()):
            _call(out, names, edge, profile.event_names)
    for routine in deeper.values():
        _function(out, names, routine, [0 for _ in uncounted], deeper=True)
    out.write(f"\ntotals: {totals}\n")


def _uncounted(profile: Profile, event: str) -> int:
    return sum(run.uncounted.get(event, 0) for run in profile.runs)


def _header(profile: Profile) -> Iterator[str]:
    first = profile.runs[0]
    yield "# callgrind format"
    yield "version: 1"
    yield f"creator: {first.creator}"
    yield f"pid: {first.pid}"
    yield f"cmd: {first.command}"
    for run in profile.runs[1:]:
        yield f"desc: Merged with: {run.command} (pid {run.pid})"
    for event in profile.events:  # by `event:`, Qt Creator would not read on
        yield f"desc: Event {event.name}: {event.unit}"
    yield "positions: line"
    yield f"events: {' '.join(profile.event_names)}"


class _Names:
    """Compresses names: the first time `(1) name`, then `(1)`. Routines that only their address
    tells apart get it in their names."""

    def __init__(self, routines: Sequence[Routine]) -> None:
        self._ids: dict[Hashable, int] = {}
        self._namesakes = Counter(_identity(routine) for routine in routines)

    def object(self, routine: Routine) -> str:
        return self._compressed("object", routine.object, routine.object or UNKNOWN)

    def file(self, routine: Routine) -> str:
        return self._compressed("file", routine.file, routine.file or UNKNOWN)

    def routine(self, routine: Routine, deeper: bool) -> str:
        alone = self._namesakes[_identity(routine)] < 2
        name = routine.name if alone else f"{routine.name}@0x{routine.address:x}"
        return self._compressed("routine", (routine.key, deeper), name + DEEPER * deeper)

    def _compressed(self, kind: str, key: Hashable, name: str) -> str:
        known = self._ids.get((kind, key))
        if known is not None:
            return f"({known})"
        self._ids[kind, key] = len(self._ids) + 1
        return f"({len(self._ids)}) {printable(name).strip() or UNKNOWN}"


def _identity(routine: Routine) -> tuple[str, str, str]:
    """What the format's readers know a function by."""
    return routine.name, routine.object, routine.file


def _is_deeper(edge: CallEdge) -> bool:
    """Whether all its calls are within others of the callee."""
    return any(edge.cost.values()) and not any(edge.outermost.values())


def _function(
    out: TextIO, names: _Names, routine: Routine, costs: Sequence[int], deeper: bool = False
) -> None:
    out.write(f"\nob={names.object(routine)}\nfl={names.file(routine)}\n")
    out.write(f"fn={names.routine(routine, deeper)}\n{routine.line} {_numbers(costs)}\n")


def _call(out: TextIO, names: _Names, edge: CallEdge, events: Sequence[str]) -> None:
    callee = edge.callee
    out.write(f"cob={names.object(callee)}\ncfi={names.file(callee)}\n")
    out.write(f"cfn={names.routine(callee, _is_deeper(edge))}\ncalls={edge.calls} {callee.line}\n")
    out.write(f"{edge.caller.line} {_numbers([edge.outermost[event] for event in events])}\n")


def _numbers(costs: Sequence[int]) -> str:
    return " ".join(map(str, costs))
