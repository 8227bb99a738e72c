"""Robust regressions of many laws at once, with and without an intercept, on a logarithmic axis of costs.

The logarithm of the cost is taken to be that of the law, with errors of Student's t distribution
with 4 degrees of freedom (outliers count little), whose variance is what the points tell of
themselves and `scatter`, which is fitted, too: how far the law itself is off.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aprofplot.fits.law_table import FACTOR, INTERCEPT, SCATTER, Laws
from aprofplot.fits.padding import Indices, Padded, upper_medians
from aprofplot.metrics import Floats

TAIL = 4.0  # degrees of freedom
MOST_OFF = 0.5  # a factor of e^0.5 = 1.6
ROUNDS = 9  # 20 change 5 verdicts of 1540 in tests/plot/test_fits_rates.py
ROUNDS_OF_NEAR = 6  # 9 leave the rates there as they are
# Intercepts to begin with, in units of the growing part at the largest size ...
_STARTS = (0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0)
_NEGATIVE_STARTS = (-0.9, -0.6, -0.3, 0.0)  # ... and at the smallest
_ENOUGH = 24  # points to choose a start by

LARGEST_FALL, LARGEST_RISE = 0.7, 2.0  # of a cost in a step, relative to it


def log_likelihood(error: Floats, variance: Floats) -> Floats:
    """Of each point, up to a constant."""
    terms = (TAIL + 1) / 2 * np.log1p(error**2 / (TAIL * variance)) + np.log(variance) / 2
    return np.asarray(-terms, dtype=np.float64)


def student_weight(error: Floats, known: Floats) -> Floats:
    """What each observation counts; `known` is the inverse of its variance."""
    return np.asarray((TAIL + 1) * known / (TAIL + error**2 * known), dtype=np.float64)


class _Points:
    """Those that each of many laws is fitted to: a column for each law, padded. Results are written in
    place: temporary arrays cost half as much again."""

    def __init__(self, padded: Padded, table: Indices) -> None:
        # Indexing would leave each law's points side by side.
        self.log_cost, self.variance, self.real, self.aside = (
            whole.take(table, axis=1)
            for whole in (padded.log_cost, padded.variance, padded.real, padded.aside)
        )
        self.counts = padded.counts[table]
        self._most = (TAIL + 1) * self.real
        self._variance, self._known, self._square = _apart(3, self.real.shape)

    def centre(self, values: Floats) -> tuple[Floats, Floats]:
        """The median of each column, and that of how far its numbers are from it; of two, the upper."""
        middle = upper_medians(values, self.aside)
        return middle, upper_medians(np.abs(values - middle), self.aside)

    def weigh(self, error: Floats, scatter: Floats, weight: Floats) -> Floats:
        """Writes what each observation counts, by its error, to `weight`; returns the scatter that the
        errors make likelier."""
        variance = np.add(self.variance, scatter, out=self._variance)
        known = np.divide(self.real, variance, out=self._known)
        square = np.multiply(error, error, out=self._square)
        variance *= TAIL
        variance += square
        np.divide(self._most, variance, out=weight)
        square *= weight
        excess = sums(square, known) - known.sum(axis=0)
        likelier = scatter + excess / sums(known, known)
        return np.asarray(np.maximum(likelier, 0.0))

    def fitted(self, intercept: Floats, factor: Floats, scatter: Floats, error: Floats) -> Floats:
        """The numbers of the laws from INTERCEPT on."""
        likelihood = log_likelihood(error, scatter + self.variance)
        error = error * self.real
        bounded = np.clip(error, -MOST_OFF, MOST_OFF)
        total = sums(bounded, bounded)
        together = sums(bounded[1:], bounded[:-1])
        return np.stack(
            [
                intercept,
                factor,
                scatter,
                sums(likelihood, self.real),
                sums(error, error) / self.counts,
                total / self.counts,
                together / np.maximum(total, 1e-290),
            ]
        )


def without_intercept(padded: Padded, table: Indices, logs: Floats, near: Laws | None) -> Floats:
    """`logs`: of the shapes. What is fitted is where the logarithms of cost / shape lie."""
    points = _Points(padded, table)
    ratio = points.log_cost - logs
    if near is None:
        log_factor, off = points.centre(ratio)
        scatter = _first_scatter(off)
    else:
        log_factor, scatter = np.log(near[FACTOR]), near[SCATTER]
    error = ratio - log_factor
    weight = np.empty(error.shape)
    for _ in range(ROUNDS if near is None else ROUNDS_OF_NEAR):
        scatter = points.weigh(error, scatter, weight)
        change = sums(weight, error) / weight.sum(axis=0)
        log_factor = log_factor + np.log1p(np.clip(change, -LARGEST_FALL, LARGEST_RISE))
        np.subtract(ratio, log_factor, out=error)
    return points.fitted(np.zeros(len(scatter)), np.exp(log_factor), scatter, error)


def with_intercept(padded: Padded, table: Indices, logs: Floats, near: Laws | None) -> Floats:
    """By Gauss and Newton."""
    points = _Points(padded, table)
    shapes = np.exp(logs, out=logs)
    if near is None:
        some, rows = padded.thinned(_ENOUGH)
        of_some = np.take_along_axis(shapes, rows.take(table, axis=1), axis=0)
        start = _start(_Points(some, table), of_some)
        log_factor, off = points.centre(points.log_cost - np.log(shapes + start))
        factor, scatter = np.exp(log_factor), _first_scatter(off)
        intercept = start * factor
    else:
        intercept, factor, scatter = near[[INTERCEPT, FACTOR, SCATTER]]
        intercept = np.maximum(intercept, factor * least_intercepts(shapes[0]))
    cost, error, weight = _apart(3, shapes.shape)
    for _ in range(ROUNDS if near is None else ROUNDS_OF_NEAR):
        np.multiply(factor, shapes, out=cost)
        cost += intercept
        np.subtract(points.log_cost, np.log(cost, out=error), out=error)
        scatter = points.weigh(error, scatter, weight)
        intercept, factor = _stepped(intercept, factor, shapes, cost, error, weight)
    error = points.log_cost - np.log(intercept + factor * shapes)
    return points.fitted(intercept, factor, scatter, error)


def _start(points: _Points, shapes: Floats) -> Floats:
    """Of some intercepts, in units of the growing part at the largest size, the one with the least median
    error, by law."""
    least = shapes[0]
    # No negative intercept where the cost would be 0 at size 0.
    tried = [np.where(least > 0, start * least, _STARTS[0]) for start in _NEGATIVE_STARTS]
    tried += [np.full(len(least), start) for start in _STARTS]
    fewest = np.full(len(least), np.inf)
    best = np.zeros(len(least))
    ratio, size = _apart(2, shapes.shape)
    for start in tried:
        np.add(shapes, start, out=ratio)
        np.subtract(points.log_cost, np.log(ratio, out=ratio), out=ratio)
        centre, middle = points.centre(ratio)
        ratio -= centre
        mean = sums(np.abs(ratio, out=size), points.real) / points.counts
        errors = middle + 0.1 * np.minimum(mean, 10 * middle)
        better = errors < fewest
        np.copyto(fewest, errors, where=better)
        np.copyto(best, start, where=better)
    return best


def least_intercepts(least: Floats) -> Floats:
    """To begin with, of a growing part that is 1 at the largest size and `least` at the smallest: costs are
    to be positive."""
    return np.where(least > 0, _NEGATIVE_STARTS[0] * least, _STARTS[0])


def _first_scatter(off: Floats) -> Floats:
    """Of laws that are typically so far off."""
    return np.asarray((1.4826 * off) ** 2, dtype=np.float64)


def _stepped(
    intercept: Floats, factor: Floats, shapes: Floats, cost: Floats, error: Floats, weight: Floats
) -> tuple[Floats, Floats]:
    """A step of intercept and factor, or so much of it that costs stay positive; a factor is not
    negative. `error` and `weight` are written over."""
    weight /= cost
    error *= weight
    weight /= cost
    aa, ab = weight.sum(axis=0), sums(weight, shapes)
    weight *= shapes
    bb = sums(weight, shapes)
    ae, be = error.sum(axis=0), sums(error, shapes)
    determinant = np.maximum(aa * bb - ab**2, 1e-12 * aa * bb + 1e-290)
    by_intercept, by_factor = (bb * ae - ab * be) / determinant, (aa * be - ab * ae) / determinant
    # Relative to the cost; it is between those at the ends, where the shape is least and greatest.
    ends = [0, -1]
    change = (by_intercept + by_factor * shapes[ends]) / cost[ends]
    fall = LARGEST_FALL / np.maximum(-change.min(axis=0), 1e-9)
    rise = LARGEST_RISE / np.maximum(change.max(axis=0), 1e-9)
    length = np.minimum(1.0, np.minimum(fall, rise))
    return intercept + length * by_intercept, np.maximum(factor + length * by_factor, 0.0)


def _apart(count: int, shape: tuple[int, ...]) -> Iterator[Floats]:
    """New arrays. Of neighbours in one array numpy takes no vectorised logarithms."""
    return (np.empty(shape) for _ in range(count))


def sums(one: Floats, other: Floats) -> Floats:
    """Of the products in each column."""
    if one.shape[1] == 1:  # which einsum would add up in another order than one of many
        return sums(np.repeat(one, 2, axis=1), np.repeat(other, 2, axis=1))[:1]
    return np.asarray(np.einsum("ij,ij->j", one, other), dtype=np.float64)
