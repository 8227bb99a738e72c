"""--work-span=yes of aprof-trms: work and span of every activation beside its input size."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from aprofplot.read.work_span_reader import read_work_span
from compiling import cilk_flags
from shadowing import shadow

OPTIONS = ["--work-span=yes", "--cost=instr"]


def local_sums(profile: Path) -> dict[str, tuple[int, int]]:
    """By routine: local work and local span of its calls, as cilkshadow counts them."""
    sums: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for site in read_work_span(str(profile)).sites:
        work, span = sums[site.callee.name]
        local = site.on_work.local
        sums[site.callee.name] = work + local.work, span + local.span
    return sums


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        ("cilk/quicksort.c", ["2000"]),
        ("cilk/mergesort.c", ["500", "parallel"]),
        ("cilk/matmul.c", ["32"]),
        ("cilk_interrupted.c", ["raise"]),
        ("openmp_order.c", ["tasks"]),
        ("ordered_threads.cpp", ["semaphore"]),
    ],
)
def test_costs_are_those_of_cilkshadow(compile, profile, tmp_path, source, arguments):
    flags = cilk_flags() if source.startswith("cilk") else ["-fopenmp"]
    program = compile(source, *flags)
    wanted = shadow([program, *arguments], tmp_path / "shadow")
    sites = local_sums(tmp_path / "shadow")
    found = profile([program, *arguments], *OPTIONS).report()["routines"]
    own: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for routine in found:
        work, span = own[routine["name"]]
        cost = routine["cost"]
        own[routine["name"]] = work + cost["work"]["self"], span + cost["span"]["self"]
    assert len(sites) > 3
    assert {name: own[name] for name in sites} == dict(sites)
    main = next(r for r in found if r["name"] == "main")["cost"]
    assert wanted.work - main["work"]["inclusive"] < 1000
    assert wanted.span - main["span"]["inclusive"] < 1000


def test_input_sizes_and_costs_are_those_of_a_run_without(compile, profile):
    program = compile("cilk/quicksort.c", *cilk_flags())
    plain = profile([program, "500"]).report()["routines"]
    with_span = profile([program, "500"], "--work-span=yes").report()["routines"]

    def measured(routines: list[dict[str, Any]]) -> list[Any]:
        return [
            (r["name"], r["induced"], r["cost"]["bb"], r["points"]["trms"][0]["size"])
            for r in routines
            if r["points"]["trms"]
        ]

    assert measured(with_span) == measured(plain)


def test_serial_program_has_its_cost_as_work_and_as_span(compile, profile):
    points = profile([compile("scan.c")], *OPTIONS).routine("sum")["points"]["trms"]
    assert len(points) == 10
    for point in points:
        cost = point["cost"]
        assert cost["work"] == cost["span"] == cost["instr"]


def test_work_is_counted_in_basic_blocks_if_the_cost_is(compile, profile):
    run = profile([compile("scan.c")], "--work-span=yes")
    assert run.report()["events"]["span"] == "guest basic blocks"
    cost = run.routine("sum")["cost"]
    assert cost["work"] == cost["span"] == cost["bb"]


def test_span_grows_as_theory_says(compile, profile):
    """Quicksort with a serial partition: linear. Merge sort: linear, or with a parallel merge
    polylogarithmic. Matrix multiplication by halves: linear in the width, the root of its cells."""
    flags = cilk_flags()

    def fits(source: str, routine: str, *arguments: str) -> tuple[str, str]:
        run = profile([compile(source, *flags), *arguments], *OPTIONS)
        (found,) = [of["fits"] for of in run.fitted_report()["routines"] if of["name"] == routine]
        return found["work"]["trms"]["model"], found["span"]["trms"]["model"]

    assert fits("cilk/quicksort.c", "quicksort", "20000") == ("n log n", "n")
    assert fits("cilk/mergesort.c", "mergesort", "65536", "serial") == ("n log n", "n")
    work, span = fits("cilk/mergesort.c", "mergesort", "65536", "parallel")
    assert work == "n log n" and span in ("log^2 n", "log^3 n")
    assert fits("cilk/matmul.c", "multiply", "128") == ("n^1.5", "sqrt n")


def test_what_is_pending_at_the_end_has_its_work_and_span_so_far(compile, profile, tmp_path):
    source = tmp_path / "exits.c"
    source.write_text(
        """
        #include <cilk/cilk.h>
        #include <stdlib.h>
        __attribute__((noinline)) void spend(long n) { while (n--) __asm__ volatile(""); }
        __attribute__((noinline)) void half(long n) { spend(n); }
        __attribute__((noinline)) void both(void) {
          cilk_spawn half(100000);
          half(100000);
          cilk_sync;
          exit(0);
        }
        int main(void) { both(); return 1; }
        """
    )
    run = profile([compile(str(source), *cilk_flags())], *OPTIONS)
    assert run.routine("both")["unfinished"] == 1
    for name in ("both", "main"):
        cost = run.routine(name)["cost"]
        assert cost["work"]["inclusive"] == pytest.approx(2 * cost["span"]["inclusive"], rel=0.02)
        assert cost["work"]["self"] < 1000


def test_requests_of_a_scheduler_of_its_own(compile, profile, include):
    program = compile("own_scheduler.c", "-O1", include)
    cost = profile([program], *OPTIONS).routine("main")["cost"]
    parallelism = cost["work"]["inclusive"] / cost["span"]["inclusive"]
    assert parallelism == pytest.approx(8, rel=0.02)


@pytest.mark.parametrize(("how", "parallelism"), [("loads", 1), ("volatile", 2)])
def test_what_is_not_in_the_span_is_told(compile, include, profile, how, parallelism):
    program = compile("spinning_threads.cpp", "-O2", "-std=c++20", include)
    run = profile([program, how], *OPTIONS, "-v", "--fair-sched=yes")
    cost = run.routine("main")["cost"]
    assert cost["work"]["inclusive"] / cost["span"]["inclusive"] == pytest.approx(
        parallelism, rel=0.01
    )
    told = b"has no known partner" in run.process.stderr
    assert told == (parallelism > 1)
    assert b"no known partner" not in profile([program, how], "-v").process.stderr
