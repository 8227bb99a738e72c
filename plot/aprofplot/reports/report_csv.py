"""aprof-report --format=csv: a row for each point, or for each routine (--rows=routines)."""

from __future__ import annotations

import csv
from typing import Any, TextIO

from aprofplot.fits.law import Fit
from aprofplot.metrics import (
    distinct_sizes,
    induced_shares,
    input_volume,
    largest_size,
    percent,
    total_cost,
)
from aprofplot.model import (
    POINT_COLUMNS,
    STATISTICS,
    Profile,
    Routine,
    RoutineProfile,
    cost_column,
)
from aprofplot.names import spreadsheet_text
from aprofplot.reports.listing import Listing

_OF_METRIC = ("sizes", "largest", "input", "growth", "formula", "r2", "confidence")
_POINTS_AT_A_TIME = 4096  # that are made text: a table may be much larger than its profile


def write_point_csv(out: TextIO, listing: Listing) -> None:
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
        row_start = [*_place(routine.routine), *(_thread(profile, routine) if per_thread else ())]
        for metric, table in routine.points.items():
            for start in range(0, len(table), _POINTS_AT_A_TIME):
                end = start + _POINTS_AT_A_TIME
                values = [table.column(name)[start:end].tolist() for name in names]
                writer.writerows(
                    [*row_start, spreadsheet_text(metric), *row] for row in zip(*values)
                )


def write_routine_csv(out: TextIO, listing: Listing) -> None:
    """A header line, then a row for each routine; each thread's own if the listing is by thread.
    What is not known is empty."""
    profile = listing.profile
    columns = ["name", "object", "file", "line", "address"]
    columns += ["pid", "thread", "thread_name"] if listing.per_thread else ["threads"]
    columns += ["calls", "unfinished", "thread_induced", "external"]
    for event in profile.event_names:
        columns += [event, f"{event}_percent", f"{event}_self", f"{event}_self_percent"]
    columns += ["thread_percent", "external_percent"]
    columns += [f"{metric}_{of}" for metric in profile.metric_names for of in _OF_METRIC]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    whole = {event: total_cost(profile, event) for event in profile.event_names}
    for routine in listing.routines:
        row = _identity(profile, routine, listing.per_thread)
        row += [routine.calls, routine.unfinished]
        row += [routine.induced_thread, routine.induced_external]
        for event in profile.event_names:
            cost = routine.cost[event]
            row += [cost.inclusive, f"{percent(cost.inclusive, whole[event]):.4f}"]
            row += [cost.own, f"{percent(cost.own, whole[event]):.4f}"]
        shares = induced_shares(routine)
        row += ["", ""] if shares is None else [f"{share:.4f}" for share in shares]
        fits = listing.fits(routine)
        for metric in profile.metric_names:  # not by arguments, which each routine has others of
            fit = fits[metric]
            row += [distinct_sizes(routine, metric), largest_size(routine, metric)]
            row += [input_volume(routine.points[metric]), *_growth(fit)]
        writer.writerow(row)


def _identity(profile: Profile, routine: RoutineProfile, per_thread: bool) -> list[Any]:
    row = [*_place(routine.routine), routine.routine.address]
    return [*row, *(_thread(profile, routine) if per_thread else [len(routine.threads)])]


def _place(routine: Routine) -> list[Any]:
    texts = (routine.name, routine.object, routine.file)
    return [*map(spreadsheet_text, texts), routine.line]


def _thread(profile: Profile, routine: RoutineProfile) -> list[Any]:
    key = routine.threads[0]
    return [profile.runs[key.run].pid, key.id, spreadsheet_text(profile.thread(key).name)]


def _growth(fit: Fit) -> list[Any]:
    r2 = "" if fit.r2 is None else f"{fit.r2:.4f}"
    return [fit.model, spreadsheet_text(fit.formula), r2, f"{fit.confidence:.4f}"]
