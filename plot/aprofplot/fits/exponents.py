"""n^c and c^n: the likeliest exponents, and how far others are as likely."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from aprofplot.fits.law_table import (
    LEEWAY,
    LIKELIHOOD,
    WITH_INTERCEPT,
    Laws,
    for_each,
    laws_of,
    likeliest,
    unfitted,
)
from aprofplot.fits.padding import Indices, Padded
from aprofplot.fits.regression import sums
from aprofplot.fits.shapes import EXPONENT, MODEL, MODELS, POWER, free_shapes
from aprofplot.fits.solver import fit_each
from aprofplot.metrics import Floats

# Exponents of n^c to try first, then those around the best, ever closer.
_COARSE = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.15, 1.35, 1.65, 1.85, 2.2, 2.6, 3.3, 4.0, 5.0)
_POWERS = {0.5: "sqrt n", 1.0: "n", 1.5: "n^1.5", 2.0: "n^2", 3.0: "n^3"}
_NEXT_TO = [
    MODELS.index(_POWERS[min(_POWERS, key=lambda power: abs(power - exponent))])
    for exponent in _COARSE
]
TRIED_AT_ONCE = 2 * len(_COARSE)  # laws of a table
_WIDTHS = (0.1, 0.02)
# Of bases, whose effect on the cost of a large size is great.
_WIDTHS_OF_BASE = (0.05, 0.01, 0.002)
_AROUND_LINE = (0.7, 0.85, 0.93, 1.0, 1.07, 1.15, 1.3)
_AROUND = np.array([-0.75, -0.5, -0.25, 0.25, 0.5, 0.75])
_LEAST_EXPONENT, _LARGEST_EXPONENT = 0.05, 6.0
_LEAST_LIKELIHOOD = -1e300  # that can be taken away from -inf
_LEAST_LEEWAY = 1e-6  # also if only one exponent could be fitted


def fit_powers(padded: Padded, simple: Laws, tables: Indices) -> Laws:
    """The likeliest n^c of each table without an intercept, and with one; of some `tables` more closely.
    `simple`: the laws of simple models, fitted to each."""
    powers = fit_each(padded, _beside(simple), is_near=True)
    best = _best_of(powers)
    closer = _narrowed(padded.of_tables(tables), powers[:, tables], _WIDTHS)
    best[:, tables] = _best_of(closer)
    return best


def fit_exponentials(padded: Padded, tables: Indices) -> Laws:
    """The likeliest c^n of some `tables` without an intercept, and with one; none of the others."""
    some = padded.of_tables(tables)
    found = fit_each(some, _first_exponentials(some))
    best = _best_of(_narrowed(some, found, _WIDTHS_OF_BASE))
    result = unfitted(np.ones((len(best), len(padded.counts), best.shape[2])))
    result[:, tables] = best
    return result


def _beside(simple: Laws) -> Laws:
    """n^c with the exponents to try first: each begins as the simple power next to it ended."""
    powers = []
    for with_intercept in (0.0, 1.0):
        alike = simple[WITH_INTERCEPT, 0] == with_intercept
        places = [np.flatnonzero(alike & (simple[MODEL, 0] == model))[0] for model in _NEXT_TO]
        powers.append(simple[:, :, places])
    beside: Laws = np.stack(powers, axis=2)
    beside[MODEL], beside[EXPONENT] = POWER, _COARSE
    return beside


def _best_of(free: Laws) -> Laws:
    """Of one model with a parameter, many with intercept and many without, the likeliest of each."""
    best = likeliest(free)
    best[LEEWAY] = _leeway(free, best)
    return best


def _first_exponentials(padded: Padded) -> Laws:
    """Around the binary logarithm of the base of the line through the larger half."""
    upper = padded.real * (np.arange(len(padded.sizes))[:, None] >= padded.counts // 2)
    x, y = (
        values - sums(values, upper) / upper.sum(axis=0)
        for values in (padded.sizes, padded.log_cost)
    )
    slope = sums(upper * x, y) / sums(upper * x, x) / math.log(2)
    doublings = np.maximum(slope, _LEAST_EXPONENT)[:, None] * _AROUND_LINE
    first = laws_of(free_shapes("c^n", _AROUND_LINE))
    laws = for_each(len(padded.counts), first.reshape(len(first), 2, -1))
    laws[EXPONENT] = doublings[:, None]
    return laws


def _narrowed(padded: Padded, free: Laws, widths: Sequence[float]) -> Laws:
    """n^c or c^n with exponents ever closer to the best."""
    for width in widths:
        best = likeliest(free)
        apart = width * np.maximum(best[EXPONENT], 2.0) / 2
        near = np.repeat(best[..., None], len(_AROUND), axis=-1)
        near[EXPONENT] += apart[..., None] * _AROUND
        possible = (near[EXPONENT] > _LEAST_EXPONENT) & (near[EXPONENT] < _LARGEST_EXPONENT)
        possible &= np.isfinite(near[LIKELIHOOD])
        closer = fit_each(padded, near, possible, is_near=True)
        free = np.concatenate([free, closer], axis=-1)
    return free


def _leeway(free: Laws, best: Laws) -> Floats:
    """That of the exponent of the likeliest, by the trapezoidal rule."""
    is_fitted = np.isfinite(free[LIKELIHOOD])
    order = np.argsort(np.where(is_fitted, free[EXPONENT], np.inf), axis=-1, kind="stable")
    largest = np.where(is_fitted, free[EXPONENT], 0.0).max(axis=-1, keepdims=True)
    exponents = np.where(is_fitted, free[EXPONENT], largest)
    relative = np.exp(free[LIKELIHOOD] - np.maximum(best[LIKELIHOOD], _LEAST_LIKELIHOOD)[..., None])
    exponents, relative = (
        np.take_along_axis(each, order, axis=-1) for each in (exponents, relative)
    )
    area = (np.diff(exponents) * (relative[..., 1:] + relative[..., :-1])).sum(axis=-1) / 2
    return np.asarray(np.maximum(area, _LEAST_LEEWAY), dtype=np.float64)
