"""The style of pictures: matplotlib style files, and the order of colours and markers.

style_files/ has the styles of aprof-plot; each builds on `screen`, as a user's own does.
"""

from __future__ import annotations

import contextlib
import logging
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import matplotlib.style

from aprofplot.errors import AprofError, UsageError

STYLE_NAMES = ("screen", "paper", "dark")
OTHER_COLOUR = "#999999"  # of what has no colour of its own; seen on light and dark
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
METRIC_MARKERS = {"trms": "o", "rms": "s", "iterations": "D", "progress": "o"}
LINE_STYLES = ("-", "--", "-.", ":")
_FOLDER = Path(__file__).parent / "style_files"


@dataclass(frozen=True)
class Style:
    """A style: the files to apply, in order. `titled`: whether pictures have a title and say which
    run they show; `kind`: the file format where none is asked for."""

    files: tuple[str, ...]
    titled: bool = True
    kind: str = "png"


def find_style(name: str) -> Style:
    """One of STYLE_NAMES, a matplotlib style file, or a style that matplotlib knows by name.
    UsageError if it is none of them, AprofError if it is broken."""
    base = str(_FOLDER / "screen.mplstyle")
    if name == "screen":
        return Style((base,))
    if name in STYLE_NAMES:
        paper = name == "paper"
        own = str(_FOLDER / f"{name}.mplstyle")
        return Style((base, own), titled=not paper, kind="pdf" if paper else "png")
    if os.path.isfile(name):
        _check_style_file(name)
    elif name not in matplotlib.style.library:
        raise UsageError(
            f"--style={name}: no such style, and no such file",
            f"choose {', '.join(STYLE_NAMES)}, or name a matplotlib style file",
        )
    return Style((base, name))


@contextlib.contextmanager
def applied(style: Style) -> Iterator[None]:
    """While it lasts, figures are made and saved in this style."""
    with matplotlib.style.context(list(style.files)), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a name has letters that the font lacks
        yield


def colours() -> list[str]:
    """The colours of series, in order, of the style that is applied."""
    cycle = matplotlib.rcParams["axes.prop_cycle"].by_key()
    return list(cycle.get("color", ["#0072B2"]))


def metric_colours() -> dict[str, str]:
    """Each metric keeps its colour in all pictures."""
    first = colours()
    of_loops = dict.fromkeys(("iterations", "progress"), first[2 % len(first)])
    return {"trms": first[0], "rms": first[1 % len(first)], **of_loops}


class _Kept(logging.Handler):
    """Keeps messages instead of printing them."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _check_style_file(path: str) -> None:
    # matplotlib logs, over several lines, what it cannot understand, and goes on without it.
    logger, kept = logging.getLogger("matplotlib"), _Kept()
    logger.addHandler(kept)
    propagates, logger.propagate = logger.propagate, False
    try:
        matplotlib.rc_params_from_file(path, fail_on_error=True, use_default_template=False)
    except (OSError, ValueError, KeyError, UnicodeDecodeError) as error:
        kept.messages.append(str(error))
    finally:
        logger.removeHandler(kept)
        logger.propagate = propagates
    if kept.messages:
        what = " ".join(kept.messages[0].split())
        raise AprofError(f"--style={path}: {what}", "see matplotlib's documentation of style files")
