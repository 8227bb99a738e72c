"""A profile's findings, ranked together: no two of one cause, and not many."""

from __future__ import annotations

from aprofplot.findings.finding import Finding
from aprofplot.findings.loop_tree import LoopTree
from aprofplot.findings.recursion import branching
from aprofplot.findings.repetition import reading_again
from aprofplot.metrics import total_cost
from aprofplot.model import Profile

MOST = 5  # findings


def find_all(profile: Profile, event: str) -> list[Finding]:
    """The findings of a profile with loops, the gravest first, at most MOST. Threads are merged."""
    tree = LoopTree(profile, event)
    whole = total_cost(profile, event)
    findings = [*branching(tree, whole), *reading_again(tree, whole)]
    findings.sort(key=lambda of: of.score, reverse=True)
    return findings[:MOST]
