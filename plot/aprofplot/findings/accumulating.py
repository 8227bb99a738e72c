"""Loops whose iterations cost more and more, though no more input is new to them.

The first n iterations of such a loop cost more than n times the first. That is seen in one execution:
its progress has what the k-th iteration costs, and how many of its cells no other had read before.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aprofplot.findings.culprit import culprit_of
from aprofplot.findings.finding import Finding, source_of_loop
from aprofplot.findings.finding_place import Place
from aprofplot.findings.iteration_progress import Progress, growth_at_the_end, progress_of
from aprofplot.findings.iterations import growth_by_progress
from aprofplot.findings.loop_tree import LoopTree
from aprofplot.findings.one_size import MANY_ITERATIONS
from aprofplot.findings.read_again import LEAST_SHARE
from aprofplot.model import LoopProfile
from aprofplot.names import counted

_GROWS = 0.5  # exponent of what an iteration costs in its ordinal, at least ...
_ALWAYS = 0.3  # ... and from each octave of the ordinals to the next
_OCTAVES = 4  # that are looked at, the last ones
_NEW = 0.25  # exponent of the cells that are new to an iteration: what grows so is its input


def accumulating(tree: LoopTree) -> Iterator[Finding]:
    """The findings."""
    for loop in tree.profile.loops:
        share = tree.share(tree.inclusive(loop))
        if share >= LEAST_SHARE and tree.is_own_loop(loop.loop) and _accumulates(tree, loop):
            yield _finding(tree, loop, share)


def _accumulates(tree: LoopTree, loop: LoopProfile) -> bool:
    if loop.longest < MANY_ITERATIONS or len(loop.progress) < _OCTAVES + 2:
        return False
    of = progress_of(loop, tree.event)
    cost = of.cost[-_OCTAVES - 1 :]
    steps = np.diff(np.log(np.maximum(cost, 0.5))) / np.diff(np.log(of.ordinals[-_OCTAVES - 1 :]))
    grows = growth_at_the_end(of.ordinals, of.cost)
    return bool(grows >= _GROWS and np.all(steps >= _ALWAYS)) and not _has_more_input(of)


def _has_more_input(of: Progress) -> bool:
    """Whether an iteration has the more new cells the later it is."""
    return bool(of.new[-1] >= 1) and growth_at_the_end(of.ordinals, of.new) >= _NEW


def _finding(tree: LoopTree, loop: LoopProfile, share: float) -> Finding:
    what = culprit_of(tree, loop)
    outer = source_of_loop(loop.loop)
    of = progress_of(loop, tree.event)
    first, last = float(of.cost[: len(of.cost) // 2].mean()), float(of.cost[-1])
    iterations = loop.longest
    each = f", each of which {what.does.removesuffix(',')}" if what.does else ""
    why = (
        f"the loop at {outer} has {counted(iterations, 'iteration')}{each}; the last ones cost "
        f"{last / max(first, 1.0):,.0f} times as much as the first ones, though they read no more new input"
    )
    evidence = {
        "iterations": loop.iterations,
        "executions": loop.executions,
        "first_cost": round(first, 1),
        "last_cost": round(last, 1),
        "repeated_by": {"function": outer.function, "file": outer.file, "line": outer.line},
    }
    growth = growth_by_progress(loop, tree.event)
    scope = Place(loop.loop.routine, loop)
    return Finding("progress", share, share, scope, what.place, growth, why, evidence)
