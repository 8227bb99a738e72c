"""Tests whether a law depends on one place along the sizes."""

from __future__ import annotations

import numpy as np

from aprofplot.fits.candidates import criteria, fit_laws
from aprofplot.fits.choosing import NEAR_TIE, Choice, choose
from aprofplot.fits.law_table import laws_of
from aprofplot.fits.observations import Observations
from aprofplot.fits.precision import support
from aprofplot.fits.shapes import CONSTANT, MODEL, simple_shapes
from aprofplot.fits.together import Steps
from aprofplot.metrics import FEW_SIZES

ONE_PLACE = 0.95  # the share of what is known of the growth that one place may have
_MOST = 0.5  # with a greater share, the others are asked, too
_WIDTH = 1.1  # of a place: its sizes differ by this factor, each way, at most
_CONTRADICTED = 0.1  # what less confidence elsewhere means, from twice as many sizes as a law needs
_FEWEST_LEFT = 3  # observations elsewhere, to say that they show no growth


class Place:
    """Where most is known of the growing part of the law chosen: one size and its neighbours."""

    def __init__(self, choice: Choice, points: Observations) -> None:
        shares = support(choice.candidate, points)
        middle = points.sizes[int(shares.argmax())]
        here = (points.sizes * _WIDTH >= middle) & (points.sizes <= middle * _WIDTH)
        self.sizes = points.sizes[here]
        self.share = float(shares[here].sum())
        self._choice = choice
        self._elsewhere = points.where(~here)
        self._confidence: float | None = None

    def shows_all_growth(self) -> Steps[bool]:
        """Nearly nothing is known of the growth from the sizes elsewhere, or for them the same cost
        is clearly likelier."""
        if self.share > ONE_PLACE:
            return True
        count = len(self._elsewhere)
        if count < _FEWEST_LEFT:
            return False
        chosen = self._choice.candidate
        shapes = np.concatenate([simple_shapes(["1"]), chosen.shape], axis=1)
        laws = yield from fit_laws(self._elsewhere, laws_of(shapes))
        values = criteria(laws, count)[1]
        flat = laws[MODEL] == CONSTANT
        return bool(values[~flat].min(initial=np.inf) - values[flat].min() > NEAR_TIE)

    def confidence_elsewhere(self) -> Steps[float]:
        """In the models chosen, from the other sizes alone; 1 if the law does not hang on this
        place, or they are too few."""
        if self._confidence is None:
            self._confidence = 1.0
            if self.share > _MOST and len(self._elsewhere) >= FEW_SIZES:
                weight = (yield from choose(self._elsewhere)).weight
                self._confidence = sum(weight.get(model, 0.0) for model in self._choice.tied)
        return self._confidence

    def is_contradicted(self) -> Steps[bool]:
        """Enough other sizes follow other laws."""
        if len(self._elsewhere) < 2 * FEW_SIZES:
            return False
        confidence = yield from self.confidence_elsewhere()
        return confidence < _CONTRADICTED
