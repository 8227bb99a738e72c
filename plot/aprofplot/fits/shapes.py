"""The models that a cost may follow: their shapes over the input size n, and their names.

A shape is a model of n less a shift. Many are columns of an array, `Shapes`, so that what is asked of them
is computed at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from aprofplot.metrics import Floats

Model = Literal[
    "1",
    "log n",
    "sqrt n",
    "n",
    "n log n",
    "n^1.5",
    "n^2",
    "n^2 log n",
    "n^3",
    "2^n",
    "log^2 n",
    "log^3 n",
    "n^c",
    "c^n",
    "cannot tell",
]
CANNOT_TELL: Model = "cannot tell"

# (base of n in the exponent, power of n, power of log n): sorts by asymptotic growth.
GROWTH: dict[Model, tuple[float, float, float]] = {
    "1": (0, 0, 0),
    "log n": (0, 0, 1),
    "sqrt n": (0, 0.5, 0),
    "n": (0, 1, 0),
    "n log n": (0, 1, 1),
    "n^1.5": (0, 1.5, 0),
    "n^2": (0, 2, 0),
    "n^2 log n": (0, 2, 1),
    "n^3": (0, 3, 0),
    "2^n": (1, 0, 0),
    "log^2 n": (0, 0, 2),
    "log^3 n": (0, 0, 3),
}
POLYLOG: tuple[Model, ...] = ("log^2 n", "log^3 n")  # of the span of nested parallel recursion
SIMPLE: tuple[Model, ...] = tuple(m for m in GROWTH if m not in POLYLOG)  # slowest first

FREE: tuple[Model, ...] = ("n^c", "c^n")  # which have a parameter: c, or its binary logarithm

MODELS: tuple[Model, ...] = (*GROWTH, *FREE)
CONSTANT, POWER, EXPONENTIAL = map(MODELS.index, ("1", *FREE))
Shapes = Floats  # a column for each, which has:
MODEL, EXPONENT, SHIFT = range(3)  # a place in MODELS; that of FREE, else 0; the shift of n

_PLACE = {model: place for place, model in enumerate(MODELS)}
_GROWTHS = np.array([*GROWTH.values(), *((0, 0, 0) for _ in FREE)], dtype=np.float64)
_TINY = np.finfo(np.float64).tiny
_LOG_2 = float(np.log(2.0))
LARGEST_EXPONENT_OF_2 = 100  # 2^n is no candidate where sizes are larger: no run would end


def growth(model: Model, exponent: float) -> tuple[float, float, float]:
    """Sorts models by asymptotic growth. ValueError for "cannot tell"."""
    if model == "n^c":
        return (0, exponent, 0)
    if model == "c^n":
        return (exponent, 0, 0)
    if model == CANNOT_TELL:
        raise ValueError(model)
    return GROWTH[model]


def simple_shapes(models: Iterable[Model]) -> Shapes:
    """Of each, without a shift."""
    return np.array([(_PLACE[model], 0.0, 0.0) for model in models]).T


def shifted_shapes(models: Iterable[Model], shifts: Floats) -> Shapes:
    """Of each simple model with each shift of a table, a row of `shifts`: (numbers, tables, shapes)."""
    tables, count = shifts.shape
    each = np.repeat(simple_shapes(models), count, axis=1)
    shapes = np.repeat(each[:, None], tables, axis=1)
    shapes[SHIFT] = np.tile(shifts, each.shape[1] // count)
    return shapes


def free_shapes(model: Model, exponents: Sequence[float]) -> Shapes:
    """One of FREE, with each of the parameters."""
    return np.array([(_PLACE[model], exponent, 0.0) for exponent in exponents]).T


def growths_of(shapes: Shapes) -> Floats:
    """A row as from growth() for each."""
    growths: Floats = _GROWTHS[shapes[MODEL].astype(np.int64)]
    is_exponential = shapes[MODEL] == EXPONENTIAL
    growths[:, 0] += shapes[EXPONENT] * is_exponential
    growths[:, 1] += shapes[EXPONENT] * ~is_exponential
    return growths


def log_shape(model: Model, exponent: float, sizes: Floats) -> Floats:
    """Natural logarithm of model(n), -inf where that is 0; log n is 0 for n < 1."""
    base, power, logs = growth(model, exponent)
    result = np.zeros(len(sizes))
    with np.errstate(divide="ignore"):
        if base:
            result += base * _LOG_2 * sizes
        if power:
            result += power * np.log(np.maximum(sizes, 0.0))
        if logs:
            result += logs * np.log(np.log2(np.maximum(sizes, 1.0)))
    return result


def log_shapes(growths: Floats, sizes: Floats) -> Floats:
    """The same of many models at once: a row each of `growths` (as from growth()), a column of
    `sizes`."""
    base, power, logs = growths.T
    log_n = np.log(np.maximum(sizes, _TINY))
    above = sizes > 1
    log_log = np.log(np.where(above, log_n, _LOG_2) / _LOG_2)
    result = base * _LOG_2 * sizes + power * log_n + logs * log_log
    no_cost = (power > 0) & (sizes <= 0) | (logs > 0) & ~above
    return np.where(no_cost, -np.inf, result)
