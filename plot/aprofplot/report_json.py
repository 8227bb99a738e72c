"""aprof-report's machine-readable formats: one JSON object, or CSV with a row for each point."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from aprofplot.metrics import by_cost
from aprofplot.model import (
    STATISTICS,
    PointTable,
    Profile,
    RoutineProfile,
    cost_column,
)

FORMAT = "aprof-report"
VERSION = 1


def to_json(profile: Profile, per_thread: bool) -> str:
    """The report as one JSON object, with a final newline. All numbers are exact integers."""
    report = {
        "format": FORMAT,
        "version": VERSION,
        "runs": [
            {"command": run.command, "pid": run.pid, "threads": len(run.threads)}
            for run in profile.runs
        ],
        "events": {event.name: event.unit for event in profile.events},
        "metrics": {metric.name: metric.unit for metric in profile.metrics},
        "routines": [
            _routine(profile, routine, per_thread)
            for routine in by_cost(profile.routines, profile.event_names[0])
        ],
    }
    return json.dumps(report, ensure_ascii=True) + "\n"


def to_csv(profile: Profile, per_thread: bool) -> str:
    """A header line, then a row for each routine, metric and point; each thread's own if
    `per_thread`."""
    columns = ["name", "object", "file", "line"]
    columns += ["pid", "thread", "thread_name"] if per_thread else []
    costs = [(e, own, s) for e in profile.event_names for own in (False, True) for s in STATISTICS]
    columns += ["metric", "size", "calls", "thread_induced", "external"]
    columns += [cost_column(*cost).replace(".", "_") for cost in costs]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for routine in by_cost(profile.routines, profile.event_names[0]):
        where = routine.routine
        start: list[Any] = [where.name, where.object, where.file, where.line]
        if per_thread:
            key = routine.threads[0]
            start += [profile.runs[key.run].pid, key.id, profile.thread(key).name]
        for metric, table in routine.points.items():
            names = ["size", "calls", "thread", "external"]
            names += [cost_column(*cost) for cost in costs]
            values = [table.column(name).tolist() for name in names]
            writer.writerows([*start, metric, *row] for row in zip(*values))
    return out.getvalue()


def _routine(profile: Profile, routine: RoutineProfile, per_thread: bool) -> dict[str, Any]:
    where = routine.routine
    entry: dict[str, Any] = {
        "name": where.name,
        "object": where.object,
        "file": where.file,
        "line": where.line,
        "calls": routine.calls,
        "unfinished": routine.unfinished,
        "threads": len(routine.threads),
        "cost": {
            event: {"inclusive": cost.inclusive, "self": cost.own}
            for event, cost in routine.cost.items()
        },
        "induced": {"thread": routine.induced_thread, "external": routine.induced_external},
        "points": {metric: _points(routine, table) for metric, table in routine.points.items()},
    }
    merged = {metric: t.precision for metric, t in routine.points.items() if t.precision}
    if merged:
        entry["merged_to_binary_digits"] = merged
    if per_thread:
        key = routine.threads[0]
        run = profile.runs[key.run]
        entry["thread"] = {"id": key.id, "name": profile.thread(key).name, "pid": run.pid}
    return entry


def _points(routine: RoutineProfile, table: PointTable) -> list[dict[str, Any]]:
    columns = {name: table.column(name).tolist() for name in table.columns}
    return [
        {
            "size": columns["size"][i],
            "calls": columns["calls"][i],
            "induced": {"thread": columns["thread"][i], "external": columns["external"][i]},
            "cost": {event: _cost(columns, event, i) for event in routine.cost},
        }
        for i in range(len(table))
    ]


def _cost(columns: dict[str, list[int]], event: str, i: int) -> dict[str, Any]:
    inclusive: dict[str, Any] = {s: columns[cost_column(event, False, s)][i] for s in STATISTICS}
    inclusive["self"] = {s: columns[cost_column(event, True, s)][i] for s in STATISTICS}
    return inclusive
