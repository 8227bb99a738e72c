"""Chunks of OpenMP loops with a dynamic or guided schedule: threads take them from a counter that they share.

In the dag, a thread's chunks come after what it did before the loop. But whoever comes first takes the first chunk, so
that on P processors no chunk is bound to the thread that took it in the run, and each begins as soon as all chunks
before it have been taken. What the threads did before the loop has been taken before that, too.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace

from aprofplot.processors.divisions import added_up, are_whole, strands_in_series
from aprofplot.processors.numbering import renumbered, topological_order
from aprofplot.work_span.model import Dag, LoopSchedule, Part, Share, Strand

# Of strands that are looked at, to find what all threads of a loop come after: mostly these are the strands before the
# loop since the latest barrier.
_MOST_STEPS = 100_000


def taken_in_order(dag: Dag) -> Dag:
    """The same dag, where any processor may take the chunks of a loop, in the order of iterations, if all are known. They
    come after what each of its threads comes after, and are taken after those of an earlier loop. What comes after them
    in the run still does."""
    loops = _loops(dag)
    if not loops:
        return dag
    made: list[Strand | None] = list(dag.strands)
    numbers = list(range(len(dag.strands)))  # of each strand in `made`
    waits_too: dict[int, set[int]] = {}  # what comes after chunks, for what was before them
    counters: dict[int, int] = {}  # of earlier loops, by the strands with which their chunks begin
    for chunks, ends in loops:
        waits, passed = _before_all(dag, _arrivals(dag, [*chunks, *ends]))
        if not waits:
            continue
        counter = len(made)
        earlier = {counters[index] for index in passed if index in counters}
        made.append(Strand(0, 0, 0, 0, tuple(sorted({*waits, *earlier})), ()))
        counters |= dict.fromkeys(chunks, counter)
        for index in chunks:
            (before,) = dag.strands[index].before
            series = strands_in_series(dag, index)
            if before not in waits:
                for after in dag.after[series[-1]]:
                    waits_too.setdefault(after, set()).add(before)
            whole = _as_one([dag.strands[of] for of in series])
            for of in series if whole is not None else [index]:
                made[of] = None
                numbers[of] = len(made)
            made.append(replace(whole or dag.strands[index], before=(counter,)))
    numbers += range(len(numbers), len(made))
    for index, one in enumerate(made):
        if one is not None:
            all_waits = {*one.before, *waits_too.get(index, ())}
            made[index] = replace(one, before=tuple({numbers[of] for of in all_waits}))
    return replace(dag, strands=renumbered(made, topological_order(made)))


def _loops(dag: Dag) -> list[tuple[list[int], list[int]]]:
    """The strands with which the chunks of each loop begin, in order, and those where threads find no more; loops in the
    order in which threads met them."""
    found: dict[int, list[tuple[Share, int]]] = {}
    ends: dict[int, list[int]] = {}
    for index, strand in enumerate(dag.strands):
        share = strand.share
        if share is not None and share.schedule:
            if share.begin < share.end:
                found.setdefault(share.division, []).append((share, index))
            else:
                ends.setdefault(share.division, []).append(index)
    loops: list[tuple[list[int], list[int]]] = []
    for division, chunks in sorted(found.items()):
        chunks.sort(key=lambda chunk: chunk[0].begin)
        begins = [index for _, index in chunks]
        if are_whole([share for share, _ in chunks]) and all(
            len(dag.strands[index].before) == 1 for index in begins
        ):
            loops.append((begins, ends.get(division, [])))
    return loops


def _as_one(series: Sequence[Strand]) -> Strand | None:
    """A chunk, whose thread executes nothing else in between. None if it has locks, which are of single strands."""
    if any(strand.acquires or strand.releases or strand.sections for strand in series):
        return None
    if len(series) == 1:
        return series[0]
    amounts = added_up(series)
    parts = tuple(
        Part(path, work, tuple(overheads)) for path, (work, *overheads) in amounts.items()
    )
    return replace(series[0], span=sum(strand.span for strand in series), parts=parts)


def _arrivals(dag: Dag, of_threads: Sequence[int]) -> list[tuple[int, ...]]:
    """By thread, what the first of its strands comes after."""
    first: dict[int, int] = {}
    for index in of_threads:
        thread = dag.strands[index].thread
        first[thread] = min(index, first.get(thread, index))
    return [dag.strands[index].before for index in first.values()]


def _before_all(dag: Dag, arrivals: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """What all of these come after, or are, without what is before that; and what only some of them do. Nothing if that
    takes too long to find."""
    everybody = (1 << len(arrivals)) - 1
    reached: dict[int, int] = {}  # by strand, a bit for each arrival that comes after it
    left: list[int] = []  # heap of the negative numbers of strands: the latest one comes first
    found: list[int] = []
    passed: list[int] = []

    def reach(index: int, by: int) -> None:
        if index not in reached:
            heapq.heappush(left, -index)
        reached[index] = reached.get(index, 0) | by

    for bit, arrival in enumerate(arrivals):
        for index in arrival:
            reach(index, 1 << bit)
    for _ in range(_MOST_STEPS):
        if not left:
            return found, passed
        index = -heapq.heappop(left)
        if reached[index] == everybody:
            found.append(index)
            continue
        passed.append(index)
        for before in dag.strands[index].before:
            reach(before, reached[index])
    return [], []


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
