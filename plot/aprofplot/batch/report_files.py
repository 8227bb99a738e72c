"""Writes a batch's results: the database, a report per program, a comparison of times."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import statistics
from collections.abc import Callable, Sequence
from contextlib import closing

from aprofplot.batch import database
from aprofplot.batch.cost_functions import fit_program
from aprofplot.batch.outcome import Result
from aprofplot.batch.plan import Batch
from aprofplot.batch.runs import Run
from aprofplot.batch.suite import APROF, NATIVE
from aprofplot.errors import AprofError
from aprofplot.reports.aligned import aligned

_SHORTEST_S = 0.05  # of a native run that others are compared with
SUFFIX = {"text": "txt", "json": "json", "csv": "csv", "html": "html"}  # of a report, by its format
_TIME_HEADS = (
    "program",
    "input",
    "threads",
    "tool",
    "runs",
    "CPU s",
    "/ native",
    "wall s",
    "MB",
)

AprofReport = Callable[[Sequence[str]], int]  # its arguments -> its exit status


def make_reports(batch: Batch, wanted: Sequence[str], aprof_report: AprofReport) -> list[str]:
    """Brings the database and the reports, in the `wanted` formats, up to date. Returns a message for
    each thing that could not be made: the rest is."""
    messages = database.update(batch)
    batch.reports.mkdir(exist_ok=True)
    profiles: dict[str, list[tuple[Run, Result]]] = {}
    for run in batch.runs():
        result = batch.result(run.id)
        if result is not None and result.outcome == "ok" and run.tool == APROF:
            profiles.setdefault(run.program, []).append((run, result))
    with closing(sqlite3.connect(batch.database)) as connection:
        for program, runs in profiles.items():
            state = _state(runs)
            changed = not _is_made(connection, f"fits of {program}", state)
            if changed:
                with connection:
                    fit_program(connection, program)
                    _made(connection, f"fits of {program}", state)
            for form in wanted:
                messages += _report(batch, connection, program, form, runs, state, aprof_report)
        times = "\n".join(time_lines(connection))
    (batch.reports / "times.txt").write_text(times + "\n")
    return messages


def _state(runs: Sequence[tuple[Run, Result]]) -> str:
    text = "".join(f"{run.id} {result.fingerprint} {result.started}\n" for run, result in runs)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _is_made(connection: sqlite3.Connection, what: str, state: str) -> bool:
    found = connection.execute("SELECT value FROM batch WHERE key = ?", (what,)).fetchone()
    return bool(found == (state,))


def _made(connection: sqlite3.Connection, what: str, state: str) -> None:
    connection.execute("INSERT OR REPLACE INTO batch VALUES (?, ?)", (what, state))


def _report(
    batch: Batch,
    connection: sqlite3.Connection,
    program: str,
    form: str,
    runs: Sequence[tuple[Run, Result]],
    state: str,
    aprof_report: AprofReport,
) -> list[str]:
    path = batch.reports / f"{program}.{SUFFIX[form]}"
    what = f"{form} report of {program}"
    if path.is_file() and _is_made(connection, what, state):
        return []
    paths = [str(p) for run, result in runs for p in database.profiles_of(batch, run, result)]
    if not paths:
        return [f"{program}: its profiles are all of other programs: see its `profiles`"]
    with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(
        nothing
    ):  # it prints the path
        status = aprof_report([f"--format={form}", "-o", str(path), *paths])
    if status != 0:
        return [f"{what}: not made, for the reason above"]
    with connection:
        _made(connection, what, state)
    return []


def time_lines(connection: sqlite3.Connection) -> list[str]:
    """A table of CPU time and memory by program, input, threads and tool: medians over the
    repetitions that went well, and their ratio to native runs where there are any."""
    groups: dict[tuple[str, str, int], dict[str, list[tuple[float, float, int]]]] = {}
    for program, is_input, threads, tool, cpu, wall, peak in connection.execute(
        "SELECT program, input, threads, tool, user_s + system_s, wall_s, peak_process_kb "
        "FROM runs WHERE outcome = 'ok' ORDER BY program, id"
    ):
        tools = groups.setdefault((program, is_input, threads), {})
        tools.setdefault(tool, []).append((cpu, wall, peak))
    rows: list[tuple[str, ...]] = []
    for (program, is_input, threads), tools in groups.items():
        native = [cpu for cpu, _, _ in tools.get(NATIVE, [])]
        for tool, runs in tools.items():
            cpu, wall, peak = (statistics.median(column) for column in zip(*runs))
            base = statistics.median(native) if native else 0.0
            ratio = f"{cpu / base:.1f}" if base >= _SHORTEST_S else ""
            row = (program, is_input, str(threads), tool, str(len(runs)))
            rows.append((*row, f"{cpu:.2f}", ratio, f"{wall:.2f}", f"{peak / 1024:.0f}"))
    return list(aligned(_TIME_HEADS, rows, words=(0, 1, 3)))


def query(batch: Batch, sql: str) -> tuple[list[str], list[tuple[object, ...]]]:
    """The columns and rows that a query yields. AprofError if SQLite refuses it."""
    with closing(database.open_for_reading(batch)) as connection:
        try:
            cursor = connection.execute(sql)
            return [column[0] for column in cursor.description or ()], cursor.fetchall()
        except sqlite3.Error as error:
            tables = ", ".join(database.table_names(connection))
            raise AprofError(f"the query fails: {error}", f"tables are {tables}") from error
