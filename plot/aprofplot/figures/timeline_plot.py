"""A simulated schedule: a row for each processor, in time; colours stand for the user's functions, hatches for
waiting, and a line below runs for the critical path.

Made in the style that is applied.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from aprofplot.figures.captions import plain, shorten_middle
from aprofplot.figures.scales import number
from aprofplot.figures.styles import OTHER_COLOUR, colours
from aprofplot.names import printable
from aprofplot.processors.timeline import Interval
from aprofplot.processors.timeline_bars import Bars, Kind, Span, bars, critical_spans

_FUNCTIONS = 7  # with a colour of their own
_LABEL = 40  # characters of a function's name
# Where in a row, from and how high: runs, and the line of the critical path below.
_RUNS, _BELOW = (-0.36, 0.72), (0.36, 0.1)
# Parts of the time: each is drawn as what has most of it.
_FINEST = 2000


def plot_timeline(intervals: Sequence[Interval], processors: int, time: int, title: str) -> Figure:
    """`time`: where it ends. `title` empty for none."""
    width, height = matplotlib.rcParams["figure.figsize"]
    height = max(height * 0.6, min(0.34 * processors + 1.6, 2.5 * height))
    figure = Figure(figsize=(1.3 * width, height), layout="constrained")
    axes = figure.subplots()
    finest = max(1, -(-time // _FINEST))  # rounded up
    palette = colours()
    found = bars(intervals, min(_FUNCTIONS, len(palette)), finest)
    looks = [_look(of.kind, palette[rank % len(palette)]) for rank, of in enumerate(found)]
    for of, look in zip(found, looks):
        _draw(axes, of.spans, _RUNS, look)
    _draw(axes, critical_spans(intervals, finest), _BELOW, _filled(_ink()))
    axes.set_xlim(0, max(time, 1))
    axes.set_ylim(processors - 0.4, -0.6)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=16, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(number))
    axes.set_xlabel("time")
    axes.set_ylabel("processor")
    axes.grid(visible=False)
    _add_legend(axes, found, looks)
    if title:
        figure.suptitle(plain(title))
    return figure


def _ink() -> str:
    return str(matplotlib.rcParams["text.color"])


def _look(kind: Kind, colour: str) -> dict[str, str]:
    """Of bars, and of their entry in the legend. `colour`: if they are a function's."""
    if kind == "waiting":
        return {"facecolor": "none", "edgecolor": _ink(), "hatch": "////"}
    return _filled(colour if kind == "function" else OTHER_COLOUR)


def _filled(colour: str) -> dict[str, str]:
    return {"facecolor": colour, "edgecolor": "none"}


def _draw(
    axes: Axes, spans: Sequence[Span], where: tuple[float, float], look: dict[str, str]
) -> None:
    bottom, height = where
    for row, of in groupby(spans, key=lambda span: span[0]):
        lengths = [(begin, end - begin) for _, begin, end in of]
        axes.broken_barh(lengths, (row + bottom, height), linewidth=0, **look)


def _add_legend(axes: Axes, found: Sequence[Bars], looks: Sequence[dict[str, str]]) -> None:
    handles = [
        Patch(
            label=plain(shorten_middle(printable(of.what), _LABEL)) if of.what else "(unknown)",
            **look,
        )
        for of, look in zip(found, looks)
    ]
    handles.append(Patch(label="critical path (below)", **_filled(_ink())))
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1.0))
