"""cilkshadow-plot: plots the speedup to expect of a program, or of call sites, on P processors."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aprofplot.commands.command_line import EXIT_STATUS, command_parser
from aprofplot.commands.default_profile import profile_paths
from aprofplot.commands.picture import FORMATS, check_output, has_window, save, show
from aprofplot.commands.plot_schedules import check_schedules, draw_timeline, draw_what_if
from aprofplot.commands.processors_option import add_scheduler_option, add_what_if_option
from aprofplot.commands.running import run_command
from aprofplot.errors import AprofError
from aprofplot.names import printable
from aprofplot.read.profile_file import CILKSHADOW
from aprofplot.read.work_span_reader import read_work_span
from aprofplot.work_span.metrics import (
    LINEAR_UP_TO,
    is_logarithmic,
    processors_worth_showing,
    program_speedup,
    site_speedup,
)
from aprofplot.work_span.names import site_name, site_place
from aprofplot.work_span.selection import select_site

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from aprofplot.figures.speedup_plot import Subject
    from aprofplot.work_span.model import WorkSpanProfile

_MOST = 1 << 20  # processors

_EXAMPLES = f"""\
examples:
  cilkshadow-plot                                  the newest cilkshadow.out.* here
  cilkshadow-plot cilkshadow.out.4711 -o speedup.png
  cilkshadow-plot cilkshadow.out.4711 --site quicksort.c:25 --processors 16
  cilkshadow-plot --site 'main -> sort' --site 'main -> merge' -o parts.svg
  cilkshadow-plot before.out after.out --style paper -o fixed.pdf
  cilkshadow-plot --timeline -P 8                  what runs when, and what idles
  cilkshadow-plot --what-if 'partition x2' --what-if 'sort parallel' -o changes.png

{EXIT_STATUS}
"""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = command_parser(
        "cilkshadow-plot",
        "Plots the speedup to expect from more processors, from a cilkshadow profile: perfect linear "
        "speedup, the upper bound by work and span, and the lower estimate by the burdened dag. "
        "Several profiles or call sites are drawn in one picture.",
        _EXAMPLES,
    )
    add = result.add_argument
    add(
        "profiles",
        nargs="*",
        metavar="PROFILE",
        help="cilkshadow.out.PID [the newest cilkshadow.out.* in the current folder]",
    )
    add(
        "--site",
        dest="sites",
        action="append",
        default=[],
        metavar="PATTERN",
        help="draw a call site instead of the program: its callee's name, 'CALLER -> CALLEE', or "
        "FILE:LINE of the call; may be repeated",
    )
    add("-o", dest="output", metavar="FILE", help=f"write FILE: {', '.join(FORMATS)}")
    add(
        "-P",
        "--processors",
        type=processors,
        metavar="N",
        help="up to N processors [beyond the parallelism, from 16 to 1024; --what-if: 16]; --timeline: on N "
        "[as many as the program had threads at once, or 8]",
    )
    _add_schedules(result.add_argument_group("simulated schedules"))
    add(
        "--log",
        choices=("xy", "none"),
        help=f"logarithmic axes, to base 2 [xy for more than {LINEAR_UP_TO} processors]",
    )
    add(
        "--style",
        default="screen",
        metavar="NAME",
        help="screen, paper (a column wide, serif, no title, a pdf), dark, or a matplotlib style "
        "file [screen]",
    )
    add("--title", metavar="TEXT", help="title instead of the program's command; '' for none")
    return result


def _add_schedules(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--timeline",
        action="store_true",
        help="draw a simulated schedule: what each processor runs, where it idles or waits for a lock, and "
        "the critical path",
    )
    add_what_if_option(group, "draw simulated speedups before and after a change")
    add_scheduler_option(group, "--timeline and --what-if")


def processors(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 2 <= int(text) <= _MOST:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 2 to {_MOST}")
    return int(text)


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    command_line = parser()
    arguments = command_line.parse_intermixed_args(argv)
    check_schedules(command_line, arguments)
    return run_command("cilkshadow-plot", lambda: _plot(arguments))


def _plot(arguments: argparse.Namespace) -> int:
    if arguments.output:
        check_output(arguments.output)
    paths = profile_paths("cilkshadow-plot", arguments.profiles, CILKSHADOW)
    profiles = [read_work_span(path) for path in paths]
    for profile in profiles:
        if not profile.work:
            raise AprofError(
                f"{profile.path}: the program executed none of its own code",
                "profile another run",
            )
    if arguments.timeline or arguments.what_if:
        return _plot_schedule(profiles[0], arguments)
    subjects = subjects_of(profiles, arguments.sites)
    for subject in subjects:
        if subject.speedup.estimated:
            what = f"{subject.name}: burdened span estimated from that of the whole program"
            print(printable(f"cilkshadow-plot: {what}"), file=sys.stderr)
    most = arguments.processors or processors_worth_showing([s.speedup for s in subjects])
    # matplotlib takes a second to load: not for errors
    from aprofplot.figures import styles
    from aprofplot.figures.speedup_plot import plot_speedup

    style = styles.find_style(arguments.style)
    title = _title(profiles) if arguments.title is None and style.titled else arguments.title
    with styles.applied(style):
        figure = plot_speedup(subjects, most, is_logarithmic(arguments.log, most), title or "")
        _put(figure, arguments.output, f"speedup.{style.kind}")
    return 0


def _plot_schedule(profile: WorkSpanProfile, arguments: argparse.Namespace) -> int:
    from aprofplot.figures import styles

    style = styles.find_style(arguments.style)
    with styles.applied(style):
        if arguments.timeline:
            figure = draw_timeline(profile, arguments, style.titled)
        else:
            figure = draw_what_if(profile, arguments, style.titled)
        name = "timeline" if arguments.timeline else "what-if"
        _put(figure, arguments.output, f"{name}.{style.kind}")
    return 0


def _put(figure: Figure, output: str | None, usual: str) -> None:
    if output is None and has_window():
        show(figure)
    else:
        save(figure, output or usual)


def subjects_of(profiles: Sequence[WorkSpanProfile], patterns: Sequence[str]) -> list[Subject]:
    """The programs or, if there are `patterns`, the sites that they name in each profile.
    SelectionError for a pattern that names none or several."""
    from aprofplot.figures.captions import command_labels
    from aprofplot.figures.speedup_plot import Subject

    runs = command_labels([(profile.command, profile.path) for profile in profiles])
    if not patterns:
        return [Subject(printable(n), program_speedup(p)) for n, p in zip(runs, profiles)]
    subjects = []
    for run, profile in zip(runs, profiles):
        chosen = [select_site(profile.sites, pattern) for pattern in patterns]
        for site in dict.fromkeys(chosen):  # one, however often it is named
            place = site_place(site)
            name = printable(f"{site_name(site)} ({place})" if place else site_name(site))
            name = f"{name}, {printable(run)}" if len(profiles) > 1 else name
            subjects.append(Subject(name, site_speedup(profile, site)))
    return subjects


def _title(profiles: Sequence[WorkSpanProfile]) -> str:
    from aprofplot.figures.captions import shorten_middle
    from aprofplot.names import counted

    more = f" and {counted(len(profiles) - 1, 'more run')}" if len(profiles) > 1 else ""
    return f"Speedup of {shorten_middle(profiles[0].command, 50)}{more}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
