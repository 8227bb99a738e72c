"""The database of a batch: one SQLite file with all runs and, of those that went well, all points.

A run's profiles are read one run at a time, and only if its result is not in the database yet.
"""

from __future__ import annotations

import fnmatch
import os
import shlex
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from aprofplot.batch.outcome import Result
from aprofplot.batch.plan import Batch
from aprofplot.batch.runs import Run
from aprofplot.errors import AprofError, ProfileError
from aprofplot.merge import join_profiles, merge_threads
from aprofplot.model import PointTable, Profile, Routine, column_names
from aprofplot.names import program_name, unicode
from aprofplot.read.profile_reader import read_merged

VERSION = 1
_LARGEST = 2**63 - 1  # of SQLite's integers; what is greater becomes REAL


def update(batch: Batch) -> list[str]:
    """Brings the database up to date with the results in the batch's folder. Returns a message for
    each profile that could not be read."""
    messages: list[str] = []
    with closing(_open(batch.database)) as database:
        known = dict(database.execute("SELECT name, version FROM runs"))
        for run in batch.runs():
            result = batch.result(run.id)
            version = "" if result is None else f"{result.fingerprint} {result.started}"
            if known.pop(run.id, "") == version:
                continue
            with database:
                database.execute("DELETE FROM runs WHERE name = ?", (run.id,))
                if result is not None:
                    messages += _add(database, batch, run, result, version)
        with database:
            database.executemany("DELETE FROM runs WHERE name = ?", [(name,) for name in known])
    return messages


def _open(path: Path) -> sqlite3.Connection:
    """The database at `path`, made if it is not there, or of another version."""
    if path.is_file():
        database = sqlite3.connect(path)
        if _version(database, path) == VERSION:
            database.execute("PRAGMA foreign_keys = ON")
            return database
        database.close()
        path.unlink()
    database = sqlite3.connect(path)
    schema = Path(__file__).with_name("database.sql").read_text()
    database.executescript(f"BEGIN;{schema}PRAGMA user_version = {VERSION};COMMIT;")
    database.execute("PRAGMA foreign_keys = ON")
    return database


def _version(database: sqlite3.Connection, path: Path) -> int:
    try:
        return int(database.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error as error:
        raise AprofError(
            f"{path} is damaged: {error}", "remove it; it will be written again"
        ) from error


def open_for_reading(batch: Batch) -> sqlite3.Connection:
    """The database, which cannot be changed through this. AprofError if there is none."""
    if not batch.database.is_file():
        what = f"{batch.folder} has no database yet"
        raise AprofError(what, f"make it with aprof-batch report {batch.folder}")
    uri = f"{batch.database.resolve().as_uri()}?mode=ro"
    return sqlite3.connect(uri, uri=True)


def table_names(connection: sqlite3.Connection) -> list[str]:
    """Of the tables and views, as they were made; none if it cannot be read."""
    try:
        found = connection.execute("SELECT name, type FROM sqlite_master ORDER BY rowid").fetchall()
    except sqlite3.Error:
        return []
    return [name for name, kind in found if kind in ("table", "view")]


def _add(
    database: sqlite3.Connection, batch: Batch, run: Run, result: Result, version: str
) -> list[str]:
    usage = result.usage
    used = (
        (None,) * 5
        if usage is None
        else (
            usage.wall_s,
            usage.user_s,
            usage.system_s,
            usage.peak_process_kb,
            usage.peak_tree_kb,
        )
    )
    row = [run.id, run.program, run.input, run.threads, run.repetition, run.tool]
    row += [shlex.join(run.command), result.outcome, result.status, result.signal]
    row += [unicode(result.detail), unicode(result.last_error), *used]
    row += [result.started, result.host, version]
    marks = ", ".join("?" * (1 + len(row)))
    number = database.execute(f"INSERT INTO runs VALUES ({marks})", [None, *row]).lastrowid
    assert number is not None
    if result.outcome != "ok":
        return []
    profiles, messages = [], []
    for path in profiles_of(batch, run, result):
        try:
            profiles.append(read_merged(str(path)))
        except ProfileError as error:
            messages.append(str(error))
    if profiles:
        profile = merge_threads(join_profiles(profiles))
        _add_profile(database, number, profile)
    return messages


def profiles_of(batch: Batch, run: Run, result: Result) -> Iterator[Path]:
    """A run's profiles, by name; of the programs that the suite's `profiles` names, if it does."""
    for name in result.profiles:
        path = batch.run_folder(run.id) / name
        if not run.profiles or _counts(_program_of(path), run.profiles):
            yield path


def _counts(program: str, globs: Sequence[str]) -> bool:
    wanted = [glob for glob in globs if not glob.startswith("!")]
    unwanted = [glob[1:] for glob in globs if glob.startswith("!")]
    return (not wanted or any(fnmatch.fnmatch(program, glob) for glob in wanted)) and not any(
        fnmatch.fnmatch(program, glob) for glob in unwanted
    )


def _program_of(path: Path) -> str:
    """The name of the program that a profile is of; empty if it cannot be read."""
    try:
        with open(path, "rb") as file:
            for line in file:
                if line.startswith(b"command "):
                    return program_name(line.decode("utf-8", "surrogateescape")[8:])
    except OSError:
        pass
    return ""


def _add_profile(database: sqlite3.Connection, run: int, profile: Profile) -> None:
    for one in profile.runs:
        row = (
            run,
            os.path.basename(one.path),
            unicode(one.command),
            one.pid,
            unicode(one.reason),
        )
        number = database.execute(
            "INSERT INTO profiles VALUES (NULL, ?, ?, ?, ?, ?)", row
        ).lastrowid
        threads = [(number, t.id, t.parent, unicode(t.name)) for t in one.threads]
        database.executemany("INSERT INTO threads VALUES (?, ?, ?, ?)", threads)
    quantities = [(run, q.name, unicode(q.unit)) for q in (*profile.events, *profile.metrics)]
    database.executemany("INSERT INTO units VALUES (?, ?, ?)", quantities)
    for routine in profile.routines:
        number = _routine(database, routine.routine)
        induced = (routine.induced_thread, routine.induced_external)
        counts = _fit((run, number, routine.calls, routine.unfinished, *induced))
        database.execute("INSERT INTO activations VALUES (?, ?, ?, ?, ?, ?)", counts)
        for event, cost in routine.cost.items():
            costs = _fit((run, number, event, cost.inclusive, cost.own))
            database.execute("INSERT INTO costs VALUES (?, ?, ?, ?, ?)", costs)
            for metric, table in routine.points.items():
                start = (run, number, unicode(metric), event)
                rows = _point_rows(start, table, event)
                database.executemany(f"INSERT INTO points VALUES ({', '.join('?' * 16)})", rows)


def _routine(database: sqlite3.Connection, routine: Routine) -> int:
    key = routine.key
    identity = (
        unicode(key.name),
        unicode(key.object),
        unicode(key.file),
        _signed(key.address),
    )
    database.execute(
        "INSERT OR IGNORE INTO routines (name, object, file, address, line) VALUES (?, ?, ?, ?, ?)",
        (*identity, routine.line),
    )
    found = database.execute(
        "SELECT id FROM routines WHERE name = ? AND object = ? AND file = ? AND address = ?",
        identity,
    ).fetchone()
    return int(found[0])


def _point_rows(
    start: tuple[object, ...], table: PointTable, event: str
) -> Iterator[tuple[object, ...]]:
    columns = []
    for name in column_names((event,)):
        values = table.column(name).tolist()
        columns.append([float(v) for v in values] if name.endswith("sumsq") else values)
    for values in zip(*columns):
        yield _fit((*start, *values))


def _fit(values: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(float(v) if isinstance(v, int) and v > _LARGEST else v for v in values)


def _signed(address: int) -> int:
    """64 bits as SQLite has them: addresses of the upper half are negative."""
    return address if address <= _LARGEST else address - 2**64
