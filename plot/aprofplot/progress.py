"""Reports the progress of long work."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]  # is told how many are done, and of how many
