"""Compares the growth of two fits, as far as they are certain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from aprofplot.fits.law import CANNOT_TELL, LEAST_WEIGHT, Fit, Law

Growth = tuple[float, float, float]  # as of Law.growth
GrowthKind = Literal["worse", "better", "same", "cannot tell"]

LEAST_CONFIDENCE = 0.5  # of a fit, with its near-ties, from which its growth counts as known
_LOG_AS_POWER = 0.15  # log n counts as n^0.15, which it is about from n = 100 to 10000
_EXPONENTIAL_AS_POWER = 10.0


@dataclass(frozen=True)
class GrowthChange:
    """From OLD's law to NEW's. `reason` says why one cannot tell; else empty. `steps`: by how much
    the exponent of n rose, 0 unless worse or better."""

    kind: GrowthKind
    steps: float = 0.0
    reason: str = ""


def possible_laws(fit: Fit) -> list[Law]:
    """Its law, near-ties and the runners-up that weigh enough, or those it cannot tell between; the
    slowest-growing first. Empty if it cannot tell at all."""
    heavy = [other.law for other in fit.runners_up if other.weight >= LEAST_WEIGHT]
    possible = dict.fromkeys([*fit.between, *likely_laws(fit), *heavy])
    return sorted(possible, key=lambda law: law.growth)


def likely_laws(fit: Fit) -> list[Law]:
    """Those of possible_laws() that explain the points as well as the best; the fit's own first."""
    # Where all calls cost the same, no alternatives are tried, and none is tied.
    own = [] if fit.law is None else [fit.law]
    return list(dict.fromkeys([*own, *fit.tied]))


def growths(fit: Fit) -> tuple[Growth, Growth]:
    """The least and the greatest growth that `fit` leaves possible. ValueError if there is none."""
    possible = [law.growth for law in possible_laws(fit)]
    return min(possible), max(possible)


def exponent(growth: Growth) -> float:
    """A growth as one number: the power of n, with a log n as a little more."""
    exponential, power, logarithms = growth
    return exponential * _EXPONENTIAL_AS_POWER + power + logarithms * _LOG_AS_POWER


def doubt(fit: Fit) -> str:
    """Why the fit's growth is not known; empty if it is."""
    if fit.model == CANNOT_TELL:
        return fit.reason
    if fit.confidence < LEAST_CONFIDENCE:
        return f"{fit.model} only with confidence {fit.confidence:.2f}"
    return ""


def compare_growth(old: Fit, new: Fit) -> GrowthChange:
    """Worse or better only if both fits are confident, and no law that one of them leaves possible
    is possible for the other or on its other side."""
    for side, fit in (("OLD", old), ("NEW", new)):
        why = doubt(fit)
        if why:
            return GrowthChange("cannot tell", reason=f"{side}: {why}")
    old_least, old_most = growths(old)
    new_least, new_most = growths(new)
    if new_least > old_most:
        return GrowthChange("worse", exponent(new_least) - exponent(old_most))
    if new_most < old_least:
        return GrowthChange("better", exponent(new_most) - exponent(old_least))
    return GrowthChange("same")
