"""Things made once for all processes of a test run: programs, and runs that are only read."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path


def made_once(key: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name, filled by `make` if nobody has done so yet; tests only read it.

    One process makes it, others that want it wait. After a failure the next one makes it anew."""
    folder = Path(os.environ["APROF_TESTS_SHARED"]) / key
    made = Path(f"{folder}.made")
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            made.touch()
    return folder
