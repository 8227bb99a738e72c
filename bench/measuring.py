"""What the benchmarks share: a process's CPU time and peak memory, as the operating system counts."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

BENCH = Path(__file__).resolve().parent
VG_IN_PLACE = str(Path(os.environ.get("APROF_BUILDDIR", BENCH.parent)) / "vg-in-place")


@dataclass(frozen=True)
class Usage:
    """CPU (user and system) in seconds, peak resident set in MB."""

    cpu: float
    memory: float


def measure(command: list[str]) -> Usage:
    """One run; its output is thrown away. Exits with a message if the command fails."""
    child = os.fork()
    if child == 0:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nowhere, standard)
        try:
            os.execvp(command[0], command)
        finally:
            os._exit(127)
    _, status, used = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"{Path(sys.argv[0]).name}: failed: {shlex.join(command)[:300]}")
    return Usage(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
