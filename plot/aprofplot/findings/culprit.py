"""What the iterations of a loop spend their cost in, where the user's source has that, and in words."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from functools import reduce

from aprofplot.findings.finding import source_of
from aprofplot.findings.finding_place import Place
from aprofplot.findings.loop_tree import MOST_OF, LoopTree
from aprofplot.model import InlinedCall, LoopProfile, RoutineKey
from aprofplot.names import NAME_WIDTH, base_name, shorten


@dataclass(frozen=True)
class Culprit:
    """`place` is the user's own code: an inner loop, a routine that is called, or the loop itself. `does`: what
    an iteration does, as "calls f"; empty if it is the loop's straight code."""

    place: Place
    does: str

    def also(self, verb: str) -> str:
        """What an iteration does, and that."""
        return f"{self.does} and {verb}" if self.does else verb


def culprit_of(tree: LoopTree, loop: LoopProfile, through: Place | None = None) -> Culprit:
    """What has most of the loop's cost, or of that of `through`, which is directly within it. A library's routine is
    said at the user's own that calls it, also if that is inlined into the loop."""
    itself, *way = tree.way_to_repeated(loop, through)
    if not way:
        place = replace(itself, at=_calls_from(tree, loop))
        is_loop = source_of(place) == source_of(itself)
        return Culprit(itself, "") if is_loop else Culprit(place, f"runs {source_of(place)}")
    last = way[-1]
    if last.loop is not None:
        at = str(source_of(last))
        is_same = at == str(source_of(itself))
        return Culprit(last, "runs an inner loop" if is_same else f"runs the loop at {at}")
    library = "" if tree.is_own(last.routine) else shorten(base_name(last.routine.name), NAME_WIDTH)
    calls = [of for of in way if of.loop is None and tree.is_own(of.routine)]
    if calls:
        which = f", which calls {library}," if library else ""
        return Culprit(calls[-1], f"calls {source_of(calls[-1])}{which}")
    by = way[-2] if len(way) > 1 else itself
    place = itself
    if by.loop is not None:
        place = replace(by, at=_calls_from(tree, by.loop, last.routine.key))
    if source_of(place) == source_of(itself):
        return Culprit(itself, f"calls {library}")
    return Culprit(place, f"runs {source_of(place)}, which calls {library},")


def _calls_from(
    tree: LoopTree, loop: LoopProfile, callee: RoutineKey | None = None
) -> tuple[InlinedCall, ...]:
    """Where in functions that are inlined into it the loop makes its calls of `callee`, or else those that have most
    of its cost; empty if all that they share is the loop."""
    places = {call.callee: call.at for call in loop.loop.calls}
    callees = _dearest(tree, loop, places) if callee is None else [callee]
    costly = [places[key] for key in callees if key in places]
    shared = reduce(_shared, costly) if costly else ()
    return shared if len(shared) > len(loop.loop.inlined) + 1 else ()


def _dearest(tree: LoopTree, loop: LoopProfile, among: Container[RoutineKey]) -> list[RoutineKey]:
    """Of these callees, the fewest that together have most of the loop's cost; none if they may not."""
    for costs in tree.costs_of_calls(loop):
        due, found = MOST_OF * tree.inclusive(loop), []
        for key in sorted((key for key in costs if key in among), key=lambda key: -costs[key]):
            found.append(key)
            due -= costs[key]
            if due <= 0:
                return found
    return []


def _shared(
    one: tuple[InlinedCall, ...], other: tuple[InlinedCall, ...]
) -> tuple[InlinedCall, ...]:
    """What both are in: the same functions, inlined at the same lines, outermost first."""
    depth = 0
    for a, b in zip(reversed(one), reversed(other)):
        depth += a.caller == b.caller
        if a != b:
            break
    return one[len(one) - depth :]
