"""Threads that share a std::atomic, from which they take work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from shadowing import shadow

FLAGS = ["-O2", "-std=c++20"]


def test_threads_that_take_work_from_a_counter_get_nearly_equal_parts(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    """The core's turns are two thirds of all the work here."""
    program = compile("shared_counter.cpp", *FLAGS, compiler="g++")
    shadow([program], tmp_path / "profile", "--fair-sched=yes")
    work: Counter[str] = Counter()
    for strand in profile_lines(tmp_path, "strand"):
        thread, parts = strand.split()[1], strand.split()[6]
        if parts != "-":
            work[thread] += sum(int(part.split(":")[1]) for part in parts.split(","))
    assert max(work.values()) < 0.5 * work.total()


def profile_lines(folder: Path, record: str) -> list[str]:
    """Those of a record."""
    lines = (folder / "profile").read_text().splitlines()
    return [line for line in lines if line.startswith(f"{record} ")]
