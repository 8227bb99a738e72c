"""Routines that call themselves and read their whole input in each of these calls.

What takes its input apart, as a sort does, reads half of it or more in three calls at most: in the outermost
one, and in the two halves. One that copies its argument for each call, or goes through all of it, does so in all.
An activation's RMS has that of the calls within it, so it is looked at what reads and does not call it again:
its innermost loops, and the routines that nearly only it calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aprofplot.findings.finding import Finding, source_of_routine
from aprofplot.findings.loop_tree import LoopTree, Place
from aprofplot.findings.read_again import LEAST_SHARE
from aprofplot.fits.growth import Growth
from aprofplot.metrics import largest_size
from aprofplot.model import PointTable, RoutineProfile
from aprofplot.names import NAME_WIDTH, base_name, counted, shorten

_HALF = 0.5  # of the largest input, at least, is read
_LEAST_TIMES = 16.0  # for each call from elsewhere: five times what a sort does
_LEAST_CELLS = 512  # of input: half of it is more than the path down a tree of a million nodes
_MOST_CALLS = 0.9  # of a routine's, by the recursion: then what it reads is read there


@dataclass(frozen=True)
class _Reading:
    """`name` of what is called, empty for a loop of the routine itself; its cost there; `times` it has read
    half of the largest input or more."""

    name: str
    cost: int
    times: int


def reading_all(tree: LoopTree) -> Iterator[Finding]:
    """The findings."""
    for routine in tree.routines.values():
        own = sum(edge.calls for edge in tree.calls_by_itself(routine.routine))
        outer = sum(edge.calls for edge in tree.calls_from_elsewhere(routine.routine))
        if own == 0 or outer == 0 or not tree.is_own(routine.routine):
            continue
        size = largest_size(routine, "rms")
        if size < _LEAST_CELLS or own < _LEAST_TIMES * outer:
            continue
        dearest = max(_readings(tree, routine, size), key=lambda of: of.cost, default=None)
        if dearest is None or tree.share(dearest.cost) < LEAST_SHARE:
            continue
        if dearest.times >= _LEAST_TIMES * outer:
            yield _finding(tree, routine, dearest, own, outer, size)


def _readings(tree: LoopTree, routine: RoutineProfile, size: int) -> Iterator[_Reading]:
    for loop in tree.loops_of(routine.routine):
        cost = loop.cost[tree.event]
        if cost.own == cost.inclusive and "rms" in loop.points:
            yield _Reading("", cost.own, _times(loop.points["rms"], size))
    for edge in tree.calls_by(routine.routine):
        called = tree.routines.get(edge.callee.key)
        if called is None or edge.calls < _MOST_CALLS * called.calls or "rms" not in called.points:
            continue
        if edge.callee.key not in tree.cycle(routine.routine):
            name = shorten(base_name(edge.callee.name), NAME_WIDTH)
            yield _Reading(name, edge.cost[tree.event], _times(called.points["rms"], size))


def _times(table: PointTable, size: int) -> int:
    """Activations that read half of that or more."""
    return int(table.column("calls")[table.column("size") >= _HALF * size].sum())


def _finding(
    tree: LoopTree,
    of: RoutineProfile,
    reading: _Reading,
    calls: int,
    outer: int,
    size: int,
) -> Finding:
    at = source_of_routine(of.routine)
    what = f" by {reading.name}" if reading.name else " in a loop"  # also several times in one call
    why = (
        f"{at.function} calls itself {counted(round(calls / outer), 'time')} for each call from elsewhere, and reads "
        f"half of its {size:,} cells of input or more{what} {reading.times / outer:,.0f} times; "
        "with ten times the input, ten times as many calls would each read ten times as much, at 100 times the cost"
    )
    place = Place(of.routine)
    share = min(tree.share(tree.inclusive(of)), 1.0)
    evidence = {
        "calls": calls,
        "outer_calls": outer,
        "largest_input": size,
        "read_half": reading.times,
    }
    growth = Growth(
        None, None, "", None, 0.0, "in proportion to its calls and to the cells that each reads"
    )
    return Finding("read-again", share, share, place, place, growth, why, evidence)
