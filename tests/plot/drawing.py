"""The figure that aprof-plot draws for a command line, as matplotlib's objects instead of a file."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from aprofplot.commands import plot_programs, plot_routines
from aprofplot.commands.picture import Picture
from aprofplot.commands.plot_options import parse
from aprofplot.commands.loading import load_profiles
from aprofplot.figures import styles


def picture(*arguments: object) -> Picture:
    """The picture, with its remarks; profiles must be named."""
    given = parse([str(argument) for argument in arguments])
    paths = given.arguments if given.program else given.arguments[1:]
    profile = load_profiles(paths, per_thread=True)
    draw = (plot_programs if given.program else plot_routines).prepare(given, profile)
    style = styles.find_style(given.style)
    with styles.applied(style):
        made = draw(style.titled)
        made.figure.draw_without_rendering()
    return made


def drawn(*arguments: object) -> Figure:
    """The figure only."""
    return picture(*arguments).figure


def panel(*arguments: object) -> Axes:
    """The only panel of the figure."""
    (axes,) = drawn(*arguments).axes
    return axes


def points(axes: Axes) -> dict[str, list[tuple[float, float]]]:
    """What each line of a panel shows, by label."""
    return {
        str(line.get_label()): [(float(x), float(y)) for x, y in zip(*line.get_data())]
        for line in axes.get_lines()
    }


def all_points(axes: Axes) -> list[tuple[float, float]]:
    """What all lines of a panel show."""
    return [(x, y) for line in axes.get_lines() for x, y in zip(*line.get_data())]


def legend(axes: Axes) -> list[str]:
    """The entries of the legend, none without one."""
    found = axes.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]
