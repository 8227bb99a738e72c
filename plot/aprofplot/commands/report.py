"""aprof-report: the routines of one or more profiles, as a table or in other tools' formats."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TextIO

from aprofplot.commands.output import (
    add_output_options,
    add_table_options,
    check_source_path,
    fitted_width,
    in_color,
    open_output,
)
from aprofplot.commands.running import (
    EXIT_STATUS,
    check_routines,
    chosen_event,
    command_parser,
    count,
    load_profiles,
    profile_paths,
    run_command,
)
from aprofplot.names import printable
from aprofplot.reports.html.thread_rows import ThreadRows
from aprofplot.reports.listing import SORTS, Listing, make_listing
from aprofplot.reports.text import report_lines

_EXAMPLES = f"""\
examples:
  aprof-report aprof.out.4711                  the costliest routines
  aprof-report --top=0 aprof.out.*             all routines, several runs merged
  aprof-report --sort=growth --filter='libz.so*' --filter='Parser::*'
  aprof-report --format=json aprof.out.4711    everything, for other programs
  aprof-report --format=html -o report.html --source-path ~/src/app aprof.out.4711
  aprof-report --format=csv --rows=routines --per-thread aprof.out.4711
  aprof-report --format=callgrind -o callgrind.out.4711 aprof.out.4711
                                               then: kcachegrind callgrind.out.4711
  aprof-report --format=folded aprof.out.4711 | flamegraph.pl --countname=blocks >flame.svg
  aprof-report --format=speedscope -o app.speedscope.json aprof.out.4711

{EXIT_STATUS}
"""

Arguments = argparse.Namespace


@dataclass(frozen=True)
class Format:
    """One of --format's. `write` writes it to the file. It `lists` routines: --sort and --filter
    choose them. With `threads` apart or not whatever the command line says, if not None; "rows": a
    row for each of them is enough. `output`: where it goes without -o."""

    says: str
    write: Callable[[TextIO, Listing, Arguments], None]
    lists: bool = False
    threads: bool | Literal["rows"] | None = None
    output: str = "-"


def _text(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    check_routines(listing.profile)
    top = arguments.top or None
    width = fitted_width(out, arguments.width, arguments.color)
    if width is not None:
        from aprofplot.reports.terminal import (
            print_table,
        )  # rich takes a moment to load

        print_table(out, listing, top, arguments.sort, width, in_color(out, arguments.color))
        return
    for line in report_lines(listing, top):
        print(printable(line), file=out)


def _json(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.report_json import write_json

    write_json(out, listing)


def _csv(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.report_csv import write_point_csv, write_routine_csv

    (write_routine_csv if arguments.rows == "routines" else write_point_csv)(out, listing)


def _html(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.html.data import page_data
    from aprofplot.reports.html.page import write_page

    check_routines(listing.profile)
    assert listing.thread_rows is not None
    write_page(out, page_data(listing.profile, listing.thread_rows, arguments.source_path))


def _callgrind(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.callgrind import write_callgrind

    write_callgrind(out, listing.profile)


def _folded(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.stacks import write_folded

    write_folded(out, listing.profile, listing.event, listing.per_thread)


def _speedscope(out: TextIO, listing: Listing, arguments: Arguments) -> None:
    from aprofplot.reports.stacks import write_speedscope

    write_speedscope(out, listing.profile, listing.event)


FORMATS = {
    "text": Format("a table for people", _text, lists=True),
    "json": Format("one JSON object with everything", _json, lists=True),
    "csv": Format("a row for each point or routine (--rows)", _csv, lists=True),
    "html": Format("a page for any browser", _html, threads="rows", output="aprof-report.html"),
    "callgrind": Format("for KCachegrind and callgrind_annotate", _callgrind, threads=False),
    "folded": Format("a line for each stack, for flame graphs, weight: its self cost", _folded),
    "speedscope": Format(
        "JSON for speedscope, a profile for each thread", _speedscope, threads=True
    ),
}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = command_parser(
        "aprof-report",
        "Shows the routines of profiles of aprof-trms by cost, or writes profiles for "
        "other tools. Several profiles are merged: a routine's calls and costs add up, points of "
        "one input size become one.",
        _EXAMPLES,
    )
    add = result.add_argument
    add(
        "profiles",
        nargs="*",
        metavar="PROFILE",
        help="aprof.out.PID [the newest aprof.out.* in the current folder]",
    )
    formats = {name: kind.says for name, kind in FORMATS.items()}
    add_output_options(result, formats, FORMATS["html"].output, "html")
    add("--per-thread", action="store_true", help="keep threads apart")
    add(
        "--cost",
        metavar="EVENT",
        help="bb (basic blocks), instr or, of --work-span=yes, work or span: what sorts, what growth "
        "is of, and the weight of stacks "
        "[the first measured]",
    )
    add(
        "--sort",
        choices=SORTS,
        help="order of the routines: most first, names ascend [cost]",
    )
    add(
        "--filter",
        action="append",
        default=[],
        metavar="PATTERN",
        help="only these routines: a name or glob, OBJECT:NAME, FILE:NAME, or an object or source "
        "file; several add up [all]",
    )
    add(
        "--top",
        type=count,
        default=50,
        metavar="N",
        help="routines in the table, 0: all [50]; the other formats always have all",
    )
    add("--rows", choices=("points", "routines"), help="of CSV [points]")
    add_table_options(result)
    return result


def _check(command_line: argparse.ArgumentParser, arguments: Arguments) -> None:
    """Ends the command if an option has no meaning in this format."""
    name = arguments.format
    kind = FORMATS[name]
    if not kind.lists and (arguments.sort or arguments.filter):
        option = "--sort" if arguments.sort else "--filter"
        command_line.error(f"--format={name} is always of the whole run: leave {option} out")
    if arguments.rows and name != "csv":
        command_line.error("--rows is for --format=csv")
    check_source_path(command_line, arguments.source_path)
    if arguments.per_thread and kind.threads is False:
        command_line.error(f"--format={name} has all threads together: leave --per-thread out")


def _report(arguments: Arguments) -> int:
    kind = FORMATS[arguments.format]
    per_thread = arguments.per_thread if kind.threads is None else kind.threads is True
    rows = ThreadRows() if kind.threads == "rows" else None
    arguments.sort = arguments.sort or "cost"
    paths = profile_paths("aprof-report", arguments.profiles)
    in_json = arguments.format == "json"
    profile = load_profiles(
        paths, per_thread, calls_per_thread=in_json, each=rows.add if rows else None
    )
    event = chosen_event(arguments.cost, profile)
    if kind.lists:
        listing = make_listing(profile, event, per_thread, arguments.sort, arguments.filter)
    else:  # in an order of its own: sorting a million takes seconds
        listing = Listing(profile, profile.routines, event, per_thread, thread_rows=rows)
    with open_output(arguments.output or kind.output, paths) as out:
        kind.write(out, listing, arguments)
    return 0


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    command_line = parser()
    arguments = command_line.parse_intermixed_args(argv)
    _check(command_line, arguments)
    return run_command("aprof-report", lambda: _report(arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
