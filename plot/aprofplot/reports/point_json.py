"""Points as JSON, and whatever else there is by metric: a part of aprof-report --format=json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TextIO, TypeVar

from aprofplot.model import (
    STATISTICS,
    LoopProfile,
    PointTable,
    RoutineProfile,
    argument_of,
    cost_column,
)
from aprofplot.names import unicode

_POINTS_AT_A_TIME = 4096  # that are made text: a report may be much larger than its profile

_T = TypeVar("_T")


def by_metric(values: Mapping[str, _T]) -> dict[str, _T | dict[str, _T]]:
    """Those of arguments by their names, as one member."""
    entries: dict[str, _T | dict[str, _T]] = {}
    arguments: dict[str, _T] = {}
    for metric, value in values.items():
        name = argument_of(metric)
        if name is None:
            entries[metric] = value
        else:
            arguments[unicode(name)] = value
    return entries | ({"arguments": arguments} if arguments else {})


def write_with_points(out: TextIO, entry: dict[str, Any], of: RoutineProfile | LoopProfile) -> None:
    """The object `entry` with "points" as its last member."""
    events = list(of.cost)
    out.write(json.dumps(entry).removesuffix("}") + ', "points": ')
    _write_tables(out, by_metric(of.points), events, _point_format(events))
    out.write("}")


def _write_tables(
    out: TextIO,
    tables: Mapping[str, PointTable | dict[str, PointTable]],
    events: list[str],
    point: str,
) -> None:
    out.write("{")
    for place, (name, table) in enumerate(tables.items()):
        out.write((", " if place else "") + json.dumps(name) + ": ")
        if isinstance(table, dict):
            _write_tables(out, table, events, point)
            continue
        out.write("[")
        for start in range(0, len(table), _POINTS_AT_A_TIME):
            rows = _rows(table, start, events)
            out.write((", " if start else "") + ", ".join([point % tuple(row) for row in rows]))
        out.write("]")
    out.write("}")


def _point_format(events: list[str]) -> str:
    """A point as json.dumps writes it, its numbers `%d` in the order of _rows: four times as fast."""
    statistics = ", ".join(f'"{s}": %d' for s in STATISTICS)
    costs = ", ".join(
        json.dumps(event).replace("%", "%%") + f': {{{statistics}, "self": {{{statistics}}}}}'
        for event in events
    )
    induced = '{"thread": %d, "external": %d}'
    return f'{{"size": %d, "calls": %d, "induced": {induced}, "cost": {{{costs}}}}}'


def _rows(table: PointTable, start: int, events: list[str]) -> list[list[int]]:
    """The numbers of the points from number `start` on, at most _POINTS_AT_A_TIME of them."""
    costs = [cost_column(e, own, s) for e in events for own in (False, True) for s in STATISTICS]
    columns = ["size", "calls", "thread", "external", *costs]
    shown: list[list[int]] = table.part(columns)[:, start : start + _POINTS_AT_A_TIME].T.tolist()
    return shown
