"""Columns of text that line up."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

NARROWEST = 20  # characters: the least width of a table that is fitted to a width


def aligned(
    heads: Sequence[str], rows: Sequence[Sequence[str]], words: Collection[int] = (-1,)
) -> Iterator[str]:
    """A line for the heads and for each row. Columns whose index is in `words` are to the left, all
    others, numbers, to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(heads, *rows)]
    left = {range(len(heads))[index] for index in words}
    for row in (heads, *rows):
        cells = [
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ]
        yield "  ".join(cells).rstrip()
