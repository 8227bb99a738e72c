"""The content of cilkshadow's profile: docs/format-cilkshadow.md as Python types.

Work and span are exact integers, in the profile's unit.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import cached_property

from aprofplot.model import Loop, Note, Origin, Routine, RoutineKey

# The Cilkprof paper's names, section 6: which calls a measure sums over.
PATHS = ("on_work", "on_span")
MEASURES = ("top_site", "top_caller", "local")

# What run-time libraries execute, by what they were doing: docs/format-cilkshadow.md, "Dag". In profiles of
# versions that do not say, all of it is unknown.
OVERHEAD_KINDS = (
    "scheduling",
    "synchronisation",
    "waiting",
    "spinning",
    "allocation",
    "linking",
    "unknown",
)

TOGGLE_COLLECT = "toggle-collect"  # the only option that can be there more than once


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
    """A function inlined by a call at `file` and `line`, which are empty and 0 if unknown."""

    name: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call in the code and the routine called there. `caller` is None for a program's, a thread's or a
    signal handler's first routine. `file` and `line`: of the call, empty and 0 if unknown. `spawned`:
    how many of the calls were spawned. `on_work`: over all calls, `on_span`: over those
    that return on the longest path. `burdened_span`: of on_work.top_site, None if not measured.
    `inlined`: the inlined functions of the caller that contain the call, outermost first.
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
        """The callee, by which a site is found."""
        return self.callee

    def measure(self, path: str, which: str) -> Measure:
        """By the names in PATHS and MEASURES."""
        found: Measure = getattr(getattr(self, path), which)
        return found


@dataclass(frozen=True, slots=True)
class LoopSpread:
    """How a loop's work is divided: that of its `largest` execution, and of the parallel `iterations`, of which
    `work` is the sum. These are iterations of a cilk_for, or chunks that an OpenMP library gave out; or, of a loop
    that the program divides among threads or tasks, of its executions, which are `parts` of it; then
    `largest_iteration` is 0 if they were only counted.
    """

    largest: int
    iterations: int
    work: int
    largest_iteration: int
    parts: int = 0

    @property
    def largest_told(self) -> int | None:
        """The largest iteration, None if iterations were only counted."""
        return self.largest_iteration or (None if self.parts else 0)


@dataclass(frozen=True, slots=True)
class LoopSite:
    """A loop and its measures, over its executions. Its local work is what its routine itself executed in
    it, outside of inner loops. `iterations`: of all executions. `spread`: None where an older profile does
    not have it. `body`: file and line of the user's code in a parallel loop of a library's template, if it is
    inlined there."""

    loop: Loop
    iterations: int
    on_work: Measures
    on_span: Measures
    spread: LoopSpread | None = None
    body: tuple[str, int] | None = None

    @property
    def routine(self) -> Routine:
        """The routine that contains the loop."""
        return self.loop.routine

    @property
    def executions(self) -> int:
        """The number of executions."""
        return self.on_work.local.count


@dataclass(frozen=True, slots=True)
class LockPlace:
    """A place where a lock is acquired. `held`: what was executed under the lock from there. `function`: the
    function inlined into the routine there; empty if there is none."""

    held: int
    routine: Routine
    function: str
    file: str
    line: int


@dataclass(frozen=True)
class Lock:
    """`held`: what was executed in all its critical sections. `routine`: the first to acquire it, None if
    unknown. `name`: its variable's, or its address. `places`: the calls that acquire it. `has_condition`: threads
    signal one, for others that wait for what is changed under the lock."""

    acquisitions: int
    held: int
    routine: Routine | None
    kind: str
    name: str
    places: tuple[LockPlace, ...] = ()
    has_condition: bool = False


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
    """A call on the path of its caller. `caller`: the number of that path, 0 outside of all routines. `site`
    is None if unknown, or if this is not a call but the caller's `loop`, or a function `inlined` there.
    What such a function executes outside of loops and calls is on its caller's path."""

    caller: int
    site: CallSite | None
    loop: Loop | None = None
    inlined: InlinedFunction | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a strand on one call path. `work`: executed by the program. `overheads`: by run-time
    libraries, of each of OVERHEAD_KINDS up to the last that there is some of."""

    path: int
    work: int
    overheads: tuple[int, ...] = ()

    @property
    def overhead(self) -> int:
        """Of all kinds."""
        return sum(self.overheads)

    @property
    def length(self) -> int:
        """Work and overhead."""
        return self.work + self.overhead


@dataclass(frozen=True, slots=True)
class Sections:
    """Critical sections within a strand. `by_path`: what they execute on each call path, work and overhead; empty in
    profiles before version 5. `held`: on all paths."""

    lock: int
    count: int
    held: int
    by_path: tuple[tuple[int, int], ...] = ()


class LoopSchedule(enum.IntEnum):
    """How threads divide a loop: by number, or each takes a chunk whenever it is free. A guided chunk is what is left
    of the iterations over the number of threads, in libgomp; half of that in libomp."""

    BY_NUMBER = 0
    DYNAMIC = 1
    GUIDED = 2
    GUIDED_BY_HALF = 3


@dataclass(frozen=True, slots=True)
class Share:
    """The part from `begin` to `end` of 0 to `of`, of what threads divide among themselves. `division`: the number of
    what is divided. `path`: on which it begins. `iterations`: of the whole loop; 0 where unknown, as the program divides
    by thread number itself. `chunk`: the fewest iterations that are taken at once; 0 if divided by number. What begins
    where a thread finds no more chunks is from `of` to `of`. Folded chunks are one share, from the first to the last;
    `others`: iterations in between that other strands execute.
    """

    division: int
    begin: int
    end: int
    of: int
    path: int
    iterations: int = 0
    schedule: LoopSchedule = LoopSchedule.BY_NUMBER
    chunk: int = 0
    others: int = 0

    @property
    def taken(self) -> int:
        """How many of `of` the strand executes."""
        return self.end - self.begin - self.others


@dataclass(frozen=True, slots=True)
class Strand:
    """`before`: the indices of the strands after which it may begin, all smaller than its own. `thread` is 0
    if there were several. `span`: its work, or less if it runs in parallel itself. `acquires` and
    `releases`: locks acquired at its beginning and released at its end; 0: none. `share`: that begins with
    it, and goes on as long as strands follow each other one by one."""

    thread: int
    span: int
    acquires: int
    releases: int
    before: tuple[int, ...]
    parts: tuple[Part, ...]
    sections: tuple[Sections, ...] = ()
    share: Share | None = None

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
    """`grain`: strands with less work were folded into others. `paths`: by number; the first is outside of all
    routines. `burden`: what it costs to steal a strand. `spawned`: the routines that are spawned at
    some call site, perhaps on no path, as paths leave recursive calls out."""

    grain: int
    paths: tuple[CallPath, ...]
    strands: tuple[Strand, ...]
    burden: int = 0
    spawned: frozenset[RoutineKey] = frozenset()

    @cached_property
    def after(self) -> list[tuple[int, ...]]:
        """By strand, the indices of those that come right after it."""
        found: list[list[int]] = [[] for _ in self.strands]
        for index, strand in enumerate(self.strands):
            for before in strand.before:
                found[before].append(index)
        return [tuple(of) for of in found]


@dataclass(frozen=True, eq=False)
class WorkSpanProfile:
    """One run. `overhead`: executed by the threading run-time library, in no work and no span.
    `burden`: what each spawn costs in the burdened span, None if not known. `loops`: none with
    --loops=no. `options`: each once, TOGGLE_COLLECT once for each pattern. `regions`: in the order in which
    they first began. `dag`: None if it was not recorded.
    """

    path: str
    creator: str
    valgrind: str
    command: str
    pid: int
    reason: str
    options: tuple[tuple[str, str], ...]
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
