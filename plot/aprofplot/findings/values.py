"""What a recursion spends in the library on values that it only needs for a while: strings, containers, memory.

A call that copies what is left of its arguments costs mostly that. The library's cost is then the recursion's own, if
it frees what it allocates, and so builds nothing, and hardly calls anything else of a library, as to write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from aprofplot.findings.loop_tree import LoopTree
from aprofplot.model import CallEdge, Routine, RoutineKey, RoutineProfile
from aprofplot.names import base_name
from aprofplot.ownership import is_nameless

_ALLOCATES = re.compile(r"operator new(\[\])?|malloc|calloc|aligned_alloc|strdup|strndup")
_FREES = re.compile(r"operator delete(\[\])?|free")
_VALUES = re.compile(
    r"(std|__gnu_cxx)::(?!.*(stream|filebuf|thread|mutex|condition_variable|regex))"
    rf"|({_ALLOCATES.pattern}|{_FREES.pattern}|realloc)$|_*(mem|str)[a-z]"
)
_FREED = 0.9  # of what is allocated, at least
_OTHERS = 1 / 16  # calls of other routines of libraries for each of the recursion's, at most


def cost_of_values(tree: LoopTree, members: Iterable[RoutineProfile], calls: int) -> int:
    """What `members` of a recursion, which call each other so often, spend on such values; 0 if these may stay, or if
    something else is done."""
    edges = [edge for of in members for edge in tree.calls_by(of.routine)]
    edges = [edge for edge in edges if not tree.is_own(edge.callee)]
    values = [edge for edge in edges if _is_of_values(tree, edge.callee)]
    others = sum(edge.calls for edge in edges) - sum(edge.calls for edge in values)
    allocated, freed = (_calls_within(tree, values, of) for of in (_ALLOCATES, _FREES))
    if others > _OTHERS * calls or freed < _FREED * allocated:
        return 0
    return sum(edge.cost[tree.event] for edge in values)


def _is_of_values(tree: LoopTree, routine: Routine) -> bool:
    """Whether it handles them. A stripped C library has no names for its kinds of memcpy: they call nothing."""
    if is_nameless(routine):
        return not tree.calls_by(routine)
    return _VALUES.match(base_name(routine.name)) is not None


def _calls_within(tree: LoopTree, edges: Iterable[CallEdge], wanted: re.Pattern[str]) -> float:
    """How many calls of such routines these calls make, if all calls of a routine make as many."""
    known: dict[RoutineKey, float] = {}

    def of_edge(edge: CallEdge) -> float:
        if wanted.fullmatch(base_name(edge.callee.name)):
            return edge.calls
        key = edge.callee.key
        if key not in known:
            known[key] = 0.0  # within itself
            calls = max(tree.routines[key].calls, 1)
            known[key] = sum(map(of_edge, tree.calls_by(edge.callee))) / calls
        return edge.calls * known[key]

    return sum(map(of_edge, edges))
