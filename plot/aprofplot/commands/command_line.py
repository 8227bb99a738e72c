"""Common parts of command lines: parsers, and values of options."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from aprofplot import __version__
from aprofplot.names import printable

EXIT_STATUS = "exit status: 0 done, 1 bad profile or nothing to show, 2 bad command line"
BAD_INPUT = 3  # exit status: a bad profile, file or command line


class CommandParser(argparse.ArgumentParser):
    """Says what is wrong with a command line on lines that do not drive the terminal."""

    def error(self, message: str) -> NoReturn:
        """As argparse does."""
        super().error(printable(message))


def command_parser(
    command: str,
    description: str,
    epilog: str,
    kind: type[CommandParser] = CommandParser,
) -> argparse.ArgumentParser:
    """A command line with --help, which ends with `epilog` as it is, and --version."""
    result = kind(
        prog=command,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version = f"%(prog)s (aprof-trms) {__version__}"
    result.add_argument("--version", action="version", version=version)
    return result


class GateParser(CommandParser):
    """Of commands whose exit status is a verdict: 0 is good, 1 bad, 2 "cannot tell". A bad command line
    is none: argparse's own exit status for it is 2."""

    def error(self, message: str) -> NoReturn:
        """As argparse does, but for the exit status."""
        self.print_usage(sys.stderr)
        self.exit(BAD_INPUT, f"{self.prog}: error: {printable(message)}\n")


def count(text: str) -> int:
    """The value of an option: a number from 0 on. ArgumentTypeError."""
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 on")
    return int(text)


def percentage(text: str) -> float:
    """`5`, `5%` or `5 %`, as 5.0. ValueError unless it is a number from 0 on."""
    value = float(text.rstrip("% "))
    if not 0 <= value < float("inf"):
        raise ValueError(text)
    return value
