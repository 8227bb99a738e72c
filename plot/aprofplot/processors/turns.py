"""Strands that run in turn: each waits for the one before, and for nothing else but its own thread. An ordered loop
has them, and threads that pass a token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from aprofplot.processors.forks import bodies_of_strands, is_caller
from aprofplot.work_span.model import Dag

_LEAST = 8  # in a row: fewer are no chain


def in_turn(dag: Dag, after: Sequence[int]) -> set[int]:
    """Their indices. `after`: by strand, how many come right after it.

    Who hands over goes on beside the one that takes over, and nobody else waits for it but what has forked it: a
    barrier wakes several. It may have gone on for a while when it does so.
    Two threads that always take over from each other may wait at a barrier of two, and are left out.
    """
    beside = _beside(dag)
    first: dict[int, int] = {}  # of the row that each is in, or goes on from
    rows: dict[int, list[int]] = {}
    for number, strand in enumerate(dag.strands):
        if len(strand.before) == 1 and after[strand.before[0]] == 1:
            if strand.before[0] in first:
                first[number] = first[strand.before[0]]
            continue
        givers = [index for index in strand.before if beside[index] == 2]
        others = set(strand.before) - set(givers)
        # What has forked them all, too, may come before each.
        own = [index for index in others if after[index] <= 2]
        if len(givers) == 1 and len(own) == 1 and after[own[0]] == 1:
            first[number] = first.get(givers[0], number)
            rows.setdefault(first[number], []).append(number)
    return {
        number
        for row in rows.values()
        if len(row) >= _LEAST and not _alternate([dag.strands[number].thread for number in row])
        for number in row
    }


def _alternate(threads: Sequence[int]) -> bool:
    """Whether these are two, in turn."""
    return len(set(threads)) == 2 and all(one != other for one, other in zip(threads, threads[1:]))


def _beside(dag: Dag) -> list[int]:
    """By strand, how many go on after it, without what has forked its body."""
    bodies = bodies_of_strands(dag)
    has_forked: dict[tuple[int, int], bool] = {}
    found: list[int] = []
    for body, after in zip(bodies, dag.after):
        count = 0
        for following, strands in Counter(bodies[index] for index in after).items():
            pair = (following, body)
            if pair not in has_forked:
                has_forked[pair] = following != body and is_caller(dag, *pair)
            count += 0 if has_forked[pair] else strands
        found.append(count)
    return found
