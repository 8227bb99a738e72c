"""Pictures of a table: slowdown and space of each program, or by number of threads (Figure 14)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from aprofbench.figure_style import colour_of, plain_numbers, save
from aprofbench.overhead_table import QUANTITIES, Quantity, Table, base_by_threads, over_threads
from aprofplot.figures.styles import MARKERS, applied, find_style

_LABELS = {"cpu": "slowdown: CPU time / {}", "memory": "space: peak memory / {}"}


def draw_table(table: Table, path: Path) -> None:
    """Bars: programs by tools, the geometric mean last."""
    with applied(find_style("screen")):
        figure = Figure(figsize=(max(6.4, 2 + 0.5 * len(table.rows)), 7), layout="constrained")
        for axes, quantity in zip(figure.subplots(2, sharex=True), QUANTITIES):
            _bars(axes, table, quantity)
        if table.tools:
            figure.axes[0].legend(ncols=len(table.tools), loc="lower left", bbox_to_anchor=(0, 1))
        save(figure, path)


def _bars(axes: Axes, table: Table, quantity: Quantity) -> None:
    names = [row.program for row in table.rows] + ["geometric mean"]
    places = np.arange(len(names)) + np.r_[np.zeros(len(table.rows)), 0.4]
    width = 0.8 / max(len(table.tools), 1)
    for index, tool in enumerate(table.tools):
        ratios = [row.ratio(quantity, tool, table.base) for row in table.rows]
        heights = [ratio or np.nan for ratio in (*ratios, table.mean(quantity, tool, table.base))]
        shift = (index - (len(table.tools) - 1) / 2) * width
        axes.bar(places + shift, heights, width, color=colour_of(tool), label=tool)
    axes.set_yscale("log")
    axes.set_ylim(bottom=min(1, axes.get_ylim()[0]) if _below_one(table, quantity) else 1)
    axes.margins(x=0.01)
    plain_numbers(axes.yaxis)
    axes.set_ylabel(_LABELS[quantity].format(table.base))
    axes.set_xticks(places, names, rotation=45, ha="right", rotation_mode="anchor")
    axes.grid(False, axis="x")


def draw_threads(table: Table, threads: Sequence[int], path: Path) -> None:
    """Lines: means by number of threads, as a multiple of `none`."""
    base = base_by_threads(table)
    everywhere = over_threads(table, threads)
    with applied(find_style("screen")):
        figure = Figure(figsize=(9.6, 4), layout="constrained")
        for axes, quantity in zip(figure.subplots(1, 2), QUANTITIES):
            for index, tool in enumerate(table.tools):
                if tool != base:
                    means = [everywhere.with_threads(n).mean(quantity, tool, base) for n in threads]
                    heights = [mean or np.nan for mean in means]
                    marker = MARKERS[index % len(MARKERS)]
                    axes.plot(threads, heights, color=colour_of(tool), marker=marker, label=tool)
            axes.set_xscale("log", base=2)
            axes.set_xticks(list(threads), [str(n) for n in threads])
            axes.set_ylim(0, 1.05 * axes.get_ylim()[1])
            axes.set_xlabel("threads")
            axes.set_ylabel(_LABELS[quantity].format(base))
        figure.axes[0].legend()
        save(figure, path)


def _below_one(table: Table, quantity: Quantity) -> bool:
    ratios = (row.ratio(quantity, tool, table.base) for row in table.rows for tool in table.tools)
    return any(ratio is not None and ratio < 1 for ratio in ratios)
