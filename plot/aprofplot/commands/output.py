"""Where a command writes: standard output, or a file that is there whole or not at all."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TextIO

from aprofplot.commands.running import table_width
from aprofplot.errors import AprofError
from aprofplot.reports.aligned import NARROWEST


def add_output_options(
    command_line: argparse.ArgumentParser, formats: Mapping[str, str], page: str, sourced: str
) -> None:
    """--format, one of `formats`, which say what they are, -o and --source-path. `page`: where html
    goes without -o; `sourced`: the formats that look for source files."""
    add = command_line.add_argument
    kinds = "; ".join(f"{name}: {says}" for name, says in formats.items())
    add("--format", choices=tuple(formats), default="text", help=f"{kinds} [text]")
    add(
        "-o",
        dest="output",
        metavar="FILE",
        help=f"write FILE, - for standard output [standard output; html: {page}]",
    )
    add(
        "--source-path",
        action="append",
        default=[],
        metavar="DIR",
        help=f"of {sourced}: look for source files below DIR first; may be given several times",
    )


def check_source_path(command_line: argparse.ArgumentParser, folders: Sequence[str]) -> None:
    """Ends the command if one is missing."""
    missing = next((folder for folder in folders if not os.path.isdir(folder)), None)
    if missing is not None:
        command_line.error(f"--source-path={missing}: no such folder")


def add_table_options(command_line: argparse.ArgumentParser) -> None:
    """--width and --color."""
    command_line.add_argument(
        "--width",
        type=table_width,
        metavar="N",
        help=f"columns of the table, {NARROWEST} or more [those of the terminal]",
    )
    command_line.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="auto: on a terminal, unless NO_COLOR is set [auto]",
    )


def in_color(out: TextIO, asked: str) -> bool:
    """Whether to use colours, by --color; https://no-color.org."""
    if asked != "auto":
        return asked == "always"
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return out.isatty() and not plain


def fitted_width(out: TextIO, asked: int | None, color: str) -> int | None:
    """How wide a table is, by --width and --color, in characters; None for one with all columns, as
    files and pipes get it."""
    if asked or out.isatty() or color == "always":
        return asked or shutil.get_terminal_size().columns
    return None


@contextmanager
def open_output(path: str, read: Sequence[str] = ()) -> Iterator[TextIO]:
    """Standard output for `-`, else a whole_file, whose path is printed once it is complete."""
    if path == "-":
        yield sys.stdout
        return
    with whole_file(path, read) as file:
        yield file
    print(path)


@contextmanager
def whole_file(path: str, read: Sequence[str] = ()) -> Iterator[TextIO]:
    """The file, which keeps what it had, and its permissions, until the new one is complete; devices
    and pipes are written as they are. AprofError if it cannot be written, or is one of those `read`.
    """
    if any(os.path.samefile(path, other) for other in read if _exist(path, other)):
        raise AprofError(f"{path} is read, and would be lost", "name another file to write")
    whole = os.path.realpath(path)  # what a link leads to is replaced, not the link
    regular = not os.path.exists(whole) or os.path.isfile(whole)
    part = f"{whole}.part" if regular else whole
    try:
        # surrogateescape: names in profiles may have bytes that are no UTF-8
        with open(part, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            yield file
        if regular:
            if os.path.exists(whole):
                os.chmod(part, os.stat(whole).st_mode & 0o7777)
            os.replace(part, whole)
    except OSError as error:
        what = f"{path}: cannot be written: {error.strerror or error}"
        raise AprofError(what, "name another file to write") from error
    finally:
        if regular:
            with suppress(OSError):
                os.remove(part)


def _exist(*paths: str) -> bool:
    return all(map(os.path.exists, paths))
