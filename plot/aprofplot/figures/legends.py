"""Legends: in the panel while they are short, else beside it, where the figure grows for them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

UNLISTED = "_unlisted"  # label of what has no entry
_NO_LABEL = re.compile(rf"{UNLISTED}|_child[0-9]+")  # the latter is what matplotlib gives
_LONG = 6  # lines, above which it stands beside the panel


def entries(axes: Axes) -> tuple[list[Artist], list[str]]:
    """The lines that were given a label, and their labels. Matplotlib's own way leaves out those
    that begin with an underscore, as many routines' names do."""
    found = [(line, str(line.get_label())) for line in axes.get_lines()]
    named = [(line, label) for line, label in found if not _NO_LABEL.fullmatch(label)]
    return [line for line, _ in named], [label for _, label in named]


def add_legend(axes: Axes, handles: Sequence[Artist], labels: Sequence[str]) -> None:
    """A legend of all entries."""
    numbers = [str(number) for number in range(len(labels))]  # it would refuse an underscore
    if not _is_long(labels):
        legend = axes.legend(handles, numbers, loc="best")
    else:
        legend = axes.legend(handles, numbers, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    for text, label in zip(legend.get_texts(), labels):
        text.set_text(label)


def _is_long(labels: Sequence[str]) -> bool:
    return sum(label.count("\n") + 1 for label in labels) > _LONG


def make_room(figure: Figure) -> None:
    """Widens the figure by the legends beside its panels: none of them takes a panel's place."""
    legends = [axes.get_legend() for axes in figure.axes if axes.get_legend() is not None]
    beside = [found for found in legends if _is_long([t.get_text() for t in found.get_texts()])]
    if beside:
        figure.draw_without_rendering()
        width = sum(found.get_window_extent().width for found in beside)
        figure.set_figwidth(figure.get_figwidth() + width / figure.dpi)
