"""Routines that call themselves and read much of their input in each of these calls.

What takes its input apart, as a sort does, reads half of it or more in three calls at most: in the outermost
one, and in the two halves. One that copies its argument for each call, or goes through all of it, does so in all.
An activation's RMS has that of the calls within it, so it is looked at what reads and does not call it again:
its loops without these calls, and the routines that nearly only it calls. A loop that makes the calls has their RMS,
too; but what it reads by itself takes iterations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aprofplot.findings.finding import Finding, source_of_routine
from aprofplot.findings.finding_place import Place
from aprofplot.findings.loop_tree import LoopTree
from aprofplot.findings.read_again import LEAST_SHARE
from aprofplot.fits.growth import Growth
from aprofplot.metrics import largest_size
from aprofplot.model import ITERATIONS, LoopProfile, PointTable, RoutineProfile, cost_column
from aprofplot.names import NAME_WIDTH, base_name, counted, shorten

# Of the largest input: what else is there, as text, may be read once.
_PARTS = {2: "half", 4: "a quarter", 8: "an eighth", 16: "a sixteenth"}
# Times that a part is read for each call from elsewhere, by the square of its denominator: who divides an input
# into halves does so for four of them at most, or is quadratic, too; a sort has two. 16 times for a half.
_LEAST_TIMES = 4.0
_LEAST_CELLS = 256  # in a part: more than the path down a tree of a million nodes
_LEAST_CALLS = 16.0  # of itself, for each from elsewhere
_MOST_CALLS = 0.9  # of a routine's, by the recursion: then what it reads is read there
# Of the cost of all executions of a loop, each with those within it, the part that is not within another one, at
# least: then it makes hardly any of the calls.
_OUTERMOST = 0.9


@dataclass(frozen=True)
class _Reading:
    """By a `loop` of the routine itself, or what is called with that `name`; `times` it has read that `part` of the
    largest input or more, 1 of so many, and what these cost."""

    loop: LoopProfile | None
    name: str
    cost: int
    part: int
    times: int


def reading_all(tree: LoopTree) -> Iterator[Finding]:
    """The findings."""
    for routine in tree.routines.values():
        own = sum(edge.calls for edge in tree.calls_by_itself(routine.routine))
        outer = sum(edge.calls for edge in tree.calls_from_elsewhere(routine.routine))
        if own == 0 or outer == 0 or not tree.is_own(routine.routine):
            continue
        size = largest_size(routine, "rms")
        if own < _LEAST_CALLS * outer:
            continue
        found = (of for of in _readings(tree, routine, size) if _is_much(of, outer, size))
        dearest = max(found, key=lambda of: of.cost, default=None)
        if dearest is not None and tree.share(dearest.cost) >= LEAST_SHARE:
            yield _finding(tree, routine, dearest, own, outer, size)


def _is_much(of: _Reading, outer: int, size: int) -> bool:
    """Whether it reads that more often than what divides its input."""
    return size >= _LEAST_CELLS * of.part and of.times >= _LEAST_TIMES * of.part**2 * outer


def _readings(tree: LoopTree, routine: RoutineProfile, size: int) -> Iterator[_Reading]:
    """By each part of the largest input."""
    for loop in tree.loops_of(routine.routine):
        if "rms" not in loop.points:
            continue
        _, whole = _large(loop.points["rms"], 0.0, tree.event)
        is_apart = tree.inclusive(loop) >= _OUTERMOST * whole
        if not is_apart and ITERATIONS not in loop.points:
            continue
        tables = [loop.points[name] for name in (["rms"] if is_apart else ["rms", ITERATIONS])]
        most = tree.inclusive(loop) if is_apart else loop.cost[tree.event].own
        for part in _PARTS:
            times, cost = min(_large(of, size / part, tree.event) for of in tables)
            yield _Reading(loop, "", min(cost, most), part, times)
    for edge in tree.calls_by(routine.routine):
        called = tree.routines.get(edge.callee.key)
        if called is None or edge.calls < _MOST_CALLS * called.calls or "rms" not in called.points:
            continue
        if edge.callee.key not in tree.cycle(routine.routine):
            name = shorten(base_name(edge.callee.name), NAME_WIDTH)
            for part in _PARTS:
                times, cost = _large(called.points["rms"], size / part, tree.event)
                yield _Reading(None, name, min(cost, edge.cost[tree.event]), part, times)


def _large(table: PointTable, least: float, event: str) -> tuple[int, int]:
    """How many activations have that size or more, and what they cost."""
    there = table.column("size") >= least
    columns = (table.column("calls"), table.column(cost_column(event, False, "sum")))
    calls, cost = (int(column[there].sum()) for column in columns)
    return calls, cost


def _finding(
    tree: LoopTree,
    of: RoutineProfile,
    reading: _Reading,
    calls: int,
    outer: int,
    size: int,
) -> Finding:
    what = " in a loop" if reading.loop else f" by {reading.name}"  # also several times in one call
    name = source_of_routine(of.routine).function
    why = (
        f"{name} calls itself {counted(round(calls / outer), 'time')} for each call from elsewhere, and reads "
        f"{_PARTS[reading.part]} of its {size:,} cells of input or more{what} {reading.times / outer:,.0f} times; "
        "with ten times the input, ten times as many calls would each read ten times as much, at 100 times the cost"
    )
    scope, place = Place(of.routine), Place(of.routine, reading.loop)
    share = min(tree.share(reading.cost), 1.0)
    evidence = {
        "calls": calls,
        "outer_calls": outer,
        "largest_input": size,
        "part": 1 / reading.part,
        "times": reading.times,
    }
    growth = Growth(
        None, None, "", None, 0.0, "in proportion to its calls and to the cells that each reads"
    )
    return Finding("read-again", share, share, scope, place, growth, why, evidence)
