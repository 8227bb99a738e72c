"""Loops as functions and frames, for formats that know routines only: what a routine costs itself is divided
among it and its loops, so that all sums stay what they are.

A loop's inclusive cost is without calls there: which loop makes a call is not in the profile.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from aprofplot.loop_scopes import loop_place, nested_loops, source_of
from aprofplot.model import (
    CallEdge,
    Context,
    CostTotal,
    Loop,
    LoopProfile,
    Profile,
    Routine,
    RoutineProfile,
)

_Costs = dict[str, int]


@dataclass(frozen=True, eq=False)
class LoopFrame:
    """`caller`: the place, among these, of the loop around it, None for an outermost one. `own`: its cost
    without inner loops and calls; `inclusive`: with the inner ones."""

    routine: Routine
    of: LoopProfile
    caller: int | None
    own: _Costs
    inclusive: _Costs


def loop_frames(
    loops: Sequence[LoopProfile], functions: Mapping[Hashable, Routine] | None = None
) -> list[LoopFrame]:
    """Of one routine or several, threads merged or of one; outer loops come first. `functions`:
    loop_functions() of all loops, if `loops` are only some of the profile's."""
    functions = loop_functions(loops) if functions is None else functions
    nested = nested_loops(loops, merged=True)
    own = [{event: cost.own for event, cost in of.cost.items()} for of, _ in nested]
    for of, parent in nested:
        if parent is not None:
            for event, cost in of.cost.items():
                own[parent][event] -= cost.own
    return [
        LoopFrame(
            functions[source_of(of.loop)],
            of,
            parent,
            own[place],
            {e: cost.own for e, cost in of.cost.items()},
        )
        for place, (of, parent) in enumerate(nested)
    ]


def loop_functions(loops: Iterable[LoopProfile]) -> dict[Hashable, Routine]:
    """By loop of the source; of its copies, the first in the code stands for all, whichever ran."""
    first: dict[Hashable, Loop] = {}
    for loop in (of.loop for of in loops):
        source = source_of(loop)
        if source not in first or loop.address < first[source].address:
            first[source] = loop
    return {source: _function(loop) for source, loop in first.items()}


def _function(loop: Loop) -> Routine:
    name = f"{loop.routine.name}'loop {loop_place(loop)}"
    file = loop.file or loop.routine.file
    within = loop.routine
    return Routine(name, within.object, file, loop.line, loop.address, within.namesake)


def as_functions(
    routines: Sequence[RoutineProfile], frames: Sequence[LoopFrame]
) -> tuple[list[RoutineProfile], list[CallEdge]]:
    """The routines, less what is their loops', with these as further ones; and the calls of these."""
    in_loops: dict[Hashable, _Costs] = defaultdict(Counter)
    edges = []
    for frame in frames:
        within = frame.of.loop.routine
        if frame.caller is None:
            for event, cost in frame.inclusive.items():
                in_loops[within.key][event] += cost
        else:
            within = frames[frame.caller].routine
        costs = frame.inclusive
        of = frame.of
        edges.append(CallEdge(within, frame.routine, of.threads, of.executions, costs, 0, costs))
    rest = [_without(routine, in_loops[routine.routine.key]) for routine in routines]
    return [*rest, *map(_as_routine, frames)], edges


def _without(routine: RoutineProfile, costs: _Costs) -> RoutineProfile:
    left = {e: CostTotal(c.inclusive, c.own - costs.get(e, 0)) for e, c in routine.cost.items()}
    return replace(routine, cost=left)


def _as_routine(frame: LoopFrame) -> RoutineProfile:
    of = frame.of
    cost = {event: CostTotal(frame.inclusive[event], own) for event, own in frame.own.items()}
    return RoutineProfile(
        frame.routine, of.threads, of.executions, of.unfinished, 0, 0, cost, of.points
    )


def contexts_with_loops(profile: Profile) -> tuple[Context, ...]:
    """The profile's contexts, those of routines with loops divided: each, or if the profile does not say how
    often a loop ran in which, where a routine has one context."""
    contexts = list(profile.contexts)
    number = Counter((c.profile.routine.key, c.profile.threads) for c in contexts)
    loops: dict[Hashable, list[LoopProfile]] = defaultdict(list)
    if not any(context.loops for context in contexts):
        for loop in profile.loops:
            loops[loop.loop.routine.key, loop.threads].append(loop)
    functions = loop_functions(profile.loops)
    for place, context in enumerate(profile.contexts):
        key = context.profile.routine.key, context.profile.threads
        own = context.loops or (loops.get(key, ()) if number[key] == 1 else ())
        if own:
            contexts[place], inner = _divided(
                place, context, loop_frames(own, functions), len(contexts)
            )
            contexts += inner
    return tuple(contexts)


def _divided(
    place: int, context: Context, frames: Sequence[LoopFrame], first: int
) -> tuple[Context, list[Context]]:
    """The context less its loops, the `frames`, and theirs, which will stand from `first` on."""
    (rest, *_), _ = as_functions([context.profile], frames)

    def within() -> Iterator[Context]:
        for frame in frames:
            parent = place if frame.caller is None else first + frame.caller
            yield Context(parent, _as_routine(frame))

    return replace(context, profile=rest), list(within())
