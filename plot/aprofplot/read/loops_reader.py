"""The `loops` of a profile, which follow all its tables and contexts: records one by one, as there are not
many more of them than routines, their blocks' numbers together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from aprofplot.errors import RecordError
from aprofplot.model import (
    ITERATIONS,
    CostTotal,
    Integers,
    LoopProfile,
    PointTable,
    ProgressBin,
    ThreadKey,
)
from aprofplot.read.fields import number, show, split
from aprofplot.read.header_reader import Header
from aprofplot.read.names_reader import NamesReader
from aprofplot.read.number_rows import RowReader
from aprofplot.read.point_checks import BlockError, PointError, check_points
from aprofplot.read.profile_file import ProfileFile

_COUNTED = ("bb", "instr")  # the events that progress has
_CHECKED_TOGETHER = 3000  # blocks


class _Block(NamedTuple):
    """Points that are to be checked, of the record at line `at`."""

    points: Integers
    calls_due: int
    at: int


class LoopsReader:
    """Reads the records from the line after `loops` to before `stop`."""

    def __init__(self, file: ProfileFile, header: Header, names: NamesReader, stop: int) -> None:
        self._file = file
        self._header = header
        self._names = names
        self._stop = stop
        self._rows = RowReader(file, stop)
        self._unchecked: list[_Block] = []
        self.at = stop
        self._events = [event.name for event in header.events]
        self._in_file = tuple(name for _, name in sorted(zip(header.order, header.columns)))
        self._metrics = [*(metric.name for metric in header.metrics), ITERATIONS]

    def read(self, start: int) -> Iterator[LoopProfile]:
        """The loops; `at` is the line that is looked at. RecordError if that breaks the format."""
        self.at = start
        keyword, _, rest = self._file.line(start).partition(b" ")
        (announced,) = split(rest, 1, "loops")
        count = number(announced, "count")
        self.at += 1
        for _ in range(count):
            yield self._loop()
            if len(self._unchecked) >= _CHECKED_TOGETHER:
                self._check()
        self._check()
        if self.at < self._stop:
            keyword = self._file.line(self.at).split(b" ")[0]
            raise RecordError(f"unknown or misplaced record {show(keyword)}")

    def _record(self, keyword: bytes) -> bytes:
        """What follows the keyword on the next line, which is to begin with it."""
        if self.at >= self._stop:
            raise RecordError(f"the profile ends where '{keyword.decode()}' was expected")
        found, _, rest = self._file.line(self.at).partition(b" ")
        if found != keyword:
            raise RecordError(f"{show(found)} where '{keyword.decode()}' was expected")
        return rest

    def _loop(self) -> LoopProfile:
        fields = split(self._record(b"loop-table"), 7 + 2 * len(self._events), "loop-table")
        numbers = [number(field, "number of a loop-table") for field in fields]
        thread, loop, executions, unfinished, iterations, by_thread, by_kernel = numbers[:7]
        if thread not in self._names.threads:
            raise RecordError(f"thread {thread} is used before it is defined")
        if loop not in self._names.loops:
            raise RecordError(f"loop {loop} is used before it is defined")
        if executions == 0 or unfinished > executions:
            raise RecordError(f"{executions} executions, {unfinished} of them unfinished")
        self.at += 1
        return LoopProfile(
            self._names.loops[loop],
            (ThreadKey(0, thread),),
            executions,
            unfinished,
            iterations,
            by_thread,
            by_kernel,
            {
                event: CostTotal(inclusive, own)
                for event, inclusive, own in zip(self._events, numbers[7::2], numbers[8::2])
            },
            {metric: self._points(metric, executions - unfinished) for metric in self._metrics},
            self._progress(),
        )

    def _points(self, metric: str, calls_due: int) -> PointTable:
        fields = split(self._record(b"points"), 3, "points")
        if fields[0] != metric.encode():
            raise RecordError(f"points {show(fields[0])} where '{metric}' were expected")
        precision = number(fields[2], "precision")
        at = self.at
        rows = self._lines(number(fields[1], "count"), self._in_file)
        columns = rows.take(self._header.order, axis=1).T
        self._unchecked.append(_Block(columns, calls_due, at))
        return PointTable(precision, self._header.columns, columns)

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

    def _progress(self) -> tuple[ProgressBin, ...]:
        (count,) = split(self._record(b"progress"), 1, "progress")
        events = [event for event in self._events if event in _COUNTED]
        columns = ("first", "iterations", "rms", "new", *events)
        rows = self._lines(number(count, "count"), columns).tolist()
        firsts = [row[0] for row in rows]
        if firsts != sorted({1 << max(first.bit_length() - 1, 0) for first in firsts}):
            raise RecordError("bins of a progress are not those from powers of two on, ascending")
        if not all(row[1] for row in rows):
            raise RecordError("a bin of a progress without iterations")
        return tuple(
            ProgressBin(row[0], row[1], row[2], row[3], dict(zip(events, row[4:]))) for row in rows
        )

    def _lines(self, count: int, columns: tuple[str, ...]) -> Integers:
        """The lines of the block that begins here, as rows of such numbers."""
        first = self.at + 1
        rows = self._rows.rows(first, count, columns)
        self.at = first + count
        return rows
