"""Bars of induced input: of each routine (aprof-trms paper, Figure 9) and of whole programs
(Figure 17). Thread-induced input below, external input on top, the same colours in both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from aprofplot import metrics
from aprofplot.figures.captions import plain, routine_labels
from aprofplot.figures.styles import colours
from aprofplot.model import RoutineProfile
from aprofplot.names import counted

_NAMED = 24  # routines, up to which each bar has its name
_COLUMNS = 2
_HATCHES = {"thread": "", "external": "////"}  # tells them apart without colour
_LABELS = {"thread": "thread-induced", "external": "external"}


@dataclass(frozen=True, eq=False)
class InducedRoutines:
    """A program's routines with induced input, greatest share first. Shares in percent of the
    routine's input. `of`: how many routines the program has."""

    name: str
    routines: list[RoutineProfile]
    thread: metrics.Floats
    external: metrics.Floats
    of: int


def induced_routines(name: str, routines: Sequence[RoutineProfile]) -> InducedRoutines:
    """Those of `routines` that have points and induced input."""
    with_points = [r for r in routines if metrics.distinct_sizes(r, "trms")]
    shares = [(metrics.induced_shares(routine) or (0.0, 0.0), routine) for routine in with_points]
    found = [(share, routine) for share, routine in shares if sum(share) > 0]
    found.sort(key=lambda pair: (-sum(pair[0]), -pair[0][0], pair[1].routine.key))
    columns = np.array([share for share, _ in found], dtype=np.float64).reshape(-1, 2)
    chosen = [routine for _, routine in found]
    return InducedRoutines(name, chosen, columns[:, 0], columns[:, 1], len(with_points))


def plot_induced_routines(programs: Sequence[InducedRoutines], title: str | None) -> Figure:
    """A panel for each program, of which there is one at least. `title` None or empty: none."""
    columns = min(_COLUMNS, len(programs))
    rows = math.ceil(len(programs) / columns)
    width, height = matplotlib.rcParams["figure.figsize"]
    figure = Figure(figsize=(width * columns, height * rows), layout="constrained")
    all_axes = figure.subplots(rows, columns, squeeze=False).flatten()
    for axes, program in zip(all_axes, programs):
        _draw_routines(axes, program)
    for axes in all_axes[len(programs) :]:
        axes.set_visible(False)
    all_axes[0].legend(loc="upper right")
    if title:
        figure.suptitle(plain(title))
    return figure


def _draw_routines(axes: Axes, program: InducedRoutines) -> None:
    count = len(program.routines)
    share = f"{count} of {counted(program.of, 'routine')} with induced input"
    axes.set_title(plain(f"{program.name}: {share}"))
    palette = colours()
    below = np.zeros(count)
    edges = np.arange(count + 1) + 0.5
    for index, (kind, values) in enumerate(
        (("thread", program.thread), ("external", program.external))
    ):
        axes.stairs(
            below + values,
            edges,
            baseline=below,
            fill=True,
            facecolor=palette[index % len(palette)],
            hatch=_HATCHES[kind],
            edgecolor=axes.get_facecolor(),
            linewidth=0,
            label=_LABELS[kind],
        )
        below = below + values
    axes.set_xlim(0.5, max(count, 1) + 0.5)
    axes.set_ylim(0, 104)
    axes.set_ylabel("induced share of the input (%)")
    axes.grid(False, axis="x")
    if count <= _NAMED:
        names = routine_labels([routine.routine for routine in program.routines])
        axes.set_xticks(range(1, count + 1), map(plain, names), rotation=90, fontsize="x-small")
    else:
        axes.set_xlabel("routines, by induced share")
        axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))


def plot_sources(programs: Sequence[tuple[str, tuple[int, int]]], title: str | None) -> Figure:
    """A bar of 100 % for each program, by descending thread share; those without any induced
    first-access come last and have none. Each is a name and its induced first-accesses, from
    threads and external."""
    shares = [(name, metrics.percent(t, t + e), t + e) for name, (t, e) in programs]
    shares.sort(key=lambda share: (share[2] == 0, -share[1]))
    width, height = matplotlib.rcParams["figure.figsize"]
    figure = Figure(figsize=(max(width, 0.22 * len(shares)), height), layout="constrained")
    axes = figure.subplots()
    palette = colours()
    thread = np.array([share for _, share, _ in shares])
    external = np.array([100 - share if count else 0 for _, share, count in shares])
    at = np.arange(len(shares))
    for index, (kind, values, below) in enumerate(
        (("thread", thread, 0 * thread), ("external", external, thread))
    ):
        axes.bar(
            at,
            values,
            bottom=below,
            width=0.7,
            color=palette[index % len(palette)],
            hatch=_HATCHES[kind],
            edgecolor=axes.get_facecolor(),
            linewidth=0,
            label=_LABELS[kind],
        )
    rotation = 90 if len(shares) > 5 else 0
    names = [name if count else f"{name} (none)" for name, _, count in shares]
    axes.set_xticks(at, map(plain, names), rotation=rotation)
    beside = max(0, 4 - len(shares)) / 2  # a single bar is no wall
    axes.set_xlim(-0.6 - beside, len(shares) - 0.4 + beside)
    axes.set_ylim(0, 104)
    axes.set_ylabel("share of induced first-accesses (%)")
    axes.grid(False, axis="x")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    if title:
        figure.suptitle(plain(title))
    return figure
