"""Predicted speedup on P processors, in the manner of Cilkview and Cilkscale: the perfect linear one,
the upper bound of work and span, and the lower estimate of the burdened dag.

Made in the style that is applied. Numbers come from work_span.metrics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from aprofplot.figures.captions import plain, shorten_middle
from aprofplot.figures.legends import add_legend, make_room
from aprofplot.figures.scales import number
from aprofplot.figures.styles import OTHER_COLOUR, colours
from aprofplot.metrics import Floats
from aprofplot.work_span.advice import parallelism_text
from aprofplot.work_span.metrics import Speedup, processor_counts

LINEAR = "perfect linear"
SPAN = "work/span bound"
BURDENED = "burdened-dag estimate"
SERIALISED = "bound with locks in this run's order"
ESTIMATED = ", burden as in the whole program"
_STYLES = {LINEAR: ":", SPAN: "-", BURDENED: "--", SERIALISED: "-."}
_LABEL = 44  # characters of a subject's name


@dataclass(frozen=True)
class Subject:
    """A program or a call site, and what is known of its speedup."""

    name: str
    speedup: Speedup


def plot_speedup(subjects: Sequence[Subject], most: int, log: bool, title: str) -> Figure:
    """The bounds of each subject from 1 to `most` processors; `log`: both axes are, to base 2.
    `title` empty for none."""
    figure = Figure(figsize=matplotlib.rcParams["figure.figsize"], layout="constrained")
    axes = figure.subplots()
    processors = _with_knees(processor_counts(most), subjects)
    axes.plot(
        processors,
        processors,
        linestyle=":",
        color=OTHER_COLOUR,
        label=LINEAR,
        zorder=3,
    )
    palette = colours()
    drawn: dict[str, None] = {LINEAR: None}
    for index, subject in enumerate(subjects):
        for name, values in bounds_of(subject.speedup, processors).items():
            drawn[name] = None
            axes.plot(
                processors,
                values,
                linestyle=_STYLES[name.removesuffix(ESTIMATED)],
                color=palette[index % len(palette)],
                label=plain(f"{subject.name}: {name}"),
            )
    _scale(axes, subjects, most, log)
    axes.set_xlabel("processors P")
    axes.set_ylabel("speedup")
    add_legend(axes, *_legend(subjects, list(drawn), palette))
    if title:
        figure.suptitle(plain(title))
    make_room(figure)
    return figure


def plot_simulated(
    processors: Sequence[int], curves: Mapping[str, Sequence[float]], log: bool, title: str
) -> Figure:
    """Speedups by what is changed, over what takes one processor now. `title` empty for none."""
    figure = Figure(figsize=matplotlib.rcParams["figure.figsize"], layout="constrained")
    axes = figure.subplots()
    axes.plot(processors, processors, linestyle=":", color=OTHER_COLOUR, zorder=3)
    handles = [Line2D([], [], color=OTHER_COLOUR, linestyle=":")]
    palette = colours()
    for index, values in enumerate(curves.values()):
        colour = palette[index % len(palette)]
        handles += axes.plot(processors, values, color=colour, marker="o", markersize=3)
    highest = max(value for values in curves.values() for value in values)
    most = processors[-1]
    _scale_axes(axes, most, max(2.0, 1.1 * highest), log, 1.0)
    axes.set_xlabel("processors P")
    axes.set_ylabel("speedup")
    names = [plain(shorten_middle(name, _LABEL)) for name in curves]
    add_legend(axes, handles, [LINEAR, *names])
    if title:
        figure.suptitle(plain(title))
    make_room(figure)
    return figure


def _with_knees(processors: Floats, subjects: Sequence[Subject]) -> Floats:
    """And where the bounds bend, between two whole numbers."""
    knees = [bound for subject in subjects for bound in subject.speedup.knees]
    inside = [knee for knee in knees if knee < processors[-1]]
    return np.union1d(processors, np.array(inside, dtype=np.float64))


def bounds_of(speedup: Speedup, processors: Floats) -> dict[str, Floats]:
    """The curves of a subject by name, the highest first; the perfect linear one is everybody's."""
    found = {SPAN: speedup.span_bound(processors)}
    serialised = speedup.serialised_bound(processors)
    if serialised is not None:
        found[SERIALISED] = serialised
    estimated = ESTIMATED if speedup.estimated else ""
    found[BURDENED + estimated] = speedup.burdened_bound(processors)
    return found


def _scale(axes: Axes, subjects: Sequence[Subject], most: int, log: bool) -> None:
    # Above the greatest bound, the perfect linear line says nothing more.
    greatest = max(subject.speedup.parallelism for subject in subjects)
    top = min(float(most), max(2.0, 1.6 * greatest))
    least = min(float(subject.speedup.burdened_bound(np.ones(1))[0]) for subject in subjects)
    _scale_axes(axes, most, top, log, least)


def _scale_axes(axes: Axes, most: int, top: float, log: bool, least: float) -> None:
    """Up to `most` processors and a speedup of `top`; `least`: the lowest that is drawn."""
    if not log:
        axes.set_xlim(0, most)
        axes.set_ylim(0, top)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(nbins=8, integer=True))
        return
    for scale, axis in ((axes.set_xscale, axes.xaxis), (axes.set_yscale, axes.yaxis)):
        scale("log", base=2)
        axis.set_major_locator(LogLocator(base=2, numticks=14))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(_power))
    axes.set_xlim(1, most)
    axes.set_ylim(max(2.0**-6, min(0.95, 0.9 * least)), top)


def _power(value: float, position: int | None = None) -> str:
    """64, 1/2: powers of two as they are."""
    if 0 < value < 1:
        return f"1/{1 / value:g}"
    return f"{value:g}" if value < 10_000 else number(value, position)


def _legend(
    subjects: Sequence[Subject], drawn: Sequence[str], palette: Sequence[str]
) -> tuple[list[Line2D], list[str]]:
    """Colours stand for the subjects, line styles for the bounds: not an entry for each pair."""
    handles, labels = [], []
    for index, subject in enumerate(subjects):
        value = parallelism_text(subject.speedup.parallelism)
        handles.append(Line2D([], [], color=palette[index % len(palette)], linewidth=4))
        labels.append(plain(f"{shorten_middle(subject.name, _LABEL)}: parallelism {value}"))
    ink = matplotlib.rcParams["text.color"]
    for name in drawn:
        colour = OTHER_COLOUR if name == LINEAR else ink
        handles.append(
            Line2D([], [], color=colour, linestyle=_STYLES[name.removesuffix(ESTIMATED)])
        )
        labels.append(name)
    return handles, labels
