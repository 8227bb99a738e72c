"""How the cost of a loop grows with its iterations: from executions of several lengths or, of one
execution, from what its k-th iteration costs."""

from __future__ import annotations

from aprofplot.fits.fitting import fit_table, progress_table
from aprofplot.fits.growth import Growth, growth_of
from aprofplot.model import ITERATIONS, LoopProfile

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
    """Of an execution's cost: by executions or by progress, whichever says more."""
    found = [growth_by_executions(loop, event)]
    if _width(found[0]) > _WIDE and loop.progress:
        found.append(growth_by_progress(loop, event))
    return min(found, key=_width)


def growth_by_executions(loop: LoopProfile, event: str) -> Growth:
    """By how many iterations each had."""
    table = loop.points[ITERATIONS]
    return growth_of(fit_table(table, event), table, event, ITERATIONS)


def growth_by_progress(loop: LoopProfile, event: str) -> Growth:
    """The sum of what the iterations cost, by their ordinals."""
    table = progress_table(loop, event)
    each = growth_of(fit_table(table, event), table, event, ITERATIONS)
    if each.low is None or each.high is None:
        return each
    low, high, law = each.low + 1, each.high + 1, _SUMS.get(each.law, "")
    how = f"as {law}" if law else f"between n^{low:.1f} and n^{high:.1f}"
    sentence = f"grows {how} in its {ITERATIONS}"
    return Growth(low, high, law, ITERATIONS, each.confidence, sentence)


def _width(growth: Growth) -> float:
    """Of the interval; infinite if nothing is known."""
    if growth.low is None or growth.high is None:
        return float("inf")
    return growth.high - growth.low
