"""Routines whose calls of themselves branch, on hardly any input, and that do little else.

A routine that takes its input apart, as a sort or a tree's traversal does, makes no more calls than it
has cells to read, and one that builds something calls what allocates it. One that makes many more, and
calls little but itself, also by way of others, computes the same again and again, or searches: each level of depth multiplies
its calls. One that keeps its results makes as many calls as there are arguments, which is a power of the
depth. What it stores is not measured: where a loop reads as many cells as its calls' results may have, it is
taken for what lays out a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

from aprofplot.findings.finding import Finding, source_of_routine
from aprofplot.findings.loop_tree import LoopTree, Place
from aprofplot.findings.read_again import LEAST_SHARE
from aprofplot.fits.growth import Growth, best_known
from aprofplot.metrics import largest_size
from aprofplot.model import CallEdge, RoutineKey, RoutineProfile
from aprofplot.names import counted

_LEAST_CALLS = 8.0  # of itself, for each from elsewhere: fewer tell nothing of branches
_CALLS_A_CELL = 4.0  # of the largest input
# How deep a call is on average, over how many calls there are: a half and more where each makes one at
# most, the logarithm over the number where they branch.
_BRANCHES = 0.25
_KEEPS = 3  # the power of the depth that calls with up to three arguments are fewer than, if each is made once
# Cells of a call's result: of each second call at least, as leaves may have none, and 32 bytes at most.
_LEAST_RESULT, _MOST_RESULT = 0.5, 8.0
_OWN = 0.5  # of its cost, at least, is its own code's


@dataclass(frozen=True)
class Recursion:
    """`calls` are those from the recursion, `outer` those from elsewhere; `input` is the largest RMS, in cells.
    `by`: other routines that it calls itself by way of. `share`: of the run's cost, 0..1."""

    routine: RoutineProfile
    by: tuple[RoutineProfile, ...]
    calls: int
    outer: int
    input: int
    share: float


def branching(tree: LoopTree) -> Iterator[Finding]:
    """The findings."""
    for of in find_recursion(tree):
        routine = of.routine.routine
        at = source_of_routine(routine)
        reads = f"reads at most {counted(of.input, 'cell')} of" if of.input else "reads no"
        names = " and ".join(source_of_routine(other.routine).function for other in of.by)
        way = f", also by way of {names}," if names else ""
        why = (
            f"{at.function} calls itself{way} {of.calls / of.outer:,.0f} times for each call from elsewhere, but {reads} "
            "input: most of the calls probably repeat others, whose results could be kept (unless each stores "
            "a result of its own)"
        )
        evidence = {"calls": of.calls, "outer_calls": of.outer, "largest_input": of.input}
        growth = _growth(tree, of.routine)
        yield Finding(
            "recursion",
            of.share,
            of.share,
            Place(routine),
            Place(routine),
            growth,
            why,
            evidence,
        )


def _growth(tree: LoopTree, routine: RoutineProfile) -> Growth:
    """In an argument that is known to tell it, or else in the depth."""
    _, known = best_known(routine.points, tree.fits([routine])[0], tree.event)
    if known.argument is not None and known.law:
        return known
    return Growth(None, None, "", "depth", 0.0, "its calls multiply with each level of depth")


def find_recursion(tree: LoopTree) -> Iterator[Recursion]:
    """All that qualify, of the user's own code."""
    costly = [
        of
        for of in tree.routines.values()
        if tree.is_own(of.routine) and tree.share(tree.inclusive(of)) >= LEAST_SHARE
    ]
    for routine in costly:
        found = _recursion(tree, routine, _by_way_of(tree, routine, costly))
        if found is not None:
            yield found


def _by_way_of(
    tree: LoopTree, routine: RoutineProfile, among: Sequence[RoutineProfile]
) -> tuple[RoutineProfile, ...]:
    """Those that it calls, and that call it, by way of each other."""
    keys = {of.routine.key for of in among}

    def callees(key: RoutineKey) -> list[RoutineKey]:
        return [edge.callee.key for edge in tree.calls_by(tree.routines[key].routine)]

    def callers(key: RoutineKey) -> list[RoutineKey]:
        return [edge.caller.key for edge in tree.calls_of(tree.routines[key].routine)]

    start = routine.routine.key
    both = _reached(start, keys, callees) & _reached(start, keys, callers) - {start}
    return tuple(of for of in among if of.routine.key in both)


def _reached(
    start: RoutineKey,
    among: Container[RoutineKey],
    next_of: Callable[[RoutineKey], list[RoutineKey]],
) -> set[RoutineKey]:
    """From `start` on, with it."""
    found, due = {start}, [start]
    while due:
        new = {key for key in next_of(due.pop()) if key in among} - found
        found |= new
        due += new
    return found


def _recursion(
    tree: LoopTree, routine: RoutineProfile, by: tuple[RoutineProfile, ...]
) -> Recursion | None:
    table = routine.points.get("rms")
    if table is None or len(table) == 0:
        return None
    members = {of.routine.key for of in (routine, *by)}
    edges = tree.calls_of(routine.routine)
    own = [edge for edge in edges if edge.caller.key in members]
    elsewhere = [edge for edge in edges if edge.caller.key not in members]
    calls, outer = _calls(own), _calls(elsewhere)
    share = tree.share(_cost(elsewhere, tree.event))
    if outer == 0 or share < LEAST_SHARE or calls < _LEAST_CALLS * outer:
        return None
    own_cost = sum(of.cost[tree.event].own for of in (routine, *by))
    if own_cost < _OWN * _cost(elsewhere, tree.event):
        return None
    size = int(table.column("size").max())
    depth = _cost(own, tree.event) / max(_cost(elsewhere, tree.event), 1)
    if calls < _CALLS_A_CELL * size * outer or depth > _BRANCHES * calls / outer:
        return None
    if calls < outer * depth**_KEEPS:
        return None
    if _may_be_read(tree, routine, calls / outer, outer):
        return None
    return Recursion(routine, by, calls, outer, size, share)


def _may_be_read(tree: LoopTree, routine: RoutineProfile, calls: float, outer: int) -> bool:
    """Whether one of the user's loops reads as many cells as that many calls may have stored: a loop of
    another routine that goes round more often than it is called, so that it does not call it itself.
    """
    return any(
        _LEAST_RESULT * calls <= largest_size(of, "rms") <= _MOST_RESULT * calls
        for of in tree.profile.loops
        if tree.is_own_loop(of.loop)
        and of.loop.routine.key != routine.routine.key
        and of.iterations > outer
    )


def _calls(edges: list[CallEdge]) -> int:
    return sum(edge.calls for edge in edges)


def _cost(edges: list[CallEdge], event: str) -> int:
    """Inclusive: that of a call within another counts again."""
    return sum(edge.cost[event] for edge in edges)
