"""Chooses among models by AICc: the slowest-growing of those that are nearly as good as the best."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from aprofplot.fits.candidates import (
    Candidate,
    allows_2_to_n,
    candidate_of,
    criteria,
    criterion,
    fit_candidates,
    is_systematic,
)
from aprofplot.fits.exponents import TRIED_AT_ONCE
from aprofplot.fits.law_table import (
    BOUNDED,
    CORRELATION,
    FACTOR,
    INTERCEPT,
    LIKELIHOOD,
    LOG_LARGEST,
    SCATTER,
    Laws,
    unfitted,
)
from aprofplot.fits.observations import Observations
from aprofplot.fits.padding import Indices, Padded, medians, solve_in_batches
from aprofplot.fits.regression import sums
from aprofplot.fits.shapes import (
    CONSTANT,
    EXPONENT,
    FREE,
    MODEL,
    MODELS,
    SHIFT,
    Model,
    growth,
    growths_of,
    log_shapes,
)
from aprofplot.fits.shifts import fit_shifted
from aprofplot.fits.together import Steps
from aprofplot.metrics import Floats

NEAR_TIE = 2.0  # near ties: models whose AICc, or AIC, is at most so much above the least
CLOSE_ENOUGH = 0.05  # a simple law whose typical relative error is less is a near tie of n^c
_MOST_CORRELATED = 0.9
# What routines' neighbouring deviations from their law are taken to have in common before any is seen, and
# how many observations that weighs.
_USUAL_CORRELATION, _USUAL_WEIGHT = 0.5, 10
_POWERS = [MODELS.index(model) for model in FREE]
_UNBENT = [MODELS.index(model) for model in ("1", "n")]  # by a shift


@dataclass(frozen=True, eq=False)
class Choice:
    """The model chosen, and `tied`: it and its near ties, slowest-growing first. `weight` has each model's Akaike
    weight, best first. `criterion`: the chosen one's AICc, were the observations independent. `laws`: all that were
    tried."""

    model: Model
    tied: tuple[Model, ...]
    weight: Mapping[Model, float]
    confidence: float
    independence: float
    criterion: float
    laws: Laws
    _places: Mapping[Model, int]  # of each model's better law

    def best(self, model: Model) -> Candidate:
        """The better candidate of a model that has a weight."""
        return candidate_of(self.laws, self._places[model])

    @cached_property
    def candidate(self) -> Candidate:
        """That of the model chosen."""
        return self.best(self.model)


def choose(points: Observations, grows: bool = False) -> Steps[Choice]:
    """The model that explains the points, whether or not any does well. `grows`: it is known not to
    be 1."""
    found: Sequence[Choice] = yield [_ToChoose(points, grows)]
    return found[0]


@dataclass(frozen=True, eq=False)
class _ToChoose:
    """The arguments of choose()."""

    points: Observations
    grows: bool

    @classmethod
    def answer_all(cls, questions: Sequence[_ToChoose]) -> list[Choice]:
        """Those with about as many points are answered together."""
        return solve_in_batches(questions, cls._size, _choices)

    def _size(self) -> tuple[tuple[bool, tuple[Model, ...]], int, int]:
        return (allows_2_to_n(self.points), self.points.models), len(self.points), TRIED_AT_ONCE


def _choices(questions: Sequence[_ToChoose]) -> Iterator[Choice]:
    """Of tables that all may follow the same models."""
    first = questions[0].points
    padded = Padded.of([question.points for question in questions])
    counts = padded.counts[:, None]
    laws = fit_candidates(padded, first.models, allows_2_to_n(first))
    grow = np.array([question.grows for question in questions])
    laws[LIKELIHOOD, grow[:, None] & (laws[MODEL] == CONSTANT)] = -np.inf
    laws = _with_shifts(padded, laws)
    independent = criterion(laws, counts)
    likeliest = _at(laws, independent.argmin(axis=1))
    independence = _independence(likeliest, padded)
    corrected, uncorrected = criteria(laws, counts, independence[:, None])
    for number in range(len(questions)):
        yield _choice(
            laws[:, number],
            independent[number],
            corrected[number],
            uncorrected[number],
            float(independence[number]),
        )


def _with_shifts(padded: Padded, laws: Laws) -> Laws:
    """With shifted laws, too, where the likeliest would be bent by a shift, or is off; but for models that
    come close without."""
    first = _at(laws, criterion(laws, padded.counts[:, None]).argmin(axis=1))
    bent = ~np.isin(first[MODEL], _UNBENT) | is_systematic(first[BOUNDED], first[CORRELATION])
    tables = np.flatnonzero(bent)
    if not len(tables):
        return laws
    some = laws[:, tables]
    shifted = fit_shifted(padded.of_tables(tables), first[:, tables])
    close = np.isfinite(some[LIKELIHOOD]) & (some[SCATTER] < CLOSE_ENOUGH**2)
    alike = shifted[MODEL][:, :, None] == some[MODEL][:, None]
    unneeded = (alike & close[:, None]).any(axis=2)
    # Nor may another model win by a shift that explains less than those left out, unless a power explains more.
    likeliest = np.where(unneeded, shifted[LIKELIHOOD], -np.inf).max(axis=1, keepdims=True)
    power = np.where(np.isin(some[MODEL], _POWERS), some[LIKELIHOOD], -np.inf).max(
        axis=1, keepdims=True
    )
    less = (shifted[LIKELIHOOD] < likeliest) & (power < likeliest)
    shifted[LIKELIHOOD, unneeded | less] = -np.inf
    added = unfitted(np.ones((len(laws), len(bent), shifted.shape[2])))
    added[:, tables] = shifted
    return np.concatenate([laws, added], axis=2)


def _at(laws: Laws, places: Indices) -> Laws:
    """One law of each table."""
    return laws[:, np.arange(len(places)), places]


def _choice(
    laws: Laws, independent: Floats, corrected: Floats, uncorrected: Floats, independence: float
) -> Choice:
    """Among the laws of one table, by their criteria."""
    places, places_plain = _ranked(laws, corrected), _ranked(laws, uncorrected)
    values = {model: float(corrected[place]) for model, place in places.items()}
    plain = {model: float(uncorrected[place]) for model, place in places_plain.items()}
    exponents, shifts = laws[EXPONENT].tolist(), laws[SHIFT].tolist()
    is_close = ((laws[SHIFT] == 0) & (laws[SCATTER] < CLOSE_ENOUGH**2)).tolist()
    close = {model for model, place in places.items() if is_close[place]}
    # With few points AICc is harsh on parameters: what AIC does not exclude is open, too.
    least, least_plain = _least(values, close), _least(plain, close)
    tied = [m for m in places if min(values[m] - least, plain[m] - least_plain) <= NEAR_TIE]
    tied.sort(key=lambda m: growth(m, exponents[places[m]]))
    # A usual law rather than a slower one with a shift: that has a further parameter to bend with.
    model = min(tied, key=lambda m: (m in FREE, shifts[places[m]] != 0))
    weights = _weights(values), _weights(plain)
    # A power that ties with a simple law can be near its rivals as well: it vouches for neither.
    counted = [m for m in places if m not in FREE or m == model or m not in tied]
    confidence = min(_share(weight, tied, counted) for weight in weights)
    single = float(independent[places[model]])
    return Choice(model, tuple(tied), weights[0], confidence, independence, single, laws, places)


def _least(values: Mapping[Model, float], close: Collection[Model]) -> float:
    """The least criterion, that of a simple law if the best one is close enough."""
    simple = min((m for m in values if m not in FREE), key=lambda m: values[m])
    return values[simple] if simple in close else min(values.values())


def _independence(likeliest: Laws, padded: Padded) -> Floats:
    """How much an observation of each table says that its neighbours do not: (1 - r) / (1 + r), r being the
    correlation of neighbours' errors as far as they are the law's and not the points' own. Few errors
    hardly tell it: it is drawn to what is usual.
    """
    counts, variance = padded.counts, likeliest[SCATTER] + padded.variance
    error = np.clip(_errors(likeliest, padded) / np.sqrt(variance), -3, 3) * padded.real
    total = sums(error, error)
    measured = sums(error[1:], error[:-1]) / np.where(total > 0, total, 1.0)
    correlation = (counts * measured + _USUAL_WEIGHT * _USUAL_CORRELATION) / (
        counts + _USUAL_WEIGHT
    )
    correlation *= likeliest[SCATTER] / medians(variance, padded)
    correlation = np.clip(correlation, 0.0, _MOST_CORRELATED)
    return np.asarray((1 - correlation) / (1 + correlation), dtype=np.float64)


def _errors(laws: Laws, padded: Padded) -> Floats:
    """Log of the costs less that of each table's law."""
    logs = log_shapes(growths_of(laws), padded.sizes - laws[SHIFT]) - laws[LOG_LARGEST]
    off: Floats = padded.log_cost - np.log(laws[INTERCEPT] + laws[FACTOR] * np.exp(logs))
    return off


def _ranked(laws: Laws, criteria: Floats) -> dict[Model, int]:
    """The place of each model's better law; best model first."""
    places: dict[Model, int] = {}
    order = np.argsort(criteria, kind="stable")
    order = order[np.isfinite(laws[LIKELIHOOD][order])]
    for place, model in zip(order.tolist(), laws[MODEL][order].tolist()):
        places.setdefault(MODELS[int(model)], place)
    return places


def _share(weight: Mapping[Model, float], of: Sequence[Model], among: Sequence[Model]) -> float:
    total = sum(weight[m] for m in among)
    return min(1.0, sum(weight[m] for m in among if m in of) / total)


def _weights(values: Mapping[Model, float]) -> dict[Model, float]:
    """Akaike weights."""
    least = min(values.values())
    relative = {model: math.exp(-(value - least) / 2) for model, value in values.items()}
    total = sum(relative.values())
    return {model: weight / total for model, weight in relative.items()}
