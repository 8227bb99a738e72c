"""aprof-report's machine-readable formats: one JSON object, or CSV with a row for each point."""

from __future__ import annotations

import csv
import json
from typing import Any, TextIO

from aprofplot.metrics import by_cost
from aprofplot.model import (
    POINT_COLUMNS,
    STATISTICS,
    PointTable,
    Profile,
    RoutineProfile,
    cost_column,
)
from aprofplot.names import unicode

FORMAT = "aprof-report"
VERSION = 1


_POINTS = 4096  # that are made text at a time: a report may be much larger than its profile


def write_json(out: TextIO, profile: Profile, per_thread: bool) -> None:
    """The report as one JSON object, with a final newline. All numbers are exact integers."""
    report = {
        "format": FORMAT,
        "version": VERSION,
        "runs": [
            {"command": unicode(run.command), "pid": run.pid, "threads": len(run.threads)}
            for run in profile.runs
        ],
        "events": {event.name: event.unit for event in profile.events},
        "metrics": {metric.name: metric.unit for metric in profile.metrics},
    }
    out.write(json.dumps(report).removesuffix("}") + ', "routines": [')
    for index, routine in enumerate(by_cost(profile.routines, profile.event_names[0])):
        entry = json.dumps(_routine(profile, routine, per_thread)).removesuffix("}")
        out.write((", " if index else "") + entry + ', "points": {')
        for place, (metric, table) in enumerate(routine.points.items()):
            out.write((", " if place else "") + json.dumps(metric) + ": [")
            for start in range(0, len(table), _POINTS):
                points = _points(table, start, list(routine.cost))
                out.write((", " if start else "") + json.dumps(points)[1:-1])
            out.write("]")
        out.write("}}")
    out.write("]}\n")


def write_csv(out: TextIO, profile: Profile, per_thread: bool) -> None:
    """A header line, then a row for each routine, metric and point; each thread's own if
    `per_thread`."""
    columns = ["name", "object", "file", "line"]
    columns += ["pid", "thread", "thread_name"] if per_thread else []
    costs = [(e, own, s) for e in profile.event_names for own in (False, True) for s in STATISTICS]
    columns += ["metric", "size", "calls", "thread_induced", "external"]
    columns += [cost_column(*cost).replace(".", "_") for cost in costs]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    names = [*POINT_COLUMNS, *(cost_column(*cost) for cost in costs)]
    for routine in by_cost(profile.routines, profile.event_names[0]):
        where = routine.routine
        row_start: list[Any] = [where.name, where.object, where.file, where.line]
        if per_thread:
            key = routine.threads[0]
            row_start += [profile.runs[key.run].pid, key.id, profile.thread(key).name]
        for metric, table in routine.points.items():
            for start in range(0, len(table), _POINTS):
                values = [table.column(name)[start : start + _POINTS].tolist() for name in names]
                writer.writerows([*row_start, metric, *row] for row in zip(*values))


def _routine(profile: Profile, routine: RoutineProfile, per_thread: bool) -> dict[str, Any]:
    """All but its points."""
    where = routine.routine
    entry: dict[str, Any] = {
        "name": unicode(where.name),
        "object": unicode(where.object),
        "file": unicode(where.file),
        "line": where.line,
        "address": where.address,
        "calls": routine.calls,
        "unfinished": routine.unfinished,
        "threads": len(routine.threads),
        "cost": {
            event: {"inclusive": cost.inclusive, "self": cost.own}
            for event, cost in routine.cost.items()
        },
        "induced": {"thread": routine.induced_thread, "external": routine.induced_external},
    }
    merged = {metric: t.precision for metric, t in routine.points.items() if t.precision}
    if merged:
        entry["merged_to_binary_digits"] = merged
    if per_thread:
        key = routine.threads[0]
        run = profile.runs[key.run]
        name = unicode(profile.thread(key).name)
        entry["thread"] = {"id": key.id, "name": name, "pid": run.pid}
    return entry


def _points(table: PointTable, start: int, events: list[str]) -> list[dict[str, Any]]:
    """The points from number `start` on, at most _POINTS of them."""
    columns = {name: table.column(name)[start : start + _POINTS].tolist() for name in table.columns}
    return [
        {
            "size": columns["size"][i],
            "calls": columns["calls"][i],
            "induced": {"thread": columns["thread"][i], "external": columns["external"][i]},
            "cost": {event: _cost(columns, event, i) for event in events},
        }
        for i in range(len(columns["size"]))
    ]


def _cost(columns: dict[str, list[int]], event: str, i: int) -> dict[str, Any]:
    inclusive: dict[str, Any] = {s: columns[cost_column(event, False, s)][i] for s in STATISTICS}
    inclusive["self"] = {s: columns[cost_column(event, True, s)][i] for s in STATISTICS}
    return inclusive
