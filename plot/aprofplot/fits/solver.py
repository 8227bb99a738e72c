"""Fits many laws to the observations of many tables at once: robust, relative errors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from aprofplot.fits.law_table import (
    INTERCEPT,
    LIKELIHOOD,
    LOG_LARGEST,
    PARAMETERS,
    WITH_INTERCEPT,
    Laws,
    unfitted,
)
from aprofplot.fits.observations import Observations
from aprofplot.fits.padding import Flags, Indices, Padded, solve_in_batches
from aprofplot.fits.regression import with_intercept, without_intercept
from aprofplot.fits.shapes import MODEL, POWER, SHIFT, growths_of, log_shapes

_FITTED = slice(INTERCEPT, None)


@dataclass(frozen=True, eq=False)
class Problem:
    """Each of `laws` is to be fitted to `points`; the answer has, in order, those that give a cost for every
    size. `is_near`: their numbers are those of laws nearly as good, to begin with; else a start is looked
    for, which costs most."""

    points: Observations
    laws: Laws
    is_near: bool = False

    @classmethod
    def answer_all(cls, problems: Sequence[Problem]) -> list[Laws]:
        """Those of about as many points are solved together."""
        return solve_in_batches(
            problems, lambda p: (p.is_near, len(p.points), p.laws.shape[1]), _solve
        )


def _solve(problems: Sequence[Problem]) -> Iterator[Laws]:
    """Of problems that are all near, or none."""
    padded = Padded.of([problem.points for problem in problems])
    of_problem = np.repeat(
        np.arange(len(problems)), [problem.laws.shape[1] for problem in problems]
    )
    laws = np.concatenate([problem.laws for problem in problems], axis=1)
    laws = _fitted(padded, of_problem, laws, problems[0].is_near)
    fitted = np.flatnonzero(np.isfinite(laws[LIKELIHOOD]))
    counts = np.bincount(of_problem[fitted], minlength=len(problems))
    yield from np.split(laws.take(fitted, axis=1), np.cumsum(counts)[:-1], axis=1)


def fit_each(
    padded: Padded, laws: Laws, possible: Flags | None = None, is_near: bool = False
) -> Laws:
    """Laws of each of many tables, which are the second axis of `laws`, fitted as those of a Problem.
    The likelihood of one that is not `possible`, or gives no cost for some size, is -inf."""
    result = unfitted(laws)
    of_law = np.repeat(np.arange(laws.shape[1]), math.prod(laws.shape[2:]))
    tried = np.flatnonzero(np.ones(len(of_law)) if possible is None else possible)
    flat = result.reshape(len(laws), -1)
    flat[:, tried] = _fitted(padded, of_law[tried], flat[:, tried], is_near)
    return result


def _fitted(padded: Padded, of_law: Indices, laws: Laws, is_near: bool) -> Laws:
    """`of_law`: the number of each one's table."""
    logs = log_shapes(growths_of(laws), padded.sizes.take(of_law, axis=1) - laws[SHIFT])
    laws[LOG_LARGEST] = logs[-1]
    logs -= logs[-1]
    freedom = (laws[MODEL] >= POWER) + (laws[SHIFT] != 0)  # POWER begins FREE
    laws[PARAMETERS] = 2 + laws[WITH_INTERCEPT] + freedom
    with_one = laws[WITH_INTERCEPT] > 0
    laws[LIKELIHOOD] = -np.inf
    # A shape may be 0 at the smallest size.
    for kind, fit in (
        (~with_one & np.isfinite(logs[0]), without_intercept),
        (with_one, with_intercept),
    ):
        chosen = np.flatnonzero(kind)
        if len(chosen):
            near = laws.take(chosen, axis=1) if is_near else None
            laws[_FITTED, chosen] = fit(padded, of_law[chosen], logs.take(chosen, axis=1), near)
    laws[LIKELIHOOD, np.isnan(laws[LIKELIHOOD])] = -np.inf
    return laws
