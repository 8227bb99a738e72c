"""aprof-plot: draws routines' costs, workloads and input, and program-wide figures."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from aprofplot.commands import plot_programs, plot_routines
from aprofplot.commands.cost_event import chosen_event
from aprofplot.commands.default_profile import profile_paths
from aprofplot.commands.loading import check_routines, load_profiles
from aprofplot.commands.picture import check_output, has_window, save, show
from aprofplot.commands.plot_options import parse, parser
from aprofplot.commands.running import run_command
from aprofplot.errors import AprofError, UsageError
from aprofplot.findings.ranking import find_all
from aprofplot.merge import merge_threads
from aprofplot.model import Profile
from aprofplot.names import printable
from aprofplot.reports.finding_text import plot_words, why_none
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
    if arguments.finding:
        given = _profiles_only("--finding", arguments.arguments)
    # Threads apart take time and memory when there are many: only for what tells runs or threads apart.
    compared = bool(arguments.compare or arguments.program)
    apart = compared or arguments.per_thread
    profile = load_profiles(profile_paths("aprof-plot", given), apart, compared=compared)
    if arguments.finding:
        arguments = _of_finding(arguments, profile)
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


def _of_finding(arguments: argparse.Namespace, profile: Profile) -> argparse.Namespace:
    """The arguments that draw the finding asked for, in the looks asked for. AprofError if there is no such finding."""
    merged = merge_threads(profile)
    event = chosen_event(arguments.cost, merged)
    found = find_all(merged, event) if merged.loops else []
    if arguments.finding > len(found):
        what = f"there is no finding {arguments.finding}"
        why = f"the last is {len(found)}" if found else "; ".join(why_none(merged, event))
        raise AprofError(f"{what}: {why}", "aprof-report lists what there is")
    finding = found[arguments.finding - 1]
    print(printable(f"aprof-plot: {finding.lines[0]}"), file=sys.stderr)
    of_finding = parse(plot_words(merged, finding))
    for name in ("cost", "output", "log", "style", "title"):
        setattr(of_finding, name, getattr(arguments, name))
    return of_finding


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
