"""A simulated schedule: a row for each processor, in time; colours stand for the user's functions, hatches for
waiting, and a line below runs for the critical path.

Made in the style that is applied.
"""

from __future__ import annotations

from collections import Counter
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
from aprofplot.processors.timeline import WAITING, Interval

_FUNCTIONS = 7  # with a colour of their own
_LABEL = 40  # characters of a function's name
# Where in a row, from and how high: runs, and the line of the critical path below.
_RUNS, _BELOW = (-0.36, 0.72), (0.36, 0.1)
# Parts of the time: runs that are shorter than one are drawn as one with those beside.
_FINEST = 2000
_OTHERS, _CRITICAL = "others", "critical path"


def plot_timeline(intervals: Sequence[Interval], processors: int, time: int, title: str) -> Figure:
    """`time`: where it ends. `title` empty for none."""
    width, height = matplotlib.rcParams["figure.figsize"]
    height = max(height * 0.6, min(0.34 * processors + 1.6, 2.5 * height))
    figure = Figure(figsize=(1.3 * width, height), layout="constrained")
    axes = figure.subplots()
    colour_of = _colours(intervals)
    finest = max(1, time // _FINEST)
    for what, colour in colour_of.items():
        spans = [of for of in intervals if _entry(of, colour_of) == what]
        _draw(axes, _merged(spans, finest), _RUNS, _look(what, colour))
    critical = _merged([of for of in intervals if of.is_critical], finest)
    _draw(axes, critical, _BELOW, _look(_CRITICAL, _ink()))
    axes.set_xlim(0, max(time, 1))
    axes.set_ylim(processors - 0.4, -0.6)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=16, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(number))
    axes.set_xlabel("time")
    axes.set_ylabel("processor")
    axes.grid(visible=False)
    _add_legend(axes, colour_of)
    if title:
        figure.suptitle(plain(title))
    return figure


def _colours(intervals: Sequence[Interval]) -> dict[str, str]:
    """By what is drawn: those that run longest, all others, and what a processor waits for."""
    lengths: Counter[str] = Counter()
    for of in intervals:
        if of.strand >= 0:
            lengths[of.what] += of.end - of.begin
    palette = colours()
    longest = [what for what, _ in lengths.most_common(min(_FUNCTIONS, len(palette)))]
    found = dict(zip(longest, palette))
    if len(lengths) > len(longest):
        found[_OTHERS] = OTHER_COLOUR
    if any(of.what == WAITING for of in intervals):
        found[WAITING] = "none"
    return found


def _entry(of: Interval, colour_of: dict[str, str]) -> str:
    if of.strand < 0:
        return of.what
    return of.what if of.what in colour_of else _OTHERS


def _merged(spans: Sequence[Interval], finest: int) -> list[tuple[int, int, int]]:
    """Processor, begin and end; those with less between them than can be seen are one."""
    found: list[tuple[int, int, int]] = []
    for of in spans:
        if found and found[-1][0] == of.processor and of.begin - found[-1][2] < finest:
            found[-1] = (of.processor, found[-1][1], max(found[-1][2], of.end))
        else:
            found.append((of.processor, of.begin, of.end))
    return found


def _ink() -> str:
    return str(matplotlib.rcParams["text.color"])


def _look(what: str, colour: str) -> dict[str, str]:
    """Of bars, and of their entry in the legend."""
    if what == WAITING:
        return {"facecolor": colour, "edgecolor": _ink(), "hatch": "////"}
    return {"facecolor": colour, "edgecolor": "none"}


def _draw(
    axes: Axes,
    spans: Sequence[tuple[int, int, int]],
    where: tuple[float, float],
    look: dict[str, str],
) -> None:
    bottom, height = where
    by_processor = sorted(spans, key=lambda span: span[0])
    for row, of in groupby(by_processor, key=lambda span: span[0]):
        bars = [(begin, end - begin) for _, begin, end in of]
        axes.broken_barh(bars, (row + bottom, height), linewidth=0, **look)


def _add_legend(axes: Axes, colour_of: dict[str, str]) -> None:
    handles = [
        Patch(
            label=plain(shorten_middle(printable(what), _LABEL)) if what else "(unknown)",
            **_look(what, colour),
        )
        for what, colour in colour_of.items()
    ]
    handles.append(Patch(label=f"{_CRITICAL} (below)", **_look(_CRITICAL, _ink())))
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1.0))
