"""Callers and callees of cilkshadow: those of the program's code, and of aprof-trms."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from call_edges import Edges, of_aprof_trms, of_cilkshadow, to
from running import Command, Profiled, run
from shadowing import shadow, site_numbers

Compile = Callable[..., Path]
Profile = Callable[..., Profiled]


def callers(profile: Path, callee: str) -> set[str]:
    """Of a routine; '' is none, of an outermost frame."""
    return {by for by, called, _ in site_numbers(profile, together=True) if called == callee}


@pytest.fixture
def check_calls(profile: Profile, tmp_path: Path) -> Callable[..., None]:
    """check_calls(command, {(caller, callee): calls}): in the profiles of both tools, these are the
    calls of those callees."""

    def check(command: Command, expected: dict[tuple[str, str], int]) -> None:
        callees = {callee for _, callee in expected}
        by_aprof_trms: Edges = to(callees, of_aprof_trms(profile(command)))
        assert by_aprof_trms == expected
        path = tmp_path / "shadow"
        shadow(command, path)
        assert to(callees, of_cilkshadow(path)) == expected

    return check


@pytest.mark.parametrize("flags", [["-O0"], ["-O1"], ["-O0", "-static"]], ids=" ".join)
def test_what_nobody_calls_is_outermost(flags: list[str], compile: Compile, tmp_path: Path) -> None:
    """Whoever called a library about threads last is not its caller."""
    profile = tmp_path / "profile"
    shadow([compile("outermost.c", *flags)], profile)
    for outermost in ("setup", "main", "destructor", "at_end", "handler"):
        assert callers(profile, outermost) == {""}, outermost
    assert callers(profile, "thread") == {"main"}
    assert callers(profile, "locks") == {"setup", "main", "destructor", "at_end", "thread"}


@pytest.mark.parametrize("address", [0, 2**64 - 1, 2**40], ids=hex)
def test_call_of_an_address_without_code(
    address: int, compile: Compile, check_calls: Callable[..., None], tmp_path: Path
) -> None:
    """The null function pointer first of all."""
    program = compile("wild_call.c")
    nowhere = f"???+{address:#x}"
    shadow([program, str(address)], tmp_path / "died", status=-signal.SIGSEGV)
    assert of_cilkshadow(tmp_path / "died")["call", nowhere] == 1
    check_calls([program, str(address), "3"], {("call", nowhere): 3, ("main", "after"): 3})


def test_call_of_a_weak_routine_that_is_absent(
    compile: Compile, check_calls: Callable[..., None]
) -> None:
    """Its linkage stub jumps to address 0, the first time by way of the dynamic linker."""
    flags = ["-fPIC", "-Wl,-z,lazy,-z,dynamic-undefined-weak"]
    program = compile("unbound_weak.c", *flags)
    check_calls([program], {("calls", "???+0x0"): 3, ("jumps", "???+0x0"): 3, ("main", "after"): 6})


def test_code_at_address_0(compile: Compile, check_calls: Callable[..., None]) -> None:
    """The same instruction calls it and others in turn."""
    program = compile("code_at_zero.c")
    if run([program]).stdout == b"denied\n":
        pytest.skip("the kernel maps nothing at address 0 for this user")
    check_calls(
        [program],
        {
            ("calls", "???+0x0"): 2000,
            ("returns_to", "???+0x0"): 10,
            ("calls", "???+0x40"): 1000,
            ("???+0x0", "called_there"): 2010,
            ("calls", "called_there"): 1000,
            ("???+0x40", "goes_on"): 1000,
            ("call_all", "calls"): 4000,
        },
    )


def test_routine_that_is_a_linkage_stub(compile: Compile, check_calls: Callable[..., None]) -> None:
    """The dynamic linker binds a stub to another one, which is lazily bound itself."""
    library = compile("stub_as_routine.c", "-DLIBRARY", "-shared", "-fPIC", "-Wl,-z,lazy")
    flags = ["-fno-pie", "-no-pie", "-rdynamic", "-Wl,-z,lazy,--no-as-needed"]
    program = compile("stub_as_routine.c", *flags, library)
    check_calls([program], {("main", "puts"): 3, ("measures", "puts"): 3})


@pytest.mark.parametrize("binding", ["lazy", "now"])
@pytest.mark.parametrize("position", [["-fPIC"], ["-fno-pie", "-no-pie"]], ids=" ".join)
def test_tail_call_through_a_linkage_stub(
    position: list[str], binding: str, compile: Compile, check_calls: Callable[..., None]
) -> None:
    """Its caller is who jumped to the stub, however the symbol is bound."""
    bind = f"-Wl,-z,{binding}"
    library = compile("stub_tail_calls.c", "-DLIBRARY", "-shared", "-fPIC", bind)
    program = compile("stub_tail_calls.c", *position, "-Wl,--no-as-needed", library, bind)
    check_calls(
        [program],
        {
            ("main", "always"): 12,
            ("through", "always"): 4,
            ("always", "library"): 16,
            ("through", "library"): 4,
            ("through", "pick"): 4,
            ("library", "last"): 20 + 1,
            ("pick", "last"): 1,
            ("pick", "library"): 1,
            ("main", "sometimes"): 12,
            ("sometimes", "last"): 6,
        },
    )


@pytest.mark.parametrize("flags", [["-O0"], ["-O1"], ["-O0", "-static"]], ids=" ".join)
def test_handlers_that_unwinders_leave(
    flags: list[str], compile: Compile, check_calls: Callable[..., None]
) -> None:
    """A fault comes right after calls, before the core says that the code stops."""
    program = compile("handlers_left.cpp", "-fnon-call-exceptions", "-pthread", *flags)
    expected = {
        ("main", "catches()"): 4,
        ("catches()", "faults()"): 4,
        ("", "handle_fault(int)"): 4,
        ("cancelled(void*)", "wait_for_cancellation()"): 4,
        ("faults()", "Cleanup::~Cleanup()"): 4,
        ("wait_for_cancellation()", "Cleanup::~Cleanup()"): 4,
        ("catches()", "work()"): 4,
        ("faults()", "work()"): 4,
        ("handle_fault(int)", "work()"): 4,
        ("wait_for_cancellation()", "work()"): 4,
        ("Cleanup::~Cleanup()", "work()"): 8,
    }
    check_calls([program], expected)
