"""Divides anew, among P threads, what those of the run divided by number (divisions.py)."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import replace

from aprofplot.processors.divisions import Chain, divisions
from aprofplot.processors.forks import below, is_caller
from aprofplot.work_span.model import Dag, Part, Strand

# What a new strand executes of the whole: from and to, as fractions.
Parts = Sequence[tuple[float, float]]

_CHUNKS = 64  # for each processor, at most: of more, several are taken together


def redivided(dag: Dag, processors: int) -> tuple[Dag, frozenset[int]]:
    """With as many shares as processors, and the paths on which those begin that were another number."""
    found = [chains for chains in divisions(dag) if len(chains) != processors]
    shares = [[share] for share in _evenly(processors)]
    begins = frozenset(chains[0].path for chains in found)
    return _with_strands(dag, [(chains, shares) for chains in found]) if found else dag, begins


def divided_on(dag: Dag, loops: Collection[int]) -> list[list[Chain]]:
    """The divisions of these loops, by path. Neither loops around them nor those in them are divided."""
    found = list(divisions(dag))
    begins = {chains[0].path for chains in found}
    divided = frozenset(
        loop
        for loop in loops
        if _before_inlining(dag, dag.paths[loop].caller) in begins
        and not any(is_caller(dag, loop, begin) for begin in begins)
    )
    inside = below(dag, divided)
    return [
        chains
        for chains in found
        if 2 * sum(chain.cost_on(inside) for chain in chains) > sum(chain.cost for chain in chains)
    ]


def _before_inlining(dag: Dag, path: int) -> int:
    """The path of the routine or loop in which functions were inlined."""
    while dag.paths[path].inlined is not None:
        path = dag.paths[path].caller
    return path


def rescheduled(
    dag: Dag, found: Sequence[list[Chain]], chunks: int, processors: int, is_dynamic: bool
) -> Dag:
    """These divisions in so many chunks, which are dealt out in turn, or each taken by who is free."""
    pieces = _evenly(min(chunks, _CHUNKS * processors))
    parts: list[Parts] = [[piece] for piece in pieces]
    if not is_dynamic:
        parts = [pieces[n::processors] for n in range(min(len(pieces), processors))]
    return _with_strands(dag, [(chains, parts) for chains in found])


def _evenly(count: int) -> list[tuple[float, float]]:
    return [(n / count, (n + 1) / count) for n in range(count)]


def _with_strands(dag: Dag, found: Sequence[tuple[list[Chain], Sequence[Parts]]]) -> Dag:
    """With a strand for each of the parts, instead of the chains."""
    gone = {index for chains, _ in found for chain in chains for index in chain.strands}
    strands = [None if index in gone else strand for index, strand in enumerate(dag.strands)]
    instead: dict[int, list[int]] = {}  # by the last strand of a chain, those that end in its place
    for chains, parts in found:
        places = [_place(chains, of[0][0]) for of in parts]
        numbers = range(len(strands), len(strands) + len(parts))
        strands += [_strand(dag, chains, place, of) for place, of in zip(places, parts)]
        for position, chain in enumerate(chains):
            ends = [number for number, place in zip(numbers, places) if place == position]
            instead[chain.strands[-1]] = ends or [numbers[-1]]
    return replace(
        dag, strands=_in_order([strand and _after(strand, instead) for strand in strands])
    )


def _after(strand: Strand, instead: dict[int, list[int]]) -> Strand:
    before = [number for b in strand.before for number in instead.get(b, [b])]
    return replace(strand, before=tuple(dict.fromkeys(before)))


def _place(chains: Sequence[Chain], begin: float) -> int:
    """The chain that executed this fraction of the whole."""
    return next(n for n in range(len(chains) - 1, -1, -1) if chains[n].begin <= begin or n == 0)


def _strand(dag: Dag, chains: Sequence[Chain], place: int, parts: Parts) -> Strand:
    """All that was executed in parts of the whole; amounts are rounded so that their sums stay."""
    amounts: dict[int, list[int]] = {}
    for begin, end in parts:
        for chain in chains:
            if chain.end <= begin or end <= chain.begin:
                continue
            since, until = chain.until(begin), chain.until(end)
            for path, whole in chain.amounts.items():
                known = amounts.setdefault(path, [])
                known += [0] * (len(whole) - len(known))
                for kind, amount in enumerate(whole):
                    known[kind] += int(amount * until) - int(amount * since)
    made = tuple(Part(path, work, tuple(over)) for path, (work, *over) in amounts.items())
    before = dag.strands[chains[place].strands[0]].before
    return Strand(0, sum(part.work for part in made), 0, 0, before, made)


def _in_order(strands: Sequence[Strand | None]) -> tuple[Strand, ...]:
    """Those that there are, each after those before it, otherwise as they are."""
    left = [0 if strand is None else len(strand.before) for strand in strands]
    after: list[list[int]] = [[] for _ in strands]
    for index, strand in enumerate(strands):
        for before in strand.before if strand is not None else ():
            after[before].append(index)
    ready = [i for i, strand in enumerate(strands) if strand is not None and not left[i]]
    heapq.heapify(ready)
    numbers: dict[int, int] = {}
    found: list[Strand] = []
    while ready:
        index = heapq.heappop(ready)
        strand = strands[index]
        assert strand is not None
        numbers[index] = len(found)
        found.append(replace(strand, before=tuple(sorted(numbers[b] for b in strand.before))))
        for following in after[index]:
            left[following] -= 1
            if not left[following]:
                heapq.heappush(ready, following)
    return tuple(found)
