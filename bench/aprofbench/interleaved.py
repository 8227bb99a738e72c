"""Runs a suite one run at a time, the tools taking turns, into the folder of a batch.

A run's result is in its folder as soon as it has ended, and what has one is not run again, so that a
comparison can be interrupted at any time and goes on with the same command.
"""

from __future__ import annotations

import hashlib
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from aprofbench.measures import PEAK
from aprofplot.batch.engine import module_command
from aprofplot.batch.execute import INTERRUPTED
from aprofplot.batch.outcome import read_result
from aprofplot.batch.plan import RESULT, Batch
from aprofplot.batch.runs import Run
from aprofplot.errors import AprofError


def in_turns(runs: Sequence[Run]) -> list[Run]:
    """All programs once, under each tool in turn, then all once more: a machine whose speed drifts
    favours no tool, and there is a whole table early."""
    return sorted(runs, key=lambda run: run.repetition)


def with_peaks(runs: Sequence[Run], built: Path) -> list[Run]:
    """The runs under GNU time, which writes their peak memory down, and beside it the build of the
    tool: a tool that was changed makes another run, which has no result yet."""
    time = shutil.which("time")
    if time is None:
        raise AprofError("GNU time is missing", "install it (Debian: apt-get install time)")
    builds = {tool: _build(built, tool) for tool in {run.tool for run in runs}}
    return [
        replace(
            run,
            under=(time, "-q", "-o", f"{{run}}/{PEAK}", "-f", f"%M {builds[run.tool]}", *run.under),
        )
        for run in runs
    ]


def _build(built: Path, tool: str) -> str:
    """A digest of our own tools' programs; Valgrind's are those of the machine."""
    files = list(built.glob(f"*/{tool}-amd64-linux"))
    return hashlib.sha256(files[0].read_bytes()).hexdigest()[:12] if files else "valgrind"


def run_all(batch: Batch, pending: Sequence[Run]) -> Iterator[Run]:
    """Runs them, and yields each when it has ended. A setup that fails is its runs' failure."""
    for run in pending:
        for name, _ in run.setups:
            if read_result(batch.setup_folder(name) / RESULT) is None:
                _execute(batch, "setup", name)
        _execute(batch, "run", run.id)
        yield run


def _execute(batch: Batch, kind: str, name: str) -> None:
    """Another process, that watches the run and ends whatever it leaves behind."""
    command = [*shlex.split(module_command("aprofplot.batch.execute")), kind, name]
    # Interrupted in the midst of it, Popen would leave its process behind.
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    process = subprocess.Popen(command, cwd=batch.folder)
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        status = process.wait()
    except KeyboardInterrupt:
        # A terminal's signal went to all of us, others did not. SIGTERM, because who was started in the
        # background ignores SIGINT until it has said otherwise.
        process.terminate()
        process.wait()
        raise
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    if status != 0:
        raise AprofError(f"{kind} {name} could not be executed", "see the message before this one")
