"""One step from a fitted law to other shapes: a cheap estimate of which of many are worth a fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from aprofplot.fits.observations import Observations
from aprofplot.fits.padding import Padded, solve_in_batches
from aprofplot.fits.shapes import SHIFT, Shapes, growths_of, log_shapes
from aprofplot.fits.solver import (
    CORRELATION,
    FACTOR,
    INTERCEPT,
    LARGEST_FALL,
    LARGEST_RISE,
    LIKELIHOOD,
    LOG_LARGEST,
    SCATTER,
    WITH_INTERCEPT,
    Laws,
    least_intercepts,
    student_weight,
    sums,
)
from aprofplot.metrics import Floats


@dataclass(frozen=True, eq=False)
class Step:
    """From `law`, a single one that was fitted to `points`, to each of `shapes`, without an intercept and with
    one. The answer is what a step of Gauss and Newton's makes of them, which is weighted least squares; of
    likelihoods only the differences are told. All give a cost for every size.
    """

    points: Observations
    law: Laws
    shapes: Shapes

    @classmethod
    def answer_all(cls, steps: Sequence[Step]) -> list[Laws]:
        """Those of about as many points are taken together."""
        return solve_in_batches(steps, lambda s: (0, len(s.points), s.shapes.shape[1]), _taken)


def _taken(steps: Sequence[Step]) -> Iterator[Laws]:
    padded = Padded.of([step.points for step in steps])
    of_step = np.repeat(np.arange(len(steps)), [step.shapes.shape[1] for step in steps])
    shapes = np.concatenate([step.shapes for step in steps], axis=1)
    law = np.concatenate([step.law for step in steps], axis=1)
    logs = log_shapes(growths_of(shapes), padded.sizes.take(of_step, axis=1) - shapes[SHIFT])
    part = np.exp(logs - logs[-1])
    laws = np.ones((CORRELATION + 1, 2, len(of_step)))  # without an intercept, and with one
    laws[: len(shapes)] = shapes[:, None]
    laws[WITH_INTERCEPT] = [[0.0], [1.0]]
    laws[SCATTER] = law[SCATTER, of_step]
    weight, wanted = (each.take(of_step, axis=1) for each in _linear(padded, law))
    laws[[INTERCEPT, FACTOR, LIKELIHOOD]] = _least_squares(part, weight, wanted)
    possible = (laws[FACTOR] > 0) & ((laws[INTERCEPT] > 0) | (part[0] > 0))
    ends = np.cumsum([step.shapes.shape[1] for step in steps])[:-1]
    for of_one, can in zip(np.split(laws, ends, axis=2), np.split(possible, ends, axis=1)):
        yield of_one[:, can]


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
