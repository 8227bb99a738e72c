"""The result of a fit: the law chosen, its formula, its quality, and the alternatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from aprofplot.fits.shapes import CANNOT_TELL as CANNOT_TELL
from aprofplot.fits.shapes import Model as Model
from aprofplot.fits.shapes import FREE, growth, log_shape
from aprofplot.metrics import Floats

LEAST_WEIGHT = 0.001  # Akaike weight from which a law is possible
_LARGEST_LOG = 700.0  # of a cost: the float's largest, nearly


@dataclass(frozen=True)
class Law:
    """cost(n) = intercept + factor * model(n - shift); `exponent` is c of the model n^c, the binary logarithm of
    that of c^n, else 0."""

    model: Model
    intercept: float
    factor: float
    exponent: float = 0.0
    shift: float = 0.0

    @property
    def growth(self) -> tuple[float, float, float]:
        """Sorts laws by asymptotic growth. ValueError for "cannot tell"."""
        return growth(self.model, self.exponent)

    def log_shape(self, sizes: Floats) -> Floats:
        """Natural logarithm of model(n - shift), -inf where that is 0."""
        return log_shape(self.model, self.exponent, np.maximum(sizes - self.shift, 0.0))

    def cost(self, sizes: Floats) -> Floats:
        """The cost at `sizes`, which are not negative."""
        if self.factor == 0:
            return np.full(len(sizes), self.intercept)
        growing = np.log(self.factor) + self.log_shape(sizes)
        growing = np.exp(np.minimum(growing, _LARGEST_LOG))
        return np.asarray(self.intercept + growing, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """How well a law's parameters are known. `covariance`: 3 x 3, of the intercept, of the growing
    part's cost at the size `at`, and of the exponent. `quantile`: Student's t for 95 %.
    """

    at: float
    covariance: Floats
    quantile: float

    def band(self, law: Law, sizes: Floats) -> tuple[Floats, Floats]:
        """95 % confidence band of `law` at `sizes`, by the delta method on the log cost."""
        cost = law.cost(sizes)
        gradient = np.zeros((len(sizes), 3))
        if law.model == "1":
            gradient[:, 0] = 1
        else:
            gradient[:, 0] = 1
            shape = law.log_shape(sizes) - law.log_shape(np.array([self.at]))
            gradient[:, 1] = np.exp(np.minimum(shape, _LARGEST_LOG / 3))
            growing = cost - law.intercept
            gradient[:, 2] = growing * by_parameter(law.model, sizes, self.at)
        variance = np.einsum("ni,ij,nj->n", gradient, self.covariance, gradient)
        error = self.quantile * np.sqrt(np.maximum(variance, 0.0)) / np.maximum(cost, 1e-300)
        error = np.minimum(error, 50.0)  # beyond the measured sizes a cost may be 0 or less
        return cost * np.exp(-error), cost * np.exp(error)


def by_parameter(model: Model, sizes: Floats, at: float) -> Floats:
    """How the logarithm of the growing part, which stays what it is at the size `at`, changes with the
    parameter of a model of FREE, or of one that has none but would be n^c."""
    if model == "c^n":
        return np.asarray(np.log(2.0) * (sizes - at), dtype=np.float64)
    return np.asarray(np.log(np.maximum(sizes, 1e-300) / at), dtype=np.float64)


@dataclass(frozen=True)
class RunnerUp:
    """A law that explains the points less well, or as well but grows faster."""

    law: Law
    formula: str
    r2: float
    weight: float  # Akaike weight among all candidates, 0..1

    @property
    def model(self) -> Model:
        """The law's."""
        return self.law.model


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
    uncertainty: Callable[[], Uncertainty] | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, eq=False)
class Fit:
    """The verdict on one routine's points under one metric.

    With model "cannot tell", `reason` says why ("3 distinct sizes; 5 needed"), `law` is None,
    `formula` empty, `r2` None and `confidence` 0. `confidence`: Akaike weight of the model with
    its near-ties, 0..1. `between`: the possible laws where they grow too differently to tell. `tied`
    with a law: it and its near-ties, all of them, where `runners_up` has the best few; without: those
    of `between` that explain the points as well as the best.
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
    between: tuple[Law, ...] = ()
    tied: tuple[Law, ...] = ()
    uncertainty: Callable[[], Uncertainty] | None = field(default=None, repr=False)
    slope_of_few: Slope | None = None  # of three or four sizes: too few for a law

    @property
    def name(self) -> str:
        """The model; n^c with its exponent, c^n with its base."""
        return self.model if self.law is None else law_name(self.law)

    def predict(self, sizes: Floats) -> Floats:
        """The cost that the law gives for `sizes`. ValueError if there is no law."""
        if self.law is None:
            raise ValueError(self.reason)
        cost = self.law.cost(sizes)
        if self.segment is not None:
            cost = np.where(sizes <= self.segment.at, self.segment.before.cost(sizes), cost)
        return cost

    def band(self, sizes: Floats) -> tuple[Floats, Floats]:
        """The law's 95 % confidence band: low and high cost. ValueError if there is no law."""
        if self.law is None or self.uncertainty is None:
            raise ValueError(self.reason)
        low, high = self.uncertainty().band(self.law, sizes)
        if self.segment is not None and self.segment.uncertainty is not None:
            before = self.segment.uncertainty().band(self.segment.before, sizes)
            low = np.where(sizes <= self.segment.at, before[0], low)
            high = np.where(sizes <= self.segment.at, before[1], high)
        return low, high


def law_name(law: Law) -> str:
    """The model; n^c with its exponent, c^n with its base."""
    if law.model not in FREE:
        return law.model
    return f"n^{law.exponent:.2f}" if law.model == "n^c" else f"{2.0**law.exponent:.3g}^n"


def formula(law: Law, segment: Break | None = None) -> str:
    """The law with 3 significant digits; log2 is the binary logarithm, 0 for n < 1."""
    if segment is None:
        return _one_law(law)
    return f"{_one_law(segment.before)} up to n = {number(segment.at)}, then {_one_law(law)}"


def number(value: float) -> str:
    """3 significant digits: 0.0123, 12.3, 12300, 1.23e6."""
    text = f"{value:.3g}"
    digits, _, exponent = text.partition("e")
    if not exponent:
        return text
    power = int(exponent)
    return f"{float(text):.0f}" if 0 < power < 5 else f"{digits}e{power}"


def _with_base(model: Model) -> str:
    if model.startswith("log^"):
        return f"(log2 n)^{model[len('log^')]}"
    return model.replace("log n", "log2 n")


def _one_law(law: Law) -> str:
    if law.model == "1":
        return number(law.intercept)
    shape = _with_base(law.model)
    if law.model in FREE:
        shape = f"n^{law.exponent:.3g}" if law.model == "n^c" else f"{2.0**law.exponent:.4g}^n"
    if law.shift:
        sign = "-" if law.shift > 0 else "+"
        shape = shape.replace("n", f"(n {sign} {number(abs(law.shift))})")
    factor = number(law.factor)
    term = shape if factor == "1" else f"{factor} {shape}"
    if law.intercept == 0:
        return term
    if law.intercept < 0:
        return f"{term} - {number(-law.intercept)}"
    return f"{number(law.intercept)} + {term}"
