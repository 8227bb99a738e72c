"""Whether the errors of a law are systematic: the law is off, not the points."""

from __future__ import annotations

import numpy as np

from aprofplot.metrics import Floats

WORTH_IT = 0.02  # errors that are typically less are not looked into ...
CORRELATED = 0.25  # ... nor those whose neighbours are correlated less
_MOST = 0.5  # by which a log cost's error counts


def is_systematic(error: Floats) -> bool:
    """Of log costs, by ascending size."""
    return squared(error) >= WORTH_IT**2 and _correlation(error) >= CORRELATED


def squared(error: Floats) -> float:
    """Mean square, in which no outlier counts for more than a factor of e^0.5."""
    return float((_clipped(error) ** 2).mean())


def _clipped(error: Floats) -> Floats:
    return np.clip(error, -_MOST, _MOST)


def _correlation(error: Floats) -> float:
    """Of neighbours' errors."""
    clipped = _clipped(error)
    total = float((clipped**2).sum())
    return float((clipped[1:] * clipped[:-1]).sum()) / total if total > 0 else 0.0
