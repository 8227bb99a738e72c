"""Legends: in the panel while they are short, else beside it, where the figure grows for them."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

_LONG = 6  # entries, from which it stands beside the panel


def add_legend(axes: Axes, handles: Sequence[Artist], labels: Sequence[str]) -> None:
    """A legend of all entries."""
    if len(labels) <= _LONG:
        axes.legend(handles, labels, loc="best")
    else:
        axes.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1.0))


def make_room(figure: Figure) -> None:
    """Widens the figure by the legends beside its panels: none of them takes a panel's place."""
    legends = [axes.get_legend() for axes in figure.axes]
    beside = [found for found in legends if found is not None and len(found.get_texts()) > _LONG]
    if beside:
        figure.draw_without_rendering()
        width = sum(found.get_window_extent().width for found in beside)
        figure.set_figwidth(figure.get_figwidth() + width / figure.dpi)
