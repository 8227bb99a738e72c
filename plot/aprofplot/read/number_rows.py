"""Blocks of announced length, whose lines have a fixed number of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aprofplot.errors import RecordError
from aprofplot.model import Integers
from aprofplot.read import digit_lines
from aprofplot.read.point_checks import PointError, check_widths
from aprofplot.read.digit_lines import NumberLines
from aprofplot.read.profile_file import ProfileFile

_BYTES = 1 << 22  # of text that are parsed at a time


@dataclass(frozen=True, eq=False)
class _LinesAhead:
    """Lines of a file from `first` to before `stop`. `place`: how many of those before each are of numbers,
    which `parsed` has; `narrow`: whether they fit in 63 bits."""

    first: int
    stop: int
    place: npt.NDArray[np.int64]
    parsed: NumberLines
    narrow: npt.NDArray[np.bool_]

    def rows(self, first: int, count: int, width: int) -> Integers | None:
        """None unless all of them are here, so wide, and narrow."""
        if not self.first <= first <= first + count <= self.stop:
            return None
        start, stop = self.place[[first - self.first, first - self.first + count]].tolist()
        if stop - start != count or not (
            (self.parsed.counts[start:stop] == width).all() and self.narrow[start:stop].all()
        ):
            return None
        at = int(self.parsed.firsts[start])
        return self.parsed.flat[at : at + count * width].reshape(count, width)


class RowReader:
    """read_rows of block after block in a file, before `stop`: where they are small, parsing each by itself
    takes most of the time, so what lies ahead is parsed together."""

    def __init__(self, file: ProfileFile, stop: int) -> None:
        self._file = file
        self._stop = stop
        self._ahead: _LinesAhead | None = None
        self._tried = 0  # the lines before it

    def rows(self, first: int, count: int, columns: Sequence[str]) -> Integers:
        """As read_rows. Blocks are asked for in the file's order."""
        if count == 0 or count > self._stop - first:
            return read_rows(self._file, first, count, self._stop, columns)
        if first >= self._tried:
            self._look_ahead(first)
        rows = self._ahead.rows(first, count, len(columns)) if self._ahead is not None else None
        return read_rows(self._file, first, count, self._stop, columns) if rows is None else rows

    def _look_ahead(self, first: int) -> None:
        starts = self._file.starts
        full = int(np.searchsorted(starts, starts[first - 1] + _BYTES))
        stop = self._tried = min(max(full, first + 1), self._stop)
        lengths = np.diff(starts[first - 1 : stop])
        leading = self._file.first_bytes(first, stop)
        of_numbers = (leading >= ord("0")) & (leading <= ord("9"))
        data = np.frombuffer(self._file.data, np.uint8)[starts[first - 1] : starts[stop - 1]]
        parsed = digit_lines.parse(data[np.repeat(of_numbers, lengths)].tobytes())
        self._ahead = None
        if parsed is not None:
            narrow = np.ones(len(parsed.firsts), dtype=bool)
            narrow[np.searchsorted(parsed.firsts, parsed.wide_at, side="right") - 1] = False
            place = np.concatenate([[0], np.cumsum(of_numbers)])
            self._ahead = _LinesAhead(first, stop, place, parsed, narrow)


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
