"""Findings as text, and the command that draws the first."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Set

from aprofplot.errors import AprofError
from aprofplot.findings.finding import Finding
from aprofplot.findings.ranking import find_all
from aprofplot.findings.read_again import LEAST_SHARE
from aprofplot.loop_scopes import (
    loop_place,
    number_suffix,
    numbers_in_line,
    offset_name,
    select_loops,
)
from aprofplot.metrics import FEW_SIZES, total_cost
from aprofplot.model import (
    ITERATIONS,
    LoopProfile,
    Profile,
    Routine,
    RoutineKey,
    RoutineProfile,
    Run,
)
from aprofplot.names import base_name
from aprofplot.ownership import own_routines
from aprofplot.reports.listing import Listing
from aprofplot.selection import select

_PROFILES = 3  # that a command names
_FIT = ("--fit", "--y", "mean")  # that the finding tells, of mean costs


def finding_lines(listing: Listing) -> Iterator[str]:
    """Of the whole profile: two lines for each finding and the first one's plot, or why there are none;
    then an empty line. Nothing where routines are chosen or threads apart."""
    if listing.per_thread or not listing.complete:
        return
    profile = listing.profile
    found = find_all(profile, listing.event) if profile.loops else []
    for rank, finding in enumerate(found, 1):
        first, second = finding.lines
        yield f"{rank}. {first}"
        yield f"   {second}"
        if rank == 1:
            yield f"   plot: {plot_command(profile, finding)}"
    if not found:
        first, *more = why_none(profile, listing.event)
        yield f"no findings: {first}"
        yield from more
    yield ""


def why_none(profile: Profile, event: str) -> list[str]:
    """What a profile lacks that has no findings, or that it has none, and what was not judged."""
    if not profile.loops:
        measured = any(("loops", "yes") in run.options for run in profile.runs)
        return ["no loop was run" if measured else "the profile has no loops, run with --loops=yes"]
    whole = total_cost(profile, event)
    own = own_routines(of.routine for of in profile.routines)
    return [
        f"nothing with {100 * LEAST_SHARE:.0f} % of the cost is seen to grow faster than its input",
        *_few_sizes(profile, event, LEAST_SHARE * whole, own),
        *_not_judged(profile, event, whole / 2, own),
    ]


def _few_sizes(profile: Profile, event: str, least: float, own: Set[RoutineKey]) -> Iterator[str]:
    """That the run does not have the sizes that growth is seen in, of the user's own code that costs."""
    scopes: list[RoutineProfile | LoopProfile] = [
        *(of for of in profile.routines if of.routine.key in own),
        *(of for of in profile.loops if of.loop.routine.key in own),
    ]
    costly = [of for of in scopes if of.cost[event].inclusive >= least]
    sizes = [len(table) for of in costly for table in of.points.values()]
    if sizes and max(sizes) < FEW_SIZES:
        yield (
            f"what costs most has fewer than {FEW_SIZES} input sizes: give one run inputs of several sizes, "
            "or report the profiles of several runs together"
        )


def run_notes(run: Run) -> list[str]:
    """What the reader of its profile should know."""
    return [f"{note.count:,} {note.text}." for note in run.notes]


def _not_judged(profile: Profile, event: str, least: float, own: Set[RoutineKey]) -> Iterator[str]:
    """The outermost of the user's own routines that the run was in a loop of at its end: that has no sizes. What
    calls main is none of these."""
    running = own & {of.loop.routine.key for of in profile.loops if of.unfinished}
    pending = [of for of in profile.routines if of.unfinished and of.routine.key in running]
    costly = [of for of in pending if of.cost[event].inclusive >= least]
    if costly:
        first = max(costly, key=lambda of: of.cost[event].inclusive)
        yield (
            f"{base_name(first.routine.name)} had not returned when the profile was written: loops that were "
            "running are not judged"
        )


def plot_command(profile: Profile, finding: Finding) -> str:
    """What draws how it grows."""
    words = plot_words(profile, finding)
    if len(profile.runs) <= _PROFILES:
        words += [run.path for run in profile.runs]
    return shlex.join(["aprof-plot", *words])


def plot_words(profile: Profile, finding: Finding) -> list[str]:
    """What aprof-plot takes to draw it, but for the profiles: a name, and options."""
    loop = finding.scope.loop
    if loop is None:
        routine = _routine_name(profile, finding.scope.routine)
        if finding.growth.argument is None:
            return [routine]
        return [routine, "--metric", str(finding.growth.grows_in), *_FIT]
    name = _loop_name(profile, loop)
    if len(loop.points[ITERATIONS]) >= FEW_SIZES:
        return [name, "--metric", ITERATIONS, *_FIT]
    if finding.kind in ("read-again", "progress") and len(loop.progress) > 2:
        return [name, "--plot", "progress"]
    return [name]


def _loop_name(profile: Profile, loop: LoopProfile) -> str:
    """FILE:LINE if that is this one, else FILE:LINE#N if there are several, or its place in its routine."""
    of = loop.loop
    try:
        if select_loops(profile.loops, loop_place(of))[0].loop.key == of.key:
            return loop_place(of)
    except AprofError:
        pass
    number = numbers_in_line(profile.loops).get(of.key, 0)
    return loop_place(of) + number_suffix(number) if number else offset_name(of)


def _routine_name(profile: Profile, routine: Routine) -> str:
    """As short as is unambiguous."""
    short = base_name(routine.name)
    try:
        select(profile.routines, short)
    except AprofError:
        return f"{routine.object}:{routine.name}"
    return short
