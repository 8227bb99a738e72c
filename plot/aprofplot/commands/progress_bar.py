"""A progress bar on a terminal for work that takes more than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from aprofplot.progress import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

_PATIENCE = 1.0  # seconds, before a bar is shown


@contextmanager
def progress_bar(doing: str) -> Iterator[Progress | None]:
    """To be told how far it is with `doing`, such as "fitting laws", as long as it is entered; None unless
    standard error is a terminal. The bar is gone at the end."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(doing)
    try:
        yield bar.told
    finally:
        bar.end()


class _Bar:
    """By rich, drawn when something is done: a thread of its own would be forked with the process."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._began = time.monotonic()
        self._shown: RichProgress | None = None

    def told(self, done: int, of: int) -> None:
        """That many are done. When all are, the terminal is free for the report."""
        if done == of:
            self.end()
        elif time.monotonic() - self._began >= _PATIENCE:
            self._shown = self._shown or _begun(self._doing)
            self._shown.update(self._shown.task_ids[0], completed=done, total=of, refresh=True)

    def end(self) -> None:
        """Takes the bar away."""
        if self._shown is not None:
            self._shown.stop()
            self._shown = None


def _begun(doing: str) -> RichProgress:
    # rich takes a tenth of a second to load: not for what is done at once
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as RichProgress

    shown = RichProgress(
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
    )
    shown.add_task("")
    shown.start()
    return shown
