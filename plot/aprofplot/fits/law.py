"""What a fit says: the law chosen, its formula, its quality, and what else might be true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from aprofplot.metrics import Floats

Model = Literal[
    "1",
    "log n",
    "sqrt n",
    "n",
    "n log n",
    "n^1.5",
    "n^2",
    "n^2 log n",
    "n^3",
    "2^n",
    "n^c",
    "cannot tell",
]
CANNOT_TELL: Model = "cannot tell"

# (base of n in the exponent, power of n, power of log n): sorts by asymptotic growth.
_GROWTH: dict[Model, tuple[float, float, float]] = {
    "1": (0, 0, 0),
    "log n": (0, 0, 1),
    "sqrt n": (0, 0.5, 0),
    "n": (0, 1, 0),
    "n log n": (0, 1, 1),
    "n^1.5": (0, 1.5, 0),
    "n^2": (0, 2, 0),
    "n^2 log n": (0, 2, 1),
    "n^3": (0, 3, 0),
    "2^n": (1, 0, 0),
}


@dataclass(frozen=True)
class Law:
    """cost(n) = intercept + factor * model(n); `exponent` is c of the model n^c, else 0."""

    model: Model
    intercept: float
    factor: float
    exponent: float = 0.0

    @property
    def growth(self) -> tuple[float, float, float]:
        """Sorts laws by asymptotic growth. ValueError for "cannot tell"."""
        if self.model == "n^c":
            return (0, self.exponent, 0)
        if self.model == CANNOT_TELL:
            raise ValueError(self.model)
        return _GROWTH[self.model]


@dataclass(frozen=True)
class RunnerUp:
    """A law that explains the points less well, or as well but grows faster."""

    model: Model
    formula: str
    r2: float
    weight: float  # Akaike weight among all candidates, 0..1


@dataclass(frozen=True)
class Slope:
    """The exponent c of cost ~ n^c on log-log axes, with its 95 % confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Break:
    """A segmented law's break: `before` holds up to input size `at`, the fit's own law beyond."""

    at: float
    before: Law


@dataclass(frozen=True, eq=False)
class Fit:
    """The verdict on one routine's points under one metric.

    With model "cannot tell", `reason` says why ("3 distinct sizes; 5 needed"), `law` is None,
    `formula` empty, `r2` None and `confidence` 0. `confidence`: Akaike weight of the model with
    its near-ties, 0..1.
    """

    model: Model
    law: Law | None
    formula: str
    r2: float | None
    confidence: float
    runners_up: tuple[RunnerUp, ...] = ()
    near_tie: tuple[Model, ...] = ()
    slope: Slope | None = None
    segment: Break | None = None
    reason: str = ""

    def predict(self, sizes: Floats) -> Floats:
        """The cost that the law gives for `sizes`. ValueError if there is no law."""
        raise NotImplementedError

    def band(self, sizes: Floats) -> tuple[Floats, Floats]:
        """The law's 95 % confidence band: low and high cost. ValueError if there is no law."""
        raise NotImplementedError
