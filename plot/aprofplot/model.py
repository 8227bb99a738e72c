"""The content of a profile: docs/format-aprof.md as Python types.

All numbers are exact. Costs are in the unit of their event, input sizes in that of their metric.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy.typing as npt

# Exact integers: dtype int64, or object (Python ints) where a value needs more than 63 bits.
Integers = npt.NDArray[Any]

POINT_COLUMNS = ("size", "calls", "thread", "external")
STATISTICS = ("min", "max", "sum", "sumsq")


CHILDREN = "children"  # a further column of profiles with loops

# The further metric of loops: points by number of iterations.
ITERATIONS = "iterations"

# Further ones of routines: points by the value of an integer argument.
_ARGUMENT = "argument:"


def argument_metric(name: str) -> str:
    """The metric of the argument that is called so."""
    return _ARGUMENT + name


def is_argument(metric: str) -> bool:
    """Whether it is that of an argument."""
    return metric.startswith(_ARGUMENT)


def argument_of(metric: str) -> str | None:
    """The argument's name; None: it is another metric."""
    return metric.removeprefix(_ARGUMENT) if is_argument(metric) else None


def cost_column(event: str, own: bool, statistic: str) -> str:
    """The name of a column: of the inclusive cost, or of the self cost if `own`."""
    return f"{event}.self.{statistic}" if own else f"{event}.{statistic}"


def column_names(events: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of every point table, in the order of the format's worked example."""
    costs = [cost_column(e, own, s) for e in events for own in (False, True) for s in STATISTICS]
    return POINT_COLUMNS + tuple(costs)


@dataclass(frozen=True)
class Quantity:
    """A cost event ("bb") or an input-size metric ("trms"), and the unit it counts in."""

    name: str
    unit: str


@dataclass(frozen=True)
class Thread:
    """A thread of the client. `parent` is its creator's id, 0 for none; `created_in` are the
    names of the routines pending in the creator then, outermost first."""

    id: int
    parent: int
    created_in: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class Origin:
    """The machine's name and the user's id where a profile was made. Empty if the profile does not have
    them."""

    host: str = ""
    user: str = ""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Origin:
        """From a profile's option records, which have it beside the tool's options."""
        return cls(**{name: options.get(name, "") for name in ORIGIN})

    @property
    def is_here(self) -> bool:
        """Whether the profile was made on this machine, by the user who reads it."""
        return self == Origin(os.uname().nodename, str(os.geteuid()))


ORIGIN = ("host", "user")
PROVENANCE = (*ORIGIN, "parent")  # option records that are not options of the tool


@dataclass(frozen=True)
class Note:
    """A remark on the profile; `count` and `text` together are a sentence."""

    kind: str
    count: int
    text: str


@dataclass(frozen=True)
class Run:
    """One profile's header. `uncounted`: cost of lazy symbol binding, by event."""

    path: str
    creator: str
    valgrind: str
    command: str
    pid: int
    reason: str
    fair_sched: str
    renumberings: int
    options: tuple[tuple[str, str], ...]
    uncounted: Mapping[str, int]
    threads: tuple[Thread, ...]
    origin: Origin = Origin()
    notes: tuple[Note, ...] = ()


class RoutineKey(NamedTuple):
    """The identity of a routine across threads and profiles. `address` distinguishes namesakes of one
    source file, or without a source file; it is 0 for all others."""

    name: str
    object: str
    file: str
    address: int


@dataclass(frozen=True)
class Routine:
    """`file` is empty and `line` 0 if unknown. `address`: in its object's file. `namesake`: other
    routines have the same name, object and file; for instance, each compilation unit has its own copy
    of a header's static function."""

    name: str
    object: str
    file: str
    line: int
    address: int
    namesake: bool = False

    @cached_property
    def key(self) -> RoutineKey:
        """The routine's identity; the line is not part of it."""
        address = self.address if self.namesake or not self.file else 0
        return RoutineKey(self.name, self.object, self.file, address)


class ThreadKey(NamedTuple):
    """A thread of one of several runs; `run` indexes Profile.runs."""

    run: int
    id: int


@dataclass(frozen=True, slots=True)
class CostTotal:
    """Over all activations, unfinished ones included; recursion counted once (inclusive)."""

    inclusive: int
    own: int


@dataclass(frozen=True, eq=False, slots=True)
class PointTable:
    """The points of one routine under one metric: finished activations, by input size.

    `rows` has a row for each name in `columns` and a column for each point; sizes ascend.
    `precision` is 0 where each size has its own point, else the number of most significant binary
    digits in which sizes that share a point agree.
    """

    precision: int
    columns: tuple[str, ...]
    rows: Integers

    def __len__(self) -> int:
        return int(self.rows.shape[1])

    def column(self, name: str) -> Integers:
        """One column's values, by ascending size. KeyError if it was not measured."""
        column: Integers = self.rows[self._place(name)]
        return column

    def part(self, names: Iterable[str]) -> Integers:
        """A row for each of these columns, in their order. KeyError if one was not measured."""
        return self.rows[[self._place(name) for name in names]]

    def _place(self, name: str) -> int:
        try:
            return self.columns.index(name)
        except ValueError:
            raise KeyError(name) from None


@dataclass(frozen=True, eq=False, slots=True)
class RoutineProfile:
    """A routine's numbers, in one thread or in all of `threads` together.

    `calls` includes the `unfinished` ones. `cost` is by event, `points` by metric, also by that of an argument
    that tells of the cost what input sizes do not; there, calls with a value that is no size are left out.
    """

    routine: Routine
    threads: tuple[ThreadKey, ...]
    calls: int
    unfinished: int
    induced_thread: int
    induced_external: int
    cost: Mapping[str, CostTotal]
    points: Mapping[str, PointTable]


@dataclass(frozen=True, eq=False, slots=True)
class CallEdge:
    """The calls of `callee` by `caller`, in one thread or in all of `threads` together. Calls without a
    caller, such as that of a thread's first routine, are not in Profile.calls.

    `cost`: the callee's inclusive cost, by event, of these calls, including `unfinished` ones;
    recursion counts again. `outermost`: the part from calls made while the callee was not pending.
    Over all callers it adds up to the callee's inclusive cost, except for calls without a caller.
    """

    caller: Routine
    callee: Routine
    threads: tuple[ThreadKey, ...]
    calls: int
    cost: Mapping[str, int]
    unfinished: int
    outermost: Mapping[str, int]


@dataclass(frozen=True, eq=False, slots=True)
class Context:
    """A routine's numbers in one calling context: when called from `parent`'s routine in that
    context. `parent` indexes Profile.contexts, where parents come first; -1 for a root.

    A routine that is already on the path continues its context there. The inclusive cost is the self
    cost of the context and of all contexts below it. `merged`: stands for all contexts of the
    routine beyond --max-contexts; a root without children. `loops`: the routine's, as they ran in it;
    none if the profile does not tell (before format version 7).
    """

    parent: int
    profile: RoutineProfile
    merged: bool = False
    loops: tuple[LoopProfile, ...] = ()


class LoopKey(NamedTuple):
    """The identity of a loop across threads and profiles."""

    routine: RoutineKey
    address: int


class InlinedCall(NamedTuple):
    """The place in `caller` where a function was inlined; `file` is empty and `line` 0 if unknown."""

    caller: str
    file: str
    line: int


class LoopCall(NamedTuple):
    """A routine that a loop calls from functions that are inlined into it: `at` is what all these calls share,
    where in the innermost function it is, where that was inlined, and so on."""

    callee: RoutineKey
    at: tuple[InlinedCall, ...]


@dataclass(frozen=True)
class Loop:
    """A loop of a routine's machine code. `parent`: the innermost loop around it in the routine.

    `file`, `line` and `last_line` are where the source has it (empty and 0: unknown), `function` is
    what it is written in (empty: unknown), which `inlined` has brought into the routine, from the
    innermost call on. `calls`: those that functions inlined into the loop make.
    """

    routine: Routine
    parent: Loop | None
    address: int
    irreducible: bool
    file: str
    line: int
    last_line: int
    function: str
    inlined: tuple[InlinedCall, ...] = ()
    calls: tuple[LoopCall, ...] = ()

    @property
    def key(self) -> LoopKey:
        """The loop's identity, in several threads or profiles."""
        return LoopKey(self.routine.key, self.address)

    @property
    def around(self) -> Iterator[Loop]:
        """The loops around it, from the innermost on."""
        parent = self.parent
        while parent is not None:
            yield parent
            parent = parent.parent


class ProgressBin(NamedTuple):
    """Iterations from the `first` of an execution, from 1, to the one before 2 * `first`, or all that
    follow: how many there were, the sum of their RMS, how much of it was new to their execution, and
    the sum of their inclusive cost, by event."""

    first: int
    iterations: int
    rms: int
    new: int
    cost: Mapping[str, int]

    def last(self, longest: int) -> int:
        """The last ordinal, of executions of at most `longest` iterations."""
        return max(min(2 * self.first - 1, longest), self.first)


@dataclass(frozen=True, eq=False, slots=True)
class LoopProfile:
    """A loop's numbers, by thread or of all of `threads` together.

    `cost`: the inclusive cost of executions, recursion counted once; the self cost is that without
    calls, with inner loops. `points` are by metric, and by ITERATIONS; their `calls` are executions, and
    `children` the sum of the iterations' RMS, each by itself. `progress` is empty for loops
    without inner loop and call.
    """

    loop: Loop
    threads: tuple[ThreadKey, ...]
    executions: int
    unfinished: int
    iterations: int
    induced_thread: int
    induced_external: int
    cost: Mapping[str, CostTotal]
    points: Mapping[str, PointTable]
    progress: tuple[ProgressBin, ...] = ()

    @property
    def longest(self) -> int:
        """Iterations of its longest execution: of those that ended or, if none did and there is only one,
        of that one so far; otherwise 0."""
        sizes = self.points[ITERATIONS].column("size")
        if len(sizes):
            return int(sizes[-1])
        return self.iterations if self.executions == 1 else 0


class LineCost(NamedTuple):
    """The cost of a source line's instructions in the code of `routine`, over all threads. `function`: the
    function whose source the line is, inlined into the routine or the routine itself. `file` is empty and
    `line` 0 for all code that has no line.

    `cost`: self cost by event, `instr`, and `bb` if that was measured; without a line `instr` is 0 unless
    it was measured. A routine's lines add up to its self cost.
    """

    routine: Routine
    file: str
    line: int
    function: str
    cost: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Profile:
    """One profile as read, or several merged. Events and metrics are common to all runs. `calls` are
    empty if no profile has them (format version 1), `contexts` without --contexts=yes, `loops` with
    --loops=no, `lines` without --lines=yes; all of them also if a run has none. `by_thread`: of one
    profile of several threads, routines with much of the cost in each thread, also where `routines` are merged.
    """

    runs: tuple[Run, ...]
    events: tuple[Quantity, ...]
    metrics: tuple[Quantity, ...]
    routines: tuple[RoutineProfile, ...]
    calls: tuple[CallEdge, ...] = ()
    contexts: tuple[Context, ...] = ()
    loops: tuple[LoopProfile, ...] = ()
    lines: tuple[LineCost, ...] = ()
    by_thread: tuple[RoutineProfile, ...] = ()

    @property
    def event_names(self) -> tuple[str, ...]:
        """In the order of the first profile."""
        return tuple(event.name for event in self.events)

    @property
    def metric_names(self) -> tuple[str, ...]:
        """In the order of the first profile."""
        return tuple(metric.name for metric in self.metrics)

    def thread(self, key: ThreadKey) -> Thread:
        """The thread that `key` stands for."""
        return self._threads[key]

    @cached_property
    def _threads(self) -> dict[ThreadKey, Thread]:
        runs = enumerate(self.runs)
        return {ThreadKey(run, thread.id): thread for run, of in runs for thread in of.threads}
