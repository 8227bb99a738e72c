"""Loops that look like a traversal in each iteration, though all their executions have one size.

That an iteration's input grows is not seen there. As many iterations as there are elements tell it instead.
"""

from __future__ import annotations

import re

import numpy as np

from aprofplot.findings.finding_place import cells_of
from aprofplot.findings.iteration_progress import progress_of
from aprofplot.findings.loop_tree import LoopTree
from aprofplot.metrics import largest_size
from aprofplot.model import ITERATIONS, LoopProfile, Profile

LEAST_RANGE = 1.25  # largest of a loop's sizes over the smallest: less is one
# Of one execution, from which on what it has done so far can matter. A loop that tries a program with
# larger and larger inputs has fewer.
MANY_ITERATIONS = 64
_MANY = 32  # iterations
_INNER = 8  # times as many iterations a loop may have as its inner loop
_RUNS = 0.25  # of its iterations, at least, run the inner loop
_LITTLE = 0.1  # of what the iterations read: a traversal reads more
_ALIKE = 0.1  # what iterations read is all of the loop's input, but for so much of it
_ELEMENTS = (1, 2, 4, 8)  # bytes of one
_AS_MANY = 0.03  # relative: by chance it is so for 3 % of loops, of 64 to 100,000 iterations
_NEW = 0.2  # cells that an iteration in the later half still finds new


def is_nested_walk(tree: LoopTree, loop: LoopProfile) -> bool:
    """Whether, of one size only, it looks like a traversal in each iteration: it has an iteration for each
    element of what all of them read; or another loop, in it or in what it calls, has most of the cost,
    reads and goes round about as often, and the loop itself goes on to new cells, or reads all that it has in
    each iteration."""
    lengths = loop.points[ITERATIONS].column("size")
    if len(lengths) and loop.longest >= LEAST_RANGE * int(
        lengths[lengths >= min(2, lengths[-1])][0]
    ):
        return False  # executions of several sizes would have told
    trips = loop.iterations / loop.executions
    inner = tree.repeated_loop(loop)
    if trips >= MANY_ITERATIONS and _has_one_for_each_element(tree, loop, trips):
        return True
    if trips < _MANY or inner is None:
        return False
    if inner.iterations / inner.executions < trips / _INNER:
        return False
    if inner.executions < _RUNS * loop.iterations:
        return False
    if cells_of(inner) < _LITTLE * sum(of.rms for of in loop.progress):
        return False  # it fills something
    last = loop.progress[-1]
    return last.new >= _NEW * last.iterations or _is_as_long(tree, loop, inner, trips)


def _is_as_long(tree: LoopTree, loop: LoopProfile, inner: LoopProfile, trips: float) -> bool:
    """Whether its later iterations each read the whole of its input, and the inner loop has an iteration for each
    of them: it goes through what the loop has stored for them."""
    is_all = progress_of(loop, tree.event).rms[-1] >= (1 - _ALIKE) * _whole_input(loop)
    return bool(is_all and trips >= MANY_ITERATIONS and abs(inner.longest / trips - 1) <= _AS_MANY)


def _has_one_for_each_element(tree: LoopTree, loop: LoopProfile, trips: float) -> bool:
    """Whether each iteration reads the whole of the loop's input, and there are as many as that has elements
    of a usual size, as where a condition calls strlen. A buffer that is searched has no such number.
    """
    of, largest = progress_of(loop, tree.event), _whole_input(loop)
    if of.rms.max() - of.rms.min() > _ALIKE * largest or of.rms.min() < (1 - _ALIKE) * largest:
        return False
    elements = float(of.rms[-1]) * _cell_bytes(tree.profile) / np.array(_ELEMENTS)
    return bool(np.any(np.abs(trips / elements - 1) <= _AS_MANY))


def _whole_input(loop: LoopProfile) -> int:
    """The largest of an execution, also of one that was cut off."""
    return largest_size(loop, "rms") or sum(of.new for of in loop.progress)


def _cell_bytes(profile: Profile) -> int:
    """As the unit of input sizes says."""
    found = re.search(r"cells of (\d+) byte", profile.metrics[0].unit)
    return int(found[1]) if found else 4
