"""Finds the error in lines of tables or contexts, record by record, line by line; reading them all
at once shows only that there is one."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from aprofplot.errors import RecordError
from aprofplot.read.batch_layout import RecordKind
from aprofplot.read.fields import LARGEST, number, show, split
from aprofplot.read.header_reader import Header
from aprofplot.read.names_reader import NamesReader
from aprofplot.read.profile_file import ProfileFile
from aprofplot.read.tables import CALLS, COST, ROUTINE, UNFINISHED

_NUMBERS = re.compile(rb"[0-9]+(?: [0-9]+)*")


class TableKey(NamedTuple):
    """Thread and routine of the record before."""

    thread: int
    routine: int


class _Finder:
    def __init__(
        self,
        file: ProfileFile,
        header: Header,
        names: NamesReader,
        kind: RecordKind,
        at: int,
        previous: TableKey,
    ) -> None:
        self.at = at
        self._file = file
        self._names = names
        self._kind = kind
        self._events = [event.name for event in header.events]
        self._width = len(header.columns)
        self._blocks = [b"points " + metric.name.encode() for metric in header.metrics]
        if kind.callers:
            self._blocks.append(b"callers")
        self._previous = previous
        self._owner: list[int] = []  # the numbers of the last record, from THREAD on
        self._due: list[bytes] = []  # blocks that it lacks

    def record(self) -> None:
        """One record, with its lines. RecordError if it breaks the format."""
        keyword, _, rest = self._file.line(self.at).partition(b" ")
        if keyword in (b"table", b"context"):
            self.expect_nothing_due()
            self._own(keyword, rest)
            self.at += 1
        elif keyword == b"points":
            self._points(rest)
        elif keyword == b"callers":
            self._callers(rest)
        else:
            raise RecordError(f"unknown or misplaced record {show(keyword)}")

    def expect_nothing_due(self) -> None:
        """RecordError if the last record lacks a block."""
        if self._due:
            raise RecordError(f"the {show(self._due[0])} of the last record are missing")

    def _own(self, keyword: bytes, rest: bytes) -> None:
        name = keyword.decode()
        if keyword != self._kind.keyword:
            after = name == "table"
            raise RecordError(
                "a table after the contexts"
                if after
                else "a 'context' before the 'contexts' record"
            )
        leading = self._kind.leading
        fields = split(rest, leading + COST + 2 * len(self._events), name)
        for field, what in zip(fields[:leading], ("id", "parent")):
            if what == "id" or field != b"-":
                number(field, what)
        numbers = [number(field, f"number of a {name}") for field in fields[leading:]]
        thread, routine, calls, unfinished = numbers[:4]
        self._names.routine_of(fields[leading + ROUTINE])
        if thread not in self._names.threads:
            raise RecordError(f"thread {thread} is used before it is defined")
        if not leading and (thread, routine) <= self._previous:
            raise RecordError("tables are not in the order of thread and routine")
        if calls == 0 or unfinished > calls:
            raise RecordError(f"{calls} calls, {unfinished} of them unfinished")
        self._previous = TableKey(thread, routine)
        self._owner = numbers
        self._due = list(self._blocks)

    def _take_due(self, block: bytes) -> None:
        if not self._due:
            raise RecordError(f"{show(block)} without a record that they belong to")
        if block != self._due[0]:
            raise RecordError(f"{show(block)} where {show(self._due[0])} were expected")
        del self._due[0]

    def _points(self, rest: bytes) -> None:
        metric, count_field, precision_field = split(rest, 3, "points")
        self._take_due(b"points " + metric)
        count, precision = self._count(count_field), number(precision_field, "precision")
        if precision > 64:
            raise RecordError(f"precision {precision}, but sizes have 64 binary digits")
        self.at += 1
        for _ in range(count):
            self._words("point", self._width)
            self.at += 1

    def _callers(self, rest: bytes) -> None:
        (count_field,) = split(rest, 1, "callers")
        self._take_due(b"callers")
        count = self._count(count_field)
        line = self.at
        self.at += 1
        rows: list[list[int]] = []
        for _ in range(count):
            words = self._words("caller", 3 + 2 * len(self._events))
            rows.append([_small(word) for word in words])
            self._check_edge(rows[-1], rows[-2][0] if len(rows) > 1 else -1)
            self.at += 1
        self._check_edges(rows, line)

    def _check_edge(self, row: list[int], last: int) -> None:
        caller, calls, unfinished = row[:3]
        if caller <= last:
            raise RecordError("callers do not ascend")
        if caller != 0 and caller not in self._names.routines:
            raise RecordError(f"routine {caller} is used before it is defined")
        if calls == 0 or unfinished > calls:
            raise RecordError(f"{calls} calls, {unfinished} of them unfinished")
        if any(outermost > cost for cost, outermost in zip(row[3::2], row[4::2])):
            raise RecordError("the outermost calls cost more than all")

    def _check_edges(self, rows: list[list[int]], line: int) -> None:
        """Those of one table, whose `callers` record is at `line`."""
        due = [
            ("calls", 1, self._owner[CALLS]),
            ("unfinished calls", 2, self._owner[UNFINISHED]),
        ]
        for place, (event, inclusive) in enumerate(zip(self._events, self._owner[COST::2])):
            due.append((f"{event} of outermost calls", 4 + 2 * place, inclusive))
        for what, column, expected in due:
            found = sum(row[column] for row in rows)
            if found != expected:
                told = f"the callers have {found} {what} where the table has {expected}"
                raise RecordError(told, line)

    def _count(self, field: bytes) -> int:
        """Of the lines of a block."""
        count = number(field, "count")
        if count >= self._file.lines - self.at:
            raise RecordError(f"{count} of them announced, more than lines are left")
        return count

    def _words(self, what: str, width: int) -> list[bytes]:
        """The numbers of a line, so many."""
        line = self._file.line(self.at)
        if not _NUMBERS.fullmatch(line):
            raise RecordError(f"{what} line {show(line)} is not all numbers")
        words = line.split(b" ")
        if len(words) != width:
            raise RecordError(f"{what} line with {len(words)} columns where {width} were expected")
        return words


def _small(word: bytes) -> int:
    digits = word.lstrip(b"0")
    if len(digits) > 20 or int(digits or b"0") > LARGEST:
        raise RecordError("a number that 64 bits do not hold")
    return int(digits or b"0")


def raise_what_is_wrong(
    file: ProfileFile,
    header: Header,
    names: NamesReader,
    kind: RecordKind,
    start: int,
    stop: int,
    previous: TableKey,
) -> NoReturn:
    """RecordError, with its line, for the first of the lines from `start` to before `stop`, which
    are not as they should be. `previous`: the record before them, which is of the same `kind`.
    """
    finder = _Finder(file, header, names, kind, start, previous)
    try:
        while finder.at < stop:
            finder.record()
        finder.expect_nothing_due()
        raise RecordError("records that cannot be told apart")
    except RecordError as error:
        raise RecordError(str(error), error.line or finder.at) from error
