"""Laws of n - shift: a loop that skips a head, or a quadratic law with a linear part.

(n - 80)^2 is no other law's neighbour where n is 100, and 100 n + n^2 is (n + 50)^2 - 2500.
"""

from __future__ import annotations

import numpy as np

from aprofplot.fits.first_step import first_step
from aprofplot.fits.law_table import LIKELIHOOD, Laws, likeliest
from aprofplot.fits.padding import Padded
from aprofplot.fits.shapes import SHIFT, Model, shifted_shapes
from aprofplot.fits.solver import fit_each
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
_PROMISING = 5  # laws, with an intercept or without, that are tried closer


def fit_shifted(padded: Padded, fitted: Laws) -> Laws:
    """Each table's models with many shifts, the likeliest among them. Shifts below 0 bend a law in the midst
    of the points rather than at their start: only with as many points as a break needs. `fitted`: the
    likeliest law without a shift of each.
    """
    smallest, largest = padded.sizes[0][:, None], padded.sizes[-1][:, None]
    least, most = np.maximum(_LEAST * smallest, _CLOSEST), smallest.copy()
    bends = padded.counts[:, None] >= 2 * FEW_SIZES
    most += np.where(bends, np.sqrt(np.maximum(smallest, 1.0) * largest), 0.0)

    def fit(best: Laws, left: Floats) -> Laws:
        """Each of `best` with several shifts: a row of `left` has the smallest size less the shift."""
        near = np.repeat(best[..., None], left.shape[-1], axis=-1)
        near[SHIFT] = smallest[..., None] - left
        possible = (left >= least[..., None]) & (left <= most[..., None])
        possible &= np.isfinite(near[LIKELIHOOD]) & (least < most)[..., None]
        return fit_each(padded, near, possible, is_near=True)

    tried = least * (np.maximum(most / least, 1.0)) ** np.linspace(0, 1, _TRIED)
    stepped = first_step(padded, fitted, shifted_shapes(_SHIFTED, smallest - tried))
    kinds = likeliest(stepped.reshape(*stepped.shape[:2], -1, _TRIED))
    best = _promising(kinds)
    found = best[..., None][..., :0]
    for factors in _FACTORS:
        closer = fit(best, (smallest - best[SHIFT])[..., None] * factors)
        found = np.concatenate([found, closer], axis=-1)
        best = likeliest(found)
    wholes = np.stack([np.floor(best[SHIFT]), np.ceil(best[SHIFT])], axis=-1)
    closer = fit(best, smallest[..., None] - wholes)
    return likeliest(np.concatenate([found, closer], axis=-1))


def _promising(kinds: Laws) -> Laws:
    """The likeliest of each table's."""
    order = np.argsort(-kinds[LIKELIHOOD], axis=-1, kind="stable")[..., :_PROMISING]
    return np.take_along_axis(kinds, order[None], axis=-1)
