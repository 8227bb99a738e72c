"""The sentences of cilkshadow-report, case by case."""

from __future__ import annotations

import pytest
from work_span_builder import NONE, Site, WorkSpan, quicksort

from aprofplot.read.work_span_reader import read_work_span
from aprofplot.work_span.advice import advice, warnings


@pytest.fixture
def said(tmp_path):
    """The sentences of a profile in one text."""

    def run(made):
        return "\n".join(advice(read_work_span(str(made.write(tmp_path / "p")))))

    return run


def leaf(callee, line, work, on_span=None, caller=1, spawned=0, count=1):
    """A call that calls nothing: on span as on work, or so much of it."""
    measure = (count, work, work)
    spanned = measure if on_span is None else (1, on_span, on_span) if on_span else NONE
    return Site(caller, callee, line, (measure,) * 3, (spanned,) * 3, spawned)


def outermost(own, own_on_span, work, span):
    """main, which executes `own` itself."""
    top = (1, work, span)
    return Site(0, 1, 0, (top, top, (1, own, own)), (top, top, (1, own_on_span, own_on_span)))


def two_leaves(first, second):
    """1000 of work: main's own, quicksort's, partition's; on the span 100, `first` and `second`."""
    sites = [
        outermost(100, 100 - first - second, 1000, 100),
        leaf(2, 11, 500, first),
        leaf(3, 12, 400, second),
    ]
    return WorkSpan(sites=sites, totals={"spawns": 9})


def test_the_paper_s_quicksort(said):
    text = said(quicksort())
    assert "The parallelism is 5.6" in text
    assert (
        "partition (quicksort.c:20) holds nearly all of the span; parallelizing it raises the "
        "parallelism from 5.6 to at most 68,801." in text
    )


def test_the_gain_is_that_of_the_rest(said):
    text = said(two_leaves(75, 5))
    assert (
        "quicksort (quicksort.c:11) holds 75 % of the span; parallelizing it raises the parallelism "
        "from 10.0 to at most 40.0." in text
    )


def test_no_half_names_the_next(said):
    text = said(two_leaves(40, 25))
    assert "quicksort (quicksort.c:11) holds 40 % of the span, more than any other" in text
    assert "Next: main (quicksort.c:30) with 35 %, partition (quicksort.c:12) with 25 %." in text


def test_small_shares(said):
    routines = [("main", 30)] + [(f"part_{i}", i) for i in range(1, 21)]
    parts = [leaf(i + 1, i, 50, 5) for i in range(1, 21)]
    made = WorkSpan(routines, [outermost(0, 0, 1000, 100), *parts], {"spawns": 9})
    text = said(made)
    assert "No routine holds more than 5 % of the span: the 5 largest hold 25 % together" in text


def test_everything_in_main(said):
    text = said(WorkSpan(sites=[outermost(100, 90, 1000, 100), leaf(2, 11, 900, 10)]))
    assert "main's own code (quicksort.c:30) holds 90 % of the span; parallelizing it" in text


def test_one_callee_in_several_places_counts_once(said):
    sites = [outermost(100, 20, 1000, 100), leaf(2, 11, 500, 50), leaf(2, 14, 400, 30)]
    text = said(WorkSpan(sites=sites))
    assert "quicksort (quicksort.c:11), called from 2 places, holds 80 % of the span" in text


def test_own_code_of_what_is_parallel(said):
    parallel = Site(1, 2, 9, ((1, 900, 90), (1, 900, 90), (1, 90, 90)))
    text = said(WorkSpan(sites=[outermost(10, 10, 910, 100), parallel], totals={"work": 910}))
    assert "quicksort's own code (quicksort.c:9) holds 90 % of the span" in text


def with_loops(*spans):
    """two_leaves(75, 5), with loops of quicksort at lines 17, 17 and 19 that have `spans`; the last is inlined."""
    loops = [f"loop {i} 2 0 {8200 + i} natural 1 {17 if i < 3 else 19} 20 " for i in (1, 2, 3)]
    loops = [line + ("quicksort" if i < 2 else "scan") for i, line in enumerate(loops)]
    numbers = (f"1 {span} {span}" for span in spans)
    loops += [f"executions {i} 4 {' '.join([of] * 6)}" for i, of in enumerate(numbers, 1)]
    made = two_leaves(75, 5)
    made.loops = [*loops, "inlined 3 1 18 quicksort"]
    return made


def test_a_loop_is_named_instead_of_its_routine(said):
    text = said(with_loops(5, 5, 55))
    assert (
        "The loop of scan (quicksort.c:19), inlined into quicksort, holds 55 % of the span; "
        "parallelizing it raises the parallelism from 10.0 to at most 22.2." in text
    )
    one = said(with_loops(30, 30, 15))  # compilers made two of it
    assert "The loop of quicksort (quicksort.c:17) holds 60 % of the span; para" in one


def test_what_is_left_of_a_routine_without_its_loops(said):
    text = said(with_loops(10, 6, 15))
    assert "quicksort's own code outside of loops (quicksort.c:11) holds 44 % of the span," in text
    assert (
        "Next: main (quicksort.c:30) with 20 %, loop of quicksort (quicksort.c:17) with 16 %"
        in text
    )


def test_loops_with_small_shares(said):
    made = with_loops(7, 0, 8)
    made.sites = [outermost(0, 0, 2000, 200), *(leaf(2, i, 100, 1) for i in range(1, 21))]
    made.totals = {"work": 2000, "span": 200, "spawns": 9}
    text = said(made)
    assert "No loop, and no routine outside of loops, holds more than 4 % of the span" in text


def test_nothing_but_one(said):
    text = said(WorkSpan(sites=[leaf(1, 0, 100, caller=0)]))
    assert "The program is serial: it spawned nothing, and had one thread." in text
    assert "nothing else is on the longest path" in text


def test_spawns_that_gain_nothing(said):
    made = WorkSpan(sites=[leaf(1, 0, 100, caller=0)], totals={"spawns": 7})
    assert "The parallelism is 1.0: what is spawned is next to nothing" in said(made)


def test_ample(said):
    made = two_leaves(0, 1)
    made.totals = {"work": 1_000_000, "spawns": 2}
    text = said(made)
    assert "The parallelism is 10,000: ample for about 1,000 processors." in text
    assert "If a parallelism of 10,000 is too little: main's own code" in text


@pytest.mark.parametrize("burdened, fine", [(199, False), (201, True)])
def test_grain(burdened, fine, said):
    made = two_leaves(75, 5)
    made.totals = {"spawns": 10, "burdened-span": burdened}
    text = said(made)
    assert ("There are 100 of work per spawn: let base cases do more." in text) == fine
    assert ("The burdened parallelism is only 5.0: a spawn's burden of 15,000" in text) == fine


@pytest.mark.parametrize("serialised, bound", [(109, False), (250, True)])
def test_locks(serialised, bound, said):
    made = two_leaves(75, 5)
    made.totals = {"spawns": 10, "serialised-span": serialised}
    made.locks = ["3 20 2 mutex small", "50 300 3 spinlock big"]
    text = said(made)
    sentence = "the span is 2.5 times as long, and the parallelism 4.0 instead of 10.0"
    assert (sentence in text) == bound
    lock = "The spinlock big (first taken by partition) is held for 30 % of the work, in 50"
    assert (lock in text) == bound


@pytest.mark.parametrize("overhead, much", [(240, False), (1000, True)])
def test_overhead(overhead, much, said):
    made = two_leaves(75, 5)
    made.threads = 2
    made.totals = {"spawns": 10, "overhead": overhead}
    assert ("The threading run-time library executed 50 % of all" in said(made)) == much


@pytest.mark.parametrize(
    "overheads, for_tasks",
    [
        ("600:0:900", True),
        ("0:0:900:900", False),
        ("300:0:0:0:50:50", False),
        ("0:300:0:0:100:100", True),
    ],
)
def test_overhead_of_starting_and_waiting_is_not_that_of_tasks(overheads, for_tasks, said):
    """1000 in all; the dag has it by kind, without what is executed before main."""
    made = two_leaves(75, 5)
    made.threads = 2
    made.totals = {"spawns": 10, "overhead": 1000}
    made.version = 4
    made.dag = ["dag 0 1", "path 1 0 1", f"strand 1 1000 0 0 - 1:1000:{overheads} - -"]
    text = said(made)
    assert ("The threading run-time library executed 50 % of all" in text) == for_tasks
    assert ("Fewer and larger tasks" in text) == for_tasks
    starts = "Run-time libraries executed 50 % of all guest instructions: mostly what starts the program, "
    assert (starts in text) != for_tasks


def test_overhead_of_one_thread_is_no_waiting(said):
    made = two_leaves(75, 5)
    made.totals = {"spawns": 10, "overhead": 1000}
    assert "what starts the program, executed 50 % of all" in said(made)
    assert "waiting" not in said(made)


def test_nothing_measured(said):
    assert said(WorkSpan()) == "Nothing was measured: the program executed none of its own code."


def test_warnings(tmp_path):
    made = two_leaves(75, 5)
    made.notes = ["tbb-threads 4 threads made about 4 pieces", "strange 7 what no reader knows"]
    made.totals = {"span": 101}
    assert warnings(read_work_span(str(made.write(tmp_path / "p")))) == [
        "7 what no reader knows",
        "the call sites have 100 of the span, which is 101",
        "4 threads made about 4 pieces",
    ]


def test_what_notes_make_unsure_is_not_told_as_a_fact(said):
    several = "spawns-with-several-calls 986 spawns have several calls"
    serial = two_leaves(75, 5)
    serial.totals = {"span": 1000, "spawns": 986}
    assert "what is spawned is next to nothing" in said(serial)
    serial.notes = [several]
    assert said(serial).startswith(
        "The measured parallelism is 1.0, which the warning puts in doubt.\n"
    )
    parallel = two_leaves(75, 5)
    parallel.notes = [several, "newer-markers 2 markers are unknown"]
    assert said(parallel).startswith(
        "The measured parallelism is 10.0, which the warnings put in doubt. If it is right, no "
    )
    parallel.notes = ["logical-threads 4 threads at most"]
    assert said(parallel).startswith("The parallelism is 10.0: no number")
