"""Parallel loops that the program's code divides among threads and tasks: iterations and the work of each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from aprofplot.processors.parallel_loops import ParallelLoop, parallel_loops
from aprofplot.read.work_span_reader import read_work_span
from compiling import preprocesses
from running import run
from shadowing import shadow

BUILDS = pytest.mark.parametrize(
    ("compiler", "level"), [(c, o) for c in ("gcc", "clang") for o in ("-O0", "-O2")]
)
LIBRARY = ["-Wl,--no-as-needed", "-ltbb"]  # before what needs it
PER_UNIT = 2  # instructions


def function(of: ParallelLoop) -> str:
    """That has the loop, or the lambda that is its body."""
    return re.sub(r"::(\{lambda.*|\$_\d+)$", "", of.name).rpartition("::")[2]


def loops_of(program: Path, profile: Path, *options: str) -> dict[str, list[ParallelLoop]]:
    """By the function, in the order of its lines."""
    shadow([program], profile, *options)
    found: dict[str, list[ParallelLoop]] = defaultdict(list)
    for of in sorted(parallel_loops(read_work_span(str(profile))), key=lambda of: of.line):
        assert Path(of.file).name == program.name + Path(of.file).suffix
        found[function(of)].append(of)
    return found


def expected(program: Path) -> dict[str, list[tuple[int, ...]]]:
    """What the program says: executions (0: unknown), iterations, units of work, and those of the largest."""
    found: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for line in run([program]).stdout.decode().splitlines():
        name, *numbers = line.split()
        found[name].append(tuple(map(int, numbers)))
    return found


def check(of: ParallelLoop, executions: int, iterations: int, units: int, largest: int) -> None:
    """The work, as far as what is executed besides units is a constant of each iteration, and some of each part."""
    assert (of.executions, of.iterations) == (executions or of.executions, iterations)
    around = (of.work - PER_UNIT * units) / iterations
    assert around > 0 and of.largest is not None
    assert of.largest - PER_UNIT * largest == pytest.approx(around, abs=15, rel=0.1)


@BUILDS
def test_loops_with_a_static_schedule(
    compile: Callable[..., Path], tmp_path: Path, compiler: str, level: str
) -> None:
    if not preprocesses(compiler, "-fopenmp", "-include", "omp.h"):
        pytest.skip("no OpenMP")
    program = compile("divided_iterations.c", level, "-fopenmp", compiler=compiler)
    found = loops_of(program, tmp_path / "profile")
    said = expected(program)
    (leaf,) = found.pop("leaf")
    (outer,) = found.pop("nested_regions")
    ((executions, iterations, *_),) = said.pop("leaf")
    assert leaf.largest is None and leaf.iterations <= iterations and outer.iterations <= 10
    if level == "-O0":  # compilers unroll
        assert (leaf.executions, leaf.iterations) == (executions, iterations)
        assert (outer.executions, outer.iterations) == (2, 10)
    assert {name: len(loops) for name, loops in found.items()} == {
        name: len(loops) for name, loops in said.items()
    }
    for name, loops in said.items():
        for of, numbers in zip(found[name], loops):
            check(of, *numbers)
    if level == "-O0":
        again = loops_of(program, tmp_path / "one by one", "--batch-events=no")
        again.pop("leaf"), again.pop("nested_regions")
        for loops in (found, again):  # as many threads as find chunks execute a dynamic loop
            loops["beside_dynamic"] = [replace(of, executions=0) for of in loops["beside_dynamic"]]
        assert again == found


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_loops_that_are_not_divided(
    compile: Callable[..., Path], tmp_path: Path, level: str
) -> None:
    """In gcc's code, which asks for the thread's number before loops of all kinds."""
    program = compile("undivided_loops.c", level, "-fopenmp")
    found = loops_of(program, tmp_path / "profile")
    counts = {name: [(of.executions, of.iterations) for of in found[name]] for name in found}
    assert counts == {"with_single": [(4, 1000), (4, 500)], "with_reduction": [(4, 1000)]}
    # What was counted is not only what was measured. A loop without a record is on a path.
    measured = loops_of(program, tmp_path / "measured", "--toggle-collect=measured")
    assert set(measured) <= {"sometimes"} and not measured["sometimes"]


@BUILDS
def test_loops_of_onetbb(
    compile: Callable[..., Path], tmp_path: Path, compiler: str, level: str
) -> None:
    if not preprocesses("g++", "-include", "oneapi/tbb.h", "-xc++"):
        pytest.skip("libtbb-dev not installed")
    cxx = {"gcc": "g++", "clang": "clang++"}[compiler]
    program = compile("divided_ranges.cpp", level, *LIBRARY, compiler=cxx)
    # How often parts are divided differs from run to run.
    found = loops_of(program, tmp_path / "profile")
    said = expected(program)
    ((_, rows, *_),) = said.pop("two_dimensions")
    (of,) = found.pop("two_dimensions")
    assert rows >= 20 and 20 <= of.iterations and of.executions <= of.iterations
    if (compiler, level) == ("clang", "-O0"):  # the condition of oneTBB's loop counts as its body
        del said["for_each"], found["for_each"]
    assert sorted(found) == sorted(said)
    for name, (numbers,) in said.items():
        (of,) = found[name]
        check(of, *numbers)
