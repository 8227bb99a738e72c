"""The growth of a routine as far as it is known, also without a law: an interval of exponents, that
all calls cost the same, or that their cost varies at one size."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from aprofplot.fits.law import Fit, Law, Slope, law_name, number
from aprofplot.fits.observations import is_constant
from aprofplot.fits.shapes import FREE, GROWTH
from aprofplot.metrics import FEW_SIZES, Floats, sizes_of_points, variance_of_points
from aprofplot.model import ITERATIONS, PointTable, argument_of, cost_column, is_argument
from aprofplot.names import printable

_FEW = 0.25  # cells an iteration: what reads less has its size elsewhere
_EXPLAINED = 0.5  # of the variance of calls' costs, by an argument
_WIDEST = 1.0  # the interval of a slope that is wider says nothing
_SAME_SIZE = 1.1  # sizes that differ by less are one
_VARIES = 2.0  # the factor from which costs of one size need another size to explain them
# Standard deviation of calls' costs by their mean, at most: costs within that factor have no more.
_ALIKE = (_VARIES - 1) / (2 * math.sqrt(_VARIES))
# Of intervals: in tests/tool/test_calibration.py 90 to 97 % of those of three or four sizes have the exponent of
# the law in them, and all of those between the laws that may be.
_CONFIDENCE = 0.9


@dataclass(frozen=True)
class Growth:
    """The cost grows as n to a power between `low` and `high` at the largest sizes, and n is the size
    named `grows_in`: a metric, or "calls" where every call costs the same or, if low and high are not known,
    about the same. None: not known. `law`: the model, if one was told. `sentence` is for people."""

    low: float | None
    high: float | None
    law: str
    grows_in: str | None
    confidence: float
    sentence: str
    size_unknown: bool = False  # the calls have one size, but not one cost
    behaviours: tuple[str, ...] = ()  # laws that differ, the slowest first ...
    differ_by: str = ""  # ... by "caller", "thread" or "callee"
    exponential: str = ""  # the law at the upper end, if it is one: no power of n says that

    @property
    def ends(self) -> tuple[str, str]:
        """The slowest and the fastest that it may be, which low and high must be known for."""
        return f"n^{self.low:.1f}", self.exponential or f"n^{self.high:.1f}"

    @property
    def argument(self) -> str | None:
        """The name of the argument that it grows in; None: it grows in something else."""
        return None if self.grows_in is None else argument_of(self.grows_in)

    @property
    def is_told(self) -> bool:
        """Whether anything is: what the cost grows in."""
        return self.grows_in is not None


def growth_of(fit: Fit, table: PointTable, event: str, metric: str) -> Growth:
    """That of `fit`, which is the one of `table`'s inclusive cost. KeyError if not measured."""
    if fit.law is not None and fit.model != "1":
        return _of_law(fit, fit.law, table, metric)
    calls = int(table.column("calls").sum()) if len(table) else 0
    if fit.law is not None or calls >= FEW_SIZES and is_constant(table, event, False):
        sentence = "each call costs the same: the cost grows with their number, not with size"
        return Growth(0.0, 0.0, "1", "calls", fit.confidence if fit.law else 1.0, sentence)
    if fit.between:
        exponents = [_exponent(law, table) for law in fit.between]
        fastest = fit.between[int(np.argmax(exponents))]
        exponential = "" if fastest.growth[0] == 0 else law_name(fastest)
        return _interval(*_hull(exponents), metric, exponential)
    slope = _slope(fit, table)
    if slope is not None and slope.high - slope.low <= _WIDEST:
        return _interval(slope.low, slope.high, metric)
    if calls >= FEW_SIZES:
        return _of_calls(fit, table, event)
    return _cannot_tell(fit)


def _of_calls(fit: Fit, table: PointTable, event: str) -> Growth:
    """What many calls say whose sizes tell no growth."""
    mean, deviation = _mean_and_deviation(table, event)
    if deviation <= _ALIKE * mean:
        sentence = f"each call costs about {number(mean)}: the cost grows with their number, at {_span(table)}"
        return Growth(None, None, "", "calls", _CONFIDENCE, sentence)
    varies = variation(table, event)
    if varies >= _VARIES and _is_one_size(sizes_of_points(table)):
        sentence = f"size unknown: cost varies {number(varies)}-fold"
        return Growth(None, None, "", None, 0.0, sentence, size_unknown=True)
    return _cannot_tell(fit)


def _cannot_tell(fit: Fit) -> Growth:
    return Growth(None, None, "", None, 0.0, f"cannot tell: {fit.reason}")


def _mean_and_deviation(table: PointTable, event: str) -> tuple[float, float]:
    """Of the costs of all calls, whatever their size."""
    calls, total, squares = (
        sum(table.column(name).tolist())
        for name in ("calls", *(cost_column(event, False, each) for each in ("sum", "sumsq")))
    )
    # Exact until the root: the difference of two large numbers is often a small one. The squares of what
    # has been rounded down may be too small.
    return total / calls, math.sqrt(max(calls * squares - total * total, 0)) / calls


def _span(table: PointTable) -> str:
    """The sizes, in words."""
    sizes = sizes_of_points(table)
    least, most = int(sizes[0]), int(sizes[-1])
    return f"size {least:,}" if least == most else f"sizes from {least:,} to {most:,}"


def best_known(
    points: Mapping[str, PointTable], fits: Mapping[str, Fit], event: str
) -> tuple[Fit, Growth]:
    """What is known of a routine's or loop's growth in its input size or, of a loop, else in its iterations,
    of a routine in an argument; and the fit that it is of. Of a loop that hardly reads anything the
    iterations come first."""
    metric = "trms" if "trms" in points else "rms"
    names = [metric, ITERATIONS] if ITERATIONS in points else [metric]
    if reads_little(points, metric):
        names.reverse()
    known = {name: growth_of(fits[name], points[name], event, name) for name in names}
    told = [name for name in names if known[name].low is not None]
    told += [name for name in names if known[name].is_told]
    if not told:
        arguments = list(filter(is_argument, points))
        known |= growth_in_arguments({name: points[name] for name in arguments}, fits, event)
        told = sorted(
            (name for name in arguments if name in known), key=lambda name: -known[name].confidence
        )
    name = next(iter([*told, metric]))
    return fits[name], known[name]


def growth_in_arguments(
    points: Mapping[str, PointTable], fits: Mapping[str, Fit], event: str
) -> dict[str, Growth]:
    """Of those that explain the cost. Each that was tried is charged for: among several one may seem to by
    chance, so the odds of a law are divided by their number."""
    found = {}
    for name, table in points.items():
        growth = growth_of(fits[name], table, event, name)
        if growth.low is None or not growth.low > 0 or _explained(table, event) < _EXPLAINED:
            continue
        sure = growth.confidence
        charged = sure / (sure + len(points) * (1.0 - sure)) if sure < 1.0 else 1.0
        found[name] = replace(growth, confidence=charged)
    return found


def _explained(table: PointTable, event: str) -> float:
    """The share of the variance of calls' costs that is between sizes; 0 if they all cost the same."""
    calls = table.column("calls").astype(np.float64)
    cost = table.column(cost_column(event, False, "sum")).astype(np.float64)
    within = float((variance_of_points(table, event, False) * calls).sum())
    spare = float(calls.sum()) - len(table)
    mean = cost.sum() / calls.sum()
    between = float((calls * (cost / calls - mean) ** 2).sum())
    total = between + within
    if total == 0.0:
        return 0.0
    return 1.0 - within / max(spare, 1.0) / (total / max(float(calls.sum()) - 1.0, 1.0))


def reads_little(points: Mapping[str, PointTable], metric: str) -> bool:
    """Whether it is a loop that has hardly any input in its iterations: its sizes are numbers in registers,
    or what it stores."""
    if ITERATIONS not in points or len(points[metric]) == 0:
        return False
    cells, iterations = (int(points[name].column("size")[-1]) for name in (metric, ITERATIONS))
    return cells < _FEW * iterations


def _of_law(fit: Fit, law: Law, table: PointTable, metric: str) -> Growth:
    """The law's exponent and those of its near ties."""
    tied = [Law(m, 0.0, 1.0) for m in fit.near_tie if m in GROWTH]
    low, high = _hull([_exponent(each, table) for each in (law, *tied)])
    if fit.model in FREE and fit.uncertainty is not None:
        known = fit.uncertainty()
        half = known.quantile * float(np.sqrt(known.covariance[2, 2]))
        if fit.model == "c^n":
            half *= math.log(2) * float(sizes_of_points(table)[-1])
        low, high = low - half, high + half
    also = f", or as {' or '.join(law.model for law in tied)}" if tied else ""
    sentence = f"grows as {fit.name}{also} in {_size_words(metric)}"
    return Growth(low, high, fit.model, metric, fit.confidence, sentence)


def _interval(low: float, high: float, metric: str, exponential: str = "") -> Growth:
    falls = f"falls as {_size_words(metric)} grows"
    known = Growth(low, high, "", metric, _CONFIDENCE, falls, exponential=exponential)
    if high < 0:
        return known
    return replace(known, sentence=f"{grows(*known.ends)} in {_size_words(metric)}")


def grows(slowest: str, fastest: str) -> str:
    """In words, between two laws or as one."""
    return f"grows as {slowest}" if slowest == fastest else f"grows between {slowest} and {fastest}"


def _size_words(metric: str) -> str:
    """What a metric is to people."""
    argument = argument_of(metric)
    return f"its {metric}" if argument is None else f"its argument {printable(argument)}"


def _exponent(law: Law, table: PointTable) -> float:
    """Of cost ~ n^c, which the growing part is at the largest size."""
    base, power, logs = law.growth
    largest = max(float(sizes_of_points(table)[-1]), 2.0)
    return float(power + logs / np.log(largest) + base * largest * np.log(2))


def _hull(exponents: list[float]) -> tuple[float, float]:
    return min(exponents), max(exponents)


def variation(table: PointTable, event: str) -> float:
    """The largest cost of an activation by the smallest; of one at least. KeyError if not measured."""
    least = int(table.column(cost_column(event, False, "min")).min())
    return int(table.column(cost_column(event, False, "max")).max()) / max(least, 1)


def _is_one_size(sizes: Floats) -> bool:
    return bool(sizes[-1] <= _SAME_SIZE * max(float(sizes[0]), 1.0))


def _slope(fit: Fit, table: PointTable) -> Slope | None:
    """The fit's, or that of the three or four sizes that are too few for a law; None if they are too near."""
    sizes = sizes_of_points(table)
    if len(sizes) < 3 or sizes[-1] < 4 * max(float(sizes[0]), 1.0):
        return None
    return fit.slope or fit.slope_of_few
