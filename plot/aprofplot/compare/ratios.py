"""Cost at equal input size: how much more a routine costs in NEW than in OLD."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from aprofplot.compare.growth import doubt
from aprofplot.fits.law import Fit
from aprofplot.metrics import (
    CostStatistic,
    Floats,
    calls_of_points,
    cost_of_points,
    sizes_of_points,
)
from aprofplot.model import PointTable

Basis = Literal["common sizes", "law of OLD", "law of NEW"]

_COVERAGE = 0.5  # of the cost of each side, that common sizes must stand for


@dataclass(frozen=True)
class CostRatio:
    """NEW's cost by OLD's at equal input sizes: weighted median and quartiles over the sizes, where
    a size weighs as much as its activations cost, averaged over both sides. `trend`: the median
    over the upper third of the sizes by that over the lower third, 1 for less than three sizes.

    On the law of OLD, NEW's points between OLD's least and largest size are compared with what
    OLD's fit gives there, relative to how OLD's own points there lie about it; on the law of NEW likewise.
    """

    median: float
    low: float
    high: float
    at_largest: float
    largest: int
    trend: float
    sizes: int
    basis: Basis

    def higher(self, threshold: float) -> bool:
        """Whether NEW costs more than `threshold` (a fraction) more, and more at all where three
        quarters of the cost are."""
        return self.median > 1 + threshold and self.low > 1

    def lower(self, threshold: float) -> bool:
        """The same of OLD."""
        return self.median < 1 / (1 + threshold) and self.high < 1


@dataclass(frozen=True, eq=False)
class Curve:
    """A routine's points under one metric, and their fit. Points without cost are left out."""

    sizes: Floats
    costs: Floats  # of an activation
    weights: Floats  # share of all activations' cost
    fit: Fit


def curve(
    table: PointTable, event: str, statistic: CostStatistic, fit: Fit, own: bool = False
) -> Curve:
    """The points of `table`."""
    sizes, calls = sizes_of_points(table), calls_of_points(table)
    costs = cost_of_points(table, event, own, statistic)
    some = costs > 0
    weights = costs[some] * calls[some]
    return Curve(sizes[some], costs[some], weights / max(weights.sum(), 1.0), fit)


def compare_costs(old: Curve, new: Curve) -> CostRatio | None:
    """By common sizes if these stand for half of the cost of either side; else by the confident law
    of one of them; else by whatever sizes are common. None if nothing can be compared.
    """
    common = _at_common_sizes(old, new)
    if common is not None and common[1] >= _COVERAGE:
        return common[0]
    if not doubt(old.fit):
        by_law = _by_law(old, new)
        if by_law is not None:
            return _ratio(*by_law, "law of OLD")
    if not doubt(new.fit):
        by_law = _by_law(new, old)
        if by_law is not None:
            sizes, ratios, weights = by_law
            return _ratio(sizes, 1 / ratios, weights, "law of NEW")
    return common[0] if common is not None else None


def _at_common_sizes(old: Curve, new: Curve) -> tuple[CostRatio, float] | None:
    """The ratio, and the part of the cost that the common sizes stand for."""
    sizes, in_old, in_new = np.intersect1d(
        old.sizes, new.sizes, assume_unique=True, return_indices=True
    )
    if not len(sizes):
        return None
    weights = old.weights[in_old], new.weights[in_new]
    coverage = float(min(w.sum() for w in weights))
    ratios = new.costs[in_new] / old.costs[in_old]
    return (
        _ratio(sizes, ratios, (weights[0] + weights[1]) / 2, "common sizes"),
        coverage,
    )


def _by_law(known: Curve, other: Curve) -> tuple[Floats, Floats, Floats] | None:
    """Sizes, ratios and weights of the points of `other` against the law of `known`."""
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
    level = weighted_quantile((known.costs / itself)[near], known.weights[near], 0.5)
    return sizes, other.costs[inside] / expected / level, other.weights[inside]


def _ratio(sizes: Floats, ratios: Floats, weights: Floats, basis: Basis) -> CostRatio:
    low, median, high = (weighted_quantile(ratios, weights, q) for q in (0.25, 0.5, 0.75))
    third = len(sizes) // 3
    trend = 1.0
    if third:
        trend = float(np.median(ratios[-third:]) / np.median(ratios[:third]))
    return CostRatio(median, low, high, float(ratios[-1]), int(sizes[-1]), trend, len(sizes), basis)


def weighted_quantile(values: Floats, weights: Floats, quantile: float) -> float:
    """The least of `values` that, with all below it, has at least `quantile` of the weight."""
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    index = int(np.searchsorted(sums, quantile * sums[-1] * (1 - 1e-12)))
    return float(values[order][min(index, len(values) - 1)])
