"""Problems of routines: which there are, their scores and sentences."""

from __future__ import annotations

import numpy as np
import pytest

from aprofplot.fits.law import CANNOT_TELL, Fit, Law
from aprofplot.model import CostTotal, PointTable, Routine, RoutineProfile, column_names
from aprofplot.problems import find_problems, growth_exponent

WHOLE = 1000


def law(model, exponent=0.0, factor=1.0, confidence=1.0, near_tie=()):
    return Fit(model, Law(model, 0, factor, exponent), "", 1.0, confidence, near_tie=near_tie)


def unknown():
    return Fit(CANNOT_TELL, None, "", None, 0.0, reason="2 distinct sizes; 5 needed")


def routine(inclusive=500, own=300, trms=5, rms=5, thread=0):
    """`thread`: percent of its input."""

    def points(count):
        columns = column_names(("bb",))
        rows = np.zeros((len(columns), count), dtype=np.int64)
        rows[0], rows[1], rows[2] = (
            np.arange(1, count + 1) * 100,
            1,
            np.arange(1, count + 1) * thread,
        )
        return PointTable(0, columns, rows)

    return RoutineProfile(
        Routine("f", "/app", "", 0, 1), (), 5, 0, 0, 0, {"bb": CostTotal(inclusive, own)},
        {"trms": points(trms), "rms": points(rms)},
    )  # fmt: skip


def problems(fits, **numbers):
    return [(p.kind, p.sentence) for p in find_problems(routine(**numbers), fits, "bb", WHOLE)]


@pytest.mark.parametrize(
    "model, exponent, growth",
    [
        ("1", 0, 0),
        ("log n", 0, 0.1),
        ("n log n", 0, 1.1),
        ("n^2", 0, 2),
        ("n^c", 1.7, 1.7),
        ("2^n", 0, 4),
    ],
)
def test_growth_as_a_number(model, exponent, growth):
    assert growth_exponent(Law(model, 0, 1, exponent)) == pytest.approx(growth)


def test_steep_growth():
    fit = law("n^2")
    assert problems({"trms": fit, "rms": fit}) == [
        ("growth", "Grows as n^2: 50.0 % of the cost, 30.0 % by itself.")
    ]
    assert "n^1.70" in problems({"rms": law("n^c", 1.7)})[0][1]


@pytest.mark.parametrize("model", ["1", "log n", "sqrt n", "n"])
def test_up_to_linear_is_no_problem(model):
    assert problems({"trms": law(model), "rms": law(model)}) == []


def test_neither_is_what_falls_or_costs_next_to_nothing_or_cannot_be_told():
    assert problems({"trms": law("n^2", factor=-1.0)}) == []
    assert problems({"trms": law("n^2")}, inclusive=0, own=0) == []
    assert problems({"trms": unknown(), "rms": unknown()}) == []


def test_scores_order_by_steepness_cost_and_confidence():
    def score(fit, **numbers):
        return find_problems(routine(**numbers), {"trms": fit}, "bb", WHOLE)[0].score

    assert score(law("n^2")) == pytest.approx(0.4)  # the mean of 0.5 and 0.3
    assert score(law("n^3")) == pytest.approx(0.8)
    assert score(law("n^2", confidence=0.5)) == pytest.approx(0.2)
    assert score(law("n^2"), own=500) > score(law("n^2"), own=0)  # who spends it, before who calls


def test_rms_misleads():
    assert problems({"trms": law("n"), "rms": law("n^2")}) == [
        ("rms", "RMS misleads here: it says n^2, TRMS says n.")
    ]
    assert problems({"trms": law("n"), "rms": unknown()}, trms=60, rms=2) == [
        (
            "rms",
            "RMS misleads here: it sees 2 distinct sizes of 60 and cannot tell; TRMS says n.",
        )
    ]


def test_rms_does_not_mislead():
    """As good, alike, or of a routine of no cost."""
    assert problems({"trms": law("n", near_tie=("n^2",)), "rms": law("n^2")}) == []
    assert problems({"trms": law("n"), "rms": law("n log n")}) == []
    assert problems({"trms": law("n"), "rms": law("n^2")}, inclusive=9, own=9) == []
    assert problems({"trms": law("n"), "rms": unknown()}, trms=11, rms=4) == []


def test_input_from_other_threads():
    fits = {"trms": unknown(), "rms": unknown()}
    assert problems(fits, thread=62) == [
        ("threads", "Input from other threads: 62.0 %; it takes 50.0 % of the cost.")
    ]
    assert problems(fits, thread=9) == []
    assert problems(fits, thread=62, inclusive=9, own=9) == []


def test_the_worst_comes_first():
    found = find_problems(routine(thread=50), {"trms": law("n^2"), "rms": law("n^3")}, "bb", WHOLE)
    assert [p.kind for p in found] == ["growth", "rms", "threads"]
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
