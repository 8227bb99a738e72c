"""Work and span of threads: what orders them is in the span, locks only in the lock-serialised one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from running import VG_IN_PLACE, run

Shadow = Callable[..., tuple[dict[str, float], subprocess.CompletedProcess[bytes]]]


@pytest.fixture
def shadow(compile: Callable[..., Path], tmp_path: Path) -> Shadow:
    """shadow(how, *options): the totals of ordered_threads under cilkshadow, in those of one thread's work."""

    def run_once(
        how: str, *options: str
    ) -> tuple[dict[str, float], subprocess.CompletedProcess[bytes]]:
        profile = tmp_path / "profile"
        tool = [VG_IN_PLACE, "--tool=cilkshadow", f"--cilkshadow-out-file={profile}", *options]
        result = run([*tool, compile("ordered_threads.cpp", "-O1"), how])
        assert result.returncode == 0, result.stderr.decode()
        totals = {}
        for line in profile.read_text().splitlines():
            name, *values = line.split(" ")
            if name in ("work", "span", "serialised-span"):
                totals[name] = int(values[0])
        return {name: 2 * total / totals["work"] for name, total in totals.items()}, result

    return run_once


@pytest.mark.parametrize(
    ("how", "span"),
    [
        ("none", 1),
        ("async", 1),
        ("mutex", 1),
        ("rwlock", 1),
        ("join", 2),
        ("condition", 2),
        ("semaphore", 2),
        ("barrier", 2),
    ],
)
def test_span_knows_what_orders_threads(shadow: Shadow, how: str, span: int) -> None:
    totals, _ = shadow(how)
    assert totals["span"] == pytest.approx(span, abs=0.05)


@pytest.mark.parametrize("how", ["mutex", "rwlock"])
def test_critical_sections_are_serial_in_the_serialised_span(shadow: Shadow, how: str) -> None:
    totals, _ = shadow(how)
    assert totals["serialised-span"] == pytest.approx(1.5, abs=0.05)


def test_unit_may_be_basic_blocks(shadow: Shadow) -> None:
    totals, _ = shadow("none", "--work=bb")
    assert totals["span"] == pytest.approx(1, abs=0.05)


def test_summary_names_the_next_command(shadow: Shadow, tmp_path: Path) -> None:
    _, result = shadow("join")
    lines = [line.split(b"== ", 1)[1] for line in result.stderr.splitlines() if b"== " in line]
    assert lines[-1] == f"next: cilkshadow-report {tmp_path}/profile".encode()
    assert any(line.endswith(b"parallelism 1.00") for line in lines)


@pytest.mark.parametrize("option", ["--work=cycles", "--burden=-1", "--cilkshadow-out-file="])
def test_bad_options_end_the_run(option: str) -> None:
    result = run([VG_IN_PLACE, "--tool=cilkshadow", option, "/bin/true"])
    assert result.returncode == 1
    assert option.encode() in result.stderr
