"""The numbers of many routines and threads as arrays, on their way from a profile to the model: a
profile of many threads has a million small tables, too many to hold and merge one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aprofplot.model import (
    CostTotal,
    Integers,
    PointTable,
    Routine,
    RoutineProfile,
    ThreadKey,
)
from aprofplot.read.header_reader import Header

# Places of a `table` record's numbers; from COST on a pair for each event, inclusive and self.
THREAD, ROUTINE, CALLS, UNFINISHED, INDUCED_THREAD, INDUCED_EXTERNAL, COST = range(7)


@dataclass(frozen=True, eq=False)
class Tables:
    """Tables in a row, each with its points.

    `heads`: a row for each table, its numbers. `counts` and `precisions`: a row for each table, a
    column for each metric. `points`: a row for each of the model's columns, a column for each
    point, table by table and metric by metric. `wide`: the numbers beyond 63 bits, by their row and
    column in `points`, where 0 stands for them.
    """

    heads: Integers
    counts: npt.NDArray[np.int64]
    precisions: npt.NDArray[np.int64]
    points: npt.NDArray[np.int64]
    wide: dict[tuple[int, int], int]


def routine_profiles(
    tables: Tables,
    header: Header,
    routines: Mapping[int, Routine],
    threads: Iterator[tuple[ThreadKey, ...]],
) -> Iterator[RoutineProfile]:
    """Each table as the model has it; `threads`: of which threads each is."""
    events = [event.name for event in header.events]
    metrics = [metric.name for metric in header.metrics]
    columns = header.columns
    blocks = iter(_blocks(tables))
    for head, precisions, keys in zip(tables.heads.tolist(), tables.precisions.tolist(), threads):
        yield RoutineProfile(
            routines[head[ROUTINE]],
            keys,
            head[CALLS],
            head[UNFINISHED],
            head[INDUCED_THREAD],
            head[INDUCED_EXTERNAL],
            {
                event: CostTotal(inclusive, own)
                for event, inclusive, own in zip(events, head[COST::2], head[COST + 1 :: 2])
            },
            {
                metric: PointTable(precision, columns, next(blocks))
                for metric, precision in zip(metrics, precisions)
            },
        )


def _blocks(tables: Tables) -> Iterator[Integers]:
    """Each table's points under each metric: Python ints where it has a number beyond 63 bits."""
    stops = np.cumsum(tables.counts.ravel())
    cells: dict[int, list[tuple[int, int]]] = {}
    for column, point in tables.wide:
        block = int(np.searchsorted(stops, point, side="right"))
        cells.setdefault(block, []).append((column, point))
    points = tables.points
    start = 0
    for block, stop in enumerate(stops.tolist()):
        rows: Integers = points[:, start:stop]
        if block in cells:
            rows = rows.astype(object)
            for column, point in cells[block]:
                rows[column, point - start] = tables.wide[column, point]
        yield rows
        start = stop
