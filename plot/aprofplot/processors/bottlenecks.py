"""What keeps a program from running faster on P processors: at most a handful of findings, the gravest
first.

kind              idleness that is charged                              what is named
serial phase      while one strand works, and none beside it has ended  the serial call
pipeline stage    to what waits for other threads again and again       the stage's routine
dependency chain  to tasks that depend on each other                    the tasks' routine
imbalance         while strands beside it have ended already            the routine they run
barrier           the same, but another thread ends last each time      the routine they run
lock              for holding a lock that others wait for               the lock, who holds it
grain             while run-time libraries execute, with that           the routine that spawns

A finding's share is that of total effort; without it, the program would take so much less time.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

from aprofplot.names import printable
from aprofplot.processors.blame import Blame, Finding, findings
from aprofplot.processors.charges import Costs, by_path, inclusive
from aprofplot.processors.handoffs import Chain, chains
from aprofplot.work_span.model import Lock

MOST = 5
# A tenth of the processors' time: below it Table 1 says "low" (quadrants.HIGH), and mending it gains
# 1.11 times at most.
LEAST = 0.10
_SERIAL = 0.01  # of a path's work: what runs beside others, below which the path is serial
_OWN = 0.1  # of what its callees have: with that, a caller is uneven itself
_HEAVY = 0.25  # of the work: overhead from which a grain is too fine
_MANY = 100  # calls by one activation of the caller: a loop of its


def find_all(costs: Costs, locks: Sequence[Lock]) -> list[Finding]:
    """The findings on so many processors."""
    if not costs.total.effort:
        return []
    in_chains = chains(costs.dag)
    blamed = (
        *_serial(costs, in_chains),
        *_chains(costs, in_chains),
        *_imbalance(costs, in_chains),
        *_locks(costs, locks),
        *_grain(costs),
    )
    found = [of for of in findings(costs, blamed) if of.share >= LEAST]
    return sorted(found, key=lambda finding: -finding.share)[:MOST]


def _serial(costs: Costs, in_chains: Sequence[Chain | None]) -> Iterator[Blame]:
    dag, schedule = costs.dag, costs.schedule
    amounts = [_of_work(costs, i, amount) for i, amount in enumerate(schedule.alone)]
    alone = by_path(dag, _outside(amounts, in_chains))
    all_alone = inclusive(costs.dag, alone)
    beside = inclusive(costs.dag, _beside(costs))
    for path, amount in enumerate(alone):
        if amount:
            yield Blame(
                "serial phase",
                amount / schedule.scale,
                _serial_call(costs, path, beside, all_alone),
                f"{{name}} runs alone{{place}}: while it does, {_idle(costs)} idle, {{share}} of all "
                "processor time",
            )


def _outside(amounts: Sequence[int], in_chains: Sequence[Chain | None]) -> list[int]:
    """Those of strands that are in no chain."""
    return [0 if chain else amount for amount, chain in zip(amounts, in_chains)]


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


_CHAINS = {
    "pipeline stage": "{name} is the slowest stage{place}: the others wait for it",
    "dependency chain": "tasks of {name} wait for each other in a chain{place}",
}


def _chains(costs: Costs, in_chains: Sequence[Chain | None]) -> Iterator[Blame]:
    dag, schedule = costs.dag, costs.schedule
    amounts: dict[Chain, int] = {}
    paths: dict[Chain, int] = {}
    for index, chain in enumerate(in_chains):
        amount = _of_work(costs, index, schedule.idleness[index])
        if chain is None or not amount:
            continue
        amounts[chain] = amounts.get(chain, 0) + amount
        for part in dag.strands[index].parts:
            if part.work:
                paths[chain] = _common(costs, paths.get(chain, part.path), part.path)
    stages = sum(amount for chain, amount in amounts.items() if chain.thread)
    for chain, amount in amounts.items():
        if chain.thread and amount < stages / 2:
            continue  # no stage is slower than all others
        sentence = (
            f"{_CHAINS[chain.kind]}, which leaves processors idle for {{share}} of their time"
        )
        yield Blame(chain.kind, amount / schedule.scale, paths.get(chain, 0), sentence)


def _common(costs: Costs, one: int, other: int) -> int:
    """The longest path that both go on from."""
    while one != other:
        if one > other:
            one = costs.dag.paths[one].caller
        else:
            other = costs.dag.paths[other].caller
    return one


def _imbalance(costs: Costs, in_chains: Sequence[Chain | None]) -> Iterator[Blame]:
    schedule = costs.schedule
    tail = _callers(costs, by_path(costs.dag, _outside(schedule.tail, in_chains)))
    barrier = by_path(costs.dag, _outside(schedule.barrier, in_chains))
    for path, amount in enumerate(tail):
        if not amount:
            continue
        kind = "imbalance"
        sentence = (
            "the shares of {name}{place} are uneven: those that end early leave processors idle for "
            "{share} of their time. Divide it dynamically, or into smaller pieces"
        )
        if barrier[path] > amount / 2 and _takes_turns(costs, path):
            kind = "barrier"
            sentence = (
                "{name}{place} waits at barriers, each time for another thread: those that arrive early "
                "leave processors idle for {share} of their time. Do without them, or divide each phase "
                "evenly"
            )
        yield Blame(kind, amount / schedule.scale, path, sentence)


def _takes_turns(costs: Costs, path: int) -> bool:
    """Whether no thread is the one that is late half of the time."""
    late: dict[int, int] = {}
    for strand, amount in zip(costs.dag.strands, costs.schedule.barrier):
        if amount and any(part.path == path for part in strand.parts):
            late[strand.thread] = late.get(strand.thread, 0) + amount
    return bool(late) and max(late.values()) < sum(late.values()) / 2


def _locks(costs: Costs, locks: Sequence[Lock]) -> Iterator[Blame]:
    dag, schedule = costs.dag, costs.schedule
    for number, waits in schedule.waits_of.items():
        held = [
            part.path
            for strand, amount in zip(dag.strands, schedule.lock_waits)
            if amount and number in (strand.acquires, *(use.lock for use in strand.sections))
            for part in strand.parts
            if part.work
        ]
        path = functools.reduce(functools.partial(_common, costs), held) if held else 0
        lock = locks[number - 1] if number <= len(locks) else None
        kind, name = ("lock", "") if lock is None else (lock.kind, printable(lock.name))
        yield Blame(
            "lock",
            waits,
            path,
            f"processors wait for the {kind} {name}".rstrip()
            + ", which {name} holds{place}, for {share} of their time. Hold it for less, or divide what "
            "it guards",
            name or None,
        )


def _grain(costs: Costs) -> Iterator[Blame]:
    schedule = costs.schedule
    idle = [amount - _of_work(costs, i, amount) for i, amount in enumerate(schedule.idleness)]
    caused = by_path(costs.dag, idle)
    for path, charge in enumerate(costs.exclusive):
        work = costs.inclusive[path].work
        if charge.overhead > _HEAVY * work:
            yield Blame(
                "grain",
                charge.overhead + caused[path] / schedule.scale,
                path,
                "what {name} spawns{place} is too small: the run-time library executes "
                f"{charge.overhead / max(work, 1):.1f} times as much as the tasks do. Let each do more",
            )


def _of_work(costs: Costs, strand: int, amount: int) -> int:
    """The part of an amount that a strand is charged with while it works."""
    of = costs.dag.strands[strand]
    length = of.work + of.overhead
    return amount * of.work // length if length else amount


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
