"""The exponent c of cost ~ n^c: a robust straight line on log-log axes, of many tables at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from aprofplot.fits.law import Slope
from aprofplot.fits.observations import Observations
from aprofplot.fits.padding import Padded, medians, solve_in_batches
from aprofplot.fits.together import Steps
from aprofplot.fits.precision import quantiles
from aprofplot.fits.regression import student_weight, sums

_LEAST_SPAN = 1e-9  # of the sizes' logarithms, from which a slope can be computed
_ROUNDS = 8


def log_log_slope(points: Observations) -> Steps[Slope | None]:
    """Through the sizes above 0; None for fewer than three, or all but equal ones."""
    above = points.where(points.sizes > 0)
    if len(above) < 3 or np.log(above.sizes[-1] / above.sizes[0]) < _LEAST_SPAN:
        return None
    found: Sequence[Slope] = yield [_Line(above)]
    return found[0]


@dataclass(frozen=True, eq=False)
class _Line:
    """To be laid through the logarithms of `points`."""

    points: Observations

    @classmethod
    def answer_all(cls, lines: Sequence[_Line]) -> list[Slope]:
        """Those of about as many points together."""
        return solve_in_batches(lines, lambda line: (0, len(line.points), 1), _slopes)


def _slopes(lines: Sequence[_Line]) -> Iterator[Slope]:
    padded = Padded.of([line.points for line in lines])
    x, y, real = np.log(padded.sizes), padded.log_cost, padded.real
    weight = real / (padded.variance + medians(padded.variance, padded))
    slope, spread = np.zeros((2, len(lines)))
    for _ in range(_ROUNDS):
        total = sums(weight, real)
        apart = x - sums(weight, x) / total
        spread = np.maximum(sums(weight * apart, apart), 1e-290)
        slope = sums(weight * apart, y) / spread
        middle = sums(weight, y) / total
        error = y - middle - slope * apart
        scatter = (1.4826 * medians(np.abs(error), padded)) ** 2
        weight = student_weight(error, real / (scatter + padded.variance))
    half = quantiles(padded.counts - 2) / np.sqrt(spread)
    for value, interval in zip(slope.tolist(), half.tolist()):
        yield Slope(value, value - interval, value + interval)
