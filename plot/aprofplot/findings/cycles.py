"""The cycles of a call graph, as gprof has them: its strongly connected components."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from aprofplot.model import CallEdge, RoutineKey

_Next = Mapping[RoutineKey, list[RoutineKey]]


def cycles(edges: Iterable[CallEdge]) -> dict[RoutineKey, frozenset[RoutineKey]]:
    """Of each routine that calls itself, perhaps by way of others: it and these others."""
    edges = list(edges)
    direct = {edge.caller.key for edge in edges if edge.caller.key == edge.callee.key}
    found: dict[RoutineKey, frozenset[RoutineKey]] = {}
    for component in components(edges):
        if len(component) > 1 or not direct.isdisjoint(component):
            found.update(dict.fromkeys(component, component))
    return found


def components(edges: Iterable[CallEdge]) -> list[frozenset[RoutineKey]]:
    """All of them, also of one routine; callers before what they call. Kosaraju's algorithm, in time linear in the
    number of edges."""
    callees: dict[RoutineKey, list[RoutineKey]] = defaultdict(list)
    callers: dict[RoutineKey, list[RoutineKey]] = defaultdict(list)
    for edge in edges:
        callees[edge.caller.key].append(edge.callee.key)
        callers[edge.callee.key].append(edge.caller.key)
    known: set[RoutineKey] = set()
    lasts = reversed(_post_order(callees, callees, set()))
    found = (frozenset(_post_order([last], callers, known)) for last in lasts)
    return [component for component in found if component]


def _post_order(
    starts: Iterable[RoutineKey], next_of: _Next, known: set[RoutineKey]
) -> list[RoutineKey]:
    """What depth-first searches from `starts` reach and leave, in the order in which they leave it; not what is
    `known`, which they add to."""
    left: list[RoutineKey] = []
    for start in starts:
        pending = [(start, iter([start]))]
        while pending:
            key, rest = pending[-1]
            new = next((of for of in rest if of not in known), None)
            if new is None:
                pending.pop()
                if pending:
                    left.append(key)
            else:
                known.add(new)
                pending.append((new, iter(next_of.get(new, ()))))
    return left
