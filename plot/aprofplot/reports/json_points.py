"""A routine's numbers in aprof-report's JSON: in all, or in one calling context."""

from __future__ import annotations

import json
from typing import Any, TextIO

from aprofplot.model import STATISTICS, PointTable, Profile, RoutineProfile, ThreadKey, cost_column
from aprofplot.names import unicode

POINTS_AT_A_TIME = 4096  # that are made text: a report may be much larger than its profile


def thread_entry(profile: Profile, threads: tuple[ThreadKey, ...]) -> dict[str, Any]:
    """The member "thread": the one of `threads`, which are those of one thread."""
    key = threads[0]
    run = profile.runs[key.run]
    name = unicode(profile.thread(key).name)
    return {"thread": {"id": key.id, "name": name, "pid": run.pid}}


def totals(routine: RoutineProfile) -> dict[str, Any]:
    """All numbers but the points."""
    entry: dict[str, Any] = {
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
    return entry | ({"merged_to_binary_digits": merged} if merged else {})


def write_with_points(out: TextIO, entry: dict[str, Any], routine: RoutineProfile) -> None:
    """The object `entry` with "points" as its last member."""
    out.write(json.dumps(entry).removesuffix("}") + ', "points": {')
    for place, (metric, table) in enumerate(routine.points.items()):
        out.write((", " if place else "") + json.dumps(metric) + ": [")
        for start in range(0, len(table), POINTS_AT_A_TIME):
            points = _points(table, start, list(routine.cost))
            out.write((", " if start else "") + json.dumps(points)[1:-1])
        out.write("]")
    out.write("}}")


def _points(table: PointTable, start: int, events: list[str]) -> list[dict[str, Any]]:
    """The points from number `start` on, at most POINTS_AT_A_TIME of them."""
    end = start + POINTS_AT_A_TIME
    columns = {name: table.column(name)[start:end].tolist() for name in table.columns}
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
