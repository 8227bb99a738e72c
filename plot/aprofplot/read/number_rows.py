"""Lines of so many numbers each, of a block whose length is announced."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aprofplot.errors import RecordError
from aprofplot.model import Integers
from aprofplot.read import digit_lines
from aprofplot.read.point_checks import PointError, check_widths
from aprofplot.read.profile_file import ProfileFile


def read_rows(
    file: ProfileFile, first: int, count: int, stop: int, columns: Sequence[str]
) -> Integers:
    """The `count` lines from `first` on, before `stop`, as rows of a number for each of the columns.
    RecordError."""
    width = len(columns)
    if count > stop - first:
        raise RecordError(f"{count} lines announced, more than are left", first - 1)
    if count == 0:
        return np.zeros((0, width), dtype=np.int64)
    starts = file.starts
    lines = digit_lines.parse(file.data[starts[first - 1] : starts[first + count - 1]])
    if lines is None or (lines.counts != width).any():
        bad = next(at for at in range(first, first + count) if not _has_numbers(file, at, width))
        raise RecordError(f"a line that is not {width} numbers", bad)
    rows: Integers = lines.flat
    if lines.wide:
        cells = zip((lines.wide_at % width).tolist(), (lines.wide_at // width).tolist())
        try:
            check_widths(dict(zip(cells, lines.wide)), columns)
        except PointError as error:
            raise RecordError(str(error), first + error.point) from error
        rows = rows if max(lines.wide) < 2**63 else rows.astype(object)
        rows[lines.wide_at] = lines.wide
    return rows.reshape(count, width)


def _has_numbers(file: ProfileFile, at: int, width: int) -> bool:
    words = file.line(at).split(b" ")
    return len(words) == width and all(map(bytes.isdigit, words))
