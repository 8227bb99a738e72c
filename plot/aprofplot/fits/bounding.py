"""Curve bounding: T(n) / f(n), which levels off where f is the growth of T."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from aprofplot.errors import UsageError
from aprofplot.fits.shapes import GROWTH, Model, log_shape
from aprofplot.metrics import Floats

_SUPERSCRIPTS = str.maketrans({"²": "^2", "³": "^3", "√": "sqrt"})
_POWER = re.compile(r"n\^([0-9]+(?:\.[0-9]+)?)")


@dataclass(frozen=True)
class Bound:
    """A model f; `exponent` is c of n^c, else 0. `text` is how people write it."""

    model: Model
    exponent: float
    text: str

    def ratios(self, sizes: Floats, costs: Floats) -> Floats:
        """T(n) / f(n) at each size; nan where f(n) is 0 or beyond the range of numbers."""
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            f = np.exp(log_shape(self.model, self.exponent, sizes))
            result: Floats = np.where((f > 0) & np.isfinite(f), costs / f, np.nan)
        return result


def parse_bound(text: str) -> Bound:
    """A bound as users write it: a model of the fits ("n log n", spaces as you like), or n^C with
    a number C. UsageError if it is neither."""
    wanted = re.sub(r"[\s*·()]+", "", text.lower().translate(_SUPERSCRIPTS).replace("**", "^"))
    wanted = wanted.replace("log2n", "logn").replace("lgn", "logn")
    for model in GROWTH:
        if wanted == model.replace(" ", ""):
            return Bound(model, 0.0, model)
    power = _POWER.fullmatch(wanted)
    if power is None or float(power[1]) == 0:
        known = ", ".join(GROWTH)
        raise UsageError(
            f"--bound={text}: not a known model",
            f"choose {known}, or n^C with a number C",
        )
    return Bound("n^c", float(power[1]), f"n^{float(power[1]):g}")
