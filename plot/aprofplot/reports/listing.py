"""The routines that a report lists: their selection, order and growth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from aprofplot.compare.growth import doubt
from aprofplot.fits.behaviours import two_behaviours
from aprofplot.fits.fitting import fit_routines
from aprofplot.fits.growth import Growth, best_known
from aprofplot.fits.law import Fit
from aprofplot.metrics import by_cost, distinct_sizes, induced_shares, largest_size
from aprofplot.model import Profile, RoutineKey, RoutineProfile
from aprofplot.ownership import start_up_routines
from aprofplot.progress import Progress
from aprofplot.reports.html.thread_rows import ThreadRows
from aprofplot.named_scopes import select_routines

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
    """`routines` of `profile`, in the order asked for, of which the first `top` are shown (None: all).
    `event` is what sorts and is fitted; `complete`: they are all of the profile's. Each has one thread
    if `per_thread`. `thread_rows`: what the page says of threads. `progress` is told of fits.
    `last`: what calls main, and so costs what the whole program does, if that comes after the program.
    """

    profile: Profile
    routines: tuple[RoutineProfile, ...]
    event: str
    per_thread: bool
    complete: bool = True
    thread_rows: ThreadRows | None = None
    top: int | None = None
    progress: Progress | None = None
    last: frozenset[RoutineKey] = frozenset()
    # By id() of the routine, which is kept, as that of one that is gone may be another's.
    _fits: dict[tuple[int, str], tuple[RoutineProfile, Fits]] = field(
        default_factory=dict, repr=False
    )
    # What the fits tell of growth, by the same keys: the routines are kept with the fits.
    _growths: dict[tuple[int, str], tuple[Fit, Growth]] = field(default_factory=dict, repr=False)

    @property
    def metric(self) -> str:
        """That of growth, sizes and largest: TRMS, or what was measured."""
        names = self.profile.metric_names
        return "trms" if "trms" in names else names[0]

    def fits(self, routine: RoutineProfile, event: str = "") -> Fits:
        """By metric, of `event` unless another is given. All that are shown are fitted with the first,
        as that is much faster."""
        event = event or self.event
        if (id(routine), event) not in self._fits:
            self.fit_together((*self.routines[: self.top], routine), event)
        return self._fits[id(routine), event][1]

    @cached_property
    def _behaviours(self) -> Mapping[RoutineKey, Growth]:
        if self.per_thread:
            return {}
        return two_behaviours(self.profile, self.event, self.metric)

    def fit_together(self, routines: Iterable[RoutineProfile], event: str = "") -> None:
        """Those whose fits will be asked for."""
        event = event or self.event
        missing = list({id(r): r for r in routines if (id(r), event) not in self._fits}.values())
        fits = fit_routines(missing, event, progress=self.progress)
        self._fits.update({(id(r), event): (r, of) for r, of in zip(missing, fits)})

    def growth(self, routine: RoutineProfile) -> Fit:
        """The fit that the growth is told by: under `metric`, or in a loop's iterations."""
        return self._best_known(routine)[0]

    def known_growth(self, routine: RoutineProfile) -> Growth:
        """What is known of it, also without a law."""
        if routine.routine.key in self._behaviours:
            return self._behaviours[routine.routine.key]
        return self._best_known(routine)[1]

    def _best_known(self, routine: RoutineProfile) -> tuple[Fit, Growth]:
        fits, key = self.fits(routine), (id(routine), self.event)
        if key not in self._growths:
            self._growths[key] = best_known(routine.points, fits, self.event)
        return self._growths[key]


def make_listing(
    profile: Profile,
    event: str,
    per_thread: bool,
    sort: str,
    patterns: Sequence[str],
    top: int | None = None,
    progress: Progress | None = None,
    start_up_last: bool = False,
) -> Listing:
    """The routines that any of `patterns` fits (none: all), by `sort`, one of SORTS: names
    ascend, all else descends; ties by cost. SelectionError as select_routines."""
    chosen = select_routines(profile, patterns) if patterns else list(profile.routines)
    by_event = tuple(by_cost(chosen, event))
    listing = Listing(
        profile,
        by_event,
        event,
        per_thread,
        complete=not patterns,
        progress=progress,
        last=start_up_routines(profile) if start_up_last else frozenset(),
    )
    ordered = sorted(by_event, key=_order(listing, sort))
    ordered.sort(key=lambda of: of.routine.key in listing.last)
    return replace(listing, routines=tuple(ordered), top=top)


def _order(listing: Listing, sort: str) -> Callable[[RoutineProfile], Any]:
    event, metric = listing.event, listing.metric
    keys: dict[str, Callable[[RoutineProfile], Any]] = {
        "cost": lambda r: -r.cost[event].inclusive,
        "self": lambda r: -r.cost[event].own,
        "calls": lambda r: -r.calls,
        "growth": lambda r: _falling_growth(listing.growth(r), listing.known_growth(r)),
        "sizes": lambda r: -distinct_sizes(r, metric),
        "largest": lambda r: -largest_size(r, metric),
        "thread": lambda r: -(induced_shares(r) or (0.0, 0.0))[0],
        "external": lambda r: -(induced_shares(r) or (0.0, 0.0))[1],
        "name": lambda r: r.routine.key,
    }
    return keys[sort]


def _falling_growth(fit: Fit, known: Growth) -> tuple[float, ...]:
    """Steepest first, by the lower end of what it may be; then those that are in doubt, last those of
    which nothing is known."""
    if known.low is None or known.high is None:
        return (2.0,)
    return (1.0 if fit.law and doubt(fit) else 0.0, -known.low, -known.high)
