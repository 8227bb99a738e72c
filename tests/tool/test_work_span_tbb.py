"""Work and span of programs that use oneTBB."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from compiling import preprocesses
from shadowing import Shadowed, shadow

# Units of work, and of the longest path.
EXPECTED = {
    "tree": (31, 5),
    "group": (55, 20),
    "two_groups": (50, 30),
    "group_from_within": (40, 35),
    "group_twice": (30, 20),
    "loop": (32, 1),
    "nested_loops": (136, 3),
    "reduction": (79, 32),
    "uneven_reduction": (60, 50),
    "invoke": (45, 30),
    "invoke_many": (70, 20),
    "quicksort": (80, 31),
    "inlined": (32, 1),
    "exception": (35, 30),
    "nested_exception": (45, 40),
    "arena": (55, 20),
    "diamond": (70, 50),
    "messages": (60, 15),
    "nested_in_graph": (84, 11),
    "pipeline": (20, 5),
    "pipeline_of_three": (72, 29),  # with room for three items
}


# Before what needs it.
LIBRARY = ["-Wl,--no-as-needed", "-ltbb"]


@pytest.fixture(params=["-O2 -g", "-O0 -g", "-O2 -g0"])
def tbb(
    request: pytest.FixtureRequest, compile: Callable[..., Path], tmp_path: Path
) -> Callable[..., Shadowed]:
    """tbb(what, *options): what tbb_order.cpp does."""
    if not preprocesses("g++", "-include", "oneapi/tbb.h", "-xc++"):
        pytest.skip("libtbb-dev not installed")

    def run_once(what: str, *options: str) -> Shadowed:
        program = compile("tbb_order.cpp", *LIBRARY, *request.param.split(" "))
        return shadow([program, what], tmp_path / "profile", *options)

    return run_once


@pytest.mark.parametrize(("what", "units"), EXPECTED.items(), ids=EXPECTED)
def test_work_and_span_are_known(
    tbb: Callable[..., Shadowed], what: str, units: tuple[int, int]
) -> None:
    measured = tbb(what)
    work, span = units
    assert measured.parallelism == pytest.approx(work / span, rel=0.05)
    assert set(measured.notes) <= {"tbb-without-lines"}


def test_what_templates_find_changed_is_no_wait_of_the_program(
    tbb: Callable[..., Shadowed]
) -> None:
    assert set(tbb("tree", "--fair-sched=try").notes) <= {"tbb-without-lines"}


@pytest.mark.parametrize("tbb", ["-O2 -g"], indirect=True)
def test_spawned_tasks_are_spawns(tbb: Callable[..., Shadowed]) -> None:
    assert tbb("tree").spawns == 15
    assert tbb("loop").spawns == 31


@pytest.mark.parametrize("tbb", ["-O2 -g"], indirect=True)
def test_own_code_of_tbb_is_no_work(
    tbb: Callable[..., Shadowed], compile: Callable[..., Path], tmp_path: Path
) -> None:
    without_lines = shadow(
        [compile("tbb_order.cpp", *LIBRARY, "-O2", "-g0"), "loop"], tmp_path / "0"
    )
    assert tbb("loop").work + 31 * 50 < without_lines.work  # 31 tasks were spawned


@pytest.mark.parametrize("tbb", ["-O0 -g", "-O1 -g", "-O2 -g"], indirect=True)
def test_atomics_of_the_program_are_its_work(tbb: Callable[..., Shadowed]) -> None:
    """Also where they are inlined into code of oneTBB."""
    assert tbb("atomics").work == pytest.approx(tbb("serial_atomics").work, rel=0.05)


@pytest.mark.parametrize("tbb", ["-O0 -g", "-O1 -g", "-O2 -g"], indirect=True)
def test_atomics_of_the_program_order_no_tasks(tbb: Callable[..., Shadowed]) -> None:
    assert tbb("progress").parallelism == pytest.approx(44 / 21, rel=0.05)


def test_mutexes_end_with_their_memory(tbb: Callable[..., Shadowed]) -> None:
    assert tbb("own_mutexes").serialised_parallelism == pytest.approx(32, rel=0.1)


@pytest.mark.parametrize("tbb", ["-O0 -g"], indirect=True)
def test_only_bodies_of_tasks_are_routines_of_tbb(
    tbb: Callable[..., Shadowed], tmp_path: Path
) -> None:
    tbb("loop")
    lines = (tmp_path / "profile").read_text().splitlines()
    names = [line.split(" ", 6)[6] for line in lines if line.startswith("routine ")]
    of_tbb = [
        name
        for name in names
        if name.startswith(("tbb::detail::", "void tbb::detail::")) and " std::" not in name
    ]
    assert of_tbb and all("::execute(" in name for name in of_tbb)


@pytest.mark.parametrize("tbb", ["-O2 -g0"], indirect=True)
def test_note_tells_of_missing_lines(tbb: Callable[..., Shadowed]) -> None:
    assert tbb("loop").notes["tbb-without-lines"] > 0


@pytest.mark.parametrize("tbb", ["-O2 -g"], indirect=True)
def test_note_tells_what_divides_automatic_loops(tbb: Callable[..., Shadowed]) -> None:
    measured = tbb("automatic_loop")
    assert measured.notes["tbb-threads"] >= 1
    assert measured.parallelism <= 64


@pytest.mark.parametrize("tbb", ["-O0 -g", "-O2 -g"], indirect=True)
@pytest.mark.parametrize(
    ("case", "work", "span"),
    [("bounded_queue", 82, 53), ("waiting_queue", 80, 50), ("cleared_queue", 90, 70)],
)
def test_bounded_queues_order_pushes_and_pops(
    tbb: Callable[..., Shadowed], case: str, work: int, span: int
) -> None:
    """Whether or not a push has to wait in the run. If a push overtakes the end of the pop that made room, a note says
    so; the last one is on the longest path."""
    measured = tbb(case)
    assert "tbb-unknown-room" not in measured.notes
    overtakes = measured.notes.get("tbb-unknown-callbacks", 0)
    assert overtakes <= (case == "bounded_queue")
    spans = (span, span - 7) if overtakes else (span,)
    assert any(measured.parallelism == pytest.approx(work / s, rel=0.03) for s in spans)


@pytest.mark.parametrize("tbb", ["-O2 -g"], indirect=True)
def test_aborted_pushes_tell_nothing_of_another_queue(tbb: Callable[..., Shadowed]) -> None:
    assert "tbb-unknown-callbacks" not in tbb("aborted_queue").notes


@pytest.mark.parametrize("tbb", ["-O0 -g", "-O2 -g"], indirect=True)
def test_observers_of_the_scheduler_get_none(tbb: Callable[..., Shadowed]) -> None:
    assert "tbb-unknown-callbacks" not in tbb("observed_loop").notes


@pytest.mark.parametrize("tbb", ["-O2 -g"], indirect=True)
def test_limited_nodes_get_a_note(tbb: Callable[..., Shadowed]) -> None:
    assert tbb("limited_node").notes["tbb-aggregators"] > 0
