"""Activations, costs and input of unusual calls, returns and jumps."""

from __future__ import annotations

import pytest

from running import run as run_natively
from running import calls, check_totals, finished, names, sizes

LIBRARY = ["-shared", "-fPIC"]


def cost(run, name):
    return run.routine(name)["cost"]["bb"]


def point_calls(routine, metric="rms"):
    """Calls by input size."""
    return {point["size"]: point["calls"] for point in routine["points"][metric]}


# Tail calls


@pytest.fixture(scope="module", params=["-Wl,-z,lazy", "-Wl,-z,now", "-O0"])
def tail_calls(request, compile, module_profile):
    library = compile("sibling_calls_library.c", *LIBRARY)
    flags = [request.param] if request.param == "-O0" else ["-O2", request.param]
    run = module_profile([compile("sibling_calls.c", "-Wl,--no-as-needed", library, *flags)])
    assert run.process.stdout == b"94\n"
    check_totals(run)
    return run, request.param != "-O0"


def test_chain_of_tail_calls_nests(tail_calls):
    run, _ = tail_calls
    # main: 4 firsts, a second; the pointer: 5 thirds.
    assert [calls(run, name) for name in ("first", "second", "third")] == [
        4,
        4 + 1,
        4 + 1 + 5,
    ]
    # Each link's input is its own cell and what the links after it read.
    for name, cells in (("first", 3), ("second", 2), ("third", 1)):
        assert sizes(run.routine(name), "rms") == sizes(run.routine(name), "trms") == [cells]
        assert run.routine(name)["unfinished"] == 0
    # The chain is in the inclusive cost of its first link.
    first, second, third = (
        run.routine(n)["points"]["rms"][0] for n in ("first", "second", "third")
    )
    for link, after in ((first, second), (second, third)):
        own = link["cost"]["bb"]["self"]["max"]
        assert link["cost"]["bb"]["max"] == own + after["cost"]["bb"]["max"]


def test_mutual_tail_recursion(tail_calls):
    run, optimised = tail_calls
    even, odd = run.routine("is_even"), run.routine("is_odd")
    assert even["unfinished"] == odd["unfinished"] == 0
    # From main is_even(1001), (1002), (1003): is_odd for every other number below.
    below = 501 + 501 + 502
    assert odd["calls"] == below
    if optimised:
        # is_even goes on where it was: it began in main only, and has all of the cost.
        assert even["calls"] == 3
        assert even["cost"]["bb"]["inclusive"] == even["cost"]["bb"]["self"] + (
            odd["cost"]["bb"]["self"]
        )
    else:
        assert even["calls"] == 501 + 502 + 502
    # However deep, two cells at most: steps_even and steps_odd.
    assert sizes(even, "rms")[-1] == 2


def test_tail_calls_through_a_pointer_and_into_a_library(tail_calls):
    run, _ = tail_calls
    assert calls(run, "through_pointer") == 5
    # The pointer is two cells; third reads one.
    assert sizes(run.routine("through_pointer"), "rms") == [3]
    for name in ("into_library", "library_link", "library_end"):
        assert calls(run, name) == 6
        assert sizes(run.routine(name), "rms") == [1]
    # The first way through the linkage table is like all others.
    for name in ("into_library", "library_link"):
        (point,) = run.routine(name)["points"]["rms"]
        assert point["cost"]["bb"]["min"] == point["cost"]["bb"]["max"]


# Recursion and longjmp


def test_three_routines_a_million_deep(compile, profile):
    # -O1: -O2 makes loops of some of the calls.
    run = profile([compile("recursion.c", "-O1"), "1000000"], "--main-stacksize=200000000")
    assert run.process.stdout == b"1000121\n"
    check_totals(run)
    routines = [run.routine(name) for name in ("red", "green", "blue")]
    # red is the outermost, and the innermost.
    assert [routine["calls"] for routine in routines] == [333334, 333334, 333333]
    assert all(sizes(routine, "trms") == [1] for routine in routines)
    red, green, blue = (routine["cost"]["bb"] for routine in routines)
    # Each one's inclusive cost is that of its outermost activation.
    together = red["self"] + green["self"] + blue["self"]
    assert red["inclusive"] == together
    first = red["self"] // 333334 + 1  # the blocks of one activation, at most
    assert together - first <= green["inclusive"] < together
    assert together - 2 * first <= blue["inclusive"] < green["inclusive"]


@pytest.mark.parametrize("optimise", ["-O0", "-O2"])
def test_longjmp_in_loops(optimise, compile, profile):
    run = profile([compile("recursion.c", optimise)])
    assert run.process.stdout == b"1121\n"
    check_totals(run)
    expected = {
        "up_from_every_depth": 1,
        "down": sum(range(1, 21)),
        "within_one_routine": 1,
    }
    expected |= {"outer_place": 8, "inner_place": 8, "jump_twice": 8}
    # after(): once and after each of 20 jumps; in outer_place each time, in inner_place of odd n.
    expected |= {"after": 21 + 8 + 4}
    assert {name: finished(run, name) for name in expected} == expected
    # Whoever jumps ends there, and does not get what happens after.
    assert cost(run, "up_from_every_depth")["inclusive"] > (
        cost(run, "down")["inclusive"] + cost(run, "up_from_every_depth")["self"]
    )
    assert cost(run, "outer_place")["inclusive"] > (
        cost(run, "inner_place")["inclusive"] + cost(run, "outer_place")["self"]
    )


# Assembly


@pytest.fixture(scope="module")
def assembly(compile, module_profile):
    run = module_profile([compile("assembly.c")])
    assert run.process.returncode == 0
    check_totals(run)
    return run


def test_several_entry_points(assembly):
    # The longer one falls into the other, whose loop goes back to its own first instruction: no
    # activation begins there.
    long, short = (assembly.routine("two_entries_" + name) for name in ("long", "short"))
    assert (long["calls"], short["calls"]) == (3, 3)
    assert sizes(short, "rms") == [10, 20, 30]
    assert sizes(long, "rms") == [12, 22, 32]
    assert long["cost"]["bb"]["self"] == long["cost"]["bb"]["inclusive"]


def test_subroutines_within_a_routine(assembly):
    inner = assembly.routine("inner_calls")
    assert inner["calls"] == 7
    assert inner["cost"]["bb"]["self"] == inner["cost"]["bb"]["inclusive"]
    assert sizes(inner, "rms") == [2]


def test_returns_that_are_jumps(assembly):
    for name in ("enter_by_return", "entered_by_return", "calls_it", "returns_for_two"):
        assert calls(assembly, name) == 7
        assert sizes(assembly.routine(name), "rms") == [1]
        assert assembly.routine(name)["unfinished"] == 0
    assert calls(assembly, "argument_in_code") == calls(assembly, "skip_argument") == 7
    assert sizes(assembly.routine("argument_in_code"), "rms") == [2]
    # Nothing of all this is left pending: after() is called by main.
    assert cost(assembly, "after") == {"inclusive": 7, "self": 7}


def test_routine_without_a_symbol(assembly):
    assert calls(assembly, "calls_nameless") == 7
    nameless = [
        routine
        for routine in assembly.report()["routines"]
        if routine["name"].startswith("assembly+0x") and sizes(routine, "rms") == [3]
    ]
    assert [routine["calls"] for routine in nameless] == [7]
    assert calls(assembly, "main") == 1 and "after_nameless" not in names(assembly)


# Computed jumps and calls

THUNKS = ["-fcf-protection=none", "-mindirect-branch=thunk"]
INLINE_THUNKS = [
    "-fcf-protection=none",
    "-mindirect-branch=thunk-inline",
    "-mfunction-return=thunk",
]


@pytest.mark.parametrize(
    "flags",
    [
        ["-O2"],
        ["-O0"],
        ["-O2", "-fomit-frame-pointer", "-static"],
        ["-O2", "-no-pie", "-fno-plt"],
        ["-O2", "-fcf-protection=full", "-Wl,-z,ibtplt"],
        ["-O2", *THUNKS],
        ["-O2", *INLINE_THUNKS],
    ],
    ids=" ".join,
)
def test_computed_jumps_and_calls(flags, compile, profile):
    run = profile([compile("indirect.c", *flags)])
    assert run.process.stdout == b"6453\n"
    check_totals(run)
    nested = [name for name in names(run) if name.startswith("nested")]
    expected = {
        "by_table": 8,
        "by_goto": 4,
        "by_pointer": 5,
        "leaf": 5,
        "by_trampoline": 6,
    }
    expected |= {"apply": 12, nested[0]: 12, "variable_frame": 7, "fill": 21, "main": 1}
    assert {name: calls(run, name) for name in expected} == expected
    assert all(run.routine(name)["unfinished"] == 0 for name in expected)
    # What they read: two cells of a pointer and one of data; the local variable of the outer one.
    assert sizes(run.routine("by_pointer"), "rms") == [3]
    assert sizes(run.routine("leaf"), "rms") == sizes(run.routine(nested[0]), "rms") == [1]
    assert sizes(run.routine("variable_frame"), "rms") == [0]
    # Nesting: a caller's inclusive cost holds its callees'.
    assert cost(run, "variable_frame")["inclusive"] > cost(run, "fill")["inclusive"] > 6300
    assert cost(run, "by_trampoline")["inclusive"] > cost(run, "apply")["inclusive"]
    assert cost(run, "apply")["inclusive"] > cost(run, nested[0])["inclusive"]


@pytest.mark.parametrize(
    "flags",
    [
        ["-Wl,-z,lazy"],
        ["-Wl,-z,now"],
        ["-static"],
        ["-fno-plt"],
        ["-no-pie", "-Wl,-z,lazy"],
        ["-fcf-protection=full", "-Wl,-z,ibtplt", "-Wl,-z,lazy"],
    ],
    ids=" ".join,
)
def test_first_call_of_a_routine_chosen_at_run_time(flags, compile, profile):
    run = profile([compile("ifunc.c", "-fno-builtin", *flags)])
    # Of our own choice, and the C library's: all five calls are alike, in input and in cost.
    words = {"call_resolved": 100, "call_strlen": None, "call_memcpy": None}
    for name, cells in words.items():
        (point,) = run.routine(name)["points"]["rms"]
        assert point["calls"] == 5
        assert point["cost"]["bb"]["min"] == point["cost"]["bb"]["max"]
        if cells is not None and "-fno-plt" not in flags:  # which reads the table by itself
            assert point["size"] == cells
    assert calls(run, "chosen") == 5
    assert point_calls(run.routine("chosen")) == {100: 5}
    # Who chooses is called by the dynamic linker, once, and the choice is no part of the calls.
    assert calls(run, "choose") == 1
    assert cost(run, "call_resolved")["inclusive"] == (
        cost(run, "call_resolved")["self"] + cost(run, "chosen")["inclusive"]
    )


# C++


@pytest.fixture(scope="module", params=["-O0", "-O2", "-static"])
def unwinding(request, compile, module_profile):
    program = compile("unwinding.cpp", request.param)
    run = module_profile([program])
    native = run_natively([program])
    assert run.process.returncode == 0
    assert run.process.stdout == native.stdout
    check_totals(run)
    return run, program, [int(word) for word in native.stdout.split()]


def test_exceptions_thrown_again(unwinding):
    run, _, _ = unwinding
    assert finished(run, "throws_again(int)") == 3 * 5
    assert finished(run, "throws()") == finished(run, "catches()") == 3
    # The 1000 rounds after the throw never ran, the handlers' 10 and 20 did.
    assert cost(run, "work")["inclusive"] < 1000


def test_exceptions_from_a_constructor_and_through_c(unwinding):
    run, _, (_, compared, guards, _) = unwinding
    assert finished(run, "makes()") == finished(run, "Whole::Whole()") == 4
    # first and second were begun, first was destroyed, Whole never existed.
    assert finished(run, "Member::Member(int)") == 2 * 4
    assert finished(run, "Member::~Member()") == 4
    assert "Whole::~Whole()" not in names(run)
    assert finished(run, "through_qsort()") == 5
    assert finished(run, "compare_or_throw") == compared
    assert finished(run, "Guard::~Guard()") == guards
    assert finished(run, "forced(int)") == 6 * 5
    assert finished(run, "stop_at") == 6 * 6
    # A routine called after an exception is called by who caught it.
    assert cost(run, "makes()")["inclusive"] > cost(run, "Whole::Whole()")["inclusive"] + 4 * 5


def test_virtual_calls_and_callbacks(unwinding):
    run, _, (comparisons, *_) = unwinding
    for cells in (10, 20):
        area = run.routine(f"Polygon<{cells}>::area() const")
        assert point_calls(area) == {cells: 7}
    (total_area,) = (name for name in names(run) if name.startswith("total_area("))
    # The vector's two pointers, 14 objects' addresses and theirs of tables, two tables' entries,
    # and 20 cells.
    assert sizes(run.routine(total_area), "rms") == [2 * 2 + 14 * 2 + 14 * 2 + 2 * 2 + 20]
    assert finished(run, "of_function(std::function<int (int)> const&, int)") == 16
    assert point_calls(run.routine("plus_cell(int)")) == {1: 8}
    (compare,) = (name for name in names(run) if "{lambda(int, int)#1}::operator()" in name)
    assert finished(run, compare) == comparisons


def test_cold_parts_of_cpp_functions(unwinding):
    run, program, _ = unwinding
    if "throws_again(int) [clone .cold]" in run_natively(["nm", "-C", program]).stdout.decode():
        assert calls(run, "throws_again(int)") == 3 * 5
    assert not any(".cold" in name for name in names(run))


def test_exception_that_meets_noexcept(compile, profile):
    run = profile([compile("unwinding.cpp"), "please"])
    assert run.process.returncode == -6
    for name in ("main", "meets_noexcept()", "throws()", "abort"):
        assert (calls(run, name), run.routine(name)["unfinished"]) == (1, 1)
    check_totals(run)


# Signals


@pytest.fixture(scope="module", params=["-O2", "-O0", "-static"])
def signals(request, compile, module_profile):
    run = module_profile([compile("signals.c", request.param)])
    assert run.process.returncode == 0, run.process.stderr.decode()
    check_totals(run)
    return run, [int(word) for word in run.process.stdout.split()]


def test_nested_handlers(signals):
    run, _ = signals
    # On the stack, on the other stack, and from there on the stack: each a root of its own.
    assert calls(run, "nest") == calls(run, "outer_handler") == calls(run, "inner_handler") == 3
    inner, outer, nest = (
        run.routine(name)["points"]["trms"][0]["cost"]["bb"]["max"]
        for name in ("inner_handler", "outer_handler", "nest")
    )
    assert inner > 1000 > outer > 100 > nest > 20
    assert point_calls(run.routine("inner_handler")) == {30: 3}
    # 20 cells, and what raise() reads.
    ((size, times),) = point_calls(run.routine("outer_handler")).items()
    assert 20 <= size < 30 and times == 3
    ((size, times),) = point_calls(run.routine("nest")).items()
    assert size < 10 and times == 3


def test_jump_out_of_two_handlers(signals):
    run, _ = signals
    for name in ("leave_both", "outer_left", "inner_leaves"):
        assert finished(run, name) == 4
    assert finished(run, "interrupted_for_good") == 4 * 4
    # Whoever was jumped out of did not reach its 1000 rounds; the 20 rounds after the jump are
    # those of the one that was jumped to.
    assert cost(run, "outer_left")["inclusive"] < 1000
    assert cost(run, "interrupted_for_good")["inclusive"] < 1000
    assert cost(run, "leave_both")["inclusive"] > (
        cost(run, "interrupted_for_good")["inclusive"] + 4 * 20
    )


def test_bad_accesses(signals):
    run, _ = signals
    assert finished(run, "try_bad_store") == finished(run, "bad_store") == 5
    assert finished(run, "jump_away") == 5
    assert cost(run, "bad_store")["inclusive"] < 5 * 20
    # Mapped by the handler and repeated: one activation that goes on.
    assert finished(run, "repeated_store") == finished(run, "map_page") == 1
    assert 7 < cost(run, "repeated_store")["inclusive"] < 20


def test_handler_during_a_system_call(signals):
    run, (alarms, _) = signals
    assert finished(run, "bring_data") == 1
    # 100 cells from the pipe, and the descriptor that pipe() stored: external both.
    receive = run.routine("receive")
    assert receive["induced"] == {"thread": 0, "external": 101}
    assert receive["calls"] == 1 and sizes(receive, "rms")[0] < 101 + 10
    # What the handler reads to write it is the handler's.
    assert 100 <= sizes(run.routine("bring_data"), "rms")[0] < 110
    assert finished(run, "count_alarm") == alarms
    nothing = run.routine("receive_nothing")
    assert (nothing["calls"], nothing["induced"]["external"]) == (1, 0)


def test_timer_interrupts_a_thread(signals):
    run, (_, ticks) = signals
    assert ticks >= 30
    assert finished(run, "tick") == ticks
    # Whatever was interrupted, and wherever: all 2000 and more calls are alike.
    (point,) = run.routine("same_work")["points"]["trms"]
    assert point["size"] == 0 and point["calls"] >= 2000
    assert point["cost"]["bb"]["min"] == point["cost"]["bb"]["max"]
    assert run.routine("tick")["threads"] == 1


# Code that comes and goes


@pytest.mark.parametrize("flags", [["-g"], ["-g0", "-s"]], ids=" ".join)
def test_another_library_at_the_same_address(flags, compile, profile):
    libraries = []
    for cells in (10, 20, 30, 10):
        name = f"read_{cells}"
        made = compile("reload_library.c", *LIBRARY, *flags, f"-DNAME={name}", f"-DCELLS={cells}")
        libraries += [made, name]
    run = profile([compile("reload.c", "-ldl"), *libraries])
    # None was mapped elsewhere than the first.
    assert run.process.stdout == b"0\n", run.process.stderr
    for cells, times in ((10, 4), (20, 2), (30, 2)):
        assert point_calls(run.routine(f"read_{cells}")) == {cells: times}
    assert point_calls(run.routine("call_it")) == {10: 4, 20: 2, 30: 2}
    # Each library's helper is its own; without symbols it is known by its address.
    helpers = [
        point_calls(routine)
        for routine in run.report()["routines"]
        if routine["name"] == "helper"
        or routine["name"].startswith("reload_library+0x")
        and max(sizes(routine, "rms"), default=0) in (10, 20, 30)
    ]
    assert sorted(helpers, key=str) == [{10: 4}, {20: 2}, {30: 2}]


@pytest.mark.parametrize("options", [[], ["--smc-check=all"]], ids=str)
def test_code_made_anew_at_the_same_address(options, compile, profile):
    run = profile([compile("jit.c")], *options)
    assert run.process.stdout == b"471\n"
    # The code has no symbol: a routine by address, whatever was there.
    (made,) = (r for r in run.report()["routines"] if r["name"].startswith("???+0x"))
    expected = {1: 3} | {cells: 3 for cells in (10, 20, 30, 40, 50)}
    assert point_calls(made) == point_calls(run.routine("call_made")) == expected
    assert made["object"] == "???"
    # Code that the program made calls the program.
    assert point_calls(run.routine("callback")) == {1: 3}
    blocks = {p["size"]: p["cost"]["bb"]["max"] for p in made["points"]["rms"]}
    assert all(blocks[cells] == cells + 1 for cells in (10, 20, 30, 40, 50))


def test_inlined_functions_are_their_callers(compile, profile):
    """reload_library.c's helper is a routine unless the compiler puts it into its caller."""
    library = compile(
        "reload_library.c",
        *LIBRARY,
        "-DNAME=read_10",
        "-DCELLS=10",
        "-Dnoinline=always_inline",
    )
    run = profile([compile("reload.c", "-ldl"), library, "read_10"])
    assert "helper" not in names(run)
    assert point_calls(run.routine("read_10")) == {10: 2}
    assert cost(run, "read_10")["self"] == cost(run, "read_10")["inclusive"] > 20


def test_addresses_of_routines_without_symbols(compile, profile):
    """Those in .init and .fini, too, are where the file says they are."""
    run = profile([compile("scan.c", "-no-pie")])
    ours = [name for name in names(run) if name.startswith("scan+0x")]
    assert ours and all(int(name.split("+")[1], 16) > 0x400000 for name in ours)


@pytest.mark.parametrize("flags", ["-O1", "-O2 -fno-pie -no-pie"])
def test_a_jump_to_an_entry_found_later_is_a_tail_call(flags, compile, profile):
    """What follows the first call does not depend on which way the program came first."""
    run = profile([compile("late_entries.c", *flags.split(), "-s")], "--cost=instr")
    routines = run.report()["routines"]
    for instructions in (21, 31, 41, 51):  # of each that is gone on in
        cost = 11 * instructions
        found = [r for r in routines if r["cost"]["instr"]["self"] == cost and r["calls"] == 11]
        assert found, instructions
