"""The progress of a batch: on a terminal, a bar with the time left; otherwise, a line per run."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from aprofplot.batch.outcome import Result, how
from aprofplot.names import printable


class Progress(Protocol):
    """Shown on standard error."""

    def ended(self, run: str, result: Result) -> None:
        """One more run has ended."""


@contextmanager
def progress(total: int) -> Iterator[Progress]:
    """For so many runs, as long as it is entered."""
    if not sys.stderr.isatty():
        yield _Lines(total)
        return
    bar = _Bar(total)
    with bar.shown:
        yield bar


class _Lines:
    """`[ 3/12] sort/small-t2-r1-aprof-trms: ok, 1.20 s CPU; about 40 s left`"""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._began = time.monotonic()

    def ended(self, run: str, result: Result) -> None:
        self._done += 1
        left = (time.monotonic() - self._began) / self._done * (self._total - self._done)
        count = f"[{self._done:>{len(str(self._total))}}/{self._total}]"
        cpu = result.usage and f", {result.usage.user_s + result.usage.system_s:.2f} s CPU" or ""
        after = f"; about {duration(left)} left" if self._done < self._total else ""
        print(
            printable(f"{count} {run}: {how(result)}{cpu}{after}"),
            file=sys.stderr,
            flush=True,
        )


class _Bar:
    """By rich; failures are lines above the bar."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as RichProgress

        self.shown = RichProgress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[failed]} failed"),
            TextColumn("{task.description}"),
            console=Console(stderr=True),
            speed_estimate_period=3600,
        )
        self._failed = 0
        self._task = self.shown.add_task("", total=total, failed=0)

    def ended(self, run: str, result: Result) -> None:
        from rich.markup import escape

        if result.outcome != "ok":
            self._failed += 1
            self.shown.console.print(escape(printable(f"{run}: {how(result)}")), highlight=False)
        self.shown.update(self._task, advance=1, failed=self._failed, description=escape(run))


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `3 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
