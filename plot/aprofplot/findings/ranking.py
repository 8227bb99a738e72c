"""A profile's findings, ranked together: no two of one cause, and not many."""

from __future__ import annotations

from collections.abc import Hashable

from aprofplot.findings.accumulating import accumulating
from aprofplot.findings.finding import Finding
from aprofplot.findings.growing import growing
from aprofplot.findings.loop_tree import LoopTree
from aprofplot.findings.recursion import branching
from aprofplot.findings.recursive_reading import reading_all
from aprofplot.findings.repetition import reading_again
from aprofplot.findings.unexplained import unexplained
from aprofplot.model import Profile

MOST = 5  # findings
_HALF = 0.5  # of another's score, with which a finding stands for the one cause of both


def find_all(profile: Profile, event: str) -> list[Finding]:
    """The findings of a profile with loops, the gravest first, at most MOST. Threads are merged."""
    tree = LoopTree(profile, event)
    # Those that say more of the cause come first.
    found = [*branching(tree), *reading_again(tree), *growing(tree)]
    found += [*reading_all(tree), *accumulating(tree), *unexplained(tree)]
    kept = _one_of_each_cause(tree, found)
    return sorted(kept, key=lambda of: of.score, reverse=True)[:MOST]


def _one_of_each_cause(tree: LoopTree, found: list[Finding]) -> list[Finding]:
    """Of two with one cause the first, or the other if its score is more than twice as great."""
    kept: list[tuple[Finding, frozenset[Hashable]]] = []
    for of in found:
        own = [at for at in tree.descent(of.scope) if tree.is_own(at.routine)]  # many call memcpy
        way = frozenset(place.key for place in (of.scope, of.place, *own))
        same = [other for other in kept if _share_cause((of, way), other)]
        if all(other.score < _HALF * of.score for other, _ in same):
            kept = [other for other in kept if other not in same] + [(of, way)]
    return [of for of, _ in kept]


_Traced = tuple[Finding, frozenset[Hashable]]  # with what has most of its scope's cost


def _share_cause(one: _Traced, other: _Traced) -> bool:
    """Whether one of them is on the other's way down."""
    return any(
        not way.isdisjoint((of.scope.key, of.place.key))
        for (of, _), (_, way) in ((one, other), (other, one))
    )
