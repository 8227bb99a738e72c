"""Checks the numbers in point tables against the format, for many tables at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from aprofplot.model import Integers
from aprofplot.read import fields

_BOUNDS = ("min", "max", "sum")


class PointError(Exception):
    """What is wrong with a point, or with a block of points whose first `point` would be."""

    def __init__(self, point: int, what: str) -> None:
        super().__init__(what)
        self.point = point


class BlockError(Exception):
    """What is wrong with block number `block` as a whole."""

    def __init__(self, block: int, what: str) -> None:
        super().__init__(what)
        self.block = block


def check_widths(wide: Mapping[tuple[int, int], int], columns: Sequence[str]) -> None:
    """PointError for the first number, of those by row and column of the points, that has too many
    bits."""
    for (column, point), value in sorted(wide.items(), key=lambda item: item[0][1]):
        squares = columns[column].endswith(".sumsq")
        if value > (fields.LARGEST_SQUARES if squares else fields.LARGEST):
            bits = 128 if squares else 64
            raise PointError(point, f"{columns[column]} is more than {bits} bits hold")


def check_points(
    values: Integers,
    columns: tuple[str, ...],
    counts: npt.NDArray[np.int64],
    calls_due: Integers,
) -> None:
    """PointError or BlockError unless the points, a row of `values` for each column, keep to the
    format. `counts` and `calls_due`: how many points, and calls, each block has. Sums of squares are
    not looked at."""
    size, calls = values[columns.index("size")], values[columns.index("calls")]
    stops = np.cumsum(counts)
    falling = np.zeros(len(size) + 1, dtype=bool)
    falling[1:-1] = size[1:] <= size[:-1]
    falling[stops - counts] = False
    _raise_first(falling[:-1], "input sizes do not ascend")
    _raise_first(calls < 1, "a point without calls")
    for name in columns:
        if name.endswith(".min"):
            cost = name.removesuffix(".min")
            least, most, total = (values[columns.index(f"{cost}.{s}")] for s in _BOUNDS)
            wrong = (least > most) | (most > total)
            _raise_first(wrong, f"{cost}: not minimum <= maximum <= sum")
    found = block_sums(calls, counts)
    wrong_blocks = np.flatnonzero(found != calls_due)
    if len(wrong_blocks):
        block = int(wrong_blocks[0])
        what = f"the points have {found[block]} calls where {calls_due[block]} activations finished"
        raise BlockError(block, what)


def block_sums(values: Integers, counts: npt.NDArray[np.int64]) -> Integers:
    """The exact sum of each block of `values`, which are so many."""
    if values.dtype != object and float(values.sum(dtype=np.float64)) >= 2.0**62:
        values = values.astype(object)
    sums = np.concatenate([np.zeros(1, dtype=values.dtype), np.cumsum(values)])
    stops = np.cumsum(counts)
    found: Integers = sums[stops] - sums[stops - counts]
    return found


def _raise_first(wrong: npt.NDArray[np.bool_], what: str) -> None:
    points = np.flatnonzero(wrong)
    if len(points):
        raise PointError(int(points[0]), what)
