"""Fits as the page shows them: the verdict, the runners-up, and the fitted curve as a line."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from aprofplot.compare.growth import doubt
from aprofplot.fits.law import Fit
from aprofplot.metrics import Floats, sizes_of_points
from aprofplot.model import PointTable
from aprofplot.problems import growth_exponent

UNTOLD = -1000.0  # rank of no growth
_DOUBTED = 100.0  # more than exponents differ by
_MOST_PLACES = 22  # 10^22 is the largest power of ten that is exact
_STEPS = 32  # of the curve on either kind of axis


def growth_rank(fit: Fit) -> float:
    """Sorts by growth; below all others where it is in doubt, UNTOLD where the fit cannot tell."""
    if fit.law is None:
        return UNTOLD
    return growth_exponent(fit.law) - (_DOUBTED if doubt(fit) else 0.0)


def fit_details(fit: Fit, table: PointTable) -> dict[str, Any]:
    """All that the page says about a fit. `curve` as curve_of(), where there is one."""
    details: dict[str, Any] = {
        "model": fit.name,
        "formula": fit.formula,
        "r2": None if fit.r2 is None else round(fit.r2, 4),
        "confidence": round(fit.confidence, 4),
        "reason": fit.reason,
        "nearTie": list(fit.near_tie),
        "runnersUp": [
            [r.model, r.formula, round(r.r2, 4), round(r.weight, 4)] for r in fit.runners_up
        ],
    }
    if fit.slope is not None:
        details["slope"] = [round(v, 3) for v in (fit.slope.value, fit.slope.low, fit.slope.high)]
    if fit.segment is not None:
        details["break"] = [fit.segment.at, fit.segment.before.model]
    curve = curve_of(fit, table)
    if curve is not None:
        details["curve"] = curve
    return details


def curve_of(fit: Fit, table: PointTable) -> list[list[float | None]] | None:
    """Sizes, cost, and low and high end of the confidence band; None without a law or with one point."""
    if fit.law is None or len(table) < 2:
        return None
    sizes = curve_sizes(sizes_of_points(table))
    low, high = fit.band(sizes)
    return rows_of_digits(np.stack([sizes, fit.predict(sizes), low, high]))


def curve_sizes(sizes: Floats) -> Floats:
    """From the least to the largest of `sizes`, even enough on linear and on logarithmic axes."""
    low, high = float(sizes[0]), float(sizes[-1])
    steps: Floats = np.linspace(low, high, _STEPS)
    if high > max(low, 1.0):
        geometric = np.geomspace(max(low, 1.0), high, _STEPS)
        steps = np.union1d(steps, geometric)
    return steps


def digits(values: Floats) -> list[float | None]:
    """Numbers to five significant digits; None if infinite or no number."""
    return rows_of_digits(values[np.newaxis])[0]


def rows_of_digits(values: Floats) -> list[list[float | None]]:
    """digits() of each row, by the same few calls of numpy."""
    size = np.where(np.isfinite(values) & (values != 0), np.abs(values), 1.0)
    places = np.clip(4 - np.floor(np.log10(size)), -_MOST_PLACES, _MOST_PLACES)
    # Of exact numbers a quotient is the one nearest to the decimal fraction, and so written with its digits.
    up, down = 10.0 ** np.maximum(places, 0), 10.0 ** np.maximum(-places, 0)
    rounded = np.rint(values * up / down) * down / up
    return [[v if math.isfinite(v) else None for v in row] for row in rounded.tolist()]
