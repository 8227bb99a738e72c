"""Routines with two behaviours, by caller: called by one, their cost follows one law; called by
another, a law that grows faster. All their points together follow neither, or one between that
nothing follows.

Only profiles with contexts have points by caller.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from aprofplot.fits.fitting import fit_all
from aprofplot.fits.growth import Growth, growth_of
from aprofplot.fits.subject import Subject
from aprofplot.metrics import FEW_SIZES, cost_of_points, percent, total_cost
from aprofplot.model import PointTable, Profile, Routine, RoutineKey
from aprofplot.names import base_name
from aprofplot.point_merge import merge_points

_SURE = 0.9  # confidence of each law, at least
_APART = 0.35  # of the exponents: n log n is hardly ever so far from n
_LEAST_SHARE = 1.0  # percent of the run's cost: of the routine ...
_LEAST_PART = 5.0  # ... and, of the routine's, of each behaviour

_Tables = dict[RoutineKey, PointTable]  # by caller


def behaviours_by_caller(profile: Profile, event: str, metric: str) -> dict[RoutineKey, Growth]:
    """Of the costly routines that have two; `profile`'s threads are merged."""
    whole = total_cost(profile, event)
    costly = {
        of.routine.key
        for of in profile.routines
        if percent(of.cost[event].inclusive, whole) >= _LEAST_SHARE
    }
    of_routine = {
        key: _worthwhile(tables, event)
        for key, tables in _tables_by_caller(profile, metric, costly).items()
    }
    subjects = [
        (key, caller, table)
        for key, tables in of_routine.items()
        if len(tables) > 1
        for caller, table in tables.items()
    ]
    fits = fit_all([Subject(table, event) for _, _, table in subjects])
    known: dict[RoutineKey, dict[RoutineKey, Growth]] = defaultdict(dict)
    for fit, (key, caller, table) in zip(fits, subjects):
        found = growth_of(fit, table, event, metric)
        if found.law and found.confidence >= _SURE:
            known[key][caller] = found
    callers = {of.profile.routine.key: of.profile.routine for of in profile.contexts}
    both = {key: _together(of, callers) for key, of in known.items()}
    return {key: of for key, of in both.items() if of is not None}


def _tables_by_caller(
    profile: Profile, metric: str, costly: Collection[RoutineKey]
) -> dict[RoutineKey, _Tables]:
    """Of each costly routine the points of its calls, by who called it."""
    contexts = profile.contexts
    parts: dict[RoutineKey, dict[RoutineKey, list[PointTable]]] = {
        key: defaultdict(list) for key in costly
    }
    for context in contexts:
        key = context.profile.routine.key
        if key in parts and context.parent >= 0 and metric in context.profile.points:
            caller = contexts[context.parent].profile.routine.key
            parts[key][caller].append(context.profile.points[metric])
    return {
        key: {caller: merge_points(tables) for caller, tables in of.items()}
        for key, of in parts.items()
    }


def _worthwhile(tables: _Tables, event: str) -> _Tables:
    """Those that have sizes enough for a law, and cost."""
    cost = {
        caller: float(cost_of_points(table, event, False, "total").sum()) if len(table) else 0.0
        for caller, table in tables.items()
    }
    due = _LEAST_PART / 100 * sum(cost.values())
    return {
        caller: table
        for caller, table in tables.items()
        if len(table) >= FEW_SIZES and cost[caller] >= due
    }


def _together(
    known: Mapping[RoutineKey, Growth], routines: Mapping[RoutineKey, Routine]
) -> Growth | None:
    """The slowest and the fastest, if they are apart."""
    if len(known) < 2:
        return None
    order = sorted(known, key=lambda caller: (known[caller].low or 0.0, known[caller].high or 0.0))
    slow, fast = known[order[0]], known[order[-1]]
    if slow.high is None or fast.low is None or fast.low - slow.high < _APART:
        return None
    one, other = _told_apart(routines[order[0]], routines[order[-1]])
    sentence = f"two behaviours: called by {one} {slow.law}, called by {other} {fast.law}"
    return Growth(
        slow.low,
        fast.high,
        "",
        slow.grows_in,
        min(slow.confidence, fast.confidence),
        sentence,
        behaviours=(slow.law, fast.law),
    )


def _told_apart(one: Routine, other: Routine) -> tuple[str, str]:
    """Their names; of namesakes with their places."""
    names = base_name(one.name), base_name(other.name)
    if names[0] != names[1]:
        return names
    return _with_place(one), _with_place(other)


def _with_place(routine: Routine) -> str:
    place = f"{routine.file.rpartition('/')[2]}:{routine.line}" if routine.file else routine.object
    return f"{base_name(routine.name)} ({place})"
