"""aprof-plot: draws a routine's cost or workload plot."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aprofplot.commands.running import (
    EXIT_STATUS,
    allow_any_bytes,
    load_profiles,
    profile_paths,
    run_command,
)
from aprofplot.errors import AprofError
from aprofplot.merge import merge_threads
from aprofplot.model import Profile, RoutineProfile
from aprofplot.names import printable
from aprofplot.reports.text import list_lines
from aprofplot.selection import select

if TYPE_CHECKING:
    from aprofplot.figures import routine_plot

FORMATS = ("png", "svg", "pdf")
SINGLE_POINT = 3  # exit status

_EXAMPLES = f"""\
examples:
  aprof-plot --list                                  what there is to plot
  aprof-plot sum                                     newest aprof.out.* here; a window, or sum.png
  aprof-plot 'Parser::*' -o parse.svg aprof.out.4711
  aprof-plot libc.so.6:qsort --metric both --log xy -o qsort.png aprof.out.*
  aprof-plot digest --overlay -o digest.pdf          TRMS over RMS
  aprof-plot worker --plot workload --per-thread -o worker.png

{EXIT_STATUS}, 3 drawn, but
from a single point: no function can be seen
"""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = argparse.ArgumentParser(
        prog="aprof-plot",
        description="Draws the cost of a routine's activations against their input size, from "
        "profiles of aprof-trms: its empirical cost function.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = result.add_argument
    add(
        "arguments",
        nargs="*",
        metavar="ROUTINE [PROFILE...]",
        help="ROUTINE: a name, a glob, or either after OBJECT: or FILE: . PROFILE: aprof.out.PID "
        "[the newest aprof.out.* in the current folder]; several are merged",
    )
    add("--list", action="store_true", help="list routines by cost instead; takes PROFILEs only")
    add("-o", dest="output", metavar="FILE", help=f"write FILE: {', '.join(FORMATS)}")
    add(
        "--plot",
        choices=("cost", "workload"),
        default="cost",
        help="cost, or number of activations, against input size [cost]",
    )
    add(
        "--metric",
        choices=("trms", "rms", "both"),
        help="input size; both: a panel for each [trms, or what was measured]",
    )
    add("--overlay", action="store_true", help="both metrics in one panel")
    add("--cost", metavar="EVENT", help="bb (basic blocks) or instr [the first measured]")
    add("--self", dest="own", action="store_true", help="self cost instead of inclusive cost")
    add(
        "--y",
        choices=("max", "mean", "min", "total"),
        default="max",
        help="cost of the activations of one size [max: the worst case]",
    )
    add(
        "--log",
        choices=("x", "y", "xy", "none"),
        help="logarithmic axes [both when sizes and costs span three decades]",
    )
    add("--per-thread", action="store_true", help="a colour for each thread")
    return result


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    command_line = parser()
    arguments = command_line.parse_intermixed_args(argv)
    allow_any_bytes()
    if not arguments.list and not arguments.arguments:
        command_line.error("name a routine, or use --list")
    if arguments.list and arguments.output:
        command_line.error("--list draws nothing: leave -o out")
    return run_command(
        "aprof-plot", lambda: _list(arguments) if arguments.list else _plot(arguments)
    )


def _list(arguments: argparse.Namespace) -> int:
    for line in list_lines(
        load_profiles(profile_paths("aprof-plot", arguments.arguments), per_thread=False)
    ):
        print(printable(line))
    return 0


def _plot(arguments: argparse.Namespace) -> int:
    pattern, *given = arguments.arguments
    if arguments.output:
        _check_output(arguments.output)
    profile = load_profiles(profile_paths("aprof-plot", given), per_thread=True)
    chosen = select(merge_threads(profile).routines, pattern)
    parts = [chosen]
    if arguments.per_thread:
        parts = [r for r in profile.routines if r.routine.key == chosen.routine.key]
    metrics = _metrics(arguments, profile)
    _check_points(chosen, metrics)
    return _draw(arguments, profile, parts, metrics)


def _metrics(arguments: argparse.Namespace, profile: Profile) -> tuple[str, ...]:
    if arguments.metric == "both" or arguments.overlay:
        wanted: tuple[str, ...] = ("trms", "rms") if arguments.overlay else ("rms", "trms")
    elif arguments.metric:
        wanted = (arguments.metric,)
    else:
        wanted = ("trms",) if "trms" in profile.metric_names else profile.metric_names[:1]
    for metric in wanted:
        if metric not in profile.metric_names:
            raise AprofError(
                f"input size {metric} is not in this profile",
                "profile again with --input-metric=both, or plot --metric "
                + profile.metric_names[0],
            )
    return wanted


def _check_points(routine: RoutineProfile, metrics: tuple[str, ...]) -> None:
    if any(len(routine.points[metric]) for metric in metrics):
        return
    raise AprofError(
        f"none of the {routine.calls} activations of {routine.routine.name} returned before the "
        "profile was written, so that it has no points",
        "plot a routine that it calls",
    )


def _event(arguments: argparse.Namespace, profile: Profile) -> str:
    event: str = arguments.cost or profile.event_names[0]
    if event not in profile.event_names:
        raise AprofError(
            f"cost {event} is not in this profile, which has {', '.join(profile.event_names)}",
            "profile again with --cost=both",
        )
    return event


def _check_output(path: str) -> None:
    if path.rpartition(".")[2].lower() not in FORMATS or "." not in path:
        raise AprofError(
            f"{path}: unknown kind of picture", f"end the name in .{', .'.join(FORMATS)}"
        )
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise AprofError(
            f"{path}: cannot be written there", "name a folder that exists and is yours"
        )


def _draw(
    arguments: argparse.Namespace,
    profile: Profile,
    parts: list[RoutineProfile],
    metrics: tuple[str, ...],
) -> int:
    # matplotlib takes a second to load: not for --list or errors
    from aprofplot.figures import routine_plot

    options = routine_plot.Options(
        metrics=metrics,
        overlay=arguments.overlay,
        workload=arguments.plot == "workload",
        event=_event(arguments, profile),
        own=arguments.own,
        statistic=arguments.y,
        log=None if arguments.log is None else arguments.log.replace("none", ""),
    )
    tables = [part.points[m] for part in parts for m in metrics if len(part.points[m])]
    for remark in routine_plot.remarks(tables):
        print(f"aprof-plot: {remark}", file=sys.stderr)
    status = SINGLE_POINT if max(len(table) for table in tables) == 1 else 0
    if arguments.output is None and _has_window():
        _show(profile, parts, options)
        return status
    path = arguments.output or _file_name(parts[0].routine.name)
    _check_output(path)
    figure = routine_plot.plot_routine(profile, parts, options)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph")  # a name has letters that the font lacks
            figure.savefig(path, bbox_inches="tight", pad_inches=0.15)
    except OSError as error:
        raise AprofError(
            f"{path}: cannot be written: {error.strerror}", "name another file with -o"
        ) from error
    print(path)
    return status


def _has_window() -> bool:
    """Whether there is a display, and something in Python that can draw on it."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    import matplotlib.pyplot as pyplot

    return bool(pyplot.get_backend().lower() not in ("agg", "pdf", "svg", "ps", "cairo"))


def _show(profile: Profile, parts: list[RoutineProfile], options: routine_plot.Options) -> None:
    import matplotlib.pyplot as pyplot

    from aprofplot.figures import routine_plot

    drawn = routine_plot.plot_routine(profile, parts, options)
    drawn.set_dpi(100)
    manager = pyplot.figure(figsize=drawn.get_size_inches(), dpi=100).canvas.manager
    assert manager is not None
    manager.canvas.figure = drawn
    drawn.set_canvas(manager.canvas)
    pyplot.show()


def _file_name(routine: str) -> str:
    return (re.sub(r"[^A-Za-z0-9_.+-]+", "_", routine).strip("_.")[:80] or "routine") + ".png"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
