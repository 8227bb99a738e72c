"""Who is told how far something is that takes long."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]  # is told how many are done, and of how many
