"""Records one by one, each with blocks of points, whose numbers are read and checked together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np

from aprofplot.errors import RecordError
from aprofplot.model import Integers, PointTable
from aprofplot.read.fields import number, show, split
from aprofplot.read.header_reader import Header
from aprofplot.read.number_rows import RowReader
from aprofplot.read.point_checks import BlockError, PointError, check_points
from aprofplot.read.profile_file import ProfileFile

_CHECKED_TOGETHER = 3000  # blocks

_T = TypeVar("_T")


class _Block(NamedTuple):
    """Points that are to be checked, of the record at line `at`."""

    points: Integers
    calls_due: int
    at: int


class PointBlocks:
    """Reads from a profile, before line `stop`; `at` is the line that is looked at, while they are read."""

    def __init__(self, file: ProfileFile, header: Header, stop: int) -> None:
        self._file = file
        self._header = header
        self._stop = stop
        self._rows = RowReader(file, stop)
        self._unchecked: list[_Block] = []
        self._in_file = tuple(name for _, name in sorted(zip(header.order, header.columns)))
        self.at = stop

    def read(self, start: int, keyword: str, one: Callable[[], _T]) -> Iterator[_T]:
        """What `one` reads, for each of the records that the one at line `start` announces; nothing if
        they were to stop there. RecordError, with its line, if one breaks the format or there is more.
        """
        if start == self._stop:
            return
        self.at = start
        try:
            (announced,) = split(self._file.line(start).partition(b" ")[2], 1, keyword)
            count = number(announced, "count")
            self.at += 1
            for _ in range(count):
                yield one()
            self._check()
            if self.at < self._stop:
                found = self._file.line(self.at).split(b" ")[0]
                raise RecordError(f"unknown or misplaced record {show(found)}")
        except RecordError as error:
            raise RecordError(str(error), error.line or self.at) from error

    def record(self, keyword: bytes) -> bytes:
        """What follows the keyword on the next line, which is to begin with it."""
        if self.at >= self._stop:
            raise RecordError(f"the profile ends where '{keyword.decode()}' was expected")
        found, _, rest = self._file.line(self.at).partition(b" ")
        if found != keyword:
            raise RecordError(f"{show(found)} where '{keyword.decode()}' was expected")
        return rest

    def points(self, metric: str, calls_due: int) -> PointTable:
        """The block of points that begins here."""
        fields = split(self.record(b"points"), 3, "points")
        if fields[0] != metric.encode():
            raise RecordError(f"points {show(fields[0])} where '{metric}' were expected")
        precision = number(fields[2], "precision")
        at = self.at
        rows = self.lines(number(fields[1], "count"), self._in_file)
        columns = rows.take(self._header.order, axis=1).T
        self._unchecked.append(_Block(columns, calls_due, at))
        if len(self._unchecked) >= _CHECKED_TOGETHER:
            self._check()
        return PointTable(precision, self._header.columns, columns)

    def lines(self, count: int, columns: tuple[str, ...]) -> Integers:
        """The lines of the block that begins here, as rows of such numbers."""
        first = self.at + 1
        rows = self._rows.rows(first, count, columns)
        self.at = first + count
        return rows

    def _check(self) -> None:
        """The points since the last time."""
        blocks, self._unchecked = self._unchecked, []
        if not blocks:
            return
        counts = np.array([block.points.shape[1] for block in blocks])
        dues = np.array([block.calls_due for block in blocks])
        points = np.concatenate([block.points for block in blocks], axis=1)
        try:
            check_points(points, self._header.columns, counts, dues)
        except PointError as error:
            block = int(np.searchsorted(np.cumsum(counts), error.point, side="right"))
            within = error.point - int(counts[:block].sum())
            raise RecordError(str(error), blocks[block].at + 1 + within) from error
        except BlockError as error:
            raise RecordError(str(error), blocks[error.block].at) from error
