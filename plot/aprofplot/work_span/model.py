"""The content of cilkshadow's profile: docs/format-cilkshadow.md as Python types.

Work and span are exact integers, in the profile's unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aprofplot.model import Loop, Note, Origin, Routine, RoutineKey

# The Cilkprof paper's names, section 6: which calls a measure sums over.
PATHS = ("on_work", "on_span")
MEASURES = ("top_site", "top_caller", "local")


@dataclass(frozen=True, slots=True)
class Measure:
    """So many calls, the sums of their work and span."""

    count: int
    work: int
    span: int

    @property
    def parallelism(self) -> float | None:
        """Work / span; None where the span is 0."""
        return self.work / self.span if self.span else None


@dataclass(frozen=True, slots=True)
class Measures:
    """`top_site`: calls that are in no other of their site. `top_caller`: calls by outermost
    activations of the caller. `local`: all calls, without what the callee's own calls did.
    """

    top_site: Measure
    top_caller: Measure
    local: Measure


@dataclass(frozen=True, slots=True)
class InlinedFunction:
    """It was inlined by a call at `file` and `line`, which are empty and 0 where unknown."""

    name: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class CallSite:
    """A place of a call and the routine called there. `caller` is None for a program's, a thread's
    or a signal handler's first routine. `file` is empty and `line` 0 where unknown: of the call;
    `spawned`: how many of the calls were spawned. `on_work`: over all calls, `on_span`: over those
    that return on the longest path. `burdened_span`: of on_work.top_site, None if not measured.
    `inlined`: the functions that have the code of the call and were inlined into the caller, outermost first.
    """

    id: int
    caller: Routine | None
    callee: Routine
    file: str
    line: int
    address: int
    spawned: int
    on_work: Measures
    on_span: Measures
    burdened_span: int | None = None
    inlined: tuple[InlinedFunction, ...] = ()

    @property
    def routine(self) -> Routine:
        """The callee: what a site is found by."""
        return self.callee

    def measure(self, path: str, which: str) -> Measure:
        """By the names in PATHS and MEASURES."""
        found: Measure = getattr(getattr(self, path), which)
        return found


@dataclass(frozen=True, slots=True)
class LoopSite:
    """A loop and its executions, the calls of its measures. Its local work is what its routine itself
    executed in it, and in no loop within. `iterations`: of all executions."""

    loop: Loop
    iterations: int
    on_work: Measures
    on_span: Measures

    @property
    def routine(self) -> Routine:
        """Of which it is a part."""
        return self.loop.routine

    @property
    def executions(self) -> int:
        """All of them."""
        return self.on_work.local.count


@dataclass(frozen=True, slots=True)
class LockPlace:
    """Where a lock was acquired, and what was executed under it from there. `function`: that was inlined into
    the routine there; empty: none was."""

    held: int
    routine: Routine
    function: str
    file: str
    line: int


@dataclass(frozen=True)
class Lock:
    """`held`: what was executed in its critical sections, together. `routine`: that which acquired
    it first, None if unknown. `name`: its variable's, or its address. `places`: of calls that acquire it.
    """

    acquisitions: int
    held: int
    routine: Routine | None
    kind: str
    name: str
    places: tuple[LockPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedRegion:
    """That the program named, executed `count` times; all together. `burdened_span`: each spawn costs the burden."""

    name: str
    count: int
    work: int
    span: int
    burdened_span: int

    @property
    def parallelism(self) -> float | None:
        """Work / span; None where the span is 0."""
        return self.work / self.span if self.span else None

    @property
    def burdened_parallelism(self) -> float | None:
        """Work / burdened span; None where that is 0."""
        return self.work / self.burdened_span if self.burdened_span else None


@dataclass(frozen=True, slots=True)
class CallPath:
    """A call on the path of its caller: its number, 0 for what is outside of all routines. `site` is
    None where unknown, and where it is no call, but the caller's `loop`, or a function that was `inlined`
    there. What such a function executes outside of loops and calls is on its caller's path."""

    caller: int
    site: CallSite | None
    loop: Loop | None = None
    inlined: InlinedFunction | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """What of a strand was executed on one call path, by the program and by run-time libraries."""

    path: int
    work: int
    overhead: int

    @property
    def length(self) -> int:
        """Work and overhead."""
        return self.work + self.overhead


@dataclass(frozen=True, slots=True)
class Sections:
    """Critical sections within a strand, and what they execute together."""

    lock: int
    count: int
    held: int


@dataclass(frozen=True, slots=True)
class Strand:
    """`before`: the indices of those after which it may begin, all smaller than its own. `thread` is 0
    where there were several. `span`: its work, or less where it runs in parallel itself. `acquires` and
    `releases`: locks, held from its beginning and given up at its end; 0: none."""

    thread: int
    span: int
    acquires: int
    releases: int
    before: tuple[int, ...]
    parts: tuple[Part, ...]
    sections: tuple[Sections, ...] = ()

    @property
    def work(self) -> int:
        """Of all parts."""
        return sum(part.work for part in self.parts)

    @property
    def overhead(self) -> int:
        """Of all parts."""
        return sum(part.overhead for part in self.parts)

    @property
    def length(self) -> int:
        """Work and overhead of all parts."""
        return self.work + self.overhead

    @property
    def largest(self) -> Part:
        """The longest part, the first of several; there is one at least."""
        return max(self.parts, key=lambda part: part.length)


@dataclass(frozen=True, eq=False)
class Dag:
    """`grain`: strands with less work were folded into others. `paths`: by number; the first is outside
    of all routines. `burden`: what it costs to steal a strand. `spawned`: the routines that are spawned at
    some call site, perhaps on no path, as paths leave recursive calls out."""

    grain: int
    paths: tuple[CallPath, ...]
    strands: tuple[Strand, ...]
    burden: int = 0
    spawned: frozenset[RoutineKey] = frozenset()


@dataclass(frozen=True, eq=False)
class WorkSpanProfile:
    """One run. `overhead`: executed by the threading run-time library, in no work and no span.
    `burden`: what each spawn costs in the burdened span, None if not known. `loops`: none with
    --loops=no. `regions`: in the order in which they first began. `dag`: None if it was not recorded.
    """

    path: str
    creator: str
    valgrind: str
    command: str
    pid: int
    reason: str
    options: Mapping[str, str]
    burden: int | None
    unit: str
    fair_sched: str
    threads: int
    work: int
    overhead: int
    span: int
    burdened_span: int
    serialised_span: int
    spawns: int
    syncs: int
    notes: tuple[Note, ...]
    sites: tuple[CallSite, ...]
    locks: tuple[Lock, ...]
    loops: tuple[LoopSite, ...] = ()
    regions: tuple[NamedRegion, ...] = ()
    dag: Dag | None = None
    origin: Origin = Origin()
