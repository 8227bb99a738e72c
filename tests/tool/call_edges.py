"""The call edges of each of the two tools, with their counts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from running import Profiled, edges
from shadowing import site_numbers

Edges = Counter[tuple[str, str]]  # by the names of caller, '' if it is none, and callee

LOCAL_COUNT = 6  # of a call site's numbers: all its calls


def of_cilkshadow(profile: Path) -> Edges:
    """In a profile of cilkshadow."""
    found: Edges = Counter()
    for (caller, callee, _), numbers in site_numbers(profile, together=True).items():
        found[caller, callee] += numbers[LOCAL_COUNT]
    return found


def of_aprof_trms(run: Profiled) -> Edges:
    """In a run under aprof-trms."""
    return Counter({edge: numbers.calls for edge, numbers in edges(run).items()})


def to(callees: set[str], found: Edges) -> Edges:
    """The calls of these routines."""
    return Counter({edge: calls for edge, calls in found.items() if edge[1] in callees})
