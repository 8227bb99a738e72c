"""Many fits at once give the results of each alone."""

from __future__ import annotations

import os
import sys
from io import StringIO

import numpy as np
import pytest
from known_laws import LAWS, NOISES, case
from laws_one_by_one import all_laws, unshifted_laws

from aprofplot import process_pool
from aprofplot.commands import progress_bar
from aprofplot.fits.choosing import choose
from aprofplot.fits.fitting import fit_all, fit_table
from aprofplot.fits.law import formula
from aprofplot.fits.law_table import LEEWAY, LIKELIHOOD, WITH_INTERCEPT
from aprofplot.fits.observations import Observations
from aprofplot.fits.padding import Padded, medians, upper_medians
from aprofplot.fits.shapes import EXPONENT, MODEL, MODELS, SHIFT
from aprofplot.fits.subject import Subject
from aprofplot.fits.together import run_together
from aprofplot.metrics import FEW_SIZES


@pytest.fixture(scope="module")
def tables():
    """Of five to 150 sizes, and some that no law can be told of."""
    random = np.random.default_rng(5)
    counts = (3, 4, 5, 6, 7, 9, 15, 40, 150)
    return [
        case(random, law, noise, count).points
        for count in counts
        for law in LAWS
        for noise in list(NOISES)[:3]
    ]


@pytest.fixture(scope="module")
def fitted_one_by_one(tables):
    """Points of every other table, each with its laws that have no shift."""
    several = [t for t in tables[::2] if len(t) >= FEW_SIZES]
    points = [Subject(table, "bb").observed() for table in several]
    return [(each, unshifted_laws(each)) for each in points]


def said(fit):
    """To the digits that people see, and a few more."""
    numbers = [fit.r2, fit.confidence, *(other.weight for other in fit.runners_up)]
    return (
        fit.model,
        fit.formula,
        [formula(law) for law in fit.tied],
        fit.near_tie,
        fit.reason,
        fit.segment and fit.segment.at,
        [number and round(number, 6) for number in numbers],
    )


def test_together_as_alone(tables):
    together = fit_all([Subject(table, "bb") for table in tables])
    assert [said(fit) for fit in together] == [said(fit_table(t, "bb")) for t in tables]
    assert len({fit.model for fit in together}) > 8


@pytest.mark.parametrize("grows", [False, True])
def test_many_tables_as_one_law_at_a_time(fitted_one_by_one, grows):
    """The same laws in plain loops: of every model the likelihood, exponent, shift and leeway."""
    choices = dict(run_together(choose(each, grows) for each, _ in fitted_one_by_one))
    for number, (each, unshifted) in enumerate(fitted_one_by_one):
        laws = choices[number].laws
        found = {
            (MODELS[int(law[MODEL])], bool(law[WITH_INTERCEPT]), bool(law[SHIFT])): law
            for law in laws.T
            if np.isfinite(law[LIKELIHOOD])
        }
        expected = all_laws(each, unshifted, grows)
        assert found.keys() == expected.keys()
        for kind, law in found.items():
            numbers = law[[LIKELIHOOD, EXPONENT, SHIFT, LEEWAY]]
            assert numbers == pytest.approx(expected[kind], rel=1e-6, abs=1e-6), kind
    assert len({choice.model for choice in choices.values()}) > 6


@pytest.mark.parametrize("processors", [1, 2])
def test_shares_of_processes(tables, processors, monkeypatch):
    """Told as they come; the results are in order."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(processors)))
    monkeypatch.setattr(process_pool, "_WORTH_A_SHARE", 500)
    told = []
    subjects = [Subject(table, "bb") for table in tables[::3]]
    shared = fit_all(subjects, lambda *done: told.append(done))
    assert [said(fit) for fit in shared] == [said(fit_table(t, "bb")) for t in tables[::3]]
    assert len(told) > 2 and told == sorted(told) and told[-1] == (len(subjects),) * 2


@pytest.mark.parametrize("patience", [0, 1000])
def test_a_bar_on_a_terminal_if_it_takes_long(patience, monkeypatch):
    terminal = StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress_bar, "_PATIENCE", patience)
    with progress_bar.progress_bar("fitting laws") as told:
        told(17, 40)
        drawn = terminal.getvalue()
        told(40, 40)
        assert terminal.getvalue().endswith("\x1b[2K") == (patience == 0)
    assert ("fitting laws" in drawn and "17/40" in drawn) == (patience == 0)
    assert bool(terminal.getvalue()) == (patience == 0)


def test_no_bar_elsewhere(monkeypatch):
    monkeypatch.setattr(sys, "stderr", StringIO())
    with progress_bar.progress_bar("fitting laws") as told:
        assert told is None


class Doubled:
    """A question that counts how many are asked at once."""

    asked: list[int] = []

    def __init__(self, number):
        self.number = number

    @classmethod
    def answer_all(cls, questions):
        cls.asked.append(len(questions))
        return [2 * question.number for question in questions]


def test_questions_of_several_are_answered_together():
    def procedure(number, times):
        for _ in range(times):
            (number,) = yield [Doubled(number)]
        return number

    Doubled.asked.clear()
    found = dict(run_together(procedure(i, times) for i, times in enumerate((3, 0, 1, 2))))
    assert found == {0: 0, 1: 1, 2: 4, 3: 12}
    assert Doubled.asked == [3, 2, 1]


def test_medians_of_padded_columns():
    random = np.random.default_rng(3)
    columns = [random.standard_normal(count) for count in (1, 2, 5, 6, 9)]
    padded = Padded.of([Observations(c, c, np.ones(len(c))) for c in columns])
    assert medians(padded.log_cost, padded) == pytest.approx([np.median(c) for c in columns])
    upper = [sorted(c)[len(c) // 2] for c in columns]
    assert upper_medians(padded.log_cost, padded.aside).tolist() == upper
