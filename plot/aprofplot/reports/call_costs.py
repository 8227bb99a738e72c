"""Call edges for exports: summed over threads, with costs that count once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from aprofplot.merge import merge_threads
from aprofplot.model import CallEdge, Profile, Routine, RoutineKey

NO_CALLER = Routine("(no caller)", "", "", 0, 0)


def sorted_calls(edges: Sequence[CallEdge]) -> list[CallEdge]:
    """By caller, callee and thread."""
    return sorted(edges, key=lambda edge: (edge.caller.key, edge.callee.key, edge.threads))


def calls_that_count_once(profile: Profile) -> list[CallEdge]:
    """The edges between routines over all threads. Their `outermost` costs, to a routine that is
    called, add up to its inclusive cost: what has no caller is called by NO_CALLER, at the end.
    """
    profile = merge_threads(profile)
    edges = sorted_calls(profile.calls)
    calls: Counter[RoutineKey] = Counter()
    given: dict[RoutineKey, Counter[str]] = {}
    for edge in edges:
        calls[edge.callee.key] += edge.calls
        given.setdefault(edge.callee.key, Counter()).update(edge.outermost)
    for routine in profile.routines:
        key = routine.routine.key
        if key in given:
            left = {e: max(c.inclusive - given[key][e], 0) for e, c in routine.cost.items()}
            number = routine.calls - calls[key]
            if any(left.values()) or number > 0:
                edges.append(
                    CallEdge(
                        NO_CALLER,
                        routine.routine,
                        routine.threads,
                        number,
                        left,
                        0,
                        left,
                    )
                )
    return edges
