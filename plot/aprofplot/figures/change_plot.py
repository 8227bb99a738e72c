"""A routine's cost in two profiles, one over the other, as a small SVG for a page."""

from __future__ import annotations

import io
import re

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, LogLocator, MaxNLocator, NullFormatter

from aprofplot.compare.changes import Change
from aprofplot.compare.ratios import Curve

# The first two of the styles' palette, Okabe and Ito's.
OLD_COLOUR, NEW_COLOUR = "#0072B2", "#D55E00"
_MOST_POINTS = 300  # of a side: more look the same and make a page large
# Axes are logarithmic if the sizes span so much, or one side's costs are so far above the other's.
_LOG_SPAN, _LOG_DISTANCE = 100, 10


def change_svg(change: Change, metric: str, event: str) -> str:
    """An <svg> element: points and fitted laws of both sides; empty if neither has points."""
    sides = ((change.old.curve, OLD_COLOUR, "o"), (change.new.curve, NEW_COLOUR, "s"))
    if not any(len(curve.sizes) for curve, _, _ in sides):
        return ""
    figure = Figure(figsize=(4.2, 2.6), layout="constrained")
    axes = figure.subplots()
    for curve, colour, marker in sides:
        _draw(axes, curve, colour, marker)
    _scale(axes, [curve for curve, _, _ in sides])
    axes.set_xlabel(f"input size ({metric.upper()})")
    axes.set_ylabel(f"cost ({event})")
    axes.grid(True, color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return _as_element(figure, str(change.match.new.routine))


def _draw(axes: Axes, curve: Curve, colour: str, marker: str) -> None:
    if not len(curve.sizes):
        return
    shown = np.unique(np.linspace(0, len(curve.sizes) - 1, _MOST_POINTS).astype(np.int64))
    hollow = marker == "s"
    axes.plot(
        curve.sizes[shown],
        curve.costs[shown],
        linestyle="none",
        marker=marker,
        markersize=4.5 if hollow else 3.5,
        markerfacecolor="none" if hollow else colour,
        markeredgecolor=colour,
        markeredgewidth=0.9 if hollow else 0,
    )
    if curve.fit.law is not None:
        low = max(float(curve.sizes[0]), 1.0)
        grid = np.geomspace(low, max(float(curve.sizes[-1]), low), 80)
        law = curve.fit.predict(grid)
        sane = (
            law >= curve.costs.min() / 2
        )  # near its root, a logarithmic axis would show that only
        axes.plot(grid[sane], law[sane], color=colour, linewidth=1.1, alpha=0.8)


def _scale(axes: Axes, curves: list[Curve]) -> None:
    sizes = np.concatenate([curve.sizes for curve in curves])
    tops = [curve.costs.max() for curve in curves if len(curve.costs)]
    apart = max(tops) / min(tops) >= _LOG_DISTANCE
    if sizes.min() > 0 and (apart or sizes.max() / sizes.min() >= _LOG_SPAN):
        axes.set_xscale("log")
        axes.set_yscale("log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(LogLocator(numticks=6))
            axis.set_minor_formatter(NullFormatter())
    else:
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(EngFormatter(sep=""))


def _as_element(figure: Figure, salt: str) -> str:
    """Without the XML header and metadata; ids differ from those of the page's other plots."""
    out = io.StringIO()
    style = {"svg.fonttype": "none", "svg.hashsalt": salt, "font.family": "sans-serif"}
    with matplotlib.rc_context(style):
        figure.savefig(out, format="svg", metadata={"Date": None}, transparent=True)
    svg = out.getvalue()
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    return svg.replace("<svg ", '<svg role="img" ', 1)
