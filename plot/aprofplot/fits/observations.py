"""The points of a table as observations to fit: sizes, log costs, and their variances."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from aprofplot.fits.shapes import POLYLOG, SIMPLE, Model
from aprofplot.metrics import (
    PARALLELISM,
    SPAN,
    WORK,
    CostStatistic,
    Floats,
    calls_of_points,
    cost_of_points,
    sizes_of_points,
)
from aprofplot.model import PointTable, cost_column

# Relative error that every cost is taken to have: smaller differences decide nothing.
FLOOR = 0.005
# Above so many points neighbours are taken together.
MOST = 200
_PRIOR_REPEATED = 10  # nor do fewer repeated calls in all say much
_PRIOR_CALLS = 4  # a point's own scatter counts as much as the typical one from so many calls on


@dataclass(frozen=True, eq=False)
class Observations:
    """Ascending `sizes`, the natural logarithm of their costs, and its variance as far as the
    points tell it: rounding, and the scatter of the activations of one size. `models`: those that
    the cost may follow, beside n^c."""

    sizes: Floats
    log_cost: Floats
    variance: Floats
    models: tuple[Model, ...] = SIMPLE

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def spread(self) -> float:
        """Variance of the log costs."""
        return float(self.log_cost.var())

    def part(self, start: int, end: int) -> Observations:
        """Those from `start` to before `end`."""
        return self.where(slice(start, end))

    def where(self, chosen: npt.NDArray[np.bool_] | slice) -> Observations:
        """Those chosen."""
        return Observations(
            self.sizes[chosen], self.log_cost[chosen], self.variance[chosen], self.models
        )


def observe(
    table: PointTable, event: str, own: bool, statistic: CostStatistic, unmeasured: float = 0.0
) -> Observations:
    """The table's points, or at most about MOST groups of neighbours. `unmeasured`: see Subject."""
    sizes, calls = sizes_of_points(table), calls_of_points(table)
    cost = np.maximum(cost_of_points(table, event, own, statistic), 0.5)
    # What is not sure of a ratio is what is not of its parts, at most.
    parts = (WORK, SPAN) if event == PARALLELISM else (event,)
    scatter = np.zeros(len(calls))
    rounding = np.zeros(len(calls))
    for part in parts:
        scatter += _scatter_of_calls(table, part, own, calls) + unmeasured
        counted = np.maximum(cost_of_points(table, part, own, statistic), 0.5)
        rounding += 1 / (12 * counted**2)
    known = scatter / calls if statistic in ("mean", "total") else scatter
    merged = 4.0**-table.precision if table.precision else 0.0
    variance = FLOOR**2 + known + rounding + merged
    models = SIMPLE + POLYLOG if event == SPAN else SIMPLE
    observations = Observations(sizes, np.log(cost), variance, models)
    return observations if len(sizes) <= MOST else _grouped(observations)


def median(values: Floats) -> float:
    """Of one or more. Where they are few, numpy's takes ten times as long."""
    ordered, middle = np.sort(values), len(values) // 2
    return float(ordered[middle] + ordered[-1 - middle]) / 2


def is_constant(table: PointTable, event: str, own: bool) -> bool:
    """Whether every activation, of whatever size, had the same cost. The table has points."""
    if event == PARALLELISM:
        return False  # a ratio of sums
    least = table.column(cost_column(event, own, "min"))
    most = table.column(cost_column(event, own, "max"))
    return bool(least.min() == most.max())


def _scatter_of_calls(table: PointTable, event: str, own: bool, calls: Floats) -> Floats:
    """Squared relative standard deviation of the costs of a size's activations. That of few
    activations is drawn towards the median of all sizes."""
    squares = table.column(cost_column(event, own, "sumsq")).astype(np.float64)
    mean = np.maximum(cost_of_points(table, event, own, "mean"), 0.5)
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.maximum(squares / calls - mean**2, 0) / mean**2 * calls / (calls - 1)
    several = calls > 1
    if not several.any():
        return np.zeros(len(calls))
    own_weight = np.where(several, calls - 1, 0)
    repeated = float(own_weight.sum())
    typical = median(each[several]) * repeated / (repeated + _PRIOR_REPEATED)
    each = np.where(several, each, 0)
    result: Floats = (own_weight * each + _PRIOR_CALLS * typical) / (own_weight + _PRIOR_CALLS)
    return result


def _grouped(points: Observations) -> Observations:
    """Neighbours on a logarithmic axis as one observation: their median cost."""
    log_size = np.log1p(points.sizes)
    low, high = log_size[0], log_size[-1]
    group = np.minimum((log_size - low) / (high - low) * MOST, MOST - 1).astype(np.int64)
    order = np.lexsort((points.log_cost, group))
    group, log_size = group[order], log_size[order]
    log_cost, variance = points.log_cost[order], points.variance[order]
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    counts = np.diff(starts, append=len(group))
    weight = 1 / (variance + np.median(variance))
    before = np.cumsum(weight) - weight
    half = before[starts] + np.add.reduceat(weight, starts) / 2
    middle = np.searchsorted(before, half, side="right") - 1
    centre = np.repeat(log_cost[middle], counts)
    apart = np.abs(log_cost - centre)[np.repeat(counts, counts) >= 3]
    spread = 1.4826 * float(np.median(apart)) if len(apart) else 0.0
    mean_log_size = np.add.reduceat(weight * log_size, starts) / np.add.reduceat(weight, starts)
    known = np.where(counts > 1, 1.57 * spread**2 / counts, variance[starts])
    sizes = np.where(counts > 1, np.expm1(mean_log_size), points.sizes[order][starts])
    return replace(points, sizes=sizes, log_cost=log_cost[middle], variance=FLOOR**2 + known)
