"""Gathers the point lines of many tables, so that they are parsed a few megabytes at a time."""

from __future__ import annotations

from aprofplot.read import point_rows
from aprofplot.read.header_reader import Header
from aprofplot.model import PointTable

_BYTES = 1 << 22  # of text that are parsed at a time


class PointBatch:
    """Tables go in as text and come out of `finish`, parsed, in the same order."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._tables: list[PointTable] = []
        self._clear()

    def add(self, text: bytes, line: int, count: int, precision: int, calls: int) -> None:
        """A table of `count` lines, the first of them line `line` of the file, whose calls should
        add up to `calls`. RecordError if an earlier one breaks the format."""
        block = point_rows.Block(line, self._rows, self._rows + count, calls)
        self._text.append(text)
        self._blocks.append(block)
        self._precisions.append(precision)
        self._rows += count
        self._bytes += len(text)
        if self._bytes > _BYTES:
            self._parse()

    def finish(self) -> list[PointTable]:
        """All tables. RecordError if one breaks the format."""
        if self._blocks:
            self._parse()
        return self._tables

    def _parse(self) -> None:
        header = self._header
        text = b"".join(self._text)
        parsed = point_rows.parse(text, header.columns, header.order, self._blocks)
        for precision, rows in zip(self._precisions, parsed):
            self._tables.append(PointTable(precision, header.columns, rows))
        self._clear()

    def _clear(self) -> None:
        self._text: list[bytes] = []
        self._blocks: list[point_rows.Block] = []
        self._precisions: list[int] = []
        self._rows = 0
        self._bytes = 0
