"""Laws of n - shift: a loop that skips a head, or a quadratic law with a linear part.

(n - 80)^2 is no other law's neighbour where n is 100, and 100 n + n^2 is (n + 50)^2 - 2500.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from aprofplot.fits.candidates import fit_shapes, likeliest_of_each
from aprofplot.fits.observations import Observations
from aprofplot.fits.shapes import MODEL, MODELS, SHIFT, Model, shifted_shapes
from aprofplot.fits.solver import CORRELATION, LIKELIHOOD, ROUNDS, Laws
from aprofplot.fits.together import Steps
from aprofplot.metrics import FEW_SIZES

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
# a cell, on, roughly; then those around the best, ever closer; then whole shifts.
_TRIED, _LEAST, _CLOSEST = 8, 0.02, 0.5
_ROUGHLY = 3  # rounds of the solver
_FACTORS = ((1 / 1.3, 1, 1.3), (1 / 1.12, 1 / 1.06, 1.06, 1.12))
_NONE: Laws = np.zeros((CORRELATION + 1, 0))
_PROMISING = 5  # laws, with an intercept or without, that are tried closer


def fit_shifted(points: Observations) -> Steps[Laws]:
    """Each model with many shifts, the likeliest among them. Shifts below 0 bend a law in the midst
    of the points rather than at their start: only with as many points as a break needs.
    """
    smallest, largest = float(points.sizes[0]), float(points.sizes[-1])
    least, most = max(_LEAST * smallest, _CLOSEST), smallest
    if len(points) >= 2 * FEW_SIZES:
        most += math.sqrt(max(smallest, 1.0) * largest)
    if least >= most:
        return _NONE

    def fit(pairs: Iterable[tuple[Model, float]], rounds: int = ROUNDS) -> Steps[Laws]:
        possible = sorted({(m, s) for m, s in pairs if least <= smallest - s <= most})
        if not possible:
            return _NONE
        return (yield from fit_shapes(points, shifted_shapes(possible), rounds))

    tried = (smallest - np.geomspace(least, most, _TRIED)).tolist()
    rough = yield from fit(((m, s) for m in _SHIFTED for s in tried), _ROUGHLY)
    best = _promising(rough)
    found = _NONE
    for factors in _FACTORS:
        near = ((m, smallest - (smallest - s) * by) for m, s in best for by in factors)
        closer = yield from fit(near)
        found = np.concatenate([found, closer], axis=1)
        best = _promising(found)
    wholes = yield from fit((m, whole(s)) for m, s in best for whole in (math.floor, math.ceil))
    return likeliest_of_each(np.concatenate([found, wholes], axis=1))


def _promising(found: Laws) -> list[tuple[Model, float]]:
    """The models and shifts of the likeliest."""
    best = likeliest_of_each(found)
    best = best[:, np.argsort(-best[LIKELIHOOD], kind="stable")[:_PROMISING]]
    return [(MODELS[int(m)], s) for m, s in zip(best[MODEL].tolist(), best[SHIFT].tolist())]
