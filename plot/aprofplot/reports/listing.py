"""The routines that a report lists: which, in what order, and how their cost grows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from aprofplot.compare.growth import doubt
from aprofplot.fits.law import Fit
from aprofplot.metrics import by_cost, distinct_sizes, induced_shares, largest_size
from aprofplot.model import Profile, RoutineProfile
from aprofplot.reports.html.thread_rows import ThreadRows
from aprofplot.selection import select_all

SORTS = (
    "cost",
    "self",
    "calls",
    "growth",
    "sizes",
    "largest",
    "thread",
    "external",
    "name",
)

Fits = Mapping[str, Fit]  # by metric


@dataclass(frozen=True)
class Listing:
    """`routines` of `profile`, in the order asked for. `event` is what sorts and is fitted;
    `complete`: they are all of the profile's. Each has one thread if `per_thread`. `thread_rows`:
    what the page says of threads."""

    profile: Profile
    routines: tuple[RoutineProfile, ...]
    event: str
    per_thread: bool
    complete: bool = True
    thread_rows: ThreadRows | None = None
    _fits: dict[tuple[int, str], Fits] = field(default_factory=dict, repr=False)

    @property
    def metric(self) -> str:
        """That of growth, sizes and largest: TRMS, or what was measured."""
        names = self.profile.metric_names
        return "trms" if "trms" in names else names[0]

    def fits(self, routine: RoutineProfile, event: str = "") -> Fits:
        """By metric, of `event` unless another is given; fitted when asked for, and once."""
        # scipy takes a moment to load
        from aprofplot.fits.fitting import fit_routine

        key = (id(routine), event or self.event)
        if key not in self._fits:
            self._fits[key] = fit_routine(routine, event or self.event)
        return self._fits[key]

    def growth(self, routine: RoutineProfile) -> Fit:
        """The fit under `metric`."""
        return self.fits(routine)[self.metric]


def make_listing(
    profile: Profile, event: str, per_thread: bool, sort: str, patterns: Sequence[str]
) -> Listing:
    """The routines that any of `patterns` fits (none: all), by `sort`, one of SORTS: names
    ascend, all else descends; ties by cost. SelectionError as select_all."""
    chosen = select_all(profile.routines, patterns) if patterns else list(profile.routines)
    listing = Listing(profile, (), event, per_thread, complete=not patterns)
    ordered = sorted(by_cost(chosen, event), key=_order(listing, sort))
    return replace(listing, routines=tuple(ordered))


def _order(listing: Listing, sort: str) -> Callable[[RoutineProfile], Any]:
    event, metric = listing.event, listing.metric
    keys: dict[str, Callable[[RoutineProfile], Any]] = {
        "cost": lambda r: -r.cost[event].inclusive,
        "self": lambda r: -r.cost[event].own,
        "calls": lambda r: -r.calls,
        "growth": lambda r: _falling_growth(listing.growth(r)),
        "sizes": lambda r: -distinct_sizes(r, metric),
        "largest": lambda r: -largest_size(r, metric),
        "thread": lambda r: -(induced_shares(r) or (0.0, 0.0))[0],
        "external": lambda r: -(induced_shares(r) or (0.0, 0.0))[1],
        "name": lambda r: r.routine.key,
    }
    return keys[sort]


def _falling_growth(fit: Fit) -> tuple[float, ...]:
    """Steepest first; then those that are in doubt, last those of which none can be told."""
    if fit.law is None:
        return (2.0,)
    return (1.0 if doubt(fit) else 0.0, *(-part for part in fit.law.growth))
