"""Calling contexts and call edges as the page has them: by number of routine, over all threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aprofplot.metrics import FEW_SIZES, distinct_sizes, largest_size, percent
from aprofplot.model import CallEdge, Context, RoutineKey
from aprofplot.reports.html.points import encode_tables

Numbers = Mapping[RoutineKey, int]

_POINTS = 100  # of a context, at most
_WITH_POINTS = 20_000  # contexts, the costliest


def context_columns(
    contexts: Sequence[Context], numbers: Numbers, events: tuple[str, ...], metric: str
) -> dict[str, Any]:
    """All contexts but their points, a list for each column. `sizes` and `largest` are by
    `metric`. Contexts of routines that `numbers` does not have are an error of the reader's.
    """
    profiles = [context.profile for context in contexts]
    return {
        "parent": [context.parent for context in contexts],
        "merged": [index for index, context in enumerate(contexts) if context.merged],
        "routine": [numbers[profile.routine.key] for profile in profiles],
        "calls": [profile.calls for profile in profiles],
        "sizes": [distinct_sizes(profile, metric) for profile in profiles],
        "largest": [largest_size(profile, metric) for profile in profiles],
        "inclusive": [[profile.cost[e].inclusive for profile in profiles] for e in events],
        "own": [[profile.cost[e].own for profile in profiles] for e in events],
    }


def contexts_with_points(contexts: Sequence[Context], event: str) -> frozenset[int]:
    """The numbers of the costliest 20,000."""
    by_cost = sorted(range(len(contexts)), key=lambda i: -_cost(contexts[i], event))
    return frozenset(by_cost[:_WITH_POINTS])


def context_points(context: Context, events: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Its points by metric; none where a plot would say nothing."""
    tables = {m: table for m, table in context.profile.points.items() if len(table) > 1}
    return encode_tables(tables, events, _POINTS)


def worth_fitting(context: Context, event: str, whole: int) -> bool:
    """Whether a context has the points for a verdict, and a percent of the run's cost."""
    sizes = max((len(table) for table in context.profile.points.values()), default=0)
    return sizes >= FEW_SIZES and percent(_cost(context, event), whole) >= 1.0


def callers_and_callees(
    edges: Sequence[CallEdge], numbers: Numbers, events: tuple[str, ...]
) -> tuple[dict[int, list[list[Any]]], dict[int, list[list[Any]]]]:
    """By routine: its callers, and its callees, each [routine, calls, [cost by event]], the
    costliest first. `edges`: of all threads together. Recursion counts once, so that no caller has
    more than the routine's own inclusive cost."""
    callers: dict[int, list[list[Any]]] = {}
    callees: dict[int, list[list[Any]]] = {}
    for edge in sorted(edges, key=lambda edge: -edge.outermost[events[0]]):
        caller, callee = numbers[edge.caller.key], numbers[edge.callee.key]
        cost = [edge.outermost[event] for event in events]
        callers.setdefault(callee, []).append([caller, edge.calls, cost])
        callees.setdefault(caller, []).append([callee, edge.calls, cost])
    return callers, callees


def _cost(context: Context, event: str) -> int:
    return context.profile.cost[event].inclusive
