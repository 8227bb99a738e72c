"""Compilers other than gcc for C and C++: names, activations and input of their programs.

Programs that Java's and JavaScript's virtual machines compile as they run are tried by hand only:
see docs/manual/aprof-trms.md.
"""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from aprofplot.model import argument_of
from aprofplot.read.profile_reader import read_profile
from compiling import preprocesses
from running import TESTS, finished, names, sizes
from running import run as run_natively


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """compiled(compiler, *flags, source): what it makes; skips when there is no such compiler."""

    def make(compiler, *arguments):
        path = shutil.which(compiler, path="/usr/bin") or shutil.which(compiler)
        if path is None:
            pytest.skip(f"{compiler} not installed")
        folder = tmp_path_factory.mktemp("programs")
        made = folder / "program"
        *flags, source = arguments
        result = run_natively(
            [path, *flags, "-o", made, TESTS / "programs" / source],
            # Go wants a folder for what it keeps.
            env={
                "PATH": "/usr/bin:/bin",
                "HOME": str(folder),
                "GOCACHE": str(folder / "cache"),
            },
        )
        assert result.returncode == 0, result.stderr.decode()
        return made

    return make


def profiled(profile, program, *options):
    native = run_natively([program])
    run = profile([program], *options)
    assert (run.process.returncode, run.process.stdout) == (0, native.stdout)
    routines = run.report()["routines"]
    total = sum(routine["cost"]["bb"]["self"] for routine in routines)
    for routine in routines:
        costs = routine["cost"]["bb"]
        assert costs["self"] <= costs["inclusive"] <= total, routine["name"]
    return run


# Fortran


@pytest.mark.parametrize("optimise", ["-O0", "-O1"])
def test_fortran(optimise, compile, profile, tmp_path):
    run = profiled(profile, compile("norm.f90", optimise, "-fno-inline", f"-J{tmp_path}"))
    norm1 = run.routine("__norms_MOD_norm1")
    assert (norm1["calls"], norm1["unfinished"]) == (10, 0)
    # The array of n reals, and its descriptor, which is the same for all.
    surplus = {size - 100 * (i + 1) for i, size in enumerate(sizes(norm1, "rms"))}
    assert len(surplus) == 1 and 0 < surplus.pop() < 20
    depth = run.routine("__norms_MOD_depth")
    assert (depth["calls"], depth["unfinished"]) == (51, 0)
    assert depth["cost"]["bb"]["inclusive"] == depth["cost"]["bb"]["self"]
    # An internal procedure gets its host's frame from it.
    scale_all, scaled = run.routine("__norms_MOD_scale_all"), run.routine("scaled.0")
    assert (scale_all["calls"], scaled["calls"]) == (1, 30)
    assert scale_all["cost"]["bb"]["inclusive"] == (
        scale_all["cost"]["bb"]["self"] + scaled["cost"]["bb"]["inclusive"]
    )
    assert finished(run, "MAIN__") == finished(run, "main") == 1


# OpenMP


def check_parallel_sum(run, body_name):
    """Two parallel regions of four threads each; a quarter of 4000 cells, then of 2000."""
    body, outer = run.routine(body_name), run.routine("parallel_sum")
    assert (body["calls"], body["unfinished"], body["threads"]) == (8, 0, 4)
    assert (outer["calls"], outer["unfinished"], outer["threads"]) == (2, 0, 1)
    for metric in ("rms", "trms"):
        points = body["points"][metric]
        for cells in (500, 1000):
            of_region = [p for p in points if cells <= p["size"] < cells + 300]
            assert sum(p["calls"] for p in of_region) == 4
    # Three threads' cells were written by the main one; the second region reads them again.
    assert body["induced"]["thread"] >= 3 * 1000 + 3 * 500
    return body, outer


def test_openmp_bodies_of_gcc(compile, profile):
    run = profiled(profile, compile("outlined.c", "-fopenmp"))
    body, outer = check_parallel_sum(run, "parallel_sum._omp_fn.0")
    # The main thread's share is its own call of the body, below the library's.
    assert outer["cost"]["bb"]["inclusive"] > body["cost"]["bb"]["inclusive"] / 4


def test_openmp_bodies_of_clang(compiled, profile):
    if not preprocesses("clang", "-fopenmp", "-include", "omp.h", "-xc"):
        pytest.skip("clang's OpenMP not installed")
    # DWARF 4: newer line tables are beyond some Valgrinds.
    program = compiled("clang", "-gdwarf-4", "-O2", "-fopenmp", "outlined.c")
    run = profiled(profile, program)
    (body,) = (name for name in names(run) if name.startswith(".omp_outlined."))
    check_parallel_sum(run, body)


# Rust


def test_a_finding_is_in_rust_code_of_the_user(compiled, profile):
    """The loop is the library's, whose source is in the program's own object."""
    program = compiled("rustc", "-g", "-O", "../../bench/programs/culprits/unique_ids.rs")
    (finding,) = profile([program]).fitted_report()["findings"]
    assert finding["function"] == "unique" and finding["file"].endswith("unique_ids.rs")
    assert "cmp.rs" not in finding["sentence"]


def test_arguments_are_not_taken_from_where_c_has_them(compiled, profile):
    """Unoptimised code does not say where its arguments come from."""
    run = profile([compiled("rustc", "-g", "arguments.rs")], "--arguments=yes")
    (weighted,) = (
        of
        for of in read_profile(str(run.paths[0])).routines
        if of.routine.name == "arguments::weighted"
    )
    assert weighted.calls == 60
    assert not any(map(argument_of, weighted.points))


@pytest.mark.parametrize("mangling", ["legacy", "v0"])
def test_rust(mangling, compiled, profile):
    flags = [] if mangling == "legacy" else ["-Csymbol-mangling-version=v0"]
    run = profiled(profile, compiled("rustc", "-g", "-O", *flags, "shapes.rs"))
    # Of the old names, a generic routine's instances have the same.
    if any("::<" in name for name in names(run) if name.startswith("shapes::total")):
        of_words, of_bytes = (run.routine(f"shapes::total::<{t}>") for t in ("u32", "u8"))
        assert (of_words["calls"], of_bytes["calls"]) == (10, 10)
        assert sizes(of_words, "rms") == list(range(100, 1001, 100))
        assert sizes(of_bytes, "rms") == list(range(25, 251, 25))
        assert finished(run, "shapes::main::{closure#1}") == 5
    else:
        assert mangling == "legacy"
        totals = [r for r in run.report()["routines"] if r["name"] == "shapes::total"]
        assert [total["calls"] for total in totals] == [10, 10]
        assert sorted(sizes(total, "rms") for total in totals) == [
            list(range(25, 251, 25)),
            list(range(100, 1001, 100)),
        ]
    assert finished(run, "<shapes::Square as shapes::Shape>::area") == 2
    # Panics through ten frames, caught four times.
    assert finished(run, "shapes::inner::fails") == 40
    assert finished(run, "shapes::catches") == 4
    catches, fails = run.routine("shapes::catches"), run.routine("shapes::inner::fails")
    assert catches["cost"]["bb"]["inclusive"] > fails["cost"]["bb"]["inclusive"]
    # A thread's, and the sort's callback.
    assert run.routine("shapes::sorted")["threads"] == 1
    compared = int(run.process.stdout.split()[-1])
    assert finished(run, "shapes::compare") == compared
    assert not any(name.startswith(("_R", "_ZN")) for name in names(run))


# Go. How its goroutines are spread over threads is not the same in every run.


@pytest.fixture(scope="module")
def go(compiled, module_profile):
    program = compiled("go", "build", "goroutines.go")
    if "rdtscp" not in Path("/proc/cpuinfo").read_text().split():
        # Valgrind announces it to the program all the same, and then does not execute it.
        alone = run_natively(["valgrind", "--tool=none", program])
        assert alone.returncode == -signal.SIGILL
        pytest.skip("a machine that hides rdtscp, where no tool of Valgrind runs Go's programs")
    return profiled(module_profile, program)


def test_go(go):
    expected = {"main.fib": 21891, "main.sum": 10 + 4, "main.worker": 4, "main.main": 1}
    assert {name: go.routine(name)["calls"] for name in expected} == expected
    total = go.routine("main.sum")
    assert total["cost"]["bb"]["self"] == total["cost"]["bb"]["inclusive"]


def test_input_of_go(go):
    assert sizes(go.routine("main.sum"), "rms") == sorted([*range(100, 1001, 100), 250])


def test_goroutines_switch_stacks(go):
    # runtime.main waits for other goroutines, and then calls main.main.
    outer, inner = go.routine("runtime.main"), go.routine("main.main")
    assert outer["cost"]["bb"]["inclusive"] > inner["cost"]["bb"]["inclusive"]


def test_stacks_of_goroutines_move(go):
    """Go copies a stack that has become too small; what is pending on it goes on in the copy."""
    activations = {"main.deep": 200 * 55 + 10 + 3001, "main.grow": 10}
    assert {name: finished(go, name) for name in activations} == activations
    assert go.routine("main.main")["unfinished"] == 0


# Addresses beyond those that Valgrind gives out by itself


def test_memory_at_high_addresses(compile, profile):
    run = profiled(profile, compile("high_addresses.c"))
    assert run.process.stdout.split()[1] == b"1"
    total = run.routine("sum")
    assert sizes(total, "rms") == sizes(total, "trms") == [100, 200, 300]
    assert total["induced"] == {"thread": 0, "external": 300}
