"""The lines of point tables, many tables at a time: text to exact integers, all checked.

Cost: 50 MB/s on a machine of 2 shared cores; temporaries are of 8 bytes for each number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aprofplot.read import fields
from aprofplot.errors import RecordError
from aprofplot.model import Integers

_BOUNDS = ("min", "max", "sum")
_SAFE_DIGITS = 18  # so many decimal digits always fit in 63 bits
_LINE = re.compile(rb"[0-9]+(?: [0-9]+)*")


@dataclass(frozen=True)
class Block:
    """One table's lines: rows `start` to `stop` of the text, the first of them line `line` of the
    file. `calls`: their sum, as announced."""

    line: int
    start: int
    stop: int
    calls: int


class _RowError(Exception):
    """What is wrong with a row; `row` counts from 0 within the text."""

    def __init__(self, row: int, what: str) -> None:
        super().__init__(what)
        self.row = row


def parse(
    text: bytes, columns: tuple[str, ...], order: Sequence[int], blocks: Sequence[Block]
) -> list[Integers]:
    """The points of each block: a row for each of `columns`, a column for each point.

    `order[i]` is the place that column i has in the lines. Blocks are adjacent and cover the text.
    RecordError, with its line, for the first line that is malformed or inconsistent.
    """
    try:
        return _parse(text, columns, order, blocks)
    except _RowError as error:
        block = next(b for b in blocks if b.start <= error.row < b.stop)
        raise RecordError(str(error), block.line + error.row - block.start) from None


def _parse(
    text: bytes, columns: tuple[str, ...], order: Sequence[int], blocks: Sequence[Block]
) -> list[Integers]:
    width = len(columns)
    ends = _field_ends(text, width)
    flat, wide = _numbers(text, ends)
    values = np.ascontiguousarray(flat.reshape(-1, width).T[list(order)])
    place = {in_file: column for column, in_file in enumerate(order)}
    exact = {(place[i % width], i // width): number for i, number in wide.items()}
    _check_wide(exact, columns)
    tables = _split(values, exact, blocks)
    if all(columns[column].endswith(".sumsq") for column, _ in exact):
        _check(values, columns, blocks)  # which looks at no sum of squares
    else:
        for table, block in zip(tables, blocks):
            _check(table, columns, (block,))
    return tables


def _field_ends(text: bytes, width: int) -> npt.NDArray[np.int64]:
    """The offset of the separator after each number; raises unless all is digits, separated by
    single spaces, `width` to a line."""
    data = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(data <= ord(" "))
    ok = not text.translate(None, b"0123456789 \n") and len(ends) % width == 0
    if ok:
        separators = data[ends].reshape(-1, width)
        lengths = np.diff(ends, prepend=-1)
        ok = bool(
            (separators[:, -1] == ord("\n")).all()
            and (separators[:, :-1] == ord(" ")).all()
            and (lengths > 1).all()
        )
    if not ok:
        raise _first_malformed(text, width)
    return ends


def _first_malformed(text: bytes, width: int) -> _RowError:
    for row, line in enumerate(text.split(b"\n")):
        found = line.count(b" ") + 1
        if not _LINE.fullmatch(line):
            return _RowError(row, f"point line {fields.show(line)} is not all numbers")
        if found != width:
            return _RowError(row, f"point line with {found} columns where {width} are due")
    return _RowError(0, "point lines that cannot be told apart")


def _numbers(
    text: bytes, ends: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], dict[int, int]]:
    """All numbers, in order; those that may need more than 63 bits are 0 there and, by their
    index, in the second result."""
    starts = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1] + 1])
    long = np.flatnonzero(ends - starts > _SAFE_DIGITS)
    wide: dict[int, int] = {}
    if len(long):
        narrowed = bytearray(text)
        for index in long.tolist():
            start, end = int(starts[index]), int(ends[index])
            digits = text[start:end].lstrip(b"0")
            wide[index] = int(digits or b"0") if len(digits) < 40 else fields.LARGEST_SQUARES + 1
            narrowed[start:end] = b"0" * (end - start)
        text = bytes(narrowed)
    numbers = np.fromstring(text, dtype=np.int64, sep=" ")
    if len(numbers) != len(ends):
        raise _RowError(0, "point lines that numpy cannot read")
    return numbers, wide


def _check_wide(exact: dict[tuple[int, int], int], columns: tuple[str, ...]) -> None:
    for (column, row), value in sorted(exact.items(), key=lambda item: item[0][1]):
        squares = columns[column].endswith(".sumsq")
        if value > (fields.LARGEST_SQUARES if squares else fields.LARGEST):
            bits = 128 if squares else 64
            raise _RowError(row, f"{columns[column]} is more than {bits} bits hold")


def _split(
    values: npt.NDArray[np.int64],
    exact: dict[tuple[int, int], int],
    blocks: Sequence[Block],
) -> list[Integers]:
    """Each block's part of `values`: Python ints where it has a number beyond 63 bits."""
    beyond = {cell: number for cell, number in exact.items() if number >= 2**63}
    for cell in exact.keys() - beyond.keys():
        values[cell] = exact[cell]
    tables: list[Integers] = [values[:, block.start : block.stop] for block in blocks]
    stops = np.array([block.stop for block in blocks], dtype=np.int64)
    for (column, row), number in beyond.items():
        index = int(np.searchsorted(stops, row, side="right"))
        if tables[index].dtype != object:
            tables[index] = tables[index].astype(object)
        tables[index][column, row - blocks[index].start] = number
    return tables


def _check(values: Integers, columns: tuple[str, ...], blocks: Sequence[Block]) -> None:
    """Raises unless what the format promises of the blocks' numbers holds."""
    first = blocks[0].start
    size, calls = values[columns.index("size")], values[columns.index("calls")]
    falling = np.zeros(len(size), dtype=bool)
    falling[1:] = size[1:] <= size[:-1]
    begins = np.array([block.start - first for block in blocks], dtype=np.int64)
    falling[begins[begins < len(size)]] = False
    _raise_first(falling, first, "input sizes do not ascend")
    _raise_first(calls < 1, first, "a point without calls")
    for name in columns:
        if name.endswith(".min"):
            cost = name.removesuffix(".min")
            least, most, total = (values[columns.index(f"{cost}.{s}")] for s in _BOUNDS)
            wrong = (least > most) | (most > total)
            _raise_first(wrong, first, f"{cost}: not minimum <= maximum <= sum")
    _check_calls(calls, blocks)


def _raise_first(wrong: npt.NDArray[np.bool_], first_row: int, what: str) -> None:
    rows = np.flatnonzero(wrong)
    if len(rows):
        raise _RowError(first_row + int(rows[0]), what)


def _check_calls(calls: Integers, blocks: Sequence[Block]) -> None:
    if calls.dtype != object and float(calls.sum(dtype=np.float64)) >= 2.0**62:
        calls = calls.astype(object)
    sums = np.concatenate([np.zeros(1, dtype=calls.dtype), np.cumsum(calls)])
    first = blocks[0].start
    for block in blocks:
        found = sums[block.stop - first] - sums[block.start - first]
        if found != block.calls:
            what = f"the points have {found} calls where {block.calls} activations finished"
            raise RecordError(what, block.line - 1)
