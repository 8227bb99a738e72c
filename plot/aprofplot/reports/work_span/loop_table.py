"""The table of loops in the report for people, for files and for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aprofplot.loop_scopes import loop_place
from aprofplot.metrics import percent
from aprofplot.names import counted, printable
from aprofplot.reports.aligned import aligned
from aprofplot.work_span.advice import parallelism_text
from aprofplot.work_span.listing import loops_by_span
from aprofplot.work_span.model import LoopSite, WorkSpanProfile
from aprofplot.work_span.names import loop_name, placed, short_name
from aprofplot.processors.parallel_loops import ParallelLoop, parallel_loops

if TYPE_CHECKING:
    from rich.table import Table

_LISTED = 10  # parallel loops, at most
# From left to right. A narrow terminal loses the column with the greatest rank first.
_HEADS = (
    ("% of span", 0),
    ("local span on span", 6),
    ("work", 5),
    ("span", 8),
    ("parallelism", 1),
    ("executions", 7),
    ("iterations", 3),
    ("mean iterations", 4),
    ("mean work", 9),
    ("largest", 10),
)
_PARALLEL_HEADS = (
    "executions",
    "parallel iterations",
    "mean work",
    "largest",
    "largest/mean",
    "loop",
    "where",
)


@dataclass(frozen=True, eq=False)
class LoopTable:
    """The loops that hold most of the span, of `number`: a row for each of `names`, and its place."""

    number: int
    names: Sequence[str]
    places: Sequence[str]
    rows: Sequence[Sequence[str]]

    def lines(self) -> Iterator[str]:
        """With all columns."""
        rows = [[*row, *names] for row, *names in zip(self.rows, self.names, self.places)]
        yield from aligned([*(head for head, _ in _HEADS), "loop", "where"], rows, (-2, -1))

    def fitted(self, width: int) -> Table:
        """With as many columns as fit."""
        from aprofplot.reports.fitted_table import FittedColumn, fitted_table

        columns = [
            FittedColumn(head, [row[index] for row in self.rows], rank)
            for index, (head, rank) in enumerate(_HEADS)
        ]
        columns.append(FittedColumn("where", self.places, 2, after=True))
        return fitted_table("loop", self.names, False, columns, width)

    def left_out(self) -> Iterator[str]:
        """A line, if there are more."""
        if more := self.number - len(self.names):
            yield f"{counted(more, 'more loop')}: --top={self.number} shows all"


def loop_table(profile: WorkSpanProfile, top: int | None) -> LoopTable | None:
    """Of at most `top` loops (None: all); None if the profile has none."""
    shown = loops_by_span(profile)[:top]
    if not shown:
        return None
    names = [loop_name(of.loop) for of in shown]
    places = [_place(of) for of in shown]
    return LoopTable(len(profile.loops), names, places, [_row(profile, of) for of in shown])


def _row(profile: WorkSpanProfile, of: LoopSite) -> list[str]:
    local, whole = of.on_span.local.span, of.on_work.top_site
    mean = of.iterations / of.executions if of.executions else 0
    return [
        f"{percent(local, profile.span):.1f}",
        f"{local:,}",
        f"{whole.work:,}",
        f"{whole.span:,}",
        parallelism_text(whole.parallelism),
        f"{of.executions:,}",
        f"{of.iterations:,}",
        f"{mean:,.1f}",
        f"{whole.work / whole.count:,.0f}" if whole.count else "",
        f"{of.spread.largest:,}" if of.spread else "",
    ]


def parallel_lines(profile: WorkSpanProfile) -> Iterator[str]:
    """How unequal the iterations of parallel loops are; a blank line before."""
    loops = parallel_loops(profile)
    if not loops:
        return
    yield ""
    yield from aligned(_PARALLEL_HEADS, [_parallel_row(of) for of in loops[:_LISTED]], (-2, -1))
    if len(loops) > _LISTED:
        yield f"{counted(len(loops) - _LISTED, 'more parallel loop')} with less work"


def _parallel_row(of: ParallelLoop) -> list[str]:
    mean = of.work / of.iterations
    return [
        f"{of.executions:,}",
        f"{of.iterations:,}",
        f"{mean:,.0f}",
        "" if of.largest is None else f"{of.largest:,}",
        "" if of.largest is None or not mean else f"{of.largest / mean:.2f}",
        f"loop of {short_name(of.name)}" if of.name else "loop",
        printable(placed(of.file, of.line)),
    ]


def _place(of: LoopSite) -> str:
    return printable(loop_place(of.loop))
