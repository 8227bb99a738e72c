"""The parallel loops of the source, whose iterations a run-time library or the program's code divides among threads
or tasks."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from aprofplot.model import Loop, Routine, RoutineKey
from aprofplot.ownership import is_system_source
from aprofplot.processors.user_code import INLINED_BODY, body_name, plain_name
from aprofplot.work_span.model import CallSite, LoopSite, WorkSpanProfile


@dataclass(frozen=True, slots=True)
class ParallelLoop:
    """What compilers made of a loop is one. `name`: the function that it is in, as the source has it, empty if
    unknown. `executions`: of the machine code, those that are parts if threads or tasks divide it. `work`: of all iterations. `largest`: the work of one, None if they
    were only counted."""

    name: str
    file: str
    line: int
    executions: int
    iterations: int
    work: int
    largest: int | None


def parallel_loops(profile: WorkSpanProfile) -> list[ParallelLoop]:
    """Those with most work first."""
    groups: dict[Hashable, list[LoopSite]] = {}
    for of in profile.loops:
        if of.spread is not None and of.spread.iterations:
            groups.setdefault(_source(of), []).append(of)
    calls = _Calls(profile)
    found = [_parallel_loop(parts, calls) for parts in groups.values() if not _are_retries(parts)]
    return sorted(found, key=lambda of: -of.work)


def _are_retries(parts: list[LoopSite]) -> bool:
    """Whether it ends after its first iteration nearly each time, which were only counted: a loop that repeats a
    compare-and-swap, as of a reduction. Of a divided one, no inequality is to be seen then, either.
    """
    spreads = [of.spread for of in parts if of.spread is not None and of.spread.parts]
    iterations = sum(spread.iterations for spread in spreads)
    return (
        bool(spreads)
        and all(spread.largest_told is None for spread in spreads)
        and iterations < 2 * sum(spread.parts for spread in spreads)
    )


def _source(of: LoopSite) -> Hashable:
    """What the copies of a loop have in common."""
    loop = of.loop
    divided = of.spread is not None and of.spread.parts > 0
    return (
        loop.routine.key,
        divided,
        *((loop.file, loop.line, loop.function) if loop.line else (loop.address,)),
    )


class _Calls:
    """The most frequent ones of the program itself."""

    def __init__(self, profile: WorkSpanProfile) -> None:
        self._of: dict[RoutineKey, CallSite] = {}
        self._by: dict[RoutineKey, CallSite] = {}  # of the user's routines
        # The threads of a region count as called from where they were created.
        for site in sorted(profile.sites, key=lambda site: site.on_work.local.count - site.spawned):
            self._of[site.callee.key] = site
            if site.caller is not None and not is_system_source(site.callee.file):
                self._by[site.caller.key] = site

    def caller(self, routine: Routine) -> Routine | None:
        """Who calls the routine."""
        site = self._of.get(routine.key)
        return site.caller if site is not None else None

    def callee(self, routine: Routine) -> Routine | None:
        """The user's routine that is called there."""
        site = self._by.get(routine.key)
        return site.callee if site is not None else None


def _parallel_loop(parts: list[LoopSite], calls: _Calls) -> ParallelLoop:
    spreads = [of.spread for of in parts if of.spread is not None]
    largest = [spread.largest_told for spread in spreads]
    told = [of for of in largest if of is not None]
    return ParallelLoop(
        _name(parts[0].loop, calls),
        *_place(parts, calls),
        sum(of.spread.parts or of.executions for of in parts if of.spread is not None),
        sum(spread.iterations for spread in spreads),
        sum(spread.work for spread in spreads),
        max(told) if len(told) == len(largest) else None,
    )


def _place(parts: list[LoopSite], calls: _Calls) -> tuple[str, int]:
    """Of a loop in a library's template, that of the user's code which it executes or calls."""
    loop = parts[0].loop
    if body := next((of.body for of in parts if of.body is not None), None):
        return body
    callee = calls.callee(loop.routine) if is_system_source(loop.file) else None
    return (callee.file, callee.line) if callee is not None else (loop.file, loop.line)


def _name(loop: Loop, calls: _Calls) -> str:
    """The function that has the loop; of a body without a name, that which has the region."""
    name = plain_name(loop.function or loop.routine.name)
    if name == INLINED_BODY and body_name(loop.routine.name):
        return plain_name(loop.routine.name)
    routine, seen = loop.routine, set[RoutineKey]()
    while not name and routine.key not in seen:
        seen.add(routine.key)
        caller = calls.caller(routine)
        if caller is None:
            break
        routine, name = caller, plain_name(caller.name)
    return name
