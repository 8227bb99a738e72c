"""Conducts a batch: from the suite to the failure table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from aprofplot.batch.engine import Executor, check_modules, log_tail, run_pending
from aprofplot.batch.folder_lock import locked
from aprofplot.batch.outcome import Result, failure_lines
from aprofplot.batch.packages import apt_get, install, missing
from aprofplot.batch.plan import Batch, make_plan
from aprofplot.batch.progress import progress
from aprofplot.batch.runs import Run, Selection, expand
from aprofplot.batch.suite import Program, Suite, SuiteError
from aprofplot.batch.valgrind import check_tools
from aprofplot.names import counted, printable

Failures = list[tuple[str, str, Result]]  # what, its folder, how it ended


@dataclass(frozen=True)
class BatchOptions:
    """How a batch is to be run. `make_reports`, if not None, does so of what has been run; it returns
    a message for each thing that could not be made."""

    executor: Executor
    force: bool = False
    retry: bool = False
    install: bool = False
    make_reports: Callable[[Batch], list[str]] | None = None


def conduct(batch: Batch, suite: Suite, selection: Selection, options: BatchOptions) -> Failures:
    """Runs what has not been run, makes the reports; returns what failed, now or earlier."""
    runs = expand(suite, selection)
    if not runs:
        raise SuiteError(f"{suite.name} has no such runs", "choose other programs or inputs")
    check_modules()
    check_tools(runs)
    _check_wrapped(batch, runs)
    programs = [p for p in suite.programs if any(run.program == p.name for run in runs)]
    absent = _missing(programs, options.install)
    runs = [run for run in runs if run.program not in absent]
    with locked(batch) as lock:
        plan = make_plan(batch, suite.name, runs, options.force, options.retry, absent)
        if plan.replaced is not None:
            say(f"earlier results are in {plan.replaced}")
        earlier = len(plan.runs) - len(plan.pending)
        say(f"{counted(len(plan.pending), 'run')} to do, {earlier} done already, in {batch.folder}")
        if plan.pending:
            with progress(len(plan.pending)) as shown:
                whole = run_pending(
                    batch, plan, options.executor, lock, lambda r, a: shown.ended(r.id, a)
                )
            if not whole:
                say(f"Snakemake gave up on some runs; it said (all of it is in {batch.log}):")
                say(log_tail(batch))
        if options.make_reports is not None:
            for message in options.make_reports(batch):
                say(message)
    return failed(batch)


def _check_wrapped(batch: Batch, runs: Iterable[Run]) -> None:
    """parsecmgmt has the shell take its commands apart, twice."""
    plain = str(batch.folder).isascii() and not set(str(batch.folder)) & set(
        " \t\"'`$\\*?[]{}()<>|&;~!#%"
    )
    if not plain and any("{tool}" in word for run in runs for word in run.command):
        what = f"{batch.folder}: {{tool}} must not have blanks or special characters in its path"
        raise SuiteError(what, "name another folder with -o")


def _missing(programs: Sequence[Program], wanted: bool) -> dict[str, str]:
    """The programs that cannot be run here, and what they need, after installing what can be, if
    `wanted`."""
    lacking = missing(programs)
    command = apt_get(programs, lacking)
    if lacking and wanted and command:
        say(" ".join(command))
        install(command)
        lacking = missing(programs)
    if lacking and command:
        say(f"some programs are not installed; --install does, or: {' '.join(command)}")
    return {name: f"needs {', '.join(needs)}" for name, needs in lacking.items()}


def failed(batch: Batch) -> Failures:
    """What was asked for last and did not go well, or has no result; programs that are missing have
    no folder."""
    lost = Result("", "no result", detail=f"not run to its end; see {batch.log}")
    waiting = Result("", "not run")
    absent = [
        (name, "", Result("", "missing", detail=needs)) for name, needs in batch.missing().items()
    ]
    results = ((run, batch.result(run)) for run in batch.planned())
    return absent + [
        (run, str(batch.run_folder(run)), result or (lost if batch.begun(run) else waiting))
        for run, result in results
        if result is None or result.outcome != "ok"
    ]


def summary_lines(count: int, failures: Failures) -> list[str]:
    """What is said at the end, the failure table last."""
    waiting = sum(result.outcome == "not run" for _, _, result in failures)
    failed_ones = len(failures) - waiting
    parts = [counted(count, "run")]
    if failed_ones or not waiting:
        parts.append(f"{failed_ones} failed" if failed_ones else "all well")
    if waiting:
        parts.append(f"{waiting} not run yet: the command that began the batch goes on with them")
    return [", ".join(parts), *failure_lines(failures)]


def say(text: str) -> None:
    """On standard error: what is not the result."""
    for line in text.splitlines():
        print(printable(f"aprof-batch: {line}"), file=sys.stderr, flush=True)
