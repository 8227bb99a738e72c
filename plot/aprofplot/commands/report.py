"""aprof-report: the routines of one or more profiles, as a table or in other tools' formats."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TextIO

from aprofplot.commands.command_line import EXIT_STATUS, command_parser
from aprofplot.commands.cost_event import chosen_event
from aprofplot.commands.default_profile import profile_paths
from aprofplot.commands.progress_bar import progress_bar
from aprofplot.commands.loading import check_routines, load_profiles
from aprofplot.commands.report_formats import (
    Arguments,
    Format,
    add_choice_options,
    add_format_options,
    add_table_options,
    check_options,
    write_report,
    write_text,
)
from aprofplot.commands.running import run_command
from aprofplot.errors import AprofError
from aprofplot.reports.html.thread_rows import ThreadRows
from aprofplot.reports.listing import SORTS, Listing, make_listing
from aprofplot.reports.text import report_lines

_EXAMPLES = f"""\
examples:
  aprof-report aprof.out.4711                  the costliest routines
  aprof-report --top=0 aprof.out.*             all routines of several runs, merged
  aprof-report --sort=growth --filter='libz.so*' --filter='Parser::*'
  aprof-report --lines --filter=Parser::parse  its costliest source lines
  aprof-report --format=json aprof.out.4711    everything, for other programs
  aprof-report --format=html -o report.html --source-path ~/src/app aprof.out.4711
  aprof-report --format=csv --rows=routines --per-thread aprof.out.4711
  aprof-report --format=callgrind -o callgrind.out.4711 aprof.out.4711
                                               then: kcachegrind callgrind.out.4711
  aprof-report --format=folded aprof.out.4711 | flamegraph.pl --countname=blocks >flame.svg
  aprof-report --format=speedscope -o app.speedscope.json aprof.out.4711

{EXIT_STATUS}
"""


@dataclass(frozen=True)
class _Format(Format[Listing]):
    """With `threads` apart or not whatever the command line says, if not None; "rows": a row for each
    of them is enough."""

    threads: bool | Literal["rows"] | None = None


def _text(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    check_routines(listing.profile)
    top = arguments.top or None
    if arguments.lines:
        from aprofplot.reports.line_rows import line_table

        print(*line_table(listing, top), sep="\n", file=out)
        return

    def fitted(width: int, color: bool) -> None:
        from aprofplot.reports.terminal import print_table  # rich takes a moment to load

        print_table(out, listing, top, arguments.sort, width, color)

    write_text(out, arguments, fitted, lambda: report_lines(listing, top))


def _json(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.report_json import write_json

    write_json(out, listing, fits=not arguments.no_fits)


def _csv(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.report_csv import write_point_csv, write_routine_csv

    (write_routine_csv if arguments.rows == "routines" else write_point_csv)(out, listing)


def _html(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.html.data import page_data
    from aprofplot.reports.html.page import write_page

    check_routines(listing.profile)
    if (count := len(listing.profile.routines)) > MOST_ROUTINES:
        todo = "use --format=text with --filter, or csv or json"
        raise AprofError(
            f"{count:,} routines are more than the {MOST_ROUTINES:,} that a page can have", todo
        )
    assert listing.thread_rows is not None
    page = page_data(listing.profile, listing.thread_rows, arguments.source_path, listing.progress)
    write_page(out, page)


def _callgrind(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.callgrind import write_callgrind

    write_callgrind(out, listing.profile)


def _folded(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.stacks import write_folded

    write_folded(out, listing.profile, listing.event, listing.per_thread)


def _speedscope(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.stacks import write_speedscope

    write_speedscope(out, listing.profile, listing.event)


# A page of 200,000 takes a minute and 1.9 GB to make; one of a million, a quarter of an hour and 5 GB.
MOST_ROUTINES = 250_000

FORMATS = {
    "text": _Format("a table for people", _text),
    "json": _Format("one JSON object with everything", _json),
    "csv": _Format("a row for each point or routine (--rows)", _csv),
    "html": _Format(
        "a page for any browser", _html, lists=False, output="aprof-report.html", threads="rows"
    ),
    "callgrind": _Format(
        "for KCachegrind and callgrind_annotate", _callgrind, lists=False, threads=False
    ),
    "folded": _Format(
        "a line for each stack with its self cost, for flame graphs", _folded, lists=False
    ),
    "speedscope": _Format(
        "JSON for speedscope, a profile for each thread", _speedscope, lists=False, threads=True
    ),
}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = command_parser(
        "aprof-report",
        "Lists the routines of aprof-trms profiles by cost, or converts profiles for other tools. "
        "Several profiles are merged: the calls and costs of a routine are added up, and points of the "
        "same input size become one.",
        _EXAMPLES,
    )
    add = result.add_argument
    add(
        "profiles",
        nargs="*",
        metavar="PROFILE",
        help="aprof.out.PID [the newest aprof.out.* in the current folder]",
    )
    add_format_options(result, FORMATS, "html")
    add("--per-thread", action="store_true", help="keep threads apart")
    add(
        "--cost",
        metavar="EVENT",
        help="the cost to sort by, to show the growth of, and to weigh stacks by: bb (basic blocks), "
        "instr, or with --work-span=yes work or span [the first measured]",
    )
    add(
        "--sort",
        choices=SORTS,
        help="order of the routines, descending (name: ascending) [cost; in text, the dynamic linker and "
        "what calls main come last]",
    )
    add_choice_options(
        result,
        "list only these routines: a name or glob, OBJECT:NAME, FILE:NAME, or an object or source "
        "file; several add up [all]",
        "routines",
        50,
    )
    add(
        "--lines",
        action="store_true",
        help="for text: instead of routines, the source lines whose instructions were executed most, with "
        "the function that each is in; of the routines that --filter names",
    )
    add(
        "--no-fits",
        action="store_true",
        help="for JSON: what was measured only; without laws, growth and findings, which take most of the time",
    )
    add("--rows", choices=("points", "routines"), help="for CSV: what a row is [points]")
    add_table_options(result)
    return result


def _check(command_line: argparse.ArgumentParser, arguments: Arguments) -> None:
    """Ends the command if an option has no meaning in this format."""
    check_options(command_line, FORMATS, arguments)
    name = arguments.format
    if arguments.rows and name != "csv":
        command_line.error("--rows is for --format=csv")
    if arguments.no_fits and name != "json":
        command_line.error("--no-fits is for --format=json")
    if arguments.lines and (name != "text" or arguments.per_thread or arguments.sort):
        with_it = "--per-thread" if arguments.per_thread else "--sort"
        command_line.error(
            "--lines is for --format=text; in JSON, routines have their lines"
            if name != "text"
            else f"--lines has an order of its own and all threads together: leave {with_it} out"
        )
    if arguments.per_thread and FORMATS[name].threads is False:
        command_line.error(f"--format={name} always merges threads: leave --per-thread out")


def _report(arguments: Arguments) -> int:
    kind = FORMATS[arguments.format]
    per_thread = arguments.per_thread if kind.threads is None else kind.threads is True
    rows = ThreadRows() if kind.threads == "rows" else None
    for_people = arguments.format == "text" and not arguments.sort
    arguments.sort = arguments.sort or "cost"
    paths = profile_paths("aprof-report", arguments.profiles)
    in_json = arguments.format == "json"
    profile = load_profiles(
        paths, per_thread, calls_per_thread=in_json, each=rows.add if rows else None
    )
    event = chosen_event(arguments.cost, profile)
    with progress_bar("fitting laws") as progress:
        if kind.lists:
            top = arguments.top or None if arguments.format == "text" else None
            choice = arguments.sort, arguments.filter, top
            listing = make_listing(profile, event, per_thread, *choice, progress, for_people)
        else:  # in an order of its own: sorting a million takes seconds
            all_routines = profile.routines
            listing = Listing(
                profile, all_routines, event, per_thread, thread_rows=rows, progress=progress
            )
        write_report(kind, listing, arguments, paths)
    return 0


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    command_line = parser()
    arguments = command_line.parse_intermixed_args(argv)
    _check(command_line, arguments)
    return run_command("aprof-report", lambda: _report(arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
