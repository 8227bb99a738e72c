"""Problems of routines, each with a score and a sentence: the routines to look at first.

Scores compare: about the share of the run's cost, 0..1, that is at stake times how bad it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from aprofplot.fits.law import Fit, Law
from aprofplot.metrics import distinct_sizes, induced_shares, percent
from aprofplot.model import RoutineProfile

Kind = Literal["growth", "rms", "threads"]

_THREAD_INPUT = 10.0  # percent of a routine's input from which other threads are worth naming
_COST = 1.0  # percent of the run's cost from which routines are worth naming
_STEEP_COST = 0.1  # the same of what grows steeply: with more input it will be more
_EXPONENTIAL = 4.0  # worth as much as n^4
_RICHER = 3  # times as many sizes by TRMS as by RMS, where RMS cannot tell


@dataclass(frozen=True)
class Problem:
    """`score`: 0 and up; the greater, the sooner to look. `sentence`: for people, one line."""

    kind: Kind
    score: float
    sentence: str


def growth_exponent(law: Law) -> float:
    """A law's asymptotic growth as one number: about c of n^c; a logarithm counts 0.1, an
    exponential 4."""
    base, power, logs = law.growth
    return _EXPONENTIAL if base else power + 0.1 * logs


def find_problems(
    routine: RoutineProfile, fits: Mapping[str, Fit], event: str, whole: int
) -> tuple[Problem, ...]:
    """A routine's problems, the worst first. `fits` is by metric, of the cost `event`; `whole` is
    the cost of the run (metrics.total_cost)."""
    found = [_growth(routine, fits, event, whole)]
    if percent(routine.cost[event].inclusive, whole) >= _COST:
        found += [_rms(routine, fits, event, whole), _threads(routine, event, whole)]
    return tuple(sorted((p for p in found if p is not None), key=lambda p: -p.score))


def _at_stake(routine: RoutineProfile, event: str, whole: int) -> float:
    """Share of the cost, 0..1: the mean of inclusive and self, so that of a chain of callers with
    one cost the routine that spends it comes first."""
    cost = routine.cost[event]
    return (cost.inclusive + cost.own) / (2 * whole) if whole else 0.0


def _growth(
    routine: RoutineProfile, fits: Mapping[str, Fit], event: str, whole: int
) -> Problem | None:
    metric = "trms" if "trms" in fits else next(iter(fits), "")
    fit = fits.get(metric)
    if fit is None or fit.law is None:
        return None
    steepness = growth_exponent(fit.law) - 1.0
    cost = routine.cost[event]
    total, own = percent(cost.inclusive, whole), percent(cost.own, whole)
    if steepness <= 0 or fit.law.factor <= 0 or total < _STEEP_COST:
        return None
    sentence = f"Grows as {fit.name}: {_share(total)} of the cost, {_share(own)} by itself."
    score = _at_stake(routine, event, whole) * steepness * fit.confidence
    return Problem("growth", score, sentence)


def _rms(
    routine: RoutineProfile, fits: Mapping[str, Fit], event: str, whole: int
) -> Problem | None:
    trms, rms = fits.get("trms"), fits.get("rms")
    if trms is None or trms.law is None or rms is None:
        return None
    at_stake = _at_stake(routine, event, whole)
    if rms.law is not None:
        apart = abs(growth_exponent(rms.law) - growth_exponent(trms.law))
        # Two laws n^c need not have the same exponent.
        tied = {*rms.near_tie, *trms.near_tie} - {"n^c"}
        if apart < 0.25 or not tied.isdisjoint((rms.model, trms.model)):
            return None
        sentence = f"RMS misleads here: it says {rms.name}, TRMS says {trms.name}."
        score = at_stake * min(apart, 1.0) * min(rms.confidence, trms.confidence)
        return Problem("rms", score / 2, sentence)
    few, many = distinct_sizes(routine, "rms"), distinct_sizes(routine, "trms")
    if many < _RICHER * few:
        return None
    sizes = "1 distinct size" if few == 1 else f"{few:,} distinct sizes"
    sentence = (
        f"RMS misleads here: it sees {sizes} of {many:,} and cannot tell; "
        f"TRMS says {trms.name}."
    )
    return Problem("rms", at_stake * trms.confidence / 2, sentence)


def _threads(routine: RoutineProfile, event: str, whole: int) -> Problem | None:
    shares = induced_shares(routine)
    if shares is None or shares[0] < _THREAD_INPUT:
        return None
    cost = percent(routine.cost[event].inclusive, whole)
    sentence = (
        f"Input from other threads: {_share(shares[0])}; it takes {_share(cost)} of the cost."
    )
    score = _at_stake(routine, event, whole) * shares[0] / 100
    return Problem("threads", score / 4, sentence)


def _share(value: float) -> str:
    return "less than 0.1 %" if 0 < value < 0.1 else f"{value:.1f} %"
