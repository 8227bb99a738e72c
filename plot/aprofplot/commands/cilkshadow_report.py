"""cilkshadow-report: work, span and parallelism of call sites, as a table or in other formats."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TextIO

from aprofplot.commands.command_line import EXIT_STATUS, command_parser
from aprofplot.commands.default_profile import profile_paths
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
from aprofplot.commands.processors_option import (
    add_advise_option,
    add_processors_option,
    add_scheduler_option,
    add_what_if_option,
    check_burden,
    costs_asked,
    costs_if,
    usual_processors,
)
from aprofplot.processors.adviser import advise
from aprofplot.processors.bottlenecks import find_all
from aprofplot.read.profile_file import CILKSHADOW
from aprofplot.read.work_span_reader import read_work_span
from aprofplot.names import printable
from aprofplot.work_span.listing import SORTS, USUAL_SORT, SiteListing, make_listing
from aprofplot.work_span.model import WorkSpanProfile

_ON_PAGE = {1, 2, 4, 8}  # processors, by default, beside the usual ones
_SCHEDULED = ("text", "json", "chrome-trace", "html")

_EXAMPLES = f"""\
examples:
  cilkshadow-report                                the newest profile here: where the span goes
  cilkshadow-report --top=0 cilkshadow.out.4711    all call sites
  cilkshadow-report --filter='quick*' --sort=on_work.top_site.work cilkshadow.out.4711
  cilkshadow-report --format=csv -o sites.csv      Cilkprof's 28 columns
  cilkshadow-report --format=json | python3 -m json.tool
  cilkshadow-report --processors=1,2,4,8,16        speedup on more processors, and idleness
  cilkshadow-report --processors=8 --scheduler=work-stealing
  cilkshadow-report --processors=8 --what-if='partition x2'     the effect of a change
  cilkshadow-report --processors=8 --advise        the changes that pay
  cilkshadow-report --format=chrome-trace --processors=8 -o schedule.json     for ui.perfetto.dev
  cilkshadow-report --format=html -o scaling.html --source-path ~/src/app

{EXIT_STATUS}
"""


def _text(out: TextIO, listing: SiteListing, arguments: Arguments) -> None:
    from aprofplot.reports.sources import Sources
    from aprofplot.reports.work_span.text import print_report, report_lines

    sources = Sources(arguments.source_path, listing.profile.origin.is_here)
    top = arguments.top or None
    if arguments.processors:
        return _processors(out, listing.profile, arguments)
    on_processors = _on_usual_processors(listing.profile)

    def fitted(width: int, color: bool) -> None:
        print_report(out, listing, top, sources, on_processors, width, color)

    write_text(out, arguments, fitted, lambda: report_lines(listing, top, sources, on_processors))


def _on_usual_processors(profile: WorkSpanProfile) -> list[str]:
    from aprofplot.reports.work_span.processors_text import summary_lines

    costs = costs_asked(profile, None)
    return [line for of in costs for line in summary_lines(of, find_all(of, profile.locks))]


def _processors(out: TextIO, profile: WorkSpanProfile, arguments: Arguments) -> None:
    from aprofplot.reports.work_span.processors_text import (
        advice_lines,
        processors_lines,
        what_if_lines,
    )

    if arguments.advise:
        [of] = costs_asked(profile, arguments.processors[-1:], arguments.scheduler)
        for line in advice_lines(of, advise(of, profile.locks)):
            print(line, file=out)
        return
    costs = costs_asked(profile, arguments.processors, arguments.scheduler)
    if arguments.what_if:
        then = costs_if(profile, arguments.processors, arguments.what_if, arguments.scheduler)
        for line in what_if_lines(costs, then, arguments.what_if):
            print(printable(line), file=out)
        return
    findings = find_all(costs[-1], profile.locks)
    for line in processors_lines(costs, findings, profile.locks, arguments.top or None):
        print(printable(line), file=out)


def _csv(out: TextIO, listing: SiteListing, arguments: Arguments) -> None:
    from aprofplot.reports.work_span.table_csv import write_csv

    write_csv(out, listing)


def _cilkscale(out: TextIO, listing: SiteListing, arguments: Arguments) -> None:
    from aprofplot.reports.work_span.cilkscale_csv import write_cilkscale

    write_cilkscale(out, listing.profile)


def _json(out: TextIO, listing: SiteListing, arguments: Arguments) -> None:
    from aprofplot.reports.work_span.report_json import write_json

    profile = listing.profile
    costs = costs_asked(profile, arguments.processors, arguments.scheduler)
    then = []
    if arguments.what_if:
        then = costs_if(profile, arguments.processors, arguments.what_if, arguments.scheduler)
    advised = advise(costs[-1], profile.locks) if arguments.advise else None
    write_json(out, listing, costs, then, advised)


def _trace(out: TextIO, listing: SiteListing, arguments: Arguments) -> None:
    from aprofplot.reports.work_span.trace_events import write_trace

    profile = listing.profile
    processors = max(arguments.processors or [usual_processors(profile)])
    [costs] = costs_if(profile, [processors], arguments.what_if, arguments.scheduler)
    write_trace(out, profile.command, costs)


def _html(out: TextIO, listing: SiteListing, arguments: Arguments) -> None:
    from aprofplot.reports.work_span.page import write_page

    profile = listing.profile
    costs, usual = [], usual_processors(profile)
    if profile.dag is not None or arguments.processors:
        numbers = arguments.processors or sorted(_ON_PAGE | {usual})
        costs = costs_asked(profile, numbers, arguments.scheduler)
    shown = arguments.processors[-1] if arguments.processors else usual
    write_page(out, profile, arguments.source_path, costs, shown)


FORMATS = {
    "text": Format("totals, advice and a table for people", _text),
    "csv": Format("a row for each call site", _csv),
    "cilkscale": Format(
        "work and span of regions that the program marks, and of the program",
        _cilkscale,
        lists=False,
        output="-",
    ),
    "json": Format("one JSON object with everything", _json),
    "chrome-trace": Format(
        "the schedule on P processors, for Perfetto", _trace, lists=False, output="-"
    ),
    "html": Format("a page for any browser", _html, lists=False, output="cilkshadow-report.html"),
}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = command_parser(
        "cilkshadow-report",
        "Shows where a program loses its parallelism, from a cilkshadow profile: work, span and "
        "parallelism of the program and of every call site. The call sites whose callee's own code "
        "takes most of the longest path come first.",
        _EXAMPLES,
    )
    add = result.add_argument
    add(
        "profiles",
        nargs="*",
        metavar="PROFILE",
        help="one cilkshadow.out.PID [the newest cilkshadow.out.* in the current folder]",
    )
    add_format_options(result, FORMATS, "text and html")
    add_processors_option(result)
    add_scheduler_option(result)
    add_what_if_option(result)
    add_advise_option(result)
    _add_listing(result.add_argument_group("listed call sites"))
    add_table_options(result)
    return result


def _add_listing(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--sort",
        choices=SORTS,
        metavar="MEASURE",
        help="on_work or on_span, then .top_site, .top_caller or .local, then .count, .work, .span "
        f"or .parallelism; or spawned, name, place: most first, the last two ascend [{USUAL_SORT}]",
    )
    add_choice_options(
        group,
        "list only these: the callee's name or a glob, 'CALLER -> CALLEE', FILE:LINE of the call, or "
        "an object or source file; several add up [all]",
        "call sites, and of loops,",
        30,
    )


def _check(command_line: argparse.ArgumentParser, arguments: Arguments) -> None:
    """Ends the command if an option has no meaning here."""
    if len(arguments.profiles) > 1:
        command_line.error(
            "one profile at a time: work and span of several runs do not add up "
            "(cilkshadow-plot compares them)"
        )
    check_options(command_line, FORMATS, arguments)
    if arguments.processors and arguments.format not in _SCHEDULED:
        command_line.error(f"--format={arguments.format} has no schedules: leave --processors out")
    for option, value, formats in (
        ("--what-if", arguments.what_if, ("text", "json", "chrome-trace")),
        ("--scheduler", arguments.scheduler, _SCHEDULED),
        ("--advise", arguments.advise, ("text", "json")),
    ):
        if value and not arguments.processors:
            command_line.error(f"{option} needs --processors")
        if value and arguments.format not in formats:
            command_line.error(f"{option} is for --format={' or '.join(formats)}")
    if arguments.what_if and arguments.advise and arguments.format == "text":
        command_line.error("--what-if and --advise together are for --format=json: leave one out")
    check_burden(command_line, arguments)


def _report(arguments: Arguments) -> int:
    paths = profile_paths("cilkshadow-report", arguments.profiles, CILKSHADOW)
    profile = read_work_span(paths[0])
    listing = make_listing(profile, arguments.sort or USUAL_SORT, arguments.filter)
    write_report(FORMATS[arguments.format], listing, arguments, paths)
    return 0


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    command_line = parser()
    arguments = command_line.parse_intermixed_args(argv)
    _check(command_line, arguments)
    return run_command("cilkshadow-report", lambda: _report(arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
