"""Chooses among models by AICc: the slowest-growing of those that are nearly as good as the best."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from aprofplot.fits.candidates import (
    Candidate,
    candidate_of,
    criteria,
    criterion,
    errors,
    fit_candidates,
)
from aprofplot.fits.observations import Observations, median
from aprofplot.fits.shapes import CONSTANT, FREE, MODEL, MODELS, Model, growth
from aprofplot.fits.shifts import fit_shifted
from aprofplot.fits.solver import SCATTER, Laws
from aprofplot.fits.together import Steps
from aprofplot.metrics import Floats

NEAR_TIE = 2.0  # near ties: models whose AICc, or AIC, is at most so much above the least
CLOSE_ENOUGH = 0.05  # a simple law whose typical relative error is less is a near tie of n^c
_MOST_CORRELATED = 0.9
# What routines' neighbouring deviations from their law are taken to have in common before any is seen, and
# how many observations that weighs.
_USUAL_CORRELATION, _USUAL_WEIGHT = 0.5, 10
_UNBENT: tuple[Model, ...] = ("1", "n")  # by a shift


@dataclass(frozen=True, eq=False)
class Choice:
    """The model chosen, and `tied`: it and its near ties, slowest-growing first. `by_model` has
    each model's better candidate, best first, and `weight` its Akaike weight. `criterion`: the chosen
    one's AICc, were the observations independent."""

    model: Model
    tied: tuple[Model, ...]
    by_model: Mapping[Model, Candidate]
    weight: Mapping[Model, float]
    confidence: float
    independence: float
    criterion: float

    @property
    def candidate(self) -> Candidate:
        """That of the model chosen."""
        return self.by_model[self.model]


def choose(points: Observations, grows: bool = False) -> Steps[Choice]:
    """The model that explains the points, whether or not any does well. `grows`: it is known not to
    be 1."""
    count = len(points)
    laws = yield from fit_candidates(points)
    if grows:
        laws = laws[:, laws[MODEL] != CONSTANT]
    independent = criterion(laws, count)
    likeliest = candidate_of(laws, int(independent.argmin()))
    if likeliest.model not in _UNBENT or likeliest.is_systematic:
        close = laws[MODEL][laws[SCATTER] < CLOSE_ENOUGH**2]
        shifted = yield from fit_shifted(points, laws[:, [independent.argmin()]])
        laws = np.concatenate([laws, shifted[:, ~np.isin(shifted[MODEL], close)]], axis=1)
        independent = criterion(laws, count)
        likeliest = candidate_of(laws, int(independent.argmin()))
    independence = _independence(likeliest, points)
    corrected, uncorrected = criteria(laws, count, independence)
    rows = _ranked(laws, corrected)
    by_model = {model: candidate_of(laws, row) for model, row in rows.items()}
    values = {model: float(corrected[row]) for model, row in rows.items()}
    plain = {model: float(uncorrected[row]) for model, row in _ranked(laws, uncorrected).items()}
    # With few points AICc is harsh on parameters: what AIC does not exclude is open, too.
    least, least_plain = _least(by_model, values), _least(by_model, plain)
    tied = [m for m in by_model if min(values[m] - least, plain[m] - least_plain) <= NEAR_TIE]
    tied.sort(key=lambda m: growth(m, by_model[m].exponent))
    # A usual law rather than a slower one with a shift: that has a further parameter to bend with.
    model = min(tied, key=lambda m: (m in FREE, by_model[m].shift != 0))
    weights = _weights(values), _weights(plain)
    # A power that ties with a simple law can be near its rivals as well: it vouches for neither.
    counted = [m for m in by_model if m not in FREE or m == model or m not in tied]
    confidence = min(_share(weight, tied, counted) for weight in weights)
    single = float(independent[rows[model]])
    return Choice(model, tuple(tied), by_model, weights[0], confidence, independence, single)


def _least(by_model: Mapping[Model, Candidate], values: Mapping[Model, float]) -> float:
    """The least criterion, that of a simple law if the best one is close enough."""
    simple = min((m for m in values if m not in FREE), key=lambda m: values[m])
    close = not by_model[simple].shift and by_model[simple].scatter < CLOSE_ENOUGH**2
    return values[simple] if close else min(values.values())


def _independence(likeliest: Candidate, points: Observations) -> float:
    """How much an observation says that its neighbours do not: (1 - r) / (1 + r), r being the
    correlation of neighbours' errors as far as they are the law's and not the points' own. Few errors
    hardly tell it: it is drawn to what is usual.
    """
    count = len(points)
    variance = likeliest.scatter + points.variance
    error = np.clip(errors(likeliest, points) / np.sqrt(variance), -3, 3)
    total = float((error**2).sum())
    measured = float((error[1:] * error[:-1]).sum()) / total if total > 0 else 0.0
    correlation = (count * measured + _USUAL_WEIGHT * _USUAL_CORRELATION) / (count + _USUAL_WEIGHT)
    correlation *= likeliest.scatter / median(variance)
    correlation = min(max(correlation, 0.0), _MOST_CORRELATED)
    return (1 - correlation) / (1 + correlation)


def _ranked(laws: Laws, criteria: Floats) -> dict[Model, int]:
    """The row of each model's better candidate; best model first."""
    rows: dict[Model, int] = {}
    order = np.argsort(criteria, kind="stable")
    for row, model in zip(order.tolist(), laws[MODEL][order].tolist()):
        rows.setdefault(MODELS[int(model)], row)
    return rows


def _share(weight: Mapping[Model, float], of: Sequence[Model], among: Sequence[Model]) -> float:
    total = sum(weight[m] for m in among)
    return min(1.0, sum(weight[m] for m in among if m in of) / total)


def _weights(values: Mapping[Model, float]) -> dict[Model, float]:
    """Akaike weights."""
    least = min(values.values())
    relative = {model: math.exp(-(value - least) / 2) for model, value in values.items()}
    total = sum(relative.values())
    return {model: weight / total for model, weight in relative.items()}
