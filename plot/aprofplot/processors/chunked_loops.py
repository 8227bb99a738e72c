"""Chunks that threads take from a counter that they share: those of OpenMP loops with a dynamic or guided schedule, and
what a program's own threads take from an atomic counter or from a list under a lock.

In the dag, a thread's chunks come after what it did before the loop. But whoever comes first takes the first chunk, so
that on P processors no chunk is bound to the thread that took it in the run, and each begins as soon as all chunks
before it have been taken. What the threads did before the loop has been taken before that, too.

Items that others put into a queue meanwhile are taken after that: as the thread that waited for an item was woken, that
one and all later ones come after the signal.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from aprofplot.processors.divisions import are_whole, merged, strands_in_series
from aprofplot.processors.folded_chunks import apart, are_folded, is_all
from aprofplot.processors.lifetimes import threads_at_once
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
    threads = threads_at_once(dag, len({strand.thread for strand in dag.strands} - {0}))
    spare = max(processors - threads, 0)
    unhindered = [loop for loop in loops if not any(entry.waited_for for entry in loop.entries)]
    for some, as_queues in ((loops, True), (loops, False), (unhindered, False)):
        found = _with_taken(dag, some, processors, spare if as_queues else None) if some else dag
        if found is not None:
            return found
    return dag


def _with_taken(dag: Dag, loops: Sequence[_Loop], processors: int, spare: int | None) -> Dag | None:
    """As taken_in_order, of these loops. `spare`: processors beyond the run's threads; None: what is assumed beyond what
    the run shows, by _puts and _taken_after, is left out. None if a strand would have to wait for itself.
    """
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
        counters = _counters(dag, loop, counter, made, spare is not None)
        for after, befores in _waits_too(dag, loop, waits):
            waits_too.setdefault(after, set()).update(befores)
        chunks = [_as_one(dag, of) for of in series]
        whole = [chunk for chunk in chunks if chunk is not None]
        if loop.is_folded and len(whole) == len(chunks) and set(counters) == {counter}:
            new, touching = apart(whole, processors, len(loops))
            for of, positions in zip(series, touching):
                for index in of:
                    made[index] = None
                    instead[index] = [len(made) + n for n in positions]
            made += [replace(chunk, before=(counter,)) for chunk in new]
            continue
        taken_after, latest = (
            (_by_anybody(dag, loop), {})
            if spare is None
            else _taken_after(dag, loop, processors, spare)
        )
        for end in loop.ends:
            waits_too.setdefault(end, set()).update(latest.get(dag.strands[end].thread, ()))
        for of, chunk, after, taken in zip(series, chunks, counters, taken_after):
            for index in of if chunk is not None else of[:1]:
                made[index] = None
                instead[index] = (len(made),)
            for index in of[1:] if chunk is None else ():
                made[index] = replace(dag.strands[index], thread=taken.thread)
            first = chunk or dag.strands[of[0]]
            made.append(replace(first, thread=taken.thread, before=(after, *taken.before)))
    for index, one in enumerate(made):
        if one is not None:
            all_waits = {*one.before, *waits_too.get(index, ())}
            numbers = {number for of in all_waits for number in instead.get(of, (of,))}
            made[index] = replace(one, before=tuple(numbers))
    order = topological_order(made)
    # What an item waits for may itself come after an item that is taken later.
    if len(order) < sum(one is not None for one in made):
        return None
    return replace(dag, strands=renumbered(made, order))


@dataclass(frozen=True, slots=True)
class _Entry:
    """Of a chunk: `after`: what its thread has done before. `waited_for`: what others have done, for which it has waited
    since."""

    after: int
    waited_for: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Taken:
    """A chunk by a thread. `before`: the end of the one that this has taken before; empty if any processor may take it."""

    thread: int
    before: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Loop:
    """The strands of each chunk, in order, what they come after, and the strands where threads find no more."""

    series: Sequence[Sequence[int]]
    entries: Sequence[_Entry]
    ends: Sequence[int]
    is_folded: bool

    @property
    def begins(self) -> list[int]:
        """The strands with which chunks begin."""
        return [of[0] for of in self.series]


def _takers(dag: Dag, begins: Iterable[int], ends: Iterable[int]) -> set[int]:
    """The threads that take chunks, and those that come and find none."""
    return {dag.strands[of].thread for of in (*begins, *ends)}


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
        if division in within or not (is_all(shares) if is_folded else are_whole(shares)):
            continue
        series = [strands_in_series(dag, index) for index in begins]
        entries = _entries(dag, series, ends.get(division, ()))
        if entries is None:
            series = [_until_next(dag, index, division) for index in begins]
            entries = _entries(dag, series, ends.get(division, ()))
        strands = {index for of in series for index in of}
        if entries is None or not taken.isdisjoint(strands):
            continue
        taken |= strands
        shared = (dag.strands[index].share for index in strands)
        within |= {share.division for share in shared if share} - {division}
        loops[division] = _Loop(series, entries, ends.get(division, ()), is_folded)
    return [loop for _, loop in sorted(loops.items())]


def _until_next(dag: Dag, first: int, division: int) -> list[int]:
    """As strands_in_series, up to the next chunk, and beyond strands that others wait for, too."""
    strands = strands_in_series(dag, first, division)
    while True:
        thread = dag.strands[strands[-1]].thread
        own = [of for of in dag.after[strands[-1]] if dag.strands[of].thread == thread]
        if len(own) != 1 or len(dag.after[strands[-1]]) == 1 or len(dag.strands[own[0]].before) > 1:
            return strands
        share = dag.strands[own[0]].share
        if share is not None and share.division == division:
            return strands
        strands += strands_in_series(dag, own[0], division)


def _counters(
    dag: Dag, loop: _Loop, first: int, made: list[Strand | None], has_puts: bool
) -> list[int]:
    """By chunk, the strand that it comes after: the `first` one, or one that is added to `made` and comes after the one
    before, and after the chunk was there."""
    waits = [set(entry.waited_for) for entry in loop.entries]
    if has_puts and any(waits):
        for number, put in _puts(dag, loop).items():
            waits[number].add(put)
    found = [first]
    for of in waits:
        if of:
            made.append(Strand(0, 0, 0, 0, (found[-1], *sorted(of)), ()))
        found.append(len(made) - 1 if of else found[-1])
    return found[1:]


def _taken_after(
    dag: Dag, loop: _Loop, processors: int, spare: int
) -> tuple[list[_Taken], dict[int, tuple[int, ...]]]:
    """By chunk, who takes it, if each is taken by the thread that has done least; and the end of the latest of each thread.
    There are as many as in the run, and one for each `spare` processor; if these are as many as processors, any may take
    any chunk."""
    takers = sorted(_takers(dag, loop.begins, loop.ends))
    count = len(takers) + spare
    if 0 in takers or count >= processors:
        return _by_anybody(dag, loop), {}
    done: list[tuple[int, int, tuple[int, ...]]] = [(0, taker, ()) for taker in range(count)]
    found: list[_Taken] = []
    for of in loop.series:
        length, taker, latest = done[0]
        found.append(_Taken(takers[taker % len(takers)], latest))
        length += sum(dag.strands[index].length for index in of)
        heapq.heapreplace(done, (length, taker, (of[-1],)))
    return found, {takers[taker]: latest for _, taker, latest in done if taker < len(takers)}


def _by_anybody(dag: Dag, loop: _Loop) -> list[_Taken]:
    return [_Taken(dag.strands[of].thread, ()) for of in loop.begins]


def _puts(dag: Dag, loop: _Loop) -> dict[int, int]:
    """By number of a chunk of a queue, the strand in which another thread has acquired the queue's lock as often as chunks
    have been taken then: before that, it has not put so many there. It may acquire the lock once more for each taker, to
    stop that; if it does so still more often, it may have put many at once. Empty then, and if there is no such thread, or
    are several. Nothing of what has come after that chunk in the run, or after a later one."""
    locks = {dag.strands[of].acquires for of in loop.begins}
    if locks == {0} or len(locks) > 1:
        return {}
    (lock,) = locks
    takers = _takers(dag, loop.begins, loop.ends)
    most = len(loop.series) + len(takers)
    others: dict[int, list[int]] = {}
    for index, strand in enumerate(dag.strands):
        if strand.thread not in takers:
            times = (strand.acquires == lock) + sum(
                use.count for use in strand.sections if use.lock == lock
            )
            if times:
                puts = others.setdefault(strand.thread, [])
                puts += [index] * min(times, most + 1 - len(puts))
    if len(others) != 1:
        return {}
    ((giver, found),) = others.items()
    if not len(loop.series) <= len(found) <= most:
        return {}
    learnt = _first_after(dag, giver)
    earliest = len(dag.strands)  # strand of the giver after a chunk from here on
    bound: dict[int, int] = {}
    for number in reversed(range(len(loop.series))):
        earliest = min(earliest, learnt[loop.series[number][0]])
        if found[number] < earliest:
            bound[number] = found[number]
    return bound


def _first_after(dag: Dag, thread: int) -> list[int]:
    """By strand, the first one of that thread that is it or comes after it; if there is none, the number of strands."""
    none = len(dag.strands)
    found = [none] * none
    for index in reversed(range(none)):
        if dag.strands[index].thread == thread:
            found[index] = index
        else:
            found[index] = min((found[of] for of in dag.after[index]), default=none)
    return found


def _entries(dag: Dag, series: Sequence[Sequence[int]], ends: Sequence[int]) -> list[_Entry] | None:
    """By chunk. None if one comes after anything but what its thread's first one comes after, or the thread's chunk before,
    and threads that take none, nor were created by those that do: between two items of a counter of its own, a thread may
    wait for others."""
    takers = _takers(dag, (of[0] for of in series), ends)
    # By thread: before its first chunk, the end of the latest.
    known: dict[int, tuple[int, ...]] = {}
    found: dict[int, _Entry] = {}  # by the first strand
    for of in sorted(series, key=lambda strands: strands[0]):  # as in the run
        thread = dag.strands[of[0]].thread
        entry = _entry(dag, of[0], known.get(thread, ()))
        if entry is None:
            return None
        first = known.get(thread, (entry.after,))[0]
        known[thread] = (first, of[-1])
        found[of[0]] = entry
    givers = {dag.strands[of].thread for entry in found.values() for of in entry.waited_for}
    if givers and not takers.union({0}).isdisjoint(givers | _creators(dag, givers)):
        return None
    return [found[of[0]] for of in series]


def _entry(dag: Dag, begin: int, ends: Collection[int]) -> _Entry | None:
    """Of a chunk that begins there, whose thread has been in one of `ends` before; if there are none, anywhere."""
    waited_for: set[int] = set()
    at = begin
    while at == begin or ends and at not in ends:
        thread, before = dag.strands[at].thread, dag.strands[at].before
        own = [of for of in before if len(before) == 1 or dag.strands[of].thread == thread]
        if len(own) != 1:
            return None
        waited_for.update(of for of in before if of != own[0])
        at = own[0]
    return _Entry(at, frozenset(waited_for))


def _creators(dag: Dag, threads: Collection[int]) -> set[int]:
    """The threads that have created these."""
    first: dict[int, Strand] = {}
    for strand in dag.strands:
        first.setdefault(strand.thread, strand)
    return {dag.strands[of].thread for thread in threads for of in first[thread].before}


def _waits_too(dag: Dag, loop: _Loop, waits: Collection[int]) -> Iterator[tuple[int, set[int]]]:
    """What comes after a chunk, or after several that follow each other, and what is before each of these; `waits` is before
    all."""
    begins = {of[0] for of in loop.series}
    found: dict[int, set[int]] = {}  # by the last strand
    for of, entry in sorted(zip(loop.series, loop.entries), key=lambda chunk: chunk[0][0]):
        before = entry.after
        if before not in waits:
            found[of[-1]] = found.pop(before, set())
            found[of[-1]].add(before)
    for last, befores in found.items():
        for after in dag.after[last]:
            if after not in begins:
                yield after, befores


def _as_one(dag: Dag, indices: Sequence[int]) -> Strand | None:
    """A chunk, whose thread executes nothing else in between. None if it has locks, which are of single strands, or others
    wait for a part of it."""
    series = [dag.strands[index] for index in indices]
    if any(len(dag.after[index]) > 1 for index in indices[:-1]):
        return None
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
