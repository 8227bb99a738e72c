"""One step from a fitted law to other shapes: a cheap estimate of which of many are worth a fit."""

from __future__ import annotations

import numpy as np

from aprofplot.fits.law_table import (
    CORRELATION,
    FACTOR,
    INTERCEPT,
    LIKELIHOOD,
    LOG_LARGEST,
    SCATTER,
    WITH_INTERCEPT,
    Laws,
)
from aprofplot.fits.padding import Padded
from aprofplot.fits.regression import (
    LARGEST_FALL,
    LARGEST_RISE,
    least_intercepts,
    student_weight,
    sums,
)
from aprofplot.fits.shapes import SHIFT, Shapes, growths_of, log_shapes
from aprofplot.metrics import Floats


def first_step(padded: Padded, law: Laws, shapes: Shapes) -> Laws:
    """From the law that was fitted to each table, a column for each of `law`, to each of the table's shapes,
    (numbers, tables, shapes), without an intercept and with one, (numbers, tables, 2, shapes). It is what a step
    of Gauss and Newton's makes of them, which is weighted least squares; of likelihoods only the differences are
    told, -inf where a law gives no cost for some size.
    """
    of_table = np.repeat(np.arange(shapes.shape[1]), shapes.shape[2])
    flat = shapes.reshape(len(shapes), -1)
    logs = log_shapes(growths_of(flat), padded.sizes.take(of_table, axis=1) - flat[SHIFT])
    part = np.exp(logs - logs[-1])
    laws = np.ones((CORRELATION + 1, 2, len(of_table)))  # without an intercept, and with one
    laws[: len(flat)] = flat[:, None]
    laws[WITH_INTERCEPT] = [[0.0], [1.0]]
    laws[SCATTER] = law[SCATTER, of_table]
    weight, wanted = (each.take(of_table, axis=1) for each in _linear(padded, law))
    laws[[INTERCEPT, FACTOR, LIKELIHOOD]] = _least_squares(part, weight, wanted)
    possible = (laws[FACTOR] > 0) & ((laws[INTERCEPT] > 0) | (part[0] > 0))
    laws[LIKELIHOOD] = np.where(possible, laws[LIKELIHOOD], -np.inf)
    of_each = laws.reshape(len(laws), 2, shapes.shape[1], shapes.shape[2])
    return of_each.transpose(0, 2, 1, 3)


def _linear(padded: Padded, law: Laws) -> tuple[Floats, Floats]:
    """What each observation counts in the sum of squares near the law, and the same times the cost that the
    step aims at."""
    logs = log_shapes(growths_of(law), padded.sizes - law[SHIFT]) - law[LOG_LARGEST]
    cost = law[INTERCEPT] + law[FACTOR] * np.exp(logs)
    error = padded.log_cost - np.log(cost)
    weight = student_weight(error, padded.real / (law[SCATTER] + padded.variance)) / cost
    return weight / cost, weight * (1 + np.clip(error, -LARGEST_FALL, LARGEST_RISE))


def _least_squares(part: Floats, weight: Floats, wanted: Floats) -> Floats:
    """Intercept, factor of `part`, and half of what they take from the sum of squares: without an intercept,
    and with one."""
    aa, ab, ae = weight.sum(axis=0), sums(weight, part), wanted.sum(axis=0)
    bb, be = sums(weight * part, part), sums(wanted, part)
    intercept = (bb * ae - ab * be) / np.maximum(aa * bb - ab**2, 1e-12 * aa * bb + 1e-290)
    factor = (be - ab * intercept) / bb
    intercept = np.maximum(intercept, factor * least_intercepts(part[0]))
    a, b = np.stack([np.zeros(len(bb)), intercept]), np.stack([be / bb, factor])
    return np.stack([a, b, a * (ae - a * aa / 2 - b * ab) + b * (be - b * bb / 2)])
