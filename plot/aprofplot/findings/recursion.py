"""Recursions that branch on hardly any input: they compute the same again and again, or search.

Each level of depth multiplies the calls of such a recursion, and most of its cost is its own. Others that branch
are told apart by what they do. One that takes its input apart, as a sort or a tree's traversal does, makes no more
calls than it has cells to read. One that builds something allocates memory and does not free it. One that keeps its
results makes as many calls as there are arguments, which is a power of the depth. What a recursion stores is not
measured: where a loop reads as many cells as the results of its calls may have, it is taken for one that lays out a
tree.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from aprofplot.findings.called_back import called_templates, place_of_closure
from aprofplot.findings.finding import Finding, source_of_routine
from aprofplot.findings.finding_place import Place
from aprofplot.findings.loop_tree import MOST_OF, LoopTree
from aprofplot.findings.read_again import LEAST_SHARE
from aprofplot.findings.values import cost_of_values
from aprofplot.fits.growth import Growth, best_known
from aprofplot.metrics import largest_size
from aprofplot.model import CallEdge, Routine, RoutineKey, RoutineProfile
from aprofplot.names import NAME_WIDTH, base_name, counted, function_of_closure, shorten

_LEAST_CALLS = 8.0  # of itself, for each from elsewhere: fewer tell nothing of branches
_CALLS_A_CELL = 4.0  # of the largest input
# How deep a call is on average, over how many calls there are: a half and more where each makes one at
# most, the logarithm over the number where they branch.
_BRANCHES = 0.25
_KEEPS = 3  # the power of the depth that calls with up to three arguments are fewer than, if each is made once
# Cells of a call's result: of each second call at least, as leaves may have none, and 32 bytes at most.
_LEAST_RESULT, _MOST_RESULT = 0.5, 8.0
_OWN = 0.5  # of its cost, at least, is its own code's
# Of the calls of another by way of which it calls itself: then that one's own cost is the recursion's.
_MOST_CALLS = 0.9
_REPEATS = 16  # iterations of a loop, on average: as many branches at depth 4 would be 65,000 calls
_NAMED = 2  # of these others


@dataclass(frozen=True)
class Recursion:
    """`calls` are those from the recursion, `outer` those from elsewhere; `input` is the largest RMS, in cells. `by`:
    the other routines by way of which it calls itself, `is_direct`: it also does so at once. `share`: of the run's
    cost, 0..1."""

    routine: RoutineProfile
    by: tuple[RoutineProfile, ...]
    is_direct: bool
    calls: int
    outer: int
    input: int
    share: float


def branching(tree: LoopTree) -> Iterator[Finding]:
    """The findings."""
    for of in find_recursion(tree):
        routine = of.routine.routine
        is_own = tree.is_own(routine)
        place = Place(routine) if is_own else place_of_closure(tree, of.routine)
        name = source_of_routine(routine).function if is_own else _of_library(routine)
        reads = f"reads at most {counted(of.input, 'cell')} of" if of.input else "reads no"
        by = [source_of_routine(other.routine).function for other in of.by]
        why = (
            f"{name} calls itself{_way(by, of.is_direct)} {of.calls / of.outer:,.0f} times for each call from "
            f"elsewhere, but {reads} input: most of the calls probably repeat others, whose results could be kept "
            "(unless each stores a result of its own)"
        )
        evidence = {
            "calls": of.calls,
            "outer_calls": of.outer,
            "largest_input": of.input,
            "by": by,
        }
        growth = _growth(tree, of.routine)
        yield Finding(
            "recursion",
            of.share,
            of.share,
            Place(routine),
            place,
            growth,
            why,
            evidence,
        )


def _of_library(routine: Routine) -> str:
    """What a template of a library that calls itself is, in words: a closure that was compiled into it, or itself."""
    function = function_of_closure(routine.name)
    if function:
        return f"a closure of {shorten(function, NAME_WIDTH)}"
    return f"{shorten(base_name(routine.name), NAME_WIDTH)}, of a library,"


def _way(by: Sequence[str], is_direct: bool) -> str:
    """By way of which others it calls itself, as a sentence goes on."""
    if not by:
        return ""
    named = [shorten(name, NAME_WIDTH) for name in by[:_NAMED]]
    if len(by) > _NAMED:
        named = [", ".join(named), counted(len(by) - _NAMED, "other")]
    names = " and ".join(named)
    return f", also by way of {names}," if is_direct else f" by way of {names}"


def _growth(tree: LoopTree, routine: RoutineProfile) -> Growth:
    """In an argument that is known to tell it, or else in the depth."""
    _, known = best_known(routine.points, tree.fits([routine])[0], tree.event)
    if known.argument is not None and known.law:
        return known
    return Growth(None, None, "", "depth", 0.0, "its calls multiply with each level of depth")


def find_recursion(tree: LoopTree) -> Iterator[Recursion]:
    """All that qualify, of the user's own code and of the templates that it calls: in that of std::function is the
    closure that calls it."""
    routines = [of for of in tree.routines.values() if tree.is_own(of.routine)]
    routines += called_templates(tree)
    costly = [of for of in routines if tree.share(tree.inclusive(of)) >= LEAST_SHARE]
    costly.sort(key=lambda of: -of.cost[tree.event].own)
    for routine in costly:
        cycle = tree.cycle(routine.routine)
        found = _recursion(tree, routine, [of for of in costly if of.routine.key in cycle])
        if found is not None:
            yield found


def _recursion(
    tree: LoopTree, routine: RoutineProfile, members: Sequence[RoutineProfile]
) -> Recursion | None:
    """`members`: it and the others of its cycle of calls; none: it has no such cycle."""
    table = routine.points.get("rms")
    if table is None or len(table) == 0:
        return None
    keys = {of.routine.key for of in members}
    edges = tree.calls_of(routine.routine)
    own = [edge for edge in edges if edge.caller.key in keys]
    elsewhere = [edge for edge in edges if edge.caller.key not in keys]
    calls, outer = _calls(own), _calls(elsewhere)
    share = tree.share(_cost(elsewhere, tree.event))
    if outer == 0 or share < LEAST_SHARE or calls < _LEAST_CALLS * outer:
        return None
    # A loop of another routine may call it as often, at one depth: those that branch make the calls.
    branching = [of for of in members if _calls_into(tree, of, keys) >= _LEAST_CALLS * outer]
    if routine not in branching:
        return None
    by = tuple(of for of in branching if of is not routine)
    own_cost = routine.cost[tree.event].own + _own_cost(tree, by, keys)
    own_cost += cost_of_values(tree, [routine, *by], calls)
    if own_cost < _OWN * _cost(elsewhere, tree.event):
        return None
    size = int(table.column("size").max())
    depth = _cost(own, tree.event) / max(_cost(elsewhere, tree.event), 1)
    if calls < _CALLS_A_CELL * size * outer or depth > _BRANCHES * calls / outer:
        return None
    if calls < outer * depth**_KEEPS:
        return None
    if _may_be_read(tree, routine, calls / outer, outer) or _repeats(tree, [routine, *by]):
        return None
    is_direct = bool(tree.calls_by_itself(routine.routine))
    return Recursion(routine, by, is_direct, calls, outer, size, share)


def _calls_into(tree: LoopTree, of: RoutineProfile, keys: Container[RoutineKey]) -> int:
    """How many calls of these it makes."""
    return _calls([edge for edge in tree.calls_by(of.routine) if edge.callee.key in keys])


def _own_cost(tree: LoopTree, by: Sequence[RoutineProfile], keys: Container[RoutineKey]) -> int:
    """The self cost of those that nearly only these call: that of others is also spent elsewhere."""
    calls = ([edge for edge in tree.calls_of(of.routine) if edge.caller.key in keys] for of in by)
    return sum(
        of.cost[tree.event].own
        for of, within in zip(by, calls)
        if _calls(within) >= _MOST_CALLS * of.calls
    )


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


def _repeats(tree: LoopTree, members: Sequence[RoutineProfile]) -> bool:
    """Whether a loop that makes the calls has most of the cost and goes round often: an interpreter of a tree, which
    runs a loop's body again. Where calls multiply with the depth, they have few iterations each."""
    return any(
        of.iterations >= _REPEATS * of.executions
        and tree.inclusive(of) >= MOST_OF * tree.inclusive(member)
        and of.cost[tree.event].own < tree.inclusive(of)
        for member in members
        for of in tree.loops_of(member.routine)
    )


def _calls(edges: list[CallEdge]) -> int:
    return sum(edge.calls for edge in edges)


def _cost(edges: list[CallEdge], event: str) -> int:
    """Inclusive: that of a call within another counts again."""
    return sum(edge.cost[event] for edge in edges)
