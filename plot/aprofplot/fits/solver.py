"""Fits many laws to the same observations at once: robust, relative errors, batched in numpy.

The logarithm of the cost is taken to be that of the law, with errors of Student's t distribution
with 4 degrees of freedom (outliers count little), whose variance is what the points tell of
themselves and `scatter`, which is fitted, too: how far the law itself is off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aprofplot.fits.observations import Observations
from aprofplot.metrics import Floats

TAIL = 4.0  # degrees of freedom
ROUNDS = 9  # 20 change 5 verdicts of 1540 in tests/plot/test_fits_rates.py
# Intercepts to begin with, in units of the growing part at the largest size.
_STARTS = np.array([0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0])
_NEGATIVE_STARTS = np.array([-0.9, -0.6, -0.3, 0.0])  # in units of it at the smallest

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Solutions:
    """A row for each law: cost = intercept + factor * shape, where shape is 1 at the largest size.
    `likelihood`: the logarithm of the largest; -inf where a law gives no cost for some size.
    """

    intercept: Floats
    factor: Floats
    scatter: Floats
    likelihood: Floats


def solve(
    points: Observations, shapes: Floats, with_intercept: Flags, rounds: int = ROUNDS
) -> Solutions:
    """Fits a law for each row of `shapes` (laws x points, 1 at the largest size)."""
    possible = with_intercept | (shapes.min(axis=1) > 0)
    shapes = np.where(possible[:, None], shapes, 1.0)
    intercept, factor, scatter = _start(points, shapes, with_intercept)
    for _ in range(rounds):
        cost = intercept[:, None] + factor[:, None] * shapes
        error = points.log_cost - np.log(cost)
        variance = scatter[:, None] + points.variance
        tail = (TAIL + 1) / (TAIL + error**2 / variance)
        step = _step(error, tail / variance, cost, shapes, with_intercept)
        intercept, factor = _damped(intercept, factor, step, cost, shapes)
        excess = (tail * error**2 - variance) / variance**2
        scatter = np.maximum(scatter + excess.sum(axis=1) / (variance**-2).sum(axis=1), 0.0)
    cost = intercept[:, None] + factor[:, None] * shapes
    likelihood = log_likelihood(points.log_cost - np.log(cost), scatter[:, None] + points.variance)
    return Solutions(intercept, factor, scatter, np.where(possible, likelihood, -np.inf))


def log_likelihood(error: Floats, variance: Floats) -> Floats:
    """Up to a constant, over the last axis."""
    terms = (TAIL + 1) / 2 * np.log1p(error**2 / (TAIL * variance)) + np.log(variance) / 2
    return np.asarray(-terms.sum(axis=-1), dtype=np.float64)


def _start(
    points: Observations, shapes: Floats, with_intercept: Flags
) -> tuple[Floats, Floats, Floats]:
    """Of some intercepts the one with the least median error, by law."""
    least = shapes.min(axis=1)[:, None]
    tried = np.concatenate(
        [
            _NEGATIVE_STARTS * least,
            np.broadcast_to(_STARTS, (len(shapes), len(_STARTS))),
        ],
        axis=1,
    )
    zero = len(_NEGATIVE_STARTS) - 1
    if least.min() <= 0:  # a law without a negative intercept: cost 0 at size 0
        tried[:, : zero + 1] = np.where(least > 0, tried[:, : zero + 1], _STARTS[0])
    tried = np.where(with_intercept[:, None], tried, 0.0)
    ratio = points.log_cost - np.log(tried[:, :, None] + shapes[:, None, :])
    middle = ratio.shape[2] // 2
    # np.median has several times the overhead.
    centre = np.partition(ratio, middle, axis=2)[:, :, middle]
    apart = np.abs(ratio - centre[:, :, None])
    error = np.partition(apart, middle, axis=2)[:, :, middle]
    best = (error + 0.1 * np.minimum(apart.mean(axis=2), 10 * error)).argmin(axis=1)
    rows = np.arange(len(shapes))
    factor = np.exp(centre[rows, best])
    return tried[rows, best] * factor, factor, (1.4826 * error[rows, best]) ** 2


def _step(
    error: Floats, weight: Floats, cost: Floats, shapes: Floats, with_intercept: Flags
) -> tuple[Floats, Floats]:
    """A Gauss-Newton step of intercept and factor."""
    by_intercept = np.where(with_intercept[:, None], 1 / cost, 0.0)
    by_factor = shapes / cost
    weighted, weighted_error = weight * by_intercept, weight * error
    aa = _row_sums(weighted, by_intercept) + ~with_intercept
    ab = _row_sums(weighted, by_factor)
    bb = _row_sums(weight * by_factor, by_factor)
    ae, be = _row_sums(weighted_error, by_intercept), _row_sums(weighted_error, by_factor)
    determinant = np.maximum(aa * bb - ab**2, 1e-12 * aa * bb + 1e-290)
    return (bb * ae - ab * be) / determinant, (aa * be - ab * ae) / determinant


def _row_sums(one: Floats, other: Floats) -> Floats:
    """Of their products."""
    return np.asarray(np.einsum("ij,ij->i", one, other), dtype=np.float64)


def _damped(
    intercept: Floats,
    factor: Floats,
    step: tuple[Floats, Floats],
    cost: Floats,
    shapes: Floats,
) -> tuple[Floats, Floats]:
    """The step, or so much of it that costs stay positive; a factor is not negative."""
    change = (step[0][:, None] + step[1][:, None] * shapes) / cost
    fall = 0.7 / np.maximum(-change.min(axis=1), 1e-9)
    rise = 2.0 / np.maximum(change.max(axis=1), 1e-9)
    length = np.minimum(1.0, np.minimum(fall, rise))
    new_factor = factor + length * step[1]
    return intercept + length * step[0], np.maximum(new_factor, 0.0)
