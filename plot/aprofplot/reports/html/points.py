"""Point tables for the page: at most as many points as a plot can show, as compact JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, get_args

import numpy as np

from aprofplot.metrics import CostStatistic, input_volume
from aprofplot.model import Integers, PointTable, cost_column
from aprofplot.names import printable
from aprofplot.point_merge import reduce_column

# In this order; scripts/points.js reads it.
STATISTICS: tuple[CostStatistic, ...] = get_args(CostStatistic)

Column = Sequence[float] | int


def encode_points(table: PointTable, events: tuple[str, ...], most: int) -> dict[str, Any]:
    """`n` points under the `columns` size, calls, thread, external and, for each event, inclusive
    and self cost by STATISTICS. A column that equals an earlier one is that one's index; one of
    equal values is a list of one. `merged`: to how many binary digits, 0 if not; `of`: points
    before that. `volume`: sum of all sizes."""
    shown = thin_points(table, most)
    # Once as lists: most tables have a point or two.
    values = dict(zip(shown.columns, shown.rows.tolist()))
    columns: list[Sequence[float]] = [
        values[name] for name in ("size", "calls", "thread", "external")
    ]
    for event in events:
        for own in (False, True):
            for statistic in STATISTICS:
                columns.append(_costs(values, event, own, statistic))
    return {
        "n": len(shown),
        "of": len(table),
        "merged": shown.precision,
        "volume": input_volume(table),
        "columns": _without_repeats(columns),
    }


def encode_tables(
    tables: Mapping[str, PointTable], events: tuple[str, ...], most: int
) -> dict[str, dict[str, Any]]:
    """Of each metric's table; once of those that are equal."""
    encoded: dict[str, dict[str, Any]] = {}
    for metric, table in tables.items():
        twin = next((m for m in encoded if _equal(tables[m], table)), None)
        encoded[metric] = encode_points(table, events, most) if twin is None else encoded[twin]
    return encoded


def _costs(
    values: Mapping[str, list[int]], event: str, own: bool, statistic: CostStatistic
) -> Sequence[float]:
    if statistic == "mean":
        totals = values[cost_column(event, own, "sum")]
        return [_short(total, calls) for total, calls in zip(totals, values["calls"])]
    return values[cost_column(event, own, "sum" if statistic == "total" else statistic)]


def _equal(one: PointTable, other: PointTable) -> bool:
    return one.precision == other.precision and np.array_equal(one.rows, other.rows)


def thin_points(table: PointTable, most: int) -> PointTable:
    """At most `most` points: sizes that agree in their most significant binary digits share one,
    as the tool does it (--max-points), with as many digits as that allows."""
    if len(table) <= most:
        return table
    sizes = table.column("size").tolist()
    needed = [_digits_apart(size, following) for size, following in pairwise(sizes)]
    digits = min(max(sorted(needed)[most - 1] - 1, 1), 53)
    starts = [0] + [i for i, count in enumerate(needed, 1) if count <= digits]
    return PointTable(digits, table.columns, _reduce_rows(table, np.array(starts)))


def alias_equal(by_metric: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any] | str]:
    """Instead of what equals an earlier metric's, that one's name: most routines' RMS is their
    TRMS. Names of metrics as printable()."""
    aliased: dict[str, dict[str, Any] | str] = {}
    for metric, value in by_metric.items():
        aliased[printable(metric)] = next((m for m, v in aliased.items() if v == value), value)
    return aliased


def _digits_apart(size: int, larger: int) -> int:
    """How many of their most significant binary digits it takes to tell them apart."""
    return larger.bit_length() - (size ^ larger).bit_length() + 1


def _reduce_rows(table: PointTable, starts: Integers) -> Integers:
    rows = []
    calls = table.column("calls").astype(object)
    for name, row in zip(table.columns, table.rows.astype(object)):
        if name == "size":
            reduced = np.add.reduceat(row * calls, starts) // np.add.reduceat(calls, starts)
        else:
            reduced = reduce_column(name, row, starts)
        rows.append(reduced)
    return np.array(rows, dtype=object)


def _short(total: int, calls: int) -> float:
    """A mean: whole numbers as such, others to seven digits: what a read-out can show."""
    mean, rest = divmod(total, calls)
    return float(f"{total / calls:.7g}") if rest else mean


def _without_repeats(columns: Sequence[Sequence[float]]) -> list[Column]:
    seen: dict[tuple[float, ...], int] = {}
    encoded: list[Column] = []
    for index, values in enumerate(columns):
        first = seen.setdefault(tuple(values), index)
        if first != index:
            encoded.append(first)
        elif len(values) > 1 and len(set(values)) == 1:
            encoded.append(values[:1])
        else:
            encoded.append(values)
    return encoded
