"""What cilkshadow is told together (trace/event_log.hpp), and of invocations that are alike once,
gives the profile that the same events give one by one."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from running import Command
from shadowing import shadow


def numbers(profile: Path) -> tuple[list[str], Counter[tuple[str, ...]]]:
    """The totals and notes, but for the overhead, as the dynamic linker's differs from run to run;
    and of each call site who calls whom from where, and its numbers; by name, as what is looked at
    earlier has another number."""
    names: dict[str, dict[str, str]] = {"object": {}, "file": {"0": ""}, "routine": {"0": ""}}
    totals: list[str] = []
    sites: Counter[tuple[str, ...]] = Counter()
    lines = [line.split(" ") for line in profile.read_text().splitlines()]
    for kind, *values in lines:
        if kind in ("object", "file"):
            names[kind][values[0]] = " ".join(values[1:])
    for kind, *values in lines:
        if kind == "routine":
            number, in_object, in_file, _, *rest = values
            by = [names["object"][in_object], names["file"][in_file], *rest]
            names["routine"][number] = " ".join(by)
        elif kind == "site":
            _, caller, callee, in_file, *rest = values
            sites[
                (names["routine"][caller], names["routine"][callee], names["file"][in_file], *rest)
            ] += 1
        elif kind == "lock":
            values[2] = names["routine"][values[2]]
            totals.append(" ".join([kind, *values]))
        elif kind not in ("pid", "object", "file", "end", "overhead"):
            totals.append(" ".join([kind, *values]))
    return totals, sites


def check(command: Command, folder: Path, *options: str) -> None:
    found = []
    for together in ("no", "yes"):
        profile = folder / together
        environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"}
        shadow(command, profile, f"--together={together}", *options, env=environment)
        found.append(numbers(profile))
    (totals, sites), (totals_together, sites_together) = found
    assert totals_together == totals
    assert sites_together - sites == Counter()
    assert sites - sites_together == Counter()


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
