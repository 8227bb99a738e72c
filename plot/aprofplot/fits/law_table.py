"""Laws as columns of numbers, fitted or to be fitted."""

from __future__ import annotations

import numpy as np

from aprofplot.fits.shapes import CONSTANT, MODEL, Shapes
from aprofplot.metrics import Floats

Laws = Floats  # a column for each, which has the numbers of its shape and:
(
    _,
    _,
    _,
    WITH_INTERCEPT,  # 1, or 0
    PARAMETERS,  # that are fitted, the scatter included
    LOG_LARGEST,  # the logarithm of the shape at the largest size, by which it is divided
    LEEWAY,  # of the parameter of FREE: the integral of the likelihood over it in units of the largest; else 1
    INTERCEPT,  # cost = intercept + factor * shape
    FACTOR,
    SCATTER,
    LIKELIHOOD,  # its logarithm
    SQUARED,  # mean squared error of the log cost
    BOUNDED,  # the same, where no error counts for more than MOST_OFF
    CORRELATION,  # of the errors of neighbours, so bounded
) = range(14)


def laws_of(shapes: Shapes) -> Laws:
    """Each of them without an intercept and, but for 1, with one; not fitted yet."""
    both = np.concatenate([shapes, shapes[:, shapes[MODEL] != CONSTANT]], axis=1)
    laws = np.ones((CORRELATION + 1, both.shape[1]))
    laws[: len(shapes)] = both
    laws[WITH_INTERCEPT] = np.arange(both.shape[1]) >= shapes.shape[1]
    return laws


def unfitted(laws: Laws) -> Laws:
    """The same laws, as those are that give no cost for some size."""
    result = laws.copy()
    result[LIKELIHOOD] = -np.inf
    return result


def for_each(count: int, laws: Laws) -> Laws:
    """The same for `count` tables: (numbers, tables, ...)."""
    return np.repeat(laws[:, None], count, axis=1)


def likeliest(laws: Laws) -> Laws:
    """Those along the last axis."""
    best = laws[LIKELIHOOD].argmax(axis=-1)
    found: Laws = np.take_along_axis(laws, best[None, ..., None], axis=-1)[..., 0]
    return found
