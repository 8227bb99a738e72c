"""Activations and inclusive costs whatever way control leaves a routine."""

from __future__ import annotations

import pytest

from running import TESTS, calls, inclusive


@pytest.fixture(params=[[], ["-static"], ["-no-pie"], ["-O0"], ["-Wl,-z,now"]], ids=str)
def run(request, compile, profile):
    program = compile("control_flow.c", *request.param)
    done = profile([program])
    assert done.process.returncode == 3, done.process.stderr.decode()
    assert len(done.paths) == 2
    return done


def test_control_flow(run):
    # Recursion: every activation, its inclusive cost once.
    assert calls(run, "recurse") == 1001
    # longjmp: the ten frames it passed have ended, and work() is called by the one it returned to.
    assert calls(run, "jump_out") == 50
    assert run.routine("jump_out")["unfinished"] == 0
    assert inclusive(run, "longjmp_over_ten") > inclusive(run, "jump_out") + 5 * 100
    # The handler is a root of its own: its 1000 rounds are not interrupted()'s.
    assert calls(run, "handler") == 1
    assert inclusive(run, "handler") > 1000 > inclusive(run, "interrupted")
    # siglongjmp out of a handler, on a stack of its own.
    assert calls(run, "jumping_handler") == calls(run, "interrupted_for_good") == 3
    assert inclusive(run, "leave_handler_by_jump") > inclusive(run, "interrupted_for_good") + 3 * 50
    # exit() from deep inside.
    assert run.routine("at_depth_exit")["unfinished"] == calls(run, "at_depth_exit") == 21
    # The child counted what the child did, the parent what it did.
    assert calls(run, "work") == 5 + 1 + 2 + 3 + 1


def test_recursion_is_never_above_100_percent(run):
    report = run.report()
    total = sum(routine["cost"]["bb"]["self"] for routine in report["routines"])
    assert all(routine["cost"]["bb"]["inclusive"] <= total for routine in report["routines"])


def test_exceptions(compile, profile):
    run = profile([compile("exceptions.cpp")])
    assert run.process.stdout == b"done\n"
    assert calls(run, "thrower(int)") == 40
    assert run.routine("thrower(int)")["unfinished"] == 0
    assert calls(run, "catcher()") == calls(run, "after(int)") == 4
    after = run.routine("after(int)")["cost"]["bb"]
    assert after["inclusive"] == after["self"]
    # catcher() returned before after() was called.
    assert inclusive(run, "main") > inclusive(run, "catcher()") + inclusive(run, "after(int)")


def test_first_call_of_a_library_routine_is_like_all_others(compile, profile):
    """Lazy symbol binding belongs to no routine."""
    run = profile([compile("lazy_binding.c", "-fno-builtin", "-Wl,-z,lazy")])
    caller = run.routine("call_labs")
    for metric in ("rms", "trms"):
        (point,) = caller["points"][metric]
        assert point["calls"] == 3
        assert point["cost"]["bb"]["min"] == point["cost"]["bb"]["max"]
    assert int(run.lines("uncounted")[0][1]) > 100
    eager = profile([compile("lazy_binding.c", "-fno-builtin", "-Wl,-z,now")]).routine("call_labs")
    assert eager["cost"] == caller["cost"]
    assert eager["points"] == caller["points"]


def test_deep_recursion(compile, profile):
    run = profile([compile("deep_recursion.c", "-O1")], "--main-stacksize=200000000")
    assert run.process.stdout == b"1000000\n"
    deep = run.routine("deep")
    assert deep["calls"] == 1000001
    assert deep["cost"]["bb"]["inclusive"] == deep["cost"]["bb"]["self"]


@pytest.mark.parametrize("debug_info", ["-g", "-g0"])
def test_static_functions_of_one_name_are_two_routines(debug_info, compile, profile):
    program = compile("namesakes.c", TESTS / "programs" / "namesakes_two.c", debug_info)
    run = profile([program])
    helpers = [r for r in run.report()["routines"] if r["name"] == "helper"]
    assert sorted(r["calls"] for r in helpers) == [2, 5]


def test_stripped_program_has_routines_by_address(compile, profile):
    run = profile([compile("many_sizes.c", "-s", "-Wl,-z,now")])
    ours = [r for r in run.report()["routines"] if r["name"].startswith("many_sizes+0x")]
    rich = [r for r in ours if len(r["points"]["rms"]) == 2000]
    assert len(rich) == 1 and rich[0]["calls"] == 2000


def test_cold_part_belongs_to_its_function(compile, profile):
    run = profile([compile("cold_part.c")])
    names = [r["name"] for r in run.report()["routines"]]
    assert not any(".cold" in name for name in names)
    assert run.routine("mostly_hot")["calls"] == 100


def test_call_injected_by_a_signal_handler(compile, profile):
    run = profile([compile("injected_call.c")])
    assert run.process.stdout == b"done\n"
    for name in ("handler", "inject", "injected", "interrupted"):
        assert (calls(run, name), run.routine(name)["unfinished"]) == (3, 0)
    assert inclusive(run, "interrupted") > inclusive(run, "inject") > inclusive(run, "injected")
    assert inclusive(run, "injected") > 3 * 1000 > inclusive(run, "handler")
