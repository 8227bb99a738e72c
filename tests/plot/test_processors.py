"""Schedules of recorded dags: the simulation against one by brute force, exact sums, and findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aprofplot.errors import AprofError
from aprofplot.model import Routine
from aprofplot.processors.charges import Charge, Costs, costs_of
from aprofplot.processors.adviser import advise
from aprofplot.processors.blame import Blame, findings
from aprofplot.processors.bottlenecks import find_all
from aprofplot.processors.changes import Change
from aprofplot.processors.changes import parallel as parallel_change
from aprofplot.processors.critical_sections import taken_apart
from aprofplot.processors.forks import bodies_of_strands
from aprofplot.processors.lifetimes import threads_at_once
from aprofplot.processors.schedulers import NAMES
from aprofplot.processors.simulation import schedule
from aprofplot.processors.quadrants import quadrant
from aprofplot.processors.tasks import Task, tasks_of
from aprofplot.processors.user_code import UserCode
from aprofplot.processors.what_if import changed, parse_change
from aprofplot.reports.work_span import processors_json
from aprofplot.work_span.model import (
    CallPath,
    CallSite,
    Dag,
    Lock,
    LockPlace,
    Measure,
    Measures,
    Part,
    Sections,
    Strand,
)


def strand(work: int, *before: int, path: int = 1, lock: int = 0, **more: int) -> Strand:
    overhead, span = more.get("overhead", 0), more.get("span", work)
    return Strand(1, span, lock, lock, before, (Part(path, work, (overhead,)),))


def routine(name: str) -> Routine:
    return Routine(name, "/bin/app", "/src/app.c", 1, 0)


def site(name: str, line: int, calls: int = 1) -> CallSite:
    measures = Measures(*[Measure(calls, 0, 0)] * 3)
    return CallSite(1, routine("main"), routine(name), "/src/app.c", line, 0, 0, measures, measures)


def dag(*strands: Strand, names: Sequence[str] = ("main",), calls: Sequence[int] = ()) -> Dag:
    """The first path is main's; the others are called by it."""
    paths = [CallPath(0, None)]
    for number, name in enumerate(names):
        count = calls[number] if calls else 1
        paths.append(CallPath(min(number, 1), site(name, 10 + number, count)))
    return Dag(0, tuple(paths), strands)


@st.composite
def dags(draw: st.DrawFn, locks: int, across: bool = False, folded: bool = False) -> Dag:
    """`across`: locks may be held across strands, or never be given up. `folded`: critical sections may be folded
    into strands, and may have more than these do, as nested ones have."""
    strands: list[Strand] = []
    for number in range(draw(st.integers(1, 12))):
        before = draw(st.sets(st.integers(0, number - 1), max_size=3)) if number else set()
        work = draw(st.integers(0, 6))
        span = draw(st.integers(min(work, 1), work))
        lock = draw(st.integers(0, locks))
        made = strand(
            work,
            *sorted(before),
            path=draw(st.integers(1, 3)),
            lock=lock,
            overhead=draw(st.integers(0, 2)),
            span=span,
        )
        thread = draw(st.integers(0, 3))
        releases = draw(st.integers(0, locks)) if across else lock
        made = replace(made, thread=thread, releases=releases)
        if folded and not (lock or releases):
            uses = draw(st.lists(st.integers(1, 3), max_size=2))
            made = replace(made, sections=tuple(draw(sections(lock)) for lock in uses))
        strands.append(made)
    return dag(*strands, names=("main", "f", "g"))


@st.composite
def sections(draw: st.DrawFn, lock: int) -> Sections:
    by_path = draw(st.dictionaries(st.integers(1, 3), st.integers(0, 6), max_size=2))
    held = sum(by_path.values()) or draw(st.integers(0, 6))  # as older profiles have it
    return Sections(lock, draw(st.integers(1, 9)), held, tuple(by_path.items()))


class Brute:
    """The same schedule, one unit of time after the other."""

    def __init__(self, tasks: list[Task], processors: int) -> None:
        self.tasks, self.processors = tasks, processors
        self.time = 0
        self.idle = Fraction(0)
        self.by_strand: dict[int, Fraction] = {}
        self.held: dict[int, int] = {}  # strand, by lock
        self.queues: dict[int, list[int]] = {}
        self.ready = [i for i, task in enumerate(tasks) if not task.before]
        self.ended: set[int] = set()
        self.running: dict[int, int] = {}  # what is left of each

    def run(self) -> Brute:
        self.start()
        while self.running:
            self.tick()
        assert len(self.ended) == len(self.tasks)
        return self

    def start(self) -> None:
        while self.ready and len(self.running) < self.processors:
            index = self.ready.pop(0)
            task = self.tasks[index]
            if task.acquires in self.held:
                self.queues.setdefault(task.acquires, []).append(index)
                continue
            if task.acquires:
                self.held[task.acquires] = task.strand
            self.running[index] = task.length
            if not task.length:
                self.end(index)

    def end(self, index: int) -> None:
        del self.running[index]
        self.ended.add(index)
        lock = self.tasks[index].releases
        if lock:
            del self.held[lock]
            if self.queues.get(lock):
                self.ready.insert(0, self.queues[lock].pop(0))
        for after, task in enumerate(self.tasks):
            if after in self.tasks[index].after:
                others = [i for i, t in enumerate(self.tasks) if after in t.after]
                if all(i in self.ended for i in others) and task.before == len(others):
                    self.ready.append(after)

    def tick(self) -> None:
        idle = self.processors - len(self.running)
        waiting = sum(map(len, self.queues.values()))
        blocked = min(idle, waiting)
        self.idle += idle
        for index in self.running:
            self.charge(self.tasks[index].strand, Fraction(idle - blocked, len(self.running)))
        for lock, queue in self.queues.items():
            if queue and len([q for q in self.queues.values() if q]) == 1:
                self.charge(self.held[lock], Fraction(blocked))
        self.time += 1
        for index in sorted(self.running):
            self.running[index] -= 1
        for index in [i for i in sorted(self.running) if not self.running[i]]:
            self.end(index)
        self.start()

    def charge(self, strand: int, amount: Fraction) -> None:
        self.by_strand[strand] = self.by_strand.get(strand, Fraction(0)) + amount


@given(dags(locks=1), st.integers(1, 5))
def test_the_simulation_is_that_of_brute_force(made: Dag, processors: int) -> None:
    found = schedule(made, processors)
    brute = Brute(tasks_of(made, processors), processors).run()
    assert found.time == brute.time
    for number, idle in enumerate(found.idleness):
        waits = found.lock_waits.get((number, 1), 0)
        assert Fraction(idle, found.scale) + waits == brute.by_strand.get(number, 0)


@pytest.mark.parametrize("scheduler", NAMES)
@given(
    made=dags(3, across=True, folded=True), processors=st.integers(1, 9), burden=st.integers(0, 5)
)
def test_charges_add_up_to_the_processors_time(
    scheduler: str, made: Dag, processors: int, burden: int
) -> None:
    costs = costs_of(replace(made, burden=burden), processors, scheduler)
    assert sum(charge.effort for charge in costs.exclusive) == processors * costs.time
    assert costs.total.effort == processors * costs.time
    assert costs.total.work == sum(of.work for of in made.strands)
    executed = sum(of.overhead for of in made.strands)
    assert costs.total.overhead == executed + costs.total.scheduling
    runs = sorted(costs.schedule.runs, key=lambda run: (run.processor, run.begin))
    for run, after in zip(runs, runs[1:]):
        assert run.processor != after.processor or run.end <= after.begin


@pytest.mark.parametrize("scheduler", NAMES)
@given(made=dags(locks=3, across=True), processors=st.integers(1, 4))
def test_the_critical_path_has_no_gap(scheduler: str, made: Dag, processors: int) -> None:
    found = schedule(replace(made, burden=2), processors, scheduler)
    path = found.critical_path()
    assert sum(run.end - run.begin for run in path) == found.time
    assert [run.begin for run in path] == [0, *(run.end for run in path)][: len(path)]


def forked(count: int, work: int) -> Dag:
    """As Cilk does: each strand forks a child, and goes on."""
    strands = [strand(1)]
    children = []
    for _ in range(count):
        here = len(strands) - 1
        strands += [strand(work, here), strand(1, here)]
        children.append(len(strands) - 2)
    return dag(*strands, strand(1, len(strands) - 1, *children))


def test_work_stealing_pays_for_steals() -> None:
    made = replace(forked(8, 100), burden=30)
    assert schedule(made, 1, "work-stealing").time == schedule(made, 1).time
    costs = costs_of(made, 4, "work-stealing")
    assert costs.total.scheduling % 30 == 0 < costs.total.scheduling
    free = costs_of(replace(made, burden=0), 4, "work-stealing")
    assert free.total.scheduling == 0 and free.time < costs.time


def test_overhead_excludes_itself_in_a_central_queue() -> None:
    tasks = [strand(10, 0, overhead=10) for _ in range(8)]
    made = dag(strand(1), *tasks)
    assert schedule(made, 8).time == 1 + 20
    costs = costs_of(made, 8, "central-queue")
    assert costs.time == 1 + 8 * 10 + 10
    assert costs.total.scheduling == sum(10 * i for i in range(8))


def test_a_folded_strand_holds_the_central_queue_for_its_overhead() -> None:
    costs = costs_of(dag(strand(80, span=10, overhead=16)), 8, "central-queue")
    assert costs.time == 7 * 2 + 12  # the last of eight tasks of 10 and 2
    assert costs.total.scheduling == sum(2 * i for i in range(8))


def test_a_thread_executes_one_strand_at_a_time() -> None:
    tasks = [replace(strand(10, 0), thread=1 + i % 2) for i in range(8)]
    made = dag(strand(1), *tasks)
    assert schedule(made, 8).time == 11
    assert schedule(made, 8, "threads").time == 1 + 4 * 10


@given(dags(locks=0), st.integers(1, 9))
def test_greedy_keeps_to_its_bound(made: Dag, processors: int) -> None:
    tasks = tasks_of(made, processors)
    ends = [0] * len(tasks)
    for index, task in enumerate(tasks):  # in which each is final when its turn comes
        ends[index] += task.length
        for after in task.after:
            ends[after] = max(ends[after], ends[index])
    work = sum(task.length for task in tasks)
    time = schedule(made, processors).time
    assert work / processors <= time <= work / processors + max(ends)


def test_a_folded_strand_takes_its_span_and_no_less() -> None:
    made = dag(strand(100, span=30))
    assert [schedule(made, p).time for p in (1, 2, 4, 8)] == [100, 50, 30, 30]


def test_folded_critical_sections_exclude_each_other() -> None:
    part = (Part(1, 100),)
    both = [Strand(n, 100, 0, 0, (), part, (Sections(1, 4, 80),)) for n in (1, 2)]
    assert 160 <= costs_of(dag(*both), 2).time <= 200
    apart = [Strand(n, 100, 0, 0, (), part, (Sections(n, 4, 80),)) for n in (1, 2)]
    assert costs_of(dag(*apart), 2).time == 100


def test_folded_critical_sections_are_idle_on_their_own_paths() -> None:
    """As the same dag is that was not folded."""
    folded, whole = [], []
    for thread in (1, 2):
        parts = (Part(2, 400), Part(3, 600))
        use = Sections(1, 10, 600, ((3, 600),))
        folded.append(Strand(thread, 1000, 0, 0, (), parts, (use,)))
        for n in range(20):
            before = (len(whole) - 1,) if n else ()
            lock = n % 2
            part = Part(3, 60) if lock else Part(2, 40)
            whole.append(Strand(thread, part.work, lock, lock, before, (part,)))
    names = ("main", "free", "locked")
    one, other = (costs_of(dag(*strands, names=names), 4) for strands in (whole, folded))
    assert other.time == pytest.approx(one.time, rel=0.01)
    for path in range(4):
        share = one.exclusive[path].idleness / one.total.effort
        assert other.exclusive[path].idleness / other.total.effort == pytest.approx(share, abs=0.02)


def test_critical_sections_of_strands_side_by_side_have_all_of_the_strand() -> None:
    part = Part(1, 70, (7,)), Part(2, 30)
    use = Sections(1, 40, 50, ((1, 30), (2, 20)))
    made = taken_apart(dag(Strand(1, 30, 0, 0, (), part, (use,)), strand(1, 0)), 4)
    held, free = Counter[int](), Counter[int]()
    for of in made.strands[:-1]:
        for executed in of.parts:
            (held if of.acquires else free)[executed.path] += executed.length
    assert held == {1: 30, 2: 20} and free == {1: 47, 2: 10}
    assert sum(of.overhead for of in made.strands) == 7
    assert len([of for of in made.strands if not of.before]) == 4
    assert made.strands[-1].before == (len(made.strands) - 2,)


@pytest.mark.parametrize("order", [1, -1])
def test_nested_critical_sections_share_what_they_execute_in_any_order(order: int) -> None:
    uses = (Sections(1, 5, 75, ((1, 75),)), Sections(2, 5, 50, ((1, 50),)))[::order]
    made = taken_apart(dag(Strand(1, 100, 0, 0, (), (Part(1, 100),), uses)), 2)
    held = Counter[int]()
    for of in made.strands:
        held[of.acquires] += of.length
    assert held == {1: 60, 2: 40}


def test_strands_with_many_paths_have_fewer_sections() -> None:
    """Each of them has all paths, in and out of it."""

    def made(paths: int) -> Dag:
        parts = tuple(Part(path, 400) for path in range(1, paths + 1))
        use = Sections(1, 1000, 100 * paths, tuple((part.path, 100) for part in parts))
        strands = [Strand(1, 100 * paths, 0, 0, (), parts, (use,)) for _ in range(100)]
        return taken_apart(dag(*strands, names=["f"] * paths), 4)

    assert sum(bool(of.acquires) for of in made(1).strands) == 100 * 4 * 8
    many = made(200)
    assert sum(bool(of.acquires) for of in many.strands) == 100 * 4
    assert sum(len(of.parts) for of in many.strands) == 100 * 4 * 2 * 200
    assert sum(of.work for of in many.strands) == 100 * 400 * 200


def test_folded_critical_sections_may_be_empty() -> None:
    made = dag(Strand(1, 0, 0, 0, (), (), (Sections(1, 4, 0),)), strand(10, 0))
    assert costs_of(made, 2).time == 10


def kinds(costs: Costs, locks: Sequence[Lock] = ()) -> list[tuple[str, str]]:
    return [(of.kind, of.function) for of in find_all(costs, locks)]


def parallel(count: int, work: int, path: int, before: int) -> list[Strand]:
    return [strand(work, before, path=path) for _ in range(count)]


def test_a_serial_call_is_named_not_what_it_calls() -> None:
    # set_up calls hash again and again; the loop's body runs beside others.
    made = dag(
        strand(10),
        strand(100, 0, path=2),
        strand(200, 1, path=3),
        *parallel(4, 100, 4, 2),
        names=("main", "set_up", "hash", "body"),
        calls=(1, 1, 1000, 4),
    )
    paths = list(made.paths)
    paths[3] = CallPath(2, paths[3].site)  # hash, by set_up
    costs = costs_of(Dag(0, tuple(paths), made.strands), 4)
    assert kinds(costs) == [("serial phase", "set_up")]


def test_uneven_shares_are_an_imbalance() -> None:
    shares = [strand(work, 0, path=2) for work in (10, 30, 50, 70)]
    made = dag(strand(1), *shares, strand(1, 1, 2, 3, 4), names=("main", "rows._omp_fn.0"))
    assert kinds(costs_of(made, 4)) == [("imbalance", "rows")]
    even = [strand(40, 0, path=2) for _ in range(4)]
    made = dag(strand(1), *even, strand(1, 1, 2, 3, 4), names=("main", "rows._omp_fn.0"))
    assert kinds(costs_of(made, 4)) == []


def test_even_shares_for_fewer_processors_are_no_imbalance() -> None:
    shares = [strand(100, 0, path=2) for _ in range(4)]
    made = dag(strand(1), *shares, strand(1, 1, 2, 3, 4), names=("main", "rows._omp_fn.0"))
    assert kinds(costs_of(made, 8)) == []


def test_joining_one_after_the_other_is_an_imbalance_too() -> None:
    # As main does, for threads: what it has joined is a share that ended.
    shares = [strand(work, 0, path=2) for work in (10, 30, 50, 200)]
    joins = [strand(1, 0, 1), *(strand(1, 4 + i, 1 + i) for i in range(1, 4))]
    made = dag(strand(1), *shares, *joins, names=("main", "rows._omp_fn.0"))
    assert kinds(costs_of(made, 4)) == [("imbalance", "rows")]


def test_threads_that_one_thread_joins_in_each_step_meet_at_no_barrier() -> None:
    """Those of each step are new, so that none of them is late again and again."""
    made = [strand(1)]
    for step in range(6):
        fork = len(made) - 1
        for share, work in enumerate((1000, 3000, 5000, 7000)):
            made.append(replace(strand(work, fork, path=2), thread=2 + 4 * step + share))
        for share in range(4):
            made.append(strand(1, fork if share == 0 else len(made) - 1, fork + 1 + share))
    costs = costs_of(dag(*made, names=("main", "rows"), calls=(1, 24)), 4)
    assert kinds(costs) == [("imbalance", "rows")]
    assert threads_at_once(costs.dag, 25) == 4  # and one that only waits


@pytest.mark.parametrize(
    ("phases", "kind"),
    [
        ([(20, 20, 200, 200, 200)], "imbalance"),
        ([(20, 20, 20, 200, 200), (200, 200, 20, 20, 20)], "imbalance"),
        ([(200, 20, 20, 20, 20), (20, 200, 20, 20, 20), (20, 20, 200, 20, 20)] * 2, "barrier"),
    ],
)
@pytest.mark.parametrize("forks", [0, 4])
def test_threads_that_wait_for_each_other_once_meet_at_no_barrier(
    phases: Sequence[Sequence[int]], kind: str, forks: int
) -> None:
    """As those of a pool, when it has no more work and is told to end. `forks`: of another body, after that."""
    made = [strand(1)]
    met = 0
    for works in phases:
        own = list(range(met + 1, len(made))) or [0] * 5
        first = len(made)
        for share, work in enumerate(works):
            before = {own[share], met}
            made.append(replace(strand(work, *before, path=2), thread=2 + share))
        made.append(strand(1, *range(first, first + 5)))
        met = len(made) - 1
        for share in range(5):
            made.append(replace(strand(1, first + share, met, path=2), thread=2 + share))
    made.append(strand(1, *range(met + 1, len(made))))
    for _ in range(forks):
        fork = len(made) - 1
        made += [replace(strand(10, fork, path=3), thread=7 + share) for share in range(5)]
        made.append(strand(1, *range(fork + 1, len(made))))
    made_dag = dag(*made, names=("main", "work", "rows._omp_fn.0"), calls=(1, 5, 5))
    assert kinds(costs_of(made_dag, 5)) == [(kind, "work")]


def test_who_waits_for_the_rest_of_a_division_has_ended_its_own_part() -> None:
    """The caller's thread runs a part, too, and then waits in the run-time library, which the caller has called."""
    waits = Strand(1, 1, 0, 0, (1,), (Part(1, 0, (200,)), Part(2, 1, (0,))))
    made = dag(strand(1), strand(100, 0, path=2), waits, strand(900, 0, path=2), strand(1, 2, 3))
    costs = costs_of(replace(made, paths=dag(names=("main", "rows._omp_fn.0")).paths), 2)
    assert bodies_of_strands(costs.dag)[2] == 2
    assert kinds(costs) == [("imbalance", "rows")]


def test_threads_at_once_are_those_whose_lives_overlap() -> None:
    chain = [replace(strand(10, i), thread=2 + i) for i in range(8)]
    assert threads_at_once(dag(strand(1), *chain, strand(1, 8)), 9) == 2
    workers = [replace(strand(1000, 0, path=2), thread=2 + i) for i in range(4)]
    last = strand(1, 1, 2, 3, 4, 5)
    for creator, at_once in [
        (strand(1, 0), 4),  # only waits
        (strand(900, 0), 5),
        (strand(1, 0, path=2), 5),  # has found nothing more to do, as in sections
    ]:
        made = dag(strand(1), creator, *workers, last, names=("main", "rows._omp_fn.0"))
        assert threads_at_once(made, 5) == at_once
    folded = replace(strand(10, 0), thread=0)
    assert threads_at_once(dag(strand(1), folded), 9) == 9


def test_who_creates_threads_in_the_routine_in_which_they_begin_needs_no_processor() -> None:
    """As std::thread's constructor, which is on the call path of both."""
    begun = Part(2, 10), Part(3, 990)
    workers = [Strand(2 + i, 1000, 0, 0, (0,), begun) for i in range(4)]
    names = ("main", "std::thread::_M_start_thread", "work")
    made = dag(strand(10, path=2), strand(1, 0), *workers, strand(1, 1, 2, 3, 4, 5), names=names)
    paths = (*made.paths[:3], CallPath(2, made.paths[3].site))
    assert threads_at_once(replace(made, paths=paths), 5) == 4


def test_the_finding_that_gains_most_is_first() -> None:
    """Even if others are charged with more."""
    costs = costs_of(dag(strand(100, path=2), strand(200, 0, path=3), names=("main", "a", "b")), 4)
    blamed = [
        Blame(
            "serial phase",
            share * costs.total.effort,
            path,
            "{name}",
            parallel_change,
            frozenset([path]),
        )
        for path, share in ((2, 0.5), (3, 0.2))
    ]
    found = findings(costs, UserCode(costs.dag), blamed, 0.1, 5)
    assert [(of.function, of.gain) for of in found] == [("b", 300 / 150), ("a", 300 / 225)]


def test_tasks_of_which_each_waits_for_the_one_before_are_a_chain() -> None:
    tasks = [strand(100, number, path=2) for number in range(10)]
    made = dag(strand(1), *tasks, names=("main", "step._omp_fn.0"), calls=(1, 10))
    assert kinds(costs_of(made, 4)) == [("dependency chain", "step")]


def test_a_serial_program_is_told_where_its_work_is() -> None:
    made = dag(strand(10), strand(900, 0, path=2), names=("main", "solve"))
    found = find_all(costs_of(made, 4), [])
    assert [(of.kind, of.function) for of in found] == [("serial phase", "solve")]
    assert found[0].sentence.startswith("the program is serial")
    assert found[0].gain == pytest.approx(910 / (10 + 225), rel=0.05)


def test_what_runs_before_the_users_code_is_no_finding() -> None:
    linker = replace(
        site("_dl_relocate", 0), callee=Routine("_dl_relocate", "/usr/lib/ld.so", "", 0, 0)
    )
    made = dag(strand(300, path=2), *parallel(4, 100, 1, 0), names=("main", "linker"))
    paths = (*made.paths[:2], CallPath(0, linker))
    assert kinds(costs_of(Dag(0, paths, made.strands), 4)) == []


def test_what_waits_for_a_condition_has_its_lock_after_the_signal() -> None:
    # The second strand gets the lock back when the third, which needs it, has signalled.
    made = dag(
        strand(5, lock=1),
        Strand(1, 0, 1, 0, (0,), ()),
        replace(strand(20, lock=1), thread=2),
        Strand(1, 5, 0, 1, (1, 2), (Part(1, 5),)),
    )
    assert schedule(made, 2).time == 5 + 20 + 5


def test_the_gain_without_a_lock_is_what_what_if_says() -> None:
    made = dag(*(strand(50, lock=1) for _ in range(4)))
    lock = Lock(4, 200, None, "mutex", "table_lock")
    costs = costs_of(made, 4)
    without = what_if(made, 4, "without lock table_lock", locks=[lock])
    assert find_all(costs, [lock])[0].gain == costs.time / without == 4


def test_advice_is_what_the_changes_give() -> None:
    # main, load alone, then f of four under a lock half of the time
    bodies = parallel(4, 40, 3, 1)
    sections = [strand(40, 2 + i, path=3, lock=1) for i in range(4)]
    made = dag(
        strand(10),
        strand(100, 0, path=2),
        *bodies,
        *sections,
        strand(10, 6, 7, 8, 9),
        names=("main", "load", "f._omp_fn.0"),
    )
    lock = Lock(4, 160, None, "mutex", "table_lock")
    found = {of.change: of.gain for of in advise(costs_of(made, 4), [lock])}
    # of what is parallel already, f, nobody says that it should be
    assert set(found) == {"load x2", "load parallel", "f x2", "without lock table_lock"}
    now = schedule(made, 4).time
    for change, gain in found.items():
        assert gain == now / what_if(made, 4, change, locks=[lock])
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_locks_of_one_name_are_one_change() -> None:
    tasks = [strand(50, 0, path=2, lock=1 + i % 2) for i in range(4)]
    locks = [Lock(2, 100, None, "mutex", "row_lock")] * 2
    found = advise(costs_of(dag(strand(1), *tasks, names=("main", "f")), 4), locks)
    assert [of.change for of in found].count("without lock row_lock") == 1


def test_who_holds_a_lock_is_charged() -> None:
    strands = [strand(1)]
    for _ in range(4):
        strands.append(strand(10, 0, path=2))
        strands.append(strand(40, len(strands) - 1, path=3, lock=1))
    made = dag(*strands, names=("main", "work", "add"))
    lock = Lock(4, 160, routine("add"), "mutex", "table_lock")
    costs = costs_of(made, 4)
    first = find_all(costs, [lock])[0]
    assert (first.kind, first.function, first.lock) == ("lock", "add", "table_lock")
    assert costs.exclusive[3].lock_waits == (3 + 2 + 1) * 40


@pytest.mark.parametrize(
    ("held", "said", "calls"),
    [
        ({"add": 90}, "add holds (a.c:7), for", ["main", "add"]),
        (
            {"add": 90, "put": 18, "get": 17},
            "add holds (a.c:7) (so does put), for",
            ["main", "add"],
        ),
        ({"add": 90, "put": 40, "get": 30}, "(so do put and get), for", ["main", "add"]),
        ({"get": 90, "put": 40, "add": 30}, "(so do put and add), for", ["get"]),
    ],
)
def test_where_a_lock_is_held_most(held: dict[str, int], said: str, calls: list[str]) -> None:
    """Most is waited for in put, and no path in the dag leads to get."""
    strands = [strand(1)]
    for path in (2, 3, 2):
        strands.append(strand(10, 0))
        strands.append(strand(40, len(strands) - 1, path=path, lock=1))
    made = dag(*strands, names=("main", "put", "add"))
    places = tuple(LockPlace(most, routine(name), "", "a.c", 7) for name, most in held.items())
    lock = Lock(3, 120, routine("add"), "mutex", "table_lock", places)
    first = find_all(costs_of(made, 4), [lock])[0]
    assert [frame.function for frame in first.frames] == calls
    assert said in first.sentence and first.frames[-1].line == 7


def test_a_known_gain_is_not_simulated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = dag(strand(10), strand(90, 0, path=2), names=("main", "f"))
    costs = [costs_of(made, processors) for processors in (2, 4)]
    finding = find_all(costs[-1], [])[0]
    simulated: list[int] = []

    def gain_of(_: Change, costs: Costs) -> float:
        simulated.append(costs.processors)
        return 1.5

    monkeypatch.setattr(processors_json, "gain_of", gain_of)
    found = processors_json.finding_json(1, finding, costs)
    assert found["gain"] == {"2": 1.5, "4": finding.gain} and simulated == [2]


def test_a_grain_is_too_fine_where_overhead_is_most() -> None:
    tasks = [strand(5, 0, path=2, overhead=50) for _ in range(40)]
    made = dag(strand(1), *tasks, names=("main", "map"))
    assert kinds(costs_of(made, 4))[0] == ("grain", "map")


def test_a_serial_program_has_no_tasks_that_are_too_small() -> None:
    made = dag(strand(1000), strand(5, 0, path=2, overhead=1500), names=("main", "binds_late"))
    assert [kind for kind, _ in kinds(costs_of(made, 4))] == ["serial phase"]


@pytest.mark.parametrize(
    ("idleness", "overhead", "words"),
    [(0, 0, "serial performance"), (0, 30, "coarsen"), (30, 0, "refine"), (30, 30, "another way")],
)
def test_table_1_in_words(idleness: int, overhead: int, words: str) -> None:
    assert words in quadrant(Charge(100, (overhead,), idleness))


def what_if(made: Dag, processors: int, *changes: str, locks: Sequence[Lock] = ()) -> int:
    asked = [parse_change(text, made, locks) for text in changes]
    return schedule(changed(made, asked, processors), processors).time


def test_a_routine_with_what_it_calls_may_be_faster() -> None:
    made = dag(strand(100), strand(60, 0, path=2), strand(40, 1, path=3), names=("main", "f", "g"))
    paths = list(made.paths)
    paths[3] = CallPath(2, paths[3].site)  # g, by f
    nested = Dag(0, tuple(paths), made.strands)
    assert what_if(nested, 1, "f x2") == 150
    assert what_if(nested, 1, "g x4") == 170
    assert what_if(nested, 1, "[fg] x0.5") == 300
    assert what_if(nested, 1, "f x2", "g x2") == 140


def test_a_routine_may_run_in_parallel() -> None:
    made = dag(strand(20), strand(80, 0, path=2), names=("main", "f"))
    assert [what_if(made, p, "f parallel") for p in (1, 2, 4, 8)] == [100, 60, 40, 30]


def test_a_lock_may_go() -> None:
    made = dag(*(strand(50, lock=1) for _ in range(4)))
    lock = Lock(4, 200, None, "mutex", "table_lock")
    assert schedule(made, 4).time == 200
    assert what_if(made, 4, "without lock table_lock", locks=[lock]) == 50


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("man x2", "no routine 'man' ran; did you mean main"),
        ("loop app.c:3 x2", "no loop 'app.c:3' ran"),
        ("without lock queue", "no lock 'queue' was held; there is table_lock"),
        ("without lock tablelock", "no lock 'tablelock' was held; did you mean table_lock"),
        ("main", "is not a change; write"),
        ("main x", "is not a change; write"),
        ("main x0", "N above 0"),
        ("main x1/0", "N above 0"),
        ("main 2", "is not a change; write"),
    ],
)
def test_what_is_no_change_is_refused(text: str, message: str) -> None:
    with pytest.raises(AprofError, match=message):
        parse_change(text, dag(strand(1)), [Lock(1, 1, None, "mutex", "table_lock")])


def in_turns(
    threads: int, rounds: int, late: bool = False, forked: bool = False, each: int = 1
) -> Dag:
    """Each strand prepares 10, and works 100 when the one before it has; then goes on. No threads: iterations
    of a loop, which one thread has executed. `late`: each does something else before it hands over. `forked`: what
    has begun all comes before each, too. `each`: so many rounds of a thread follow each other.
    """
    made = [strand(1)]
    own, token = [0] * (threads or rounds), 0
    for number in range(rounds):
        of = number // each % threads if threads else number
        made.append(replace(strand(10, own[of], path=2), thread=of + 1 if threads else 1))
        before = (len(made) - 1, token) if token else (len(made) - 1,)
        before = (0, *before) if forked else before
        made.append(replace(strand(100, *before, path=3), thread=of + 1 if threads else 1))
        if late:
            made.append(replace(strand(1, len(made) - 1, path=3), thread=made[-1].thread))
        token = len(made) - 1
        made.append(replace(strand(1, token, path=2), thread=of + 1 if threads else 1))
        own[of] = len(made) - 1
    made.append(strand(1, *own))
    return dag(*made, names=("main", "work._omp_fn.0", "work._omp_fn.0"), calls=(1, 4, 4))


@pytest.mark.parametrize("threads", [0, 3, 4])
def test_strands_that_run_in_turn_are_a_chain(threads: int) -> None:
    assert kinds(costs_of(in_turns(threads, 24), 4)) == [("dependency chain", "work")]


def handed_out(*blocks: int) -> Dag:
    """The first thread prepares 10 for each block of 100, and hands it to the thread of that number, with which it
    exchanges messages while that works."""
    made = [strand(1)]
    main = 0
    last = {thread: 0 for thread in blocks}
    for thread in blocks:
        made.append(strand(10, main))
        main = len(made) - 1
        for _ in range(10):
            made.append(replace(strand(10, last[thread], main, path=2), thread=thread))
            last[thread] = len(made) - 1
        made.append(strand(1, main))
        main = len(made) - 1
    made.append(strand(1, main, *last.values()))
    return dag(*made, names=("main", "encode"), calls=(1, len(last)))


def test_a_stage_of_which_one_thread_has_more_is_divided_unevenly() -> None:
    assert kinds(costs_of(handed_out(2, 3, 2, 3, 2, 2, 2), 2)) == [("imbalance", "encode")]


def test_a_thread_has_a_body_if_some_of_its_work_is_outside_of_all_routines() -> None:
    parts = (Part(0, 1), Part(2, 100))
    shares = [
        replace(strand(work, 0), thread=thread, parts=(*parts, Part(2, work)), span=101 + work)
        for thread, work in ((2, 10), (3, 800))
    ]
    made = dag(strand(1), *shares, strand(1, 1, 2), names=("main", "rows"))
    assert kinds(costs_of(made, 2)) == [("imbalance", "rows")]


@pytest.mark.parametrize("threads", [0, 3, 4])
def test_who_hands_over_late_is_in_the_chain_too(threads: int) -> None:
    made = in_turns(threads, 24, late=True)
    assert kinds(costs_of(made, 4)) == [("dependency chain", "work")]


@pytest.mark.parametrize("threads", [0, 3, 4])
def test_what_has_forked_a_chain_may_come_before_each_of_its_strands(threads: int) -> None:
    made = in_turns(threads, 24, forked=True)
    assert kinds(costs_of(made, 4)) == [("dependency chain", "work")]


def test_two_threads_that_take_over_from_themselves_wait_at_no_barrier() -> None:
    """As those of oneTBB that run a pipeline's serial filter."""
    made = in_turns(2, 24, each=3)
    assert kinds(costs_of(made, 4)) == [("dependency chain", "work")]


def test_who_has_created_a_chain_may_wait_for_each_of_its_strands() -> None:
    """As main does for the futures of threads, of which each waits for the one before."""
    made = [strand(1)]
    before: tuple[int, ...] = ()
    for thread in range(2, 26):
        made.append(replace(strand(1, 0, path=2), thread=thread))
        made.append(replace(strand(100, len(made) - 1, *before, path=2), thread=thread))
        before = (len(made) - 1,)
        made.append(replace(strand(1, *before, path=2), thread=thread))
    made.append(strand(1, 0, *(2 + 3 * i for i in range(24))))
    costs = costs_of(dag(*made, names=("main", "work"), calls=(1, 24)), 4)
    assert kinds(costs) == [("dependency chain", "work")]


def test_two_threads_in_turn_may_wait_at_a_barrier() -> None:
    assert "dependency chain" not in [kind for kind, _ in kinds(costs_of(in_turns(2, 24), 4))]


@pytest.mark.parametrize(("sections", "kind"), [(5000, "imbalance"), (10, "pipeline stage")])
def test_folded_critical_sections_count_as_often_as_they_were_executed(
    sections: int, kind: str
) -> None:
    """Of a lock that two threads acquire: who acquires it equally often puts in what the other takes out."""
    use = Sections(1, sections, 2000, ((2, 2000),))
    made = [strand(1), replace(strand(20000, 0, path=2), thread=2, sections=(use,))]
    last = 0
    for _ in range(10):
        made.append(replace(strand(400, last, path=3), thread=3))
        made.append(replace(strand(10, len(made) - 1, path=3, lock=1), thread=3))
        last = len(made) - 1
    made.append(strand(1, 1, last))
    queue = Lock(sections + 10, 2100, None, "mutex", "queue", has_condition=True)
    costs = costs_of(dag(*made, names=("main", "put", "take")), 2)
    assert [of for of, _ in kinds(costs, [queue])] == [kind]


def test_a_stage_is_named_by_the_users_code_although_more_is_outside_of_it() -> None:
    made = [strand(1)]
    reader, writer = 0, 0
    for _ in range(10):
        made.append(replace(strand(600, reader, path=0), thread=1))
        made.append(replace(strand(400, len(made) - 1), thread=1))
        reader = len(made) - 1
        made.append(replace(strand(100, writer, reader, path=2), thread=2))
        writer = len(made) - 1
    made.append(strand(1, reader, writer))
    assert kinds(costs_of(dag(*made, names=("main", "put")), 2)) == [("pipeline stage", "main")]


@pytest.mark.parametrize(("again", "kind"), [(True, "pipeline stage"), (False, "imbalance")])
def test_a_pipeline_that_is_set_up_anew_has_the_same_stages(again: bool, kind: str) -> None:
    """Not so if both run at the same time: those that do the same share it."""
    made = [strand(1)]
    ends = []
    fork = 0
    for run in range(2):
        lock, first = 1 + run, 2 + 2 * run
        for thread, work in ((first, 2000), (first + 1, 40)):
            path = 2 + thread % 2
            before = fork
            for _ in range(10):
                made.append(replace(strand(work, before, path=path), thread=thread))
                made.append(replace(strand(1, len(made) - 1, path=path, lock=lock), thread=thread))
                before = len(made) - 1
            ends.append(before)
        if again:
            made.append(strand(1, *ends[-2:]))
            fork = len(made) - 1
    made.append(strand(1, *ends))
    locks = [Lock(20, 20, None, "mutex", "queue", has_condition=True)] * 2
    costs = costs_of(dag(*made, names=("main", "put", "take")), 4)
    assert [of for of, _ in kinds(costs, locks)] == [kind]
