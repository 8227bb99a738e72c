"""Merges the numbers of threads and of whole profiles: one RoutineProfile for each routine.

Calls and sums add up; minima and maxima are those of all; points of one size become one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from aprofplot.errors import AprofError
from aprofplot.model import (
    CostTotal,
    Integers,
    PointTable,
    Profile,
    Quantity,
    RoutineProfile,
    Run,
    ThreadKey,
)

_LARGEST_INT64 = 2**63 - 1


def join_profiles(profiles: Sequence[Profile]) -> Profile:
    """All runs of `profiles` in one Profile, threads apart. Events and metrics are those that
    every profile has, in the order of the first. AprofError if there are none, or if profiles
    measured in different units."""
    first = profiles[0]
    events = _common("event", [p.events for p in profiles])
    metrics = _common("input-size metric", [p.metrics for p in profiles])
    event_names = {e.name for e in events}
    metric_names = {m.name for m in metrics}
    routines: list[RoutineProfile] = []
    runs: list[Run] = []
    for profile in profiles:
        for routine in profile.routines:
            threads = tuple(ThreadKey(t.run + len(runs), t.id) for t in routine.threads)
            cost = {e: c for e, c in routine.cost.items() if e in event_names}
            points = {m: p for m, p in routine.points.items() if m in metric_names}
            routines.append(replace(routine, threads=threads, cost=cost, points=points))
        runs.extend(profile.runs)
    if len(profiles) == 1:
        return first
    return Profile(tuple(runs), events, metrics, tuple(routines))


def merge_threads(profile: Profile) -> Profile:
    """The same profile with one RoutineProfile for each routine, over all threads and runs."""
    return _merge_by(profile, lambda routine: routine.routine.key)


def merge_within_threads(profile: Profile) -> Profile:
    """The same profile with one RoutineProfile for each routine and thread. (A source file may
    have several routines of one name: they count as one.)"""
    return _merge_by(profile, lambda routine: (routine.routine.key, routine.threads))


def _merge_by(profile: Profile, key: Callable[[RoutineProfile], Hashable]) -> Profile:
    groups: dict[Hashable, list[RoutineProfile]] = {}
    for routine in profile.routines:
        groups.setdefault(key(routine), []).append(routine)
    merged = tuple(merge_routines(group) for group in groups.values())
    return replace(profile, routines=merged)


def merge_routines(parts: Sequence[RoutineProfile]) -> RoutineProfile:
    """One routine's numbers in several threads as one. The parts have common events."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    cost = {
        event: CostTotal(
            sum(part.cost[event].inclusive for part in parts),
            sum(part.cost[event].own for part in parts),
        )
        for event in first.cost
    }
    points = {m: merge_points([p.points[m] for p in parts]) for m in first.points}
    return RoutineProfile(
        routine=first.routine,
        threads=tuple(sorted({thread for part in parts for thread in part.threads})),
        calls=sum(part.calls for part in parts),
        unfinished=sum(part.unfinished for part in parts),
        induced_thread=sum(part.induced_thread for part in parts),
        induced_external=sum(part.induced_external for part in parts),
        cost=cost,
        points=points,
    )


def merge_points(tables: Sequence[PointTable]) -> PointTable:
    """Points of one size become one. Columns are those that all tables have."""
    filled = [table for table in tables if len(table)] or list(tables[:1])
    precisions = [table.precision for table in tables if table.precision]
    precision = min(precisions, default=0)
    columns = tuple(c for c in filled[0].columns if all(c in t.columns for t in filled))
    if len(filled) == 1 and columns == filled[0].columns:
        return replace(filled[0], precision=precision)
    stacked = [np.concatenate([t.column(c) for t in filled]) for c in columns]
    order = np.argsort(stacked[0], kind="stable")
    sizes, starts = np.unique(stacked[0][order], return_index=True)
    rows = [sizes]
    for name, values in zip(columns[1:], stacked[1:]):
        rows.append(_reduce(name, values[order], starts))
    if any(row.dtype == object for row in rows):
        rows = [row.astype(object) for row in rows]
    return PointTable(precision, columns, np.array(rows))


def _reduce(name: str, values: Integers, starts: Integers) -> Integers:
    reduced: Integers
    if name.endswith(".min"):
        reduced = np.minimum.reduceat(values, starts)
    elif name.endswith(".max"):
        reduced = np.maximum.reduceat(values, starts)
    else:
        if values.dtype != object and float(values.sum(dtype=np.float64)) > _LARGEST_INT64 / 2:
            values = values.astype(object)
        reduced = np.add.reduceat(values, starts)
    return reduced


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
