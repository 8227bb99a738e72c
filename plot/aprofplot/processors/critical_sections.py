"""Critical sections that were folded into strands, as strands of their own: what holds a lock is told from what
does not, and what it executes counts on its own call paths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from aprofplot.work_span.model import Dag, Part, Sections, Strand

_MOST_SECTIONS = 8  # of a strand and lock; more would not change who waits for how long
_MOST_PARTS = (
    200_000  # in all, a few seconds' work; beyond it strands have fewer sections: one at least
)


def taken_apart(dag: Dag, processors: int) -> Dag:
    """The same dag, without folded sections: in each of the parallel pieces of a strand they are evenly spread."""
    if not any(strand.sections for strand in dag.strands):
        return dag
    parts = sum(_parts(strand, processors) for strand in dag.strands if strand.sections)
    most = max(1, min(_MOST_SECTIONS, _MOST_PARTS // max(parts, 1)))
    made: list[Strand] = []
    ends: list[int] = []  # by strand
    for strand in dag.strands:
        strand = replace(strand, before=tuple(ends[before] for before in strand.before))
        if not strand.sections:
            made.append(strand)
        elif strand.acquires or strand.releases:
            made.append(replace(strand, sections=()))
        else:
            made += _apart(strand, processors, most, len(made))
        ends.append(len(made) - 1)
    return replace(dag, strands=tuple(made))


def _parts(strand: Strand, processors: int) -> int:
    """How many are made of it, at most, with one section of each use in each piece, and what is free before that."""
    paths = [len(use.by_path or strand.parts) + len(strand.parts) for use in strand.sections]
    return len(side_by_side(strand, processors)) * sum(paths)


def side_by_side(strand: Strand, processors: int) -> list[int]:
    """The lengths of its parallel pieces. The longest is the span, or its even share if there are fewer
    processors."""
    length, work, span = strand.length, strand.work, strand.span
    if not 0 < span < work:
        return [length]
    longest = max(length * span // work, -(-length // processors))
    rest = length - longest
    count = min(processors - 1, -(-rest // longest))
    return [longest, *(rest // count + (n < rest % count) for n in range(count))]


def _apart(strand: Strand, processors: int, most: int, first: int) -> list[Strand]:
    """The strands in its place, the first of which has that number; the last one ends it."""
    lengths = side_by_side(strand, processors)
    amounts = _Amounts(strand)
    made: list[Strand] = []
    lasts: list[int] = []
    begin = 0
    for length in lengths:
        before = strand.before
        for parts, lock in _pieces(strand, amounts, begin, begin + length, most, len(lengths)):
            work = sum(part.work for part in parts)
            made.append(Strand(strand.thread, work, lock, lock, before, parts))
            before = (first + len(made) - 1,)
        lasts += before
        begin += length
    if len(lengths) > 1:
        made.append(Strand(strand.thread, 0, 0, 0, tuple(lasts), ()))
    if strand.share is not None:
        made[0] = replace(made[0], share=strand.share)
    return made


def _pieces(
    strand: Strand, amounts: _Amounts, begin: int, end: int, most: int, pieces: int
) -> Iterator[tuple[tuple[Part, ...], int]]:
    """What is executed from begin to end of the strand's length: outside of the locks, 0, and under each."""
    sections: list[tuple[int, int, int]] = []  # the number of the use, and the bounds of its part
    for number, use in enumerate(strand.sections, 1):
        count = min(most, max(1, use.count // pieces))
        bounds = [begin + (end - begin) * n // count for n in range(count + 1)]
        sections += [(number, *between) for between in zip(bounds, bounds[1:])]
    gaps = [begin + (end - begin) * n // len(sections) for n in range(len(sections) + 1)]
    for (number, *between), gap in zip(sections, zip(gaps, gaps[1:])):
        if free := amounts.parts(0, *gap):
            yield free, 0
        yield amounts.parts(number, *between), strand.sections[number - 1].lock


class _Amounts:
    """What a strand executes outside of its sections, 0, and in those of each use of a lock, from 1: by path.
    What nested sections execute is in the amounts of each. Amounts that add up to more than a path has are scaled down
    to it, so that the order of the uses does not matter."""

    def __init__(self, strand: Strand) -> None:
        self._length = max(strand.length, 1)  # what only waits in its sections has none
        self._left = {part.path: [part.work, *part.overheads] for part in strand.parts}
        whole = {part.path: part.length for part in strand.parts}
        uses = [dict(_held(strand, use)) for use in strand.sections]
        told = Counter[int]()
        for held in uses:
            told.update(held)
        for held in uses:
            for path, amount in held.items():
                held[path] = amount * whole.get(path, 0) // max(told[path], whole.get(path, 0), 1)
        free = {path: of - sum(held.get(path, 0) for held in uses) for path, of in whole.items()}
        self._by_use = [free, *uses]

    def parts(self, number: int, begin: int, end: int) -> tuple[Part, ...]:
        """Of what is executed there, the part between two points of the strand's length."""
        found = []
        for path, amount in self._by_use[number].items():
            length = amount * end // self._length - amount * begin // self._length
            if length:
                work, *overheads = _take(self._left[path], length)
                found.append(Part(path, work, tuple(overheads)))
        return tuple(found)


def _held(strand: Strand, use: Sections) -> Sequence[tuple[int, int]]:
    """By path; evenly on all of them where an older profile does not say."""
    if use.by_path or not strand.length:
        return use.by_path
    return [(part.path, use.held * part.length // strand.length) for part in strand.parts]


def _take(left: list[int], amount: int) -> list[int]:
    """So much, of each kind in proportion to what is left of it."""
    total = sum(left)
    taken = [of * amount // total for of in left]
    missing = amount - sum(taken)
    for kind, of in enumerate(left):
        more = min(missing, of - taken[kind])
        taken[kind] += more
        missing -= more
        left[kind] -= taken[kind]
    return taken
