"""All models fitted to the same observations, and compared by AICc."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from aprofplot.fits.law import Law
from aprofplot.fits.observations import Observations
from aprofplot.fits.shapes import (
    CONSTANT,
    EXPONENT,
    FREE,
    LARGEST_EXPONENT_OF_2,
    MODEL,
    MODELS,
    POWER,
    SHIFT,
    Model,
    Shapes,
    free_shapes,
    log_shape,
    simple_shapes,
)
from aprofplot.fits.solver import (
    LEEWAY,
    LIKELIHOOD,
    PARAMETERS,
    WITH_INTERCEPT,
    Laws,
    Problem,
    laws_of,
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
# Of bases, whose effect on the cost of a large size is great.
_WIDTHS_OF_BASE = (0.05, 0.01, 0.002)
_AROUND_LINE = (0.7, 0.85, 0.93, 1.0, 1.07, 1.15, 1.3)
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


def candidate_of(laws: Laws, number: int) -> Candidate:
    """That one of them."""
    model, *numbers = laws[:, number].tolist()
    return Candidate(MODELS[int(model)], *numbers)


def criterion(laws: Laws, count: int, independence: float = 1.0) -> Floats:
    """The first of criteria()."""
    return criteria(laws, count, independence)[0]


def criteria(laws: Laws, count: int, independence: float = 1.0) -> tuple[Floats, Floats]:
    """Akaike's information criterion of `count` observations, corrected for their fewness (AICc) and
    not, with each model's handicap. `independence`, 0..1: the share of observations that the others do
    not foretell.

    The exponents of a unit interval, and the binary logarithms of bases, are together as likely
    beforehand as a simple law, so that n^c and c^n have their mean likelihood over one: the less the
    points leave open, the less there is. That is their penalty; in AICc the exponent counts as a
    parameter, too, since names are preferred.
    """
    parameters, models = laws[PARAMETERS], laws[MODEL]
    leeway = np.log(np.minimum(laws[LEEWAY] / math.sqrt(independence), 1.0))
    plain = 2 * (parameters - leeway - independence * laws[LIKELIHOOD])
    plain += HANDICAP_OF_GROWTH * (models != CONSTANT) + HANDICAP_OF_SHIFT * (laws[SHIFT] != 0)
    spare = count - 1 - parameters
    few = 2 * parameters * (parameters + 1) / np.maximum(spare, 1.0)
    few[spare <= 0] = np.inf
    return plain + few, plain - 2 * (models >= POWER)


def fit_candidates(points: Observations) -> Steps[Laws]:
    """The candidates of every model, with intercept and without: one for each."""
    found = yield from fit_laws(points, _first_laws(points.models, _allows_2_to_n(points)))
    is_power = found[MODEL] == POWER
    simple, powers = found[:, ~is_power], found[:, is_power]
    # The likelihood of a law that is never off.
    most = log_likelihood(np.zeros(len(points)), points.variance).sum()
    may_gain = 2 * (most - simple[LIKELIHOOD].max()) > _NOTHING_TO_GAIN
    if may_gain:
        powers = yield from _narrowed(points, powers, _WIDTHS)
    best = _best_of(powers)
    if may_gain and "c^n" in points.models and _allows_2_to_n(points):
        first = laws_of(free_shapes("c^n", _doublings(points)))
        exponentials = yield from fit_laws(points, first)
        exponentials = yield from _narrowed(points, exponentials, _WIDTHS_OF_BASE)
        best = np.concatenate([best, _best_of(exponentials)], axis=1)
    return np.concatenate([simple, best], axis=1)


def _best_of(free: Laws) -> Laws:
    """Of one model with a parameter."""
    best = likeliest_of_each(free)
    best[LEEWAY] = [_leeway(free, one) for one in best.T]
    return best


def _doublings(points: Observations) -> list[float]:
    """Binary logarithms of bases to try first: around that of the line through the larger half."""
    x, y = (values[len(points) // 2 :] for values in (points.sizes, points.log_cost))
    slope = float(np.polyfit(x, y, 1)[0]) / math.log(2)
    return [max(slope, _LEAST_EXPONENT) * factor for factor in _AROUND_LINE]


def simple_problem(points: Observations) -> Problem:
    """All models but n^c."""
    return Problem(points, _simple_laws(points.models, _allows_2_to_n(points)))


def fit_laws(points: Observations, laws: Laws, is_near: bool = False) -> Steps[Laws]:
    """See Problem."""
    (found,) = yield [Problem(points, laws, is_near)]
    return np.asarray(found)


def likeliest_of_each(laws: Laws) -> Laws:
    """Of each model without an intercept, and with one."""
    order = np.argsort(-laws[LIKELIHOOD], kind="stable")[::-1]
    kinds = 2 * laws[MODEL] + laws[WITH_INTERCEPT]
    best = dict(zip(kinds[order].tolist(), order.tolist()))  # the last of each
    return laws[:, list(best.values())]


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
def _simple_laws(models: tuple[Model, ...], with_power_of_2: bool) -> Laws:
    return laws_of(_simple_shapes(models, with_power_of_2))


@lru_cache
def _first_laws(models: tuple[Model, ...], with_power_of_2: bool) -> Laws:
    simple = _simple_shapes(models, with_power_of_2)
    return laws_of(np.concatenate([simple, free_shapes("n^c", _COARSE)], axis=1))


def _simple_shapes(models: tuple[Model, ...], with_power_of_2: bool) -> Shapes:
    return simple_shapes(m for m in models if m not in FREE and (m != "2^n" or with_power_of_2))


def _narrowed(points: Observations, powers: Laws, widths: Sequence[float]) -> Steps[Laws]:
    """n^c or c^n with exponents ever closer to the best."""
    for width in widths:
        best = likeliest_of_each(powers)
        near = np.repeat(best, len(_AROUND), axis=1)
        apart = width * np.maximum(best[EXPONENT], 2.0) / 2
        near[EXPONENT] = (best[EXPONENT] + apart * _AROUND[:, None]).T.ravel()
        possible = (near[EXPONENT] > _LEAST_EXPONENT) & (near[EXPONENT] < _LARGEST_EXPONENT)
        closer = yield from fit_laws(points, near[:, possible], is_near=True)
        powers = np.concatenate([powers, closer], axis=1)
    return powers


def _leeway(powers: Laws, best: Laws) -> float:
    """That of the exponent of the likeliest with an intercept, or without, by the trapezoidal rule."""
    alike = powers[:, powers[WITH_INTERCEPT] == best[WITH_INTERCEPT]]
    alike = alike[:, np.argsort(alike[EXPONENT], kind="stable")]
    relative = np.exp(alike[LIKELIHOOD] - best[LIKELIHOOD])
    steps = np.diff(alike[EXPONENT])
    return max(float(steps @ (relative[1:] + relative[:-1])) / 2, _LEAST_LEEWAY)
