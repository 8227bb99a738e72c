"""Threads that wait in loops of their own: the span has the order if it is known; otherwise a note
says so."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from shadowing import Shadowed, shadow

OPTIMIZED = [("g++", "-O2"), ("g++", "-O1"), ("clang++", "-O2", "-gdwarf-4")]


@pytest.fixture(scope="module")
def spinning(
    compile: Callable[..., Path], include: str, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Shadowed]:
    """spinning(how, compiler, *flags), run once. Threads take turns, so that it ends soon."""
    profile = tmp_path_factory.mktemp("spinning") / "profile"

    @functools.cache
    def run_once(how: str, compiler: str = "g++", *flags: str) -> Shadowed:
        options = [*(flags or ["-O2"]), "-std=c++20", include]
        program = compile("spinning_threads.cpp", *options, compiler=compiler)
        return shadow([program, how], profile, "--fair-sched=yes")

    return run_once


@pytest.fixture
def waiting(spinning: Callable[..., Shadowed]) -> Callable[..., Shadowed]:
    """The same of who goes round in vain, which is no work."""

    def run_once(how: str, *compiler: str) -> Shadowed:
        run = spinning(how, *compiler)
        assert run.work == pytest.approx(spinning("none", *compiler).work, rel=0.01)
        return run

    return run_once


@pytest.mark.parametrize("compiler", OPTIMIZED, ids=" ".join)
@pytest.mark.parametrize(
    "how",
    [
        "loads",
        "either",
        "pauses",
        "backs-off",
        "yields",
        "sleeps",
        "flag",
        "exchanges",
        "counts",
        "joins",
        "told",
    ],
)
def test_span_knows_what_loops_wait_for(
    how: str, compiler: tuple[str, ...], waiting: Callable[..., Shadowed]
) -> None:
    run = waiting(how, *compiler)
    assert run.parallelism == pytest.approx(1, rel=0.01)
    assert not run.notes


@pytest.mark.parametrize("compiler", [*OPTIMIZED, ("g++", "-O0"), ("clang++", "-O0")], ids=" ".join)
@pytest.mark.parametrize(
    "how",
    [
        "volatile",
        "volatile-and-signals",
        "volatile-pauses",
        "volatile-yields",
        "volatile-sleeps",
        "pointer",
        "builtin",
    ],
)
def test_waits_in_loops_for_what_is_not_known_are_told(
    how: str, compiler: tuple[str, ...], waiting: Callable[..., Shadowed]
) -> None:
    run = waiting(how, *compiler)
    assert run.notes == {"unseen-synchronisation": 1}
    assert "in a loop) has no known partner" in run.stderr


def test_each_wait_in_a_loop_is_told(spinning: Callable[..., Shadowed]) -> None:
    assert spinning("twice").notes == {"unseen-synchronisation": 2}


@pytest.mark.parametrize("compiler", [*OPTIMIZED, ("g++", "-O0"), ("clang++", "-O0")], ids=" ".join)
def test_who_finds_a_flag_set_and_need_not_wait_is_told(
    compiler: tuple[str, ...], spinning: Callable[..., Shadowed]
) -> None:
    run = spinning("finds", *compiler)
    assert run.notes == {"found-without-waiting": 1}
    assert "1 time a thread found a std::atomic already changed" in run.stderr
    assert spinning("finds-twice", *compiler).notes == {"found-without-waiting": 2}


@pytest.mark.parametrize(
    "how", ["finds-signalled", "finds-signalled-for-another", "finds-broadcast"]
)
def test_who_finds_a_condition_true_and_need_not_wait_is_told(
    how: str, spinning: Callable[..., Shadowed]
) -> None:
    run = spinning(how)
    assert run.notes == {"found-without-waiting": 1}
    assert run.parallelism == pytest.approx(2, rel=0.01)
    assert run.serialised_span == pytest.approx(run.work, rel=0.01)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize(
    "how",
    [
        "finds-sooner",
        "finds-and-swaps",
        "finds-and-stores",
        "finds-and-joins",
        "finds-signalled-sooner",
        "finds-and-signals",
        "finds-and-waits",
    ],
)
def test_who_finds_what_was_no_wait_or_is_known_is_not_told(
    how: str, level: str, spinning: Callable[..., Shadowed]
) -> None:
    assert not spinning(how, "g++", level).notes


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("how", ["loads", "pauses", "counts"])
def test_loops_that_call_are_work_and_told(
    how: str, compiler: str, spinning: Callable[..., Shadowed]
) -> None:
    assert spinning(how, compiler, "-O0").notes == {"unseen-synchronisation": 1}


@pytest.mark.parametrize("how", ["none", "locks", "locks-shared", "task", "runtime"])
def test_other_waits_need_no_partner(how: str, spinning: Callable[..., Shadowed]) -> None:
    run = spinning(how)
    assert run.parallelism == pytest.approx(2, rel=0.01)
    assert not run.notes


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_loops_that_get_somewhere_are_work(level: str, spinning: Callable[..., Shadowed]) -> None:
    run = spinning("works", "g++", level)
    assert run.work - spinning("none", "g++", level).work > 10 * 100_000 * 3
    assert not run.notes


@pytest.mark.parametrize(
    ("how", "options"),
    [
        ("locked", ["-O2"]),
        ("unlocked", ["-O0"]),
        ("tail-call", ["-O2"]),
        ("other-lock", ["-O2", "-fno-plt"]),
        ("c11", ["-O2", "-fcf-protection=full", "-Wl,-z,ibtplt"]),
        ("c++", ["-O2"]),
        ("c++", ["-O0", "-Wl,-z,now"]),
    ],
    ids=str,
)
def test_turns_are_in_the_span_or_told(
    how: str, options: list[str], compile: Callable[..., Path], tmp_path: Path
) -> None:
    """Who finds its turn already come did not wait; that it signals the next one is no excuse."""
    program = compile("turns.cpp", "-std=c++20", *options)
    for threads, rounds in ((2, 1), (3, 10)):
        run = shadow([program, how, str(threads), str(rounds)], tmp_path / "profile")
        turns = 3000 + threads * rounds * 20000
        assert run.span >= 0.97 * turns or run.notes.get("found-without-waiting", 0) > 0


@pytest.mark.parametrize(
    ("how", "level"),
    [
        *product(["meets", "meets-unlocked", "meets-c++"], ["-O0", "-O2"]),
        ("meets-c++-below", "-O2"),
    ],
)
def test_who_comes_last_to_a_barrier_is_after_the_others_from_the_second_round_on(
    how: str, level: str, compile: Callable[..., Path], tmp_path: Path
) -> None:
    """In the first one nothing tells a barrier from turns; who has less work than those that wait is counted."""
    program = compile("turns.cpp", "-std=c++20", level)
    run = shadow([program, how, "3", "6"], tmp_path / "profile", "--fair-sched=try")
    assert 5 * 20000 < run.span < 6 * 20000
    assert run.notes["found-without-waiting"] == 1


def test_who_comes_last_to_a_barrier_with_most_work_is_not_told(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    program = compile("turns.cpp", "-std=c++20", "-O2")
    run = shadow([program, "meets-last", "3", "6"], tmp_path / "profile", "--fair-sched=try")
    assert run.span > 6 * 20000
    assert "found-without-waiting" not in run.notes


@pytest.mark.parametrize("how", ["adds", "pool"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_who_signals_and_takes_no_turns_is_not_told(
    how: str, level: str, compile: Callable[..., Path], tmp_path: Path
) -> None:
    program = compile("turns.cpp", "-std=c++20", level)
    assert not shadow([program, how, "3", "10"], tmp_path / "profile").notes


def test_advice_is_not_given_to_who_has_taken_it(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    program = compile("turns.cpp", "-std=c++20", "-O2")
    for option, advised in (("no", True), ("yes", False), ("try", False)):
        run = shadow([program, "locked", "2", "1"], tmp_path / "profile", f"--fair-sched={option}")
        assert run.notes == {"found-without-waiting": 1}
        notes = re.findall("^note .*", (tmp_path / "profile").read_text(), re.MULTILINE)
        assert any("--fair-sched" in note for note in notes) == advised
        assert ("--fair-sched" in run.stderr) == advised
