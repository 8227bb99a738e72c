"""aprof-batch's command line."""

from __future__ import annotations

import argparse
import os
import re
import shutil
from pathlib import Path

from aprofplot.batch.report_files import SUFFIX
from aprofplot.batch.runs import Selection
from aprofplot.batch.suite_file import seconds, size_in_bytes
from aprofplot.commands.command_line import command_parser

_EXAMPLES = """\
examples:
  aprof-batch run sorting.toml -j 4            into sorting.batch; repeat to run what is missing
  aprof-batch run sorting.toml --tools native,aprof-trms --repetitions 3
  aprof-batch run debian --inputs small --install
  aprof-batch run parsec --parsec-dir ~/parsec-3.0 --inputs test --threads 1,2,4
  aprof-batch run sorting.toml --slurm -j 100 --sbatch=--partition=batch
  aprof-batch status sorting.batch
  aprof-batch query sorting.batch 'select name, outcome, user_s from runs'

exit status: 0 all runs went well, 1 some failed (or have not been run), 2 bad suite, folder or
command line, 130 interrupted: the same command continues
"""
_VARIABLES = ("parsec-dir", "bots-dir", "splash3-dir")  # of the built-in suites
_PATTERN_TIME = re.compile(r"[0-9]+(\.[0-9]+)?[smhd]?")
_PATTERN_SIZE = re.compile(r"[0-9]+(\.[0-9]+)?[KMGT]?")


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _formats(text: str) -> list[str]:
    if not set(_names(text)) <= set(SUFFIX):
        raise argparse.ArgumentTypeError(f"'{text}': formats are {', '.join(SUFFIX)}")
    return _names(text)


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on")
    return int(text)


def _counts(text: str) -> list[int]:
    return [_positive(name) for name in _names(text)]


def _time(text: str) -> float:
    if not _PATTERN_TIME.fullmatch(text) or float(text.rstrip("smhd")) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time such as 90s, 10m, 2h")
    return seconds(float(text) if text[-1].isdigit() else text)


def _memory(text: str) -> int:
    if not _PATTERN_SIZE.fullmatch(text) or float(text.rstrip("KMGT")) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 512M, 4G")
    return size_in_bytes(int(float(text)) if text[-1].isdigit() else text)


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


def parser() -> argparse.ArgumentParser:
    """With `action` naming the sub-command."""
    result = command_parser(
        "aprof-batch",
        "Runs programs on many inputs under aprof-trms, and collects all profiles in one database and "
        "a report for each program. Snakemake schedules the runs.",
        _EXAMPLES,
    )
    actions = result.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, what: str) -> argparse.ArgumentParser:
        return actions.add_parser(
            name,
            help=what,
            description=what.capitalize() + ".",
            epilog=_EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    _add_run(action("run", "run a suite, except what has been run already"))
    status = action("status", "show what has been run, and what failed")
    status.add_argument("folder", metavar="FOLDER", help="the batch's folder")
    report = action("report", "write the database and the reports of the runs so far")
    report.add_argument("folder", metavar="FOLDER", help="the batch's folder")
    report.add_argument(
        "--format",
        type=_formats,
        metavar="FORMAT,...",
        help=f"{', '.join(SUFFIX)} [text, json and html]",
    )
    query = action("query", "query the database")
    query.add_argument("folder", metavar="FOLDER", help="the batch's folder")
    query.add_argument("sql", metavar="SQL", help="a query; aprof-batch's manual has the tables")
    query.add_argument("--format", choices=("text", "csv", "json"), default="text", help="[text]")
    listing = action("list", "list the built-in suites, or the runs of a suite")
    listing.add_argument("suite", nargs="?", metavar="SUITE", help="a file or a built-in suite")
    _add_selection(listing)
    profiles = action("profiles", "print the paths of a program's profiles, for aprof-plot")
    profiles.add_argument("folder", metavar="FOLDER", help="the batch's folder")
    profiles.add_argument("program", nargs="?", metavar="PROGRAM", help="[all]")
    every = [_options_of(name, sub) for name, sub in actions.choices.items()]
    result.epilog = "\n".join([*filter(None, every), _EXAMPLES])
    return result


def _add_run(run: argparse.ArgumentParser) -> None:
    run.add_argument("suite", metavar="SUITE", help="a suite file, or a built-in suite")
    run.add_argument("-o", dest="folder", metavar="FOLDER", help="the batch's folder [SUITE.batch]")
    run.add_argument(
        "-j", dest="jobs", type=_positive, metavar="N", help="how many runs at a time [1]"
    )
    _add_selection(run)
    run.add_argument("--force", action="store_true", help="run everything again")
    run.add_argument("--retry", action="store_true", help="run failed runs again")
    run.add_argument("--install", action="store_true", help="apt-get install missing packages")
    run.add_argument(
        "--no-reports",
        action="store_true",
        help="run, but write no reports; see aprof-batch report",
    )
    cluster = run.add_argument_group("on a cluster")
    cluster.add_argument("--slurm", action="store_true", help="make each run a Slurm job")
    cluster.add_argument(
        "--sbatch",
        action="append",
        default=[],
        metavar="OPTION",
        help="an option for sbatch: --sbatch=--partition=batch; may be repeated",
    )
    cluster.add_argument(
        "--snakemake-profile",
        metavar="NAME",
        help="for other clusters: Snakemake's --profile",
    )


def _add_selection(to: argparse.ArgumentParser) -> None:
    chosen = to.add_argument_group("overriding the suite")
    chosen.add_argument(
        "--programs", type=_names, default=[], metavar="NAME,...", help="run only these"
    )
    chosen.add_argument(
        "--inputs", type=_names, default=[], metavar="NAME,...", help="run only these"
    )
    chosen.add_argument(
        "--tools",
        type=_names,
        default=[],
        metavar="TOOL,...",
        help="native, aprof-trms, or tools of Valgrind",
    )
    chosen.add_argument(
        "--threads",
        type=_counts,
        default=[],
        metavar="N,...",
        help="numbers of threads, for programs that use them",
    )
    chosen.add_argument(
        "--repetitions", type=_positive, metavar="N", help="how often each run is repeated"
    )
    chosen.add_argument(
        "--timeout", type=_time, metavar="TIME", help="limit of each run: 90s, 10m, 2h"
    )
    chosen.add_argument(
        "--memory", type=_memory, metavar="SIZE", help="limit of each run: 512M, 4G"
    )
    chosen.add_argument(
        "--valgrind", default="valgrind", metavar="COMMAND", help="run this instead of valgrind"
    )
    chosen.add_argument(
        "--set",
        dest="variables",
        type=_variable,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a variable of the suite; may be repeated",
    )
    for name in _VARIABLES:
        chosen.add_argument(f"--{name}", metavar="DIR", help=f"--set {name}=DIR")


def suite_variables(arguments: argparse.Namespace) -> dict[str, str]:
    """Those given; folders as absolute paths."""
    variables = dict(arguments.variables)
    for name in _VARIABLES:
        folder = getattr(arguments, name.replace("-", "_"))
        if folder is not None:
            variables[name] = os.path.abspath(folder)
    return variables


def _options_of(name: str, action: argparse.ArgumentParser) -> str:
    """A section for the help of the whole command; empty if the action has no options."""
    formatter = argparse.HelpFormatter(action.prog)
    formatter.start_section(f"options of {name}")
    formatter.add_arguments(
        a for a in action._actions if a.option_strings and a.dest != "help"  # no public way
    )
    formatter.end_section()
    return formatter.format_help()


def selection(arguments: argparse.Namespace) -> Selection:
    """What the command line says in place of the suite."""
    valgrind = shutil.which(arguments.valgrind) or arguments.valgrind
    return Selection(
        programs=arguments.programs,
        inputs=arguments.inputs,
        tools=arguments.tools,
        threads=arguments.threads,
        repetitions=arguments.repetitions,
        timeout=arguments.timeout,
        memory=arguments.memory,
        valgrind=[os.path.abspath(valgrind) if "/" in valgrind else valgrind],
    )


def batch_folder(arguments: argparse.Namespace, suite: str) -> Path:
    """Of the batch that `run` is for, absolute."""
    return Path(os.path.abspath(arguments.folder or f"{suite}.batch"))
