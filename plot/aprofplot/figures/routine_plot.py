"""Cost plots and workload plots of a routine (aprof-trms paper, section 3, Figures 4-8).

Each function draws into a new figure and returns it; whoever calls saves or shows it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, MaxNLocator

from aprofplot import metrics
from aprofplot.metrics import CostStatistic, Floats
from aprofplot.model import PointTable, Profile, RoutineProfile
from aprofplot.names import place, printable, shorten, unicode

# Okabe and Ito's palette: told apart with any colour vision. TRMS and RMS keep theirs everywhere.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
OTHER_COLOUR = "#AAAAAA"
METRIC_COLOURS = {"trms": COLOURS[0], "rms": COLOURS[1]}
METRIC_MARKERS = {"trms": "o", "rms": "s"}
STATISTIC_NAMES = {"max": "worst case", "mean": "mean", "min": "best case", "total": "total"}
_WIDTH = 6.4  # inches, a panel
_HEIGHT = 4.4
_TITLE_WIDTH = 62  # characters, a panel
_LOG_SPAN = 1000  # largest to smallest positive value from which an automatic axis is logarithmic


@dataclass(frozen=True)
class Options:
    """What to draw. `metrics`: one or both, `overlay`: both in one panel. `log`: axes that are
    logarithmic, "x", "y", "xy", "" for none, None to decide by the data."""

    metrics: tuple[str, ...]
    overlay: bool = False
    workload: bool = False
    event: str = "bb"
    own: bool = False
    statistic: CostStatistic = "max"
    log: str | None = None


@dataclass(frozen=True)
class Series:
    """One routine's points under one metric, and how to tell them from others."""

    table: PointTable
    metric: str
    label: str
    colour: str
    marker: str


def plot_routine(profile: Profile, parts: list[RoutineProfile], options: Options) -> Figure:
    """The routine's plot. `parts`: the routine in each thread, or once for all threads."""
    panels = [options.metrics] if options.overlay else [(metric,) for metric in options.metrics]
    figure = Figure(figsize=(_WIDTH * len(panels), _HEIGHT), dpi=150, layout="constrained")
    all_axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, shown in zip(all_axes, panels):
        _panel(axes, profile, _series(profile, parts, shown), options)
    if len(panels) > 1:  # one scale, so that panels compare
        top = max(axes.get_ylim()[1] for axes in all_axes)
        for axes in all_axes:
            axes.set_ylim(top=top)
    _title(figure, profile, parts[0], _TITLE_WIDTH * len(panels))
    return figure


def points_of(series: Series, options: Options) -> tuple[Floats, Floats]:
    """The x and y values of a series."""
    sizes = metrics.sizes_of_points(series.table)
    if options.workload:
        return sizes, metrics.calls_of_points(series.table)
    return sizes, metrics.cost_of_points(
        series.table, options.event, options.own, options.statistic
    )


def remarks(tables: list[PointTable]) -> list[str]:
    """What a reader of the plot must know: thin data, merged points."""
    found = []
    fewest = min(len(table) for table in tables)
    if fewest < metrics.FEW_SIZES:
        sizes = "1 distinct size" if fewest == 1 else f"{fewest} distinct sizes"
        found.append(f"{sizes}: too few to see a trend ({metrics.FEW_SIZES} needed)")
    precision = min((t.precision for t in tables if t.precision), default=0)
    if precision:
        found.append(f"neighbouring sizes merged to {precision} binary digits (--max-points)")
    return found


def _series(profile: Profile, parts: list[RoutineProfile], shown: tuple[str, ...]) -> list[Series]:
    series = []
    for metric in shown:
        if len(parts) == 1:
            looks = [(parts[0], metric.upper(), METRIC_COLOURS[metric])]
        else:
            looks = _threads(profile, parts, f"{metric.upper()}, " if len(shown) > 1 else "")
        for part, label, colour in looks:
            if len(part.points[metric]):
                table = part.points[metric]
                series.append(Series(table, metric, label, colour, METRIC_MARKERS[metric]))
    return series


def _threads(
    profile: Profile, parts: list[RoutineProfile], metric: str
) -> list[tuple[RoutineProfile, str, str]]:
    """Label and colour of each thread: the costliest have their own, as many as there are colours;
    the others, last, share one."""
    costliest = metrics.by_cost(parts, profile.event_names[0])[: len(COLOURS)]
    looks: list[tuple[RoutineProfile, str, str]] = []
    for part in parts:
        if part in costliest:
            key = part.threads[0]
            process = f"{profile.runs[key.run].pid}:" if len(profile.runs) > 1 else ""
            name = f"{process}{key.id} {shorten_middle(profile.thread(key).name, 30)}".strip()
            looks.append((part, f"{metric}thread {name}", COLOURS[len(looks)]))
    others = [part for part in parts if part not in costliest]
    threads = "1 other thread" if len(others) == 1 else f"{len(others)} other threads"
    for part in others:
        looks.append((part, metric + threads if part is others[0] else "_unlisted", OTHER_COLOUR))
    return looks


def _panel(axes: Axes, profile: Profile, series: list[Series], options: Options) -> None:
    log_x, log_y = _log_axes(series, options)
    for one in series:
        x, y = points_of(one, options)
        size = 5.0 if len(x) <= 200 else 3.0
        # RMS as outlines, that TRMS under them can be seen where both agree.
        hollow = one.metric == "rms"
        axes.plot(
            x,
            y,
            linestyle="none",
            marker=one.marker,
            markersize=size * (1.3 if hollow else 1),
            color=one.colour,
            markerfacecolor="none" if hollow else one.colour,
            markeredgewidth=1.1 if hollow else 0,
            label=_plain(one.label),
            clip_on=False,
            zorder=2.5 if one.colour == OTHER_COLOUR else 3,
        )
    _scale(axes, series, options, log_x, log_y)
    names = " and ".join(sorted({one.metric.upper() for one in series}, reverse=True))
    unit = next(m.unit for m in profile.metrics if m.name == series[0].metric)
    axes.set_xlabel(f"input size ({names}, {unit})")
    axes.set_ylabel(_y_label(profile, options))
    axes.grid(True, color="#dddddd", linewidth=0.6, zorder=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if len(series) > 1:
        axes.legend(frameon=False, fontsize="small", loc="best")
    notes = remarks([one.table for one in series])
    if notes:
        axes.set_title("\n".join(notes), fontsize=8, color="#444444", style="italic")


def _y_label(profile: Profile, options: Options) -> str:
    if options.workload:
        return "activations"
    unit = next(event.unit for event in profile.events if event.name == options.event)
    kind = "self cost" if options.own else "cost"
    return f"{kind} ({unit}), {STATISTIC_NAMES[options.statistic]}"


def _log_axes(series: list[Series], options: Options) -> tuple[bool, bool]:
    if options.log is not None:
        return "x" in options.log, "y" in options.log
    values = [points_of(one, options) for one in series]
    log_x = _spans_decades(np.concatenate([x for x, _ in values]))
    log_y = _spans_decades(np.concatenate([y for _, y in values]))
    # A cost function keeps its shape on two equal axes: both or none.
    return (log_x, log_y) if options.workload else (log_x and log_y, log_x and log_y)


def _spans_decades(values: Floats) -> bool:
    return bool(values.min() > 0 and values.max() / values.min() >= _LOG_SPAN)


def _scale(axes: Axes, series: list[Series], options: Options, log_x: bool, log_y: bool) -> None:
    for axis, log, index in ((axes.xaxis, log_x, 0), (axes.yaxis, log_y, 1)):
        values = np.concatenate([points_of(one, options)[index] for one in series])
        if log and values.max() > 0:
            set_scale = axes.set_xscale if index == 0 else axes.set_yscale
            if values.min() > 0:
                set_scale("log")
            else:  # a logarithm has no place for a size of 0
                set_scale("symlog", linthresh=1)
        else:
            margin = 0.04 * values.max() or 1.0
            low, high = 0.0, values.max() + margin
            (axes.set_xlim if index == 0 else axes.set_ylim)(low, high)
            axis.set_major_locator(MaxNLocator(nbins=6, integer=True))
        axis.set_major_formatter(EngFormatter(sep=""))


def _title(figure: Figure, profile: Profile, routine: RoutineProfile, width: int) -> None:
    where = routine.routine
    runs = profile.runs
    command = shorten_middle(runs[0].command, width - 12)
    if len(runs) > 1:
        command += f" and {len(runs) - 1} more run{'s' if len(runs) > 2 else ''}"
    name = shorten(where.name, width - 8)
    subtitle = f"{place(where.object, where.file, where.line)}   ·   {command}"
    figure.suptitle(_plain(name), fontsize=12, fontweight="bold")
    below = shorten_middle(subtitle, int(1.6 * width))
    figure.supxlabel(_plain(below), fontsize=7, color="#666666")


def _plain(text: str) -> str:
    """`text` for matplotlib: no formula, however many dollars are in it."""
    return printable(unicode(text)).replace("$", r"\$")


def shorten_middle(text: str, width: int) -> str:
    """At most `width` characters, the middle left out."""
    if len(text) <= width:
        return text
    half = (width - 3) // 2
    return f"{text[: width - 3 - half]}...{text[-half:]}"
