"""The columns of the table of call sites, for files and for a terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aprofplot.names import printable
from aprofplot.reports.sources import Sources
from aprofplot.work_span.advice import parallelism_text
from aprofplot.work_span.listing import MEASURED, SiteListing, value_of
from aprofplot.work_span.metrics import span_share, work_share
from aprofplot.work_span.model import CallSite
from aprofplot.work_span.names import site_place

_SOURCE_WIDTH = 60  # characters of a line of source


@dataclass(frozen=True)
class SiteColumn:
    """`sort`: what --sort sorts by it, empty for none. A narrow terminal loses the column with the
    greatest `rank` first. `after`: it stands after the names."""

    head: str
    cell: Callable[[CallSite], str]
    rank: int
    sort: str = ""
    hot: Callable[[CallSite], float] | None = None  # percent: large ones stand out
    after: bool = False


def site_columns(listing: SiteListing, sources: Sources) -> list[SiteColumn]:
    """All but the call site itself, from left to right; what sorts is among them."""
    profile = listing.profile

    def share_of_span(site: CallSite) -> float:
        return span_share(profile, site)

    def share_of_work(site: CallSite) -> float:
        return work_share(profile, site)

    columns = [
        SiteColumn(
            "% of span",
            lambda s: f"{share_of_span(s):.1f}",
            0,
            "on_span.local.span",
            share_of_span,
        ),
        _measured("local span on span", "on_span.local.span", 4),
        _measured("calls on span", "on_span.local.count", 9),
        _measured("parallelism on span", "on_span.top_site.parallelism", 8),
        _measured("work", "on_work.top_site.work", 3),
        SiteColumn("% of work", lambda s: f"{share_of_work(s):.1f}", 5, "on_work.top_site.work"),
        _measured("span", "on_work.top_site.span", 6),
        _measured("parallelism", "on_work.top_site.parallelism", 1),
        _measured("calls", "on_work.local.count", 7),
        _measured("spawned", "spawned", 10),
    ]
    if listing.sort in MEASURED and listing.sort not in {column.sort for column in columns}:
        columns.insert(0, _measured(listing.sort, listing.sort, 0))
    columns.append(SiteColumn("where", lambda s: printable(site_place(s)), 2, "place", after=True))
    columns.append(SiteColumn("source", lambda s: source_line(sources, s), 11, after=True))
    return columns


def source_line(sources: Sources, site: CallSite) -> str:
    """The line of source that the call is in, empty if it is not found."""
    file, line = (
        (site.callee.file, site.callee.line) if site.caller is None else (site.file, site.line)
    )
    elf = (site.caller or site.callee).object
    found = sources.find(elf, file) if file and line else None
    if found is None or line > len(found.lines):
        return ""
    text = " ".join(found.lines[line - 1].split())
    return text if len(text) <= _SOURCE_WIDTH else f"{text[: _SOURCE_WIDTH - 3]}..."


def _measured(head: str, name: str, rank: int) -> SiteColumn:
    def cell(site: CallSite) -> str:
        value = value_of(site, name)
        if value is None or isinstance(value, float):
            return parallelism_text(value)
        return f"{value:,}"

    return SiteColumn(head, cell, rank, name)
