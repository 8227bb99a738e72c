"""Programs that switch stacks: each stack is a root with calls, cost and input of its own."""

from __future__ import annotations

import re
import shutil

import pytest

from running import finished, inclusive, sizes


@pytest.fixture(params=[[], ["-O0"], ["-static"], ["-O3", "-fomit-frame-pointer"]], ids=str)
def run(request, compile, profile):
    done = profile([compile("coroutines.c", *request.param)])
    assert done.process.stdout == b"190\n", done.process.stderr.decode()
    return done


def test_coroutines(run):
    calls = {r["name"]: r["calls"] for r in run.report()["routines"]}
    unfinished = {r["name"]: r["unfinished"] for r in run.report()["routines"]}

    # The generator's cost is not its consumer's; what it passes on is the consumer's input.
    assert (calls["generate"], unfinished["generate"]) == (1, 1)
    assert inclusive(run, "generate") > 20 * 1000 > 10 * inclusive(run, "consume")
    assert calls["next_value"] == calls["take_value"] == 20
    assert unfinished["next_value"] == unfinished["consume"] == 0
    assert run.routine("take_value")["induced"] == {"thread": 20, "external": 0}
    assert sizes(run.routine("take_value"), "trms") == [1]

    # On one stack after the other: every activation is one.
    assert (calls["short_lived"], unfinished["short_lived"]) == (20, 0)
    assert calls["abandoned"] == 10

    # Frames that wait on a stack are neither ended nor lost by switching.
    assert calls["fiber"] == 4
    assert calls["at_depth"] == 40 * 6
    assert calls["resume_fiber"] == 40 + 1 + 1 + 2 * 100
    assert unfinished["resume_fiber"] == 0

    assert (calls["elsewhere"], unfinished["elsewhere"]) == (5, 0)
    assert inclusive(run, "elsewhere") > 5 * 500 > 5 * inclusive(run, "call_elsewhere")

    assert (calls["jump"], unfinished["jump"]) == (20, 0)
    assert (calls["variable_length"], unfinished["variable_length"]) == (5, 0)
    assert (calls["make_room"], unfinished["make_room"]) == (5, 0)
    assert inclusive(run, "make_room") > inclusive(run, "in_made_room") > 5 * 20
    assert (calls["jumps_within"], unfinished["jumps_within"]) == (1, 0)

    # It is one activation, whichever thread it goes on in.
    assert (calls["traveller"], unfinished["traveller"]) == (1, 1)
    assert inclusive(run, "traveller") > 100 + 300
    assert calls["second_half"] == 1

    assert calls["waiting"] == 100
    assert calls["main"] == 1 and unfinished["main"] == 0


def test_more_stacks_than_are_kept_apart(compile, profile):
    run = profile([compile("coroutines.c"), "1500"])
    assert run.process.stdout == b"190\n"
    assert run.routine("resume_fiber")["unfinished"] == 0
    assert run.routine("waiting")["calls"] == 1500
    said = re.search(r"^note stacks-given-up (\d+) stacks", run.paths[0].read_text(), re.M)
    # Those begun first are, and each again for one that is resumed; main's is one more.
    assert said is not None and 2000 <= int(said[1]) <= 2010


def test_signal_handlers_that_switch_stacks(compile, profile):
    """Main's user-level thread ends first, when each of the two others is in its eighth slice."""
    run = profile([compile("preemption.c")])
    assert run.process.stdout == b"done\n", run.process.stderr.decode()
    found = {r["name"]: (r["calls"], r["unfinished"]) for r in run.report()["routines"]}
    assert (found["slice"], found["work"]) == ((3 * 8, 2), (3 * 8 * 2 - 2, 0))
    assert (found["user_thread"], found["preempt"]) == ((3, 2), (3 * 8, 2))
    assert (found["main_thread"], found["first"], found["second"]) == (
        (1, 0),
        (1, 1),
        (1, 1),
    )
    # Nobody pays for another.
    assert 8 * 2 * 10 < inclusive(run, "main_thread") < 8 * 2 * 100
    assert 15 * 100 < inclusive(run, "first") < 15 * 1000 < inclusive(run, "second")


@pytest.mark.parametrize("flags", [["-O0"], ["-O1"], ["-O2"], ["-O1", "-s"]], ids=" ".join)
def test_split_stack(flags, compile, profile):
    """A call that goes on in another piece of the stack is one, of one thread's stack."""
    run = profile(
        [compile("split_recursion.cpp", "-fsplit-stack", "-fuse-ld=gold", "-pthread", *flags)],
        "--cost=instr",
    )
    assert run.process.stdout == b"133462\n", run.process.stderr.decode()
    routines = run.report()["routines"]
    if "-s" in flags:
        ours = {r["calls"] for r in routines if r["name"].startswith("split_recursion+0x")}
        assert {3330, 2120} <= ours and not any(2120 < n < 3330 or n > 3330 for n in ours)
        return
    found = {r["name"].partition("::")[2].partition("(")[0]: r for r in routines}
    assert (found["down"]["calls"], found["down"]["unfinished"]) == (3330, 0)
    assert (found["leaf"]["calls"], found["leaf"]["unfinished"]) == (2120, 0)
    # All that is done in the thread is its first routine's.
    assert found["returning"]["cost"]["instr"]["inclusive"] > found["leaf"]["cost"]["instr"]["self"]
    assert (
        found["thread"]["cost"]["instr"]["inclusive"] > found["down"]["cost"]["instr"]["inclusive"]
    )


@pytest.mark.parametrize("linker", ["gold", "lld"])
def test_split_stack_and_code_without(linker, compile, profile):
    """Linkers make the prologue ask for more room where it calls code that cannot ask for itself."""
    if shutil.which(f"ld.{linker}") is None:
        pytest.skip(f"ld.{linker} not installed")
    flags = ["-O1", "-fsplit-stack", f"-fuse-ld={linker}", "-pthread"]
    run = profile([compile("split_library_calls.c", *flags)], "--cost=instr")
    with_room, result = run.process.stdout.split()
    assert with_room == result
    for name in ("down", "sorted"):
        assert finished(run, name) == 2 * 2120
    assert finished(run, "__morestack_non_split") > 4240  # some of them did not switch
    below = sum(run.routine(name)["cost"]["instr"]["self"] for name in ("down", "sorted", "qsort"))
    assert run.routine("twenty")["cost"]["instr"]["inclusive"] > below
