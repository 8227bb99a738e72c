"""The fitted curve of a series: its line, its confidence band and its formula."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties

from aprofplot.figures.captions import plain
from aprofplot.figures.series import Series
from aprofplot.figures.styles import LINE_STYLES
from aprofplot.figures.views import CostView
from aprofplot.fits.law import CANNOT_TELL, Fit

_STEPS = 400  # of a line
_CHARACTERS = 85  # of a label of one point, an inch of the panel
_MARGIN = 0.6  # inches, of the figure beside the panel


def fits_of(series: Sequence[Series], view: CostView) -> list[Fit | None]:
    """The fit of each series; None for those without a colour of their own."""
    from aprofplot.fits.fitting import (
        fit_table,
    )  # brings scipy: for those who want fits

    return [
        fit_table(one.table, view.event, view.own, view.statistic, one.metric) if one.own else None
        for one in series
    ]


def fit_notes(series: Sequence[Series], fits: Sequence[Fit | None]) -> list[str]:
    """Why there is no line where there is none."""
    notes = []
    for one, fit in zip(series, fits):
        if fit is not None and fit.model == CANNOT_TELL:
            of = f" of {one.label}" if len(series) > 1 else ""
            notes.append(f"growth{of}: cannot tell ({fit.reason})")
    return notes


def draw_fits(
    axes: Axes, series: Sequence[Series], fits: Sequence[Fit | None], log_x: bool
) -> None:
    """Lines and bands over the range of the points; nothing for a fit that cannot tell."""
    for index, (one, fit) in enumerate(zip(series, fits)):
        if fit is None or fit.model == CANNOT_TELL:
            continue
        sizes = one.table.column("size")
        first, last = float(sizes[0]), float(sizes[-1])
        if log_x:  # on which 0 has a place, too
            x = np.expm1(np.linspace(np.log1p(first), np.log1p(last), _STEPS))
        else:
            x = np.linspace(first, last, _STEPS)
        low, high = fit.band(x)
        # A line of the points' own colour would be lost among them.
        colour = one.colour if len(series) > 1 else matplotlib.rcParams["text.color"]
        axes.fill_between(
            x,
            np.maximum(low, 0),
            high,
            color=one.colour,
            alpha=0.2,
            linewidth=0,
            zorder=2,
        )
        axes.plot(
            x,
            fit.predict(x),
            color=colour,
            linestyle=LINE_STYLES[index % len(LINE_STYLES)],
            label=_label(one, fit, len(series)),
            zorder=3.5,
        )


def _label(series: Series, fit: Fit, count: int) -> str:
    quality = "" if fit.r2 is None else f"R² {fit.r2:.3f}, "
    # What stays in one line has no-break spaces.
    certainty = f"({quality}95 % band)".replace(" ", "\N{NO-BREAK SPACE}")
    terms = fit.formula.replace(" n", "\N{NO-BREAK SPACE}n")
    formula = f"{terms}  {certainty}"
    label = formula if count == 1 else f"{series.label}: {formula}"
    # A segmented law is long, and a legend must not be wider than the axes.
    lines = textwrap.fill(plain(label), _label_width(), break_long_words=False)
    return lines.replace("\N{NO-BREAK SPACE}", " ")


def _label_width() -> int:
    """In characters: what leaves room for a curve in the panel, and at least a few words."""
    size = FontProperties(size=matplotlib.rcParams["legend.fontsize"]).get_size_in_points()
    inches: float = matplotlib.rcParams["figure.figsize"][0] - _MARGIN
    return max(20, int(_CHARACTERS * inches / size))
