"""Suites of bench/suites and others, measured in the folder of a batch: the common part of
bench/compare and bench/growth."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from aprofbench.interleaved import in_turns, run_all, with_peaks
from aprofbench.measures import Measure, measured, write_csv
from aprofplot.batch import suite_file
from aprofplot.batch.folder_lock import locked
from aprofplot.batch.packages import apt_get, missing
from aprofplot.batch.plan import Batch, make_plan
from aprofplot.batch.runs import Run, Selection, expand
from aprofplot.batch.suite import Program, Suite, SuiteError
from aprofplot.batch.valgrind import check_tools
from aprofplot.commands.running import signals_interrupt
from aprofplot.errors import AprofError
from aprofplot.names import counted

BENCH = Path(__file__).resolve().parent.parent
BUILT = Path(os.environ.get("APROF_BUILDDIR", Path(sys.argv[0]).resolve().parent.parent))


def load(name: str) -> Suite:
    """One of bench/suites, or whatever aprof-batch takes."""
    own = BENCH / "suites" / f"{name}.toml"
    return suite_file.load(str(own) if own.is_file() else name, {})


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Options that choose what is run, and where it goes."""

    def names(text: str) -> list[str]:
        return [name for name in text.split(",") if name]

    def counts(text: str) -> list[int]:
        return [positive(word) for word in names(text)]

    parser.add_argument("-o", dest="folder", help="for runs and results [SUITE.batch]")
    parser.add_argument("--programs", type=names, default=[], metavar="NAME,...", help="[all]")
    parser.add_argument("--inputs", type=names, default=[], metavar="NAME,...")
    parser.add_argument("--tools", type=names, default=[], metavar="TOOL,...")
    parser.add_argument("--threads", type=counts, default=[], metavar="N,...")
    parser.add_argument(
        "--repetitions", type=positive, metavar="N", help="how often each run is repeated"
    )
    parser.add_argument("--retry", action="store_true", help="run failed runs again")
    parser.add_argument(
        "--no-runs", action="store_true", help="run nothing, show the results so far"
    )


def positive(text: str) -> int:
    """The value of an option: a number from 1 on. ArgumentTypeError."""
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on")
    return int(text)


def measure_suite(suite: Suite, arguments: argparse.Namespace) -> tuple[Batch, list[Measure]]:
    """Runs what has no result yet, a line of progress for each; what is known of all runs, by
    program, also in the folder's measures.csv. Ctrl-C ends the running, not the showing."""
    batch = Batch(Path(os.path.abspath(arguments.folder or f"{suite.name}.batch")))
    runs = _runs(suite, arguments)
    if not arguments.no_runs:
        with locked(batch):
            plan = make_plan(batch, suite.name, in_turns(runs), False, arguments.retry)
            done = len(runs) - len(plan.pending)
            say(f"{counted(len(plan.pending), 'run')} to do, {done} done already")
            _run(batch, plan.pending)
    measures = [measured(batch, run) for run in runs]
    batch.folder.mkdir(parents=True, exist_ok=True)
    with open(batch.folder / "measures.csv", "w") as file:
        write_csv(measures, file)
    return batch, measures


def _runs(suite: Suite, arguments: argparse.Namespace) -> Sequence[Run]:
    selection = Selection(
        programs=arguments.programs,
        inputs=arguments.inputs,
        tools=arguments.tools,
        threads=arguments.threads,
        repetitions=arguments.repetitions,
        valgrind=[str(BUILT / "vg-in-place")],
    )
    chosen = _chosen(suite, arguments)
    runs = [run for run in expand(suite, selection) if run.program in chosen]
    if not runs:
        raise SuiteError(f"{suite.name} has no such runs", "choose other programs or inputs")
    check_tools(runs)
    lacking = missing(chosen.values())
    for name, needs in lacking.items():
        install = apt_get([chosen[name]], lacking)
        how = f"; {' '.join(install)}" if install else ""
        say(f"{name} is skipped: {', '.join(needs)} not installed{how}")
    return with_peaks([run for run in runs if run.program not in lacking], BUILT)


def _chosen(suite: Suite, arguments: argparse.Namespace) -> dict[str, Program]:
    """By name; where threads are compared, only programs that have any."""
    compared = len(arguments.threads) > 1
    return {
        program.name: program
        for program in suite.programs
        if (not arguments.programs or program.name in arguments.programs)
        and (program.takes_threads or not compared)
    }


def _run(batch: Batch, pending: Sequence[Run]) -> None:
    try:
        for number, run in enumerate(run_all(batch, pending), 1):
            got = measured(batch, run)
            took = got.failure or f"{got.cpu:.2f} s, {got.memory:.0f} MB"
            say(f"{number}/{len(pending)} {run.id}: {took}")
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from here")


def say(text: str) -> None:
    """On standard error: what is not the result."""
    print(f"{Path(sys.argv[0]).name}: {text}", file=sys.stderr, flush=True)


def command(main: Callable[[list[str]], int], argv: list[str]) -> int:
    """Runs a command; a user's mistake is one line, status 2. SIGTERM is as Ctrl-C."""
    try:
        with signals_interrupt(signal.SIGINT, signal.SIGTERM):
            return main(argv)
    except AprofError as error:
        say(str(error))
        return 2
