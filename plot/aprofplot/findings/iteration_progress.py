"""What a loop's iterations cost and read by their ordinals, and how that grows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprofplot.metrics import Floats
from aprofplot.model import LoopProfile

_RANGE = 8.0  # largest of the sizes that tell how it grows over the smallest
_BENT = 0.1  # of the first's: as far as what falls in a straight line is off it


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


def growth_at_the_end(x: Floats, y: Floats) -> float:
    """The exponent that y has in x at the largest x, where a constant part matters least: of the line
    through the upper part of the points, in the least squares of its relative errors. 0 if these have one x.
    """
    if not _have_a_line(x):
        return 0.0
    a, b = _line_at_the_end(x, y)
    return float(a * x[-1] / max(a * x[-1] + b, 1.0))


def off_the_line(x: Floats, y: Floats, weight: Floats) -> float:
    """How far these points are off that line: the mean of their relative errors. 1 if they have one x."""
    if not _have_a_line(x):
        return 1.0
    upper = x >= x[-1] / _RANGE
    a, b = _line_at_the_end(x, y)
    errors = np.abs(a * x[upper] + b - y[upper]) / np.maximum(y[upper], 1.0)
    return float(np.average(errors, weights=weight[upper]))


def _have_a_line(x: Floats) -> bool:
    """Whether the upper part has two x at least: through fewer go any number of lines."""
    return bool(x[-1] > x[x >= x[-1] / _RANGE].min())


def _line_at_the_end(x: Floats, y: Floats) -> Floats:
    upper = x >= x[-1] / _RANGE
    line: Floats = np.polyfit(x[upper], y[upper], 1, w=1 / np.maximum(y[upper], 1.0))
    return line


def left_to_the_last(loop: LoopProfile, values: Floats) -> float:
    """How much of what the first iterations have of something the last one does, if it falls in a straight
    line; else 1, as where a table fills: it falls fast first, and then no more. 1 of a single bin, too.
    """
    if len(loop.progress) < 2:
        return 1.0
    x = np.array([(of.first + of.last(loop.longest)) / 2 for of in loop.progress[-4:]])
    y = values[-4:]
    a, b = np.polyfit(x, y, 1)
    if b <= 0 or float(np.abs(a * x + b - y).max()) > _BENT * b:
        return 1.0
    return max(float(a * loop.longest + b), 0.0) / float(b)
