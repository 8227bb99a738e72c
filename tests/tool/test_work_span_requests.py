"""<valgrind/cilkshadow.h>: requests of programs with a scheduler of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from compiling import cilk_flags
from running import run
from shadowing import Shadowed, shadow, site_numbers
from test_work_span_processes import check_sums

from aprofplot.read.work_span_reader import read_work_span


@pytest.fixture
def scheduler(
    compile: Callable[..., Path], include: str, tmp_path: Path
) -> Callable[..., Shadowed]:
    def run_once(*arguments: str) -> Shadowed:
        program = compile("own_scheduler.c", "-O1", include)
        assert run([program, *arguments]).returncode == 0
        made = shadow([program, *arguments], tmp_path / "profile", "--fair-sched=try")
        check_sums(tmp_path / "profile")
        return made

    return run_once


def test_tasks_run_beside_each_other_on_however_few_threads(
    scheduler: Callable[..., Shadowed], tmp_path: Path
) -> None:
    run = scheduler()
    assert run.parallelism == pytest.approx(8, rel=0.02)
    assert run.spawns == 8 and not run.notes
    numbers = site_numbers(tmp_path / "profile", together=True)
    (leaf,) = (n for (_, callee, _), n in numbers.items() if callee == "leaf" and n[7] > 100000)
    # All eight; one is on the span. What main waits for is in its work.
    assert (leaf[6], leaf[15]) == (8, 1)
    (main,) = (n for (_, callee, _), n in numbers.items() if callee == "main")
    assert main[1] >= leaf[7]


def test_what_happens_before_is_in_the_span(scheduler: Callable[..., Shadowed]) -> None:
    run = scheduler("flag")
    assert run.parallelism == pytest.approx(1, rel=0.01)


def test_spinning_is_no_work(scheduler: Callable[..., Shadowed]) -> None:
    assert scheduler("flag").work == pytest.approx(2 * 40000, rel=0.01)


def test_requests_without_sense_are_told(scheduler: Callable[..., Shadowed]) -> None:
    run = scheduler("without-sense")
    assert run.notes == {"unmatched-markers": 5, "newer-markers": 1}
    assert run.parallelism > 0.99


def regions_of(profile: Path) -> dict[str, tuple[int, ...]]:
    """Executions, work, span and burdened span by name."""
    lines = (line.split(" ", 5) for line in profile.read_text().splitlines())
    return {fields[5]: tuple(map(int, fields[1:5])) for fields in lines if fields[0] == "region"}


def test_regions_and_cilkscale_measure_what_runs_in_between(
    compile: Callable[..., Path], include: str, tmp_path: Path
) -> None:
    program = compile("cilk_regions.c", "-O2", *cilk_flags(), include)
    assert run([program, "fork"]).returncode == 0
    made = shadow([program, "fork"], tmp_path / "profile", "--burden=1000")
    assert made.notes == {"unmatched-markers": 2}  # one without a beginning, one without an end
    leaf, burden = 40_000, 1000
    found = regions_of(tmp_path / "profile")
    expected = {
        "parallel": (1, 2 * leaf, leaf, leaf + burden),
        "serial": (1, 2 * leaf, 2 * leaf, 2 * leaf),
        "both, again": (2, 4 * leaf, 2 * leaf, 2 * (leaf + burden)),
        "child": (1, leaf, leaf, leaf),
        "whole": (1, 5 * leaf, 3 * leaf, 3 * (leaf + burden)),
    }
    assert set(found) == set(expected)
    for name, (count, *numbers) in expected.items():
        assert found[name] == (count, *(pytest.approx(number, rel=0.01) for number in numbers))
    # A child of fork(2) that was in a region has what it executed of it.
    assert regions_of(child_profile(tmp_path / "profile")) == {
        "whole": (1, *[pytest.approx(leaf, rel=0.01)] * 3)
    }


def child_profile(profile: Path) -> Path:
    """That of the only child."""
    [child] = profile.parent.glob(f"{profile.name}.*")
    return child


@pytest.fixture
def regions(
    compile: Callable[..., Path], include: str, tmp_path: Path
) -> Callable[[str], Shadowed]:
    def run_once(kind: str) -> Shadowed:
        program = compile("named_regions.c", "-O2", *cilk_flags(), include)
        assert run([program, kind]).returncode == 0
        return shadow([program, kind], tmp_path / "profile")

    return run_once


def test_a_region_ends_with_the_task_that_began_it(
    regions: Callable[[str], Shadowed], tmp_path: Path
) -> None:
    made = regions("tasks")
    assert regions_of(tmp_path / "profile") == {}
    assert made.notes == {"unmatched-markers": 3}  # a beginning, two ends


def test_a_region_whose_signal_handler_forks_has_what_the_child_executed(
    regions: Callable[[str], Shadowed], tmp_path: Path
) -> None:
    made = regions("handler")
    assert not made.notes
    [(count, *lengths)] = regions_of(tmp_path / "profile").values()
    assert (count, lengths) == (1, [pytest.approx(50_000, rel=0.02)] * 3)
    [(count, *lengths)] = regions_of(child_profile(tmp_path / "profile")).values()
    assert (count, lengths) == (1, [pytest.approx(10_000, rel=0.05)] * 3)


def test_regions_that_are_left_without_an_end_are_told(
    regions: Callable[[str], Shadowed], tmp_path: Path
) -> None:
    made = regions("left")
    # 100 returns, a jump, the end of a thread, and exit; two ends without a beginning.
    assert made.notes == {"unmatched-markers": 105}
    found = regions_of(tmp_path / "profile")
    assert found == {"left": (1, *[pytest.approx(1000, rel=0.05)] * 3)}


def test_requests_with_unreadable_addresses_and_negative_numbers_are_refused(
    regions: Callable[[str], Shadowed], tmp_path: Path
) -> None:
    made = regions("without-sense")
    assert regions_of(tmp_path / "profile") == {"good": (1, 1, 2, 3)}
    assert made.notes == {"refused-requests": 7}
    assert "7 requests " in made.stderr


@pytest.mark.parametrize("batches", ["yes", "no"])
def test_only_what_toggles_call_is_measured(
    compile: Callable[..., Path], include: str, tmp_path: Path, batches: str
) -> None:
    program = compile("cilk_regions.c", "-O2", *cilk_flags(), include)
    options = ["--burden=1000", f"--batch-events={batches}"]
    both = shadow(
        [program, "fork"],
        tmp_path / "both",
        "--toggle-collect=no*",
        "--toggle-collect=both",
        *options,
    )
    assert "matches --toggle-collect=no*\n" in both.stderr
    assert "matches --toggle-collect=both\n" not in both.stderr
    leaf = 40_000
    assert both.work == pytest.approx(6 * leaf, rel=0.01)
    assert both.span == pytest.approx(3 * leaf, rel=0.01)
    regions = regions_of(tmp_path / "both")
    assert regions["serial"][1:] == regions["child"][1:] == (0, 0, 0)
    assert regions["parallel"][3] == pytest.approx(leaf + 1000, rel=0.001)
    check_sums(tmp_path / "both")
    # main calls more than that, but nothing else has work.
    callees = {
        callee for (caller, callee, _) in site_numbers(tmp_path / "both") if caller == "main"
    }
    assert callees == {"both"}
    profile = read_work_span(str(tmp_path / "both"))
    patterns = [value for name, value in profile.options if name == "toggle-collect"]
    assert patterns == ["no*", "both"]
    # The child of fork(2) is not in a toggle.
    of_child = read_work_span(str(child_profile(tmp_path / "both")))
    assert (of_child.work, of_child.overhead) == (0, 0)
    # Inside out: what is called within a spawned child.
    child = shadow([program], tmp_path / "child", "--toggle-collect=child", *options)
    assert child.work == pytest.approx(leaf, rel=0.01) == child.span


def test_all_threads_are_measured_while_one_is_in_a_toggle(
    compile: Callable[..., Path], include: str, tmp_path: Path
) -> None:
    program = compile("own_scheduler.c", "-O1", include)
    made = shadow([program], tmp_path / "p", "--fair-sched=try", "--toggle-collect=main")
    assert made.parallelism == pytest.approx(8, rel=0.02) and made.work == pytest.approx(
        8 * 40_000, rel=0.02
    )
    never = shadow([program], tmp_path / "q", "--fair-sched=try", "--toggle-collect=nothing")
    assert (never.work, never.span) == (0, 0)


def test_waits_outside_of_toggles_order_what_is_measured(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    program = compile("toggled_waits.cpp", "-std=c++20", "-O2")
    options = ["--fair-sched=try", "--toggle-collect=*hot*"]
    made = shadow([program], tmp_path / "profile", *options)
    hot = 100_000
    assert made.work == pytest.approx(2 * hot, rel=0.01)
    assert made.span == pytest.approx(2 * hot, rel=0.01)
    # A call that only waits for what was measured has a span.
    [waits] = (
        numbers[1:3]
        for (_, callee, _), numbers in site_numbers(tmp_path / "profile").items()
        if "wait_until_set" in callee
    )
    assert waits == (0, pytest.approx(hot, rel=0.01))
