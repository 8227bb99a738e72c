"""All models fitted to the same observations, and compared by AICc."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from aprofplot.fits.exponents import fit_exponentials, fit_powers
from aprofplot.fits.law import Law
from aprofplot.fits.law_table import (
    LEEWAY,
    LIKELIHOOD,
    PARAMETERS,
    Laws,
    for_each,
    laws_of,
)
from aprofplot.fits.observations import Observations
from aprofplot.fits.padding import Flags, Padded
from aprofplot.fits.regression import log_likelihood, sums
from aprofplot.fits.shapes import (
    CONSTANT,
    FREE,
    LARGEST_EXPONENT_OF_2,
    MODEL,
    MODELS,
    POWER,
    SHIFT,
    Model,
    Shapes,
    log_shape,
    simple_shapes,
)
from aprofplot.fits.solver import Problem, fit_each
from aprofplot.fits.together import Steps
from aprofplot.metrics import Floats

# Added to the criterion of all but 1: nine laws may each take noise for growth. 2 ln 9.
HANDICAP_OF_GROWTH = 4.4
# Added to that of shifted laws: the usual ones are to be preferred.
HANDICAP_OF_SHIFT = 2.0
WORTH_IT = 0.02  # errors of a law that are typically less are not looked into ...
CORRELATED = 0.25  # ... nor those whose neighbours are correlated less
# Twice the likelihood that a simple law may lack, for which exponents need not be tried closer.
_NOTHING_TO_GAIN = 6.0


@dataclass(frozen=True, eq=False)
class Candidate:
    """One of Laws."""

    model: Model
    exponent: float
    shift: float
    with_intercept: float
    parameters: float
    log_largest: float
    leeway: float
    intercept: float
    factor: float
    scatter: float
    likelihood: float
    squared: float
    bounded: float
    correlation: float

    @property
    def is_systematic(self) -> bool:
        """Whether the law is off, not the points."""
        return bool(is_systematic(np.array(self.bounded), np.array(self.correlation)))

    @property
    def shape(self) -> Shapes:
        """Its shape alone."""
        return np.array([[MODELS.index(self.model)], [self.exponent], [self.shift]])

    @property
    def law(self) -> Law:
        """As a function of the size."""
        if self.model == "1":
            return Law("1", self.factor, 0.0)
        factor = math.exp(math.log(max(self.factor, 1e-300)) - self.log_largest)
        return Law(self.model, self.intercept, factor, self.exponent, self.shift)


def candidate_of(laws: Laws, number: int) -> Candidate:
    """That one of them."""
    model, *numbers = laws[:, number].tolist()
    return Candidate(MODELS[int(model)], *numbers)


def is_systematic(bounded: Floats, correlation: Floats) -> Flags:
    """Whether laws with these numbers are off, not the points."""
    off: Flags = (bounded >= WORTH_IT**2) & (correlation >= CORRELATED)
    return off


def criterion(laws: Laws, count: float | Floats, independence: float | Floats = 1.0) -> Floats:
    """The first of criteria()."""
    return criteria(laws, count, independence)[0]


def criteria(
    laws: Laws, count: float | Floats, independence: float | Floats = 1.0
) -> tuple[Floats, Floats]:
    """Akaike's information criterion of `count` observations, corrected for their fewness (AICc) and
    not, with each model's handicap. `independence`, 0..1: the share of observations that the others do
    not foretell.

    The exponents of a unit interval, and the binary logarithms of bases, are together as likely
    beforehand as a simple law, so that n^c and c^n have their mean likelihood over one: the less the
    points leave open, the less there is. That is their penalty; in AICc the exponent counts as a
    parameter, too, since names are preferred.
    """
    parameters, models = laws[PARAMETERS], laws[MODEL]
    leeway = np.log(np.minimum(laws[LEEWAY] / np.sqrt(independence), 1.0))
    plain = 2 * (parameters - leeway - independence * laws[LIKELIHOOD])
    plain += HANDICAP_OF_GROWTH * (models != CONSTANT) + HANDICAP_OF_SHIFT * (laws[SHIFT] != 0)
    spare = count - 1 - parameters
    few = 2 * parameters * (parameters + 1) / np.maximum(spare, 1.0)
    few[spare <= 0] = np.inf
    return plain + few, plain - 2 * (models >= POWER)


def fit_candidates(padded: Padded, models: tuple[Model, ...], with_powers_of_2: bool) -> Laws:
    """The candidates of every model for each table, with intercept and without: one for each."""
    simple = fit_each(padded, for_each(len(padded.counts), _simple_laws(models, with_powers_of_2)))
    # The likelihood of a law that is never off.
    most = sums(log_likelihood(np.zeros(padded.sizes.shape), padded.variance), padded.real)
    may_gain = 2 * (most - simple[LIKELIHOOD].max(axis=1)) > _NOTHING_TO_GAIN
    found = [simple, fit_powers(padded, simple, np.flatnonzero(may_gain))]
    if "c^n" in models and with_powers_of_2:
        found.append(fit_exponentials(padded, np.flatnonzero(may_gain)))
    return np.concatenate(found, axis=2)


def simple_problem(points: Observations) -> Problem:
    """All models but n^c."""
    return Problem(points, _simple_laws(points.models, allows_2_to_n(points)))


def fit_laws(points: Observations, laws: Laws, is_near: bool = False) -> Steps[Laws]:
    """See Problem."""
    (found,) = yield [Problem(points, laws, is_near)]
    return np.asarray(found)


def shape_at_points(candidate: Candidate, points: Observations) -> Floats:
    """The candidate's shape, 1 at the largest size."""
    logs = log_shape(candidate.model, candidate.exponent, points.sizes - candidate.shift)
    return np.asarray(np.exp(logs - logs[-1]), dtype=np.float64)


def errors(candidate: Candidate, points: Observations) -> Floats:
    """Log of the cost less that of the law."""
    cost = candidate.intercept + candidate.factor * shape_at_points(candidate, points)
    return np.asarray(points.log_cost - np.log(cost), dtype=np.float64)


def allows_2_to_n(points: Observations) -> bool:
    """Whether laws that double with every step may be tried."""
    return bool(points.sizes[-1] <= LARGEST_EXPONENT_OF_2)


@lru_cache
def _simple_laws(models: tuple[Model, ...], with_powers_of_2: bool) -> Laws:
    return laws_of(
        simple_shapes(m for m in models if m not in FREE and (m != "2^n" or with_powers_of_2))
    )
