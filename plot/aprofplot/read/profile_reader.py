"""The reader of the profile format: docs/format-aprof.md, version 1.

Everything is checked: a profile that breaks the format is refused with file and line, never read
in part. Memory: about three times the file.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass

from aprofplot.errors import ProfileError, RecordError
from aprofplot.read.fields import number, show, split, split_text, text
from aprofplot.read.header_reader import Header, HeaderReader
from aprofplot.model import (
    CostTotal,
    PointTable,
    Profile,
    Routine,
    RoutineProfile,
    Thread,
    ThreadKey,
)
from aprofplot.read.point_batch import PointBatch
from aprofplot.read.profile_file import ProfileFile, load

_TODO = "it is whole, but not as docs/format-aprof.md says: profile the program again, or report it"


def read_profile(path: str) -> Profile:
    """The profile at `path`. ProfileError if it cannot be read or is not what it should be."""
    file = load(path)
    header_reader = HeaderReader(path)
    at = 2
    try:
        while at < file.lines and not header_reader.complete:
            keyword, _, rest = file.line(at).partition(b" ")
            header_reader.record(keyword, rest)
            at += 1
        if not header_reader.complete:
            raise RecordError("the header has no 'columns' record")
    except RecordError as error:
        raise ProfileError(path, at, str(error), _TODO) from error
    return _BodyReader(file, at, header_reader.header()).read()


@dataclass(frozen=True)
class _Table:
    """A `table` record, before its points are known."""

    thread: int
    routine: int
    calls: int
    unfinished: int
    induced_thread: int
    induced_external: int
    cost: dict[str, CostTotal]


class _BodyReader:
    """Names and numbers: all from line `at` to the `end` record."""

    def __init__(self, file: ProfileFile, at: int, header: Header) -> None:
        self._file = file
        self._at = at
        self._header = header
        self._events = [event.name for event in header.events]
        self._metrics = [metric.name.encode() for metric in header.metrics]
        self._threads: dict[int, Thread] = {}
        self._objects: dict[int, str] = {}
        self._files: dict[int, str] = {0: ""}
        self._routines: dict[int, Routine] = {}
        self._tables: list[_Table] = []
        self._batch = PointBatch(header)
        self._announced = 0  # `points` records so far
        self._records: dict[bytes, Callable[[bytes], None]] = {
            b"thread": self._thread,
            b"object": self._object,
            b"file": self._source,
            b"routine": self._routine,
            b"table": self._table,
            b"points": self._point_block,
        }

    def read(self) -> Profile:
        """The whole profile. ProfileError as in read_profile."""
        try:
            while self._at < self._file.lines:
                self._record()
            self._expect_no_points()
            points = self._batch.finish()
        except RecordError as error:
            line = self._at if error.line is None else error.line
            raise ProfileError(self._file.path, line, str(error), _TODO) from error
        return self._profile(points)

    def _record(self) -> None:
        keyword, _, rest = self._file.line(self._at).partition(b" ")
        handler = self._records.get(keyword)
        if handler is None:
            raise RecordError(f"unknown or misplaced record {show(keyword)}")
        handler(rest)
        self._at += 1

    def _new_id(self, field: bytes, known: Container[int]) -> int:
        value = number(field, "id")
        if value == 0 or value in known:
            raise RecordError(f"id {value} is {'not positive' if value == 0 else 'defined twice'}")
        return value

    def _thread(self, rest: bytes) -> None:
        # A thread without a name may come with or without the space before it.
        fields = split_text(rest if rest.count(b" ") > 2 else rest + b" ", 3, "thread")
        thread = self._new_id(fields[0], self._threads)
        parent = number(fields[1], "parent")
        if parent != 0 and parent not in self._threads:
            raise RecordError(f"thread {parent} is used before it is defined")
        path = [] if fields[2] == b"-" else fields[2].split(b">")
        names = tuple(self._routine_of(step).name for step in path)
        self._threads[thread] = Thread(thread, parent, names, text(fields[3]))

    def _object(self, rest: bytes) -> None:
        fields = split_text(rest, 1, "object")
        self._objects[self._new_id(fields[0], self._objects)] = text(fields[1])

    def _source(self, rest: bytes) -> None:
        fields = split_text(rest, 1, "file")
        self._files[self._new_id(fields[0], self._files)] = text(fields[1])

    def _routine(self, rest: bytes) -> None:
        fields = split_text(rest, 5, "routine")
        routine = self._new_id(fields[0], self._routines)
        elf, source = number(fields[1], "object"), number(fields[2], "file")
        if elf not in self._objects:
            raise RecordError(f"object {elf} is used before it is defined")
        if source not in self._files:
            raise RecordError(f"file {source} is used before it is defined")
        line, address = number(fields[3], "line"), number(fields[4], "address")
        name = text(fields[5])
        if not name:
            raise RecordError(f"routine {routine} has no name")
        self._routines[routine] = Routine(
            name, self._objects[elf], self._files[source], line, address
        )

    def _routine_of(self, field: bytes) -> Routine:
        routine = self._routines.get(number(field, "routine"))
        if routine is None:
            raise RecordError(f"routine {show(field)} is used before it is defined")
        return routine

    def _table(self, rest: bytes) -> None:
        self._expect_no_points()
        fields = split(rest, 6 + 2 * len(self._events), "table")
        numbers = [number(field, "number of a table") for field in fields]
        thread, routine, calls, unfinished, induced_thread, induced_external = numbers[:6]
        self._routine_of(fields[1])
        if thread not in self._threads:
            raise RecordError(f"thread {thread} is used before it is defined")
        if self._tables:
            last = self._tables[-1]
            if (thread, routine) <= (last.thread, last.routine):
                raise RecordError("tables are not in the order of thread and routine")
        if calls == 0 or unfinished > calls:
            raise RecordError(f"{calls} calls, {unfinished} of them unfinished")
        pairs = zip(self._events, numbers[6::2], numbers[7::2])
        cost = {event: CostTotal(inclusive, own) for event, inclusive, own in pairs}
        self._tables.append(
            _Table(
                thread,
                routine,
                calls,
                unfinished,
                induced_thread,
                induced_external,
                cost,
            )
        )

    def _expect_no_points(self) -> None:
        due = len(self._metrics) * len(self._tables)
        if self._announced != due:
            metric = self._metrics[self._announced % len(self._metrics)].decode()
            raise RecordError(f"the 'points {metric}' of the last table are missing")

    def _point_block(self, rest: bytes) -> None:
        if self._announced == len(self._metrics) * len(self._tables):
            raise RecordError("'points' without a table that they belong to")
        metric, count_field, precision_field = split(rest, 3, "points")
        due = self._metrics[self._announced % len(self._metrics)]
        if metric != due:
            raise RecordError(f"points of {show(metric)} where those of '{due.decode()}' are due")
        count, precision = number(count_field, "count"), number(precision_field, "precision")
        if count >= self._file.lines - self._at:
            raise RecordError(f"{count} points announced, more than lines are left")
        if precision > 64:
            raise RecordError(f"precision {precision}, but sizes have 64 binary digits")
        table = self._tables[-1]
        first = self._at + 1
        finished = table.calls - table.unfinished
        self._batch.add(self._file.block(first, count), first, count, precision, finished)
        self._announced += 1
        self._at += count

    def _profile(self, points: list[PointTable]) -> Profile:
        header = self._header
        metrics = [metric.name for metric in header.metrics]
        routines = []
        for index, table in enumerate(self._tables):
            first = index * len(metrics)
            by_metric = dict(zip(metrics, points[first : first + len(metrics)]))
            routines.append(
                RoutineProfile(
                    self._routines[table.routine],
                    (ThreadKey(0, table.thread),),
                    table.calls,
                    table.unfinished,
                    table.induced_thread,
                    table.induced_external,
                    table.cost,
                    by_metric,
                )
            )
        run = header.run(tuple(self._threads.values()))
        return Profile((run,), header.events, header.metrics, tuple(routines))
