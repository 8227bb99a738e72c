"""aprof-report's machine-readable formats: one JSON object, or CSV with a row for each point."""

from __future__ import annotations

import csv
import json
from typing import Any, TextIO

from aprofplot.model import POINT_COLUMNS, STATISTICS, RoutineProfile, cost_column
from aprofplot.names import unicode
from aprofplot.reports.fit_entry import fit_entry
from aprofplot.reports.json_calls import write_calls_and_contexts
from aprofplot.reports.json_points import (
    POINTS_AT_A_TIME,
    thread_entry,
    totals,
    write_with_points,
)
from aprofplot.reports.listing import Fits, Listing

FORMAT = "aprof-report"
VERSION = 1


def write_json(out: TextIO, listing: Listing) -> None:
    """The report as one JSON object, with a final newline: docs/schema/aprof-report.schema.json.
    All numbers are exact integers, but those of fits."""
    profile = listing.profile
    report = {
        "format": FORMAT,
        "version": VERSION,
        "runs": [
            {
                "command": unicode(run.command),
                "pid": run.pid,
                "threads": len(run.threads),
            }
            for run in profile.runs
        ],
        "events": {event.name: event.unit for event in profile.events},
        "metrics": {metric.name: metric.unit for metric in profile.metrics},
    }
    out.write(json.dumps(report).removesuffix("}") + ', "routines": [')
    for index, routine in enumerate(listing.routines):
        out.write(", " if index else "")
        write_with_points(out, _routine(listing, routine), routine)
    out.write("]")
    write_calls_and_contexts(out, listing)
    out.write("}\n")


def write_csv(out: TextIO, listing: Listing) -> None:
    """A header line, then a row for each routine, metric and point; each thread's own if the
    listing is by thread."""
    profile, per_thread = listing.profile, listing.per_thread
    columns = ["name", "object", "file", "line"]
    columns += ["pid", "thread", "thread_name"] if per_thread else []
    costs = [(e, own, s) for e in profile.event_names for own in (False, True) for s in STATISTICS]
    columns += ["metric", "size", "calls", "thread_induced", "external"]
    columns += [cost_column(*cost).replace(".", "_") for cost in costs]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    names = [*POINT_COLUMNS, *(cost_column(*cost) for cost in costs)]
    for routine in listing.routines:
        where = routine.routine
        row_start: list[Any] = [where.name, where.object, where.file, where.line]
        if per_thread:
            key = routine.threads[0]
            row_start += [profile.runs[key.run].pid, key.id, profile.thread(key).name]
        for metric, table in routine.points.items():
            for start in range(0, len(table), POINTS_AT_A_TIME):
                end = start + POINTS_AT_A_TIME
                values = [table.column(name)[start:end].tolist() for name in names]
                writer.writerows([*row_start, metric, *row] for row in zip(*values))


def _routine(listing: Listing, routine: RoutineProfile) -> dict[str, Any]:
    """All but its points."""
    where = routine.routine
    entry: dict[str, Any] = {
        "name": unicode(where.name),
        "object": unicode(where.object),
        "file": unicode(where.file),
        "line": where.line,
        "address": where.address,
    }
    entry |= totals(routine)
    entry["fit"] = _fit_entries(listing.fits(routine))
    events = listing.profile.event_names
    if len(events) > 1:
        entry["fits"] = {event: _fit_entries(listing.fits(routine, event)) for event in events}
    entry |= thread_entry(listing.profile, routine.threads) if listing.per_thread else {}
    return entry


def _fit_entries(fits: Fits) -> dict[str, Any]:
    return {metric: fit_entry(fit) for metric, fit in fits.items()}
