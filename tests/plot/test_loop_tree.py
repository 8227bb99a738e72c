"""The descent from a loop to what has most of its cost, and the place of a finding."""

from __future__ import annotations

import pytest

from aprofplot.findings.finding import Source, source_of
from aprofplot.findings.finding_place import Place
from aprofplot.findings.loop_tree import LoopTree
from aprofplot.model import CallEdge, CostTotal, Loop, LoopProfile, Profile, Routine, RoutineProfile

ROUTINES = {
    name: Routine(name, "/home/me/app", "/home/me/app.c", line, 64 * line)
    for line, name in enumerate(["main", "f", "a", "b", "c", "by"], 1)
}


def loop(name, line, function, cost, own):
    """Of that routine's code; one execution with many iterations."""
    at = Loop(ROUTINES[name], None, line, False, "/home/me/app.c", line, line, function)
    return LoopProfile(at, (), 1, 0, 1000, 0, 0, {"bb": CostTotal(cost, own)}, {})


def tree_of(calls, loops):
    """`calls`: their cost by caller and callee."""
    edges = [
        CallEdge(
            ROUTINES[by], ROUTINES[of], (), 1, {"bb": cost}, 0, {"bb": 0 if by == of else cost}
        )
        for (by, of), cost in calls.items()
    ]
    own = {of.loop.routine.name: of.cost["bb"].own for of in loops}
    routines = []
    for name, routine in ROUTINES.items():
        self_cost = own.get(name, 0)
        cost = self_cost + sum(cost for (by, _), cost in calls.items() if by == name)
        total = {"bb": CostTotal(cost, self_cost)}
        routines.append(RoutineProfile(routine, (), 1, 0, 0, 0, total, {}))
    return LoopTree(Profile((), (), (), tuple(routines), tuple(edges), (), tuple(loops)), "bb")


@pytest.mark.parametrize(
    "elsewhere, found",
    [
        ({}, True),
        ({("f", "by"): 5, ("by", "a"): 5}, True),
        ({("main", "a"): 5}, True),
        ({("main", "a"): 45}, False),
        ({("f", "by"): 5, ("main", "by"): 40, ("by", "a"): 45}, False),  # which another calls
        ({("f", "by"): 5, ("main", "by"): 40, ("by", "by"): 5000, ("by", "a"): 45}, False),
        ({("f", "by"): 45, ("main", "by"): 2, ("by", "by"): 5000, ("by", "a"): 45}, True),
    ],
)
def test_copies_of_a_loop_are_in_what_calls_them_if_hardly_anything_else_does(elsewhere, found):
    """A search is inlined into three functions that the loop calls, none of which has half of its cost."""
    copies = [loop(name, 50, "find", 50, 50) for name in "abc"]
    around = loop("f", 10, "f", 150, 0)
    calls = {("main", "f"): 150, ("f", "a"): 50, ("f", "b"): 50, ("f", "c"): 50, **elsewhere}
    tree = tree_of(calls, [around, *copies])
    way = list(tree.descent(Place(ROUTINES["f"], around)))
    assert [(of.loop.loop.function, of.loop.loop.line) for of in way] == [("find", 50)] * found


@pytest.mark.parametrize("cost, may_be_here", [(80, True), (10, False)])
def test_what_another_loop_must_call_is_not_called_in_this_one(cost, may_be_here):
    """Edges are of the whole routine. The other loop calls for 90: of an `a` of 10, it is mostly `b`."""
    these, others = loop("f", 10, "f", 200, 0), loop("f", 20, "f", 90, 0)
    tree = tree_of({("f", "c"): 200, ("f", "a"): cost, ("f", "b"): 85}, [these, others])
    named = {place.routine.name for place, _ in tree.directly_within(these)}
    assert ("b" in named) == may_be_here and "c" in named


@pytest.mark.parametrize(
    "here, there, calls, found",
    [
        (100, 190, {"a": 100, "b": 200}, "a"),
        (100, 190, {"a": 100, "b": 200, "f": 5000}, "a"),  # a recursion counts at each depth
        (1000, 100, {"b": 1000}, "b"),
    ],
)
def test_another_loop_may_have_a_part_of_what_costs_more_than_it(here, there, calls, found):
    """All that costs less may not have its cost: then it need not call any of that."""
    these, others = loop("f", 10, "f", here, 0), loop("f", 20, "f", there, 0)
    tree = tree_of({("f", of): cost for of, cost in calls.items()}, [these, others])
    assert {place.routine.name for place, _ in tree.directly_within(these)} == set(found)


def test_the_source_of_a_routine_is_its_own_line():
    assert source_of(Place(ROUTINES["by"])) == Source("by", "/home/me/app.c", 6, 6)
