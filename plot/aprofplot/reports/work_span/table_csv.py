"""cilkshadow-report --format=csv: the 28 columns of Cilkprof, a row for each call site."""

from __future__ import annotations

import csv
from typing import TextIO

from aprofplot.names import spreadsheet_text
from aprofplot.work_span.listing import SiteListing
from aprofplot.work_span.model import CallSite, Measure
from aprofplot.work_span.names import ARROW, site_kind

# Cilkprof's plain measure is the top-call-site one, its "top" that of the top caller.
_MEASURES = (("top_site", ""), ("top_caller", "top_"), ("local", "local_"))
_VALUES = ("work", "span", "parallelism", "count")
COLUMNS = ("file", "line", "call_site", "function_type") + tuple(
    f"{prefix}{value}_{path}"
    for path in ("on_work", "on_span")
    for _, prefix in _MEASURES
    for value in _VALUES
)


def write_csv(out: TextIO, listing: SiteListing) -> None:
    """A header line, then the rows. Numbers are exact but for parallelisms; what is not known, and a
    parallelism without span, is empty."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for site in listing.sites:
        row: list[object] = [
            spreadsheet_text(site.file),
            site.line or "",
            _name(site),
            site_kind(site),
        ]
        for path in ("on_work", "on_span"):
            for measure, _ in _MEASURES:
                row += _values(site.measure(path, measure))
        writer.writerow(row)


def _name(site: CallSite) -> str:
    callee = site.callee.name
    return spreadsheet_text(callee if site.caller is None else f"{site.caller.name}{ARROW}{callee}")


def _values(measure: Measure) -> list[object]:
    parallelism = measure.parallelism
    shown = "" if parallelism is None else f"{parallelism:.4f}"
    return [measure.work, measure.span, shown, measure.count]
