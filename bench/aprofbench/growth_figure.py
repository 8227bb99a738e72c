"""The picture of bench/growth: time and memory against the size of each thing, both axes logarithmic."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from aprofbench.growth import costs, kinds
from aprofbench.figure_style import colour_of, plain_numbers, save
from aprofbench.overhead_table import Quantity, Row, Table
from aprofplot.figures.styles import MARKERS, applied, find_style

_LABELS: dict[Quantity, str] = {"user": "user time [s]", "memory": "peak memory [MB]"}


def draw_growth(table: Table, path: Path) -> None:
    """A column for each thing that grows; a dotted line is linear from the start's cost."""
    found = kinds(table)
    with applied(find_style("screen")):
        figure = Figure(figsize=(2.7 * len(found) + 1.2, 5.6), layout="constrained")
        grid = figure.subplots(2, len(found), squeeze=False, sharey="row")
        for column, (name, rows) in enumerate(found.items()):
            for row, quantity in enumerate(_LABELS):
                axes = grid[row][column]
                for index, tool in enumerate((table.base, *table.tools)):
                    sizes = {n: y for n, y in costs(rows, tool, quantity).items() if n > 0}
                    axes.plot(
                        list(sizes),
                        list(sizes.values()),
                        color=colour_of(tool),
                        marker=MARKERS[index % len(MARKERS)],
                        label=tool,
                    )
                _linear(axes, rows, table, quantity)
                _scales(axes)
            grid[1][column].set_xlabel(name)
        for row, quantity in enumerate(_LABELS):
            grid[row][0].set_ylabel(_LABELS[quantity])
        grid[0][0].legend()
        save(figure, path)


def _linear(axes: Axes, rows: list[Row], table: Table, quantity: Quantity) -> None:
    """What a cost that is proportional beyond the start's would be at most, from the largest size."""
    values = costs(rows, table.tools[-1] if table.tools else table.base, quantity)
    start, largest = values.get(0), max(values, default=0)
    if start is None or largest == 0:
        return
    sizes = sorted(size for size in values if size > 0)
    beyond = values[largest] - start
    line = [start + beyond * size / largest for size in sizes]
    axes.plot(sizes, line, ":", color="black", label="start + linear")


def _scales(axes: Axes) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    plain_numbers(axes.yaxis)
    axes.xaxis.set_major_locator(LogLocator(numticks=5))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
