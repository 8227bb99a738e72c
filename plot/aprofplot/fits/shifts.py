"""Laws of n - shift: a loop that skips a head, or a quadratic law with a linear part.

(n - 80)^2 is no other law's neighbour where n is 100, and 100 n + n^2 is (n + 50)^2 - 2500.
"""

from __future__ import annotations

import math

import numpy as np

from aprofplot.fits.candidates import fit_laws, likeliest_of_each
from aprofplot.fits.first_step import Step
from aprofplot.fits.observations import Observations
from aprofplot.fits.shapes import SHIFT, Model, shifted_shapes
from aprofplot.fits.solver import CORRELATION, LIKELIHOOD, Laws
from aprofplot.fits.together import Steps
from aprofplot.metrics import FEW_SIZES, Floats

# Those that a shift changes in a way that an intercept does not.
_SHIFTED: tuple[Model, ...] = (
    "log n",
    "sqrt n",
    "n log n",
    "n^1.5",
    "n^2",
    "n^2 log n",
    "n^3",
)
# What is tried is the smallest size less the shift: first so many from a 50th of that size, or half
# a cell, on, as far as a step tells; then those around the best, ever closer; then whole shifts.
_TRIED, _LEAST, _CLOSEST = 8, 0.02, 0.5
_FACTORS = (np.array([1 / 1.3, 1, 1.3]), np.array([1 / 1.12, 1 / 1.06, 1.06, 1.12]))
_NONE: Laws = np.zeros((CORRELATION + 1, 0))
_PROMISING = 5  # laws, with an intercept or without, that are tried closer


def fit_shifted(points: Observations, likeliest: Laws) -> Steps[Laws]:
    """Each model with many shifts, the likeliest among them. Shifts below 0 bend a law in the midst
    of the points rather than at their start: only with as many points as a break needs. `likeliest`: of the
    laws without a shift.
    """
    smallest, largest = float(points.sizes[0]), float(points.sizes[-1])
    least, most = max(_LEAST * smallest, _CLOSEST), smallest
    if len(points) >= 2 * FEW_SIZES:
        most += math.sqrt(max(smallest, 1.0) * largest)
    if least >= most:
        return _NONE

    def fit(best: Laws, left: Floats) -> Steps[Laws]:
        """Each of `best` with several shifts. `left`, a row for each, is the smallest size less the shift."""
        near = np.repeat(best, left.shape[1], axis=1)
        near[SHIFT] = smallest - left.ravel()
        possible = (left.ravel() >= least) & (left.ravel() <= most)
        return (yield from fit_laws(points, near[:, possible], is_near=True))

    tried = least * (most / least) ** np.linspace(0, 1, _TRIED)
    (stepped,) = yield [Step(points, likeliest, shifted_shapes(_SHIFTED, smallest - tried))]
    best = _promising(stepped)
    found = _NONE
    for factors in _FACTORS:
        closer = yield from fit(best, (smallest - best[SHIFT])[:, None] * factors)
        found = np.concatenate([found, closer], axis=1)
        best = _promising(found)
    wholes = np.stack([np.floor(best[SHIFT]), np.ceil(best[SHIFT])], axis=1)
    closer = yield from fit(best, smallest - wholes)
    return likeliest_of_each(np.concatenate([found, closer], axis=1))


def _promising(found: Laws) -> Laws:
    """The likeliest."""
    best = likeliest_of_each(found)
    return best[:, np.argsort(-best[LIKELIHOOD], kind="stable")[:_PROMISING]]
