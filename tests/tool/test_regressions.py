"""Faults that the programs of Valgrind's own regression tests brought to light."""

from __future__ import annotations

import signal

import pytest


@pytest.mark.parametrize("address", [0, 2**64 - 1, 2**40], ids=hex)
def test_call_of_an_address_without_code(address, compile, profile):
    """The null function pointer first of all (memcheck/tests/badjump2)."""
    program = compile("wild_call.c")
    died = profile([program, str(address)])
    assert died.process.returncode == -signal.SIGSEGV
    for name in ("main", "call", f"???+{address:#x}"):
        routine = died.routine(name)
        assert routine["calls"] == routine["unfinished"] == 1
    survived = profile([program, str(address), "3"])
    assert survived.process.stdout == b"survived\n"
    for name in ("call", "after", "handler"):
        routine = survived.routine(name)
        assert (routine["calls"], routine["unfinished"]) == (3, 0)


@pytest.mark.parametrize("levels", [2000, 10000])
def test_handlers_nested_in_each_other(levels, compile, profile):
    """The first thousand are logical threads (none/tests/sigstackgrowth has as many)."""
    program = compile("nested_signals.c")
    run = profile([program, str(levels)], "--main-stacksize=200000000")
    assert run.process.stdout == b"returned\n"
    assert (run.routine("handler")["calls"], run.routine("handler")["unfinished"]) == (
        levels,
        0,
    )
    merged = levels - 999  # the main program is the first level
    assert f"\nnote nested-handlers {merged} signal handlers " in run.paths[0].read_text()
