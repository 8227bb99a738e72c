"""Lines of `table` or `context` records and of their blocks to arrays, a few megabytes at a time.

Cost: much the same for a megabyte of small tables and of large ones (bench/reading); temporaries are
of about 30 bytes for each number of a batch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aprofplot.errors import RecordError
from aprofplot.model import Integers
from aprofplot.read import digit_lines, fields
from aprofplot.read.batch_layout import Layout, RecordKind, LayoutError, lay_out
from aprofplot.read.call_edges import are_right, edges_of
from aprofplot.read.digit_lines import NumberLines
from aprofplot.read.header_reader import Header
from aprofplot.read.names_reader import NamesReader
from aprofplot.read.point_checks import (
    BlockError,
    PointError,
    check_points,
    check_widths,
)
from aprofplot.read.profile_file import ProfileFile
from aprofplot.read.table_errors import TableKey, raise_what_is_wrong
from aprofplot.read.tables import CALLS, COST, ROUTINE, THREAD, UNFINISHED, Tables

_BYTES = 1 << 22  # of text that are parsed at a time

_Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Batch:
    """Records in a row. `lines`: where each is in the file; `leading`: a row for each, of its numbers
    before THREAD, with -1 for `-`; `edges`: as call_edges.edges_of has them."""

    tables: Tables
    lines: _Indices
    leading: Integers
    edges: Integers


class PointBatches:
    """Reads all records of one kind in a profile, each batch of lines into a Batch for `take`."""

    def __init__(
        self,
        file: ProfileFile,
        header: Header,
        names: NamesReader,
        kind: RecordKind,
        take: Callable[[Batch], None],
    ) -> None:
        self._file = file
        self._header = header
        self._names = names
        self._kind = kind
        self._take = take
        self._previous = TableKey(0, 0)
        self._metrics = [metric.name.encode() for metric in header.metrics]
        self._order = np.array(header.order, dtype=np.int64)
        self._place = np.argsort(self._order)  # in the model, of a column of the file

    def read(self, start: int, stop: int) -> None:
        """The lines from `start` to before `stop`, which by their first letters are of records and
        blocks. RecordError, with its line, for what breaks the format."""
        owners = start + np.flatnonzero(self._file.first_bytes(start, stop) == self._kind.letter)
        while start < stop:
            full = np.searchsorted(self._file.starts, self._file.starts[start - 1] + _BYTES)
            following = np.searchsorted(owners, max(int(full), start + 1))
            end = int(owners[following]) if following < len(owners) else stop
            self._batch(start, end)
            self._file.read_to(end)
            start = end

    def _batch(self, start: int, stop: int) -> None:
        try:
            layout = lay_out(self._file, start, stop, self._kind)
            batch = self._parse(start, stop, layout)
            tables = batch.tables
            self._check_points(tables, start, layout)
            if self._kind.callers and not are_right(
                batch.edges, tables.heads, layout.edge_counts(), self._names
            ):
                raise LayoutError
        except LayoutError:
            raise_what_is_wrong(
                self._file,
                self._header,
                self._names,
                self._kind,
                start,
                stop,
                self._previous,
            )
        self._previous = TableKey(*tables.heads[-1, [THREAD, ROUTINE]].tolist())
        narrow = {cell: value for cell, value in tables.wide.items() if value < 2**63}
        for cell, value in narrow.items():
            tables.points[cell] = value
            del tables.wide[cell]
        self._take(batch)

    def _parse(self, start: int, stop: int, layout: Layout) -> Batch:
        text, dashes = self._digits(start, stop, layout)
        lines = digit_lines.parse(text)
        leading = self._kind.leading
        width = leading + COST + 2 * len(self._header.events)
        edge_width = 3 + 2 * len(self._header.events)
        if lines is None or not layout.have_columns(lines, width, len(self._order), edge_width):
            raise LayoutError
        records = self._records(lines, layout.owners, width, start)
        records[dashes, 1:2] = -1
        heads = records[:, leading:]
        self._check_heads(heads)
        counts, precisions = self._blocks(lines, layout, start)
        edges = heads[:0]
        if self._kind.callers:
            rows = self._records(lines, layout.edges, edge_width, start)
            edges = edges_of(heads, layout.edge_counts(), rows)
        points = lines.flat[lines.firsts[layout.points] + self._order[:, None]]
        tables = Tables(heads, counts, precisions, points, self._wide(lines, layout))
        return Batch(tables, start + layout.owners, records[:, :leading], edges)

    def _digits(self, start: int, stop: int, layout: Layout) -> tuple[bytes, _Indices]:
        """The lines' text, with zeros for the words that records begin with: only numbers, at the
        places where they were. Also which of the owners have a `-`, for which there is a zero.
        """
        starts = self._file.starts
        data = np.frombuffer(self._file.data, dtype=np.uint8)[starts[start - 1] :]
        text = data[: starts[stop - 1] - starts[start - 1]].copy()
        line_starts = starts[start - 1 : stop] - starts[start - 1]
        for word, lines in layout.words(self._kind, self._metrics):
            places = line_starts[lines][:, None] + np.arange(len(word))
            if (data.take(places, mode="clip") != np.frombuffer(word, dtype=np.uint8)).any():
                raise LayoutError
            text[places] = ord("0")
        dashed: _Indices = np.zeros(0, dtype=np.int64)
        if self._kind.leading:
            dashes = np.flatnonzero(text == ord("-"))
            text[dashes] = ord("0")
            dashed = np.searchsorted(line_starts, dashes, side="right") - 1
            for line in dashed.tolist():
                words = self._file.line(start + line).split(b" ")
                if words[0] != self._kind.keyword or words[2:3] != [b"-"]:
                    raise LayoutError
            dashed = np.searchsorted(layout.owners, dashed)
        if len(np.unique(dashed)) < len(dashed):
            raise LayoutError
        return text.tobytes(), dashed

    def _records(self, lines: NumberLines, which: _Indices, width: int, start: int) -> Integers:
        """A row for each of the lines, of its numbers: Python ints if any is beyond 63 bits."""
        values: Integers = lines.flat[lines.firsts[which][:, None] + np.arange(width)]
        line_of = np.searchsorted(lines.firsts, lines.wide_at, side="right") - 1
        for row in np.flatnonzero(np.isin(which, line_of)).tolist():
            words = self._file.line(start + int(which[row])).split(b" ")[-width:]
            try:
                exact = [fields.number(word, "number") for word in words if word != b"-"]
            except RecordError as error:
                raise LayoutError from error
            if len(exact) < width:
                exact.insert(1, 0)
            values = values if max(exact) < 2**63 else values.astype(object)
            values[row] = exact
        return values

    def _blocks(self, lines: NumberLines, layout: Layout, start: int) -> tuple[_Indices, _Indices]:
        """How many points each block has, and how precise: a row for each table. Raises unless
        tables and blocks follow one another as they announce."""
        metrics = len(self._metrics)
        callers = self._records(lines, layout.callers, 1, start)
        blocks = self._records(lines, layout.blocks, 2, start)
        if (
            blocks.dtype == object
            or callers.dtype == object
            or len(blocks) != metrics * len(layout.owners)
            or len(callers) != self._kind.callers * len(layout.owners)
        ):
            raise LayoutError
        counts, precisions = blocks.reshape(-1, metrics, 2).transpose(2, 0, 1)
        each = callers.reshape(len(layout.owners), int(self._kind.callers))
        layout.check_blocks(np.concatenate([counts, each], axis=1))
        if (precisions > 64).any():
            raise LayoutError
        return counts, precisions

    def _check_heads(self, heads: Integers) -> None:
        threads, routines = heads[:, THREAD], heads[:, ROUTINE]
        calls = heads[:, CALLS]
        if not (
            self._names.are_known(threads, routines)
            and ((calls > 0) & (heads[:, UNFINISHED] <= calls)).all()
        ):
            raise LayoutError
        if self._kind.leading:
            return  # contexts have another order
        before = np.concatenate([np.array([self._previous]), heads[:-1, [THREAD, ROUTINE]]])
        after = (threads > before[:, 0]) | ((threads == before[:, 0]) & (routines > before[:, 1]))
        if not after.all():
            raise LayoutError

    def _wide(self, lines: NumberLines, layout: Layout) -> dict[tuple[int, int], int]:
        """The points' numbers that may need more than 63 bits, by column and point."""
        line_of = np.searchsorted(lines.firsts, lines.wide_at, side="right") - 1
        columns = self._place[(lines.wide_at - lines.firsts[line_of]) % len(self._place)]
        points = np.searchsorted(layout.points, line_of)
        of_points = np.isin(line_of, layout.points)
        cells = zip(of_points.tolist(), columns.tolist(), points.tolist(), lines.wide)
        return {(column, point): value for mine, column, point, value in cells if mine}

    def _check_points(self, tables: Tables, start: int, layout: Layout) -> None:
        """RecordError, with its line, for the first point that breaks the format."""
        columns = self._header.columns
        values: Integers = tables.points
        if any(not columns[column].endswith(".sumsq") for column, _ in tables.wide):
            values = values.astype(object)
            for cell, value in tables.wide.items():
                values[cell] = value
        finished = tables.heads[:, CALLS] - tables.heads[:, UNFINISHED]
        calls_due = np.repeat(finished, len(self._header.metrics))
        try:
            check_widths(tables.wide, columns)
            check_points(values, columns, tables.counts.ravel(), calls_due)
        except PointError as error:
            raise RecordError(str(error), start + int(layout.points[error.point])) from error
        except BlockError as error:
            raise RecordError(str(error), start + int(layout.blocks[error.block])) from error
