"""All models fitted to the same observations, and compared by AICc."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from aprofplot.fits.law import Law
from aprofplot.fits.observations import Observations
from aprofplot.fits.shapes import (
    CONSTANT,
    EXPONENT,
    LARGEST_EXPONENT_OF_2,
    MODEL,
    MODELS,
    POWER,
    SHIFT,
    Model,
    Shapes,
    log_shape,
    power_shapes,
    shifted_shapes,
)
from aprofplot.fits.solver import (
    LEEWAY,
    LIKELIHOOD,
    PARAMETERS,
    ROUNDS,
    WITH_INTERCEPT,
    Laws,
    Problem,
    log_likelihood,
)
from aprofplot.fits.together import Steps
from aprofplot.metrics import Floats

# Added to the criterion of all but 1: nine laws may each take noise for growth. 2 ln 9.
HANDICAP_OF_GROWTH = 4.4
# Added to that of shifted laws: the usual ones are to be preferred.
HANDICAP_OF_SHIFT = 2.0
WORTH_IT = 0.02  # errors of a law that are typically less are not looked into ...
CORRELATED = 0.25  # ... nor those whose neighbours are correlated less
# Exponents of n^c to try first, then those around the best, ever closer.
_COARSE = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.15, 1.35, 1.65, 1.85, 2.2, 2.6, 3.3, 4.0, 5.0)
_WIDTHS = (0.1, 0.02)
_AROUND = np.array([-0.75, -0.5, -0.25, 0.25, 0.5, 0.75])
_LEAST_EXPONENT, _LARGEST_EXPONENT = 0.05, 6.0
_LEAST_LEEWAY = 1e-6  # also if only one exponent could be fitted
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
        return self.bounded >= WORTH_IT**2 and self.correlation >= CORRELATED

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


def candidates_of(laws: Laws) -> Iterator[Candidate]:
    """One by one."""
    for model, *numbers in laws.T.tolist():
        yield Candidate(MODELS[int(model)], *numbers)


def criterion(laws: Laws, count: int, independence: float = 1.0, corrected: bool = True) -> Floats:
    """Akaike's information criterion of `count` observations, corrected for their fewness (AICc) or
    not, with each model's handicap. `independence`, 0..1: the share of observations that the others do
    not foretell.

    The exponents of a unit interval are together as likely beforehand as a simple law, so that
    n^c has its mean likelihood over one: the less the points leave open, the less there is. That
    is its penalty; in AICc the exponent counts as a parameter, too, since names are preferred.
    """
    parameters = laws[PARAMETERS]
    penalty = parameters - np.log(np.minimum(laws[LEEWAY] / math.sqrt(independence), 1.0))
    if corrected:
        spare = count - parameters - 1
        few = parameters * (parameters + 1) / np.maximum(spare, 1.0)
        penalty += np.where(spare > 0, few, np.inf)
    else:
        penalty -= laws[MODEL] == POWER
    handicap = HANDICAP_OF_GROWTH * (laws[MODEL] != CONSTANT)
    handicap += HANDICAP_OF_SHIFT * (laws[SHIFT] != 0)
    return np.asarray(2 * (penalty - independence * laws[LIKELIHOOD]) + handicap)


def fit_candidates(points: Observations) -> Steps[Laws]:
    """The candidates of every model, with intercept and without: one for each."""
    found = yield from fit_shapes(points, _first_shapes(points.models, _allows_2_to_n(points)))
    is_power = found[MODEL] == POWER
    simple, powers = found[:, ~is_power], found[:, is_power]
    # The likelihood of a law that is never off.
    most = log_likelihood(np.zeros(len(points)), points.variance).sum()
    if 2 * (most - simple[LIKELIHOOD].max()) > _NOTHING_TO_GAIN:
        powers = yield from _narrowed(points, powers)
    best = likeliest_of_each(powers)
    best[LEEWAY] = [_leeway(powers, one) for one in candidates_of(best)]
    return np.concatenate([simple, best], axis=1)


def simple_problem(points: Observations) -> Problem:
    """All models but n^c."""
    return Problem(points, _simple_shapes(points.models, _allows_2_to_n(points)))


def fit_shapes(points: Observations, shapes: Shapes, rounds: int = ROUNDS) -> Steps[Laws]:
    """Each of them without an intercept and, but for 1, with one."""
    (laws,) = yield [Problem(points, shapes, rounds)]
    return np.asarray(laws)


def likeliest_of_each(laws: Laws) -> Laws:
    """Of each model without an intercept, and with one."""
    best: dict[float, tuple[int, float]] = {}
    kinds = (2 * laws[MODEL] + laws[WITH_INTERCEPT]).tolist()
    for number, (kind, likelihood) in enumerate(zip(kinds, laws[LIKELIHOOD].tolist())):
        if kind not in best or likelihood > best[kind][1]:
            best[kind] = number, likelihood
    return laws[:, [number for number, _ in best.values()]]


def shape_at_points(candidate: Candidate, points: Observations) -> Floats:
    """The candidate's shape, 1 at the largest size."""
    logs = log_shape(candidate.model, candidate.exponent, points.sizes - candidate.shift)
    return np.asarray(np.exp(logs - logs[-1]), dtype=np.float64)


def errors(candidate: Candidate, points: Observations) -> Floats:
    """Log of the cost less that of the law."""
    cost = candidate.intercept + candidate.factor * shape_at_points(candidate, points)
    return np.asarray(points.log_cost - np.log(cost), dtype=np.float64)


def _allows_2_to_n(points: Observations) -> bool:
    return bool(points.sizes[-1] <= LARGEST_EXPONENT_OF_2)


@lru_cache
def _simple_shapes(models: tuple[Model, ...], with_power_of_2: bool) -> Shapes:
    return shifted_shapes((m, 0.0) for m in models if m != "2^n" or with_power_of_2)


@lru_cache
def _first_shapes(models: tuple[Model, ...], with_power_of_2: bool) -> Shapes:
    simple = _simple_shapes(models, with_power_of_2)
    return np.concatenate([simple, power_shapes(_COARSE)], axis=1)


def _narrowed(points: Observations, powers: Laws) -> Steps[Laws]:
    """n^c with exponents ever closer to the best."""
    for width in _WIDTHS:
        near = {
            c
            for best in likeliest_of_each(powers)[EXPONENT].tolist()
            for c in (best + width * max(1.0, best / 2) * _AROUND).tolist()
            if _LEAST_EXPONENT < c < _LARGEST_EXPONENT
        }
        closer = yield from fit_shapes(points, power_shapes(sorted(near)))
        powers = np.concatenate([powers, closer], axis=1)
    return powers


def _leeway(powers: Laws, best: Candidate) -> float:
    """That of the exponent of the likeliest with an intercept, or without, by the trapezoidal rule."""
    alike = powers[:, powers[WITH_INTERCEPT] == best.with_intercept]
    alike = alike[:, np.argsort(alike[EXPONENT], kind="stable")]
    relative = np.exp(alike[LIKELIHOOD] - best.likelihood)
    steps = np.diff(alike[EXPONENT])
    return max(float(steps @ (relative[1:] + relative[:-1])) / 2, _LEAST_LEEWAY)
