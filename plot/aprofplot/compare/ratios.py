"""Cost at equal input size: how much more a routine costs in NEW than in OLD."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from aprofplot.compare.growth import doubt
from aprofplot.fits.law import Fit
from aprofplot.compare.scatter import DEVIATIONS, of_means, spread
from aprofplot.metrics import (
    FEW_SIZES,
    CostStatistic,
    Floats,
    calls_of_points,
    cost_of_points,
    sizes_of_points,
)
from aprofplot.model import PointTable

Basis = Literal["common sizes", "law of OLD", "law of NEW"]

_COVERAGE = 0.5  # of a side's activations, and of their cost, that the sizes compared must have


@dataclass(frozen=True)
class CostRatio:
    """NEW's cost by OLD's at equal input sizes: weighted median and quartiles over the sizes, where
    a size weighs as much as it has activations, in shares of both sides. `error`: of the
    median, relative, 99.9 %. `trend`: the median over the upper third of the sizes by that over the
    lower third, 1 for less than three sizes.

    On the law of OLD, NEW's points between OLD's least and largest size are compared with what
    OLD's fit gives there, relative to how OLD's own points there lie about it, or with OLD's point
    where it has one of the size; on the law of NEW likewise. `confidence` is the law's, else 1.
    """

    median: float
    low: float
    high: float
    error: float
    at_largest: float
    largest: int
    trend: float
    sizes: int
    basis: Basis
    confidence: float = 1.0

    def higher(self, threshold: float) -> bool:
        """Whether NEW costs more than `threshold` (a fraction) more, more at all where three
        quarters of the activations are, and more than the points scatter."""
        return self.median > 1 + max(threshold, self.error) and self.low > 1

    def lower(self, threshold: float) -> bool:
        """The same of OLD."""
        return self.median < 1 / (1 + max(threshold, self.error)) and self.high < 1


@dataclass(frozen=True, eq=False)
class Curve:
    """A routine's points under one metric, and their fit. Points without cost are left out."""

    sizes: Floats
    costs: Floats  # of an activation
    errors: Floats  # of these, relative: standard errors
    weights: Floats  # share of all activations
    fit: Fit


def curve(
    table: PointTable, event: str, statistic: CostStatistic, fit: Fit, own: bool = False
) -> Curve:
    """The points of `table`."""
    costs = cost_of_points(table, event, own, statistic)
    some = costs > 0
    sizes, calls, costs = sizes_of_points(table)[some], calls_of_points(table)[some], costs[some]
    return Curve(
        sizes,
        costs,
        of_means(table, event, own)[some],
        calls / max(calls.sum(), 1.0),
        fit,
    )


def compare_costs(old: Curve, new: Curve) -> CostRatio | None:
    """By common sizes if these have half of each side's activations and cost, or are as many as a
    law needs: fewer may meet by chance where the inputs differ. Else by the confident law of one
    side. None if neither can be."""
    common = np.intersect1d(old.sizes, new.sizes, assume_unique=True)
    if len(common) >= FEW_SIZES or all(_covered(s, common) >= _COVERAGE for s in (old, new)):
        return _at_common_sizes(old, new)
    if not doubt(old.fit):
        by_law = _by_law(old, new)
        if by_law is not None:
            return _ratio(by_law, "law of OLD", old.fit.confidence)
    if not doubt(new.fit):
        by_law = _by_law(new, old)
        if by_law is not None:
            turned = replace(by_law, ratios=1 / by_law.ratios)
            return _ratio(turned, "law of NEW", new.fit.confidence)
    return None


def _covered(side: Curve, sizes: Floats) -> float:
    """The share of a side's activations that are on `sizes`, or of its cost if that is less."""
    at = np.isin(side.sizes, sizes)
    if not at.any():
        return 0.0
    costs = side.weights * side.costs
    return min(float(part[at].sum() / part.sum()) for part in (side.weights, costs))


@dataclass(frozen=True, eq=False)
class _Ratios:
    """NEW's cost by OLD's at each size. `errors` are standard ones, relative, `common` of all ratios."""

    sizes: Floats
    ratios: Floats
    weights: Floats
    errors: Floats
    common: float = 0.0


def _at_common_sizes(old: Curve, new: Curve) -> CostRatio:
    sizes, in_old, in_new = np.intersect1d(
        old.sizes, new.sizes, assume_unique=True, return_indices=True
    )
    ratios = new.costs[in_new] / old.costs[in_old]
    weights = (old.weights[in_old] + new.weights[in_new]) / 2
    errors = np.hypot(old.errors[in_old], new.errors[in_new])
    return _ratio(_Ratios(sizes, ratios, weights, errors), "common sizes")


def _by_law(known: Curve, other: Curve) -> _Ratios | None:
    """The points of `other` against the law of `known`, or its points where the sizes meet."""
    if not len(known.sizes):
        return None
    inside = (other.sizes >= known.sizes[0]) & (other.sizes <= known.sizes[-1])
    if other.weights[inside].sum() < _COVERAGE:
        return None
    sizes = other.sizes[inside]
    expected, itself = known.fit.predict(sizes), known.fit.predict(known.sizes)
    if (expected <= 0).any() or (itself <= 0).any():
        return None
    near = (known.sizes >= sizes[0]) & (known.sizes <= sizes[-1])
    near = near if near.any() else np.ones_like(near)
    residuals = (known.costs / itself)[near]
    level = weighted_quantile(residuals, known.weights[near], 0.5)
    expected *= level
    scatter = spread(np.log(residuals / level))
    _, measured, at = np.intersect1d(known.sizes, sizes, assume_unique=True, return_indices=True)
    expected[at] = known.costs[measured]
    errors = np.full(len(sizes), scatter)
    shares = known.weights[near] / known.weights[near].sum()
    of_level = scatter * float(np.sqrt((shares**2).sum()))
    return _Ratios(sizes, other.costs[inside] / expected, other.weights[inside], errors, of_level)


def _ratio(found: _Ratios, basis: Basis, confidence: float = 1.0) -> CostRatio:
    sizes, ratios = found.sizes, found.ratios
    low, median, high = (weighted_quantile(ratios, found.weights, q) for q in (0.25, 0.5, 0.75))
    third = len(sizes) // 3
    trend = 1.0
    if third:
        trend = float(np.median(ratios[-third:]) / np.median(ratios[:third]))
    shares = found.weights / found.weights.sum()
    scatter = spread(np.log(ratios / median))
    each = np.maximum(found.errors, scatter)
    error = np.sqrt((shares**2 * each**2).sum() + found.common**2)
    largest = float(ratios[-1])
    return CostRatio(
        median,
        low,
        high,
        float(DEVIATIONS * error),
        largest,
        int(sizes[-1]),
        trend,
        len(sizes),
        basis,
        confidence,
    )


def weighted_quantile(values: Floats, weights: Floats, quantile: float) -> float:
    """The least of `values` that, with all below it, has at least `quantile` of the weight."""
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    index = int(np.searchsorted(sums, quantile * sums[-1] * (1 - 1e-12)))
    return float(values[order][min(index, len(values) - 1)])
