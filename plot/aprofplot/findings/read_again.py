"""Loops whose iterations read the same cells again.

An execution of a loop has an input, the cells that it reads first; so has each of its iterations.
Where the iterations' inputs add up to many times the execution's, each of them reads again what those
before it have read. That alone is no fault, as of a table that is looked up in. It is one where what an
iteration reads grows with what the loop has done or is given: such a loop costs the product.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from aprofplot.findings.loop_tree import LoopTree
from aprofplot.metrics import Floats
from aprofplot.model import ITERATIONS, LoopProfile, PointTable, Profile

# Found on a set of labelled programs; moving one by half or double changed one of their verdicts.
LEAST_SHARE = 0.05  # of the run's cost
# An exponent. n log n is n^1.33 at 20 cells and n^1.14 at 1,000: no interval of it begins here.
STEEP = 1.35
_LEAST_AGAIN = 4.0  # times: less is a pass, or a few
_LEAST_CELLS = 32.0  # an iteration reads on average; less is a look-up
_GROWS = 0.5  # exponent from which on an iteration's input grows
_COST_GROWS = 0.25
# Of what the first iteration reads, at most, is left to the last: drained is all of it ...
_LEFT = 0.5
_COST_LEFT = 0.75  # ... of its cost, part of which is something else
_BENT = 0.1  # of the first's: as far as what falls in a straight line is off it
_LEAST_RANGE = 1.25  # largest of a loop's sizes over the smallest
_LEAST_GROWTH = 1.5  # of an iteration's input between them
_TOGETHER = 0.8  # their correlation: less is chance
_RANGE = 8.0  # largest of the sizes that tell how it grows over the smallest
_MANY = 32  # iterations
# Of one execution, from which on what it has done so far can matter. A loop that tries a program with
# larger and larger inputs has fewer.
MANY_ITERATIONS = 64
_INNER = 8  # times as many iterations a loop may have as its inner loop
_RUNS = 0.25  # of its iterations, at least, run the inner loop
_ALIKE = 0.1  # what iterations read is all of the loop's input, but for so much of it
_ELEMENTS = (1, 2, 4, 8)  # bytes of one
_AS_MANY = 0.03  # relative: by chance it is so for 3 % of loops, of 64 to 100,000 iterations
_NEW = 0.2  # cells that an iteration in the later half still finds new

How = Literal["with each iteration", "as what is left", "with the loop's size", "unknown"]


@dataclass(frozen=True)
class ReadAgain:
    """`again`: how many times the iterations read the execution's input. `cells`: what an iteration
    reads, `input`: what an execution does, on average. `how` an iteration's input grows. `score`: share
    of the cost that would be left out, 0..1."""

    loop: LoopProfile
    again: float
    cells: float
    input: float
    how: How
    share: float
    score: float


def find_read_again(tree: LoopTree) -> list[ReadAgain]:
    """All that qualify, of the user's own code."""
    found = (_read_again(tree, loop) for loop in tree.profile.loops)
    return [of for of in found if of is not None]


def _read_again(tree: LoopTree, loop: LoopProfile) -> ReadAgain | None:
    table = loop.points.get("rms")
    share = tree.share(tree.inclusive(loop))
    if table is None or share < LEAST_SHARE or not tree.is_own_loop(loop.loop):
        return None
    own = float(np.dot(table.column("size").astype(float), table.column("calls").astype(float)))
    children = float(table.column("children").astype(float).sum())
    iterations = float(sum(of.iterations for of in loop.progress))
    if len(table) == 0:  # of an execution that was cut off there is the progress
        own, children = (float(sum(values)) for values in _inputs(loop))
    if children == 0 or iterations == 0:
        return None
    again = children / max(own, 1.0)
    cells = children / iterations
    score = share * (1 - 1 / again)
    if again < _LEAST_AGAIN or cells < _LEAST_CELLS or score < LEAST_SHARE:
        return None
    how = _growth(tree, loop)
    if how is None:
        return None
    return ReadAgain(loop, again, cells, own / loop.executions, how, share, score)


def _inputs(loop: LoopProfile) -> tuple[list[int], list[int]]:
    """By bin of its progress what the iterations have read, as far as it was new to the execution, and in all."""
    return [of.new for of in loop.progress], [of.rms for of in loop.progress]


def _growth(tree: LoopTree, loop: LoopProfile) -> How | None:
    """How an iteration's input grows; None if it does not."""
    of = progress_of(loop, tree.event)
    if len(of.ordinals) >= 4 and loop.longest >= MANY_ITERATIONS:
        cost_grows = growth_at_the_end(of.ordinals, of.cost) >= _COST_GROWS
        if _slope(of.ordinals, of.rms) >= _GROWS and cost_grows:
            return "with each iteration"
        # Of one execution: others are short, if there are any.
        if (
            2 * loop.longest >= loop.iterations
            and left_to_the_last(loop, of.rms) <= _LEFT
            and left_to_the_last(loop, of.cost) <= _COST_LEFT
        ):
            return "as what is left"
    if _grows_by_size(loop):
        return "with the loop's size"
    return "unknown" if _is_nested_walk(tree, loop) else None


def left_to_the_last(loop: LoopProfile, values: Floats) -> float:
    """How much of what the first iterations have of something the last one does, if it falls in a straight
    line; else 1, as where a table fills: it falls fast first, and then no more."""
    x = np.array([(of.first + of.last(loop.longest)) / 2 for of in loop.progress[-4:]])
    y = values[-4:]
    a, b = np.polyfit(x, y, 1)
    if b <= 0 or float(np.abs(a * x + b - y).max()) > _BENT * b:
        return 1.0
    return max(float(a * loop.longest + b), 0.0) / float(b)


@dataclass(frozen=True, eq=False)
class Progress:
    """By bin of a loop's progress: its middle ordinal, and of an iteration the mean RMS, what of it is new
    to the execution, and the mean cost."""

    ordinals: Floats
    rms: Floats
    new: Floats
    cost: Floats


def progress_of(loop: LoopProfile, event: str) -> Progress:
    """That of a loop that has one."""
    bins = loop.progress
    each = [max(of.iterations, 1) for of in bins]
    return Progress(
        np.array([1.5 * of.first for of in bins]),
        np.array([of.rms / n for of, n in zip(bins, each)]),
        np.array([of.new / n for of, n in zip(bins, each)]),
        np.array([of.cost.get(event, 0) / n for of, n in zip(bins, each)]),
    )


def _slope(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> float:
    """Of log y against log x, over the upper half of the range of log x at least."""
    logs = np.log(np.maximum(np.asarray(x, dtype=float), 1.0))
    upper = logs >= logs.max() / 3
    if int(upper.sum()) < 2:
        return 0.0
    values = np.log(np.maximum(np.asarray(y, dtype=float), 0.5))
    return float(np.polyfit(logs[upper], values[upper], 1)[0])


def _grows_by_size(loop: LoopProfile) -> bool:
    """Whether an iteration's input grows with the number of iterations, over executions of several
    sizes."""
    table: PointTable = loop.points[ITERATIONS]
    trips = table.column("size").astype(float)
    iterations = trips * table.column("calls").astype(float)
    keep = (iterations > 0) & (trips >= 2)
    if int(keep.sum()) < 3:
        return False
    trips = trips[keep]
    rms = table.column("children").astype(float)[keep] / iterations[keep]
    if trips[-1] < _LEAST_RANGE * trips[0] or rms[-1] < _LEAST_GROWTH * rms[0]:
        return False
    spread = np.cov(trips, rms, aweights=iterations[keep])
    if spread[0, 1] < _TOGETHER * float(np.sqrt(spread[0, 0] * spread[1, 1])):
        return False
    return growth_at_the_end(trips, rms) >= _GROWS


def growth_at_the_end(x: Floats, y: Floats) -> float:
    """The exponent that y has in x at the largest x, where a constant part matters least: of the line
    through the upper part of the points, in the least squares of its relative errors."""
    upper = x >= x[-1] / _RANGE
    a, b = np.polyfit(x[upper], y[upper], 1, w=1 / np.maximum(y[upper], 1.0))
    return float(a * x[-1] / max(a * x[-1] + b, 1.0))


def _is_nested_walk(tree: LoopTree, loop: LoopProfile) -> bool:
    """Whether, of one size only, it looks like a traversal in each iteration: it has an iteration for each
    element of what all of them read; or another loop, in it or in what it calls, has most of the cost
    and goes round about as often, and the loop itself goes on to new cells."""
    lengths = loop.points[ITERATIONS].column("size")
    if len(lengths) and loop.longest >= _LEAST_RANGE * int(
        lengths[lengths >= min(2, lengths[-1])][0]
    ):
        return False  # executions of several sizes would have told
    trips = loop.iterations / loop.executions
    inner = tree.way_to_repeated(loop)[-1].loop
    if trips >= MANY_ITERATIONS and _has_one_for_each_element(tree, loop, trips):
        return True
    if trips < _MANY or inner is None or inner is loop:
        return False
    if inner.iterations / inner.executions < trips / _INNER:
        return False
    if inner.executions < _RUNS * loop.iterations:
        return False
    last = loop.progress[-1]
    return last.new >= _NEW * last.iterations


def _has_one_for_each_element(tree: LoopTree, loop: LoopProfile, trips: float) -> bool:
    """Whether each iteration reads the whole of the loop's input, and there are as many as that has elements
    of a usual size, as where a condition calls strlen. A buffer that is searched has no such number.
    """
    sizes, of = loop.points["rms"].column("size"), progress_of(loop, tree.event)
    largest = int(sizes[-1]) if len(sizes) else sum(_inputs(loop)[0])
    if of.rms.max() - of.rms.min() > _ALIKE * largest or of.rms.min() < (1 - _ALIKE) * largest:
        return False
    elements = float(of.rms[-1]) * _cell_bytes(tree.profile) / np.array(_ELEMENTS)
    return bool(np.any(np.abs(trips / elements - 1) <= _AS_MANY))


def _cell_bytes(profile: Profile) -> int:
    """As the unit of input sizes says."""
    found = re.search(r"cells of (\d+) byte", profile.metrics[0].unit)
    return int(found[1]) if found else 4
