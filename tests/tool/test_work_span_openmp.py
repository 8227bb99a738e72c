"""Work and span of OpenMP programs, of gcc (libgomp) and clang (libomp)."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from compiling import preprocesses
from running import run
from shadowing import Shadowed, shadow, spawned

# Units of work, and of the longest path.
EXPECTED = {
    "static": (32, 8),  # 4 threads
    "dynamic": (32, 1),
    "dynamic_twice": (64, 3),  # a chunk of 2, then one of 1
    "sections": (30, 10),
    "barrier": (20, 20),
    "cancellable_barrier_of_sections": (20, 20),
    "critical": (80, 20),
    "no_locks": (80, 50),
    "tasks": (31, 5),
    "taskwait": (
        31,
        11,
    ),  # of all children of the task, also those that its callers created
    "taskgroup": (41, 15),
    "taskgroup_not_for_earlier": (50, 30),
    "taskwait_for_those_before_taskgroup": (20, 20),
    "taskwait_not_for_grandchildren": (20, 10),
    "taskloop": (42, 11),
    "depend": (40, 30),
    "nested": (60, 20),
    "undeferred": (20, 20),
    "undeferred_leaves_children": (20, 10),
    "final": (41, 31),
    "untied": (30, 20),
    "tasks_before_barrier": (90, 20),
    "ordered": (16, 9),
    "ordered_static": (128, 32),
    "copyprivate": (50, 20),
    "reduction": (33, 5),
    "tasks_of_reduction_before_barrier": (20, 20),
    "task_reduction": (80, 20),
    "exclusive": (40, 30),
    "taskwait_depend": (50, 30),
    "nested_many": (120, 20),
    "undeferred_taskloop": (8, 8),
    "undeferred_depends": (20, 20),
    "target": (30, 20),
    "target_depends": (40, 40),
    "doacross": (112, 23),  # 10 + 4, then a row of 6 and a column of 4, which meet
    "doacross_of_long_iterations": (2000, 2000),
}


def clang_has_openmp() -> bool:
    """Whether libomp-dev is there."""
    return preprocesses("clang", "-fopenmp", "-include", "omp.h", "-xc")


# The linker leaves out a library before the program, unless it is told not to.
GCC_WITH_LIBOMP = "gcc -Wl,--no-as-needed -l:libomp.so.5"


@pytest.fixture(params=["gcc", GCC_WITH_LIBOMP, "clang"], ids=["gcc", "gcc+libomp", "clang"])
def openmp(
    request: pytest.FixtureRequest, compile: Callable[..., Path], tmp_path: Path
) -> Callable[..., Shadowed]:
    """openmp(what, *options): what openmp_order.c does."""
    compiler, *library = request.param.split(" ")
    if request.param != "gcc" and not clang_has_openmp():
        pytest.skip(f"{request.param} not installed")
    # DWARF 4: newer line tables are beyond some Valgrinds.
    flags = ["-O1", "-gdwarf-4", "-fopenmp", *library]

    def run_once(what: str, *options: str) -> Shadowed:
        program = compile("openmp_order.c", *flags, compiler=compiler)
        return shadow([program, what], tmp_path / "profile", *options)

    return run_once


@pytest.mark.parametrize(("what", "units"), EXPECTED.items(), ids=EXPECTED)
def test_work_and_span_are_known(
    openmp: Callable[..., Shadowed], what: str, units: tuple[int, int]
) -> None:
    measured = openmp(what)
    work, span = units
    assert measured.parallelism == pytest.approx(work / span, rel=0.05)
    if what == "nested_many":
        assert measured.notes["threads-of-regions-alike"] > 0
    if what.startswith("nested"):
        measured.notes.pop("threads-of-regions-alike", None)
    if what == "ordered_static":
        measured.notes.pop("ordered-loops")
    assert set(measured.notes) == {"logical-threads"}


def test_doacross_loops_of_regions_alike_may_be_mixed_up(openmp: Callable[..., Shadowed]) -> None:
    measured = openmp("doacross_in_regions_alike")
    assert measured.notes["threads-of-regions-alike"] > 0
    assert 1 < measured.parallelism < 8


@pytest.mark.parametrize(
    ("what", "parallelism"), [("cancelled_loop", 2), ("cancelled_sections", 1)]
)
def test_what_is_cancelled_ends_there(
    openmp: Callable[..., Shadowed],
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    parallelism: int,
) -> None:
    monkeypatch.setenv("OMP_CANCELLATION", "true")
    measured = openmp(what)
    assert measured.parallelism == pytest.approx(parallelism, rel=0.05)
    measured.notes.pop("regions-of-one-thread", None)  # gcc's sections
    assert set(measured.notes) == {"logical-threads"}


def test_what_task_reductions_add_is_waited_for(
    openmp: Callable[..., Shadowed], request: pytest.FixtureRequest
) -> None:
    """clang adds more, and in part beside what comes after."""
    if request.node.callspec.params["openmp"] == "clang":
        pytest.skip("of gcc's programs only")
    assert openmp("task_reduction_added").parallelism == pytest.approx(1, rel=0.05)


def test_chunks_have_their_parallelism_where_there_is_one_thread(
    compile: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    program = compile("openmp_order.c", "-O1", "-gdwarf-4", "-fopenmp")
    measured = shadow([program, "dynamic_for_all_threads"], tmp_path / "profile")
    assert measured.parallelism == pytest.approx(32, rel=0.05)


@pytest.mark.parametrize(
    ("what", "parallelism", "regions"),
    [
        ("serial_loops", 1, 2),
        ("serialised", 1, 1),
        ("serial_tasks", 1, 1),
        ("serial_by_call", 80 / 42, 2),
    ],
)
def test_regions_of_one_thread_by_what_the_program_says_are_serial_and_get_a_note(
    openmp: Callable[..., Shadowed], what: str, parallelism: float, regions: int
) -> None:
    measured = openmp(what)
    assert measured.parallelism == pytest.approx(parallelism, rel=0.05)
    assert set(measured.notes) == {"logical-threads", "regions-of-one-thread"}
    assert measured.notes["regions-of-one-thread"] == regions


def test_sections_of_one_thread_are_serial(openmp: Callable[..., Shadowed]) -> None:
    assert openmp("serial_sections").parallelism == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize("integers", [4, 8])
def test_regions_of_one_thread_are_known_in_fortran(
    compile: Callable[..., Path], tmp_path: Path, integers: int
) -> None:
    flags = ["-fdefault-integer-8"] if integers == 8 else []
    program = compile("openmp_threads.f90", "-O1", "-gdwarf-4", "-fopenmp", *flags)
    measured = shadow([program], tmp_path / "profile")
    assert measured.parallelism == pytest.approx(1, rel=0.05)
    assert measured.notes["regions-of-one-thread"] == 1


@pytest.mark.parametrize(("what", "loops"), [("ordered", 0), ("ordered_static", 4)])
def test_ordered_loops_whose_chunks_are_those_of_the_run_get_a_note(
    openmp: Callable[..., Shadowed], what: str, loops: int
) -> None:
    """For each of four threads."""
    assert openmp(what).notes.get("ordered-loops", 0) == 4 * loops


@pytest.mark.parametrize(("schedule", "loops"), [("static", 2), ("guided", 2), ("dynamic", 0)])
def test_ordered_loops_of_the_schedule_of_the_environment_get_the_note_of_that(
    openmp: Callable[..., Shadowed], schedule: str, loops: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For each of four threads."""
    monkeypatch.setenv("OMP_SCHEDULE", schedule)
    assert openmp("ordered_runtime").notes.get("ordered-loops", 0) == 4 * loops


def test_loops_that_libomp_does_not_divide_for_one_thread_get_a_note(
    openmp: Callable[..., Shadowed], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    measured = openmp("dynamic_for_all_threads")
    if request.node.callspec.params["openmp"] == "gcc":
        assert "serialised-dynamic-loops" not in measured.notes
    else:
        assert measured.notes["serialised-dynamic-loops"] == 1
        assert measured.parallelism == pytest.approx(1, rel=0.05)
    assert "serialised-dynamic-loops" not in openmp("serial_loops").notes
    assert "serialised-dynamic-loops" not in openmp("dynamic").notes


def test_ordered_loop_outside_of_parallel_regions_has_its_order(
    openmp: Callable[..., Shadowed],
) -> None:
    measured = openmp("ordered_outside")
    assert measured.parallelism == pytest.approx(1, rel=0.05)
    assert not measured.notes


@pytest.mark.parametrize(
    ("what", "parallelism"), [("target_data", 35 / 20), ("target_data_waited_for", 1)]
)
def test_nowait_data_of_targets_are_not_waited_for_but_have_their_order(
    openmp: Callable[..., Shadowed],
    request: pytest.FixtureRequest,
    what: str,
    parallelism: float,
) -> None:
    if request.node.callspec.params["openmp"] == "clang":
        pytest.skip("clang leaves them out, where no device is compiled for")
    assert openmp(what).parallelism == pytest.approx(parallelism, rel=0.05)


def test_critical_sections_are_serial_in_the_serialised_span(
    openmp: Callable[..., Shadowed],
) -> None:
    assert openmp("critical").serialised_parallelism == pytest.approx(80 / 50, rel=0.03)


@pytest.mark.parametrize(
    ("what", "parallelism", "held"),
    [
        ("exclusive", 1, [20]),
        ("exclusive_in_two", 60 / 50, [40, 50]),
        ("exclusive_pairs", 4, [80]),  # of four variables, one after the other at one address
    ],
)
def test_tasks_that_exclude_each_other_are_serial_in_the_serialised_span(
    openmp: Callable[..., Shadowed],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    parallelism: float,
    held: list[int],
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    measured = openmp(what)
    assert measured.serialised_parallelism == pytest.approx(parallelism, rel=0.05)
    locks = [line.split() for line in (tmp_path / "profile").read_text().splitlines()]
    locks = [line for line in locks if line[0] == "lock"]
    assert {kind for _, _, _, _, kind, _ in locks} == {"mutexinoutset"}
    all_units = {"exclusive": 40, "exclusive_in_two": 60, "exclusive_pairs": 80}[what]
    assert sorted(int(line[2]) for line in locks) == pytest.approx(
        [units * measured.work / all_units for units in held], rel=0.05
    )


def test_task_that_excludes_others_and_forks_is_held_from_there_in_the_child(
    openmp: Callable[..., Shadowed], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if request.node.callspec.params["openmp"] == "clang":
        pytest.skip("clang's undeferred tasks exclude nobody")
    openmp("exclusive_forks")
    child = next(tmp_path.glob("profile.*")).read_text().splitlines()
    (held,) = (int(line.split()[2]) for line in child if line.startswith("lock "))
    (work,) = (int(line.split()[1]) for line in child if line.startswith("work "))
    assert work * 0.9 < held <= work


def test_lock_made_where_another_was_does_not_come_after_it(
    openmp: Callable[..., Shadowed], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert openmp("locks_made_again").serialised_parallelism == pytest.approx(4, rel=0.05)


@pytest.mark.parametrize("kind", ["set", "test", "set_nest", "test_nest"])
def test_locks_of_fortran_are_serial_in_the_serialised_span(
    compile: Callable[..., Path], tmp_path: Path, kind: str
) -> None:
    program = compile("openmp_locks.f90", "-O1", "-gdwarf-4", "-fopenmp")
    measured = shadow([program, kind], tmp_path / "profile")
    assert measured.parallelism == pytest.approx(4, rel=0.05)
    assert measured.serialised_parallelism == pytest.approx(1, rel=0.05)


def test_note_tells_how_many_threads_shared_a_loop(openmp: Callable[..., Shadowed]) -> None:
    assert openmp("static").notes["logical-threads"] == 4


def test_regions_of_one_body_at_the_same_time_have_their_own_number(
    openmp: Callable[..., Shadowed],
) -> None:
    """Nothing tells whose a thread is."""
    assert openmp("nested_many").notes["logical-threads"] == 3


def test_copies_for_tasks_are_made_by_their_creators(
    openmp: Callable[..., Shadowed], request: pytest.FixtureRequest
) -> None:
    """libomp does not copy for an undeferred task of gcc's, so that these are left alone."""
    measured = openmp("copies")
    if "gcc+libomp" in request.node.name:
        assert measured.notes["openmp-not-understood"] == 8
    else:
        assert measured.parallelism == pytest.approx(80 / 5, rel=0.05)
        assert set(measured.notes) == {"logical-threads"}


@pytest.mark.parametrize(
    ("what", "work", "span"),
    [("detached", 50, 40), ("detached_early", 21, 20), ("detached_by_creator", 45, 35)],
)
def test_detached_tasks_end_with_body_and_event(
    what: str,
    work: int,
    span: int,
    openmp: Callable[..., Shadowed],
    request: pytest.FixtureRequest,
) -> None:
    if "gcc+libomp" in request.node.name:
        pytest.skip("libomp 14 has no detached tasks of gcc's: it ends by a fault natively")
    measured = openmp(what)
    if what == "detached_by_creator" and "[gcc" in request.node.name:
        # Made undeferred, a task that depends on the detached one would wait for it forever.
        assert measured.notes["openmp-not-understood"] == 1
    else:
        assert measured.parallelism == pytest.approx(work / span, rel=0.05)
        assert set(measured.notes) == {"logical-threads"}


@pytest.mark.parametrize(
    ("what", "parallelism"), [("barrier", 1), ("critical", 4), ("tasks_before_barrier", 4.5)]
)
def test_libgomp_linked_with_the_program_is_still_a_run_time_library(
    compile: Callable[..., Path], tmp_path: Path, what: str, parallelism: float
) -> None:
    """What it does before main is not told from the program's."""
    libgomp = "-Wl,--as-needed,--whole-archive,-l:libgomp.a,--no-whole-archive"
    program = compile("openmp_order.c", "-O1", "-gdwarf-4", "-fopenmp", libgomp)
    assert b"libgomp" not in run(["ldd", program]).stdout
    measured = shadow([program, what], tmp_path / "profile")
    assert measured.parallelism == pytest.approx(parallelism, rel=0.05)
    assert measured.notes == {"logical-threads": 2 if what == "barrier" else 4}


def test_libomp_linked_with_the_program_gets_a_note(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    measured = shadow([compile("openmp_linked.c")], tmp_path / "profile")
    assert measured.notes["openmp-not-understood"] == 1


def test_tasks_and_chunks_are_spawns(openmp: Callable[..., Shadowed]) -> None:
    others = 3  # threads of the region, that of 4
    assert openmp("tasks").spawns == 30 + others
    assert openmp("dynamic").spawns == 32 + others


@pytest.mark.parametrize(
    ("what", "iterations"), [("static", 0), ("tasks", 0), ("nested_many", 0), ("dynamic", 32)]
)
def test_call_sites_have_the_spawns_of_the_totals(
    what: str, iterations: int, openmp: Callable[..., Shadowed], tmp_path: Path
) -> None:
    """Iterations of a loop are spawned by no call."""
    measured = openmp(what)
    assert measured.spawns > 0
    assert spawned(tmp_path / "profile") == measured.spawns - iterations


def test_tasks_that_no_parallel_region_has_threads_for_get_a_note(
    openmp: Callable[..., Shadowed],
) -> None:
    measured = openmp("tasks_outside")
    assert measured.notes == {"tasks-outside-regions": 30}
    assert measured.parallelism == pytest.approx(31 / 5, rel=0.05)
    assert "tasks-outside-regions" not in openmp("tasks").notes


def timed(command: list[Path | str], profile: Path) -> tuple[float, Shadowed]:
    """Seconds of the user's time, too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    measured = shadow(command, profile)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, measured


def test_chains_of_tasks_take_time_in_proportion(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    """gcc's run one within the other."""
    if not clang_has_openmp():
        pytest.skip("libomp-dev not installed")
    program = compile("openmp_order.c", "-O1", "-gdwarf-4", "-fopenmp", compiler="clang")

    def seconds(links: int) -> float:
        took, measured = timed([program, "chain", str(links)], tmp_path / "profile")
        assert measured.spawns == links + 3  # the tasks, and the other threads of the region
        return took

    assert seconds(40_000) < 6 * seconds(10_000)


def test_barriers_of_a_region_take_time_in_proportion(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    program = compile("openmp_order.c", "-O1", "-gdwarf-4", "-fopenmp")

    def seconds(count: int) -> float:
        return timed([program, "barriers", str(count)], tmp_path / "profile")[0]

    assert seconds(200_000) < 8 * seconds(10_000)
