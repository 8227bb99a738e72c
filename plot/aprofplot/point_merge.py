"""Merges points of input sizes, as of several threads: those of one size become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from aprofplot.model import Integers, PointTable

_LARGEST_INT64 = 2**63 - 1


def merge_points(tables: Sequence[PointTable]) -> PointTable:
    """Points of one size become one. Columns are those that all tables have."""
    filled = [table for table in tables if len(table)] or list(tables[:1])
    precisions = [table.precision for table in tables if table.precision]
    precision = min(precisions, default=0)
    columns = tuple(c for c in filled[0].columns if all(c in t.columns for t in filled))
    if len(filled) == 1 and columns == filled[0].columns:
        return replace(filled[0], precision=precision)
    if all(t.columns == columns and t.rows.dtype != object for t in filled):
        stacked = list(np.concatenate([t.rows for t in filled], axis=1))
    else:
        stacked = [np.concatenate([t.column(c) for t in filled]) for c in columns]
    return _by_size(precision, columns, stacked)


def with_sizes(table: PointTable, sizes: Integers) -> PointTable:
    """The points with other sizes; those that have one size then become one."""
    others = [table.column(name) for name in table.columns[1:]]
    return _by_size(table.precision, table.columns, [sizes, *others])


def _by_size(precision: int, columns: tuple[str, ...], stacked: list[Integers]) -> PointTable:
    """Rows of any order of sizes, which are the first column."""
    order = np.argsort(stacked[0], kind="stable")
    sizes, starts = np.unique(stacked[0][order], return_index=True)
    rows = [sizes]
    for name, values in zip(columns[1:], stacked[1:]):
        rows.append(reduce_column(name, values[order], starts))
    if any(row.dtype == object for row in rows):
        rows = [row.astype(object) for row in rows]
    return PointTable(precision, columns, np.array(rows))


def reduce_column(name: str, values: Integers, starts: Integers) -> Integers:
    """The values of the column `name`, those from each of `starts` on as one."""
    reduced: Integers
    if name.endswith(".min"):
        reduced = np.minimum.reduceat(values, starts)
    elif name.endswith(".max"):
        reduced = np.maximum.reduceat(values, starts)
    else:
        if values.dtype != object and float(values.sum(dtype=np.float64)) > _LARGEST_INT64 / 2:
            values = values.astype(object)
        reduced = np.add.reduceat(values, starts)
    return reduced
