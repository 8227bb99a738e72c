"""Sizes and growth under a metric, for the page's table of routines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aprofplot.fits.behaviours import two_behaviours
from aprofplot.fits.growth import Growth, best_known
from aprofplot.fits.law import Fit
from aprofplot.metrics import distinct_sizes, largest_size
from aprofplot.model import Profile, RoutineProfile, is_argument
from aprofplot.reports.columns import growth_words
from aprofplot.reports.html.fit_data import UNTOLD, growth_rank

Fits = Mapping[str, Mapping[str, Fit]]  # by event, then by metric


def metric_columns(
    profile: Profile, routines: Sequence[RoutineProfile], fits: Sequence[Fits], metric: str
) -> dict[str, Any]:
    """A value for each routine, by name; of growth, for each event. `fits`: those of the routines."""
    known = [
        list(_known_growths(profile, routines, [of[event] for of in fits], event, metric))
        for event in profile.event_names
    ]
    found = [[of[0] if of else None for of in column] for column in known]
    return {
        "sizes": [distinct_sizes(r, metric) for r in routines],
        "largest": [largest_size(r, metric) for r in routines],
        "growth": [[growth_words(*of) if of else "" for of in column] for column in known],
        "class": [[fit.model if fit else "" for fit in column] for column in found],
        "rank": [[round(growth_rank(f), 3) if f else UNTOLD for f in column] for column in found],
        "confidence": [[round(f.confidence, 3) if f else 0 for f in column] for column in found],
    }


def _known_growths(
    profile: Profile,
    routines: Sequence[RoutineProfile],
    fits: Sequence[Mapping[str, Fit]],
    event: str,
    metric: str,
) -> Iterator[tuple[Fit, Growth] | None]:
    """Of each routine under the metric, else in an argument, and the fit that it is of."""
    mixtures = two_behaviours(profile, event, metric)
    for routine, by_metric in zip(routines, fits):
        if metric not in by_metric:
            yield None
            continue
        points = {
            name: table
            for name, table in routine.points.items()
            if name == metric or is_argument(name)
        }
        fit, known = best_known(points, by_metric, event)
        yield fit, mixtures.get(routine.routine.key, known)
