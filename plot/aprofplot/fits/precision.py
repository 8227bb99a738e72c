"""The uncertainty of a law's parameters: delta method, Student's t."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprofplot.fits.candidates import Candidate, shape_at_points
from aprofplot.fits.law import Uncertainty, by_parameter
from aprofplot.fits.observations import Observations
from aprofplot.fits.regression import TAIL, student_weight
from aprofplot.fits.shapes import FREE
from aprofplot.metrics import Floats

_CLEARLY_REGULAR = 1e-8  # pinv() takes ten times as long
_LEAST_GIVE = 0.3  # of a mean derivative that is 0.7 without outliers


@dataclass(frozen=True, eq=False)
class FittedPoints:
    """What tells how well a law is known, to whom asks: the candidate that it comes from and its points.
    `independence`: see Choice."""

    candidate: Candidate
    points: Observations
    independence: float

    def __call__(self) -> Uncertainty:
        return uncertainty(self.candidate, self.points, self.independence)


def uncertainty(chosen: Candidate, points: Observations, independence: float) -> Uncertainty:
    """That of the candidate's law. `independence`: see Choice."""
    columns, error, variance = _jacobian(chosen, points)
    freedom = max(len(points) * independence - chosen.parameters + 1, 1.0)
    # Huber's: what the errors are, rather than what the distribution makes of their scatter.
    z2 = error**2 / variance
    push = (TAIL + 1) ** 2 * z2 / (TAIL + z2) ** 2
    give = float(((TAIL + 1) * (TAIL - z2) / (TAIL + z2) ** 2).mean())
    spare = max(len(points) - chosen.parameters + 1, 1)
    factor = float(push.sum()) / spare / max(give, _LEAST_GIVE) ** 2
    covariance = _covariance(columns, 1 / variance) * factor / independence
    return Uncertainty(float(points.sizes[-1]), covariance, float(quantiles(np.array(freedom))))


def support(chosen: Candidate, points: Observations) -> Floats:
    """Each size's share, 0..1, of what is known of the growing part."""
    shape = shape_at_points(chosen, points)
    cost = chosen.intercept + chosen.factor * shape
    known = 1 / (chosen.scatter + points.variance)
    weight = student_weight(points.log_cost - np.log(cost), known)
    information = weight * (shape / cost) ** 2 if chosen.model != "1" else np.zeros(len(points))
    return np.asarray(information / max(float(information.sum()), 1e-300), dtype=np.float64)


def quantiles(freedom: Floats) -> Floats:
    """Of Student's t, for a two-sided 95 % interval."""
    from scipy.special import stdtrit  # takes a while to load

    return np.asarray(stdtrit(freedom, 0.975), dtype=np.float64)


def _jacobian(chosen: Candidate, points: Observations) -> tuple[Floats, Floats, Floats]:
    """Of the log cost by intercept, factor and exponent (0 where it has none); the errors of the
    log cost, and their variances."""
    shape = shape_at_points(chosen, points)
    cost = chosen.intercept + chosen.factor * shape
    columns = np.zeros((len(points), 3))
    if chosen.model == "1":
        columns[:, 0] = 1 / cost
    else:
        columns[:, 0] = chosen.with_intercept / cost
        columns[:, 1] = shape / cost
    if chosen.model in FREE:
        change = by_parameter(chosen.model, points.sizes, float(points.sizes[-1]))
        columns[:, 2] = chosen.factor * shape * change / cost
    return columns, points.log_cost - np.log(cost), chosen.scatter + points.variance


def _covariance(columns: Floats, weight: Floats) -> Floats:
    """Inverse of the information, 0 for parameters that the law lacks."""
    used = np.flatnonzero(np.abs(columns).max(axis=0) > 0)
    part = columns[:, used]
    scale = np.sqrt((weight[:, None] * part**2).sum(axis=0))
    information = (part / scale).T @ (weight[:, None] * part / scale)  # 1 on the diagonal
    if np.linalg.det(information) > _CLEARLY_REGULAR:
        inverse = np.linalg.inv(information)
    else:
        inverse = np.linalg.pinv(information, rcond=1e-12)
    result = np.zeros((3, 3))
    result[np.ix_(used, used)] = inverse / np.outer(scale, scale)
    return result
