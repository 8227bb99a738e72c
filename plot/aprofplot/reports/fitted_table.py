"""A table for a terminal, no wider than it: columns go in a fixed order, then names are shortened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from aprofplot.reports.aligned import NARROWEST
from aprofplot.names import shorten

NAME_WISHED = 28  # characters of names below which columns go instead
_GAP = 2  # characters between columns


@dataclass(frozen=True, eq=False)
class FittedColumn:
    """`cells` and their `styles` (empty: plain), by row. The column of the greatest `rank` goes
    first, the one that `sorts` last. `after`: it stands after the names, to the left.
    """

    title: str
    cells: Sequence[str]
    rank: int
    sorts: bool = False
    styles: Sequence[str] = field(default=())
    after: bool = False

    @cached_property
    def width(self) -> int:
        """With the gap behind it."""
        return max(map(cell_len, (self.title, *self.cells))) + _GAP


def console_of(out: TextIO, width: int, color: bool) -> Console:
    """Lines of `width` characters or less, at least NARROWEST."""
    return Console(
        file=out,
        width=max(width, NARROWEST),
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
    )


def fitted_table(
    title: str,
    names: Sequence[str],
    sorts: bool,
    columns: Sequence[FittedColumn],
    width: int,
) -> Table:
    """A row for each of `names`, whose column has `title` and may be what `sorts`; of `columns` as
    many as fit beside them."""
    longest = max(map(cell_len, names), default=0)
    wished = max(min(longest, NAME_WISHED), len(title))
    kept = _fitting(columns, width - wished)
    name_width = width - sum(column.width for column in kept)
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold")
    rows: list[list[Text]] = [[] for _ in names]
    shown = [_cut(shorten(name, name_width), name_width) for name in names]
    middle = FittedColumn(title, shown, 0, sorts, after=True)
    before = [column for column in kept if not column.after]
    for column in (*before, middle, *(column for column in kept if column.after)):
        table.add_column(
            Text(column.title, style="bold underline" if column.sorts else "bold"),
            justify="left" if column.after else "right",
            no_wrap=True,
            overflow="crop",
        )
        for row, cell, look in zip(rows, column.cells, column.styles or [""] * len(names)):
            row.append(Text(cell, style=look))
    for row in rows:
        table.add_row(*row)
    return table


def _fitting(columns: Sequence[FittedColumn], room: int) -> list[FittedColumn]:
    """Those that fit in `room` characters."""
    kept = list(columns)
    while kept and sum(column.width for column in kept) > room:
        kept.remove(max(kept, key=lambda c: -1 if c.sorts else c.rank))
    return kept


def _cut(name: str, width: int) -> str:
    """`name`, whose characters may be two columns wide, in `width` columns."""
    while cell_len(name) > width:
        name = name[:-1]
    return name
