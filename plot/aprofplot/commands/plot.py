"""aprof-plot: draws routines' costs, workloads and input, and program-wide figures."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from aprofplot.commands import plot_programs, plot_routines
from aprofplot.commands.default_profile import profile_paths
from aprofplot.commands.loading import check_routines, load_profiles
from aprofplot.commands.picture import check_output, has_window, save, show
from aprofplot.commands.plot_options import parse, parser
from aprofplot.commands.running import run_command
from aprofplot.errors import UsageError
from aprofplot.names import printable
from aprofplot.reports.text import list_lines

__all__ = ["main", "parser"]

SINGLE_POINT = 3  # exit status


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    arguments = parse(argv)
    body = _list if arguments.list else _plot
    return run_command("aprof-plot", lambda: body(arguments))


def _list(arguments: argparse.Namespace) -> int:
    given = _profiles_only("--list", arguments.arguments)
    profile = load_profiles(profile_paths("aprof-plot", given), per_thread=False)
    check_routines(profile)
    for line in list_lines(profile):
        print(printable(line))
    return 0


def _profiles_only(option: str, given: Sequence[str]) -> Sequence[str]:
    """`given`; UsageError if a routine comes first, as it does without `option`."""
    if len(given) > 1 and not os.path.exists(given[0]) and all(map(os.path.exists, given[1:])):
        what = f"{option} takes no routine, and no file is called '{given[0]}'"
        raise UsageError(what, "give profiles only")
    return given


def _plot(arguments: argparse.Namespace) -> int:
    if arguments.output:
        check_output(arguments.output)
    given = arguments.arguments[1:]
    if arguments.program:
        given = _profiles_only(f"--program={arguments.program}", arguments.arguments)
    # Threads apart take time and memory when there are many: only for what tells runs or threads apart.
    compared = bool(arguments.compare or arguments.program)
    apart = compared or arguments.per_thread
    profile = load_profiles(profile_paths("aprof-plot", given), apart, compared=compared)
    task = plot_programs if arguments.program else plot_routines
    draw = task.prepare(arguments, profile)
    # matplotlib takes a second to load: not for --list or errors
    from aprofplot.figures import styles

    style = styles.find_style(arguments.style)
    with styles.applied(style):
        picture = draw(style.titled)
        for remark in dict.fromkeys(picture.remarks):
            print(printable(f"aprof-plot: {remark}"), file=sys.stderr)
        if arguments.output is None and has_window():
            show(picture.figure)
        else:
            save(picture.figure, arguments.output or f"{picture.name}.{style.kind}")
    return SINGLE_POINT if picture.single_point else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
