"""One break: a law for small sizes, another beyond, as at a cut-off or a buffer's size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from aprofplot.fits.candidates import Candidate, errors, fit_simple
from aprofplot.fits.choosing import Choice
from aprofplot.fits.observations import Observations
from aprofplot.fits.systematic import is_systematic, squared
from aprofplot.metrics import FEW_SIZES, Floats

CLEARLY = 10.0  # the AICc with a break is at least so much less than without ...
SHARPER = 0.5  # ... and the errors are at most so much of those without
_PROMISING = 0.7  # no break is looked for where two straight log-log lines leave more than this of squared errors
_TRIED = 4  # breaks, of those where two lines do best


@dataclass(frozen=True, eq=False)
class _Split:
    """A break before observation `index`, the AICc of the two laws together, and their mean squared
    error."""

    index: int
    criterion: float
    squared: float


def find_break(points: Observations, single: Choice) -> int | None:
    """The index of the first observation beyond a break that clearly improves on the one law;
    FEW_SIZES observations or more are on each side. None if there is no such break."""
    chosen = single.candidate
    last = len(points) - FEW_SIZES
    error = errors(chosen, points)
    if last < FEW_SIZES or not is_systematic(error):
        return None
    weight = 1 / (chosen.scatter + points.variance)
    left = _left_by_two_lines(points, weight)
    if left.min() > _PROMISING * float((weight * error**2).sum()):
        return None
    splits = [_split(points, FEW_SIZES + int(i)) for i in np.argsort(left)[:_TRIED]]
    best = min(splits, key=lambda split: split.criterion)
    gain = chosen.criterion(len(points), 1.0, corrected=True) - best.criterion
    if gain < CLEARLY or best.squared > SHARPER**2 * squared(error):
        return None
    return best.index


def _left_by_two_lines(points: Observations, weight: Floats) -> Floats:
    """Squared errors, weighted, of a straight line through the points before each possible break
    and another beyond, on log-log axes; from index FEW_SIZES on."""
    x, y = np.log(np.maximum(points.sizes, 0.5)), points.log_cost
    x, y = x - x.mean(), y - y.mean()
    moments = np.cumsum(weight * np.array([np.ones(len(x)), x, y, x * x, x * y, y * y]), axis=1)
    before = moments[:, FEW_SIZES - 1 : len(x) - FEW_SIZES]
    return _left_by_line(before) + _left_by_line(moments[:, -1:] - before)


def _left_by_line(moments: Floats) -> Floats:
    total, x, y, xx, xy, yy = moments
    spread = np.maximum(xx - x * x / total, 1e-12 * total)
    common = xy - x * y / total
    return np.asarray(np.maximum(yy - y * y / total - common**2 / spread, 0), dtype=np.float64)


def _split(points: Observations, index: int) -> _Split:
    sides = points.part(0, index), points.part(index, len(points))
    best = [_best(fit_simple(side), len(side)) for side in sides]
    parameters = sum(c.parameters for c in best) + 1
    spare = len(points) - parameters - 1
    penalty = 2 * parameters * (1 + (parameters + 1) / spare) if spare > 0 else float("inf")
    likelihood = sum(c.likelihood for c in best)
    error = np.concatenate([errors(c, side) for c, side in zip(best, sides)])
    return _Split(index, penalty - 2 * likelihood, squared(error))


def _best(candidates: Sequence[Candidate], count: int) -> Candidate:
    return min(candidates, key=lambda c: c.criterion(count, 1.0, corrected=True))
