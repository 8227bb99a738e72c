"""Time and memory of one run, from its folder in a batch, and all runs as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import IO

from aprofplot.batch.outcome import Result, how, why
from aprofplot.batch.plan import Batch
from aprofplot.batch.runs import Run

NOT_RUN = "not run"
PEAK = "peak"  # the file in a run's folder that GNU time writes


@dataclass(frozen=True)
class Measure:
    """CPU seconds of the run's processes, user and system and of these the system's, and the largest
    peak of resident memory among them in MB; None where it did not go well, and why it did not."""

    program: str
    input: str
    threads: int
    repetition: int
    tool: str
    cpu: float | None
    system: float | None
    memory: float | None
    failure: str = ""

    @property
    def user(self) -> float | None:
        """CPU seconds that are not the system's."""
        return None if self.cpu is None or self.system is None else self.cpu - self.system


def measured(batch: Batch, run: Run) -> Measure:
    """What is known of a run; NOT_RUN is a failure, too."""
    result = batch.result(run.id)
    cpu = system = memory = None
    failure = _failure(result)
    if result is not None and result.usage is not None and not failure:
        system = result.usage.system_s
        cpu = round(result.usage.user_s + system, 3)
        memory = _peak(batch.run_folder(run.id) / PEAK)
    which = (run.program, run.input, run.threads, run.repetition, run.tool)
    return Measure(*which, cpu, system, memory, failure)


def _failure(result: Result | None) -> str:
    if result is None:
        return NOT_RUN
    if result.outcome == "ok":
        return ""
    said = why(result)
    return f"{how(result)}: {said}" if said else how(result)


def _peak(path: Path) -> float:
    """GNU time's figure, of the program alone. (That of the kernel for a child of Python's never is
    below Python's own.)"""
    return round(int(path.read_text().split()[0]) / 1024, 1)


def write_csv(measures: Iterable[Measure], out: IO[str]) -> None:
    """A line for each run."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(field.name for field in fields(Measure))
    writer.writerows(astuple(measure) for measure in measures)
