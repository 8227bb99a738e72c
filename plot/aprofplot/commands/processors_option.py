"""--processors and the options that go with it: how to schedule a recorded dag."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from aprofplot.errors import ProfileError
from aprofplot.processors.charges import Costs, costs_of
from aprofplot.processors.lifetimes import threads_at_once
from aprofplot.processors.schedulers import NAMES
from aprofplot.processors.what_if import changed, is_burden, parse_change
from aprofplot.work_span.advice import why_no_dag
from aprofplot.work_span.model import Dag, WorkSpanProfile

Options = argparse.ArgumentParser | argparse._ArgumentGroup

MOST = 1024
_USUAL = 8  # where the program had one thread at a time


def add_processors_option(command_line: argparse.ArgumentParser) -> None:
    """The option, whose value is a list of numbers; None if it is not given."""
    command_line.add_argument(
        "--processors",
        type=_numbers,
        metavar="P,...",
        help="simulate P processors: time, speedup, work, idleness and overhead of every call path, and "
        "advice; needs a dag in the profile [as many as the program had threads at once, or "
        f"{_USUAL}; html: 1, 2, 4 and 8, too]",
    )


def add_scheduler_option(command_line: Options, goes_with: str = "--processors") -> None:
    """One of schedulers.NAMES; None if it is not given."""
    command_line.add_argument(
        "--scheduler",
        choices=NAMES,
        help=f"with {goes_with}: greedy; work-stealing, as in Cilk, oneTBB and libomp's tasks, where a steal "
        "costs the profile's --burden; central-queue, as in libgomp, with one lock around the library's "
        "code; threads: each thread executes what it executed in the run "
        f"[{NAMES[0]}]",
    )


def add_what_if_option(
    command_line: Options, does: str = "with --processors: simulate a change of the program"
) -> None:
    """A list of changes, empty if it is not given."""
    command_line.add_argument(
        "--what-if",
        action="append",
        default=[],
        metavar="CHANGE",
        help=f"{does}: 'ROUTINE xN', a routine with its callees N times as fast; 'ROUTINE parallel', "
        "divided among all processors; 'loop FILE:LINE xN' or 'loop FILE:LINE parallel', the same for "
        "a loop; 'loop FILE:LINE static', an OpenMP loop is divided evenly among all processors; "
        "'loop FILE:LINE static,CHUNK' or 'loop FILE:LINE dynamic,CHUNK', it has chunks of so many "
        "iterations (not gcc's static loops); 'without lock NAME'; 'burden N', the cost of a steal with "
        "--scheduler=work-stealing; several are made together",
    )


def add_advise_option(command_line: Options) -> None:
    """Whether changes are to be searched."""
    command_line.add_argument(
        "--advise",
        action="store_true",
        help="with --processors: simulate changes of the functions with most effort and of contended "
        "locks, and list those that pay",
    )


def check_burden(command_line: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Ends the command if a change is of the burden, and nothing has one."""
    if arguments.scheduler != "work-stealing" and any(map(is_burden, arguments.what_if)):
        command_line.error("--what-if='burden N' is for --scheduler=work-stealing")


def costs_if(
    profile: WorkSpanProfile,
    processors: Sequence[int],
    texts: Sequence[str],
    scheduler: str | None = None,
) -> list[Costs]:
    """On each number of processors, with these changes. AprofError."""
    dag = _dag_of(profile)
    changes = [parse_change(text, dag, profile.locks) for text in texts]
    return [
        costs_of(changed(dag, changes, number), number, scheduler or NAMES[0])
        for number in processors
    ]


def costs_asked(
    profile: WorkSpanProfile, processors: Sequence[int] | None, scheduler: str | None = None
) -> list[Costs]:
    """The same without changes; none if the profile has no dag and no numbers were asked for.
    ProfileError."""
    if profile.dag is None and processors is None:
        return []
    return costs_if(profile, processors or [usual_processors(profile)], [], scheduler)


def usual_processors(profile: WorkSpanProfile) -> int:
    """How many there are by default: as many as the program had threads at once. Of threads that executed
    nothing there may be none."""
    dag, threads = profile.dag, profile.threads
    found = threads_at_once(dag, threads) if dag is not None else threads
    return min(found, MOST) if found > 1 else _USUAL


def _dag_of(profile: WorkSpanProfile) -> Dag:
    if profile.dag is None:
        raise ProfileError(profile.path, None, *why_no_dag(profile))
    return profile.dag


def _numbers(text: str) -> list[int]:
    """The value of --processors. ArgumentTypeError."""
    found = []
    for field in text.split(","):
        if not (field.isascii() and field.isdigit()) or not 1 <= int(field) <= MOST:
            raise argparse.ArgumentTypeError(f"'{field}' is not a number from 1 to {MOST}")
        found.append(int(field))
    return sorted(set(found))
