"""Findings on routines that call themselves, also by way of others."""

from __future__ import annotations

import pytest
from builder import with_loops, write_records

from aprofplot.findings.cycles import cycles
from aprofplot.findings.ranking import find_all
from aprofplot.model import CallEdge, Routine
from aprofplot.read.profile_reader import read_merged

LIBRARY = """\
object 2 /lib/x86_64-linux-gnu/libc.so.6
object 3 /usr/lib/libz.so.1
file 1 /home/me/app.c
file 2 /usr/include/c++/12/functional
"""
HEADER = with_loops(6, "app").replace("file 1 /home/me/app.c\n", LIBRARY)
OWN, TEMPLATE, LIBC, LIBZ = (1, 1), (1, 2), (2, 0), (3, 0)  # object and file


def point(size, calls, inclusive, own, most=None):
    """All calls have one size and one self cost; their dearest costs `most`."""
    most = inclusive if most is None else most
    squares = inclusive * most
    each = own // calls
    return f"{size} {calls} 0 0 0 1 {most} {inclusive} {squares} {each} {each} {own} {own * each}\n"


def findings(tmp_path, own, calls, loops="loops 0\n", size=2, places=None):
    """Of the program that main begins. `own`: the self cost of a call of each routine; `calls`: number, inclusive
    cost, and of it that of outermost calls, by caller and callee. `places`: of those that are not the user's own.
    """
    ids = {name: number for number, name in enumerate(own, 1)}
    records, tables = "", ""
    whole = sum(outermost for (caller, _), (_, _, outermost) in calls.items() if caller == "main")
    for name, number in ids.items():
        of_object, file = (places or {}).get(name, OWN)
        line = 10 * number if file else 0
        records += f"routine {number} {of_object} {file} {line} {4096 * number} {name}\n"
        callers = [(ids[by], *of) for (by, callee), of in calls.items() if callee == name]
        if name == "main":
            callers = [(0, 1, whole + own["main"], whole + own["main"])]
        number_of = sum(number_of for _, number_of, _, _ in callers)
        inclusive = sum(outermost for *_, outermost in callers)
        every, self_cost = sum(cost for _, _, cost, _ in callers), own[name] * number_of
        tables += f"table 1 {number} {number_of} 0 0 0 {inclusive} {self_cost}\npoints rms 1 0\n"
        tables += point(size, number_of, every, self_cost, inclusive)
        tables += f"callers {len(callers)}\n"
        tables += "".join(
            f"{by} {n} 0 {cost} {outermost}\n" for by, n, cost, outermost in sorted(callers)
        )
    of_loops = [line for line in loops.splitlines(keepends=True) if line.startswith("loop ")]
    rest = loops.removeprefix("".join(of_loops))
    text = HEADER + records + "".join(of_loops) + "thread 1 0 - main\n" + tables + rest
    return find_all(read_merged(write_records(tmp_path, text)), "bb")


FIB = {("main", "fib"): (1, 400_000, 400_000)}


@pytest.mark.parametrize(
    "others, is_direct, way",
    [
        ([], True, "fib calls itself 20,000 times for"),
        (["even"], True, "fib calls itself, also by way of even, 20,000 times for"),
        (["even"], False, "fib calls itself by way of even 20,000 times for"),
        (["even", "odd"], False, "fib calls itself by way of even and odd 20,000 times for"),
        (["a", "b", "c"], False, "fib calls itself by way of a, b and 1 other 20,000 times for"),
        (["f" * 200], False, "fib calls itself by way of fffffff"),
    ],
)
def test_those_by_way_of_which_it_calls_itself_are_named(tmp_path, others, is_direct, way):
    calls = dict(FIB)
    number = 20_000 // (len(others) + is_direct)
    number_of = {name: number for name in others}
    number_of["fib"] = 20_000 - number * len(others)
    for number, name in enumerate(others):
        calls["fib", name] = (number_of[name], 3_000_000, 390_000 - number)
        calls[name, "fib"] = (number_of[name], 3_000_000, 0)
    if is_direct:
        calls["fib", "fib"] = (number_of["fib"], 3_000_000, 0)
    elif others:
        count = number_of[others[0]] + number_of["fib"]
        calls["fib", others[0]] = (count, 3_000_000, 390_000)
        calls[others[0], "fib"] = (count, 3_000_000, 0)
    own = {"main": 10, "fib": 10, **dict.fromkeys(others, 10)}
    (finding,) = findings(tmp_path, own, calls)
    assert (finding.kind, finding.at.function) == ("recursion", "fib")
    assert finding.why.startswith(way)
    assert len(finding.why) < 400
    assert finding.evidence["by"] == others


def test_a_routine_that_rarely_calls_into_the_recursion_is_not_named(tmp_path):
    calls = FIB | {
        ("fib", "fib"): (19_999, 7_000_000, 0),
        ("fib", "rare"): (1, 100_000, 100_000),
        ("rare", "fib"): (1, 90_000, 0),
    }
    (finding,) = findings(tmp_path, {"main": 10, "fib": 10, "rare": 10_000}, calls)
    assert finding.why.startswith("fib calls itself 20,000 times for")


def test_a_loop_that_calls_what_has_called_it_is_no_branch(tmp_path):
    """emit calls flush once, which calls emit in a loop: at a depth of two."""
    own = {"main": 10, "emit": 80, "flush": 30_000}
    calls = {
        ("main", "emit"): (1, 1_630_080, 1_630_080),
        ("flush", "emit"): (20_000, 1_600_000, 0),
        ("emit", "flush"): (1, 1_630_000, 1_630_000),
    }
    assert [of for of in findings(tmp_path, own, calls) if of.kind == "recursion"] == []


@pytest.mark.parametrize("elsewhere, found", [(0, True), (30_000, False)])
def test_what_others_call_too_does_not_make_the_recursions_cost_its_own(tmp_path, elsewhere, found):
    """Most of the cost of fib is that of a library; a routine by way of which it calls itself has a self cost that
    would be enough, but where most calls of it are from elsewhere, it is not all spent there."""
    own = {"main": 10, "fib": 3, "copy": 7, "sum": 10}
    calls = {
        ("main", "fib"): (1, 400_000, 400_000),
        ("fib", "copy"): (20_000, 3_000_000, 390_000),
        ("copy", "fib"): (20_000, 3_000_000, 0),
        ("fib", "sum"): (20_000, 200_000, 200_000),
    }
    if elsewhere:
        calls["main", "copy"] = (elsewhere, 210_000, 210_000)
    of = [of for of in findings(tmp_path, own, calls) if of.kind == "recursion"]
    assert bool(of) is found


def spending(tmp_path, calls, places):
    """Whether a recursion is found that calls itself 20,000 times, and has 9 tenths of its cost in `calls` of others:
    number and cost by caller and callee, best being the recursion."""
    every = {("main", "best"): (1, 2_000_010, 2_000_010), ("best", "best"): (20_000, 9_000_000, 0)}
    every |= {pair: (number, cost, cost) for pair, (number, cost) in calls.items()}
    own = {"main": 10, "best": 10, **{name: 0 for pair in calls for name in pair if name != "best"}}
    return "recursion" in [of.kind for of in findings(tmp_path, own, every, places=places)]


@pytest.mark.parametrize(
    "name, place, found",
    [
        ("std::__1::vector<int>::vector", TEMPLATE, True),
        ("std::filesystem::status", TEMPLATE, False),
        ("std::async<int>", TEMPLATE, False),
        ("std::random_device::_M_getval()", TEMPLATE, False),
        ("__memcpy_avx_unaligned_erms", LIBC, True),
        ("__strcpy_chk", LIBC, True),
        ("memcached_get", LIBZ, False),
        ("strand_step", LIBZ, False),
        ("string_table_write", LIBZ, False),
        ("libc.so.6+0x1234", LIBC, True),
        ("libz.so.1+0x1234", LIBZ, False),
        ("free", LIBC, True),
        *(
            (name, LIBC, False)
            for name in ("malloc", "memalign", "realloc", "reallocarray", "__strdup")
        ),
        ("operator new[](unsigned long)", LIBC, False),
    ],
)
def test_what_a_recursion_spends_on_values_is_its_own_cost(tmp_path, name, place, found):
    """Not on what it allocates and does not free, nor on what is known to do something else."""
    assert spending(tmp_path, {("best", name): (20_000, 1_800_000)}, {name: place}) is found


@pytest.mark.parametrize("freed, found", [(17_000, False), (19_000, True)])
def test_nine_tenths_of_what_is_allocated_are_freed(tmp_path, freed, found):
    calls = {
        ("best", "std::vector"): (20_000, 1_700_000),
        ("std::vector", "malloc"): (20_000, 20_000),
        ("best", "free"): (freed, 100_000),
    }
    places = {"std::vector": TEMPLATE, "malloc": LIBC, "free": LIBC}
    assert spending(tmp_path, calls, places) is found


@pytest.mark.parametrize("cost, found", [(40_000, False), (800_000, True)])
def test_a_destructor_frees_no_more_than_it_costs(tmp_path, cost, found):
    """It is called with hardly anything by the recursion, and with all by main, or the other way round."""
    calls = {
        ("best", "std::vector"): (20_000, 950_000),
        ("best", "std::destroy"): (20_000, cost),
        ("main", "std::destroy"): (10, 840_000 - cost),
        ("std::vector", "malloc"): (20_000, 800_000),
        ("std::destroy", "free"): (20_000, 800_000),
    }
    places = {"std::vector": TEMPLATE, "std::destroy": TEMPLATE, "malloc": LIBC, "free": LIBC}
    assert spending(tmp_path, calls, places) is found


@pytest.mark.parametrize("others, found", [(1000, True), (2000, False)])
def test_hardly_any_other_routine_of_a_library_is_called(tmp_path, others, found):
    calls = {("best", "memcpy"): (20_000, 1_700_000), ("best", "deflate"): (others, 100_000)}
    assert spending(tmp_path, calls, {"memcpy": LIBC, "deflate": LIBZ}) is found


@pytest.mark.parametrize("first", ["std::a", "std::b"])
@pytest.mark.parametrize("freed, found", [(17_000, False), (19_000, True)])
def test_what_a_cycle_allocates_does_not_depend_on_the_order_of_its_calls(
    tmp_path, first, freed, found
):
    """std::b alone allocates: once for each call of either from elsewhere."""
    second = "std::b" if first == "std::a" else "std::a"
    calls = {("best", name): (10_000, 800_000) for name in (first, second)}
    calls |= {("std::a", "std::b"): (10_000, 300_000), ("std::b", "std::a"): (10_000, 300_000)}
    calls |= {("std::b", "malloc"): (20_000, 20_000), ("best", "free"): (freed, 100_000)}
    places = {"std::a": TEMPLATE, "std::b": TEMPLATE, "malloc": LIBC, "free": LIBC}
    assert spending(tmp_path, calls, places) is found


def test_calls_of_a_library_may_be_deep(tmp_path):
    chain = [f"std::f{number}" for number in range(3000)]
    calls = {("best", chain[0]): (20_000, 1_800_000)}
    calls |= {pair: (20_000, 100_000) for pair in zip(chain, chain[1:])}
    assert spending(tmp_path, calls, dict.fromkeys(chain, TEMPLATE))
    calls[chain[-1], "malloc"] = (20_000, 20_000)
    assert not spending(tmp_path, calls, dict.fromkeys(chain, TEMPLATE) | {"malloc": LIBC})


def test_what_calls_a_recursion_back_is_no_value_of_it(tmp_path):
    """std::for_each costs what the calls cost that it makes, and those call score, which has most of the cost."""
    own = {"main": 10, "walk": 10, "std::for_each": 1, "score": 190}
    calls = {
        ("main", "walk"): (1, 4_200_000, 4_200_000),
        ("walk", "std::for_each"): (10_000, 40_000_000, 4_190_000),
        ("std::for_each", "walk"): (20_000, 40_000_000, 0),
        ("walk", "score"): (20_001, 20_001 * 190, 20_001 * 190),
    }
    found = findings(tmp_path, own, calls, places={"std::for_each": TEMPLATE})
    assert "recursion" not in [of.kind for of in found]


CLOSURE = "std::_Function_handler<int (int), setup(int)::{lambda(int)#1}>::_M_invoke"


@pytest.mark.parametrize("has_routine, at", [(True, ("setup", 20)), (False, ("run", 30))])
def test_a_closure_is_told_where_it_is_written_or_called(tmp_path, has_routine, at):
    """Nothing is inlined in what calls it."""
    own = {"main": 10, "setup" if has_routine else "other": 5, "run": 10, CLOSURE: 200}
    calls = {
        ("main", "setup" if has_routine else "other"): (1, 5, 5),
        ("main", "run"): (1, 4_000_210, 4_000_210),
        ("run", CLOSURE): (1, 4_000_200, 4_000_200),
        (CLOSURE, CLOSURE): (20_000, 40_000_000, 0),
    }
    (finding,) = findings(tmp_path, own, calls, places={CLOSURE: TEMPLATE})
    assert (finding.kind, finding.at.function, finding.at.line) == ("recursion", *at)
    assert finding.at.file == "/home/me/app.c" and "inlined" not in finding.sentence
    assert finding.why.startswith("a closure of setup calls itself 20,000 times")


LOOP = "loop 1 2 0 8200 natural 1 22 25 build\n"


@pytest.mark.parametrize("caller", ["build", "other", ""])
def test_a_loop_of_a_recursion_is_not_unexplained(tmp_path, caller):
    """Its iterations cost the less the deeper they are, which is no fault."""
    loops = LOOP + "loops 1\nloop-table 1 1 5000 0 20000 0 0 390000 20000\n"
    for metric, size in (("rms", 2), ("iterations", 4)):
        loops += f"points {metric} 1 0\n{point(size, 5000, 3_000_000, 20_000, 390_000)}"
    loops += "progress 0\n"
    own = {"main": 10, "build": 10, "other": 10}
    number = 4999 if caller else 1
    calls = {
        ("main", "build"): (5000 - number if caller else 5000, 400_000, 400_000),
        ("main", "other"): (1, 1000, 1000),
    }
    if caller == "build":
        calls["build", "build"] = (number, 3_000_000, 0)
    elif caller:
        calls["build", "other"] = (number, 3_000_000, 390_000)
        calls["other", "build"] = (number, 3_000_000, 0)
    kinds = [of.kind for of in findings(tmp_path, own, calls, loops, 5000)]
    assert ("unexplained" in kinds) is (not caller)


def test_what_a_loop_reads_several_times_in_each_call_is_read_more_often_than_calls_are_made(
    tmp_path,
):
    loops = LOOP + "loops 1\nloop-table 1 1 180 0 360 0 0 18000 18000\n"
    for metric, size in (("rms", 500), ("iterations", 2)):
        loops += f"points {metric} 1 0\n{point(size, 180, 18000, 18000, 100)}"
    own, calls = {"main": 10, "build": 200}, {("main", "build"): (1, 20_000, 20_000)}
    calls["build", "build"] = (90, 800_000, 0)
    found = findings(tmp_path, own, calls, loops + "progress 0\n", 1000)
    (of,) = [of for of in found if of.kind == "read-again"]
    assert "calls itself 90 times for each call from elsewhere, and reads half of its 1,000 cells of input or more in a loop 180 times; " in of.why  # fmt: skip


def test_cycles_of_calls():
    """Those that call each other are one; what they call, and what calls them, is not in it."""
    routines = {name: Routine(name, "/app", "/app.c", 1, 64) for name in "abcdefg"}

    def found(*pairs):
        edges = [CallEdge(routines[a], routines[b], (), 1, {}, 0, {}) for a, b in pairs]
        return {key.name: "".join(sorted(of.name for of in keys)) for key, keys in cycles(edges).items()}  # fmt: skip

    assert found("ab", "bc", "cd") == {}
    assert found("ab", "bc", "cb", "cd", "dd", "ag") == {"b": "bc", "c": "bc", "d": "d"}
    assert found("ab", "bc", "ca", "cd", "de", "ed", "fa") == {
        **dict.fromkeys("abc", "abc"),
        **dict.fromkeys("de", "de"),
    }
