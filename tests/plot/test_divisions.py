"""What threads divided by number is divided anew: all of it, in the shape of the recorded shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aprofplot.errors import SelectionError
from aprofplot.model import Loop, Routine
from aprofplot.processors.charges import costs_of
from aprofplot.processors.divisions import divisions
from aprofplot.processors.handoffs import chains
from aprofplot.processors.redivision import redivided
from aprofplot.processors.user_code import UserCode
from aprofplot.processors.what_if import parse_change
from aprofplot.reports.work_span.processors_json import processors_json
from aprofplot.reports.work_span.processors_text import processors_lines
from aprofplot.work_span.model import CallPath, Dag, Part, Share, Strand

BODY, LOOP = 1, 2


def divided(costs: Sequence[int], iterations: int = 10**6, lock: int = 0) -> Dag:
    """A fork, shares of these costs, most of it in a loop, and a join. Each begins with one on the body's path."""
    routine = Routine("main._omp_fn.0", "/bin/app", "/src/app.c", 1, 0)
    loop = Loop(routine, None, 0x10, False, "/src/app.c", 7, 9, "main")
    paths = (CallPath(0, None), CallPath(0, None), CallPath(BODY, None, loop))
    shares = [
        Strand(
            n + 1,
            cost,
            lock,
            lock,
            (0,),
            (Part(BODY, 1, (0, 3)), Part(LOOP, cost - 1)),
            share=Share(1, n, n + 1, len(costs), BODY, iterations),
        )
        for n, cost in enumerate(costs)
    ]
    fork = Strand(1, 10, 0, 0, (), (Part(BODY, 10),))
    join = Strand(1, 10, 0, 0, tuple(range(1, len(costs) + 1)), (Part(BODY, 10),))
    return Dag(0, paths, (fork, *shares, join))


def shares(dag: Dag, processors: int) -> list[int]:
    made = redivided(dag, processors)
    found = made.dag
    assert made.anew == {BODY} and not made.kept
    for path in (BODY, LOOP):
        for kind in (0, 1):
            assert _amount(found, path, kind) == _amount(dag, path, kind)
    assert all(strand.before == (0,) for strand in found.strands[1:-1])
    assert found.strands[-1].before == tuple(range(1, len(found.strands) - 1))
    assert len(found.strands) - 2 <= processors
    return [strand.work for strand in found.strands[1:-1]]


def stays(dag: Dag, processors: int) -> bool:
    """With nothing to be said about it."""
    made = redivided(dag, processors)
    assert (made.dag is dag) == (not made.anew)
    return not made.anew and not made.kept


def _amount(dag: Dag, path: int, kind: int) -> int:
    parts = [part for strand in dag.strands for part in strand.parts if part.path == path]
    return sum(part.overhead if kind else part.work for part in parts)


def test_equal_shares_are_equal() -> None:
    assert shares(divided([1200] * 4), 6) == pytest.approx([800] * 6, abs=1)


@pytest.mark.parametrize("threads", [2, 3, 4, 8])
@pytest.mark.parametrize("processors", [2, 5, 8, 16])
def test_a_rising_cost_goes_on_rising(threads: int, processors: int) -> None:
    """The n-th share of a triangle is proportional to 2n + 1."""
    if threads == processors:
        return
    whole = 1_000_000
    found = shares(
        divided([whole * (2 * n + 1) // threads**2 for n in range(threads)]), processors
    )
    assert found == pytest.approx(
        [whole * (2 * n + 1) / processors**2 for n in range(processors)], abs=8
    )


def test_beside_a_step_costs_are_even() -> None:
    assert shares(divided([8000, 1000, 1000, 1000]), 8) == pytest.approx(
        [4000] * 2 + [500] * 6, abs=2
    )


def test_fewer_processors_take_several_shares_each() -> None:
    assert shares(divided([100, 900, 400, 600]), 2) == [1000, 1000]


def test_a_share_goes_on_in_the_strands_after_it() -> None:
    made = divided([100, 100])
    fork, first, second, join = made.strands
    rest = Strand(1, 60, 0, 0, (1,), (Part(LOOP, 60),))
    (division,) = divisions(
        Dag(0, made.paths, (fork, first, second, rest, Strand(1, 1, 0, 0, (2, 3), join.parts)))
    )
    assert [share.strands for share in division.shares] == [(1, 3), (2,)]
    assert [share.cost for share in division.shares] == [163, 103]


def test_what_cannot_be_divided_stays() -> None:
    locked = divided([100] * 4, lock=1)
    assert stays(locked, 8)
    whole = divided([100] * 4)
    missing = Dag(0, whole.paths, (*whole.strands[:4], Strand(1, 1, 0, 0, (3,), ())))
    assert stays(missing, 8)
    assert stays(whole, 4)
    # Threads of the program's own are those of the run.
    assert costs_of(whole, 8, "threads").time == costs_of(whole, 4).time
    assert costs_of(whole, 8).time < costs_of(whole, 4).time


def test_whole_iterations_are_divided() -> None:
    assert shares(divided([300, 300], iterations=6), 4) == pytest.approx(
        [200, 200, 100, 100], abs=1
    )
    assert shares(divided([300, 300], iterations=3), 8) == pytest.approx([200] * 3, abs=1)


def test_a_loop_of_unknown_iterations_is_divided_if_asked_to() -> None:
    made = divided([1000] * 4, iterations=0)
    found = redivided(made, 8)
    assert (found.dag, found.anew, found.kept) == (made, set(), {LOOP: 4})
    assert stays(made, 4)
    changed = parse_change("loop app.c:7 static", made, ())(made, 8)
    assert costs_of(made, 8).time == 1023
    assert costs_of(changed, 8).time == pytest.approx(522, abs=2)
    for schedule in ("dynamic", "dynamic,4", "static,4"):
        with pytest.raises(SelectionError, match="how many iterations loop app.c:7 has is unknown"):
            parse_change(f"loop app.c:7 {schedule}", made, ())


@pytest.mark.parametrize("iterations", [0, 64])
@pytest.mark.parametrize("own", [1, 4])
def test_work_of_each_thread_is_not_divided(iterations: int, own: int) -> None:
    """Beside the loop. A share that does something else, as a master does, is none of the loop either."""
    made = divided([1000] * 4, iterations=iterations)
    strands = [
        replace(strand, span=1100, parts=(Part(BODY, 100), Part(LOOP, 1000)))
        if 1 <= n <= own
        else strand
        for n, strand in enumerate(made.strands)
    ]
    mixed = replace(made, strands=tuple(strands))
    assert stays(mixed, 8)
    with pytest.raises(SelectionError, match="no division of loop app.c:7 is known"):
        parse_change("loop app.c:7 static", mixed, ())


@pytest.mark.parametrize(
    ("schedule", "time"),
    [
        ("static", 437_500),
        ("static,1", 261_719),  # each fourth of 64 chunks, (7 + 15 + ... + 127) / 64**2 of the work
        ("dynamic", 261_719),  # the same, as they rise
        ("dynamic,16", 437_500),  # four chunks
    ],
)
def test_another_schedule(schedule: str, time: int) -> None:
    made = divided([1_000_000 * (2 * n + 1) // 16 for n in range(4)], iterations=64)
    changed = parse_change(f"loop app.c:7 {schedule}", made, ())(made, 4)
    assert costs_of(changed, 4).time == pytest.approx(time + 20, abs=15)  # and overhead
    assert _amount(changed, LOOP, 0) == _amount(made, LOOP, 0)


def test_a_schedule_of_what_is_not_divided() -> None:
    made = divided([100] * 4, lock=1)
    with pytest.raises(SelectionError, match="no division of loop app.c:7 is known"):
        parse_change("loop app.c:7 dynamic,2", made, ())
    with pytest.raises(SelectionError, match="no loop 'app.c:8' ran"):
        parse_change("loop app.c:8 dynamic,2", made, ())


def test_tiny_parts_and_large_amounts() -> None:
    """Bounds that are the same as floats are not divided; amounts that floats do not have are, exactly."""
    made = divided([100] * 2)
    fork, one, other, join = made.strands
    for whole, begin in ((2**63, 2**62), (2**53, 2**53 - 2), (2**53, 2**52)):
        bounds = (0, begin, begin + 1, whole)
        parts = [
            replace(one, share=Share(1, *of, whole, BODY, whole)) for of in zip(bounds, bounds[1:])
        ]
        dag = replace(made, strands=(fork, *parts, replace(join, before=(1, 2, 3))))
        assert stays(dag, 2) == (whole > 2**53)
        assert by_path(redivided(dag, 2).dag) == by_path(dag)
    mixed = (one, replace(other, share=Share(1, 2, 4, 4, BODY, 10**6)))
    assert stays(replace(made, strands=(fork, *mixed, join)), 8)
    for cost in (2**53 + 3, 2**63 + 1):
        large = divided([cost, cost + 2, 3 * cost + 4])
        found = redivided(large, 8).dag
        assert by_path(found) == by_path(large)
        assert all(strand.work >= 0 for strand in found.strands)


def by_path(dag: Dag) -> Counter[tuple[int, int]]:
    """Work and overhead of each path."""
    found: Counter[tuple[int, int]] = Counter()
    for part in (part for strand in dag.strands for part in strand.parts):
        found += Counter({(part.path, 0): part.work, (part.path, 1): part.overhead})
    return found


@st.composite
def regions(draw: st.DrawFn) -> Dag:
    """Threads that divide loops among themselves. Some stay divided, as they have locks. In between each thread does
    something else or goes on, and sometimes waits for another, or all do."""
    threads = draw(st.integers(2, 4))
    made = [Strand(1, 10, 0, 0, (), (Part(BODY, 10),))]
    for region in range(draw(st.integers(1, 2))):
        kinds = draw(st.lists(st.sampled_from(["own", "locked", "free"]), min_size=1, max_size=4))
        begin, ends = len(made) - 1, []
        awaited: list[int] = []  # that others may wait for: no share that is to be divided
        for thread in draw(st.permutations(range(threads))):
            before, mine = begin, []
            for phase, kind in enumerate(kinds):
                cost = draw(st.sampled_from([20, 20, 200, 20_000]))
                other = draw(st.sampled_from([before] * 4 + awaited))
                share = Share(4 * region + phase, thread, thread + 1, threads, BODY, 1000)
                lock = len(made) if kind == "locked" else 0
                waits = tuple(sorted({before, other}))
                parts = (Part(BODY, 1, (0, 2)), Part(LOOP, cost))
                before = len(made)
                made.append(
                    Strand(thread + 1, cost + 1, lock, lock, waits, parts, (), share)
                    if kind != "own"
                    else Strand(thread + 1, cost + 1, 0, 0, waits, parts)
                )
                mine += [] if kind == "free" else [before]
            awaited += mine
            ends.append(before)
        cost = draw(st.sampled_from([10, 20_000]))
        made.append(Strand(1, cost, 0, 0, tuple(sorted(ends)), (Part(BODY, cost),)))
    return replace(divided([1, 1]), strands=tuple(made))


@given(regions(), st.integers(2, 6))
def test_no_time_is_below_the_bounds(made: Dag, processors: int) -> None:
    """Of the work, and of the longest path through what was not divided."""
    costs = costs_of(made, processors)
    assert by_path(costs.dag) == by_path(made)
    assert processors * costs.time >= sum(by_path(made).values())
    gone = {i for of in divisions(made) for share in of.shares for i in share.strands}
    ends: list[int] = []
    for number, strand in enumerate(made.strands):
        begin = max((ends[index] for index in strand.before), default=0)
        ends.append(begin + (0 if number in gone else strand.length))
    assert costs.time >= max(ends)


def test_a_division_that_would_wait_for_itself_stays() -> None:
    """The second share waits for what comes after the third."""

    def strand(before: Sequence[int], division: int = 0, n: int = 0, lock: int = 0) -> Strand:
        share = Share(division, n, n + 1, 3, BODY, 30) if division else None
        return Strand(n + 1, 100, lock, lock, tuple(before), (Part(LOOP, 100),), (), share)

    others = [
        strand([2], 2, 2, 1),
        strand([0, 3], 1, 1),
        strand([1], 2, 0, 1),
        strand([4], 2, 1, 1),
    ]
    made = replace(
        divided([1, 1]),
        strands=(strand([]), strand([0], 1, 0), strand([0], 1, 2), *others, strand([3, 5, 6])),
    )
    assert len(list(divisions(made))) == 1
    assert stays(made, 2)


@pytest.mark.parametrize("processors", [2, 8])
def test_loops_without_barriers_between_them_are_no_chain(processors: int) -> None:
    """Each thread goes on with its share of the next one."""
    phases = 12
    (fork, *first, join) = divided([100] * 4).strands
    loops = [
        replace(strand, before=(max(0, 4 * phase + n - 3),), share=replace(share, division=phase))
        for phase in range(phases)
        for n, strand in enumerate(first)
        if (share := strand.share)
    ]
    ends = tuple(range(4 * phases - 3, 4 * phases + 1))
    made = replace(divided([1, 1]), strands=(fork, *loops, replace(join, before=ends)))
    costs = costs_of(made, processors)
    assert costs.divided.anew == {BODY}
    assert costs.dag.strands[processors + 1 : 2 * processors + 1] == tuple(
        replace(strand, before=(n,))
        for n, strand in enumerate(costs.dag.strands[1 : processors + 1], 1)
    )
    assert chains(costs, UserCode(costs.dag), ()) == [None] * len(costs.dag.strands)


@pytest.mark.parametrize("processors", [2, 3, 8])
def test_a_part_of_several_shares_waits_for_all_of_their_threads(processors: int) -> None:
    """One has worked longer than the others before."""
    (fork, *loop, join) = divided([100] * 4).strands
    first = [Strand(n + 1, 10 + 4000 * (n == 1), 0, 0, (0,), (Part(BODY, 1),)) for n in range(4)]
    first = [replace(strand, parts=(Part(BODY, strand.span),)) for strand in first]
    loop = [replace(strand, before=(n,)) for n, strand in enumerate(loop, 1)]
    last = replace(join, before=(5, 6, 7, 8), span=3000, parts=(Part(BODY, 3000),))
    made = replace(divided([1, 1]), strands=(fork, *first, *loop, last))
    costs = costs_of(made, processors)
    assert costs.divided.anew == {BODY}
    assert costs.time > 10 + 4010 + 3000


@pytest.mark.parametrize(
    ("iterations", "sentence"),
    [
        (64, "OpenMP loops with a static schedule are divided evenly among P threads: (unknown)"),
        (
            0,
            "1 loop was divided among the run's 4 threads and stays so: app.c:7. "
            "--what-if='loop app.c:7 static' divides it among P.",
        ),
    ],
)
def test_the_report_says_who_divides_loops(iterations: int, sentence: str) -> None:
    costs = [costs_of(divided([1000] * 4, iterations=iterations), p) for p in (2, 4, 8)]
    text = " ".join(processors_lines(costs, (), (), None))
    assert text.count(sentence) == 1
    redivided_ones = processors_json(costs[-1], ())["redivided"]
    assert [of["schedule"] for of in redivided_ones] == ["static"] * bool(iterations)
    assert ("divided" in " ".join(processors_lines(costs[1:2], (), (), None))) is False
