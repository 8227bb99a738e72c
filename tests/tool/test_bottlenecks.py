"""cilkshadow-report's findings on programs with one bottleneck each: the first names it, and after the
repair it is gone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from compiling import cilk_flags, compiled
from running import TESTS, report_command
from shadowing import shadow

from aprofplot.read.work_span_reader import read_work_span

PROGRAMS = TESTS / "programs"
BENCH = TESTS.parent / "bench" / "programs" / "bottlenecks"
SCHEMA = TESTS.parent / "docs" / "schema" / "cilkshadow-report.schema.json"
CHECK = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))


def report(program: Path, folder: Path, *options: str) -> dict[str, Any]:
    shadow([program], folder / "profile", "--fair-sched=try", env={"OMP_NUM_THREADS": "4"})
    result = report_command(
        "cilkshadow-report", "--format=json", "--processors=4", *options, folder / "profile"
    )
    assert result.returncode == 0, result.stderr.decode()
    found: dict[str, Any] = json.loads(result.stdout)
    CHECK.validate(found)
    return found


@pytest.mark.parametrize("level", ["-O1", "-O2"])
@pytest.mark.parametrize(
    ("source", "kind", "function", "lock"),
    [
        ("serial_phase.c", "serial phase", "sum_up", None),
        ("uneven_shares.c", "imbalance", "convolve", None),
        ("held_lock.c", "lock", "count", "histogram_lock"),
        ("small_tasks.c", "grain", "negate", None),
        ("slow_stage.c", "pipeline stage", "transform", None),
        ("long_chain.c", "dependency chain", "update", None),
        ("many_barriers.c", "barrier", "simulate", None),
    ],
)
def test_the_first_finding_is_the_bottleneck(
    source: str, kind: str, function: str, lock: str | None, level: str, tmp_path: Path
) -> None:
    check("gcc", level, source, kind, function, lock, tmp_path)


@pytest.mark.parametrize(
    ("source", "kind", "function"),
    [
        ("uneven_threads.cpp", "imbalance", "main::{lambda#1}"),
        ("barrier_in_functor.cpp", "barrier", "Simulation::operator()"),
    ],
)
def test_bodies_of_libraries_threads_are_named(
    source: str, kind: str, function: str, tmp_path: Path
) -> None:
    check("g++", "-O2", source, kind, function, None, tmp_path)


@pytest.mark.parametrize("source", ["healthy_pool.cpp", "healthy_pipeline.cpp"])
def test_a_healthy_program_of_threads_has_no_finding(source: str, tmp_path: Path) -> None:
    """Whichever threads of a pool took more jobs in the run; and stages may run the same function."""
    program = compiled("g++", "-std=c++20", "-O2", "-g", "-pthread", BENCH / source)
    assert not report(program, tmp_path)["findings"]


def test_tasks_whose_body_is_inlined_into_a_template_are_a_chain(tmp_path: Path) -> None:
    program = compiled("g++", "-std=c++20", "-O2", "-g", BENCH / "chain_flow.cpp", "-ltbb")
    first = report(program, tmp_path)["findings"][0]
    assert (first["kind"], first["function"]) == ("dependency chain", "fold")


def test_an_inlined_function_that_calls_a_library_is_named(tmp_path: Path) -> None:
    """Also behind the body of a parallel region, which is within the function in debug information."""
    source = str(BENCH / "serial_qsort.c")
    check("gcc", "-O2", source, "serial phase", "sort_keys", None, tmp_path)


def test_what_one_thread_does_while_others_wait_in_the_same_body_is_serial(tmp_path: Path) -> None:
    source = str(BENCH / "serial_single.c")
    check("gcc", "-Og", source, "serial phase", "update_centres", None, tmp_path)


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_lock_of_two_places_is_held_by_the_functions_that_acquire_it(
    compiler: str, tmp_path: Path
) -> None:
    """Which are inlined, as std::lock_guard is. clang names headers as /usr/bin/../lib/gcc/.../include/..."""
    flags = ["-std=c++20", "-O2", "-g", "-pthread"]
    program = compiled(compiler, *flags, BENCH / "lock_two_places.cpp")
    found = report(program, tmp_path)
    (finding,) = (of for of in found["findings"] if of["kind"] == "lock")
    assert finding["lock"] == "registry_mutex"
    assert {finding["function"], "lookup", "insert"} == {"lookup", "insert"}
    assert finding["line"] in (25, 36)
    assert re.search(r" \(so does (lookup|insert)\), for ", finding["sentence"])


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_critical_section_is_held_by_the_function_that_has_it(
    compiler: str, tmp_path: Path
) -> None:
    """Which is inlined into a body that clang outlines without a name."""
    check(compiler, "-O2", str(BENCH / "lock_path.c"), "lock", "update", "best", tmp_path)


def test_what_is_executed_under_a_lock_after_a_wait_is_of_who_acquired_it(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    """Not of who acquired the lock meanwhile."""
    shadow([compile("lock_after_wait.c")], tmp_path / "profile", "--fair-sched=try")
    locks = read_work_span(str(tmp_path / "profile")).locks
    (lock,) = (lock for lock in locks if lock.name == "queue_lock")
    held = {place.routine.name: place.held for place in lock.places}
    assert held.keys() == {"pop", "push"}
    assert sum(held.values()) == lock.held
    assert held["pop"] > 5 * 200_000 > 100 * held["push"]


def test_who_joins_many_threads_is_no_stage(tmp_path: Path) -> None:
    program = compiled("g++", "-O2", "-g", BENCH / "serial_checksum.cpp")
    found = report(program, tmp_path)
    assert found["findings"][0]["kind"] == "serial phase"


def test_threads_that_meet_by_a_condition_do_the_same_wherever_they_were_created(
    tmp_path: Path,
) -> None:
    """In a vector, which creates some of them while it grows."""
    source = str(BENCH / "barrier_own.cpp")
    check("g++", "-O2", source, "barrier", "agent", None, tmp_path)


def test_stages_of_one_body_are_told_by_what_they_do(tmp_path: Path) -> None:
    source, named = str(BENCH / "stage_four.cpp"), "Deduplicate::process"
    check("g++", "-O2", source, "pipeline stage", named, None, tmp_path)


def test_who_hands_over_by_pipes_is_a_stage(tmp_path: Path) -> None:
    """What is read comes after the writes so far, of which the latest comes after the others."""
    program = compiled("gcc", "-O2", "-g", "-pthread", BENCH / "stage_pipes.c")
    first = report(program, tmp_path)["findings"][0]
    assert (first["kind"], first["function"]) == ("pipeline stage", "compress")


def test_who_finds_the_next_item_in_a_queue_is_a_stage(tmp_path: Path) -> None:
    """It does not wait for the one before, so nothing orders it after that."""
    source, named = str(BENCH / "stage_channel.cpp"), "main::{lambda#2}"
    check("g++", "-O2", source, "pipeline stage", named, None, tmp_path)


def test_who_only_writes_to_the_same_log_is_no_stage(tmp_path: Path) -> None:
    """Two threads of different bodies acquire its lock equally often, and hand nothing over."""
    found = report(compiled("gcc", "-O2", "-g", PROGRAMS / "bottlenecks" / "log.c"), tmp_path)
    assert [finding["kind"] for finding in found["findings"]] == ["imbalance"]
    (lock,) = read_work_span(str(tmp_path / "profile")).locks
    assert lock.acquisitions == 40 and not lock.has_condition


def check(
    compiler: str,
    level: str,
    source: str,
    kind: str,
    function: str,
    lock: str | None,
    tmp_path: Path,
) -> None:
    """The first finding, which is gone in the repaired program."""
    arguments = (compiler, level, "-g", "-fopenmp", PROGRAMS / "bottlenecks" / source)
    broken = report(compiled(*arguments), tmp_path)
    first = broken["findings"][0]
    assert (first["rank"], first["kind"], first["lock"]) == (1, kind, lock)
    assert first["function"] == function
    assert first["gain"]["4"] > 1.1
    assert first["path"][0]["function"] == "main"
    repaired = report(compiled(*arguments, "-DFIXED"), tmp_path)
    assert kind not in [finding["kind"] for finding in repaired["findings"]]
    before, after = (run["processors"][0]["speedup"] for run in (broken, repaired))
    assert after > 1.1 * before


def test_the_numbers_of_a_run_add_up(tmp_path: Path) -> None:
    program = compiled("gcc", "-O2", *cilk_flags("gcc"), PROGRAMS / "cilk" / "mergesort.c")
    found = report(program, tmp_path)
    on = found["processors"][0]
    assert on["work"] == found["work"]
    assert on["work"] + on["idleness"] + on["overhead"] == 4 * on["time"]
    for kind in ("work", "idleness", "overhead"):
        assert sum(path[kind] for path in on["paths"]) == on[kind]
    assert (
        max(found["span"], found["work"] / 4)
        <= on["time"]
        <= found["work"] / 4 + found["span"] + on["overhead"]
    )


def test_what_gains_nothing_is_no_finding(tmp_path: Path) -> None:
    """Four threads leave twelve of sixteen processors idle, for which only the lock is to blame."""
    program = compiled("gcc", "-O2", "-g", PROGRAMS / "bottlenecks" / "held_lock.c")
    found = report(program, tmp_path, "--processors=16")
    assert [finding["kind"] for finding in found["findings"]] == ["lock"]
    text = report_command("cilkshadow-report", "--top=1", tmp_path / "profile").stdout.decode()
    assert "\n1. lock: processors wait for the mutex histogram_lock, which count holds" in text
    assert "\n2. " not in text
