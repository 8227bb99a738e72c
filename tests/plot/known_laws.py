"""Points of made-up routines whose law is known, with several kinds of noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aprofplot.model import PointTable, column_names

Floats = npt.NDArray[np.float64]
Random = np.random.Generator

LAWS: dict[str, Callable[[Floats], Floats]] = {
    "1": lambda n: np.ones(len(n)),
    "log n": lambda n: np.log2(n),
    "sqrt n": lambda n: n**0.5,
    "n": lambda n: n,
    "n log n": lambda n: n * np.log2(n),
    "n^1.5": lambda n: n**1.5,
    "n^2": lambda n: n**2,
    "n^2 log n": lambda n: n**2 * np.log2(n),
    "n^3": lambda n: n**3,
    "2^n": lambda n: 2.0**n,
}
ODD_EXPONENTS = (0.75, 1.25, 1.72, 2.3, 2.65)
SHIFTED = (
    "n^1.5",
    "n^2",
    "n^3",
)  # laws that are also tried along n less a half or more of the least


def table(
    sizes: Sequence[int] | Floats,
    costs: Sequence[Sequence[float]],
    precision: int = 0,
) -> PointTable:
    """A table with, for each size, the costs of its activations (at least 1, rounded)."""
    rows: list[list[int]] = []
    for size, each in zip(sizes, costs):
        cost = [max(1, round(c)) for c in each]
        statistics = [min(cost), max(cost), sum(cost), sum(c * c for c in cost)]
        rows.append([int(size), len(cost), 0, 0, *statistics, *statistics])
    columns = np.array(rows, dtype=object).reshape(-1, len(column_names(("bb",)))).T
    return PointTable(precision, column_names(("bb",)), columns)


def single_calls(sizes: Sequence[int] | Floats, costs: Sequence[float] | Floats) -> PointTable:
    """A table with one activation of each size."""
    return table(sizes, [[cost] for cost in costs])


@dataclass(frozen=True)
class Case:
    """A law's name, its exponent if it is n^c, and points that follow it."""

    law: str
    noise: str
    points: PointTable


def few(random: Random) -> int:
    return int(random.integers(5, 11))


def many(random: Random) -> int:
    return int(np.rint(np.exp(random.uniform(np.log(15), np.log(300)))))


def case(random: Random, law: str, noise: str, count: int, shifted: bool = False) -> Case:
    """Sizes over one and a half to three and a half decades (2^n: some ten sizes), an intercept
    that is a thousandth to a third of the growing part at the largest."""
    shape = LAWS[law] if law in LAWS else None
    if shape is None:
        exponent = float(random.choice(ODD_EXPONENTS))
        shape = lambda n: n**exponent
    sizes = _sizes(random, law, count)
    growing = shape(sizes - random.uniform(0.5, 0.95) * sizes[0] if shifted else sizes)
    least = random.uniform(5, 200)
    if law == "1":
        cost = least * growing
    else:
        intercept = np.exp(random.uniform(np.log(1e-3), np.log(0.33)))
        relative = growing / growing[-1] + intercept
        cost = relative * max(
            least / relative[0], 3 / np.diff(relative).min() if law == "log n" else 0
        )
    return Case(law, noise, NOISES[noise](random, sizes, cost))


def _sizes(random: Random, law: str, count: int) -> Floats:
    low = random.uniform(2, 30)
    high = low * 10 ** random.uniform(1.5, 3.5)
    if law == "2^n":
        low = random.integers(1, 5)
        return np.arange(low, low + max(6, min(count, 20)), dtype=np.float64)
    if random.random() < 0.5 or count > 50:
        sizes = np.geomspace(low, high, count)
    else:
        sizes = np.linspace(low, high, count)
    return np.unique(np.rint(sizes))


def _exact(random: Random, sizes: Floats, cost: Floats) -> PointTable:
    return single_calls(sizes, cost)


def _relative(size: float) -> Callable[[Random, Floats, Floats], PointTable]:
    def noise(random: Random, sizes: Floats, cost: Floats) -> PointTable:
        return single_calls(sizes, cost * np.exp(size * random.standard_normal(len(sizes))))

    return noise


def _additive(random: Random, sizes: Floats, cost: Floats) -> PointTable:
    """As much at every size: 15 % of the second smallest cost."""
    return single_calls(sizes, cost + 0.15 * cost[1] * random.standard_normal(len(sizes)))


def _outliers(random: Random, sizes: Floats, cost: Floats) -> PointTable:
    """3 % and, at one size in ten (at least one), 3 to 30 times the cost: initialisation."""
    cost = cost * np.exp(0.03 * random.standard_normal(len(sizes)))
    hit = random.choice(len(sizes), max(1, len(sizes) // 10), replace=False)
    cost[hit] *= np.exp(random.uniform(np.log(3), np.log(30), len(hit)))
    return single_calls(sizes, cost)


def _calls(random: Random, sizes: Floats, cost: Floats) -> PointTable:
    """From one call of a size to hundreds, each with 40 % of its own."""
    counts = np.minimum(random.zipf(1.5, len(sizes)), 300)
    return table(sizes, [c * random.gamma(6, 1 / 6, k) for c, k in zip(cost, counts)])


def _first_call(random: Random, sizes: Floats, cost: Floats) -> PointTable:
    """Twenty calls of each size with 10 %, but the very first, which initialises."""
    costs = [c * np.exp(0.1 * random.standard_normal(20)) for c in cost]
    costs[int(random.integers(len(sizes)))][0] += 30 * cost.mean()
    return table(sizes, costs)


NOISES: dict[str, Callable[[Random, Floats, Floats], Any]] = {
    "none": _exact,
    "5 %": _relative(0.05),
    "20 %": _relative(0.2),
    "additive": _additive,
    "outliers": _outliers,
    "calls of 40 %": _calls,
    "first call": _first_call,
}
