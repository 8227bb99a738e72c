"""All numbers of work and span in tables and pictures that are not in the profile itself. Work and
span are in the profile's unit, shares in percent (0..100)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprofplot.metrics import Floats, percent
from aprofplot.work_span.model import CallSite, WorkSpanProfile

# The factor by which a work-stealing scheduler is slower on the longest path, measured for the
# Cilkview paper (He, Leiserson, Leiserson: The Cilkview Scalability Analyzer, SPAA 2010). Its lower
# estimate of the speedup is T1 / (T1 / P + 1.7 * burdened span).
SPAN_COEFFICIENT = 1.7

AMPLE = 10  # times as much parallelism as processors is ample (Cilkprof paper, section 2)
LINEAR_UP_TO = 64  # processors of a plot: beyond, its axes are logarithmic
_LEAST_SHOWN, _MOST_SHOWN = 16, 1024  # processors of a plot


def ratio(work: int, span: int) -> float | None:
    """Work / span, the parallelism; None where the span is 0."""
    return work / span if span else None


def span_share(profile: WorkSpanProfile, site: CallSite) -> float:
    """The share of the program's span in the callee's own code, called from here."""
    return percent(site.on_span.local.span, profile.span)


def work_share(profile: WorkSpanProfile, site: CallSite) -> float:
    """The share of the program's work in calls from here, recursion counted once."""
    return percent(site.on_work.top_site.work, profile.work)


def overhead_share(profile: WorkSpanProfile) -> float:
    """The share of the threading run-time library in everything that was executed."""
    return percent(profile.overhead, profile.work + profile.overhead)


def ceiling(profile: WorkSpanProfile, span: int) -> float | None:
    """An upper bound of the parallelism if `span` of the longest path took no time: the rest of that path
    remains, and another path may be longer. None if there is no rest, and so no bound."""
    return ratio(profile.work, profile.span - span)


@dataclass(frozen=True)
class Speedup:
    """The bounds on the speedup of a program, or of the calls of a site. `estimated`: the burdened span
    is the span, scaled as the whole program's. `serialised_span`: None if unknown, as for a site.
    """

    work: int
    span: int
    burdened_span: float
    estimated: bool = False
    serialised_span: int | None = None

    @property
    def parallelism(self) -> float:
        """Work / span, at least 1; 1 if the span is 0."""
        return max(1.0, self.work / self.span) if self.span else 1.0

    @property
    def serialised_parallelism(self) -> float | None:
        """Work / serialised span, at least 1; None if it equals the parallelism or is unknown."""
        if not self.serialised_span or self.serialised_span <= self.span:
            return None
        return max(1.0, self.work / self.serialised_span)

    @property
    def knees(self) -> list[float]:
        """The processors beyond which a bound is level."""
        serialised = self.serialised_parallelism
        return [self.parallelism] + ([] if serialised is None else [serialised])

    def span_bound(self, processors: Floats) -> Floats:
        """Upper bound by work and span: min(P, T1 / span)."""
        bound: Floats = np.minimum(processors, self.parallelism)
        return bound

    def burdened_bound(self, processors: Floats) -> Floats:
        """Lower estimate by the burdened dag: T1 / (T1 / P + 1.7 * burdened span)."""
        if not self.work:
            return np.zeros(len(processors))
        slowed = SPAN_COEFFICIENT * self.burdened_span
        bound: Floats = self.work / (self.work / processors + slowed)
        return bound

    def serialised_bound(self, processors: Floats) -> Floats | None:
        """Upper bound with critical sections one after the other, in the order in which they ran;
        None if it equals that of work and span."""
        parallelism = self.serialised_parallelism
        if parallelism is None:
            return None
        bound: Floats = np.minimum(processors, parallelism)
        return bound


def program_speedup(profile: WorkSpanProfile) -> Speedup:
    """That of the whole program."""
    return Speedup(
        profile.work,
        profile.span,
        profile.burdened_span,
        serialised_span=profile.serialised_span,
    )


def site_speedup(profile: WorkSpanProfile, site: CallSite) -> Speedup:
    """That of a site's calls on work, recursion counted once, as if they followed each other."""
    top = site.on_work.top_site
    if site.burdened_span is not None:
        return Speedup(top.work, top.span, site.burdened_span)
    burden = profile.burdened_span / profile.span if profile.span else 1.0
    return Speedup(top.work, top.span, top.span * burden, estimated=True)


def processors_worth_showing(speedups: list[Speedup]) -> int:
    """A power of two, some way beyond the greatest parallelism: from 16 to 1024."""
    greatest = max(speedup.parallelism for speedup in speedups)
    return int(min(max(_LEAST_SHOWN, 2 ** np.ceil(np.log2(2 * greatest))), _MOST_SHOWN))


def is_logarithmic(asked: str | None, most: int) -> bool:
    """Whether the axes of so many processors are: --log if it is given."""
    return most > LINEAR_UP_TO if asked is None else asked == "xy"


def processor_counts(most: int) -> Floats:
    """1 to `most`, each or, of very many, some hundreds of them."""
    if most <= 512:
        return np.arange(1, most + 1, dtype=np.float64)
    counts: Floats = np.unique(np.round(np.geomspace(1, most, 512)))
    return counts
