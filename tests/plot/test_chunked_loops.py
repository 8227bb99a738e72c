"""Chunks of loops are taken from a counter by whichever processor is free, whatever thread took them in the run."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aprofplot.model import Loop, Routine
from aprofplot.processors.charges import costs_of
from aprofplot.processors.chunked_loops import guided_bounds, taken_in_order
from aprofplot.processors.numbering import renumbered
from aprofplot.processors.what_if import parse_change
from aprofplot.reports.work_span.processors_json import processors_json
from aprofplot.work_span.model import CallPath, Dag, LoopSchedule, Part, Sections, Share, Strand

BODY, LOOP = 1, 2
FORK = JOIN = 10


def strand(thread: int, before: Sequence[int], work: int, share: Share | None = None) -> Strand:
    path = LOOP if share is not None else BODY
    parts = (Part(path, work),) if work else ()
    return Strand(thread, work, 0, 0, tuple(before), parts, share=share)


class Region:
    """A parallel region, strand by strand: a thread is where its last strand is."""

    def __init__(self, threads: int) -> None:
        self.strands = [strand(1, [], FORK)]
        self.at = [self.add(n + 1, [0], 0) for n in range(threads)]
        self._loops = 0

    def add(self, thread: int, before: Sequence[int], work: int, share: Share | None = None) -> int:
        self.strands.append(strand(thread, before, work, share))
        return len(self.strands) - 1

    def work(self, of_threads: Sequence[int]) -> None:
        for thread, work in enumerate(of_threads):
            self.at[thread] = self.add(thread + 1, [self.at[thread]], work)

    def loop(self, costs: Sequence[int], takers: Sequence[int], pieces: int = 1) -> None:
        """Chunks of these costs, in order, by who took them, and what each thread waits for at its end. A chunk is so many
        strands, one after the other."""
        self._loops += 1
        taken: list[list[int]] = [[] for _ in self.at]
        for number, (cost, by) in enumerate(zip(costs, takers)):
            share: Share | None = self._share(number, number + 1, len(costs))
            at = self.at[by]
            for piece in range(pieces):
                at = self.add(by + 1, [at], cost // pieces + (piece < cost % pieces), share)
                share = None
            taken[by].append(at)
        for by, own in enumerate(taken):
            none = self._share(len(costs), len(costs), len(costs)) if len(own) < 2 else None
            self.at[by] = self.add(by + 1, own or [self.at[by]], 0, none)

    def _share(self, begin: int, end: int, of: int) -> Share:
        return Share(self._loops, begin, end, of, BODY, of, LoopSchedule.DYNAMIC, 1)

    def barrier(self) -> None:
        self.at = [self.add(n + 1, self.at, 0) for n in range(len(self.at))]

    def dag(self) -> Dag:
        routine = Routine("main._omp_fn.0", "/bin/app", "/src/app.c", 1, 0)
        loop = Loop(routine, None, 0x10, False, "/src/app.c", 7, 9, "main")
        paths = (CallPath(0, None), CallPath(0, None), CallPath(BODY, None, loop))
        join = strand(1, self.at, JOIN)
        return Dag(0, paths, (*self.strands, join))


def shuffled(dag: Dag, random: Random) -> Dag:
    """The same, numbered in another order: a profile has the strands of a thread before those of another."""
    left = [len(of.before) for of in dag.strands]
    ready = [n for n, count in enumerate(left) if not count]
    order: list[int] = []
    while ready:
        order.append(ready.pop(random.randrange(len(ready))))
        for after in dag.after[order[-1]]:
            left[after] -= 1
            ready += [] if left[after] else [after]
    return replace(dag, strands=renumbered(dag.strands, order))


def from_a_counter(costs: Sequence[int], processors: int, begin: Sequence[int] = ()) -> int:
    """When the last of them ends. The processors begin then."""
    free = [*begin, *(0 for _ in range(processors - len(begin)))]
    heapq.heapify(free)
    for cost in costs:
        heapq.heappush(free, heapq.heappop(free) + cost)
    return max(free)


COSTS = st.lists(st.integers(1, 100), min_size=2, max_size=20)
PROCESSORS = st.integers(1, 6)


@given(COSTS, st.integers(1, 4), PROCESSORS, st.integers(1, 3), st.randoms(use_true_random=False))
def test_the_schedule_is_that_of_a_counter(
    costs: list[int], threads: int, processors: int, pieces: int, random: Random
) -> None:
    """A processor goes on with the chunk that it has begun."""
    region = Region(threads)
    region.loop(costs, [random.randrange(threads) for _ in costs], pieces)
    found = costs_of(shuffled(region.dag(), random), processors)
    assert found.time == FORK + from_a_counter(costs, processors) + JOIN
    assert found.total.work == sum(costs) + FORK + JOIN


@given(COSTS, st.lists(st.integers(0, 300), min_size=2, max_size=4), st.data())
def test_who_is_late_takes_fewer(costs: list[int], before: list[int], data: st.DataObject) -> None:
    """Than in the run, where all are there at once."""
    threads = len(before)
    region = Region(threads)
    region.work(before)
    region.loop(costs, [data.draw(st.integers(0, threads - 1)) for _ in costs])
    found = costs_of(region.dag(), threads)
    assert found.time == FORK + from_a_counter(costs, threads, before) + JOIN


@given(
    COSTS, COSTS, st.integers(2, 4), PROCESSORS, st.booleans(), st.randoms(use_true_random=False)
)
def test_two_loops(
    one: list[int],
    other: list[int],
    threads: int,
    processors: int,
    has_barrier: bool,
    random: Random,
) -> None:
    """Without a barrier, who finds no more of the first goes on with the second."""
    region = Region(threads)
    takers = [[random.randrange(threads) for _ in costs] for costs in (one, other)]
    for costs, by in zip((one, other), takers):
        region.loop(costs, by)
        if has_barrier:
            region.barrier()
    times = [from_a_counter(costs, processors) for costs in (one, other)]
    both = sum(times) if has_barrier else from_a_counter(one + other, processors)
    dag = shuffled(region.dag(), random)
    assert costs_of(dag, processors).time == FORK + both + JOIN


@given(
    st.lists(COSTS, min_size=3, max_size=6),
    st.integers(2, 4),
    PROCESSORS,
    st.randoms(use_true_random=False),
)
def test_loops_in_a_row(
    loops: list[list[int]], threads: int, processors: int, random: Random
) -> None:
    """Threads come to them as they have done what is before, and some take nothing."""
    region = Region(threads)
    for costs in loops:
        region.loop(costs, [random.randrange(threads) for _ in costs])
    found = costs_of(shuffled(region.dag(), random), processors)
    in_a_row = from_a_counter([cost for costs in loops for cost in costs], processors)
    assert found.time == FORK + in_a_row + JOIN


def test_a_thread_that_waits_for_another_in_between() -> None:
    """All come to the third loop after the second thread's work behind the first loop, or are that thread."""
    region = Region(2)
    region.loop([100] * 4, [0, 1, 0, 1])
    work = region.add(2, [region.at[1]], 1000)
    region.at = [region.add(1, [region.at[0], work], 0), work]
    region.loop([100] * 4, [0, 1, 0, 1])
    region.loop([100] * 4, [0, 1, 0, 1])
    assert costs_of(region.dag(), 2).time == FORK + 200 + 1000 + 400 + JOIN


@pytest.mark.parametrize("has_barrier", [False, True])
@pytest.mark.parametrize("takers", [[(0, 1, 2, 3)], [(0, 1, 2)], [(1, 2, 3), (0, 2, 3)]])
def test_many_loops_take_steps_in_proportion(
    takers: Sequence[Sequence[int]], has_barrier: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few strands are looked at for each, and few orders made, also if some threads take no chunk."""
    steps = Counter[int]()
    take = heapq.heappop

    def counted(heap: list[int]) -> int:
        steps[loops] += 1
        return take(heap)

    monkeypatch.setattr(heapq, "heappop", counted)
    for loops in (100, 400):
        region = Region(4)
        for number in range(loops):
            by = takers[number % len(takers)]
            region.loop([100] * 8, [by[n % len(by)] for n in range(8)])
            if has_barrier:
                region.barrier()
        dag = region.dag()
        made = taken_in_order(dag, 4)
        assert sum(len(of.before) for of in made.strands) < 50 * loops
    assert steps[400] < 4.1 * steps[100]
    assert costs_of(dag, 8).time == FORK + loops * 100 + JOIN


# With one processor there are no more than 16 chunks, fewer than iterations.
@given(COSTS, st.integers(2, 4), st.integers(2, 6), st.randoms(use_true_random=False))
def test_folded_chunks_are_taken_apart(
    costs: list[int], threads: int, processors: int, random: Random
) -> None:
    """All of a thread's chunks are one strand. What they cost is spread among their iterations."""
    region = Region(threads)
    takers = [random.randrange(threads) for _ in costs]
    whole = 100 * sum(costs)
    for thread in set(takers):
        taken = [n for n, by in enumerate(takers) if by == thread]
        begin, end = taken[0], taken[-1] + 1
        others = end - begin - len(taken)
        share = Share(1, begin, end, len(costs), BODY, len(costs), LoopSchedule.DYNAMIC, 1, others)
        work = sum(100 * costs[n] for n in taken)
        region.at[thread] = region.add(thread + 1, [region.at[thread]], work, share)
    made = costs_of(shuffled(region.dag(), random), processors)
    assert made.total.work == whole + FORK + JOIN
    chunks = [of for of in made.dag.strands if of.share is not None]
    assert [of.share.end - of.share.begin for of in chunks if of.share] == [1] * len(costs)
    longest = max(of.work for of in chunks)
    assert whole / processors <= made.time - FORK - JOIN <= whole / processors + longest


def test_of_folded_chunks_there_are_as_many_as_processors_can_share() -> None:
    """2,000,000, recorded as four strands: 16 for each processor. Locks stay where they were recorded."""
    region = Region(2)
    many = 2_000_000
    for n in range(4):
        share = Share(1, n, many - 3 + n, many, BODY, many, LoopSchedule.DYNAMIC, 1)
        share = replace(share, others=many - 3 - many // 4)
        region.at[n % 2] = region.add(n % 2 + 1, [region.at[n % 2]], 10**6, share)
    dag = region.dag()
    chunks = [of for of in taken_in_order(dag, 8).strands if of.share is not None]
    assert len(chunks) == 16 * 8
    assert costs_of(dag, 8).time == pytest.approx(FORK + 4 * 10**6 // 8 + JOIN, abs=100)
    locked = [replace(of, acquires=9, releases=9) if of.share else of for of in dag.strands]
    found = taken_in_order(replace(dag, strands=tuple(locked)), 8)
    assert [of.work for of in found.strands if of.acquires] == [10**6] * 4


def test_threads_keep_theirs_if_these_are_simulated() -> None:
    region = Region(2)
    region.loop([100] * 8, [0] * 6 + [1] * 2)
    assert costs_of(region.dag(), 2).time == FORK + 400 + JOIN
    assert costs_of(region.dag(), 2, "threads").time == FORK + 600 + JOIN


def test_a_loop_of_which_not_all_is_known_stays() -> None:
    """A chunk was folded into something else, or waits for another, as in an ordered loop."""
    region = Region(2)
    region.loop([100] * 4, [0, 1, 0, 1])
    dag = region.dag()
    chunks = [n for n, of in enumerate(dag.strands) if of.share is not None]
    for changed in (
        replace(dag.strands[chunks[2]], share=None),
        replace(dag.strands[chunks[2]], before=(*dag.strands[chunks[2]].before, chunks[1])),
    ):
        strands = [changed if n == chunks[2] else of for n, of in enumerate(dag.strands)]
        made = replace(dag, strands=tuple(strands))
        assert taken_in_order(made, 4) is made


@pytest.mark.parametrize("waits_for_others", [False, True])
def test_items_between_which_a_thread_waits_for_others_stay(waits_for_others: bool) -> None:
    """Of a counter of the program's own: what it waits for may itself have come after an item."""
    costs, takers = [500, 100, 100, 100], [0, 0, 1, 1]
    region = Region(2)
    for number, (cost, by) in enumerate(zip(costs, takers)):
        if number == 3 and waits_for_others:  # what the other thread does after its items
            region.at[1] = region.add(2, [region.at[1], region.at[0]], 0)
        share = Share(1, number, number + 1, 4, BODY, 4, LoopSchedule.DYNAMIC, 1)
        region.at[by] = region.add(by + 1, [region.at[by]], cost, share)
    dag = region.dag()
    assert (taken_in_order(dag, 2) is dag) == waits_for_others
    time = 600 + 100 if waits_for_others else 500
    assert costs_of(dag, 2).time == FORK + time + JOIN


class Queue(Region):
    """The first thread puts items there, the others take them, all under one lock."""

    lock = 7

    def __init__(self, takers: int, items: int) -> None:
        super().__init__(takers + 1)
        self.items = items

    def acquire(self, by: int, before: Sequence[int], share: Share | None = None) -> int:
        """And release, at once."""
        number = self.add(by + 1, before, 0, share)
        locked = replace(self.strands[number], acquires=self.lock, releases=self.lock)
        self.strands[number] = locked
        self.at[by] = number
        return number

    def put(self, work: int) -> int:
        """After so much work; or something else under the lock. Items may wait for that strand."""
        self.work([work])
        return self.acquire(0, [self.at[0]])

    def wait_for(self, strand: int) -> None:
        """The first thread does."""
        self.at[0] = self.add(1, [self.at[0], strand], 0)

    def take(self, by: int, number: int, cost: int, *signals: int) -> int:
        """That item; or none, if there are no more. The end of it."""
        share = self._item(number)
        self.acquire(by, [self.at[by], *signals], share)
        if number < self.items:
            self.at[by] = self.add(by + 1, [self.at[by]], cost)
        return self.at[by]

    def _item(self, number: int) -> Share:
        end = min(number + 1, self.items)
        return Share(100, number, end, self.items, BODY, self.items, LoopSchedule.DYNAMIC, 1)


def four_puts(more: int, takers: int = 2, last: int = 5000) -> Queue:
    """One each 300, and `more` acquisitions at the end. Two threads wait for the first items."""
    queue = Queue(takers, 4)
    signals = [queue.put(300) for _ in range(4)]
    for _ in range(more):
        queue.put(0)
    for number, cost in enumerate((100, 100, 100, last)):
        queue.take(1 + number % 2, number, cost, *signals[number : number + 1][: number < 2])
    for by in range(takers):
        queue.take(1 + by, 4, 0)
    return queue


@pytest.mark.parametrize(
    ("more", "begin"),
    [(0, 1200), (1, 1200), (2, 1200), (3, 700)],  # or as a taker has had the second and third item
)
def test_items_come_after_as_many_puts(more: int, begin: int) -> None:
    """Who puts them may acquire the lock once more for each taker; if more often, they may all have been there."""
    assert costs_of(four_puts(more).dag(), 3).time == FORK + begin + 5000 + JOIN


def test_what_follows_a_put_of_many_items_is_no_put() -> None:
    """One critical section has put all four items; ten more acquire the same lock for something else."""
    queue = Queue(2, 4)
    signal = queue.put(0)
    for _ in range(10):
        queue.put(300)
    for number, cost in enumerate((100, 100, 100, 5000)):
        queue.take(1 + number % 2, number, cost, *[signal][: number < 2])
    assert costs_of(queue.dag(), 3).time == FORK + 100 + 5000 + JOIN


def test_what_came_after_an_item_is_no_put_of_it() -> None:
    """As often as there are items; but four of six were there before the second time."""
    queue = Queue(2, 6)
    signal = queue.put(0)
    for number in range(4):
        end = queue.take(1 + number % 2, number, 100, *[signal][: number < 2])
    queue.wait_for(end)
    for _ in range(5):
        queue.put(300)
    for number in (4, 5):
        queue.take(1 + number % 2, number, 100)
    assert costs_of(queue.dag(), 3).time == FORK + 200 + 5 * 300 + 100 + JOIN


def test_who_found_no_item_has_put_none() -> None:
    found = costs_of(four_puts(1, takers=3).dag(), 4)
    assert found.time == FORK + 1200 + 5000 + JOIN


def test_acquisitions_are_counted_without_a_list_of_them() -> None:
    """They may be as many as memory cannot hold."""
    queue = four_puts(0)
    queue.work([0])
    many = (Sections(queue.lock, 2**62, 0),)
    queue.strands[-1] = replace(queue.strands[-1], sections=many)
    assert costs_of(queue.dag(), 3).time == FORK + 700 + 5000 + JOIN


def test_an_order_in_which_a_strand_waits_for_itself_is_not_assumed() -> None:
    """The last item is there after a taker has left, who would have it in turn."""
    queue = Queue(2, 4)
    queue.work([1000, 0, 500])
    for number in range(3):
        queue.take(1, number, 1000)
    queue.wait_for(queue.take(2, 4, 0))
    queue.take(1, 3, 1000, queue.put(0))
    assert costs_of(queue.dag(), 3).time == FORK + 2000 + JOIN


def test_a_queue_whose_items_wait_for_later_ones_stays_alone() -> None:
    """As in the run; of the loop before it, who comes first takes the chunks."""
    queue = Queue(2, 3)
    queue.work([600])
    queue.loop([100] * 6, [0] * 6)
    queue.barrier()
    queue.take(1, 0, 100)
    queue.wait_for(queue.take(2, 2, 100))
    queue.take(1, 1, 100, queue.put(0))
    assert costs_of(queue.dag(), 3).time == FORK + 600 + 200 + JOIN


@pytest.mark.parametrize(
    ("schedule", "chunk", "threads", "sizes"),
    [
        (LoopSchedule.GUIDED, 1, 4, [25, 19, 14, 11, 8, 6, 5, 3, 3, 2, 1, 1, 1, 1]),
        (LoopSchedule.GUIDED, 10, 4, [25, 19, 14, 11, 10, 10, 10, 1]),
        (LoopSchedule.GUIDED, 1, 200, [1] * 100),
        (LoopSchedule.GUIDED_BY_HALF, 1, 1, [100]),
        (LoopSchedule.GUIDED_BY_HALF, 20, 4, [20] * 5),
        (
            LoopSchedule.GUIDED_BY_HALF,
            1,
            4,
            [12, 11, 9, 8, 7, 6, 5, 5, 4, 4, 3, 3, 2, 2, 2, 2] + [1] * 15,
        ),
    ],
)
def test_guided_chunks(schedule: LoopSchedule, chunk: int, threads: int, sizes: list[int]) -> None:
    bounds = guided_bounds(Share(1, 0, 1, 100, BODY, 100, schedule, chunk), threads)
    assert [end - begin for begin, end in zip(bounds, bounds[1:])] == sizes


def guided_loop(schedule: LoopSchedule, threads: int, folded: int = 1) -> Dag:
    """Threads take the chunks in turn; so many chunks beside each other are one strand."""
    share = Share(1, 0, 1, 1000, BODY, 1000, schedule, 1)
    region = Region(threads)
    ends: dict[int, list[int]] = {}
    bounds = guided_bounds(share, threads)
    bounds = [*bounds[:-1:folded], bounds[-1]]
    for n, (begin, end) in enumerate(zip(bounds, bounds[1:])):
        by, of = n % threads, replace(share, begin=begin, end=end)
        chunk = region.add(by + 1, [region.at[by]], 100 * (end - begin), of)
        ends.setdefault(by, []).append(chunk)
    region.at = [region.add(n + 1, ends.get(n, [0]), 0) for n in range(threads)]
    return region.dag()


@pytest.mark.parametrize("schedule", [LoopSchedule.GUIDED, LoopSchedule.GUIDED_BY_HALF])
@pytest.mark.parametrize("processors", [1, 2, 3, 4, 8])
def test_folded_guided_chunks_are_cut_as_others(schedule: LoopSchedule, processors: int) -> None:
    """They look like one larger chunk, which is none of the library's."""
    found = costs_of(guided_loop(schedule, 4, folded=3), processors)
    assert found.divided.guided == {LOOP}
    real = costs_of(guided_loop(schedule, processors), processors)
    assert found.time == pytest.approx(real.time, abs=5)


@pytest.mark.parametrize("schedule", [LoopSchedule.GUIDED, LoopSchedule.GUIDED_BY_HALF])
@pytest.mark.parametrize("processors", [1, 2, 3, 8])
def test_a_guided_loop_has_the_chunks_of_its_threads(
    schedule: LoopSchedule, processors: int
) -> None:
    """Iterations of equal cost, in a run with four threads."""
    made = guided_loop(schedule, 4)
    assert not costs_of(made, 4).divided.guided
    real = guided_loop(schedule, processors)
    found = costs_of(made, processors)
    assert found.divided.guided == {LOOP} and not found.divided.anew
    (told,) = processors_json(found, ())["redivided"]
    assert told["schedule"] == "guided" and told["path"][-1]["line"] == 7
    assert found.time == pytest.approx(costs_of(real, processors).time, abs=5)
    assert found.total.work == costs_of(real, processors).total.work


def test_what_if_a_loop_in_chunks_had_another_schedule() -> None:
    region = Region(4)
    region.loop([100] * 63 + [1000], [n % 4 for n in range(64)])
    dag = region.dag()
    assert costs_of(dag, 4).time == FORK + 1600 + 900 + JOIN
    for schedule, time in (("static", 16 * 100 + 900), ("dynamic,16", 16 * 100 + 900)):
        changed = parse_change(f"loop app.c:7 {schedule}", dag, ())(dag, 4)
        assert costs_of(changed, 4).time == pytest.approx(FORK + time + JOIN, abs=100)


@pytest.mark.parametrize(
    ("schedule", "time"),
    [("static", 16_000), ("dynamic,16", 16_000), ("static,1", 5_200), ("dynamic,1", 5_200)],
)
def test_the_schedule_tells_who_has_the_dear_iterations(schedule: str, time: int) -> None:
    """The first quarter of them: of four processors one has all, or each has some."""
    region = Region(4)
    region.loop([1000] * 16 + [100] * 48, [n % 4 for n in range(64)])
    dag = region.dag()
    changed = parse_change(f"loop app.c:7 {schedule}", dag, ())(dag, 4)
    assert costs_of(changed, 4).time == FORK + time + JOIN


@given(
    st.integers(2, 4),
    st.lists(st.integers(0, 9), min_size=1, max_size=12),
    st.integers(1, 50),
)
def test_work_is_kept_where_items_of_one_counter_have_those_of_another_within(threads, inner, cost):
    """Each thread takes an item; within it items of a counter that all share; then another."""
    region = Region(threads)

    def take(thread: int, counter: int, number: int, of: int, work: int) -> None:
        end = min(number + 1, of)
        share = Share(counter, number, end, of, BODY, of, LoopSchedule.DYNAMIC, 1)
        region.at[thread] = region.add(thread + 1, [region.at[thread]], work, share)

    for thread in range(threads):
        take(thread, 1, thread, 2 * threads, 5)
    for number, work in enumerate(inner):
        take(number % threads, 2, number, len(inner), work * cost)
    for counter, of in ((2, len(inner)), (1, 2 * threads)):
        for thread in range(threads):
            if counter == 1:
                take(thread, 1, threads + thread, of, 5)
            take(thread, counter, of, of, 0)
    dag = region.dag()
    for processors in (1, 3):
        costs = costs_of(dag, processors)
        assert costs.total.work == sum(strand.work for strand in dag.strands)
    assert costs_of(dag, 1).time == costs_of(dag, 1).total.work
