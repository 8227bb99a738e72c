"""All models fitted to the same observations, and compared by AICc."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprofplot.fits.law import Law
from aprofplot.fits.observations import Observations
from aprofplot.fits.shapes import LARGEST_EXPONENT_OF_2, SIMPLE, Model, log_shape
from aprofplot.fits.solver import Solutions, log_likelihood, solve
from aprofplot.metrics import Floats

# Added to the AICc of n^c: it wins only where no simple law is nearly as good.
HANDICAP_OF_POWER = 6.0
# Added to that of all but 1: nine laws may each take noise for growth. 2 ln 9.
HANDICAP_OF_GROWTH = 4.4
# Exponents of n^c to try first, then those around the best, ever closer.
_COARSE = np.array(
    [0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.15, 1.35, 1.65, 1.85, 2.2, 2.6, 3.3, 4.0, 5.0]
)
_WIDTHS = (0.1, 0.02)
_AROUND = np.array([-0.75, -0.5, -0.25, 0.25, 0.5, 0.75])
_LEAST_EXPONENT, _LARGEST_EXPONENT = 0.05, 6.0


@dataclass(frozen=True, eq=False)
class Candidate:
    """A model's best law. `likelihood`: logarithm; `parameters`: those fitted, the scatter's
    variance included; `intercept`, `factor` of the shape that is 1 at the largest size."""

    model: Model
    exponent: float
    with_intercept: bool
    intercept: float
    factor: float
    scatter: float
    likelihood: float
    parameters: int

    def criterion(self, count: int, independence: float, corrected: bool) -> float:
        """Akaike's information criterion of `count` observations, corrected for their fewness
        (AICc) or not, with the model's handicap. `independence`, 0..1: the share of observations
        that the others do not foretell."""
        spare = count - self.parameters - 1
        if corrected and spare <= 0:
            return float("inf")
        correction = (self.parameters + 1) / spare if corrected else 0.0
        handicap = HANDICAP_OF_POWER if self.model == "n^c" else 0.0
        handicap += 0 if self.model == "1" else HANDICAP_OF_GROWTH
        return 2 * (self.parameters * (1 + correction) - independence * self.likelihood) + handicap

    def law(self, largest: float) -> Law:
        """`largest`: the size at which the shape was 1."""
        if self.model == "1":
            return Law("1", self.factor, 0.0)
        at_largest = log_shape(self.model, self.exponent, np.array([largest]))[0]
        factor = float(np.exp(np.log(max(self.factor, 1e-300)) - at_largest))
        return Law(self.model, self.intercept, factor, self.exponent)


def fit_candidates(points: Observations) -> list[Candidate]:
    """The candidates of every model, with intercept and without: one for each."""
    found = _fit(points, [*_simple(points), *(("n^c", float(c)) for c in _COARSE)])
    powers = [c for c in found if c.model == "n^c"]
    found = [c for c in found if c.model != "n^c"]
    # The likelihood of a law that is never off.
    most = log_likelihood(np.zeros(len(points)), points.variance)
    if 2 * (most - max(c.likelihood for c in found)) > HANDICAP_OF_POWER:
        powers = _narrowed(points, powers)
    return found + _likeliest_of_each(powers)


def fit_simple(points: Observations) -> list[Candidate]:
    """The same without n^c."""
    return _fit(points, _simple(points))


def shape_at_points(candidate: Candidate, points: Observations) -> Floats:
    """The candidate's shape, 1 at the largest size."""
    return _shape(candidate.model, candidate.exponent, points.sizes)


def errors(candidate: Candidate, points: Observations) -> Floats:
    """Log of the cost less that of the law."""
    cost = candidate.intercept + candidate.factor * shape_at_points(candidate, points)
    return np.asarray(points.log_cost - np.log(cost), dtype=np.float64)


def _simple(points: Observations) -> list[tuple[Model, float]]:
    with_power_of_2 = points.sizes[-1] <= LARGEST_EXPONENT_OF_2
    return [(m, 0.0) for m in SIMPLE if m != "2^n" or with_power_of_2]


def _shape(model: Model, exponent: float, sizes: Floats) -> Floats:
    logs = log_shape(model, exponent, sizes)
    return np.asarray(np.exp(logs - logs[-1]), dtype=np.float64)


def _narrowed(points: Observations, found: list[Candidate]) -> list[Candidate]:
    """n^c with exponents ever closer to the best."""
    for width in _WIDTHS:
        near = {
            float(c)
            for best in _likeliest_of_each(found)
            for c in best.exponent + width * max(1.0, best.exponent / 2) * _AROUND
            if _LEAST_EXPONENT < c < _LARGEST_EXPONENT
        }
        found = found + _fit(points, [("n^c", c) for c in sorted(near)])
    return found


def _likeliest(candidates: list[Candidate], with_intercept: bool) -> list[Candidate]:
    """The likeliest of a kind; none if there is none."""
    of_kind = [c for c in candidates if c.with_intercept == with_intercept]
    return [max(of_kind, key=lambda c: c.likelihood)] if of_kind else []


def _likeliest_of_each(candidates: list[Candidate]) -> list[Candidate]:
    return _likeliest(candidates, False) + _likeliest(candidates, True)


def _fit(
    points: Observations,
    models: list[tuple[Model, float]],
    intercepts: tuple[bool, ...] = (False, True),
) -> list[Candidate]:
    shapes = {model: _shape(*model, points.sizes) for model in models}
    rows = [(m, c, i) for i in intercepts for m, c in models if not (i and m == "1")]
    matrix = np.array([shapes[model, exponent] for model, exponent, _ in rows])
    found = solve(points, matrix, np.array([i for _, _, i in rows], dtype=bool))
    candidates = [_candidate(row, found, index) for index, row in enumerate(rows)]
    return [c for c in candidates if np.isfinite(c.likelihood)]


def _candidate(row: tuple[Model, float, bool], found: Solutions, index: int) -> Candidate:
    model, exponent, with_intercept = row
    return Candidate(
        model,
        float(exponent),
        with_intercept,
        float(found.intercept[index]),
        float(found.factor[index]),
        float(found.scatter[index]),
        float(found.likelihood[index]),
        2 + with_intercept + (model == "n^c"),
    )
