"""Merges the numbers of threads and of whole profiles: one RoutineProfile for each routine, one
CallEdge for each caller and callee, one Context for each path of routines.

Calls and sums add up; minima and maxima are those of all; points of one size become one. Of arguments those
stay that nearly all calls have.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from aprofplot.errors import AprofError
from aprofplot.model import (
    ITERATIONS,
    CallEdge,
    Context,
    CostTotal,
    LineCost,
    LoopProfile,
    Profile,
    ProgressBin,
    Quantity,
    RoutineProfile,
    Run,
    ThreadKey,
    is_argument,
)
from aprofplot.point_merge import merge_points

# Of the finished calls: others have no size as value, or the argument is not known.
_NEARLY_ALL = 0.9
_T = TypeVar("_T")


def join_profiles(profiles: Sequence[Profile]) -> Profile:
    """All runs of `profiles` in one Profile, threads apart. Events and metrics are those that
    every profile has, in the order of the first. AprofError if there are none, or if profiles
    measured in different units."""
    if len(profiles) == 1:
        return profiles[0]
    events = _common("event", [p.events for p in profiles])
    metrics = _common("input-size metric", [p.metrics for p in profiles])
    event_names = {e.name for e in events}
    metric_names = {m.name for m in metrics}
    routines: list[RoutineProfile] = []
    calls: list[CallEdge] = []
    contexts: list[Context] = []
    loops: list[LoopProfile] = []
    lines: list[LineCost] = []
    runs: list[Run] = []
    measured = [_line_events(profile) for profile in profiles if profile.routines]
    line_events = set.intersection(*measured) if measured else set()
    with_loops = all(map(_tells_loops_of_contexts, profiles))
    for profile in profiles:
        keys = {t: ThreadKey(t.run + len(runs), t.id) for r in profile.routines for t in r.threads}
        for routine in profile.routines:
            routines.append(_joined(routine, keys, event_names, metric_names))
        first_context = len(contexts)
        for context in profile.contexts:
            parent = context.parent if context.parent < 0 else first_context + context.parent
            numbers = _joined(context.profile, keys, event_names, metric_names)
            inner = context.loops if with_loops else ()
            of_loops = tuple(_joined_loop(of, keys, event_names, metric_names) for of in inner)
            contexts.append(replace(context, parent=parent, profile=numbers, loops=of_loops))
        for edge in profile.calls:
            threads = tuple(keys[thread] for thread in edge.threads)
            cost, outermost = _of(edge.cost, event_names), _of(edge.outermost, event_names)
            calls.append(replace(edge, threads=threads, cost=cost, outermost=outermost))
        for loop in profile.loops:
            loops.append(_joined_loop(loop, keys, event_names, metric_names))
        if line_events:
            lines += (of._replace(cost=_of(of.cost, line_events)) for of in profile.lines)
        runs.extend(profile.runs)
    return Profile(
        tuple(runs),
        events,
        metrics,
        tuple(routines),
        tuple(calls),
        tuple(contexts),
        tuple(loops),
        tuple(lines),
    )


def _line_events(profile: Profile) -> set[str]:
    """What costs of lines are in: those of a profile without any would be missing in sums."""
    return {event for line in profile.lines for event in line.cost}


def _tells_loops_of_contexts(profile: Profile) -> bool:
    """Or has none: those of version 6 would be missing in sums."""
    return not profile.loops or not profile.contexts or any(of.loops for of in profile.contexts)


def _joined(
    routine: RoutineProfile,
    keys: Mapping[ThreadKey, ThreadKey],
    events: Collection[str],
    metrics: Collection[str],
) -> RoutineProfile:
    return replace(
        routine,
        threads=tuple(keys[thread] for thread in routine.threads),
        cost=_of(routine.cost, events),
        points=_of(routine.points, {*metrics, *_arguments(routine)}),
    )


def _joined_loop(
    loop: LoopProfile,
    keys: Mapping[ThreadKey, ThreadKey],
    events: Collection[str],
    metrics: set[str],
) -> LoopProfile:
    return replace(
        loop,
        threads=tuple(keys[thread] for thread in loop.threads),
        cost=_of(loop.cost, events),
        points=_of(loop.points, metrics | {ITERATIONS}),
        progress=tuple(of._replace(cost=_of(of.cost, events)) for of in loop.progress),
    )


def _arguments(routine: RoutineProfile) -> list[str]:
    """Their metrics."""
    return list(filter(is_argument, routine.points))


def _of(values: Mapping[str, _T], names: Collection[str]) -> dict[str, _T]:
    return {name: value for name, value in values.items() if name in names}


def merge_threads(profile: Profile) -> Profile:
    """The same profile over all threads and runs."""
    return _merge_by(profile, lambda threads: ())


def merge_within_threads(profile: Profile) -> Profile:
    """The same profile for each thread, as `profile` has it but for namesakes: a source file may
    have several routines of one name, which count as one."""
    numbers = {id(r.routine): r.routine.key for r in profile.routines}
    if len(set(numbers.values())) == len(numbers):
        return replace(profile, routines=tuple(map(with_known_arguments, profile.routines)))
    return _merge_by(profile, lambda threads: threads)


def merge_within_runs(profile: Profile) -> Profile:
    """The same profile for each run. `profile` has runs apart."""
    return _merge_by(profile, lambda threads: threads[0].run)


def _merge_by(profile: Profile, apart: Callable[[tuple[ThreadKey, ...]], Hashable]) -> Profile:
    """`apart`: what of its threads keeps a part of a routine from merging with others."""
    routines: dict[Hashable, list[RoutineProfile]] = {}
    for routine in profile.routines:
        routines.setdefault((routine.routine.key, apart(routine.threads)), []).append(routine)
    edges: dict[Hashable, list[CallEdge]] = {}
    for edge in profile.calls:
        key = (edge.caller.key, edge.callee.key, apart(edge.threads))
        edges.setdefault(key, []).append(edge)
    return replace(
        profile,
        routines=tuple(merge_routines(group) for group in routines.values()),
        calls=tuple(merge_edges(group) for group in edges.values()),
        contexts=_merge_contexts(profile.contexts, apart),
        loops=_merge_all_loops(profile.loops, apart),
        lines=merge_lines(profile.lines),
    )


def merge_lines(lines: Sequence[LineCost]) -> tuple[LineCost, ...]:
    """The costs of each line of several runs as one. They have common events."""
    groups: dict[Hashable, LineCost] = {}
    for line in lines:
        key = (line.routine.key, *line[1:4])
        known = groups.get(key)
        if known is not None:
            line = known._replace(cost={e: known.cost[e] + line.cost[e] for e in known.cost})
        groups[key] = line
    return tuple(groups.values())


def _merge_all_loops(
    loops: Sequence[LoopProfile], apart: Callable[[tuple[ThreadKey, ...]], Hashable]
) -> tuple[LoopProfile, ...]:
    groups: dict[Hashable, list[LoopProfile]] = {}
    for loop in loops:
        key = (loop.loop.key, apart(loop.threads))
        groups.setdefault(key, []).append(loop)
    return tuple(merge_loops(group) for group in groups.values())


def merge_loops(parts: Sequence[LoopProfile]) -> LoopProfile:
    """One loop's numbers in several threads as one. The parts have common events."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    bins: dict[int, list[ProgressBin]] = {}
    for part in parts:
        for progress in part.progress:
            bins.setdefault(progress.first, []).append(progress)
    return LoopProfile(
        first.loop,
        tuple(sorted({thread for part in parts for thread in part.threads})),
        sum(part.executions for part in parts),
        sum(part.unfinished for part in parts),
        sum(part.iterations for part in parts),
        sum(part.induced_thread for part in parts),
        sum(part.induced_external for part in parts),
        _sum_of_costs(parts),
        {m: merge_points([part.points[m] for part in parts]) for m in first.points},
        tuple(
            ProgressBin(
                ordinal,
                sum(of.iterations for of in group),
                sum(of.rms for of in group),
                sum(of.new for of in group),
                {e: sum(of.cost[e] for of in group) for e in group[0].cost},
            )
            for ordinal, group in sorted(bins.items())
        ),
    )


def _sum_of_costs(parts: Sequence[RoutineProfile | LoopProfile]) -> dict[str, CostTotal]:
    return {
        event: CostTotal(
            sum(part.cost[event].inclusive for part in parts),
            sum(part.cost[event].own for part in parts),
        )
        for event in parts[0].cost
    }


def _merge_contexts(
    contexts: Sequence[Context], apart: Callable[[tuple[ThreadKey, ...]], Hashable]
) -> tuple[Context, ...]:
    """Contexts of one path become one. Parents stay before their children."""
    groups: dict[Hashable, list[Context]] = {}
    places: dict[Hashable, int] = {}  # of the groups
    place_of: list[int] = []  # by context, that of its group
    for context in contexts:
        parent = -1 if context.parent < 0 else place_of[context.parent]
        routine = context.profile
        key = (parent, context.merged, routine.routine.key, apart(routine.threads))
        place_of.append(places.setdefault(key, len(places)))
        groups.setdefault(key, []).append(context)
    return tuple(
        Context(
            -1 if group[0].parent < 0 else place_of[group[0].parent],
            merge_routines([context.profile for context in group]),
            group[0].merged,
            _merge_all_loops([of for context in group for of in context.loops], lambda threads: ()),
        )
        for group in groups.values()
    )


def merge_edges(parts: Sequence[CallEdge]) -> CallEdge:
    """The calls of one routine by another in several threads as one. The parts have common
    events."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    return replace(
        first,
        threads=_all_threads(parts),
        calls=sum(part.calls for part in parts),
        unfinished=sum(part.unfinished for part in parts),
        cost={event: sum(part.cost[event] for part in parts) for event in first.cost},
        outermost={e: sum(part.outermost[e] for part in parts) for e in first.outermost},
    )


def _all_threads(parts: Iterable[CallEdge | RoutineProfile]) -> tuple[ThreadKey, ...]:
    return tuple(sorted({thread for part in parts for thread in part.threads}))


def merge_routines(parts: Sequence[RoutineProfile]) -> RoutineProfile:
    """One routine's numbers in several threads as one. The parts have common events."""
    if len(parts) == 1:
        return with_known_arguments(parts[0])
    first = parts[0]
    metrics = [m for m in first.points if all(m in part.points for part in parts)]
    metrics += (m for part in parts for m in _arguments(part))
    points = {
        m: merge_points([p.points[m] for p in parts if m in p.points])
        for m in dict.fromkeys(metrics)
    }
    merged = RoutineProfile(
        routine=first.routine,
        threads=_all_threads(parts),
        calls=sum(part.calls for part in parts),
        unfinished=sum(part.unfinished for part in parts),
        induced_thread=sum(part.induced_thread for part in parts),
        induced_external=sum(part.induced_external for part in parts),
        cost=_sum_of_costs(parts),
        points=points,
    )
    return with_known_arguments(merged)


def with_known_arguments(routine: RoutineProfile) -> RoutineProfile:
    """Without points by arguments that not nearly all its calls have."""
    due = _NEARLY_ALL * (routine.calls - routine.unfinished)
    few = {m for m in _arguments(routine) if routine.points[m].column("calls").sum() < due}
    if not few:
        return routine
    return replace(routine, points={m: p for m, p in routine.points.items() if m not in few})


def _common(kind: str, of_profiles: Iterable[tuple[Quantity, ...]]) -> tuple[Quantity, ...]:
    """The quantities that all profiles have."""
    all_sets = list(of_profiles)
    units = {quantity.name: quantity.unit for quantity in all_sets[0]}
    for quantities in all_sets[1:]:
        for quantity in quantities:
            if units.get(quantity.name, quantity.unit) != quantity.unit:
                what = f"{kind} {quantity.name} is in {units[quantity.name]} and in {quantity.unit}"
                raise AprofError(what, "give profiles that were made with the same options")
    common = tuple(q for q in all_sets[0] if all(q in other for other in all_sets[1:]))
    if not common:
        raise AprofError(
            f"the profiles have no {kind} in common",
            "give profiles that were made with the same options",
        )
    return common
