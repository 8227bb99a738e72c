"""Work and span of threads: synchronisation is in the span, locks only in the lock-serialised span."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from running import VG_IN_PLACE, run
from shadowing import Shadowed, shadow


@pytest.fixture
def ordered(compile: Callable[..., Path], tmp_path: Path) -> Callable[..., Shadowed]:
    """ordered(how, *options): two threads of equal work, ordered by that."""

    def run_once(how: str, *options: str) -> Shadowed:
        program = compile("ordered_threads.cpp", "-O1")
        if how == "message-queue" and run([program, how]).returncode == 77:
            pytest.skip("the kernel has no message queues")
        return shadow([program, how], tmp_path / "profile", *options)

    return run_once


@pytest.mark.parametrize(
    ("how", "parallelism"),
    [
        ("none", 2),
        ("async", 2),
        ("mutex", 2),
        ("rwlock", 2),
        ("readers", 2),
        ("recursive", 2),
        ("spin", 2),
        ("c-mutex", 2),
        ("join", 1),
        ("condition", 1),
        ("c-condition", 1),
        ("semaphore", 1),
        ("semaphore-again", 1),
        ("condition-at-exit", 1),
        ("condition-cancelled", 2),
        ("condition-again", 2),
        ("condition-unheard", 2),
        ("condition-turns", 1),
        ("condition-gate", 2),
        ("condition-destroyed", 1),
        ("semaphore-opened", 2),
        ("semaphore-reopened", 1),
        ("barrier", 1),
        ("futex", 1),
        ("pipe", 1),
        ("end-of-file", 1),
        ("signal", 1),
        ("handler", 1),
        ("eventfd", 1),
        ("eventfd-again", 2),
        ("socketpair", 1),
        ("messages", 1),
        ("pipe-vectors", 1),
        ("message-queue", 1),
        ("sysv-queue", 1),
        ("sysv-semaphore", 1),
        ("sysv-semaphore-removed", 1),
        ("sysv-semaphores", 1),
        ("sysv-semaphore-zero", 1),
        ("sysv-semaphore-lowered", 2),
        ("sysv-semaphore-set", 1),
        ("sysv-semaphores-set", 1),
        ("sysv-semaphores-none", 2),
    ],
)
def test_span_knows_what_orders_threads(
    ordered: Callable[..., Shadowed], how: str, parallelism: int
) -> None:
    run = ordered(how)
    assert run.parallelism == pytest.approx(parallelism, rel=0.03)
    assert not run.notes


@pytest.mark.parametrize(
    ("how", "parallelism"),
    [("none", 2), ("mutex", 2), ("join", 1), ("condition", 1), ("semaphore", 1), ("barrier", 1)],
)
def test_c_library_may_be_part_of_the_program(
    how: str, parallelism: int, compile: Callable[..., Path], tmp_path: Path
) -> None:
    program = compile("ordered_threads.cpp", "-O1", "-static")
    run = shadow([program, how], tmp_path / "profile")
    assert run.parallelism == pytest.approx(parallelism, rel=0.1)  # what precedes main is work
    assert not run.notes


@pytest.mark.parametrize("linked", ["-rdynamic", "-static"])
@pytest.mark.parametrize(
    ("how", "parallelism", "serialised"), [("join", 1, 1), ("mutex", 2, 1), ("semaphore", 1, 1)]
)
def test_names_of_the_c_library_may_be_the_programs(
    how: str,
    parallelism: int,
    serialised: int,
    linked: str,
    compile: Callable[..., Path],
    tmp_path: Path,
) -> None:
    run = shadow([compile("own_names.c", "-O1", linked), how], tmp_path / "profile")
    assert run.parallelism == pytest.approx(parallelism, rel=0.1)
    assert run.serialised_parallelism == pytest.approx(serialised, rel=0.1)
    assert not run.notes


def test_waits_for_nobody_known_are_told(ordered: Callable[..., Shadowed]) -> None:
    run = ordered("requeue")
    assert run.notes == {"unseen-synchronisation": 1}
    assert run.parallelism == pytest.approx(2, rel=0.03)
    assert ordered("condition-of-process").notes == {"unseen-synchronisation": 1}


@pytest.mark.parametrize("late", [True, False], ids=["late", "waiting"])
@pytest.mark.parametrize(
    "compiler", [("g++", "-O0"), ("g++", "-O2"), ("clang++", "-O2", "-gdwarf-4")], ids=" ".join
)
@pytest.mark.parametrize(
    ("how", "parallelism"),
    [
        ("latch", 2),
        ("latch-arrive", 1),
        ("barrier", 1),
        ("split", 2),
        ("last", 3),
        ("phases", 3),
        ("semaphore", 1),
        ("timed", 1),
        ("again", 1),
        ("turns", 1),
        ("atomic", 1),
        ("stored", 1),
        ("initial", 2),
        ("local", 1),
        ("future", 1),
        ("polled", 1),
        ("stack", 1),
        ("lost", 1),
        ("reused", 2),
        ("beside", 2),
        ("many", 1),
        ("backlog", 1),
        ("failed", 2),
        ("counter", 4),
    ],
)
def test_span_knows_what_waits_of_cxx20_order(
    how: str,
    parallelism: int,
    compiler: tuple[str, ...],
    late: bool,
    compile: Callable[..., Path],
    tmp_path: Path,
) -> None:
    """Whether who waits comes too late to have to, or not."""
    program = compile("atomic_waits.cpp", "-std=c++20", *compiler[1:], compiler=compiler[0])
    command = [program, how, *([] if late else ["long"])]
    run = shadow(command, tmp_path / "profile", "--fair-sched=try")
    assert run.parallelism == pytest.approx(parallelism, rel=0.05)
    assert not run.notes


@pytest.mark.parametrize("length", [(), ("long",)], ids=["late", "waiting"])
def test_semaphores_of_cxx20_are_queues(
    length: tuple[str, ...], compile: Callable[..., Path], tmp_path: Path
) -> None:
    """Of four threads two work at a time. Who comes last waits for the first post of this run, be
    that of one who came second."""
    program = compile("atomic_waits.cpp", "-std=c++20")
    run = shadow([program, "permits", *length], tmp_path / "profile", "--fair-sched=try")
    assert 1.3 < run.parallelism < 2.1
    assert not run.notes


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_completions_of_barriers_come_after_all_arrivals_or_are_told(
    level: str, compile: Callable[..., Path], tmp_path: Path
) -> None:
    """An inlined one comes after its own thread's arrival alone."""
    program = compile("atomic_waits.cpp", "-std=c++20", level)
    run = shadow([program, "completion"], tmp_path / "profile", "--fair-sched=try")
    if level == "-O0":
        assert not run.notes
        assert run.parallelism == pytest.approx(1, rel=0.05)
    else:
        assert run.notes == {"unseen-synchronisation": 1}
        assert run.parallelism < 1.3


@pytest.mark.parametrize("how", ["unseen", "forgotten", "at-exit"])
def test_waits_for_unseen_changes_of_atomics_are_told(
    how: str, compile: Callable[..., Path], tmp_path: Path
) -> None:
    program = compile("atomic_waits.cpp", "-std=c++20")
    run = shadow([program, how], tmp_path / "profile")
    assert run.notes == {"unseen-synchronisation": 1}


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_waits_for_atomics_of_libatomic_are_told(
    level: str, compile: Callable[..., Path], tmp_path: Path
) -> None:
    flags = ["-DWITH_LIBATOMIC", "-Wl,--no-as-needed", "-latomic"]
    program = compile("atomic_waits.cpp", "-std=c++20", level, *flags)
    assert shadow([program, "odd"], tmp_path / "profile").notes == {"unseen-synchronisation": 1}


@pytest.mark.parametrize("level", ["-O0", "-O2", "-s"])
@pytest.mark.parametrize("how", ["future", "semaphore", "latch", "barrier", "atomic"])
def test_atomics_without_lines_are_told(
    how: str, level: str, compile: Callable[..., Path], tmp_path: Path
) -> None:
    """Whether their threads wait as routines of the library, or by code without a name."""
    program = compile("atomic_waits.cpp", "-std=c++20", "-g0", level)
    assert shadow([program, how], tmp_path / "profile").notes["atomics-without-lines"] > 0


def test_futures_without_lines_order_those_that_block(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    program = compile("atomic_waits.cpp", "-std=c++20", "-g0", "-O0")
    run = shadow([program, "future", "long"], tmp_path / "profile", "--fair-sched=try")
    assert run.parallelism == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize("how", ["condition", "mutex", "semaphore", "barrier"])
def test_programs_without_atomics_need_no_lines(
    how: str, compile: Callable[..., Path], tmp_path: Path
) -> None:
    program = compile("ordered_threads.cpp", "-O1", "-g0")
    assert not shadow([program, how], tmp_path / "profile").notes


@pytest.mark.parametrize("how", ["mutex", "rwlock", "recursive", "spin", "c-mutex"])
def test_critical_sections_are_serial_in_the_serialised_span(
    ordered: Callable[..., Shadowed], how: str, tmp_path: Path
) -> None:
    run = ordered(how)
    assert run.serialised_parallelism == pytest.approx(2 / 1.5, rel=0.03)
    (lock,) = (
        line.split()
        for line in (tmp_path / "profile").read_text().splitlines()
        if line.startswith("lock ")
    )
    assert int(lock[1]) == 2
    assert int(lock[2]) == pytest.approx(run.work / 2, rel=0.03)


def test_only_who_holds_a_checking_mutex_releases_it(
    ordered: Callable[..., Shadowed], tmp_path: Path
) -> None:
    run = ordered("mutex-of-another")
    (held,) = (
        int(line.split()[2])
        for line in (tmp_path / "profile").read_text().splitlines()
        if line.startswith("lock ")
    )
    assert held == pytest.approx(run.work / 2, rel=0.03)


def test_readers_do_not_exclude_each_other(
    ordered: Callable[..., Shadowed], tmp_path: Path
) -> None:
    """Nor do they share what no schedule can run at the same time."""
    assert ordered("readers").serialised_parallelism == pytest.approx(2, rel=0.03)
    assert "\nlock 2 0 " in (tmp_path / "profile").read_text()


@pytest.mark.parametrize("how", ["mutex-again", "mutex-destroyed", "mutex-freed"])
def test_new_lock_has_not_been_held(
    ordered: Callable[..., Shadowed], how: str, tmp_path: Path
) -> None:
    """Nor is what both were held a bound of any schedule."""
    run = ordered(how)
    assert run.serialised_parallelism == pytest.approx(2, rel=0.03)
    locks = [
        [int(number) for number in line.split()[1:3]]
        for line in (tmp_path / "profile").read_text().splitlines()
        if line.startswith("lock ")
    ]
    assert [acquisitions for acquisitions, _ in locks] == [1, 1]
    assert all(held < 0.6 * run.work for _, held in locks)


def test_unit_may_be_basic_blocks(ordered: Callable[..., Shadowed]) -> None:
    assert ordered("none", "--work=bb").parallelism == pytest.approx(2, rel=0.03)
    assert ordered("none", "--work=bb").work < ordered("none").work


def test_summary_names_the_next_command(ordered: Callable[..., Shadowed], tmp_path: Path) -> None:
    stderr = ordered("join").stderr
    lines = [line.split("== ", 1)[1] for line in stderr.splitlines() if "== " in line]
    assert lines[-1] == f"next: cilkshadow-report {tmp_path}/profile"
    assert any(line.endswith("parallelism 1.00") for line in lines)


@pytest.mark.parametrize("option", ["--work=cycles", "--burden=-1", "--cilkshadow-out-file="])
def test_bad_options_end_the_run(option: str) -> None:
    result = run([VG_IN_PLACE, "--tool=cilkshadow", option, "/bin/true"])
    assert result.returncode == 1
    assert option.encode() in result.stderr
