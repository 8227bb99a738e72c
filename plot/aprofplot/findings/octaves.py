"""Whether a cost grows faster than the size from octave to octave of the sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from aprofplot.findings.read_again import STEEP
from aprofplot.metrics import Floats, variance_of_points
from aprofplot.model import PointTable, cost_column

_EACH_OCTAVE = 1.15  # the exponent from one octave of sizes to the next, at least
_LEAST_OCTAVES = 3  # with sizes
_OCTAVES = 4  # that are looked at, the largest ones ...
_RARE = 0.05  # ... but for those that have less of the cost together
_GAP = np.log(8.0)  # between the sizes of neighbours: beyond one, what is there is something else
_SCATTER = 0.25  # of activations of one size: more is a mixture
# Of sizes off a line through them: 0.06 at most for faults; 0.19 where a hash table rehashes.
_OFF = 0.125
# The exponent between the last two, from which on costs whose exponent never falls are no power's, but as those of
# a recursion that multiplies. Of 90 programs without fault none has it.
_BEYOND_POWERS = 3.0
LEAST_SIZES = 5


def holds_throughout(table: PointTable, event: str) -> bool:
    """Whether the cost grows clearly faster than the size from octave to octave of the sizes that have
    the cost, and activations of one size cost alike. A cost that is a straight line at the largest sizes, but
    for less at the smallest, looks as steep and goes on as n."""
    octaves = octaves_of(table, event)
    costs = np.array([of.total for of in octaves])
    beyond = np.cumsum(costs[::-1])[::-1]  # the cost of each and of all larger ones
    kept = [of for of, cost in zip(octaves, beyond) if cost >= _RARE * costs.sum()][-_OCTAVES:]
    if len(kept) < _LEAST_OCTAVES or max(of.scatter for of in kept) > _SCATTER:
        return False
    sizes, *_ = _means(table, event, kept[-_LEAST_OCTAVES].least)
    x, y = np.log([of.size for of in kept]), np.log([of.mean for of in kept])
    steps = np.diff(y) / np.diff(x)
    if len(sizes) < LEAST_SIZES or steps.min() < _EACH_OCTAVE or np.diff(x).max() > _GAP:
        return False
    if np.diff(steps).min() >= 0 and steps[-1] >= _BEYOND_POWERS:
        return True
    upper = (y[-1] - y[-_LEAST_OCTAVES]) / (x[-1] - x[-_LEAST_OCTAVES])
    return bool(upper >= STEEP) and _is_power(table, event, kept)


def _is_power(table: PointTable, event: str, kept: Sequence[Octave]) -> bool:
    """Whether the costs of these octaves are near to a power of the size, and no straight line at the end."""
    off_a_power, _ = _errors(*_means(table, event, kept[0].least))
    last = _means(table, event, kept[-2].least)
    off_the_last, off_a_line = _errors(*last)
    is_line = len(last[0]) > 2 and off_a_line < off_the_last  # two fit anything
    return off_a_power <= _OFF and not is_line


def _means(table: PointTable, event: str, least: float) -> tuple[Floats, Floats, Floats]:
    """The sizes from `least` on that cost something, their mean costs, and the costs as which they weigh."""
    size = np.maximum(table.column("size").astype(float), 1.0)
    total = table.column(cost_column(event, False, "sum")).astype(float)
    there = (size >= least) & (total > 0)
    weight = total[there]
    return size[there], weight / table.column("calls").astype(float)[there], weight


def _errors(x: Floats, y: Floats, weight: Floats) -> tuple[float, float]:
    """How far mean costs are off a power of the size, and off a straight line with an offset: relative
    errors."""
    power = np.polyval(np.polyfit(np.log(x), np.log(y), 1, w=np.sqrt(weight)), np.log(x))
    line = np.polyval(np.polyfit(x, y, 1, w=np.sqrt(weight) / y), x)
    of_power, of_line = (
        float(np.sqrt((weight * error**2).sum() / weight.sum()))
        for error in (np.log(y) - power, line / y - 1)
    )
    return of_power, of_line


@dataclass(frozen=True)
class Octave:
    """Of sizes: the least of them, the mean size and cost of its activations, their `total` cost, and the
    relative standard deviation of those of one size."""

    least: float
    size: float
    mean: float
    total: float
    scatter: float


def octaves_of(table: PointTable, event: str) -> list[Octave]:
    """From the largest size on, ascending."""
    size = np.maximum(table.column("size").astype(float), 1.0)
    calls = table.column("calls").astype(float)
    cost = table.column(cost_column(event, False, "sum")).astype(float)
    variance = variance_of_points(table, event, False) * calls
    octave = np.floor(np.log2(size[-1] / size) + 1e-9)
    found = []
    for each in sorted(set(octave.tolist()), reverse=True):
        there = octave == each
        number, total = calls[there].sum(), cost[there].sum()
        mean = max(total / number, 0.5)
        scatter = np.sqrt(variance[there].sum() / number) / mean
        middle = float((size * calls)[there].sum() / number)
        found.append(Octave(float(size[there].min()), middle, mean, total, scatter))
    return found
