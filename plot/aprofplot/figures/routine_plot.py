"""Plots of one or more routines against their input size (aprof-trms paper, section 3, Figures 4-8).

views says what stands on the y axis, series whose points are drawn. The figure is made in the
style that is applied (styles.applied); whoever calls saves or shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from aprofplot import metrics
from aprofplot.figures import fit_line, scales
from aprofplot.figures.captions import plain, shorten_middle
from aprofplot.figures.legends import UNLISTED, add_legend, entries, make_room
from aprofplot.figures.parts import Comparison
from aprofplot.figures.series import Series, series_of
from aprofplot.figures.styles import OTHER_COLOUR, colours
from aprofplot.figures.views import CostView, Curve, View
from aprofplot.fits.law import Fit
from aprofplot.loop_scopes import PROGRESS
from aprofplot.model import ITERATIONS, PointTable, Profile, argument_of
from aprofplot.names import counted, place, shorten
from aprofplot.partial_input import PARTIAL_METRICS, left_out

_CHARACTERS = 9.7  # of a title, an inch
_MANY_POINTS = 200  # from which marks are small


@dataclass(frozen=True)
class Options:
    """What to draw. `metrics`: one or both, `overlay`: both in one panel. `log`: axes that are
    logarithmic, "x", "y", "xy", "" for none, None to decide by the data. `fit` needs a CostView.
    `title`: None for the routine's name and run, "" for none."""

    metrics: tuple[str, ...]
    view: View
    overlay: bool = False
    fit: bool = False
    log: str | None = None
    title: str | None = None


@dataclass(frozen=True, eq=False)
class Panel:
    """A panel's series with their curves and fits."""

    series: list[Series]
    curves: list[tuple[Curve, ...]]
    fits: list[Fit | None]
    notes: list[str]

    @property
    def named_curves(self) -> bool:
        """Whether a series has several curves, each with a name."""
        return len({curve.name for curves in self.curves for curve in curves}) > 1

    def values(self, axis: str) -> list[metrics.Floats]:
        """All that is drawn along an axis, "x" or "y"."""
        drawn = [curve for curves in self.curves for curve in curves]
        return [curve.x if axis == "x" else curve.y for curve in drawn]


def panels_of(comparison: Comparison, options: Options) -> list[Panel]:
    """All that is to be drawn, and what a reader must know of it; no panel for metrics without
    points."""
    shown = [options.metrics] if options.overlay else [(metric,) for metric in options.metrics]
    panels = []
    for metrics_shown in shown:
        series = series_of(comparison, metrics_shown)
        if not series:
            continue
        curves = [options.view.curves(one.table) for one in series]
        tables = [one.table for one in series]
        notes = [] if PROGRESS in metrics_shown else remarks(tables)
        notes += options.view.notes(tables)
        fits: list[Fit | None] = []
        if options.fit and isinstance(options.view, CostView):
            fits = fit_line.fits_of(series, options.view)
            notes += fit_line.fit_notes(series, fits)
        panels.append(Panel(series, curves, fits, notes))
    return panels


def plot_routines(comparison: Comparison, panels: Sequence[Panel], options: Options) -> Figure:
    """The figure of `panels_of(comparison, options)`, of which there is one at least."""
    width, height = matplotlib.rcParams["figure.figsize"]
    figure = Figure(figsize=(width * len(panels), height), layout="constrained")
    all_axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, panel in zip(all_axes, panels):
        _draw_panel(axes, comparison, panel, options)
    if len(panels) > 1:  # one scale, so that panels compare
        top = max(axes.get_ylim()[1] for axes in all_axes)
        for axes in all_axes:
            axes.set_ylim(top=top)
    _title(figure, comparison, options.title, int(_CHARACTERS * width * len(panels)))
    make_room(figure)
    return figure


def remarks(tables: Sequence[PointTable]) -> list[str]:
    """What a reader of the plot must know: thin data, merged points."""
    found = []
    thin = [len(table) for table in tables if len(table) < metrics.FEW_SIZES]
    needed = f"too few to see a trend ({metrics.FEW_SIZES} needed)"
    if thin and len(thin) == len(tables):
        found.append(f"{counted(max(thin), 'distinct size')}: {needed}")
    elif thin:
        found.append(
            f"{len(thin)} of {len(tables)} have fewer than {metrics.FEW_SIZES} distinct sizes: {needed}"
        )
    precision = min((t.precision for t in tables if t.precision), default=0)
    if precision:
        found.append(f"neighbouring sizes merged to {precision} binary digits (--max-points)")
    return found


def _draw_panel(axes: Axes, comparison: Comparison, panel: Panel, options: Options) -> None:
    x, y = panel.values("x"), panel.values("y")
    log = options.log
    if log is None:
        log = scales.choose_log(np.concatenate(x), np.concatenate(y), options.view.keeps_shape)
    for one, curves in zip(panel.series, panel.curves):
        for curve in curves:
            _draw_curve(axes, one, curve, panel)
    scales.set_scale(axes, "x", x, "x" in log)
    scales.set_scale(axes, "y", y, "y" in log)
    if options.view.percent and "y" not in log:
        axes.set_ylim(0, 104)
    axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())  # bands may run out of the picture
    fit_line.draw_fits(axes, panel.series, panel.fits, "x" in log)
    axes.set_xlabel(plain(_size_label(comparison.profile, panel)))
    axes.set_ylabel(plain(options.view.label(comparison.profile)))
    _legend(axes, panel)
    if panel.notes:
        axes.set_title("\n".join(map(plain, panel.notes)), style="italic", alpha=0.75)


def _size_label(profile: Profile, panel: Panel) -> str:
    metric = panel.series[0].metric
    if metric == ITERATIONS:
        return "iterations of an execution"
    if metric == PROGRESS:
        return "k, ordinal of the iteration in its execution"
    if (argument := argument_of(metric)) is not None:
        return f"value of the argument {plain(argument)}"
    if metric in PARTIAL_METRICS:
        unit = next(m.unit for m in profile.metrics if m.name == "trms")
        return f"input size (TRMS without input {left_out(metric)}, {unit})"
    names = " and ".join(sorted({one.metric.upper() for one in panel.series}, reverse=True))
    unit = next(m.unit for m in profile.metrics if m.name == metric)
    return f"input size ({names}, {unit})"


def _draw_curve(axes: Axes, series: Series, curve: Curve, panel: Panel) -> None:
    alone = len(panel.series) == 1
    colour = series.colour
    if alone and curve.accent is not None:
        palette = colours()
        colour = palette[curve.accent % len(palette)]
    # RMS as outlines, that TRMS under them can be seen where both agree.
    outlined = series.metric == "rms" and not alone
    hollow = outlined or curve.hollow or (alone and series.metric == "rms" and not curve.name)
    marker = curve.marker or series.marker
    size = matplotlib.rcParams["lines.markersize"]
    axes.plot(
        curve.x,
        curve.y,
        linestyle="none",
        marker=marker,
        markersize=(1 if len(curve.x) <= _MANY_POINTS else 0.6) * size * (1.3 if outlined else 1),
        color=colour,
        markerfacecolor="none" if hollow else colour,
        markeredgewidth=1.1 if hollow or marker == "x" else 0,
        label=plain(_curve_label(series, curve, panel)),
        clip_on=False,
        zorder=3 if series.own else 2.5,
    )


def _curve_label(series: Series, curve: Curve, panel: Panel) -> str:
    if series.label == UNLISTED or not panel.named_curves:
        return series.label
    if len(panel.series) == 1:
        return curve.name
    return f"{series.label}, {curve.name}"


def _legend(axes: Axes, panel: Panel) -> None:
    handles, labels = entries(axes)
    if len(panel.series) > 2 and panel.named_curves:
        handles, labels = _short_legend(panel)
    if len(labels) < 2:
        return
    add_legend(axes, handles, labels)


def _short_legend(panel: Panel) -> tuple[list[Line2D], list[str]]:
    """Colours stand for the series, markers for the curves: not an entry for each pair."""
    handles, labels = [], []
    for one in panel.series:
        if one.label != UNLISTED:
            handles.append(Line2D([], [], color=one.colour, linewidth=4))
            labels.append(plain(one.label))
    for name, curve in {c.name: c for curves in panel.curves for c in curves}.items():
        face = "none" if curve.hollow else OTHER_COLOUR
        marker = curve.marker or "o"
        handles.append(
            Line2D([], [], linestyle="none", marker=marker, color=OTHER_COLOUR, mfc=face)
        )
        labels.append(plain(name))
    return handles, labels


def _title(figure: Figure, comparison: Comparison, title: str | None, width: int) -> None:
    if title is not None:
        if title:
            figure.suptitle(plain(shorten_middle(title, width)))
        return
    routines, runs = comparison.routines, comparison.profile.runs
    command = shorten_middle(runs[0].command, width - 12)
    if len(runs) > 1:
        command += f" and {counted(len(runs) - 1, 'more run')}"
    name = shorten(routines[0].routine.name, width - 8)
    if len(routines) == 1:
        where = routines[0].routine
        command = f"{place(where.object, where.file, where.line)}   ·   {command}"
    elif len({numbers.routine.name for numbers in routines}) > 1:
        name = shorten(routines[0].routine.name, width - 24)
        name += f" and {counted(len(routines) - 1, 'more routine')}"
    figure.suptitle(plain(name))
    figure.supxlabel(plain(shorten_middle(command, int(1.6 * width))), fontsize=7, alpha=0.7)
