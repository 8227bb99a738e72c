"""Program-wide figures of the aprof-trms paper's section 6: what share of the routines has at least
so much profile richness, input volume, thread-induced and external input (Figures 15, 16, 18, 19).

A curve for each program. The figures are made in the style that is applied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from aprofplot import metrics
from aprofplot.figures import scales
from aprofplot.figures.captions import plain
from aprofplot.figures.legends import add_legend, entries, make_room
from aprofplot.figures.styles import LINE_STYLES, colours
from aprofplot.model import RoutineProfile
from aprofplot.names import counted

_MANY_ROUTINES = 100  # from which the few per cent on the left get most of the axis
_MANY_TIMES = 100  # richness from which its axis is logarithmic


@dataclass(frozen=True)
class ProgramView:
    """What is measured of each routine; `value` is None for routines that have no such number."""

    value: Callable[[RoutineProfile], float | None]
    label: str
    percent: bool
    needs: tuple[str, ...]  # metrics


def _share(index: int) -> Callable[[RoutineProfile], float | None]:
    """Percent of the input from other threads (0), from the kernel (1); None without points."""

    def share(routine: RoutineProfile) -> float | None:
        shares = metrics.induced_shares(routine)
        return shares[index] if shares and metrics.distinct_sizes(routine, "trms") else None

    return share


VIEWS: Mapping[str, ProgramView] = {
    "richness": ProgramView(metrics.profile_richness, "profile richness", False, ("trms", "rms")),
    "volume": ProgramView(
        metrics.volume_beyond_rms, "input volume beyond RMS (%)", True, ("trms", "rms")
    ),
    "thread": ProgramView(_share(0), "thread-induced input (%)", True, ("trms",)),
    "external": ProgramView(_share(1), "external input (%)", True, ("trms",)),
}


def values_of(view: ProgramView, routines: Sequence[RoutineProfile]) -> list[float]:
    """The number of each routine that has one."""
    found = [view.value(routine) for routine in routines]
    return [value for value in found if value is not None]


def plot_program(
    view: ProgramView,
    programs: Sequence[tuple[str, Sequence[RoutineProfile]]],
    log: str | None,
    title: str | None,
) -> Figure:
    """A curve for each program, a name and its routines, which has values. `log` as in
    routine_plot.Options; `title` None or empty for none."""
    figure = Figure(figsize=matplotlib.rcParams["figure.figsize"], layout="constrained")
    axes = figure.subplots()
    palette = colours()
    curves = [metrics.at_least(values_of(view, routines)) for _, routines in programs]
    log = _log(view, curves) if log is None else log
    for index, ((name, _), (share, value)) in enumerate(zip(programs, curves)):
        start = share[0] / 2 if "x" in log else 0.0  # so that the first routine is seen
        axes.plot(
            np.concatenate([[start], share]),
            np.concatenate([value[:1], value]),
            drawstyle="steps-pre",
            color=palette[index % len(palette)],
            linestyle=LINE_STYLES[index % len(LINE_STYLES)],
            label=plain(f"{name} ({counted(len(share), 'routine')})"),
        )
    _scale(axes, view, curves, log)
    axes.set_xlabel("share of the routines (%)")
    axes.set_ylabel(f"{view.label}, at least")
    add_legend(axes, *entries(axes))
    if title:
        figure.suptitle(plain(title))
    make_room(figure)
    return figure


Curves = Sequence[tuple[metrics.Floats, metrics.Floats]]


def _log(view: ProgramView, curves: Curves) -> str:
    """The axes to make logarithmic where nobody says: x for many routines, y for many sizes."""
    many = max(len(share) for share, _ in curves) >= _MANY_ROUTINES
    rich = max(float(value.max()) for _, value in curves) >= _MANY_TIMES
    return "x" * many + "y" * (rich and not view.percent)


def _scale(axes: Axes, view: ProgramView, curves: Curves, log: str) -> None:
    values = np.concatenate([value for _, value in curves])
    left = 0.0
    if "x" in log:
        axes.set_xscale("log")
        left = min(float(share[0]) for share, _ in curves) / 2
    axes.set_xlim(left, 100)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    if view.percent:
        scales.set_scale(axes, "y", values, "y" in log)
        axes.set_ylim(top=104)
    elif "y" in log:  # richness may be negative
        axes.set_yscale("symlog", linthresh=1)
        axes.yaxis.set_major_formatter(FuncFormatter(scales.number))
