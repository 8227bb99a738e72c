"""The routine table for a terminal: no wider than it, in colour where that is wanted.

A table that is too wide loses columns in a fixed order, from the end of columns.KEPT; names are
shortened only as far as they must be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TextIO

from rich.table import Table
from rich.text import Text

from aprofplot.compare.growth import doubt
from aprofplot.fits.law import Fit
from aprofplot.metrics import percent, total_cost
from aprofplot.model import RoutineProfile
from aprofplot.names import place, printable, shorten
from aprofplot.reports.columns import Column, is_sorted_by, routine_columns
from aprofplot.reports.fitted_table import (
    NAME_WISHED,
    FittedColumn,
    console_of,
    fitted_table,
)
from aprofplot.reports.listing import Listing
from aprofplot.reports.finding_text import finding_lines
from aprofplot.reports.loop_rows import with_loops
from aprofplot.reports.text import footer_lines, header_lines

_HOT = 10.0  # percent of the run's cost from which a share is bold

Style = Callable[[RoutineProfile], str]


def print_table(
    out: TextIO, listing: Listing, top: int | None, sort: str, width: int, color: bool
) -> None:
    """The run, then at most `top` routines (None: all), on lines of `width` characters or less;
    at least NARROWEST."""
    console = console_of(out, width, color)
    shown = listing.routines[:top]
    for line in header_lines(listing.profile):
        console.print(Text(printable(line), overflow="fold"))
    for line in finding_lines(listing):
        console.print(Text(printable(line), overflow="fold"))
    console.print(_table(listing, shown, sort, console.width))
    for line in footer_lines(listing, len(shown)):
        console.print(Text(line, overflow="fold"))


def _table(listing: Listing, routines: Sequence[RoutineProfile], sort: str, width: int) -> Table:
    rows = with_loops(listing, routines)
    shown = [routine for _, routine in rows]
    where = Column("place", "where", "where", _where)
    columns = []
    said = [column for column in routine_columns(listing) if _says_something(listing, column)]
    for column in (*said, where):
        style = _style(listing, column)
        columns.append(
            FittedColumn(
                column.title,
                [printable(column.cell(routine)) for routine in shown],
                column.rank,
                is_sorted_by(column, sort),
                [style(routine) for routine in shown],
                after=column is where,
            )
        )
    names = ["  " * depth + printable(routine.routine.name) for depth, routine in rows]
    return fitted_table("routine", names, sort == "name", columns, width)


def _says_something(listing: Listing, column: Column) -> bool:
    """Whether it would be missed: there may be no input of others, and all calls may have returned."""
    if column.kind not in ("thread", "external", "unfinished"):
        return True
    return any(column.cell(routine) not in ("", "0.0") for routine in listing.routines)


def _where(routine: RoutineProfile) -> str:
    where = routine.routine
    return shorten(place(where.object, where.file, where.line), NAME_WISHED)


def _style(listing: Listing, column: Column) -> Style:
    """How a column's cells look: large shares and steep growth stand out."""
    whole = total_cost(listing.profile, listing.event)
    styles: dict[str, Style] = {
        "place": lambda r: "dim",
        "growth": lambda r: growth_style(listing.growth(r)),
        "share": lambda r: _hot(percent(r.cost[listing.event].inclusive, whole)),
        "own share": lambda r: _hot(percent(r.cost[listing.event].own, whole)),
    }
    plain: Style = lambda r: ""
    return styles.get(column.kind, plain) if column.main else plain


def _hot(share: float) -> str:
    return "bold" if share >= _HOT else ""


def growth_style(fit: Fit) -> str:
    """Green up to n log n, yellow above, red from n^2; dim where it is not known."""
    if fit.law is None or doubt(fit):
        return "dim"
    base, power, logs = fit.law.growth
    if base or power >= 2:
        return "bold red"
    return "yellow" if power > 1 else "green"
