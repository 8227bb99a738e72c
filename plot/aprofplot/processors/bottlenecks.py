"""What keeps a program from running faster on P processors: at most a handful of findings, the gravest
first.

kind           idleness that is charged                              what is named
serial phase   while one strand works, and none beside it has ended  the serial call
imbalance      while strands beside it have ended already            the routine they run
lock           for holding a lock that others wait for               the lock, who holds it
grain          while run-time libraries execute, with that           the routine that spawns

A finding's share is that of total effort; without it, the program would take so much less time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aprofplot.names import base_name, printable
from aprofplot.processors.charges import Costs, by_path
from aprofplot.work_span.model import CallSite, Lock

MOST = 5
# A tenth of the processors' time: below it Table 1 says "low" (quadrants.HIGH), and mending it gains
# 1.11 times at most.
LEAST = 0.10
_SERIAL = 0.01  # of a path's work: what runs beside others, below which the path is serial
_OWN = 0.1  # of what its callees have: with that, a caller is uneven itself
_MANY = 100  # calls by one activation of the caller: a loop of its


@dataclass(frozen=True)
class Finding:
    """`frames`: the call path, the outermost call first; its last call is to blame. `lock`: its name.
    `gain`: how many times as fast the program would be without."""

    kind: str
    share: float
    sentence: str
    frames: tuple[CallSite, ...]
    lock: str | None
    gain: float

    @property
    def function(self) -> str:
        """Of the user, whatever a compiler split off it."""
        return function_of(self.frames[-1]) if self.frames else ""


def function_of(site: CallSite) -> str:
    """The callee, without parameters and without what a compiler adds for a body that it outlined."""
    name = base_name(printable(site.callee.name))
    for marker in ("._omp_fn.", ".omp_outlined", "._omp_cpyfn."):
        name = name.partition(marker)[0]
    return name.removeprefix(".")


def find_all(costs: Costs, locks: Sequence[Lock]) -> list[Finding]:
    """The findings on so many processors."""
    effort = costs.total.effort
    if not effort:
        return []
    found = [*_serial(costs), *_imbalance(costs), *_locks(costs, locks), *_grain(costs)]
    found = [finding for finding in found if finding.share >= LEAST]
    return sorted(found, key=lambda finding: -finding.share)[:MOST]


def _serial(costs: Costs) -> Iterator[Finding]:
    dag, schedule = costs.dag, costs.schedule
    alone = by_path(dag, [_of_work(costs, i, amount) for i, amount in enumerate(schedule.alone)])
    all_alone = _inclusive(costs, alone)
    beside = _inclusive(costs, _beside(costs))
    blamed: dict[int, int] = {}
    for path, amount in enumerate(alone):
        if amount:
            at = _serial_call(costs, path, beside, all_alone)
            blamed[at] = blamed.get(at, 0) + amount
    for path, amount in blamed.items():
        share = amount / schedule.scale / costs.total.effort
        yield _finding(
            costs,
            "serial phase",
            share,
            path,
            f"{{name}} runs alone{{place}}: while it does, {_idle(costs)} idle, "
            f"{share:.0%} of all processor time",
        )


def _serial_call(costs: Costs, path: int, beside: list[int], alone: list[int]) -> int:
    """The outermost call on the path that runs beside nothing; the path itself if none is serial.
    What is called again and again is its caller's."""
    while path and _calls_each(costs, path) >= _MANY:
        path = costs.dag.paths[path].caller
    best = path
    while path:
        if beside[path] <= _SERIAL * costs.inclusive[path].work and alone[path]:
            best = path
        path = costs.dag.paths[path].caller
    return best


def _calls_each(costs: Costs, path: int) -> float:
    """How often the call is made for each call of its caller."""
    call = costs.dag.paths[path]
    caller = costs.dag.paths[call.caller].site
    if call.site is None or caller is None:
        return 1
    return call.site.on_work.local.count / max(caller.on_work.local.count, 1)


def _beside(costs: Costs) -> list[int]:
    """By path, the work of strands that were not charged alone for all of their time."""
    schedule = costs.schedule
    full = (costs.processors - 1) * schedule.scale
    amounts = []
    for strand, alone in zip(costs.dag.strands, schedule.alone):
        length = strand.work + strand.overhead
        amounts.append(max(0, length - alone // full) if full else length)
    return by_path(costs.dag, amounts)


def _imbalance(costs: Costs) -> Iterator[Finding]:
    schedule = costs.schedule
    tail = by_path(costs.dag, schedule.tail)
    for path, amount in enumerate(_callers(costs, tail)):
        share = amount / schedule.scale / costs.total.effort
        if share >= LEAST:
            yield _finding(
                costs,
                "imbalance",
                share,
                path,
                f"the shares of {{name}}{{place}} are uneven: those that end early leave processors idle "
                f"for {share:.0%} of all processor time. Divide it dynamically, or into smaller pieces",
            )


def _locks(costs: Costs, locks: Sequence[Lock]) -> Iterator[Finding]:
    schedule = costs.schedule
    for number, waits in schedule.waits_of.items():
        share = waits / costs.total.effort
        held = [
            amount if strand.acquires == number else 0
            for strand, amount in zip(costs.dag.strands, schedule.lock_waits)
        ]
        holders = by_path(costs.dag, held)
        path = max(range(len(holders)), key=lambda i: holders[i])
        lock = locks[number - 1] if number <= len(locks) else None
        kind, name = ("lock", "") if lock is None else (lock.kind, printable(lock.name))
        where = f" the {kind} {name}".rstrip()
        yield _finding(
            costs,
            "lock",
            share,
            path,
            f"processors wait for{where}, which {{name}} holds{{place}}, for {share:.0%} of all "
            "processor time. Hold it for less, or divide what it guards",
            name or None,
        )


def _grain(costs: Costs) -> Iterator[Finding]:
    schedule = costs.schedule
    idle = [
        schedule.idleness[i] - _of_work(costs, i, schedule.idleness[i])
        for i in range(len(costs.dag.strands))
    ]
    caused = by_path(costs.dag, idle)
    for path, charge in enumerate(costs.exclusive):
        amount = charge.overhead + caused[path] / schedule.scale
        share = amount / costs.total.effort
        work = costs.inclusive[path].work
        if share >= LEAST and charge.overhead > HEAVY * work:
            yield _finding(
                costs,
                "grain",
                share,
                path,
                f"what {{name}} spawns{{place}} is too small: the run-time library executes "
                f"{charge.overhead / max(work, 1):.1f} times as much as the tasks do. Let each do more",
            )


HEAVY = 0.25  # of the work: overhead from which a grain is too fine


def _of_work(costs: Costs, strand: int, amount: int) -> int:
    """The part of an amount that a strand is charged with while it works."""
    of = costs.dag.strands[strand]
    length = of.work + of.overhead
    return amount * of.work // length if length else amount


def _inclusive(costs: Costs, amounts: Sequence[int]) -> list[int]:
    found = list(amounts)
    for number in range(len(found) - 1, 0, -1):
        found[costs.dag.paths[number].caller] += found[number]
    return found


def _callers(costs: Costs, amounts: Sequence[int]) -> list[int]:
    """The same amounts, those of callees with their callers where these are uneven themselves."""
    found = list(amounts)
    for number in range(len(found) - 1, 0, -1):
        caller = costs.dag.paths[number].caller
        if caller and found[number] and found[caller] >= _OWN * found[number]:
            found[caller] += found[number]
            found[number] = 0
    return found


def _idle(costs: Costs) -> str:
    others = costs.processors - 1
    return (
        f"{others} of {costs.processors} processors are" if others > 1 else "the other processor is"
    )


def _finding(
    costs: Costs, kind: str, share: float, path: int, sentence: str, lock: str | None = None
) -> Finding:
    frames = tuple(costs.frames(path))
    name = function_of(frames[-1]) if frames else "what starts the program"
    place = ""
    if frames and frames[-1].line:
        site = frames[-1]
        place = f" (called at {printable(site.file.rpartition('/')[2])}:{site.line})"
    gain = 1 / (1 - share) if share < 1 else float(costs.processors)
    text = sentence.replace("{name}", name).replace("{place}", place)
    return Finding(kind, share, text, frames, lock, gain)
