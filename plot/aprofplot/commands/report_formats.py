"""Common parts of aprof-report and cilkshadow-report: their formats, and how these are written."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TextIO, TypeVar

from aprofplot.commands.command_line import count
from aprofplot.commands.output import open_output
from aprofplot.names import printable
from aprofplot.reports.aligned import NARROWEST

Arguments = argparse.Namespace
Listed = TypeVar("Listed")  # what a report is of


@dataclass(frozen=True)
class Format(Generic[Listed]):
    """One of --format's. `write` writes it to the file. It `lists` a choice of entries, by --sort and
    --filter, or has all. `output`: where it goes without -o."""

    says: str
    write: Callable[[TextIO, Listed, Arguments], None]
    lists: bool = True
    output: str = "-"


def add_format_options(
    command_line: argparse.ArgumentParser, formats: Mapping[str, Format[Any]], sourced: str
) -> None:
    """--format, one of `formats`, -o and --source-path. `sourced`: the formats that look for source
    files."""
    add = command_line.add_argument
    kinds = "; ".join(f"{name}: {kind.says}" for name, kind in formats.items())
    page = formats["html"].output
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
        help=f"for {sourced}: read source files below DIR only; may be repeated [those that debug "
        "information names, if the profile was made here by you]",
    )


def add_choice_options(
    to: argparse.ArgumentParser | argparse._ArgumentGroup, filter_help: str, entries: str, top: int
) -> None:
    """--filter and --top, of a table that has rows of `entries`, `top` of them unless asked for."""
    to.add_argument("--filter", action="append", default=[], metavar="PATTERN", help=filter_help)
    to.add_argument(
        "--top",
        type=count,
        default=top,
        metavar="N",
        help=f"number of {entries} in the table, 0: all [{top}]; other formats always have all",
    )


def add_table_options(command_line: argparse.ArgumentParser) -> None:
    """--width and --color."""
    command_line.add_argument(
        "--width",
        type=_table_width,
        metavar="N",
        help=f"columns of the table, {NARROWEST} or more [those of the terminal]",
    )
    command_line.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="auto: on a terminal, unless NO_COLOR is set [auto]",
    )


def _table_width(text: str) -> int:
    """The value of --width. ArgumentTypeError."""
    if count(text) < NARROWEST:
        raise argparse.ArgumentTypeError(f"'{text}' is too narrow: {NARROWEST} or more")
    return count(text)


def check_options(
    command_line: argparse.ArgumentParser,
    formats: Mapping[str, Format[Any]],
    arguments: Arguments,
) -> None:
    """Ends the command if one of the options above has no meaning here."""
    missing = next((d for d in arguments.source_path if not os.path.isdir(d)), None)
    if missing is not None:
        command_line.error(f"--source-path={missing}: no such folder")
    name = arguments.format
    if not formats[name].lists and (arguments.sort or arguments.filter):
        option = "--sort" if arguments.sort else "--filter"
        command_line.error(f"--format={name} always covers the whole run: leave {option} out")


def write_report(
    kind: Format[Listed], listing: Listed, arguments: Arguments, read: Sequence[str]
) -> None:
    """Writes it where -o says. AprofError if that cannot be, or is one of the files `read`."""
    with open_output(arguments.output or kind.output, read) as out:
        kind.write(out, listing, arguments)


def write_text(
    out: TextIO,
    arguments: Arguments,
    fitted: Callable[[int, bool], None],
    lines: Callable[[], Iterable[str]],
) -> None:
    """The table for people: `fitted` to a width, in colour or not, or, for files and pipes, the `lines`
    of one with all columns."""
    width = _fitted_width(out, arguments.width, arguments.color)
    if width is not None:
        fitted(width, _in_color(out, arguments.color))
        return
    for line in lines():
        print(printable(line), file=out)


def _fitted_width(out: TextIO, asked: int | None, color: str) -> int | None:
    """How wide a table is, by --width and --color, in characters; None for one with all columns."""
    if asked or out.isatty() or color == "always":
        return asked or shutil.get_terminal_size().columns
    return None


def _in_color(out: TextIO, asked: str) -> bool:
    """Whether to use colours, by --color; https://no-color.org."""
    if asked != "auto":
        return asked == "always"
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return out.isatty() and not plain
