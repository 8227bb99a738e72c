"""cilkshadow-report for people: totals, what they mean, and the tables of call sites and loops."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from aprofplot.metrics import percent
from aprofplot.names import NAME_WIDTH, counted, printable, shorten
from aprofplot.reports.aligned import aligned
from aprofplot.reports.nameless import nameless_note
from aprofplot.reports.sources import Sources
from aprofplot.reports.work_span.columns import SiteColumn, site_columns
from aprofplot.reports.work_span.loop_table import loop_table, parallel_lines
from aprofplot.work_span.advice import advice, doubts, limits, lock_name, parallelism_text
from aprofplot.work_span.listing import SiteListing
from aprofplot.work_span.metrics import overhead_share, ratio
from aprofplot.work_span.model import CallSite, Lock, WorkSpanProfile
from aprofplot.work_span.names import site_name

_LINE = 100  # characters of sentences, where nobody says
_LISTED = 10  # of locks and of regions, at most
_HOT = 10.0  # percent of the span from which a share is bold


def report_lines(
    listing: SiteListing, top: int | None, sources: Sources, on_processors: Sequence[str] = ()
) -> Iterator[str]:
    """Totals, advice, what there is to say of processors, and warnings; the tables, at most `top` sites and
    loops (None: all), with all columns; the locks, and the regions that the program named."""
    yield from header_lines(listing.profile, on_processors, _LINE)
    shown = listing.sites[:top]
    columns = site_columns(listing, sources)
    before = [column for column in columns if not column.after]
    after = [[c.head, *(c.cell(s) for s in shown)] for c in columns if c.after]
    names = ["call site", *(shorten(printable(site_name(s)), NAME_WIDTH) for s in shown)]
    heads, *texts = (line.rstrip() for line in _to_the_left([names, *after]))
    rows = [[*(c.cell(s) for c in before), text] for s, text in zip(shown, texts)]
    yield from aligned([*(c.head for c in before), heads], rows)
    yield from _left_out(listing, len(shown))
    if loops := loop_table(listing.profile, top):
        yield ""
        yield from loops.lines()
        yield from loops.left_out()
    yield from parallel_lines(listing.profile)
    yield from lock_lines(listing.profile)
    yield from region_lines(listing.profile)


def print_report(
    out: TextIO,
    listing: SiteListing,
    top: int | None,
    sources: Sources,
    on_processors: Sequence[str],
    width: int,
    color: bool,
) -> None:
    """The same on lines of `width` characters or less, in colour or not."""
    from rich.text import Text

    from aprofplot.reports.fitted_table import FittedColumn, console_of, fitted_table

    console = console_of(out, width, color)
    for line in header_lines(listing.profile, on_processors, console.width):
        style = "yellow" * line.startswith("warning: ")
        console.print(Text(printable(line), overflow="fold", style=style))
    shown = listing.sites[:top]
    columns = [
        FittedColumn(
            column.head,
            [column.cell(site) for site in shown],
            column.rank,
            column.sort == listing.sort,
            [_style(column, site) for site in shown],
            column.after,
        )
        for column in site_columns(listing, sources)
    ]
    names = [printable(site_name(site)) for site in shown]
    console.print(fitted_table("call site", names, listing.sort == "name", columns, console.width))

    def say(lines: Iterable[str]) -> None:
        for line in lines:
            console.print(Text(printable(line), overflow="fold"))

    say(_left_out(listing, len(shown)))
    if loops := loop_table(listing.profile, top):
        say([""])
        console.print(loops.fitted(console.width))
        say(loops.left_out())
    say(parallel_lines(listing.profile))
    say(lock_lines(listing.profile))
    say(region_lines(listing.profile))


def header_lines(
    profile: WorkSpanProfile, on_processors: Sequence[str], width: int
) -> Iterator[str]:
    """The run, its totals in Cilkview's manner, what makes them unsure, what they mean, and what
    they do not show."""
    threads = counted(profile.threads, "thread")
    yield f"{profile.command}  (pid {profile.pid}, {threads}, {profile.path})"
    rows = totals(profile)
    label = max(len(name) for name, _, _ in rows)
    value = max(len(text) for _, text, _ in rows)
    for name, text, unit in rows:
        yield f"  {name.ljust(label)}  {text.rjust(value)}  {unit}".rstrip()
    yield ""
    yield from _warning_lines(doubts(profile), width)
    for sentence in advice(profile):
        yield from textwrap.wrap(sentence, max(width, 20))
    if on_processors:
        yield ""
        yield from on_processors
    yield from _warning_lines(limits(profile), width)
    yield from textwrap.wrap(_nameless(profile), max(width, 20))
    yield ""


def _nameless(profile: WorkSpanProfile) -> str:
    costs = ((site.callee, site.on_work.local.work) for site in profile.sites)
    return nameless_note(costs, profile.origin.is_here)


def _warning_lines(warnings: Iterable[str], width: int) -> Iterator[str]:
    for warning in warnings:
        yield from textwrap.wrap(f"warning: {warning}", max(width, 20), subsequent_indent="  ")


def totals(profile: WorkSpanProfile) -> list[tuple[str, str, str]]:
    """Name, value and unit of each number of the whole run."""
    unit = profile.unit

    def parallelism(span: int) -> str:
        return parallelism_text(ratio(profile.work, span))

    each = unit if profile.burden is None else f"{unit}, each spawn costing {profile.burden:,}"
    rows = [
        ("work", f"{profile.work:,}", unit),
        ("span", f"{profile.span:,}", unit),
        ("parallelism", parallelism(profile.span), ""),
        ("burdened span", f"{profile.burdened_span:,}", each),
        ("burdened parallelism", parallelism(profile.burdened_span), ""),
        (
            "lock-serialised span",
            f"{profile.serialised_span:,}",
            f"{unit}, of this run's order",
        ),
        ("lock-serialised parallelism", parallelism(profile.serialised_span), ""),
        ("spawns", f"{profile.spawns:,}", ""),
        ("syncs", f"{profile.syncs:,}", ""),
    ]
    share = f"{overhead_share(profile):.1f} % of all, not in work and span"
    return [*rows, ("run-time library", f"{profile.overhead:,}", share)]


def _left_out(listing: SiteListing, shown: int) -> Iterator[str]:
    number = len(listing.sites)
    if shown < number:
        yield f"{counted(number - shown, 'more call site')}: --top={number} shows all"


def lock_lines(profile: WorkSpanProfile) -> Iterator[str]:
    """A table of those that are held most; nothing if there are none."""
    locks = sorted(profile.locks, key=lambda lock: -lock.held)
    if locks:
        yield ""
        rows = [_lock(profile, lock) for lock in locks[:_LISTED]]
        yield from aligned(["held", "% of work", "critical sections", "lock"], rows)
        yield from _not_listed(len(locks), "lock")


def region_lines(profile: WorkSpanProfile) -> Iterator[str]:
    """A table of those that the program named, those with most work first; nothing if there are none."""
    if not profile.regions:
        return
    yield ""
    heads = ["work", "span", "parallelism", "burdened", "times", "region"]
    yield from aligned(
        heads,
        [
            [
                f"{region.work:,}",
                f"{region.span:,}",
                parallelism_text(region.parallelism),
                parallelism_text(region.burdened_parallelism),
                f"{region.count:,}",
                printable(region.name),
            ]
            for region in sorted(profile.regions, key=lambda region: -region.work)[:_LISTED]
        ],
    )
    yield from _not_listed(len(profile.regions), "region")


def _not_listed(number: int, what: str) -> Iterator[str]:
    if number > _LISTED:
        yield f"{counted(number - _LISTED, f'more {what}')}: --format=json has all"


def _lock(profile: WorkSpanProfile, lock: Lock) -> list[str]:
    share = f"{percent(lock.held, profile.work):.1f}"
    return [f"{lock.held:,}", share, f"{lock.acquisitions:,}", lock_name(lock)]


def _to_the_left(columns: list[list[str]]) -> Iterator[str]:
    """A line for each row of columns of equal length; of an empty column nothing."""
    widths = [max(map(len, column)) for column in columns]
    for row in zip(*columns):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths))


def _style(column: SiteColumn, site: CallSite) -> str:
    if column.after:
        return "dim"
    return "bold" if column.hot is not None and column.hot(site) >= _HOT else ""
