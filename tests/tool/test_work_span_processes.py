"""cilkshadow's profiles of programs that fork and exec: each process its own, nothing lost."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from compiling import preprocesses
from running import VG_IN_PLACE, run
from shadowing import site_numbers

pytestmark = pytest.mark.usefixtures("libraries_without_debug_info")
Profiles = list[dict[str, Path]]  # by process, the oldest first; and by ".exec1" or ""


@pytest.fixture
def profiles(tmp_path: Path) -> Callable[..., Profiles]:
    """profiles(program, *arguments): run with --trace-children."""

    def run_once(program: Path, *arguments: str) -> Profiles:
        tool = [VG_IN_PLACE, "-q", "--tool=cilkshadow", "--trace-children=yes"]
        done = run([*tool, f"--cilkshadow-out-file={tmp_path}/%p", program, *arguments])
        assert not done.stderr, done.stderr.decode()
        by_process: dict[int, dict[str, Path]] = {}
        for path in tmp_path.iterdir():
            found = re.fullmatch(r"(\d+)((?:\.exec\d+)?)", path.name)
            assert found is not None, path
            by_process.setdefault(int(found[1]), {})[found[2]] = path
            check_sums(path)
        return [by_process[pid] for pid in sorted(by_process)]

    return run_once


def total(profile: Path, name: str) -> str:
    lines = profile.read_text().splitlines()
    return next(line.split(" ")[1] for line in lines if line.startswith(f"{name} "))


def check_sums(profile: Path) -> None:
    """What the routines executed themselves is all there is, and of the longest path, too."""
    numbers = site_numbers(profile, together=True).values()
    assert sum(n[7] for n in numbers) == int(total(profile, "work"))
    assert sum(n[17] for n in numbers) == int(total(profile, "span"))


def notes(profile: Path) -> set[str]:
    lines = map(str.split, profile.read_text().splitlines())
    return {words[1] for words in lines if words[0] == "note"}


def calls(profile: Path) -> dict[str, int]:
    found: dict[str, int] = {}
    for (_, callee, _), numbers in site_numbers(profile, together=True).items():
        found[callee] = found.get(callee, 0) + numbers[6]
    return found


def work_of(profile: Path, routine: str) -> int:
    sites = site_numbers(profile, together=True).items()
    return sum(numbers[1] for (_, callee, _), numbers in sites if callee == routine)


def test_forked_child_starts_from_zero(
    compile: Callable[..., Path], profiles: Callable[..., Profiles]
) -> None:
    parent, child = (by[""] for by in profiles(compile("children.c"), "fork"))
    assert calls(parent)["in_parent"] == 4 and "in_child" not in calls(parent)
    assert calls(child)["in_child"] == 1 and "in_parent" not in calls(child)
    # What was pending at the fork is as if called there.
    for routine in ("main", "pending", "fork_child"):
        assert calls(child)[routine] == 1
        assert work_of(child, "in_child") <= work_of(child, routine)
    assert (total(child, "threads"), total(child, "spawns")) == ("1", "0")


def test_threads_of_the_parent_are_not_the_childs(
    compile: Callable[..., Path], profiles: Callable[..., Profiles]
) -> None:
    parent, by_thread, by_handler = (by[""] for by in profiles(compile("fork_in_thread.c")))
    assert "waits" in calls(parent) and total(parent, "threads") == "3"
    for child in (by_thread, by_handler):
        assert calls(child)["in_child"] == 2
        assert total(child, "threads") == "2"
        assert "waits" not in calls(child)
    assert "main" not in calls(by_thread) and "main" in calls(by_handler)


def test_nothing_is_lost_at_exec(
    compile: Callable[..., Path], profiles: Callable[..., Profiles]
) -> None:
    (process,) = profiles(compile("children.c"), "exec")
    assert set(process) == {".exec1", ""}
    before, after = process[".exec1"], process[""]
    assert (total(before, "reason"), total(after, "reason")) == ("exec", "exit")
    assert calls(before)["in_parent"] == calls(before)["exec_self"] == calls(before)["main"] == 1
    assert calls(after)["in_new_image"] == 1 and "in_parent" not in calls(after)


@pytest.mark.parametrize("how", ["exec-fails", "exec-refused"])
def test_exec_that_fails_changes_nothing(
    how: str, compile: Callable[..., Path], profiles: Callable[..., Profiles]
) -> None:
    (process,) = profiles(compile("children.c"), how)
    assert set(process) == {""}
    assert calls(process[""])["in_parent"] == 3
    assert calls(process[""])["main"] == 1


def test_fork_within_spawns(
    cilk_program: Callable[..., Path], profiles: Callable[..., Profiles]
) -> None:
    """In a loop, in a scope, in a spawned call: the child goes on with what is left of them."""
    parent, child = (by[""] for by in profiles(cilk_program("trouble/fork_in_spawn.c")))
    assert (total(parent, "spawns"), total(child, "spawns")) == ("6", "2")
    assert calls(parent)["leaf"] == 10 and calls(child)["leaf"] == 5
    # The leaves of the iteration that forked go on beside its child; the next one is beside both.
    assert int(total(child, "work")) - int(total(child, "span")) > 2 * 1000
    assert "note" not in parent.read_text() + child.read_text()


def test_what_is_counted_later_is_counted_where_it_was(
    cilk_program: Callable[..., Path], profiles: Callable[..., Profiles]
) -> None:
    """How often invocations that are alike were called before the fork is the parent's."""
    parent, child = (by[""] for by in profiles(cilk_program("trouble/fork_after_alike.c")))
    assert (total(parent, "spawns"), total(child, "spawns")) == ("140", "30")
    assert calls(parent)["spawning"] == 140 and calls(child)["spawning"] == 30
    assert calls(parent)["leaf"] == 280 and calls(child)["leaf"] == 60


def test_notes_are_of_what_the_child_did_itself(
    compile: Callable[..., Path], profiles: Callable[..., Profiles]
) -> None:
    if not preprocesses("g++", "-include", "oneapi/tbb.h", "-xc++"):
        pytest.skip("libtbb-dev not installed")
    program = compile("fork_after_parallel.cpp", "-fopenmp", "-Wl,--no-as-needed", "-ltbb")
    parent, child = (by[""] for by in profiles(program))
    kinds = {"logical-threads", "openmp-not-understood", "tbb-threads", "tbb-unknown-callbacks"}
    assert kinds <= notes(parent)
    assert not kinds & notes(child)


def test_child_without_a_name_of_its_own_adds_its_pid(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    option = f"--cilkshadow-out-file={tmp_path}/profile"
    run([VG_IN_PLACE, "-q", "--tool=cilkshadow", option, compile("children.c"), "fork"])
    names = sorted(os.listdir(tmp_path))
    assert len(names) == 2 and names[0] == "profile"
    assert names[1] == f"profile.{total(tmp_path / names[1], 'pid')}"


def test_the_profile_without_a_name(tmp_path: Path) -> None:
    """It is in the current folder, one for each process."""
    for runs in (1, 2):
        run([VG_IN_PLACE, "-q", "--tool=cilkshadow", "/bin/true"], cwd=tmp_path)
        names = [path.name for path in tmp_path.iterdir()]
        assert len(names) == runs
        assert all(re.fullmatch(r"cilkshadow\.out\.\d+", name) for name in names), names
