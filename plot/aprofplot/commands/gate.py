"""What the commands whose exit status is a verdict do alike: 0 is good, 1 bad, 2 "cannot tell"."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

BAD_INPUT = 3  # exit status: a bad profile, file or command line


class GateParser(argparse.ArgumentParser):
    """A bad command line is no verdict: argparse's own exit status for it is 2."""

    def error(self, message: str) -> NoReturn:
        """As argparse does, but for the exit status."""
        self.print_usage(sys.stderr)
        self.exit(BAD_INPUT, f"{self.prog}: error: {message}\n")


def percentage(text: str) -> float:
    """`5`, `5%` or `5 %`, as 5.0. ValueError unless it is a number from 0 on."""
    value = float(text.rstrip("% "))
    if not 0 <= value < float("inf"):
        raise ValueError(text)
    return value
