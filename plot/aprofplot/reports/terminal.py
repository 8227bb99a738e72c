"""The routine table for a terminal: no wider than it, in colour where that is wanted.

A table that is too wide loses columns in a fixed order, from the end of columns.KEPT; names are
shortened only as far as they must be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from aprofplot.fits.law import Fit
from aprofplot.metrics import percent, total_cost
from aprofplot.model import RoutineProfile
from aprofplot.names import place, printable, shorten
from aprofplot.reports.columns import Column, is_sorted_by, routine_columns
from aprofplot.reports.listing import Listing
from aprofplot.reports.text import NARROWEST, footer_lines, header_lines

NAME_WISHED = 28  # characters of names below which columns go instead
_GAP = 2  # characters between columns
_HOT = 10.0  # percent of the run's cost from which a share is bold

Style = Callable[[RoutineProfile], str]


def print_table(
    out: TextIO, listing: Listing, top: int | None, sort: str, width: int, color: bool
) -> None:
    """The run, then at most `top` routines (None: all), on lines of `width` characters or less;
    at least NARROWEST."""
    console = Console(
        file=out,
        width=max(width, NARROWEST),
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
    )
    shown = listing.routines[:top]
    for line in header_lines(listing.profile):
        console.print(Text(printable(line), overflow="fold"))
    console.print(_table(listing, shown, sort, console.width))
    for line in footer_lines(listing, len(shown)):
        console.print(Text(line, overflow="fold"))


def _table(listing: Listing, shown: Sequence[RoutineProfile], sort: str, width: int) -> Table:
    longest = max((cell_len(printable(r.routine.name)) for r in shown), default=0)
    wished = max(min(longest, NAME_WISHED), len("routine"))
    where = Column("place", "where", "where", _where)
    candidates = [*routine_columns(listing), where]
    cells = {column: [printable(column.cell(r)) for r in shown] for column in candidates}
    widths = {c: max(map(cell_len, (c.title, *cells[c]))) + _GAP for c in candidates}
    kept = _fitting(candidates, widths, sort, width - wished)
    name_width = width - sum(widths[column] for column in kept)
    names = [_cut(shorten(printable(r.routine.name), name_width), name_width) for r in shown]
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold")
    rows: list[list[Text]] = [[] for _ in shown]
    for column in kept:
        if column is not where:
            _add(table, column.title, is_sorted_by(column, sort), "right")
            _fill(rows, cells[column], shown, _style(listing, column))
    _add(table, "routine", sort == "name", "left")
    _fill(rows, names, shown, lambda r: "")
    if where in kept:
        _add(table, "where", False, "left")
        _fill(rows, cells[where], shown, lambda r: "dim")
    for row in rows:
        table.add_row(*row)
    return table


def _fitting(
    columns: Sequence[Column], widths: dict[Column, int], sort: str, room: int
) -> list[Column]:
    """Those that fit in `room` characters; the one that sorts goes last."""
    kept = list(columns)
    while kept and sum(widths[column] for column in kept) > room:
        kept.remove(max(kept, key=lambda c: -1 if is_sorted_by(c, sort) else c.rank))
    return kept


def _where(routine: RoutineProfile) -> str:
    where = routine.routine
    return shorten(place(where.object, where.file, where.line), NAME_WISHED)


def _cut(name: str, width: int) -> str:
    """`name`, whose characters may be two columns wide, in `width` columns."""
    while cell_len(name) > width:
        name = name[:-1]
    return name


def _add(table: Table, title: str, sorts: bool, justify: Literal["left", "right"]) -> None:
    style = "bold underline" if sorts else "bold"
    table.add_column(Text(title, style=style), justify=justify, no_wrap=True, overflow="crop")


def _fill(
    rows: list[list[Text]], cells: Sequence[str], shown: Sequence[RoutineProfile], style: Style
) -> None:
    for row, cell, routine in zip(rows, cells, shown):
        row.append(Text(cell, style=style(routine)))


def _style(listing: Listing, column: Column) -> Style:
    """How a column's cells look: large shares and steep growth stand out."""
    whole = total_cost(listing.profile, listing.event)
    styles: dict[str, Style] = {
        "growth": lambda r: growth_style(listing.growth(r)),
        "share": lambda r: _hot(percent(r.cost[listing.event].inclusive, whole)),
        "own share": lambda r: _hot(percent(r.cost[listing.event].own, whole)),
    }
    plain: Style = lambda r: ""
    return styles.get(column.kind, plain) if column.main else plain


def _hot(share: float) -> str:
    return "bold" if share >= _HOT else ""


def growth_style(fit: Fit) -> str:
    """Green up to n log n, yellow above, red from n^2."""
    if fit.law is None:
        return "dim"
    base, power, logs = fit.law.growth
    if base or power >= 2:
        return "bold red"
    return "yellow" if power > 1 else "green"
