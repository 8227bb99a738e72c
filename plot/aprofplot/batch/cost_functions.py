"""Cost functions over all runs of a program, from the database, and the laws they follow.

One routine is in memory at a time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import numpy as np

from aprofplot.model import PointTable, column_names

_VALUES = (
    "size, calls, thread, external, min, max, sum, sumsq, self_min, self_max, self_sum, self_sumsq"
)


def keys(database: sqlite3.Connection, program: str) -> Iterator[tuple[int, str, str]]:
    """Routine, metric and event of each cost function of a program."""
    found = database.execute(
        "SELECT DISTINCT p.routine, p.metric, p.event FROM points p JOIN runs r ON r.id = p.run "
        "WHERE r.program = ? ORDER BY 1, 2, 3",
        (program,),
    ).fetchall()
    yield from found


def cost_function(
    database: sqlite3.Connection, program: str, routine: int, metric: str, event: str
) -> PointTable:
    """The points of a routine in all runs of a program, those of one size as one. Sums of squares
    have 53 significant bits."""
    rows = database.execute(
        f"SELECT {_VALUES} FROM cost_functions WHERE program = ? AND routine = ? AND metric = ? "
        "AND event = ? ORDER BY size",
        (program, routine, metric, event),
    ).fetchall()
    columns = column_names((event,))
    exact = [[int(value) for value in row] for row in rows]
    most = max((max(row) for row in exact), default=0)
    table = np.array(exact, dtype=object if most >= 2**63 else np.int64)
    return PointTable(0, columns, table.reshape(len(exact), len(columns)).T)


def fit_program(database: sqlite3.Connection, program: str) -> None:
    """Writes the laws of all cost functions of a program into the table `fits`."""
    from aprofplot.fits.fitting import fit_table  # scipy takes its time to load

    database.execute("DELETE FROM fits WHERE program = ?", (program,))
    for routine, metric, event in keys(database, program):
        table = cost_function(database, program, routine, metric, event)
        fit = fit_table(table, event, metric=metric)
        slope: tuple[float | None, ...] = (None,) * 3
        if fit.slope is not None:
            slope = (fit.slope.value, fit.slope.low, fit.slope.high)
        row = (
            program,
            routine,
            metric,
            event,
            fit.model,
            fit.formula,
            fit.r2,
            fit.confidence,
        )
        marks = ", ".join("?" * 12)
        database.execute(f"INSERT INTO fits VALUES ({marks})", (*row, *slope, fit.reason))
