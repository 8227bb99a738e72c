"""One break: a law for small sizes, another beyond, as at a cut-off or a buffer's size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprofplot.fits.candidates import (
    candidate_of,
    criterion,
    errors,
    simple_problem,
)
from aprofplot.fits.choosing import Choice
from aprofplot.fits.law_table import Laws
from aprofplot.fits.observations import Observations
from aprofplot.fits.together import Steps
from aprofplot.metrics import FEW_SIZES, Floats

CLEARLY = 10.0  # the AICc with a break is at least so much less than without ...
SHARPER = 0.5  # ... and the errors are at most so much of those without
_PROMISING = 0.7  # no break is looked for where two straight log-log lines leave more than this of squared errors
_TRIED = 4  # breaks, of those where two lines do best


@dataclass(frozen=True, eq=False)
class _Split:
    """A break before observation `index`, the AICc of the two laws together, and their mean squared
    error, bounded as that of one."""

    index: int
    criterion: float
    bounded: float


def find_break(points: Observations, single: Choice) -> Steps[int | None]:
    """The index of the first observation beyond a break that clearly improves on the one law;
    FEW_SIZES observations or more are on each side. None if there is no such break."""
    chosen = single.candidate
    last = len(points) - FEW_SIZES
    if last < FEW_SIZES or not chosen.is_systematic:
        return None
    error = errors(chosen, points)
    weight = 1 / (chosen.scatter + points.variance)
    left = _left_by_two_lines(points, weight)
    if left.min() > _PROMISING * float((weight * error**2).sum()):
        return None
    indices = (FEW_SIZES + np.argsort(left)[:_TRIED]).tolist()
    sides = [(points.part(0, i), points.part(i, len(points))) for i in indices]
    found = yield [simple_problem(side) for both in sides for side in both]
    splits = [
        _split(len(points), index, laws)
        for index, laws in zip(indices, zip(found[::2], found[1::2]))
    ]
    best = min(splits, key=lambda split: split.criterion)
    gain = single.criterion - best.criterion
    if gain < CLEARLY or best.bounded > SHARPER**2 * chosen.bounded:
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


def _split(count: int, index: int, laws: tuple[Laws, Laws]) -> _Split:
    """`laws`: those fitted to the observations before number `index` of `count`, and from it on."""
    counts = index, count - index
    best = [
        candidate_of(found, int(criterion(found, n).argmin())) for found, n in zip(laws, counts)
    ]
    parameters = sum(c.parameters for c in best) + 1
    spare = count - parameters - 1
    penalty = 2 * parameters * (1 + (parameters + 1) / spare) if spare > 0 else float("inf")
    likelihood = sum(c.likelihood for c in best)
    bounded = sum(c.bounded * n for c, n in zip(best, counts)) / count
    return _Split(index, penalty - 2 * likelihood, bounded)
