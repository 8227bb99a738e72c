"""The charges of each call path on P processors: work, overhead and idleness.

A strand's idleness is divided among its call paths by what it executed on each. All are integers, and
add up to P times the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import add
from typing import TypeVar

from aprofplot.processors.critical_sections import taken_apart
from aprofplot.processors.redivision import RedividedDag, redivided
from aprofplot.processors.schedule import Schedule
from aprofplot.processors.simulation import schedule
from aprofplot.processors.user_code import functions_on
from aprofplot.work_span.model import OVERHEAD_KINDS, CallSite, Dag, Strand

LEAST = 0.01  # of effort, from which a path or routine is shown
_LEAST_IDLENESS = 0.05  # of all idleness: from which a routine is, too, of a program that scales


@dataclass(frozen=True, slots=True)
class Charge:
    """`overheads`: of each of OVERHEAD_KINDS. `lock_waits`: the part of the idleness that is charged for holding
    locks. `scheduling`: the part of the first overhead that the simulated scheduler adds."""

    work: int = 0
    overheads: tuple[int, ...] = (0,) * len(OVERHEAD_KINDS)
    idleness: int = 0
    lock_waits: int = 0
    scheduling: int = 0

    def __add__(self, other: Charge) -> Charge:
        return Charge(
            self.work + other.work,
            tuple(map(add, self.overheads, other.overheads)),
            self.idleness + other.idleness,
            self.lock_waits + other.lock_waits,
            self.scheduling + other.scheduling,
        )

    @property
    def overhead(self) -> int:
        """Of all kinds."""
        return sum(self.overheads)

    @property
    def effort(self) -> int:
        """Work, overhead and idleness."""
        return self.work + self.overhead + self.idleness


@dataclass(frozen=True, slots=True)
class RoutineCharge:
    """A routine without what it calls, with its loops. `paths` end in it, those with most effort first."""

    name: str
    charge: Charge
    paths: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Costs:
    """A run on `schedule.processors`. By path of the dag: `exclusive`, and `inclusive` with what it
    called. `divided`: the same dag, and which loops were divided anew for as many threads."""

    dag: Dag
    schedule: Schedule
    exclusive: tuple[Charge, ...]
    inclusive: tuple[Charge, ...]
    divided: RedividedDag

    @property
    def processors(self) -> int:
        """P."""
        return self.schedule.processors

    @property
    def time(self) -> int:
        """T_P."""
        return self.schedule.time

    @property
    def total(self) -> Charge:
        """Of all paths: its effort is P times the time."""
        return self.inclusive[0]

    @property
    def speedup(self) -> float:
        """Over one processor, where nothing is scheduled."""
        executed = self.total.work + self.total.overhead - self.total.scheduling
        return executed / self.time if self.time else 1.0

    def gain(self, dag: Dag) -> float:
        """How many times as fast the program would be with this dag, by the same scheduler."""
        time = schedule(dag, self.processors, self.schedule.scheduler).time
        return self.time / time if time else 1.0

    @cached_property
    def callees(self) -> list[list[int]]:
        """Those of each path."""
        found: list[list[int]] = [[] for _ in self.dag.paths]
        for number, call in enumerate(self.dag.paths):
            if number:
                found[call.caller].append(number)
        return found

    @cached_property
    def functions(self) -> list[str]:
        """In which each path ends, as the source has it."""
        return functions_on(self.dag)

    def caller(self, path: int) -> int:
        """The path that made its last call, without what was inlined."""
        path = self.dag.paths[path].caller
        while self.dag.paths[path].inlined is not None:
            path = self.dag.paths[path].caller
        return path

    def frames(self, path: int) -> list[CallSite]:
        """Its calls, the outermost first; loops, what was inlined, and calls of unknown site are left out."""
        found: list[CallSite] = []
        while path:
            call = self.dag.paths[path]
            if call.site is not None:
                found.append(call.site)
            path = call.caller
        return found[::-1]

    def routines(self) -> list[RoutineCharge]:
        """Those with a hundredth of the effort or more, or a twentieth of the idleness if that is a hundredth of the
        effort itself; the most idle first."""
        paths: dict[object, list[int]] = {}
        names: dict[object, str] = {}
        for number, call in enumerate(self.dag.paths):
            at = number
            while call.loop is not None or call.inlined is not None:
                at = call.caller
                call = self.dag.paths[at]
            if call.site is not None:
                paths.setdefault(call.site.callee.key, []).append(number)
                names.setdefault(call.site.callee.key, self.functions[at])
        found = [self._routine(names[key], of) for key, of in paths.items()]
        least, idleness = LEAST * self.total.effort, self.total.idleness
        idle = _LEAST_IDLENESS * idleness if idleness >= least else least
        found = [of for of in found if of.charge.effort >= least or of.charge.idleness >= idle]
        return sorted(found, key=lambda of: (-of.charge.idleness, -of.charge.effort))

    def _routine(self, name: str, paths: Sequence[int]) -> RoutineCharge:
        charge = sum((self.exclusive[path] for path in paths), Charge())
        by_effort = sorted(paths, key=lambda path: -self.exclusive[path].effort)
        return RoutineCharge(name, charge, tuple(by_effort))


def costs_of(dag: Dag, processors: int, scheduler: str = "greedy") -> Costs:
    """A schedule, charged. Processors are as many threads, but for the program's own."""
    divided = RedividedDag(dag) if scheduler == "threads" else redivided(dag, processors)
    dag = taken_apart(divided.dag, processors)
    found = schedule(dag, processors, scheduler)
    exclusive = _exclusive(dag, found)
    return Costs(dag, found, tuple(exclusive), tuple(inclusive(dag, exclusive)), divided)


_Amount = TypeVar("_Amount", int, Charge)


def inclusive(dag: Dag, amounts: Sequence[_Amount]) -> list[_Amount]:
    """Those of each path, with what it called: callers come before callees."""
    found = list(amounts)
    for number in range(len(found) - 1, 0, -1):
        found[dag.paths[number].caller] += found[number]
    return found


def _exclusive(dag: Dag, found: Schedule) -> list[Charge]:
    work = [0] * len(dag.paths)
    overheads = [[0] * len(OVERHEAD_KINDS) for _ in dag.paths]
    for strand in dag.strands:
        for part in strand.parts:
            work[part.path] += part.work
            for kind, amount in enumerate(part.overheads):
                overheads[part.path][kind] += amount
    even = _whole(by_path(dag, found.idleness), found.scale)
    by_holder = [0] * len(dag.strands)
    for (holder, _), amount in found.lock_waits.items():
        by_holder[holder] += amount
    waits = by_path(dag, by_holder)
    scheduling = by_path(dag, found.scheduling)
    return [
        Charge(w, (first + s, *others), e + lw, lw, s)
        for w, (first, *others), e, lw, s in zip(work, overheads, even, waits, scheduling)
    ]


def by_path(dag: Dag, amounts: Sequence[int]) -> list[int]:
    """Amounts of strands, divided among paths. Their sum stays."""
    found = [0] * len(dag.paths)
    for strand, amount in zip(dag.strands, amounts):
        if amount:
            for path, share in _shares(dag, strand, amount):
                found[path] += share
    return found


def _shares(dag: Dag, strand: Strand, amount: int) -> Iterator[tuple[int, int]]:
    total = strand.length
    if not total:  # it was but the beginning of a critical section
        yield (_path_before(dag, strand), amount)
        return
    left = amount
    for part in strand.parts:
        share = amount * part.length // total
        left -= share
        yield part.path, share
    yield strand.largest.path, left


def _path_before(dag: Dag, strand: Strand) -> int:
    for index in strand.before:
        for part in dag.strands[index].parts:
            return part.path
    return 0


def _whole(amounts: Iterable[int], scale: int) -> list[int]:
    """Amounts in units of 1 / scale, rounded so that their sum, which is whole, stays."""
    parts = [divmod(amount, scale) for amount in amounts]
    found = [whole for whole, _ in parts]
    missing = sum(rest for _, rest in parts) // scale
    by_rest = sorted(range(len(parts)), key=lambda i: (-parts[i][1], i))
    for index in by_rest[:missing]:
        found[index] += 1
    return found
