"""A routine's numbers in aprof-report's JSON: in all, or in one calling context."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TextIO

from aprofplot.model import (
    STATISTICS,
    PointTable,
    Profile,
    RoutineProfile,
    ThreadKey,
    cost_column,
)
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
        "induced": {
            "thread": routine.induced_thread,
            "external": routine.induced_external,
        },
    }
    merged = {metric: t.precision for metric, t in routine.points.items() if t.precision}
    return entry | ({"merged_to_binary_digits": merged} if merged else {})


def write_with_points(out: TextIO, entry: dict[str, Any], routine: RoutineProfile) -> None:
    """The object `entry` with "points" as its last member."""
    events = list(routine.cost)
    point = _point_format(events)
    out.write(json.dumps(entry).removesuffix("}") + ', "points": {')
    for place, (metric, table) in enumerate(routine.points.items()):
        out.write((", " if place else "") + json.dumps(metric) + ": [")
        for start in range(0, len(table), POINTS_AT_A_TIME):
            rows = _rows(table, start, events)
            out.write((", " if start else "") + ", ".join([point % row for row in rows]))
        out.write("]")
    out.write("}}")


def _point_format(events: list[str]) -> str:
    """A point as json.dumps writes it, its numbers `%d` in the order of _rows: four times as fast."""
    statistics = ", ".join(f'"{s}": %d' for s in STATISTICS)
    costs = ", ".join(
        json.dumps(event).replace("%", "%%") + f': {{{statistics}, "self": {{{statistics}}}}}'
        for event in events
    )
    induced = '{"thread": %d, "external": %d}'
    return f'{{"size": %d, "calls": %d, "induced": {induced}, "cost": {{{costs}}}}}'


def _rows(table: PointTable, start: int, events: list[str]) -> Iterator[tuple[int, ...]]:
    """The numbers of the points from number `start` on, at most POINTS_AT_A_TIME of them."""
    costs = [cost_column(e, own, s) for e in events for own in (False, True) for s in STATISTICS]
    columns = ["size", "calls", "thread", "external", *costs]
    return zip(*(table.column(c)[start : start + POINTS_AT_A_TIME].tolist() for c in columns))
