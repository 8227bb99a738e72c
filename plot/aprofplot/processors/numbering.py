"""Numbers strands anew: each after those before it, otherwise in the order in which they are given."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace

from aprofplot.work_span.model import Strand


def topological_order(strands: Sequence[Strand | None]) -> list[int]:
    """The numbers of those that there are, each after those before it, otherwise as they are; without what waits for
    itself, and what comes after that."""
    left = [0 if strand is None else len(strand.before) for strand in strands]
    after: list[list[int]] = [[] for _ in strands]
    for number, strand in enumerate(strands):
        for before in strand.before if strand is not None else ():
            after[before].append(number)
    ready = [n for n, strand in enumerate(strands) if strand is not None and not left[n]]
    heapq.heapify(ready)
    found: list[int] = []
    while ready:
        found.append(heapq.heappop(ready))
        for following in after[found[-1]]:
            left[following] -= 1
            if not left[following]:
                heapq.heappush(ready, following)
    return found


def renumbered(strands: Sequence[Strand | None], order: Sequence[int]) -> tuple[Strand, ...]:
    """Those strands, in that order."""
    numbers = {number: n for n, number in enumerate(order)}
    found = (strand for number in order if (strand := strands[number]) is not None)
    return tuple(
        replace(strand, before=tuple(sorted(numbers[b] for b in strand.before))) for strand in found
    )
