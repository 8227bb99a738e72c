"""Routines of a library that the user's own code calls, and what of that code they call back.

A template, as of a sort with a comparison, is compiled into the program: its cost may grow as that of the user's
code which it runs. It is said there if most of its cost is, or else where it is called.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from aprofplot.clone_names import function_name
from aprofplot.findings.culprit import culprit_of
from aprofplot.findings.finding import source_of
from aprofplot.findings.finding_place import Place
from aprofplot.findings.loop_tree import MOST_OF, LoopTree
from aprofplot.model import CallEdge, Routine, RoutineProfile
from aprofplot.names import base_name, function_of_closure
from aprofplot.ownership import is_system_object


def called_templates(tree: LoopTree) -> list[RoutineProfile]:
    """Those that are in the program itself and have calls from the user's own code."""
    return [of for of in tree.routines.values() if _is_called_template(tree, of.routine)]


def _is_called_template(tree: LoopTree, routine: Routine) -> bool:
    if tree.is_own(routine) or is_system_object(routine.object) or not routine.file:
        return False
    return any(tree.is_own(edge.caller) for edge in tree.calls_of(routine))


def own_place(tree: LoopTree, template: RoutineProfile) -> Place:
    """The dearest of the user's functions that it runs, at its dearest loop or routine; where it is called, if these
    have too little of its cost."""
    costs: dict[str, int] = defaultdict(int)
    dearest: dict[str, tuple[int, Place]] = {}
    for place, cost in _run_by(tree, template.routine):
        function = source_of(place).function
        costs[function] += cost
        dearest[function] = max(
            dearest.get(function, (0, place)), (cost, place), key=lambda of: of[0]
        )
    function = max(costs, key=lambda of: costs[of], default="")
    if function and costs[function] >= MOST_OF * tree.inclusive(template):
        return dearest[function][1]
    calls = (edge for edge in tree.calls_of(template.routine) if tree.is_own(edge.caller))
    return _call_in(tree, max(calls, key=lambda edge: edge.cost[tree.event]))


def _call_in(tree: LoopTree, edge: CallEdge) -> Place:
    """In its caller; in the function that is inlined there, if a loop has it."""
    for loop in tree.loops_of(edge.caller):
        for call in loop.loop.calls:
            if call.callee == edge.callee.key:
                return Place(edge.caller, loop, call.at)
    return Place(edge.caller)


def place_of_closure(tree: LoopTree, template: RoutineProfile) -> Place:
    """The function whose closure is compiled into `template`, wherever that is called; as own_place has it, if this
    function is no routine of its own, or calls `template` itself."""
    function = function_of_closure(template.routine.name)
    callers = {edge.caller.key for edge in tree.calls_of(template.routine)}
    found = [
        of
        for of in tree.routines.values()
        if function
        and tree.is_own(of.routine)
        and base_name(function_name(of.routine.name)) == function
    ]
    if not found or any(of.routine.key in callers for of in found):
        return own_place(tree, template)
    return Place(max(found, key=tree.inclusive).routine)


def _run_by(tree: LoopTree, routine: Routine) -> Iterator[tuple[Place, int]]:
    """What of the user's own code it runs, also by way of other templates, and its cost: the outermost loops and
    the routines."""
    pending, known = [routine], {routine.key}
    while pending:
        at = pending.pop()
        for loop in tree.loops_of(at):
            parent = loop.loop.parent
            if tree.is_own_loop(loop.loop) and not (parent and tree.is_own_loop(parent)):
                yield culprit_of(tree, loop).place, tree.inclusive(loop)
        for edge in tree.calls_by(at):
            if tree.is_own(edge.callee):
                yield Place(edge.callee), edge.cost[tree.event]
            elif not is_system_object(edge.callee.object) and edge.callee.key not in known:
                known.add(edge.callee.key)
                pending.append(edge.callee)
