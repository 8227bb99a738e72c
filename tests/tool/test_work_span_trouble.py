"""Programs and command lines that cilkshadow cannot follow: one message says so, nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from running import VG_IN_PLACE, run
from shadowing import Shadowed, shadow
from test_work_span_processes import check_sums

# Its note, how many, and how many spawns.
TROUBLE = {
    "exit": ("abandoned-spawns", 2, 1),
    "longjmp": ("abandoned-spawns", 2, 1),
    "longjmp-to-spawner": ("abandoned-spawns", 1, 1),
    "longjmp-beyond": ("abandoned-spawns", 1, 1),
    "pthread_exit": ("abandoned-spawns", 2, 1),
    "unmatched": ("unmatched-markers", 2, 0),
    "newer": ("newer-markers", 1, 0),
    "no-call": ("spawns-without-call", 1, 0),
    "never-synced": ("abandoned-spawns", 1, 0),
}


def warnings(run: Shadowed) -> list[str]:
    """The lines between the totals and where the profile went."""
    lines = [line.split("== ", 1)[1] for line in run.stderr.splitlines() if "== " in line]
    (first,) = (i for i, line in enumerate(lines) if " spawn" in line and " sync" in line)
    return lines[first + 1 : -2]


@pytest.mark.parametrize(("what", "expected"), TROUBLE.items(), ids=TROUBLE)
def test_trouble_is_told(
    what: str,
    expected: tuple[str, int, int],
    cilk_program: Callable[..., Path],
    tmp_path: Path,
) -> None:
    kind, count, spawns = expected
    program = cilk_program("trouble/trouble.c")
    run = shadow([program, what], tmp_path / "profile")
    assert run.notes == {kind: count}
    assert run.spawns == spawns
    # So short a run may cost most in the C library, whose names are apart.
    (text,) = (line for line in warnings(run) if "of the cost has no names" not in line)
    assert text.startswith(f"{count} ")
    assert f"note {kind} {text}\n" in (tmp_path / "profile").read_text()
    check_sums(tmp_path / "profile")


def test_spawn_and_what_runs_beside_it_in_one_line(
    cilk_program: Callable[..., Path], tmp_path: Path
) -> None:
    """They may be argument and spawned call: the summary says so, the profile what to do."""
    run = shadow([cilk_program("trouble/trouble.c"), "one-line"], tmp_path / "profile")
    assert run.notes == {"spawns-with-several-calls": 1}
    (said,) = warnings(run)
    assert said == "1 spawn has several calls, and which one is spawned is not certain"
    assert f"note spawns-with-several-calls {said}. In C, " in (tmp_path / "profile").read_text()
    assert run.parallelism < 1.01


def test_programs_without_trouble_are_not_warned_of(
    cilk_program: Callable[..., Path], tmp_path: Path
) -> None:
    # A shorter run costs most in the C library, whose names may be apart.
    run = shadow([cilk_program("fib.c"), "15"], tmp_path / "profile")
    assert not run.notes and not warnings(run)


def test_one_of_a_kind_is_singular(cilk_program: Callable[..., Path], tmp_path: Path) -> None:
    run = shadow([cilk_program("trouble/trouble.c"), "longjmp"], tmp_path / "profile")
    assert "== 1 spawn, 1 sync, 1 thread\n" in run.stderr


@pytest.mark.parametrize(("where", "least"), [("task", 1), ("loop", 1)])
def test_exit_inside_a_task_or_chunk(
    where: str, least: int, compile: Callable[..., Path], tmp_path: Path
) -> None:
    program = compile("openmp_exit.c", "-O1", "-fopenmp")
    run = shadow([program, *(["loop"] if where == "loop" else [])], tmp_path / "profile")
    assert run.notes["abandoned-spawns"] >= least
    assert len(warnings(run)) == 1
    check_sums(tmp_path / "profile")


def test_place_that_cannot_be_written_is_told_before_the_run(tmp_path: Path) -> None:
    option = f"--cilkshadow-out-file={tmp_path}/nowhere/profile"
    done = run([VG_IN_PLACE, "-q", "--tool=cilkshadow", option, "/bin/echo", "ran"])
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"nowhere/profile" in done.stderr and b"--cilkshadow-out-file=<file>" in done.stderr


def test_place_that_vanishes_costs_no_profile(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "gone", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    option = f"--cilkshadow-out-file={folder}/profile"
    command = [VG_IN_PLACE, "-q", "--tool=cilkshadow", option, "rmdir", folder]
    done = run(["env", f"TMPDIR={elsewhere}", *command])
    assert done.returncode == 0
    assert b"The profile is in" in done.stderr
    check_sums(elsewhere / "profile")
