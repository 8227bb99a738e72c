"""What a recursion spends in the library on values that it only needs for a while: strings, containers, memory.

A call that copies what is left of its arguments costs mostly that. The library's cost is then the recursion's own, if
it frees what it allocates, and so builds nothing, and hardly calls anything else of a library, as to write.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from aprofplot.findings.cycles import components
from aprofplot.findings.loop_tree import LoopTree
from aprofplot.model import CallEdge, Routine, RoutineKey, RoutineProfile
from aprofplot.names import base_name
from aprofplot.ownership import is_c_library, is_nameless

# realloc, too: it may be the first to allocate.
_ALLOCATES = re.compile(
    r"operator new(\[\])?|malloc|calloc|realloc(array)?|(posix_)?memalign|aligned_alloc|_*strn?dup"
)
_FREES = re.compile(r"operator delete(\[\])?|free")
_OF_STD = re.compile(
    r"(std|__gnu_cxx)::(?!.*(stream|filebuf|filesystem|regex|random_device"
    r"|thread|mutex|condition_variable|async|future|promise)).*"
)
# Also for a kind of processor, as __memcpy_avx_unaligned_erms, or with a check, as __strcpy_chk.
_OF_C = re.compile(
    r"_*(mem(cpy|pcpy|ccpy|move|set|cmp|chr|rchr|mem)|rawmemchr|bcopy|bzero|bcmp"
    r"|st[rp]n?cpy|str(n?cat|n?len|n?cmp|n?casecmp|r?chr|chrnul|str|casestr|c?spn|pbrk|coll|xfrm|sep|tok|tok_r))"
    r"(_(chk|s?sse|avx|evex|erms|generic|unaligned)\w*)?"
)
_VALUES = (_OF_STD, _OF_C, _ALLOCATES, _FREES)
_FREED = 0.9  # of what is allocated, at least
_OTHERS = 1 / 16  # calls of other routines of libraries for each of the recursion's, at most


def cost_of_values(tree: LoopTree, members: Sequence[RoutineProfile], calls: int) -> int:
    """What `members` of a recursion, which call each other so often, spend on such values; 0 if these may stay, or if
    something else is done. What calls them back is part of the recursion: its cost is that of all that they do.
    """
    edges = [
        edge
        for of in members
        for edge in tree.calls_by(of.routine)
        if not tree.is_own(edge.callee) and edge.callee.key not in tree.cycle(of.routine)
    ]
    values = [edge for edge in edges if _is_of_values(tree, edge.callee)]
    others = sum(edge.calls for edge in edges) - sum(edge.calls for edge in values)
    allocated, freed = (_calls_within(tree, values, of) for of in (_ALLOCATES, _FREES))
    if others > _OTHERS * calls or freed < _FREED * allocated:
        return 0
    return sum(edge.cost[tree.event] for edge in values)


def _is_of_values(tree: LoopTree, routine: Routine) -> bool:
    """Whether it handles them. A stripped C library has no names for its kinds of memcpy: they call nothing."""
    if is_nameless(routine):
        return is_c_library(routine.object) and not tree.calls_by(routine)
    return any(_is_named(routine, names) for names in _VALUES)


def _calls_within(tree: LoopTree, edges: Sequence[CallEdge], wanted: re.Pattern[str]) -> float:
    """How many calls of such routines these calls make, if all calls of a routine, or into a cycle of calls, make as
    many, but no more than they cost: the destructor of an empty pointer frees nothing."""
    found: dict[RoutineKey, float] = {}  # for each call
    below = _edges_below(tree, edges, wanted)
    cheapest = min(
        (_mean_cost(tree, edge) for edge in below if _is_named(edge.callee, wanted)), default=0.0
    )
    edges_by: dict[RoutineKey, list[CallEdge]] = defaultdict(list)
    for edge in below:
        edges_by[edge.caller.key].append(edge)

    def of_edge(edge: CallEdge) -> float:
        if _is_named(edge.callee, wanted):
            return edge.calls
        calls = edge.calls * found.get(edge.callee.key, 0.0)
        return min(calls, edge.cost[tree.event] / cheapest) if cheapest else calls

    for component in reversed(components(below)):
        by_it = [edge for key in component for edge in edges_by[key]]
        leaving = [edge for edge in by_it if edge.callee.key not in component]
        within = sum(edge.calls for edge in by_it) - sum(edge.calls for edge in leaving)
        entered = sum(tree.routines[key].calls for key in component) - within
        of_each = sum(map(of_edge, leaving)) / max(entered, 1)
        found.update(dict.fromkeys(component, of_each))
    return sum(map(of_edge, edges))


def _mean_cost(tree: LoopTree, edge: CallEdge) -> float:
    return edge.cost[tree.event] / max(edge.calls, 1)


def _edges_below(
    tree: LoopTree, edges: Sequence[CallEdge], wanted: re.Pattern[str]
) -> list[CallEdge]:
    """All calls by what these call, also by way of others, as far as those that are wanted."""
    found: list[CallEdge] = []
    pending, known = list(edges), set()
    while pending:
        callee = pending.pop().callee
        if callee.key not in known and not _is_named(callee, wanted):
            known.add(callee.key)
            found += tree.calls_by(callee)
            pending += tree.calls_by(callee)
    return found


def _is_named(routine: Routine, names: re.Pattern[str]) -> bool:
    return names.fullmatch(base_name(routine.name)) is not None
