"""Chunks that threads take from a counter that they share: those of OpenMP loops with a dynamic or guided schedule, and
what a program's own threads take from an atomic counter or from a list under a lock.

In the dag, a thread's chunks come after what it did before the loop. But whoever comes first takes the first chunk, so
that on P processors no chunk is bound to the thread that took it in the run, and each begins as soon as all chunks
before it have been taken. What the threads did before the loop has been taken before that, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from aprofplot.processors.divisions import are_whole, merged, strands_in_series
from aprofplot.processors.folded_chunks import apart, are_folded, is_all
from aprofplot.processors.loop_orders import LoopOrders
from aprofplot.processors.numbering import renumbered, topological_order
from aprofplot.work_span.model import Dag, LoopSchedule, Share, Strand


def taken_in_order(dag: Dag, processors: int) -> Dag:
    """The same dag, where any processor may take the chunks of a loop, in the order of iterations, if all are known. They
    come after what each of its threads comes after, and are taken after those of an earlier loop. What comes after them
    in the run still does. Folded chunks are taken apart, in so many that `processors` can share them.
    """
    loops = _loops(dag)
    if not loops:
        return dag
    made: list[Strand | None] = list(dag.strands)
    instead: dict[int, Sequence[int]] = {}  # of a strand that is gone, in `made`
    waits_too: dict[int, set[int]] = {}  # what comes after chunks, for what was before them
    orders = LoopOrders(dag)
    for loop in loops:
        strands = [*loop.begins, *loop.ends]
        waits, earlier = orders.before(strands)
        if not waits:
            continue
        counter = len(made)
        orders.enter(strands, counter, waits)
        made.append(Strand(0, 0, 0, 0, tuple(sorted({*waits, *earlier})), ()))
        series = loop.series
        for after, befores in _waits_too(dag, series, waits):
            waits_too.setdefault(after, set()).update(befores)
        chunks = [_as_one([dag.strands[index] for index in of]) for of in series]
        whole = [chunk for chunk in chunks if chunk is not None]
        if loop.is_folded and len(whole) == len(chunks):
            new, touching = apart(whole, processors, len(loops))
            for of, positions in zip(series, touching):
                for index in of:
                    made[index] = None
                    instead[index] = [len(made) + n for n in positions]
            made += [replace(chunk, before=(counter,)) for chunk in new]
            continue
        for of, chunk in zip(series, chunks):
            for index in of if chunk is not None else of[:1]:
                made[index] = None
                instead[index] = (len(made),)
            made.append(replace(chunk or dag.strands[of[0]], before=(counter,)))
    for index, one in enumerate(made):
        if one is not None:
            all_waits = {*one.before, *waits_too.get(index, ())}
            numbers = {number for of in all_waits for number in instead.get(of, (of,))}
            made[index] = replace(one, before=tuple(numbers))
    return replace(dag, strands=renumbered(made, topological_order(made)))


@dataclass(frozen=True, slots=True)
class _Loop:
    """The strands of each chunk, in order, and those where threads find no more."""

    series: Sequence[Sequence[int]]
    ends: Sequence[int]
    is_folded: bool

    @property
    def begins(self) -> list[int]:
        """The strands with which chunks begin."""
        return [of[0] for of in self.series]


def _loops(dag: Dag) -> list[_Loop]:
    """In the order in which threads met them, no two of the same strands: of nested ones that with most chunks, which
    leaves processors most to share."""
    found: dict[int, list[tuple[Share, int]]] = {}
    ends: dict[int, list[int]] = {}
    for index, strand in enumerate(dag.strands):
        share = strand.share
        if share is not None and share.schedule:
            if share.begin < share.end:
                found.setdefault(share.division, []).append((share, index))
            else:
                ends.setdefault(share.division, []).append(index)
    loops: dict[int, _Loop] = {}
    within: set[int] = set()  # what is counted between two chunks of another loop
    taken: set[int] = set()  # strands of loops that were found
    for division, chunks in sorted(found.items(), key=lambda of: -len(of[1])):
        chunks.sort(key=lambda chunk: (chunk[0].begin, chunk[0].end))
        shares = [share for share, _ in chunks]
        begins = [index for _, index in chunks]
        is_folded = are_folded(shares)
        if (
            division in within
            or not (is_all(shares) if is_folded else are_whole(shares))
            or any(len(dag.strands[index].before) != 1 for index in begins)
        ):
            continue
        series = [strands_in_series(dag, index) for index in begins]
        are_short = _are_independent(dag, series)
        if not are_short:
            series = [strands_in_series(dag, index, division) for index in begins]
        strands = {index for of in series for index in of}
        if not (are_short or _are_independent(dag, series)) or not taken.isdisjoint(strands):
            continue
        taken |= strands
        shared = (dag.strands[index].share for index in strands)
        within |= {share.division for share in shared if share} - {division}
        loops[division] = _Loop(series, ends.get(division, ()), is_folded)
    return [loop for _, loop in sorted(loops.items())]


def _are_independent(dag: Dag, series: Sequence[Sequence[int]]) -> bool:
    """Whether each chunk comes after what its thread's first one comes after, or after the thread's chunk before: between
    two items of a counter of its own, a thread may wait for others."""
    # By thread: before its first chunk, the end of the latest.
    known: dict[int, tuple[int, int]] = {}
    for of in sorted(series, key=lambda strands: strands[0]):  # as in the run
        thread, (before,) = dag.strands[of[0]].thread, dag.strands[of[0]].before
        first, latest = known.get(thread, (before, before))
        if before not in (first, latest):
            return False
        known[thread] = first, of[-1]
    return True


def _waits_too(
    dag: Dag, series: Sequence[Sequence[int]], waits: Collection[int]
) -> Iterator[tuple[int, set[int]]]:
    """What comes after a chunk, or after several that follow each other, and what is before each of these; `waits` is before
    all."""
    begins = {of[0] for of in series}
    found: dict[int, set[int]] = {}  # by the last strand
    for of in sorted(series, key=lambda strands: strands[0]):
        (before,) = dag.strands[of[0]].before
        if before not in waits:
            found[of[-1]] = found.pop(before, set())
            found[of[-1]].add(before)
    for last, befores in found.items():
        for after in dag.after[last]:
            if after not in begins:
                yield after, befores


def _as_one(series: Sequence[Strand]) -> Strand | None:
    """A chunk, whose thread executes nothing else in between. None if it has locks, which are of single strands."""
    if any(strand.acquires or strand.releases or strand.sections for strand in series):
        return None
    if len(series) == 1:
        return series[0]
    parts = merged(part for strand in series for part in strand.parts)
    return replace(series[0], span=sum(strand.span for strand in series), parts=parts)


def guided_bounds(share: Share, processors: int) -> list[int]:
    """Where the chunks of a loop with a guided schedule begin and end if there are so many threads, of which each takes
    the next one as the library (gomp_iter_guided_next; __kmp_dispatch_next_algorithm) has it."""
    bounds = [0]
    while (left := share.iterations - bounds[-1]) > 0:
        bounds.append(bounds[-1] + min(left, _guided_chunk(share, processors, left)))
    return bounds


def _guided_chunk(share: Share, threads: int, left: int) -> int:
    if share.schedule == LoopSchedule.GUIDED:
        return max(share.chunk, -(-left // threads))
    if threads == 1:
        return left
    is_short = (2 * share.chunk + 1) * threads >= share.iterations
    if is_short or left < 2 * threads * (share.chunk + 1):
        return share.chunk
    return max(left // (2 * threads), 1)
