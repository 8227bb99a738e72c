"""The scatter of measured costs: how much two runs of one program differ by chance."""

from __future__ import annotations

import numpy as np

from aprofplot.metrics import Floats, calls_of_points
from aprofplot.model import PointTable, cost_column

DEVIATIONS = 3.3  # standard errors, 99.9 %: of a thousand routines one differs by chance
_OF_NORMAL = 1.4826  # standard deviation by median deviation


def of_means(table: PointTable, event: str, own: bool) -> Floats:
    """Relative standard error of each point's mean cost. What an activation deviates by is known from
    all sizes that have several: a single one deviates as they do."""
    calls = calls_of_points(table)
    sums = table.column(cost_column(event, own, "sum")).astype(np.float64)
    squares = table.column(cost_column(event, own, "sumsq")).astype(np.float64)
    several = (calls > 1) & (sums > 0)
    if not several.any():
        return np.zeros(len(calls))
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.maximum(squares * calls / sums**2 - 1, 0.0)
    free = calls[several] - 1
    pooled = float((relative[several] * calls[several]).sum() / free.sum())
    own_free = np.maximum(calls - 1, 0)
    shrunk = (np.where(several, relative * calls, 0.0) + pooled) / (own_free + 1)
    return np.asarray(np.sqrt(shrunk / calls))


def spread(errors: Floats) -> float:
    """Their standard deviation, as of normal ones without outliers."""
    return float(_OF_NORMAL * np.median(np.abs(errors)))
