"""Plots of simulated schedules by cilkshadow-plot: a timeline, and speedup before and after
changes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from aprofplot.commands.processors_option import (
    MOST,
    check_burden,
    costs_asked,
    costs_if,
    usual_processors,
)
from aprofplot.figures.captions import shorten_middle
from aprofplot.names import printable
from aprofplot.work_span.metrics import is_logarithmic
from aprofplot.work_span.model import WorkSpanProfile

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_UP_TO = 16  # processors, by default


def check_schedules(command_line: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Ends the command if an option has no meaning here."""
    check_burden(command_line, arguments)
    drawn = "--timeline" if arguments.timeline else "--what-if" if arguments.what_if else ""
    if not drawn:
        if arguments.scheduler:
            command_line.error("--scheduler is for --timeline and --what-if")
        return
    if len(arguments.profiles) > 1:
        command_line.error(f"{drawn} takes one profile")
    if arguments.sites:
        command_line.error(f"{drawn} covers the whole program: leave --site out")
    if arguments.timeline and arguments.log:
        command_line.error("--log is for speedups: leave it out of --timeline")
    if arguments.processors and arguments.processors > MOST:
        command_line.error(f"--processors={arguments.processors}: at most {MOST} are simulated")


def draw_timeline(profile: WorkSpanProfile, arguments: argparse.Namespace, titled: bool) -> Figure:
    """On so many processors, after the changes asked for."""
    from aprofplot.figures.timeline_plot import plot_timeline
    from aprofplot.processors.timeline import timeline

    processors = arguments.processors or usual_processors(profile)
    [costs] = costs_if(profile, [processors], arguments.what_if, arguments.scheduler)
    title = f"{shorten_middle(profile.command, 50)} on {costs.processors} processors"
    title = ", ".join([title, *(f"if {change}" for change in arguments.what_if)])
    other = "the changed program on one" if arguments.what_if else "on one"
    title = _title(arguments, titled, f"{title}: {costs.speedup:.2f} times as fast as {other}")
    return plot_timeline(timeline(costs), costs.processors, costs.time, title)


def draw_what_if(profile: WorkSpanProfile, arguments: argparse.Namespace, titled: bool) -> Figure:
    """Each change, and all of them, beside what is."""
    from aprofplot.figures.speedup_plot import plot_simulated

    most = arguments.processors or _UP_TO
    powers = [1 << k for k in range(most.bit_length())]
    processors = sorted(
        {p for p in (*powers, *(3 * p // 2 for p in powers[1:]), most) if p <= most}
    )
    changes = [[change] for change in arguments.what_if]
    if len(changes) > 1:
        changes.append(arguments.what_if)
    now = costs_asked(profile, processors, arguments.scheduler)
    one = now[0].time
    curves = {"as it is": [one / costs.time for costs in now]}
    for texts in changes:
        then = costs_if(profile, processors, texts, arguments.scheduler)
        name = printable(" and ".join(texts))
        curves[name] = [one / costs.time if costs.time else 1.0 for costs in then]
    title = _title(arguments, titled, f"Simulated speedup of {shorten_middle(profile.command, 50)}")
    return plot_simulated(processors, curves, is_logarithmic(arguments.log, most), title)


def _title(arguments: argparse.Namespace, titled: bool, usual: str) -> str:
    if arguments.title is not None:
        return str(arguments.title)
    return usual if titled else ""
