"""The common style of the pictures."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator
from PIL import Image

from aprofplot.figures.styles import OTHER_COLOUR, colours

_COLOURED = ("cilkshadow", "aprof-trms", "memcheck", "callgrind", "helgrind")


def colour_of(tool: str) -> str:
    """A tool's colour, in all pictures."""
    if tool == "none":
        return OTHER_COLOUR
    known = colours()
    return known[(_COLOURED.index(tool) if tool in _COLOURED else -2) % len(known)]


def plain_numbers(axis: Axis) -> None:
    """1, 2, 5, 10, 20, ... on a logarithmic axis."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=12))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def save(figure: Figure, path: Path) -> None:
    """A PNG has a palette, which is enough, and half the size."""
    figure.savefig(path)
    if path.suffix == ".png":
        with Image.open(path) as picture:
            small = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        small.save(path, optimize=True)
