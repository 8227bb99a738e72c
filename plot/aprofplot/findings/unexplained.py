"""Routines whose calls cost very differently though their input has one size.

What their cost depends on is in no memory that they read: a number in a register, or what they store. A
loop within them that has most of the cost explains it by its iterations. An argument that tells it is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from aprofplot.findings.finding import Finding, Kind, source_of_routine
from aprofplot.findings.loop_tree import LoopTree, Place
from aprofplot.fits.growth import Growth, best_known, growth_of, variation
from aprofplot.fits.law import number
from aprofplot.model import RoutineProfile
from aprofplot.names import counted, printable

_LEAST_SHARE = 0.2  # of the run's cost: nothing else is known of it
_LEAST_TIMES = 30.0  # the dearest call costs the cheapest's
_WORTH = 0.25  # of its share, as a score: it is no fault that is known


def unexplained(tree: LoopTree) -> Iterator[Finding]:
    """The findings."""
    costly = [
        of
        for of in tree.routines.values()
        if tree.share(tree.inclusive(of)) >= _LEAST_SHARE
        and tree.is_own(of.routine)
        and not tree.calls_by_itself(of.routine)
    ]
    for of, fits in zip(costly, tree.fits(costly)):
        metric = "trms" if "trms" in of.points else "rms"
        growth = growth_of(fits[metric], of.points[metric], tree.event, metric)
        if not growth.size_unknown or _is_explained(tree, of):
            continue
        times = variation(of.points[metric], tree.event)
        if times >= _LEAST_TIMES:
            _, known = best_known(of.points, fits, tree.event)
            yield _finding(of, known, times, tree.share(tree.inclusive(of)))


def _is_explained(tree: LoopTree, of: RoutineProfile) -> bool:
    return any(place.loop is not None for place in tree.descent(Place(of.routine)))


def _finding(of: RoutineProfile, growth: Growth, times: float, share: float) -> Finding:
    at = source_of_routine(of.routine)
    why = (
        f"{counted(of.calls, 'call')}, the dearest of which cost {number(times)} times as much as the "
        "cheapest, while all read as much: what its cost depends on is no input in memory, but "
    )
    argument = growth.argument
    why += "perhaps an argument" if argument is None else f"its argument {printable(argument)}"
    place = Place(of.routine)
    evidence = {"calls": of.calls, "varies": round(times, 1)}
    kind: Kind = "unexplained" if argument is None else "growth"
    return Finding(kind, _WORTH * share, share, place, place, growth, why, evidence)
