"""Threads that use a std::atomic as a lock."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from shadowing import Shadowed, shadow

FLAGS = ["-O2", "-std=c++20"]


@pytest.fixture
def locking(compile: Callable[..., Path], tmp_path: Path) -> Callable[..., Shadowed]:
    """locking(how, *flags)"""

    def run(how: str, *flags: str) -> Shadowed:
        program = compile("spin_locks.cpp", *FLAGS, *flags, compiler="g++")
        return shadow([program, how], tmp_path / "profile", "--fair-sched=yes")

    return run


@pytest.mark.parametrize(
    ("how", "level"),
    [
        *((how, "-O2") for how in ("flag", "exchanges", "compares", "stores", "resets", "marks")),
        *((how, "-O0") for how in ("stores", "resets")),
    ],
)
def test_a_lock_made_of_an_atomic_orders_nothing_but_its_critical_sections(
    how: str, level: str, locking: Callable[..., Shadowed], tmp_path: Path
) -> None:
    run = locking(how, level)
    assert run.parallelism > 3.5
    assert run.serialised_parallelism < 1.3
    assert "unseen-synchronisation" not in run.notes
    [lock] = [line.split() for line in profile_lines(tmp_path, "lock")]
    acquired, held = map(int, lock[1:3])
    assert lock[4] == "spinlock"
    assert 4 * 300 - 8 <= acquired <= 4 * 300  # but for those before it was known to be one
    assert held > 0.8 * run.work * acquired / 1200


@pytest.mark.parametrize("level", ["-O2", "-O0"])
@pytest.mark.parametrize(
    "how", ["hands-over", "counts-down", "compares-down", "counts", "counts-up-to"]
)
def test_an_atomic_that_is_changed_otherwise_is_no_lock(
    how: str, level: str, locking: Callable[..., Shadowed], tmp_path: Path
) -> None:
    locking(how, level)
    assert profile_lines(tmp_path, "lock") == []


def reusing_lock(how: str, compile: Callable[..., Path], tmp_path: Path) -> Shadowed:
    program = compile("reused_lock.cpp", *FLAGS, compiler="g++")
    return shadow([program, how], tmp_path / "profile", "--fair-sched=yes")


def test_a_lock_that_turns_out_to_be_none_is_released(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    reusing_lock("is-cleared", compile, tmp_path)
    strands = [line.split() for line in profile_lines(tmp_path, "strand")]
    acquires, releases = (sum(strand[field] != "0" for strand in strands) for field in (3, 4))
    assert acquires == releases > 30


@pytest.mark.parametrize("how", ["stores", "sets", "exchanges"])
def test_a_flag_at_the_address_of_a_former_lock_is_no_lock(
    how: str, compile: Callable[..., Path], tmp_path: Path
) -> None:
    run = reusing_lock(how, compile, tmp_path)
    assert run.parallelism == pytest.approx(1, rel=0.01)
    assert not run.notes


def profile_lines(folder: Path, record: str) -> list[str]:
    """Those of a record."""
    lines = (folder / "profile").read_text().splitlines()
    return [line for line in lines if line.startswith(f"{record} ")]
