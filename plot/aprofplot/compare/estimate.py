"""The cost of a routine at one input size, and how well it is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprofplot.metrics import (
    CostStatistic,
    Floats,
    calls_of_points,
    cost_of_points,
    sizes_of_points,
)
from aprofplot.model import PointTable, cost_column

_WINDOW = 2.0  # points from size / 2 to 2 * size say what the cost there is ...
_ENOUGH = 5  # ... and, if so many, how much it scatters
_DEVIATIONS = 2.0  # about 95 %


@dataclass(frozen=True)
class Estimate:
    """`error`: of the cost, relative, about 95 %. `between`: the measured sizes that it was
    interpolated from; the size itself, twice, if that was measured."""

    cost: float
    error: float
    between: tuple[int, int]


def cost_at(
    table: PointTable, event: str, own: bool, statistic: CostStatistic, size: float
) -> Estimate | None:
    """The cost of an activation on `size`: as measured, or on a straight line between the nearest
    points on both sides on logarithmic axes, if they are within a factor of 2. None if they are not.
    """
    sizes = sizes_of_points(table)
    costs = np.maximum(cost_of_points(table, event, own, statistic), 0.5)
    above = int(np.searchsorted(sizes, size))
    if above < len(sizes) and sizes[above] == size:
        scatter = _neighbours_scatter(sizes, costs, size)
        error = _own_scatter(table, event, own, above, scatter)
        return Estimate(float(costs[above]), _DEVIATIONS * error, (int(size), int(size)))
    if above == 0 or above == len(sizes):
        return None
    left, right = float(sizes[above - 1]), float(sizes[above])
    if left <= 0 or left < size / _WINDOW or right > size * _WINDOW:
        return None
    part = (np.log(size) - np.log(left)) / (np.log(right) - np.log(left))
    logs = np.log(costs[above - 1 : above + 1])
    error = _neighbours_scatter(sizes, costs, size)
    cost = float(np.exp(logs[0] + part * (logs[1] - logs[0])))
    return Estimate(cost, _DEVIATIONS * error, (int(left), int(right)))


def _neighbours_scatter(sizes: Floats, costs: Floats, size: float) -> float:
    """Relative deviation of the points about `size` from a straight line through them on
    logarithmic axes; 0 if there are too few."""
    near = (sizes >= max(size / _WINDOW, 1)) & (sizes <= size * _WINDOW)
    if near.sum() < _ENOUGH:
        return 0.0
    x, y = np.log(sizes[near] / size), np.log(costs[near])
    fitted = np.ones(len(x), dtype=bool)
    for _ in range(3):  # outliers do not turn the line
        slope, level = np.polyfit(x[fitted], y[fitted], 1)
        off = np.abs(y - slope * x - level)
        typical = float(np.median(off))
        fitted = off <= 3 * typical + 1e-9
    return 1.4826 * typical


def _own_scatter(table: PointTable, event: str, own: bool, index: int, scatter: float) -> float:
    """Standard error of the mean of the point's activations; of few ones by their neighbours."""
    calls = float(calls_of_points(table)[index])
    if calls < _ENOUGH:
        return scatter / float(np.sqrt(calls))
    squares = float(table.column(cost_column(event, own, "sumsq"))[index]) / calls
    mean = float(table.column(cost_column(event, own, "sum"))[index]) / calls
    return float(np.sqrt(max(squares - mean**2, 0.0) / calls)) / mean if mean else 0.0
