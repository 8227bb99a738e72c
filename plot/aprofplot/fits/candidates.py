"""All models fitted to the same observations, and compared by AICc."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from aprofplot.fits.law import Law
from aprofplot.fits.observations import Observations
from aprofplot.fits.shapes import (
    LARGEST_EXPONENT_OF_2,
    Model,
    growth,
    log_shape,
    log_shapes,
)
from aprofplot.fits.solver import ROUNDS, Solutions, log_likelihood, solve
from aprofplot.metrics import Floats

# Added to the criterion of all but 1: nine laws may each take noise for growth. 2 ln 9.
HANDICAP_OF_GROWTH = 4.4
# Added to that of shifted laws: the usual ones are to be preferred.
HANDICAP_OF_SHIFT = 4.0
Shape = tuple[Model, float, float]  # with its exponent and shift
# Exponents of n^c to try first, then those around the best, ever closer.
_COARSE = np.array(
    [0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.15, 1.35, 1.65, 1.85, 2.2, 2.6, 3.3, 4.0, 5.0]
)
_WIDTHS = (0.1, 0.02)
_AROUND = np.array([-0.75, -0.5, -0.25, 0.25, 0.5, 0.75])
_LEAST_EXPONENT, _LARGEST_EXPONENT = 0.05, 6.0
_LEAST_LEEWAY = 1e-6  # also if only one exponent could be fitted
# Twice the likelihood that a simple law may lack, for which exponents need not be tried closer.
_NOTHING_TO_GAIN = 6.0


@dataclass(frozen=True, eq=False)
class Candidate:
    """A model's best law. `likelihood`: logarithm; `parameters`: those fitted, the scatter's
    variance included; `intercept`, `factor` of the shape that is 1 at the largest size. `leeway`:
    of the exponent of n^c, the integral of the likelihood over it in units of the largest; else 1.
    `shift`: of the shape along the sizes.
    """

    model: Model
    exponent: float
    with_intercept: bool
    intercept: float
    factor: float
    scatter: float
    likelihood: float
    parameters: int
    leeway: float = 1.0
    shift: float = 0.0

    def criterion(self, count: int, independence: float, corrected: bool) -> float:
        """Akaike's information criterion of `count` observations, corrected for their fewness
        (AICc) or not, with the model's handicap. `independence`, 0..1: the share of observations
        that the others do not foretell.

        The exponents of a unit interval are together as likely beforehand as a simple law, so that
        n^c has its mean likelihood over one: the less the points leave open, the less there is. That
        is its penalty; in AICc the exponent counts as a parameter, too, since names are preferred.
        """
        spare = count - self.parameters - 1
        if corrected and spare <= 0:
            return float("inf")
        leeway = min(self.leeway / math.sqrt(independence), 1.0)
        penalty = self.parameters - math.log(leeway)
        if corrected:
            penalty += self.parameters * (self.parameters + 1) / spare
        elif self.model == "n^c":
            penalty -= 1
        handicap = 0 if self.model == "1" else HANDICAP_OF_GROWTH
        handicap += HANDICAP_OF_SHIFT if self.shift else 0
        return 2 * (penalty - independence * self.likelihood) + handicap

    def law(self, largest: float) -> Law:
        """`largest`: the size at which the shape was 1."""
        if self.model == "1":
            return Law("1", self.factor, 0.0)
        at_largest = log_shape(self.model, self.exponent, np.array([largest - self.shift]))[0]
        factor = float(np.exp(np.log(max(self.factor, 1e-300)) - at_largest))
        return Law(self.model, self.intercept, factor, self.exponent, self.shift)


def fit_candidates(points: Observations) -> list[Candidate]:
    """The candidates of every model, with intercept and without: one for each."""
    found = fit_shapes(points, [*_simple(points), *(_power(float(c)) for c in _COARSE)])
    powers = [c for c in found if c.model == "n^c"]
    found = [c for c in found if c.model != "n^c"]
    # The likelihood of a law that is never off.
    most = log_likelihood(np.zeros(len(points)), points.variance)
    if 2 * (most - max(c.likelihood for c in found)) > _NOTHING_TO_GAIN:
        powers = _narrowed(points, powers)
    return found + [replace(c, leeway=_leeway(c, powers)) for c in likeliest_of_each(powers)]


def fit_simple(points: Observations) -> list[Candidate]:
    """The same without n^c."""
    return fit_shapes(points, _simple(points))


def fit_shapes(points: Observations, shapes: list[Shape], rounds: int = ROUNDS) -> list[Candidate]:
    """Each of them without an intercept and, but for 1, with one; all at once."""
    values = _values(shapes, points.sizes)
    growing = [row for row, shape in enumerate(shapes) if shape[0] != "1"]
    rows = [*range(len(shapes)), *growing]
    with_intercept = np.arange(len(rows)) >= len(shapes)
    found = solve(points, values[rows], with_intercept, rounds)
    candidates = [
        _candidate(shapes[row], bool(with_intercept[index]), found, index)
        for index, row in enumerate(rows)
    ]
    return [c for c in candidates if np.isfinite(c.likelihood)]


def likeliest_of_each(candidates: list[Candidate]) -> list[Candidate]:
    """Of each model without an intercept, and with one."""
    best: dict[tuple[Model, bool], Candidate] = {}
    for candidate in candidates:
        kind = candidate.model, candidate.with_intercept
        if kind not in best or candidate.likelihood > best[kind].likelihood:
            best[kind] = candidate
    return list(best.values())


def shape_at_points(candidate: Candidate, points: Observations) -> Floats:
    """The candidate's shape, 1 at the largest size."""
    shape = candidate.model, candidate.exponent, candidate.shift
    return np.asarray(_values([shape], points.sizes)[0], dtype=np.float64)


def errors(candidate: Candidate, points: Observations) -> Floats:
    """Log of the cost less that of the law."""
    cost = candidate.intercept + candidate.factor * shape_at_points(candidate, points)
    return np.asarray(points.log_cost - np.log(cost), dtype=np.float64)


def _simple(points: Observations) -> list[Shape]:
    with_power_of_2 = points.sizes[-1] <= LARGEST_EXPONENT_OF_2
    return [(m, 0.0, 0.0) for m in points.models if m != "2^n" or with_power_of_2]


def _power(exponent: float) -> Shape:
    return "n^c", exponent, 0.0


def _values(shapes: list[Shape], sizes: Floats) -> Floats:
    """A row for each, 1 at the largest size."""
    shifts = np.array([shift for _, _, shift in shapes])
    growths = np.array([growth(model, exponent) for model, exponent, _ in shapes])
    logs = log_shapes(growths, sizes - shifts[:, None])
    return np.asarray(np.exp(logs - logs[:, -1:]), dtype=np.float64)


def _narrowed(points: Observations, found: list[Candidate]) -> list[Candidate]:
    """n^c with exponents ever closer to the best."""
    for width in _WIDTHS:
        near = {
            float(c)
            for best in likeliest_of_each(found)
            for c in best.exponent + width * max(1.0, best.exponent / 2) * _AROUND
            if _LEAST_EXPONENT < c < _LARGEST_EXPONENT
        }
        found = found + fit_shapes(points, [_power(c) for c in sorted(near)])
    return found


def _leeway(best: Candidate, powers: list[Candidate]) -> float:
    """That of the exponent, by the trapezoidal rule."""
    alike = [c for c in powers if c.with_intercept == best.with_intercept]
    alike.sort(key=lambda c: c.exponent)
    relative = np.exp([c.likelihood - best.likelihood for c in alike])
    return max(float(np.trapz(relative, [c.exponent for c in alike])), _LEAST_LEEWAY)


def _candidate(shape: Shape, with_intercept: bool, found: Solutions, index: int) -> Candidate:
    model, exponent, shift = shape
    return Candidate(
        model,
        exponent,
        with_intercept,
        float(found.intercept[index]),
        float(found.factor[index]),
        float(found.scatter[index]),
        float(found.likelihood[index]),
        2 + with_intercept + (model == "n^c") + (shift != 0),
        shift=shift,
    )
