"""What threads divided by number is divided anew: all of it, in the shape of the recorded shares."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from aprofplot.errors import SelectionError
from aprofplot.model import Loop, Routine
from aprofplot.processors.charges import costs_of
from aprofplot.processors.divisions import divisions
from aprofplot.processors.redivision import redivided
from aprofplot.processors.what_if import parse_change
from aprofplot.work_span.model import CallPath, Dag, Part, Share, Strand

BODY, LOOP = 1, 2


def divided(costs: Sequence[int], iterations: int = 0, lock: int = 0) -> Dag:
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
            share=Share(1, n, n + 1, len(costs), BODY),
        )
        for n, cost in enumerate(costs)
    ]
    fork = Strand(1, 10, 0, 0, (), (Part(BODY, 10),))
    join = Strand(1, 10, 0, 0, tuple(range(1, len(costs) + 1)), (Part(BODY, 10),))
    return Dag(0, paths, (fork, *shares, join), iterations={loop.key: iterations})


def shares(dag: Dag, processors: int) -> list[int]:
    found, begins = redivided(dag, processors)
    assert begins == {BODY}
    for path in (BODY, LOOP):
        for kind in (0, 1):
            assert _amount(found, path, kind) == _amount(dag, path, kind)
    assert all(strand.before == (0,) for strand in found.strands[1:-1])
    assert found.strands[-1].before == tuple(range(1, processors + 1))
    return [strand.work for strand in found.strands[1:-1]]


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
    (chains,) = divisions(
        Dag(0, made.paths, (fork, first, second, rest, Strand(1, 1, 0, 0, (2, 3), join.parts)))
    )
    assert [chain.strands for chain in chains] == [(1, 3), (2,)]
    assert [chain.cost for chain in chains] == [163, 103]


def test_what_cannot_be_divided_stays() -> None:
    locked = divided([100] * 4, lock=1)
    assert redivided(locked, 8) == (locked, frozenset())
    whole = divided([100] * 4)
    missing = Dag(0, whole.paths, (*whole.strands[:4], Strand(1, 1, 0, 0, (3,), ())))
    assert redivided(missing, 8) == (missing, frozenset())
    assert redivided(whole, 4) == (whole, frozenset())
    # Threads of the program's own are those of the run.
    assert costs_of(whole, 8, "threads").time == costs_of(whole, 4).time
    assert costs_of(whole, 8).time < costs_of(whole, 4).time


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
