"""The user's frames of a call path, and the names of bodies that libraries run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from aprofplot.model import Loop, Routine
from aprofplot.names import variable_name
from aprofplot.processors.bottlenecks import find_all
from aprofplot.processors.charges import costs_of
from aprofplot.processors.simulation import schedule
from aprofplot.processors.what_if import parse_change
from aprofplot.processors.user_code import Frame, UserCode
from aprofplot.work_span.model import CallPath, CallSite, Dag, Measure, Measures, Part, Strand

THREAD = "std::thread::_State_impl<std::thread::_Invoker<std::tuple<{}> > >::_M_run()"
HEADER = "/usr/include/c++/12/bits/std_thread.h"
NONE = Measures(*[Measure(1, 0, 0)] * 3)


def site(name: str, file: str, line: int, source: str, spawned: int = 0) -> CallSite:
    """Called at file:line; the callee is in `source`."""
    callee = Routine(name, "/bin/app" if source else "/usr/lib/libstdc++.so.6", source, 8, 0)
    return CallSite(1, None, callee, file, line, 0, spawned, NONE, NONE)


def path_of(*sites: CallSite) -> UserCode:
    """Each calls the next; another thread executes the last."""
    paths = [CallPath(0, None), *(CallPath(i, of) for i, of in enumerate(sites))]
    strands = tuple(
        Strand(thread, 1, 0, 0, (), (Part(path, 1),)) for thread, path in ((1, 1), (2, len(sites)))
    )
    spawned = frozenset(of.callee.key for of in sites if of.spawned)
    return UserCode(Dag(0, tuple(paths), strands, 0, spawned))


MAIN = site("main", "", 0, "/src/app.cpp")


@pytest.mark.parametrize(
    ("library", "name"),
    [
        (THREAD.format("main::{lambda()#2}"), "main::{lambda#2}"),
        (
            THREAD.format("Pool::run(int, std::vector<int>)::{lambda(int)#1}, int"),
            "Pool::run::{lambda#1}",
        ),
        (THREAD.format("main::$_0, int"), "main::$_0"),  # clang's name of a lambda
        (THREAD.format("Worker"), "Worker::operator()"),
        (THREAD.format("Calls<Status (*)(int)>, int"), "Calls::operator()"),
        (
            "tbb::detail::d1::start_for<tbb::detail::d1::blocked_range<int>, Body, "
            "tbb::detail::d1::simple_partitioner const>::execute(tbb::detail::d1::execution_data&)",
            "Body::operator()",
        ),
        (
            "tbb::detail::d1::start_for<tbb::detail::d1::blocked_range<int>, scale(std::vector<float, "
            "std::allocator<float> >&)::{lambda(tbb::detail::d1::blocked_range<int> const&)#1}, "
            "tbb::detail::d1::simple_partitioner const>::execute(tbb::detail::d1::execution_data&)",
            "scale::{lambda#1}",
        ),
    ],
)
def test_a_librarys_template_is_named_by_the_body_that_it_runs(library: str, name: str) -> None:
    code = path_of(MAIN, site(library, HEADER, 142, HEADER, spawned=1))
    assert code.body(2) == 2
    assert code.frames(2) == (Frame("main", "/src/app.cpp", 8), Frame(name, "/src/app.cpp", 8))


def test_a_body_that_is_inlined_into_a_librarys_template_is_where_its_code_is() -> None:
    """Not where the function is that it is written in; its loop is the lambda's, not operator()'s."""
    thread = site(THREAD.format("main::{lambda()#2}"), "", 0, HEADER)
    loop = Loop(thread.callee, None, 16, False, "/src/app.cpp", 25, 27, "operator()")
    paths = (
        CallPath(0, None),
        CallPath(0, MAIN),
        CallPath(1, thread),
        CallPath(2, None, loop),
        CallPath(3, site("push", "/src/app.cpp", 26, "/src/queue.hpp")),
        CallPath(2, site("printf", "/src/app.cpp", 28, "")),
    )
    code = UserCode(Dag(0, paths, (Strand(1, 1, 0, 0, (), (Part(3, 1),)),)))
    main = Frame("main", "/src/app.cpp", 8)
    assert code.frames(2) == (main, Frame("main::{lambda#2}", "/src/app.cpp", 25))
    assert code.frames(3) == (main, Frame("main::{lambda#2}", "/src/app.cpp", 25))
    assert code.frames(3)[-1].last_line == 27
    assert [of.function for of in code.frames(4)] == ["main", "main::{lambda#2}", "push"]


def test_a_function_without_debug_information_is_not_where_its_caller_is() -> None:
    callee = Routine("libfast.so+0x1109", "/home/user/libfast.so", "", 0, 0x1109)
    main, found = path_of(MAIN, replace(MAIN, callee=callee)).frames(2)
    assert (main.file, main.line) == ("/src/app.cpp", 8)
    assert (found.function, found.file, found.line) == ("libfast.so+0x1109", "", 0)


@pytest.mark.parametrize(
    "library",
    [
        THREAD.format("void (*)(int), int"),
        THREAD.format("void (Pool::*)(), Pool*"),
        THREAD.format("Status (Pool::*)(), Pool*"),
        THREAD.format("Result<Job> (Pool<Job>::*)() const, Pool<Job>*"),
        THREAD.format("Job (*)(int), int"),
        THREAD.format("void (*)(Job), Job"),
        "std::call_once<f>(std::once_flag&)::{lambda()#1}::_FUN()",
        "std::vector<Worker>::push_back(Worker const&)",
    ],
)
def test_what_calls_a_function_through_a_library_has_its_name(library: str) -> None:
    function = site("simulate(int)", "/usr/include/c++/12/bits/invoke.h", 61, "/src/app.cpp")
    code = path_of(MAIN, site(library, HEADER, 142, HEADER), function)
    assert [frame.function for frame in code.frames(3)] == ["main", "simulate"]
    assert code.innermost(2) == 1


def test_allocation_is_its_callers() -> None:
    code = path_of(
        MAIN, site("build", "/src/app.cpp", 20, "/src/app.cpp"), site("malloc", "", 0, "")
    )
    assert code.innermost(3) == 2
    assert code.frames(3)[-1] == Frame("build", "/src/app.cpp", 20)


def test_what_openmp_outlined_from_a_function_is_the_function() -> None:
    names: Sequence[str] = ("rows", "rows._omp_fn.0", "rows._omp_fn.1")
    code = path_of(
        MAIN, *(site(name, "/src/app.cpp", 30 + i, "/src/app.cpp") for i, name in enumerate(names))
    )
    assert [(of.function, of.line) for of in code.frames(4)] == [("main", 8), ("rows", 32)]
    assert (code.body(3), code.body(4)) == (3, 4)


@pytest.mark.parametrize("body", [".omp_outlined.", ".omp_outlined..7", ".omp_task_entry."])
def test_a_body_that_was_outlined_without_a_name_has_its_callers(body: str) -> None:
    """As clang 14 names them."""
    outlined = site(body, "/src/app.cpp", 31, "/src/app.cpp")
    code = path_of(MAIN, site("rows", "/src/app.cpp", 20, "/src/app.cpp"), outlined)
    assert (code.function(3), code.body(3)) == ("rows", 3)
    assert [(of.function, of.line) for of in code.frames(3)] == [("main", 8), ("rows", 31)]


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZL1h", "h"),
        ("_ZN1a4lockE", "a::lock"),
        ("_ZN12_GLOBAL__N_11bE", "(anonymous namespace)::b"),
        ("_ZZ4mainE4lock", "lock"),
        ("_ZZN1A1fEvE1m_0", "m"),
        ("_ZN5boost1aIiE1bE", "_ZN5boost1aIiE1bE"),
        ("table_lock", "table_lock"),
        (".gomp_critical_user_best", "best"),
        (".gomp_critical_user_best.var", "best"),
        ("0x404040", "0x404040"),
        ("_Z", "_Z"),
    ],
)
def test_a_variables_name_is_that_of_the_source(symbol: str, name: str) -> None:
    assert variable_name(symbol) == name


def test_a_loop_is_of_the_function_that_was_inlined() -> None:
    caller = MAIN.callee
    outer = Loop(caller, None, 16, False, "/src/app.cpp", 30, 34, "main")
    inner = Loop(caller, outer, 32, False, "/src/app.cpp", 12, 13, "residual")
    library = Loop(caller, outer, 48, False, HEADER, 99, 99, "accumulate")
    libc = Routine("malloc", "/usr/lib/x86_64-linux-gnu/libc.so.6", "./malloc/malloc.c", 8, 0)
    allocating = Loop(libc, None, 64, False, "./malloc/malloc.c", 9, 9, "malloc")
    paths = (
        CallPath(0, None),
        CallPath(0, MAIN),
        CallPath(1, None, outer),
        CallPath(2, None, inner),
        CallPath(2, None, library),
        CallPath(2, None, allocating),
    )
    dag = Dag(0, paths, (Strand(1, 9, 0, 0, (), (Part(3, 9),)),))
    code = UserCode(dag)
    assert code.frames(3) == (
        Frame("main", "/src/app.cpp", 30),
        Frame("residual", "/src/app.cpp", 12),
    )
    assert code.innermost(4) == code.innermost(5) == 2
    costs = costs_of(dag, 2)
    assert [(of.name, sorted(of.paths)) for of in costs.routines()] == [("main", [1, 2, 3, 4, 5])]
    (found,) = find_all(costs, [])
    assert (found.function, found.frames[-1].line) == ("residual", 12)
    for change in ("residual x3", "loop app.cpp:12 x3"):
        assert schedule(parse_change(change, dag, [])(dag, 2), 2).time == 3
