"""Tests whether a sum of two powers explains the points as well as a law between them: 600 n + n^2
looks like n^1.5 where its parts cost the same, like n log n below, and grows as n^2 beyond."""

from __future__ import annotations

import math

import numpy as np

from aprofplot.fits.candidates import HANDICAP_OF_GROWTH, HANDICAP_OF_SHIFT
from aprofplot.fits.choosing import Choice
from aprofplot.fits.law import Law
from aprofplot.fits.observations import Observations
from aprofplot.fits.regression import log_likelihood
from aprofplot.fits.shapes import Model, growth
from aprofplot.metrics import Floats

_PARAMETERS = 3  # two factors and the scatter
_SHARES = np.linspace(0.02, 0.98, 49)  # of the larger power in the cost of the largest size
_POWERS: dict[int, Model] = {2: "n^2", 3: "n^3"}
_LARGEST = max(_POWERS)
_APART = 0.1  # a law whose power is nearer to a whole one says what the sum does


def beside_sums(points: Observations, choice: Choice) -> tuple[Law, float]:
    """The larger of the whole powers around that of the model chosen, and the Akaike weight of the model beside
    their sum, 0..1; 1 where its own power is whole and it has no logarithm."""
    base, power, logs = growth(choice.model, choice.candidate.exponent)
    below = math.floor(power)
    is_between = logs > 0 if power == below else _APART < power - below < 1 - _APART
    if base or not 1 <= below < _LARGEST or not is_between:
        return choice.candidate.law, 1.0
    rival = _criterion(points, below)
    weight = 1.0 / (1.0 + math.exp(min((choice.criterion - rival) / 2, 700.0)))
    return Law(_POWERS[below + 1], 0.0, 1.0), weight


def _criterion(points: Observations, power: int) -> float:
    """AICc of the likeliest a n^power + b n^(power + 1), with the handicaps of a law that grows and has a shift."""
    spare = len(points) - 1 - _PARAMETERS
    if spare <= 0:
        return math.inf
    size = points.sizes / points.sizes[-1]
    shapes = (1 - _SHARES[:, None]) * size**power + _SHARES[:, None] * size ** (power + 1)
    if size[0] == 0:
        return math.inf  # where each of them is 0
    likelihood = _likeliest(points.log_cost - np.log(shapes), points.variance)
    few = 2 * _PARAMETERS * (_PARAMETERS + 1) / spare
    return 2 * (_PARAMETERS - likelihood) + few + HANDICAP_OF_GROWTH + HANDICAP_OF_SHIFT


def _likeliest(off: Floats, variance: Floats) -> float:
    """The largest likelihood of all rows, each with the factor and the scatter that are likeliest, roughly."""
    scatter = np.zeros((len(off), 1))
    for _ in range(3):
        weights = 1 / (variance + scatter)
        middle = (weights * off).sum(axis=1) / weights.sum(axis=1)
        error = off - middle[:, None]
        scatter = np.maximum((error**2 - variance).mean(axis=1, keepdims=True), 0.0)
    return float(log_likelihood(error, variance + scatter).sum(axis=1).max())
