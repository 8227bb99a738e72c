"""Columns of text that line up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def aligned(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A line for the heads and for each row; all columns but the last to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(heads, *rows)]
    for row in (heads, *rows):
        cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths)]
        yield "  ".join([*cells, row[-1]])
