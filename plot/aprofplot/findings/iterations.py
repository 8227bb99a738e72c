"""How the cost of a loop grows with its iterations: from executions of several lengths or, of one
execution, from what its k-th iteration costs."""

from __future__ import annotations

from dataclasses import replace

from aprofplot.fits.fitting import fit_table, progress_table, table_of_means
from aprofplot.fits.growth import Growth, growth_of
from aprofplot.loop_scopes import PROGRESS
from aprofplot.model import CHILDREN, ITERATIONS, LoopProfile, PointTable

_JUMPS = 0.3  # by which the exponents of the cost and of the cells differ, if not by chance
_WIDE = 1.0  # an interval of exponents beyond which it says little
# What the first n add up to, by what the n-th is.
_SUMS = {
    "1": "n",
    "log n": "n log n",
    "sqrt n": "n^1.5",
    "n": "n^2",
    "n log n": "n^2 log n",
    "n^2": "n^3",
}


def growth_in_iterations(loop: LoopProfile, event: str) -> Growth:
    """Of an execution's cost: by executions or by progress, whichever says more. A cost that grows much
    faster than the cells read may be one that jumps, as that of copies does where they change to another
    instruction: then all between the two is possible. So it is of one that grows slower, as each cell costs
    something."""
    return _with_cells(_best(loop, event, False), _best(loop, event, True))


def growth_by_progress(loop: LoopProfile, event: str) -> Growth:
    """The sum of what the iterations cost, by their ordinals."""
    return _sum_of(progress_table(loop, event), event)


def _best(loop: LoopProfile, event: str, cells: bool) -> Growth:
    """Of the cost or the cells read by the iterations."""
    lengths = loop.points[ITERATIONS]
    found = [_of(_cells_by_length(lengths, event) if cells else lengths, event)]
    if _width(found[0]) > _WIDE and loop.progress:
        if cells:
            loop = replace(
                loop, progress=tuple(of._replace(cost={event: of.rms}) for of in loop.progress)
            )
        found.append(growth_by_progress(loop, event))
    return min(found, key=_width)


def _with_cells(cost: Growth, cells: Growth) -> Growth:
    if cost.low is None or cost.high is None or cells.low is None:
        return cost
    if cost.high + _JUMPS < cells.low:  # so far most of the cost is something else
        return replace(cost, high=cells.low, law="")
    if cost.low <= cells.low + _JUMPS:
        return cost
    return replace(cost, low=max(cells.low, 1.0), law="")


def _cells_by_length(lengths: PointTable, event: str) -> PointTable:
    """What the iterations of the executions of each length have read, as their cost."""
    sizes, calls, cells = (lengths.column(name) for name in ("size", "calls", CHILDREN))
    return table_of_means(sizes, calls, cells, event, lengths.precision)


def _of(table: PointTable, event: str, metric: str = ITERATIONS) -> Growth:
    return growth_of(fit_table(table, event, metric=metric), table, event, ITERATIONS)


def _sum_of(table: PointTable, event: str) -> Growth:
    """Of the sum of what is at each ordinal."""
    each = _of(table, event, PROGRESS)
    if each.low is None or each.high is None:
        return each
    low, high, law = each.low + 1, each.high + 1, _SUMS.get(each.law, "")
    return Growth(low, high, law, ITERATIONS, each.confidence, f"grows as {law or 'a power'}")


def _width(growth: Growth) -> float:
    """Of the interval; infinite if nothing is known."""
    if growth.low is None or growth.high is None:
        return float("inf")
    return growth.high - growth.low
