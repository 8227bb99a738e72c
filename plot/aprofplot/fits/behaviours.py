"""Routines with two behaviours, by caller, thread or callee: called by one, in one, or where they call one,
their cost follows one law; with another, a law that grows faster. All their points together follow neither, or
one between that nothing follows.

Only profiles with contexts have points by caller. Points by callee are those of routines that hardly anything
else calls. That each call of the routine makes one of theirs, as where commands are told apart, is not measured
but assumed: if its own points follow no law, and it is called about as often as they are together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial

from aprofplot.fits.fitting import fit_all
from aprofplot.fits.growth import Growth, growth_of
from aprofplot.fits.subject import Subject
from aprofplot.metrics import FEW_SIZES, cost_of_points, percent, total_cost
from aprofplot.model import (
    CallEdge,
    PointTable,
    Profile,
    Routine,
    RoutineKey,
    RoutineProfile,
    ThreadKey,
)
from aprofplot.names import base_name
from aprofplot.point_merge import merge_points

_SURE = 0.9  # confidence of each law, at least
_APART = 0.35  # of the exponents: n log n is hardly ever so far from n
_LEAST_SHARE = 1.0  # percent of the run's cost: of the routine ...
_LEAST_PART = 5.0  # ... and, of the routine's, of each behaviour

_MOST_CALLS = 0.9  # of a callee, by one caller: then its points are those of that one's calls; and of the caller's
_MOST_COST = 0.5  # of a routine's, in these callees
_Part = RoutineKey | ThreadKey  # a caller, a callee or a thread
_Tables = dict[_Part, PointTable]


def two_behaviours(profile: Profile, event: str, metric: str) -> dict[RoutineKey, Growth]:
    """Of the costly routines that have them; `profile`'s threads are merged. Callers explain more than threads, and
    these more than callees."""
    whole = total_cost(profile, event)
    costly = {
        of.routine.key: of
        for of in profile.routines
        if percent(of.cost[event].inclusive, whole) >= _LEAST_SHARE
    }
    named: dict[_Part, Routine] = {of.routine.key: of.routine for of in profile.routines}
    by_callee = _without_law(
        _tables_by_callee(profile, event, metric, costly), event, metric, costly
    )
    by_thread = _tables_by_thread(profile, metric, costly)
    by_caller = _tables_by_caller(profile, metric, costly)
    return {
        **_told(by_callee, event, metric, "callee", partial(_routines, "where it calls", named)),
        **_told(by_thread, event, metric, "thread", _in_threads),
        **_told(by_caller, event, metric, "caller", partial(_routines, "called by", named)),
    }


def _told(
    tables: Mapping[RoutineKey, _Tables],
    event: str,
    metric: str,
    by: str,
    said: Callable[[_Part, _Part], tuple[str, str]],
) -> dict[RoutineKey, Growth]:
    """`said`: two parts in words."""
    of_routine = {key: _worthwhile(parts, event) for key, parts in tables.items()}
    subjects = [
        (key, part, table)
        for key, parts in of_routine.items()
        if len(parts) > 1
        for part, table in parts.items()
    ]
    fits = fit_all([Subject(table, event) for _, _, table in subjects])
    known: dict[RoutineKey, dict[_Part, Growth]] = defaultdict(dict)
    for fit, (key, part, table) in zip(fits, subjects):
        found = growth_of(fit, table, event, metric)
        if found.law and found.confidence >= _SURE:
            known[key][part] = replace(found, law=fit.name)  # exponents in numbers
    both = {key: _together(of, by, said) for key, of in known.items()}
    return {key: of for key, of in both.items() if of is not None}


def _tables_by_callee(
    profile: Profile, event: str, metric: str, costly: Mapping[RoutineKey, RoutineProfile]
) -> dict[RoutineKey, _Tables]:
    """Of each costly routine that is called about as often as what it calls, together: the points of that."""
    edges: dict[RoutineKey, list[CallEdge]] = defaultdict(list)
    for edge in profile.calls:
        callee = costly.get(edge.callee.key)
        if edge.caller.key in costly and callee is not None and metric in callee.points:
            if edge.caller.key != edge.callee.key and edge.calls >= _MOST_CALLS * callee.calls:
                edges[edge.caller.key].append(edge)
    return {
        key: {edge.callee.key: costly[edge.callee.key].points[metric] for edge in of}
        for key, of in edges.items()
        if _MOST_CALLS * costly[key].calls <= sum(edge.calls for edge in of) <= costly[key].calls
        and sum(edge.cost[event] for edge in of) >= _MOST_COST * costly[key].cost[event].inclusive
    }


def _without_law(
    tables: Mapping[RoutineKey, _Tables],
    event: str,
    metric: str,
    costly: Mapping[RoutineKey, RoutineProfile],
) -> dict[RoutineKey, _Tables]:
    """Those of routines whose own points follow no law."""
    due = [key for key, of in tables.items() if len(of) > 1 and metric in costly[key].points]
    own = [costly[key].points[metric] for key in due]
    fits = fit_all([Subject(table, event) for table in own])
    known = [growth_of(fit, table, event, metric) for fit, table in zip(fits, own)]
    return {key: tables[key] for key, of in zip(due, known) if not of.law or of.confidence < _SURE}


def _tables_by_thread(
    profile: Profile, metric: str, costly: Collection[RoutineKey]
) -> dict[RoutineKey, _Tables]:
    """Of each costly routine its points in the threads that have them."""
    found: dict[RoutineKey, _Tables] = defaultdict(dict)
    for of in profile.by_thread:
        if of.routine.key in costly and metric in of.points:
            found[of.routine.key][of.threads[0]] = of.points[metric]
    return found


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
        part: float(cost_of_points(table, event, False, "total").sum()) if len(table) else 0.0
        for part, table in tables.items()
    }
    due = _LEAST_PART / 100 * sum(cost.values())
    return {
        part: table
        for part, table in tables.items()
        if len(table) >= FEW_SIZES and cost[part] >= due
    }


def _together(
    known: Mapping[_Part, Growth], by: str, said: Callable[[_Part, _Part], tuple[str, str]]
) -> Growth | None:
    """The slowest and the fastest, if they are apart."""
    if len(known) < 2:
        return None
    order = sorted(known, key=lambda part: (known[part].low or 0.0, known[part].high or 0.0))
    slow, fast = known[order[0]], known[order[-1]]
    if slow.high is None or fast.low is None or fast.low - slow.high < _APART:
        return None
    one, other = said(order[0], order[-1])
    sentence = f"two behaviours: {one} {slow.law}, {other} {fast.law}"
    return Growth(
        slow.low,
        fast.high,
        "",
        slow.grows_in,
        min(slow.confidence, fast.confidence),
        sentence,
        behaviours=(slow.law, fast.law),
        differ_by=by,
    )


def _in_threads(one: _Part, other: _Part) -> tuple[str, str]:
    assert isinstance(one, ThreadKey) and isinstance(other, ThreadKey)
    return f"in thread {one.id}", f"in thread {other.id}"


def _routines(
    how: str, named: Mapping[_Part, Routine], one: _Part, other: _Part
) -> tuple[str, str]:
    """By their names; namesakes with their places."""
    first, second = named[one], named[other]
    names = base_name(first.name), base_name(second.name)
    if names[0] == names[1]:
        names = _with_place(first), _with_place(second)
    return f"{how} {names[0]}", f"{how} {names[1]}"


def _with_place(routine: Routine) -> str:
    place = f"{routine.file.rpartition('/')[2]}:{routine.line}" if routine.file else routine.object
    return f"{base_name(routine.name)} ({place})"
