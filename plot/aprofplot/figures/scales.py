"""Axes: logarithmic if the data span decades, otherwise from 0; numbers as k, M, G."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter, FuncFormatter, MaxNLocator

from aprofplot.metrics import Floats

_LOG_SPAN = 1000  # largest to smallest positive value from which an automatic axis is logarithmic
_ROOM_FOR_0 = 0.5  # decades, between 0 and the first one
_eng = EngFormatter(sep="")


def choose_log(x: Floats, y: Floats, keeps_shape: bool) -> str:
    """The axes to make logarithmic, "", "x", "y" or "xy": those whose values span three decades;
    with `keeps_shape` both or none."""
    log_x, log_y = _spans_decades(x), _spans_decades(y)
    if keeps_shape:
        log_x = log_y = log_x and log_y
    return "x" * log_x + "y" * log_y


def set_scale(axes: Axes, which: str, values: Sequence[Floats] | Floats, log: bool) -> None:
    """Scales the axis `which`, "x" or "y", for `values`, which are not negative. A logarithmic one
    has a place for 0 if there are any."""
    joined = np.concatenate(values) if isinstance(values, Sequence) else values
    joined = joined if len(joined) else np.zeros(1)
    axis = axes.xaxis if which == "x" else axes.yaxis
    scale = axes.set_xscale if which == "x" else axes.set_yscale
    limit = axes.set_xlim if which == "x" else axes.set_ylim
    greatest = float(joined.max())
    if log and greatest > 0:
        if joined.min() > 0:
            scale("log")
        else:  # a logarithm has no place for 0
            decade = 10 ** np.floor(np.log10(min(1.0, joined[joined > 0].min())))
            scale("symlog", linthresh=decade, linscale=_ROOM_FOR_0)  # 0 is apart from all decades
            limit(0, 1.5 * greatest)
    else:
        limit(0.0, 1.04 * greatest or 1.0)
        axis.set_major_locator(MaxNLocator(nbins=6, integer=greatest >= 6))
    axis.set_major_formatter(FuncFormatter(number))


def number(value: float, position: int | None = None) -> str:
    """12k, 3.4M; below 1 as it is, where prefixes (12m) would mislead."""
    return str(_eng(value, position)) if abs(value) >= 1 else f"{value:g}"


def _spans_decades(values: Floats) -> bool:
    positive = values[values > 0]
    return bool(len(positive) and positive.max() / positive.min() >= _LOG_SPAN)
