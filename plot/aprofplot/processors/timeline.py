"""A schedule as intervals: what each processor runs, or why it runs nothing."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

from aprofplot.processors.charges import Costs
from aprofplot.processors.schedule import Schedule
from aprofplot.processors.user_code import UserCode

IDLE, WAITING = "idle", "waits for a lock"


@dataclass(frozen=True, slots=True)
class Interval:
    """From `begin` to `end`. `what`: the user's function that runs, IDLE or WAITING. `strand`: -1 if
    none. `is_critical`: it is on the schedule's critical path."""

    processor: int
    begin: int
    end: int
    what: str
    strand: int = -1
    is_critical: bool = False


def timeline(costs: Costs) -> list[Interval]:
    """Of all processors, each interval after those before it on its processor. While strands wait for
    locks, as many of the idle processors wait: the last ones."""
    critical = {run.task for run in costs.schedule.critical_path()}
    names = _names(costs)
    found = [
        Interval(
            run.processor, run.begin, run.end, names[run.strand], run.strand, run.task in critical
        )
        for run in costs.schedule.runs
    ]
    found += _gaps(costs.schedule)
    return sorted(found, key=lambda of: (of.processor, of.begin))


def _names(costs: Costs) -> list[str]:
    """By strand, the user's function that takes most of it."""
    code = UserCode(costs.dag)
    functions: dict[int, str] = {}
    found = []
    for strand in costs.dag.strands:
        if not strand.parts:
            found.append("")
            continue
        path = strand.largest.path
        if path not in functions:
            frames = code.frames(path)
            functions[path] = frames[-1].function if frames else "(outside of main)"
        found.append(functions[path])
    return found


def _gaps(schedule: Schedule) -> Iterator[Interval]:
    """What each processor does while it runs nothing."""
    free = set(range(schedule.processors))
    state: dict[int, tuple[str, int]] = {}  # of free processors: why, and since when
    waiting = 0
    ends = [(run.end, run.processor) for run in schedule.runs]
    heapq.heapify(ends)
    changes = sorted({0, *_moments(schedule)})
    begins = sorted((run.begin, run.processor) for run in schedule.runs)
    waits = sorted([(w.begin, 1) for w in schedule.waits] + [(w.end, -1) for w in schedule.waits])
    at_begin = at_wait = 0
    for now in changes:
        while ends and ends[0][0] <= now:
            free.add(heapq.heappop(ends)[1])
        while at_begin < len(begins) and begins[at_begin][0] <= now:
            free.discard(begins[at_begin][1])
            at_begin += 1
        while at_wait < len(waits) and waits[at_wait][0] <= now:
            waiting += waits[at_wait][1]
            at_wait += 1
        idle = sorted(free)
        wanted = {
            processor: WAITING if len(idle) - i <= waiting else IDLE
            for i, processor in enumerate(idle)
        }
        yield from _changed(state, wanted if now < schedule.time else {}, now)


def _moments(schedule: Schedule) -> Iterator[int]:
    for run in schedule.runs:
        yield run.begin
        yield run.end
    for wait in schedule.waits:
        yield wait.begin
        yield wait.end


def _changed(
    state: dict[int, tuple[str, int]], wanted: dict[int, str], now: int
) -> Iterator[Interval]:
    """Those that end now, because a processor does something else from now on."""
    for processor, (what, begin) in list(state.items()):
        if wanted.get(processor) != what:
            del state[processor]
            if begin < now:
                yield Interval(processor, begin, now, what)
    for processor, what in wanted.items():
        state.setdefault(processor, (what, now))
