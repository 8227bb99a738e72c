"""The cards of findings on cilkshadow's page: curves, source and calls of simulated findings, and of bounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from work_span_builder import Site, WorkSpan, quicksort

from aprofplot.commands.processors_option import costs_asked
from aprofplot.read.work_span_reader import read_work_span
from aprofplot.reports.work_span.page import page_data

SPAWNED = ((2, 40, 40),) * 3, ((1, 20, 20),) * 3  # on work, on span
LOOPS = ("loop 1 1 0 4100 natural 1 33 35 main", "executions 1 9" + " 1 60 60" * 6)
# A serial loop of main, then two strands of quicksort, then main again.
DAG = (
    "dag 0 4",
    *("path 1 0 1", "loop-path 2 1 1", "path 3 1 2"),
    *("strand 1 60 0 0 - 2:60:0 -", "strand 1 20 0 0 1 3:20:0 -", "strand 2 20 0 0 1 3:20:0 -"),
    "strand 1 10 0 0 2,3 1:10:0 -",
)


def with_a_serial_loop(**more: Any) -> WorkSpan:
    main = ((1, 110, 90), (1, 110, 90), (1, 70, 70))
    return WorkSpan(sites=[Site(0, 1, 0, main), Site(1, 2, 36, *SPAWNED)], loops=LOOPS, **more)


def data_of(made: WorkSpan, folder: Path, processors: tuple[int, ...] = ()) -> dict[str, Any]:
    """The page's, of the source in the folder. Findings are of the last number of processors but one."""
    (folder / "quicksort.c").write_text("".join(f"line {n};\n" for n in range(1, 51)))
    profile = read_work_span(str(made.write(folder / "profile")))
    costs = costs_asked(profile, processors) if processors else []
    return page_data(profile, [str(folder)], costs, processors[-2] if processors else 0)[0]


def test_a_simulated_finding(tmp_path: Path) -> None:
    data = data_of(with_a_serial_loop(dag=DAG), tmp_path, (1, 2, 4))
    (card,) = data["findings"]
    what, gain = card["lines"]
    assert what.startswith("serial phase: main (quicksort.c:33) runs alone")
    assert gain == "Without this, the program would run 1.64 times as fast."
    # 110 of work takes 90 on two processors and on four; without it 70 of them are divided.
    plot = card["plot"]
    assert plot["processors"] == [1, 2, 4]
    assert plot["now"][1] == pytest.approx([1, 110 / 90, 110 / 90], rel=1e-4)
    assert plot["then"][1] == pytest.approx([1, 110 / 55, 110 / 38], rel=1e-4)
    assert data["before"][0].startswith("On 2 processors it would run 1.2 times as fast")
    assert data["before"][0].endswith("What holds it back:")
    assert data["after"][0].startswith("The parallelism is 1.2")


def test_its_loop_is_marked_and_its_calls_are_sites(tmp_path: Path) -> None:
    data = data_of(with_a_serial_loop(dag=DAG), tmp_path, (1, 2, 4))
    (card,) = data["findings"]
    source = card["source"]
    assert (source["marked"], source["first"], source["lines"][0]) == ([33, 35], 31, "line 31;")
    ((name, place, site),) = card["path"]
    assert (name, place, data["sites"]["name"][site]) == ("main", "quicksort.c:33", "main")


def test_the_source_of_cards_is_held_by_the_page(tmp_path: Path) -> None:
    """The loop's is another file than those of all calls."""
    (tmp_path / "loop.h").write_text("line;\n" * 50)
    made = with_a_serial_loop(dag=DAG, files=("/src/quicksort.c", "/src/loop.h"))
    made.loops = [record.replace("natural 1", "natural 2") for record in LOOPS]
    data = data_of(made, tmp_path, (1, 2, 4))
    assert data["findings"][0]["source"]["path"] == str(tmp_path / "loop.h")
    assert (str(tmp_path / "loop.h"), 7) in data["sources"]


def test_no_other_source_is_read(tmp_path: Path) -> None:
    """A profile may name any file: only those below the folder are."""
    (tmp_path / "secret.c").write_text("secret\n" * 50)
    (tmp_path / "src").mkdir()
    made = with_a_serial_loop(dag=DAG, files=(str(tmp_path / "secret.c"),))
    (card,) = data_of(made, tmp_path / "src", (1, 2, 4))["findings"]
    assert card["source"]["missing"] == "Its source file was not found below --source-path."


def test_a_finding_without_a_place_has_no_source(tmp_path: Path) -> None:
    made = with_a_serial_loop(dag=DAG, files=("",))
    (card,) = data_of(made, tmp_path, (1, 2, 4))["findings"]
    assert card["source"]["missing"] == "The debug information names no source file for it."


@pytest.mark.parametrize("processors", [(), (1, 2, 4)])
def test_control_characters_in_paths_are_escaped(
    processors: tuple[int, ...], tmp_path: Path
) -> None:
    made = with_a_serial_loop(
        **({"dag": DAG} if processors else {}), files=("/src/qu\u202eick\x01.c",)
    )
    written = json.dumps(data_of(made, tmp_path, processors)["findings"], ensure_ascii=False)
    assert ".c:" in written and "\u202e" not in written and "\\u0001" not in written


def test_a_program_that_scales_has_no_card(tmp_path: Path) -> None:
    dag = (*DAG[:3], "strand 1 50 0 0 - 1:50:0 -", "strand 2 60 0 0 - 1:60:0 -")
    made = with_a_serial_loop(dag=("dag 0 2", *dag[1:]))
    data = data_of(made, tmp_path, (1, 2, 2))
    assert data["findings"] == []
    assert data["before"][0].endswith(
        "Nothing keeps 2 processors idle or busy with overhead for long."
    )


def test_without_a_dag_the_cards_are_of_the_longest_path(tmp_path: Path) -> None:
    """The callers are those on it: quicksort calls itself, too, but main has called it."""
    data = data_of(quicksort(), tmp_path)
    (card,) = data["findings"]
    assert card["lines"][0].startswith("partition (quicksort.c:20) holds nearly all of the span")
    assert [name for name, _, _ in card["path"]] == ["main", "quicksort", "partition"]
    assert [data["sites"]["place"][site] for _, _, site in card["path"]][1:] == [
        "quicksort.c:31",
        "quicksort.c:20",
    ]
    assert card["source"]["marked"] == [20, 20]
    plot = card["plot"]
    bound = 790_518_160 / 141_902_744
    assert max(plot["now"][1]) == pytest.approx(bound, rel=1e-4)
    assert plot["then"][1] == plot["processors"]  # linear, as far as is drawn
    assert data["before"][-1].endswith(
        "the profile has no dag, which --processors needs; profile again with valgrind "
        "--tool=cilkshadow, without --dag=no."
    )


def test_grain_and_locks_are_cards(tmp_path: Path) -> None:
    """Most is spawned at line 21; the bounds are those of the program, and what they would be without."""
    made = quicksort()
    made.totals = {"burdened-span": 400_000_000, "serialised-span": 200_000_000}
    made.locks = ["7 79051816 2 mutex queue"]
    _, grain, locks = data_of(made, tmp_path)["findings"]
    assert grain["source"]["marked"] == [21, 21]
    assert [name for name, _, _ in grain["path"]] == ["main", "quicksort", "quicksort"]
    plot = grain["plot"]
    last = plot["processors"][-1]
    estimate = 1 / (1 / last + 1.7 * 400_000_000 / 790_518_160)
    assert plot["now"][1][-1] == pytest.approx(estimate, rel=1e-4)
    assert locks["source"]["marked"] == [17, 17]
    assert max(locks["plot"]["now"][1]) == pytest.approx(790_518_160 / 200_000_000, rel=1e-4)
    for of in (grain, locks):
        assert max(of["plot"]["then"][1]) == pytest.approx(790_518_160 / 141_902_744, rel=1e-4)


def test_what_holds_the_span_comes_last_where_there_is_parallelism_enough(tmp_path: Path) -> None:
    made = quicksort()
    made.totals = {"work": 10**12, "burdened-span": 10**11}
    first, second = data_of(made, tmp_path)["findings"]
    assert first["lines"][0].startswith("The burdened parallelism is only")
    assert second["lines"][0].startswith("If a parallelism of 7,047 is too little: partition")
