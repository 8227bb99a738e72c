"""Reads several profiles as one."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Callable, Iterator, Sequence

from aprofplot.commands.progress_bar import progress_bar
from aprofplot.errors import AprofError
from aprofplot.model import Profile, Run
from aprofplot.names import printable
from aprofplot.profile_sum import ProfileSum
from aprofplot.read.profile_reader import read_merged, read_profile

_MANY = 50_000  # routines, threads apart


def load_profiles(
    paths: Sequence[str],
    per_thread: bool,
    calls_per_thread: bool = False,
    compared: bool = False,
    each: Callable[[Profile], None] | None = None,
) -> Profile:
    """The profiles as one; threads merged unless `per_thread`, those of call edges unless
    `calls_per_thread`, too, and routines that are the same. Says what counts twice, unless the
    profiles are `compared`. Memory: that of the result and a few profiles. `each` is called with
    each of them in turn, its threads apart. ProfileError as read_profile."""
    profiles = ProfileSum(per_thread)
    apart = per_thread or each is not None
    with _collector_paused(), progress_bar("reading") as progress:
        for path in paths:
            one = (
                read_profile(path, calls_per_thread, progress)
                if apart
                else read_merged(path, progress)
            )
            if each is not None:
                each(one)
            profiles.add(one)
        profile = profiles.profile()
        if len(profile.routines) >= _MANY or each is not None:
            gc.freeze()  # they stay to the end: not to be gone through any more
    if not compared:
        _say_what_counts_twice(profile.runs)
    return profile


def check_routines(profile: Profile) -> None:
    """AprofError if there are none."""
    if not profile.routines:
        names = ", ".join(dict.fromkeys(run.path for run in profile.runs))
        todo = "profile again: collecting was off (--collect-from, --toggle-collect, a request)"
        raise AprofError(f"no routine was recorded in {names}", todo)


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Python's search for cycles would go through a million new objects, which have none, again and
    again: more than half of the time that reading and merging them takes."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _say_what_counts_twice(runs: Sequence[Run]) -> None:
    """A profile holds all that earlier dumps of its process do."""
    of_process: dict[tuple[int, str], list[Run]] = {}
    for run in runs:
        of_process.setdefault((run.pid, run.command), []).append(run)
    for (pid, _), several in of_process.items():
        paths = [run.path for run in several]
        again = [path for path in dict.fromkeys(paths) if paths.count(path) > 1]
        if again:
            print(
                printable(f"note: {again[0]} is given twice, and counts twice"),
                file=sys.stderr,
            )
        elif len(several) > 1 and any(run.reason.split(" ")[0] == "dump" for run in several):
            note = f"note: {', '.join(paths)} are of one process ({pid}): what was measured before"
            print(
                printable(f"{note} a dump counts twice, unless zeroed after it"),
                file=sys.stderr,
            )
