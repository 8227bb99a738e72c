"""Strands that run in turn: each waits for the one before, and for nothing else but its own thread. An ordered loop
has them, and threads that pass a token."""

from __future__ import annotations

from collections.abc import Sequence

from aprofplot.work_span.model import Dag

_LEAST = 8  # in a row: fewer are no chain


def in_turn(dag: Dag, after: Sequence[int]) -> set[int]:
    """Their indices. `after`: by strand, how many come right after it.

    Who hands over goes on beside the one that takes over, and nobody else waits for it: a barrier wakes several.
    Two threads that take over from each other may wait at a barrier of two, and are left out.
    """
    first: dict[int, int] = {}  # of the row that each is in
    rows: dict[int, list[int]] = {}
    for number, strand in enumerate(dag.strands):
        givers = [index for index in strand.before if after[index] == 2]
        if len(strand.before) != 2 or len(givers) != 1:
            continue
        [other] = set(strand.before) - set(givers)
        if after[other] == 1:
            first[number] = first.get(givers[0], number)
            rows.setdefault(first[number], []).append(number)
    return {
        number
        for row in rows.values()
        if len(row) >= _LEAST and len({dag.strands[number].thread for number in row}) != 2
        for number in row
    }
