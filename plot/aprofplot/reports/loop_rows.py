"""Loops as rows of the routine table, below their routine's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from aprofplot.loop_scopes import loop_place, number_suffix, numbers_in_line
from aprofplot.metrics import percent, total_cost
from aprofplot.model import Loop, LoopKey, LoopProfile, Routine, RoutineKey, RoutineProfile
from aprofplot.names import base_name, counted
from aprofplot.reports.listing import Listing

_SHOWN = 1.0  # percent of the run's cost from which a loop has a row


def with_loops(
    listing: Listing, shown: Sequence[RoutineProfile]
) -> Sequence[tuple[int, RoutineProfile]]:
    """Each routine and, after it, its costly loops, as if they were routines, with how deep in the nest
    each is: 0 for routines."""
    whole = total_cost(listing.profile, listing.event)
    loops: dict[RoutineKey, list[LoopProfile]] = defaultdict(list)
    if not listing.per_thread:
        for loop in listing.profile.loops:
            if percent(loop.cost[listing.event].inclusive, whole) >= _SHOWN:
                loops[loop.loop.routine.key].append(loop)
    numbers = numbers_in_line(listing.profile.loops)
    rows: list[tuple[int, RoutineProfile]] = []
    for routine in shown:
        rows.append((0, routine))
        rows += _nest(loops[routine.routine.key], None, 1, listing.event, numbers)
    listing.fit_together(routine for _, routine in rows)
    return rows


def _nest(
    loops: Sequence[LoopProfile],
    parent: LoopKey | None,
    depth: int,
    event: str,
    numbers: Mapping[LoopKey, int],
) -> Iterator[tuple[int, RoutineProfile]]:
    inner = [loop for loop in loops if _parent_key(loop.loop) == parent]
    for loop in sorted(inner, key=lambda of: of.cost[event].inclusive, reverse=True):
        yield depth, _as_routine(loop, numbers.get(loop.loop.key, 0))
        yield from _nest(loops, loop.loop.key, depth + 1, event, numbers)


def _parent_key(loop: Loop) -> LoopKey | None:
    return None if loop.parent is None else loop.parent.key


def _as_routine(loop: LoopProfile, number: int) -> RoutineProfile:
    of = loop.loop
    numbered = f"loop {number_suffix(number)}" if number else "loop"
    name = f"{numbered} in {base_name(of.function or of.routine.name)}"
    if not of.line:
        name = f"loop at {loop_place(of)}"
    if of.inlined:
        name += ", inlined into " + ", ".join(base_name(call.caller) for call in of.inlined)
    name += f", {counted(loop.iterations, 'iteration')}"
    return RoutineProfile(
        Routine(name, of.routine.object, of.file, of.line, of.address),
        loop.threads,
        loop.executions,
        loop.unfinished,
        loop.induced_thread,
        loop.induced_external,
        loop.cost,
        loop.points,
    )
