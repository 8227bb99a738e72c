"""The growth of the tool's own memory."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from compiling import preprocesses
from running import VG_IN_PLACE

pytestmark = pytest.mark.usefixtures("libraries_without_debug_info")
MEGABYTE = 1 << 20


def peak_memory(command: Sequence[str | Path]) -> int:
    """Bytes resident at most."""
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    kilobytes: int = used.ru_maxrss
    return kilobytes * 1024


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--pack-every=64"],
        ["--pack-every=100000"],
        ["--counter-limit=512"],
        ["--counter-limit=512", "--pack-every=64"],
        ["--counter-limit=512", "--pack-every=100000"],
    ],
)
def test_memory_accessed_here_and_there_takes_no_more_than_is_accessed(
    compile: Callable[..., Path], tmp_path: Path, options: list[str]
) -> None:
    program = compile("sparse.c")
    tool = [
        *(VG_IN_PLACE, "-q", "--tool=aprof-trms", *options),
        f"--aprof-out-file={tmp_path / 'profile'}",
    ]
    little = peak_memory([*tool, program, "1", "4"])
    much = peak_memory([*tool, program, "256", "4"])
    # Of each of 4096 chunks a page of the client's, and of both threads' and the writes'
    # timestamps, is touched, not 64 KiB of each.
    assert much - little < 4096 * 5 * 4096


def test_items_of_a_pipeline_leave_nothing(compile: Callable[..., Path], tmp_path: Path) -> None:
    """Also if there are so many that the run has no dag."""
    if not preprocesses("g++", "-include", "oneapi/tbb.h", "-xc++"):
        pytest.skip("libtbb-dev not installed")
    program = compile("tbb_order.cpp", "-Wl,--no-as-needed", "-ltbb", "-O2", "-g")
    profile = tmp_path / "profile"
    tool = [VG_IN_PLACE, "-q", "--tool=cilkshadow", f"--cilkshadow-out-file={profile}"]
    little = peak_memory([*tool, program, "20000_items"])
    much = peak_memory([*tool, program, "60000_items"])
    assert "\nspawns 120001\n" in profile.read_text()  # two calls an item, and the last one
    assert much - little < 40_000 * 32


def test_barriers_of_a_region_leave_nothing(compile: Callable[..., Path], tmp_path: Path) -> None:
    program = compile("openmp_order.c", "-O1", "-gdwarf-4", "-fopenmp")
    tool = [
        *(VG_IN_PLACE, "-q", "--tool=cilkshadow", "--dag=no"),
        f"--cilkshadow-out-file={tmp_path / 'profile'}",
    ]
    few = peak_memory([*tool, program, "barriers", "10000"])
    many = peak_memory([*tool, program, "barriers", "1000000"])
    assert many - few < 4 * MEGABYTE  # 96 bytes for each would be 95


def test_removed_queues_and_semaphores_leave_nothing(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    program = compile("ordered_threads.cpp", "-O1")
    tool = [
        *(VG_IN_PLACE, "-q", "--tool=cilkshadow", "--dag=no"),
        f"--cilkshadow-out-file={tmp_path / 'profile'}",
    ]
    few = peak_memory([*tool, program, "sysv-removed", "1000"])
    many = peak_memory([*tool, program, "sysv-removed", "100000"])
    assert many - few < 4 * MEGABYTE  # it was 190
