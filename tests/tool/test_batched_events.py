"""Events that cilkshadow logs and processes in batches (trace/event_log.hpp) give the profile that
the same events give one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from running import Command
from shadowing import check_alike


def check(command: Command, folder: Path, *options: str) -> None:
    # Of what is measured once and repeated, the dag has a strand less often.
    both = ("--dag=no", *options)
    check_alike(command, folder, "--batch-events=no", "--batch-events=yes", *both)


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        ("fib.c", "18"),
        ("nqueens.c", "8"),
        ("mergesort.c", "20000"),
        ("mergesort.c", "20000 parallel"),
        ("parallel_sum.cpp", "5000"),
        ("quicksort.c", "20000"),
        ("pbfs.cpp", "20"),
        ("bfs.cpp", "5000"),
        ("strassen.c", "128"),
        ("fft.c", "4096"),
        ("cholesky.c", "60"),
        ("lu.c", "64"),
        ("heat.c", "64 10"),
        ("matmul.c", "32"),
        ("alike_loops.c", "40"),
    ],
)
@pytest.mark.parametrize("level", ["-O1", "-O2"])
def test_cilk_programs(
    source: str,
    arguments: str,
    level: str,
    cilk_program: Callable[..., Path],
    tmp_path: Path,
) -> None:
    check([cilk_program(source, level), *arguments.split()], tmp_path)


def test_basic_blocks_and_burden(cilk_program: Callable[..., Path], tmp_path: Path) -> None:
    for source, argument in (("fib.c", "16"), ("alike_loops.c", "40")):
        check([cilk_program(source), argument], tmp_path, "--work=bb", "--burden=100")


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_loops(
    level: str,
    cilk_program: Callable[..., Path],
    compile: Callable[..., Path],
    tmp_path: Path,
) -> None:
    check([compile("recursion_in_loops.c", level)], tmp_path, "--loops=yes")
    for source, argument in (("alike_loops.c", "20"), ("matmul.c", "32"), ("pbfs.cpp", "12")):
        check([cilk_program(source, level), argument], tmp_path, "--loops=yes")


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize(
    "source",
    [
        "alike.c",
        "assembly.c",
        "calls.c",
        "cold_part.c",
        "coroutines.c",
        "indirect.c",
        "recursion.c",
        "repeated_calls.c",
        "sorting.c",
        "tail_calls.c",
        "unwinding.cpp",
    ],
)
def test_whatever_calls_and_returns(
    source: str, level: str, compile: Callable[..., Path], tmp_path: Path
) -> None:
    check([compile(source, level)], tmp_path)


@pytest.mark.parametrize(
    "command", [["/usr/bin/python3", "-c", "print(sorted(map(str, range(3000)))[7])"], ["ls", "/"]]
)
def test_real_programs(command: list[str], tmp_path: Path) -> None:
    check(command, tmp_path)
