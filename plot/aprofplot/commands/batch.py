"""aprof-batch: runs a suite of programs under the tools, with one database of all results."""

from __future__ import annotations

import argparse
import csv
import json
import shlex
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from aprofplot.batch.conduct import (
    BatchOptions,
    Failures,
    conduct,
    failed,
    say,
    summary_lines,
)
from aprofplot.batch.database import profiles_of
from aprofplot.batch.engine import Executor
from aprofplot.batch.folder_lock import locked
from aprofplot.batch.plan import Batch
from aprofplot.batch.report_files import make_reports, query
from aprofplot.batch.runs import expand
from aprofplot.batch.suite import APROF
from aprofplot.batch.suite_file import about, built_in, load
from aprofplot.commands import report
from aprofplot.commands.batch_arguments import (
    batch_folder,
    parser,
    selection,
    suite_variables,
)
from aprofplot.commands.running import put_path, run_command, signals_interrupt
from aprofplot.errors import AprofError
from aprofplot.names import printable, spreadsheet_text
from aprofplot.reports.aligned import aligned

_FORMATS = ("text", "json", "html")  # that reports are written in unless others are asked for

ALL_WELL, SOME_FAILED, BAD_SUITE = 0, 1, 2


def _run(arguments: argparse.Namespace) -> int:
    suite = load(arguments.suite, suite_variables(arguments))
    batch = Batch(batch_folder(arguments, suite.name))
    executor = Executor(
        arguments.jobs or 1,
        arguments.slurm,
        tuple(arguments.sbatch),
        arguments.snakemake_profile,
    )
    options = BatchOptions(
        executor,
        arguments.force,
        arguments.retry,
        arguments.install,
        None if arguments.no_reports else _make_reports,
    )
    try:
        with signals_interrupt(signal.SIGTERM):
            failures = conduct(batch, suite, selection(arguments), options)
    except KeyboardInterrupt:
        say("interrupted; the same command continues")
        return 130
    return _conclude(batch, failures)


def _make_reports(batch: Batch, formats: Sequence[str] = _FORMATS) -> list[str]:
    return make_reports(batch, formats, report.main)


def _conclude(batch: Batch, failures: Failures) -> int:
    """Prints the summary and the failure table; the exit status."""
    for line in summary_lines(len(batch.planned()) + len(batch.missing()), failures):
        print(printable(line))
    if batch.database.is_file():
        print(printable(f"database: {batch.database}"))
    return SOME_FAILED if failures else ALL_WELL


def _status(arguments: argparse.Namespace) -> int:
    batch = _batch(arguments)
    return _conclude(batch, failed(batch))


def _report(arguments: argparse.Namespace) -> int:
    batch = _batch(arguments)
    batch.planned()
    with locked(batch):
        for message in _make_reports(batch, arguments.format or _FORMATS):
            say(message)
    put_path(str(batch.database))
    for path in sorted(batch.reports.iterdir()):
        put_path(str(path))
    return ALL_WELL


def _query(arguments: argparse.Namespace) -> int:
    columns, rows = query(_batch(arguments), arguments.sql)
    if arguments.format == "json":
        print(json.dumps([dict(zip(columns, row)) for row in rows]))
    elif arguments.format == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        for row in (columns, *rows):
            writer.writerow([spreadsheet_text(v) if isinstance(v, str) else v for v in row])
    else:
        texts = [["" if value is None else str(value) for value in row] for row in rows]
        words = [i for i in range(len(columns)) if any(isinstance(r[i], str) for r in rows)]
        for line in aligned(columns, texts, words):
            print(printable(line))
    return ALL_WELL


def _list(arguments: argparse.Namespace) -> int:
    if arguments.suite is None:
        names = built_in()
        for name in names:
            print(f"{name:{max(map(len, names))}}  {about(name)}")
        return ALL_WELL
    suite = load(arguments.suite, suite_variables(arguments))
    for run in expand(suite, selection(arguments)):
        print(printable(f"{run.id}  {shlex.join([*run.under, *run.command])}"))
    return ALL_WELL


def _profiles(arguments: argparse.Namespace) -> int:
    batch = _batch(arguments)
    batch.planned()
    runs = list(batch.runs())
    programs = dict.fromkeys(run.program for run in runs)
    if arguments.program is not None and arguments.program not in programs:
        what = f"{batch.folder} has no program {arguments.program}"
        raise AprofError(what, f"it has {', '.join(programs)}")
    for run in runs:
        result = batch.result(run.id)
        if result is not None and result.outcome == "ok" and run.tool == APROF:
            if arguments.program in (None, run.program):
                for path in profiles_of(batch, run, result):
                    put_path(str(path))
    return ALL_WELL


def _batch(arguments: argparse.Namespace) -> Batch:
    return Batch(Path(arguments.folder).absolute())


_ACTIONS: dict[str, Callable[[argparse.Namespace], int]] = {
    "run": _run,
    "status": _status,
    "report": _report,
    "query": _query,
    "list": _list,
    "profiles": _profiles,
}


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    arguments = parser().parse_args(argv)
    action = _ACTIONS[arguments.action]
    return run_command("aprof-batch", lambda: action(arguments), failure=BAD_SUITE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
