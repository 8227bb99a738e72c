"""Profiles made by hand for the page: with calls and contexts, with odd names, and large ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from calling import profile as one_run

from aprofplot.model import (
    CallEdge,
    Context,
    CostTotal,
    PointTable,
    Profile,
    Routine,
    RoutineProfile,
    ThreadKey,
    column_names,
)

APP = "/home/me/app/app"
LIBC = "/usr/lib/x86_64-linux-gnu/libc.so.6"
MAIN_THREAD = ThreadKey(0, 1)

# Names that a careless page would run, end, or choke on.
EVIL = '</script><img src=x onerror="document.title=1">&amp;${alert(1)}\'"'
NOT_UTF8 = b"caf\xe9_\xff".decode("utf-8", "surrogateescape")
LONG = "std::map<" + ", ".join(f"very::long::type_{i}<int>" for i in range(400)) + ">::insert(int)"


def table(
    cost: Callable[[int], int], sizes: Sequence[int], calls: int = 1, induced: int = 0
) -> PointTable:
    """A point for each size, of `calls` equal activations."""
    columns = column_names(("bb",))
    rows = np.zeros((len(columns), len(sizes)), dtype=object)
    for i, size in enumerate(sizes):
        each = cost(size)
        statistics = [each, each, each * calls, each * each * calls]
        rows[:, i] = [size, calls, induced * calls, 0, *statistics, *statistics]
    return PointTable(0, columns, rows)


def profiled(
    routine: Routine,
    inclusive: int,
    own: int,
    calls: int,
    trms: PointTable,
    rms: PointTable | None = None,
    thread: ThreadKey = MAIN_THREAD,
) -> RoutineProfile:
    """One routine in one thread; RMS as TRMS unless given."""
    points = {"trms": trms, "rms": trms if rms is None else rms}
    cost = {"bb": CostTotal(inclusive, own)}
    return RoutineProfile(routine, (thread,), calls, 0, 0, 0, cost, points)


def profile(
    routines: Sequence[RoutineProfile],
    calls: Sequence[CallEdge] = (),
    contexts: Sequence[Context] = (),
    threads: int = 1,
) -> Profile:
    """One run of ./app."""
    names = ["main", *(f"worker {i}" for i in range(2, threads + 1))]
    return one_run(routines, calls, contexts, threads=names, metrics=("trms", "rms"))


@dataclass(frozen=True)
class Sample:
    """main calls sort (quadratic) and feed (linear by TRMS, steeper by RMS); both call copy."""

    main: Routine
    sort: Routine
    feed: Routine
    copy: Routine
    source: str

    @staticmethod
    def at(source: str) -> Sample:
        """Its debug information names `source`."""
        return Sample(
            Routine("main", APP, source, 12, 4096),
            Routine("sort", APP, source, 3, 8192),
            Routine("feed", APP, "/nowhere/feed.c", 5, 12288),
            Routine("copy", LIBC, "", 0, 64),
            source,
        )

    def whole(self) -> Profile:
        """With call edges and contexts; the run costs 10000."""
        sizes = [2**k for k in range(3, 13)]
        none = table(lambda n: n, [])
        few = table(lambda n: n, [4, 5], 10)
        squares = table(lambda n: n * n + 7, sizes)
        lines = table(lambda n: 3 * n + 11, sizes, induced=6)
        two = table(lambda n: 100 * n, [30, 40], 5, induced=1)
        routines = [
            profiled(self.main, 10000, 1000, 1, none),
            profiled(self.sort, 6000, 5000, 10, squares),
            profiled(self.feed, 3000, 2500, 10, lines, two),
            profiled(self.copy, 1500, 1500, 20, few),
        ]
        here = (MAIN_THREAD,)
        calls = [
            CallEdge(self.main, self.sort, here, 10, {"bb": 6000}, 0, {"bb": 6000}),
            CallEdge(self.main, self.feed, here, 10, {"bb": 3000}, 0, {"bb": 3000}),
            CallEdge(self.sort, self.copy, here, 12, {"bb": 1000}, 0, {"bb": 1000}),
            CallEdge(self.feed, self.copy, here, 8, {"bb": 500}, 0, {"bb": 500}),
        ]
        contexts = [
            Context(-1, profiled(self.main, 10000, 1000, 1, none)),
            Context(0, profiled(self.sort, 6000, 5000, 10, squares)),
            Context(0, profiled(self.feed, 3000, 2500, 10, lines, two)),
            Context(1, profiled(self.copy, 1000, 1000, 12, few)),
            Context(2, profiled(self.copy, 500, 500, 8, few)),
        ]
        return profile(routines, calls, contexts)


def recursive() -> Profile:
    """even calls odd, which calls even: the run costs 100."""
    even, odd = Routine("even", APP, "", 0, 1), Routine("odd", APP, "", 0, 2)
    none = table(lambda n: n, [])
    contexts = [
        Context(-1, profiled(even, 100, 40, 1, none)),
        Context(0, profiled(odd, 60, 20, 1, none)),
        Context(1, profiled(even, 40, 40, 1, none)),
    ]
    return profile([profiled(even, 100, 80, 2, none), profiled(odd, 60, 20, 1, none)], (), contexts)


def odd_names() -> Profile:
    """One, no and few points; names that bite."""
    one = table(lambda n: 5, [3])
    none = table(lambda n: n, [])
    routines = [
        profiled(Routine(EVIL, EVIL, EVIL, 1, 1), 400, 400, 1, one),
        profiled(Routine(NOT_UTF8, APP, "", 0, 2), 300, 300, 1, none),
        profiled(Routine(LONG, APP, "", 0, 3), 200, 200, 1, one),
        profiled(
            Routine("zero\0size\n\u202e", APP, "", 0, 4),
            100,
            100,
            1,
            table(lambda n: n, [0]),
        ),
    ]
    return profile(routines)


def costly() -> Profile:
    """A routine that costs as much as the page has exact numbers for."""
    most = 2**53 - 1
    work = Routine("work", APP, "", 0, 1)
    numbers = profiled(work, most, most, most, table(lambda n: n, []))
    return profile([numbers], (), [Context(-1, numbers)])


def large(routines: int, threads: int) -> Profile:
    """One in a hundred routines runs in all threads, with points enough for a fit."""
    few, many = table(lambda n: 4 * n, [1, 2, 5]), table(
        lambda n: 9 * n + 4, list(range(8, 200, 8))
    )
    made = []
    for i in range(routines):
        routine = Routine(
            f"ns{i % 37}::routine_{i}<int>(long)",
            f"/lib/lib{i % 23}.so",
            f"/src/{i % 211}.cc",
            i % 900 + 1,
            i + 1,
        )
        shared = i % 100 == 0
        for thread in range(1, threads + 1 if shared else 2):
            made.append(
                profiled(
                    routine,
                    1000 + i,
                    i,
                    3,
                    many if shared else few,
                    thread=ThreadKey(0, thread),
                )
            )
    return profile(made, threads=threads)
