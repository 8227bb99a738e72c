"""Adds up profiles one by one, so that many need no more memory than their sum and a few of them."""

from __future__ import annotations

from dataclasses import replace

from aprofplot.merge import join_profiles, merge_threads, merge_within_threads
from aprofplot.model import Context, PointTable, Profile, RoutineProfile

_POINTS = 1 << 18  # that are kept beside the sum, or as many as it has, before they are added


class ProfileSum:
    """Takes profiles in order; threads are merged unless `per_thread`: then the sum itself has all
    the numbers that were taken."""

    def __init__(self, per_thread: bool) -> None:
        self._per_thread = per_thread
        self._profiles: list[Profile] = []  # the sum so far, then what was taken since
        self._points = 0
        self._limit = _POINTS

    def add(self, profile: Profile) -> None:
        """Takes one more. AprofError if it has nothing in common with those before, or is in
        other units; that may also be found later."""
        merge = merge_within_threads if self._per_thread else merge_threads
        self._profiles.append(merge(profile))
        self._points += _count(profile)
        if self._points > self._limit and not self._per_thread:
            self._add_up()

    def profile(self) -> Profile:
        """The sum; only when there is a profile. AprofError as `add`."""
        if len(self._profiles) > 1:
            self._add_up()
        return self._profiles[0]

    def _add_up(self) -> None:
        joined = join_profiles(self._profiles)
        if not self._per_thread:
            joined = merge_threads(joined)
            # Tables of one profile are parts of one array, which would stay whole for any of them.
            joined = replace(
                joined,
                routines=tuple(_with_own_arrays(r) for r in joined.routines),
                contexts=tuple(_with_own_profile(c) for c in joined.contexts),
            )
        self._profiles = [joined]
        self._points = _count(joined)
        self._limit = 2 * self._points + _POINTS


def _count(profile: Profile) -> int:
    """Of points, and of edges, which are about as large."""
    routines = [*profile.routines, *(context.profile for context in profile.contexts)]
    return len(profile.calls) + sum(len(table) for r in routines for table in r.points.values())


def _with_own_profile(context: Context) -> Context:
    profile = _with_own_arrays(context.profile)
    return context if profile is context.profile else replace(context, profile=profile)


def _with_own_arrays(routine: RoutineProfile) -> RoutineProfile:
    if all(table.rows.base is None for table in routine.points.values()):
        return routine
    points = {
        metric: PointTable(table.precision, table.columns, table.rows.copy())
        for metric, table in routine.points.items()
    }
    return replace(routine, points=points)
