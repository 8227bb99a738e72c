"""Divides anew, among P threads, what those of the run divided by number (divisions.py)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from aprofplot.processors.divisions import Division, divisions
from aprofplot.processors.forks import below, is_caller
from aprofplot.processors.substitution import Parts, Redivision, substituted
from aprofplot.work_span.model import Dag

_CHUNKS = 64  # for each processor, at most: of more, several are taken together


def redivided(dag: Dag, processors: int) -> tuple[Dag, frozenset[int]]:
    """With as many shares as processors, and the paths on which those begin that were another number."""
    shares = [[share] for share in _evenly(processors)]
    found = [of for of in divisions(dag) if len(of.shares) != processors]
    dag, divided = substituted(dag, [Redivision(of, shares) for of in found])
    return dag, frozenset(of.division.path for of in divided)


def divided_on(dag: Dag, loops: Collection[int]) -> list[Division]:
    """The divisions of these loops, by path. Neither loops around them nor those in them are divided."""
    found = list(divisions(dag))
    begins = {of.path for of in found}
    divided = frozenset(
        loop
        for loop in loops
        if _before_inlining(dag, dag.paths[loop].caller) in begins
        and not any(is_caller(dag, loop, begin) for begin in begins)
    )
    inside = below(dag, divided)
    return [
        of
        for of in found
        if 2 * sum(share.cost_on(inside) for share in of.shares)
        > sum(share.cost for share in of.shares)
    ]


def _before_inlining(dag: Dag, path: int) -> int:
    """The path of the routine or loop in which functions were inlined."""
    while dag.paths[path].inlined is not None:
        path = dag.paths[path].caller
    return path


def rescheduled(
    dag: Dag, found: Sequence[Division], chunks: int, processors: int, is_dynamic: bool
) -> Dag:
    """These divisions in so many chunks, which are dealt out in turn, or each taken by who is free."""
    pieces = _evenly(min(chunks, _CHUNKS * processors))
    parts: list[Parts] = [[piece] for piece in pieces]
    if not is_dynamic:
        parts = [pieces[n::processors] for n in range(min(len(pieces), processors))]
    return substituted(dag, [Redivision(of, parts) for of in found])[0]


def _evenly(count: int) -> list[tuple[float, float]]:
    return [(n / count, (n + 1) / count) for n in range(count)]
