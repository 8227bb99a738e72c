"""Loops whose iterations read the same cells again.

An execution of a loop has an input, the cells that it reads first; so has each of its iterations.
Where the iterations' inputs add up to many times the execution's, each of them reads again what those
before it have read. That alone is no fault, as of a table that is looked up in. It is one where what an
iteration reads grows with what the loop has done or is given: such a loop costs the product.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from aprofplot.findings.iteration_progress import (
    growth_at_the_end,
    left_to_the_last,
    off_the_line,
    progress_of,
)
from aprofplot.findings.loop_tree import LoopTree
from aprofplot.findings.one_size import LEAST_RANGE, MANY_ITERATIONS, is_nested_walk
from aprofplot.loop_scopes import source_of
from aprofplot.merge import merge_loops
from aprofplot.metrics import Floats, input_volume
from aprofplot.model import ITERATIONS, LoopProfile, PointTable

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
_LEAST_GROWTH = 1.5  # of an iteration's input between them
_TOGETHER = 0.8  # their correlation: less is chance
# Of iterations off a line in the executions' sizes: 0.1 for a fault with an outlier, 0.05 at most for others; 0.15
# for a loop of python3 whose executions are of two kinds.
_OFF = 0.125

How = Literal["with each iteration", "as what is left", "with the loop's size", "unknown"]


@dataclass(frozen=True)
class ReadAgain:
    """`part`: of the loop's copies in the machine code the dearest. `again`: how many times the iterations read the
    execution's input. `cells`: what an iteration reads, `input`: what an execution does, on average. `how` an
    iteration's input grows. `score`: share of the cost that would be left out, 0..1."""

    loop: LoopProfile
    part: LoopProfile
    again: float
    cells: float
    input: float
    how: How
    share: float
    score: float


def find_read_again(tree: LoopTree) -> list[ReadAgain]:
    """All that qualify, of the user's own code."""
    found = [_read_again(tree, loop) for loop in tree.profile.loops]
    known = {source_of(of.part.loop) for of in found if of is not None}
    found += (_of_copies(tree, copies) for source, copies in _copied(tree) if source not in known)
    return [of for of in found if of is not None]


def _copied(tree: LoopTree) -> list[tuple[Hashable, list[LoopProfile]]]:
    """Loops of the source that are several in the machine code."""
    groups: dict[Hashable, list[LoopProfile]] = {}
    for loop in tree.profile.loops:
        groups.setdefault(source_of(loop.loop), []).append(loop)
    return [(source, copies) for source, copies in groups.items() if len(copies) > 1]


def _of_copies(tree: LoopTree, copies: Sequence[LoopProfile]) -> ReadAgain | None:
    """Of all together, if sizes tell: a compiler that unrolls the loop around them has one for each size."""
    dearest_first = sorted(copies, key=tree.inclusive, reverse=True)
    found = _read_again(tree, merge_loops(dearest_first))
    if found is None or found.how != "with the loop's size":
        return None
    return replace(found, part=dearest_first[0])


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
    if how is None or (how == "unknown" and children < _LEAST_AGAIN * _given(loop)):
        return None
    return ReadAgain(loop, loop, again, cells, own / loop.executions, how, share, score)


def _given(loop: LoopProfile) -> int:
    """What it has read in all, also what others, as the kernel, have stored anew in the same cells: a file that is
    read by pieces into one buffer."""
    table = loop.points.get("trms")
    return 0 if table is None else input_volume(table)


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
    return "unknown" if is_nested_walk(tree, loop) else None


def _slope(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> float:
    """Of log y against log x, over the upper half of the range of log x at least."""
    logs = np.log(np.maximum(np.asarray(x, dtype=float), 1.0))
    upper = logs >= logs.max() / 3
    if np.ptp(logs[upper]) == 0:
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
    if trips[-1] < LEAST_RANGE * trips[0] or rms[-1] < _LEAST_GROWTH * rms[0]:
        return False
    spread = np.cov(trips, rms, aweights=iterations[keep])
    if spread[0, 1] < _TOGETHER * float(np.sqrt(spread[0, 0] * spread[1, 1])):
        return False
    if off_the_line(trips, rms, rms * iterations[keep]) > _OFF:  # two kinds of executions
        return False
    return growth_at_the_end(trips, rms) >= _GROWS
