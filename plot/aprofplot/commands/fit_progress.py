"""The bar that commands show on a terminal while many laws are fitted."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from aprofplot.fits.fitting import Progress

_PATIENCE = 1.0  # seconds, before a bar is shown


@contextmanager
def fit_progress() -> Iterator[Progress | None]:
    """To be told of fits as long as it is entered; None unless standard error is a terminal. The bar is
    gone at the end."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar.told
    finally:
        bar.end()


class _Bar:
    """By rich, drawn when fits are done: a thread of its own would be forked with the process."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as RichProgress

        self._began = time.monotonic()
        self._shown = RichProgress(
            TextColumn("fitting laws"),
            BarColumn(),
            MofNCompleteColumn(),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
        )
        self._task = self._shown.add_task("")

    def told(self, done: int, of: int) -> None:
        """That many are done. When all are, the terminal is free for the report."""
        if done == of:
            self.end()
        elif time.monotonic() - self._began >= _PATIENCE:
            self._shown.start()
            self._shown.update(self._task, completed=done, total=of, refresh=True)

    def end(self) -> None:
        """Takes the bar away."""
        self._shown.stop()
