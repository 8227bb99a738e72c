"""The output of a picture: a file, whose name is checked before any work, or a window."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aprofplot.commands.running import put_path
from aprofplot.errors import AprofError, UsageError
from aprofplot.model import Routine

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure; `name` is that of its file, without suffix, if nobody names one, `remarks` are for
    standard error."""

    figure: Figure
    name: str
    remarks: tuple[str, ...] = ()
    single_point: bool = False


def check_output(path: str) -> None:
    """AprofError if no picture can be written there."""
    if path.rpartition(".")[2].lower() not in FORMATS or "." not in path:
        raise UsageError(
            f"{path}: unknown kind of picture",
            f"end the name in .{', .'.join(FORMATS)}",
        )
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise AprofError(
            f"{path}: cannot be written there", "name a folder that exists and is yours"
        )


def plain_name(title: str) -> str:
    """`title` as the name of a file in the current folder, without suffix."""
    return re.sub(r"[^A-Za-z0-9_.+-]+", "_", title).strip("_.")[:80] or "routine"


def routine_name(routine: Routine, others: Iterable[Routine]) -> str:
    """The name of a routine's file. With a digest of all that identifies the routine behind it if one
    of `others` would have the same name: operators, overloads of long parameters, namesakes."""
    name = plain_name(routine.name)
    if all(plain_name(o.name).lower() != name.lower() for o in others if o.key != routine.key):
        return name
    identity = "\0".join(map(str, routine.key)).encode(errors="surrogateescape")
    return f"{name}-{hashlib.sha256(identity).hexdigest()[:8]}"


def save(figure: Figure, path: str) -> None:
    """Writes the file and prints its path. AprofError if it cannot be written."""
    check_output(path)
    try:
        figure.savefig(path, bbox_inches="tight", pad_inches=0.05 * figure.get_figheight() ** 0.5)
    except OSError as error:
        raise AprofError(
            f"{path}: cannot be written: {error.strerror}", "name another file with -o"
        ) from error
    put_path(path)


def has_window() -> bool:
    """Whether there is a display, and something in Python that can draw on it."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    import matplotlib.pyplot as pyplot

    return bool(pyplot.get_backend().lower() not in ("agg", "pdf", "svg", "ps", "cairo"))


def show(figure: Figure) -> None:
    """Shows the figure in a window until it is closed."""
    import matplotlib.pyplot as pyplot

    figure.set_dpi(100)
    manager = pyplot.figure(figsize=figure.get_size_inches(), dpi=100).canvas.manager
    assert manager is not None
    manager.canvas.figure = figure
    figure.set_canvas(manager.canvas)
    pyplot.show()
