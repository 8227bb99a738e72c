"""bench/answered: the share of a program's cost with an answer, by kind."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from aprofbench.answered import answers, lines, main

from aprofplot.model import (
    CostTotal,
    Loop,
    LoopProfile,
    PointTable,
    Profile,
    Quantity,
    Routine,
    RoutineProfile,
    column_names,
)


def points(costs):
    """`costs`: of each call, by size."""
    rows = []
    for size, of in costs.items():
        statistics = [min(of), max(of), sum(of), sum(cost * cost for cost in of)]
        rows.append([size, len(of), 0, 0, *statistics, *statistics])
    return PointTable(0, column_names(("bb",)), np.array(rows, dtype=object).T)


def total(costs):
    return sum(map(sum, costs.values()))


def called(name, costs):
    """A routine without loops."""
    calls, cost = sum(map(len, costs.values())), CostTotal(total(costs), total(costs))
    routine = Routine(name, "/app", "/app.c", 1, len(name))
    table = {"trms": points(costs)}
    return RoutineProfile(routine, (), calls, 0, 0, 0, {"bb": cost}, table)


LINEAR = {n: [7 * n] for n in (10, 20, 40, 80, 160, 320)}
ROUTINES = [
    called("linear", LINEAR),
    called("alike", {1: [5] * 100, 2: [6] * 100}),
    called("varies", {1: [100, 900] * 5}),
    called("two", {1: [100], 2: [900]}),
    called("once", {3: [10_000]}),
]
# Of the cost of `once`; it reads as much each time, and costs more the more often it goes round.
LOOP = LoopProfile(
    Loop(ROUTINES[-1].routine, None, 8, False, "/app.c", 2, 3, "once"),
    (),
    6,
    0,
    630,
    0,
    0,
    {"bb": CostTotal(total(LINEAR), total(LINEAR))},
    {"trms": points({3: sum(LINEAR.values(), [])}), "iterations": points(LINEAR)},
)


@pytest.fixture
def profile():
    run = SimpleNamespace(command="./app 1")
    routines = tuple(ROUTINES)
    return Profile((run,), (Quantity("bb", ""),), (Quantity("trms", ""),), routines, loops=(LOOP,))


def test_each_scope_has_the_answer_that_says_most(profile):
    assert answers(profile).cost == {
        "input size": total(LINEAR),
        "iterations": total(LINEAR),
        "calls": 1100,
        "size unknown": 5000,
        "cannot tell": 1000,
        "one call": 10_000 - total(LINEAR),  # outside its loop
    }


def test_the_shares_add_up_and_have_a_mean(profile):
    of = answers(profile)
    head, row, mean = lines([of])
    share = [float(cell) for cell in row.split()[2:]]
    assert row.startswith("./app 1 ") and mean.split()[1:] == row.split()[2:]
    assert share[0] == pytest.approx(sum(share[1:4]), abs=0.2)
    assert share[0] + sum(share[4:]) == pytest.approx(100, abs=0.3)
    assert head.split("  ")[-1] == "cannot tell"


def test_a_profile_that_is_none_is_one_line(tmp_path, capsys):
    (tmp_path / "no").write_text("no profile\n")
    assert main([str(tmp_path / "no")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
