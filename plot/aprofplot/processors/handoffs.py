"""Strands that hand over to others again and again: the stages of a pipeline, and tasks that depend on
each other.

A thread is a stage if others of another role wait for it, or it for them, and both go on: what takes over
comes after a strand of its own thread, too. Who finds the next item in a queue does not wait, and no order
shows it: two threads of different roles are stages, too, if they acquire a lock that has a condition, equally
often, and alone. A lock without one guards what both use, as a log: they hand nothing over.
Threads have one role if they run the same body, and do the same there. A task depends on another if all that
comes before it goes on elsewhere: its creator, and what has handed over; or it runs in turn with others
(turns.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass

from aprofplot.processors.charges import Costs
from aprofplot.processors.lifetimes import lives_of_threads
from aprofplot.processors.turns import in_turn
from aprofplot.processors.user_code import UserCode
from aprofplot.work_span.model import Dag, Lock, Strand

_LEAST = 8  # times that something is handed over: less is no chain
_SAME = (
    0.5  # of the work of two threads, by path: what do the same in turn differ in the order only
)


# Times as often: who waits for each item acquires the lock twice for it. In pipelines of bench, up to 1.75.
_EQUAL = 2


@dataclass(frozen=True, slots=True)
class Chain:
    """Of a stage its thread, the first of those that do the same one after the other; 0: a chain of tasks.
    `shares_body`: other stages run the same body. `has_twin`: another thread does the same at the same time, stage or
    not, and they hand nothing over to each other: stages may run the same function."""

    thread: int
    shares_body: bool = False
    has_twin: bool = False

    @property
    def kind(self) -> str:
        """As findings have it."""
        return "pipeline stage" if self.thread else "dependency chain"


def chains(costs: Costs, code: UserCode, locks: Sequence[Lock]) -> list[Chain | None]:
    """The chain that each strand is part of, by index."""
    dag = costs.dag
    after = [len(of) for of in dag.after]
    roles = _Roles(dag, code)
    with_condition = {number for number, lock in enumerate(locks, 1) if lock.has_condition}
    stages, hand_over = _stages(costs, after, roles, with_condition)
    first_of = _first_of(stages, roles)
    chain_of = {
        thread: Chain(
            first,
            any(roles.share_body(first, other) for other in first_of.values() if other != first),
            any(
                roles.are_twins(first, other) and hand_over[first, other] < _LEAST
                for other in roles.threads
                if other != first
            ),
        )
        for thread, first in first_of.items()
    }
    turns = in_turn(dag, after)
    found: list[Chain | None] = []
    for number, strand in enumerate(dag.strands):
        first, last = stages.get(strand.thread, (1, 0))
        if first <= number <= last:
            found.append(chain_of[strand.thread])
        elif (
            number in turns
            or len(strand.before) > 1
            and all(after[index] > 1 for index in strand.before)
            and not (strand.share and any(_is_counter(dag.strands[of]) for of in strand.before))
        ):
            found.append(Chain(0))
        else:  # perhaps it goes on with one that is
            index = strand.before[0] if len(strand.before) == 1 else number
            goes_on = index < number and after[index] == 1 and found[index] == Chain(0)
            found.append(Chain(0) if goes_on else None)
    tasks = sum(
        chain == Chain(0) and len(strand.before) > 1 for chain, strand in zip(found, dag.strands)
    )
    return [None if chain == Chain(0) and tasks < _LEAST else chain for chain in found]


class _Roles:
    """What threads do: the body that each was created to run, and its work by path from there."""

    def __init__(self, dag: Dag, code: UserCode) -> None:
        self._lives = lives_of_threads(dag)
        self._work: dict[int, Counter[int]] = {}
        by_path: dict[int, Counter[int]] = {}
        in_body = _paths_in_bodies(dag, code)
        for strand in dag.strands:
            of = by_path.setdefault(strand.thread, Counter())
            within = self._work.setdefault(strand.thread, Counter())
            for part in strand.parts:
                of[part.path] += part.work
                within[in_body[part.path]] += part.work
        self._bodies = {
            thread: code.function(code.body(of.most_common(1)[0][0]))
            for thread, of in by_path.items()
            if of
        }
        self._known: dict[tuple[int, int], bool] = {}

    @property
    def threads(self) -> Collection[int]:
        """Those that execute anything."""
        return self._bodies.keys()

    def share_body(self, thread: int, other: int) -> bool:
        """Whether both run the same function."""
        return self._bodies.get(thread) == self._bodies.get(other)

    def are_same(self, thread: int, other: int) -> bool:
        """Whether they do the same in it, too."""
        of = (thread, other)
        if of not in self._known:
            self._known[of] = self.share_body(*of) and self._overlap(*of) >= _SAME
        return self._known[of]

    def are_twins(self, thread: int, other: int) -> bool:
        """Whether they do so at the same time."""
        (begin, end), (others_begin, others_end) = self._lives[thread], self._lives[other]
        return begin < others_end and others_begin < end and self.are_same(thread, other)

    def _overlap(self, thread: int, other: int) -> float:
        one, two = self._work[thread], self._work[other]
        all_one, all_two = max(one.total(), 1), max(two.total(), 1)
        return sum(min(amount / all_one, two[path] / all_two) for path, amount in one.items())


def _first_of(stages: Collection[int], roles: _Roles) -> dict[int, int]:
    """By thread, the first that does the same before it: a pipeline that is set up anew has other threads."""
    found: dict[int, int] = {}
    for thread in stages:
        known = (
            of
            for of in set(found.values())
            if roles.are_same(of, thread) and not roles.are_twins(of, thread)
        )
        found[thread] = min(known, default=thread)
    return found


def _paths_in_bodies(dag: Dag, code: UserCode) -> list[int]:
    """By path, a number for how it goes on from its body, wherever that was created: a vector of threads that grows
    creates some of them on another path."""
    numbers: dict[Hashable, int] = {}
    found: list[int] = []
    for path, call in enumerate(dag.paths):
        key: Hashable
        if not path or code.body(path) == path:
            key = code.function(path)
        else:
            callee = call.site.callee.key if call.site is not None else None
            key = (found[call.caller], callee, call.loop, call.inlined)
        found.append(numbers.setdefault(key, len(numbers)))
    return found


def _stages(
    costs: Costs, after: list[int], roles: _Roles, with_condition: Collection[int]
) -> tuple[dict[int, tuple[int, int]], Counter[tuple[int, int]]]:
    """By thread, from which strand to which it is a stage; and how often two threads, in either order, hand over."""
    dag = costs.dag
    hand_over: Counter[tuple[int, int]] = Counter()
    counts: Counter[int] = Counter()
    met: set[tuple[int, int]] = set()
    ranges: dict[int, tuple[int, int]] = {}
    for number, strand in enumerate(dag.strands):
        waits = _waits_of_item(dag, number) or strand.before
        threads = {dag.strands[index].thread for index in waits}
        takes_over = strand.thread in threads or waits is not strand.before
        if not strand.thread or not takes_over:
            continue
        givers = {  # each once; what nothing else follows is waited for as a whole
            dag.strands[index].thread: index for index in waits if after[index] > 1
        }
        for giver, index in givers.items():
            pair = (giver, strand.thread)
            hand_over.update((pair, pair[::-1]))
            if not giver or roles.are_same(*pair):
                continue
            is_again = pair in met or pair[::-1] in met  # who joins many threads is no stage
            met.add(pair)
            for thread, at in ((giver, index), (strand.thread, number)):
                counts[thread] += is_again
                first, last = ranges.get(thread, (at, at))
                ranges[thread] = min(first, at), max(last, at)
    for thread, times, found in _queue_users(costs, roles, with_condition):
        counts[thread] += times
        first, last = ranges.get(thread, (found[0], found[-1]))
        ranges[thread] = min(first, found[0]), max(last, found[-1])
    stages = {thread: of for thread, of in ranges.items() if thread and counts[thread] >= _LEAST}
    return stages, hand_over


def _waits_of_item(dag: Dag, number: int) -> list[int]:
    """If it begins an item of a queue, which any of several threads may take under its lock (chunked_loops.py), what that
    waits for, but for earlier items."""
    strand = dag.strands[number]
    counters = [of for of in strand.before if _is_counter(dag.strands[of])]
    if strand.share is None or not strand.acquires or len(counters) != 1:
        return []
    waits = dag.strands[counters[0]].before
    is_put = any(_is_counter(dag.strands[of]) for of in waits)
    return [of for of in waits if dag.strands[of].thread] if is_put else []


def _is_counter(strand: Strand) -> bool:
    return not strand.thread and not strand.parts


def _queue_users(
    costs: Costs, roles: _Roles, with_condition: Collection[int]
) -> Iterator[tuple[int, int, list[int]]]:
    """Threads that put items into a queue, or take them out, how often they acquire its lock, and the strands that do."""
    times = _acquisitions(costs.divided.dag)
    locks: dict[int, dict[int, list[int]]] = {}
    for number, strand in enumerate(costs.dag.strands):
        if strand.acquires in with_condition and strand.thread:
            locks.setdefault(strand.acquires, {}).setdefault(strand.thread, []).append(number)
    for lock, users in locks.items():
        if len(users) != 2 or roles.are_same(*users):
            continue
        few, many = sorted(times[lock, thread] for thread in users)
        if many <= _EQUAL * few:
            for thread, strands in users.items():
                yield thread, times[lock, thread], strands


def _acquisitions(dag: Dag) -> Counter[tuple[int, int]]:
    """By lock and thread, how often it acquires that, folded critical sections included."""
    found: Counter[tuple[int, int]] = Counter()
    for strand in dag.strands:
        found[strand.acquires, strand.thread] += 1
        for use in strand.sections:
            found[use.lock, strand.thread] += use.count
    return found
