"""Checks that Valgrind has the tools that a batch needs."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable

from aprofplot.batch.runs import Run
from aprofplot.batch.suite import NATIVE, SuiteError


def check_tools(runs: Iterable[Run]) -> None:
    """SuiteError if a tool cannot be started."""
    starts = dict.fromkeys((run.under[0], run.tool) for run in runs if run.tool != NATIVE)
    for command, tool in starts:
        words = [command, f"--tool={tool}", "--help"]
        try:
            status = subprocess.run(words, capture_output=True).returncode
        except OSError as error:
            what = f"{command} cannot be run: {error.strerror}"
            raise SuiteError(what, "install valgrind, or name another with --valgrind") from error
        if status != 0:
            what = f"{command} has no tool {tool}"
            todo = "make install, or name one that has, as --valgrind=./vg-in-place"
            raise SuiteError(what, todo)
