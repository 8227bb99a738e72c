"""Profiles with call edges and calling contexts, made by hand."""

from __future__ import annotations

import numpy as np

from aprofplot.model import (
    CallEdge,
    Context,
    CostTotal,
    PointTable,
    Profile,
    Quantity,
    Routine,
    RoutineProfile,
    Run,
    Thread,
    ThreadKey,
    column_names,
)

NO_POINTS = PointTable(0, column_names(("bb",)), np.zeros((12, 0), dtype=np.int64))


def routine(name: str, file: str = "/src/app.c", object: str = "/bin/app", address: int = 0):
    """Line 7, or 0 without a file."""
    return Routine(name, object, file, 7 if file else 0, address)


def numbers(of: Routine, own: int, inclusive: int | None = None, unfinished=0, thread=1, calls=1):
    """`inclusive` is `own` unless given. No points."""
    cost = {"bb": CostTotal(own if inclusive is None else inclusive, own)}
    key = (ThreadKey(0, thread),)
    return RoutineProfile(of, key, calls, unfinished, 0, 0, cost, {"trms": NO_POINTS})


def edge(
    caller: Routine,
    callee: Routine,
    calls: int,
    cost: int,
    outermost: int | None = None,
    unfinished: int = 0,
    thread: int = 1,
) -> CallEdge:
    """`outermost` is all of the cost unless given."""
    once = {"bb": cost if outermost is None else outermost}
    key = (ThreadKey(0, thread),)
    return CallEdge(caller, callee, key, calls, {"bb": cost}, unfinished, once)


def profile(
    routines,
    calls=(),
    contexts=(),
    uncounted: int = 0,
    threads=("",),
    metrics=("trms",),
) -> Profile:
    """One run with cost event bb."""
    listed = tuple(Thread(i, int(i > 1), (), name) for i, name in enumerate(threads, 1))
    run = Run(
        path="aprof.out.100",
        creator="aprof-trms 0.1.0",
        valgrind="3.19.0",
        command="./app 1",
        pid=100,
        reason="exit",
        fair_sched="no",
        renumberings=0,
        options=(("max-points", "10000"),),
        uncounted={"bb": uncounted},
        threads=listed,
    )
    events = (Quantity("bb", "guest basic blocks"),)
    measured = tuple(Quantity(metric, "cells of 4 bytes") for metric in metrics)
    return Profile((run,), events, measured, tuple(routines), tuple(calls), tuple(contexts))


def recursive() -> Profile:
    """start -> main -> fib, which calls itself; main -> even -> odd -> even...; odd -> leaf. start
    and main had not returned."""
    start, main, fib = routine("start"), routine("main"), routine("fib")
    even, odd, leaf = routine("even"), routine("odd"), routine("leaf")
    routines = [
        numbers(start, 1, 161, unfinished=1),
        numbers(main, 10, 160, unfinished=1),
        numbers(fib, 90),
        numbers(even, 30, 60),
        numbers(odd, 25, 45),
        numbers(leaf, 5),
    ]
    calls = [
        edge(start, main, 1, 160, unfinished=1),
        edge(main, fib, 1, 90),
        edge(fib, fib, 8, 250, outermost=0),
        edge(main, even, 1, 60),
        edge(even, odd, 2, 60, outermost=45),
        edge(odd, even, 1, 30, outermost=0),
        edge(odd, leaf, 1, 5),
    ]
    return profile(routines, calls, uncounted=19)


def tree() -> Profile:
    """Contexts of two threads: main -> work -> `odd; name`, main -> work again, and worker's."""
    main, work = routine("main"), routine("work")
    odd = routine("odd; name\n", file="")
    contexts = [
        Context(-1, numbers(main, 10, 63)),
        Context(0, numbers(work, 20, 53)),
        Context(1, numbers(odd, 33)),
        Context(-1, numbers(work, 4, 7, thread=2)),
        Context(3, numbers(odd, 3, thread=2)),
    ]
    routines = [
        numbers(main, 10, 63),
        numbers(work, 20, 53),
        numbers(odd, 33),
        numbers(work, 4, 7, thread=2),
        numbers(odd, 3, thread=2),
    ]
    return profile(routines, contexts=contexts, threads=("", "worker"))
