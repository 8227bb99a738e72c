"""Whether a law hangs on one place along the sizes."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from aprofplot.fits.candidates import Shape, fit_shapes
from aprofplot.fits.choosing import NEAR_TIE, Choice, choose
from aprofplot.fits.observations import Observations
from aprofplot.fits.precision import support
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

    def shows_all_growth(self) -> bool:
        """Nearly nothing is known of the growth from the sizes elsewhere, or for them the same cost
        is clearly likelier."""
        if self.share > ONE_PLACE:
            return True
        count = len(self._elsewhere)
        if count < _FEWEST_LEFT:
            return False
        chosen = self._choice.candidate
        shape: Shape = (chosen.model, chosen.exponent, chosen.shift)
        flat, *growing = (
            candidate.criterion(count, 1.0, corrected=False)
            for candidate in fit_shapes(self._elsewhere, [("1", 0.0, 0.0), shape])
        )
        return min(growing, default=np.inf) - flat > NEAR_TIE

    @cached_property
    def confidence_elsewhere(self) -> float:
        """In the models chosen, from the other sizes alone; 1 if the law does not hang on this
        place, or they are too few."""
        if self.share <= _MOST or len(self._elsewhere) < FEW_SIZES:
            return 1.0
        weight = choose(self._elsewhere).weight
        return sum(weight.get(model, 0.0) for model in self._choice.tied)

    def is_contradicted(self) -> bool:
        """Enough other sizes follow other laws."""
        enough = len(self._elsewhere) >= 2 * FEW_SIZES
        return enough and self.confidence_elsewhere < _CONTRADICTED
