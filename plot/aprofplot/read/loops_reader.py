"""The `loops` of a profile, which follow all its tables and contexts: records one by one, as there are not
many more of them than routines, their blocks' numbers together."""

from __future__ import annotations

from collections.abc import Iterator

from aprofplot.errors import RecordError
from aprofplot.model import (
    ITERATIONS,
    CostTotal,
    LoopProfile,
    ProgressBin,
    ThreadKey,
)
from aprofplot.read.fields import number, split
from aprofplot.read.header_reader import Header
from aprofplot.read.names_reader import NamesReader
from aprofplot.read.point_blocks import PointBlocks
from aprofplot.read.profile_file import ProfileFile

_COUNTED = ("bb", "instr")  # the events that progress has


class LoopsReader:
    """Reads the records from the line after `loops` to before `stop`."""

    def __init__(self, file: ProfileFile, header: Header, names: NamesReader, stop: int) -> None:
        self._blocks = PointBlocks(file, header, stop)
        self._names = names
        self._events = [event.name for event in header.events]
        self._metrics = [*(metric.name for metric in header.metrics), ITERATIONS]

    def read(self, start: int) -> Iterator[LoopProfile]:
        """The loops, none if `start` is `stop`. RecordError, with its line, if one breaks the format."""
        return self._blocks.read(start, "loops", self._loop)

    def _loop(self) -> LoopProfile:
        fields = split(self._blocks.record(b"loop-table"), 7 + 2 * len(self._events), "loop-table")
        numbers = [number(field, "number of a loop-table") for field in fields]
        thread, loop, executions, unfinished, iterations, by_thread, by_kernel = numbers[:7]
        if thread not in self._names.threads:
            raise RecordError(f"thread {thread} is used before it is defined")
        if loop not in self._names.loops:
            raise RecordError(f"loop {loop} is used before it is defined")
        if executions == 0 or unfinished > executions:
            raise RecordError(f"{executions} executions, {unfinished} of them unfinished")
        self._blocks.at += 1
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
            {
                metric: self._blocks.points(metric, executions - unfinished)
                for metric in self._metrics
            },
            self._progress(),
        )

    def _progress(self) -> tuple[ProgressBin, ...]:
        (count,) = split(self._blocks.record(b"progress"), 1, "progress")
        events = [event for event in self._events if event in _COUNTED]
        columns = ("first", "iterations", "rms", "new", *events)
        rows = self._blocks.lines(number(count, "count"), columns).tolist()
        firsts = [row[0] for row in rows]
        if firsts != sorted({1 << max(first.bit_length() - 1, 0) for first in firsts}):
            raise RecordError("bins of a progress are not those from powers of two on, ascending")
        if not all(row[1] for row in rows):
            raise RecordError("a bin of a progress without iterations")
        return tuple(
            ProgressBin(row[0], row[1], row[2], row[3], dict(zip(events, row[4:]))) for row in rows
        )
