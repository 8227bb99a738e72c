"""A greedy schedule of a dag on P processors: whatever may run does, if a processor is free. Ready tasks
and waiters for a lock are served first come, first served.

Idleness is charged as Tallent and Mellor-Crummey do (PPoPP 2009, section 2.1): while P - n processors are
idle, each of the n working strands is charged (P - n) / n of the time. Where processors could run
strands that wait for a lock, who holds that lock is charged instead (PPoPP 2010). All numbers are exact:
work, overhead and idleness add up to P times the length of the schedule.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from dataclasses import dataclass, field

from aprofplot.processors.tasks import Task, tasks_of
from aprofplot.work_span.model import Dag


@dataclass(frozen=True, slots=True)
class Run:
    """That a task ran: on which processor, from when to when."""

    strand: int
    processor: int
    begin: int
    end: int


@dataclass(eq=False)
class Schedule:
    """`idleness`: charged to each strand, in units of 1 / `scale`. Of it, `alone` is what was charged
    while no other strand worked or waited for a lock, `tail` while one beside it had already ended for what waits for both;
    what is in both is in `tail`, and of that in `barrier` where several go on after the wait. `lock_waits`: charged to each strand for holding a lock, not in
    `idleness`; `waits_of`: the same by lock."""

    processors: int
    time: int
    scale: int
    idleness: list[int]
    alone: list[int]
    tail: list[int]
    barrier: list[int]
    lock_waits: list[int]
    waits_of: dict[int, int]
    runs: list[Run]

    @staticmethod
    def empty(processors: int, scale: int, strands: int) -> Schedule:
        """Before anything ran."""
        idleness, alone, tail, barrier, waits = ([0] * strands for _ in range(5))
        return Schedule(processors, 0, scale, idleness, alone, tail, barrier, waits, {}, [])


@dataclass(slots=True)
class _Lock:
    holder: int = -1  # the strand; -1: nobody
    waiting: deque[int] = field(default_factory=deque)


def schedule(dag: Dag, processors: int) -> Schedule:
    """The schedule on so many processors."""
    return _Simulation(dag, processors).run()


class _Simulation:
    def __init__(self, dag: Dag, processors: int) -> None:
        self._tasks = tasks_of(dag, processors)
        self._joins = _joins(self._tasks)
        self._ended_for: dict[int, int] = {}  # by join: how many of those before it have ended
        self._left = [task.before for task in self._tasks]
        self._ready = deque(i for i, task in enumerate(self._tasks) if not task.before)
        self._working: list[tuple[int, int, int]] = []  # heap: end, task, processor
        self._free = list(range(processors))
        self._locks: dict[int, _Lock] = {}
        self._contended: dict[int, _Lock] = {}
        self._now = 0
        scale = math.lcm(*range(1, min(processors, len(self._tasks)) + 1))
        self._found = Schedule.empty(processors, scale, len(dag.strands))

    def run(self) -> Schedule:
        self._start()
        while self._working:
            end = self._working[0][0]
            self._charge(end - self._now)
            self._now = end
            while self._working and self._working[0][0] == end:
                _, index, processor = heapq.heappop(self._working)
                heapq.heappush(self._free, processor)
                self._end(index)
            self._start()
            if not self._working and self._contended:
                self._grant(next(iter(self._contended)))  # a lock that its holder never gives up
                self._start()
        self._found.time = self._now
        return self._found

    def _start(self) -> None:
        while self._ready and self._free:
            index = self._ready.popleft()
            task = self._tasks[index]
            if task.acquires:
                lock = self._locks.setdefault(task.acquires, _Lock())
                if lock.holder >= 0:
                    lock.waiting.append(index)
                    self._contended[task.acquires] = lock
                    continue
                lock.holder = task.strand
            if not task.length:
                self._end(index)
                continue
            processor = heapq.heappop(self._free)
            end = self._now + task.length
            self._found.runs.append(Run(task.strand, processor, self._now, end))
            heapq.heappush(self._working, (end, index, processor))

    def _end(self, index: int) -> None:
        task = self._tasks[index]
        join = self._joins[index]
        if task.after == [join]:  # what hands over and goes on does not wait
            self._ended_for[join] = self._ended_for.get(join, 0) + 1
        if task.releases:
            self._grant(task.releases)
        for after in task.after:
            self._left[after] -= 1
            if not self._left[after]:
                self._ready.append(after)

    def _grant(self, number: int) -> None:
        """The lock is free, for who has waited longest."""
        lock = self._locks.get(number)
        if lock is None:
            return
        lock.holder = -1
        if lock.waiting:
            self._ready.appendleft(lock.waiting.popleft())
        if not lock.waiting:
            self._contended.pop(number, None)

    def _charge(self, duration: int) -> None:
        """What is idle until then."""
        idle = len(self._free)
        if not idle or not duration:
            return
        idle -= self._charge_holders(idle, duration)
        if not idle:
            return
        found = self._found
        share = duration * idle * (found.scale // len(self._working))
        for _, index, _ in self._working:
            strand = self._tasks[index].strand
            found.idleness[strand] += share
            if self._ended_for.get(self._joins[index]):
                found.tail[strand] += share
                if len(self._tasks[self._joins[index]].after) > 1:
                    found.barrier[strand] += share
            elif len(self._working) == 1 and not self._contended:
                found.alone[strand] += share

    def _charge_holders(self, idle: int, duration: int) -> int:
        """How many processors are idle because of locks; their holders are charged, in proportion to
        those who wait."""
        waiting = sum(len(lock.waiting) for lock in self._contended.values())
        if not waiting:
            return 0
        charged = min(idle, waiting)
        total = left = charged * duration
        for position, (number, lock) in enumerate(self._contended.items(), 1):
            is_last = position == len(self._contended)
            share = left if is_last else total * len(lock.waiting) // waiting
            left -= share
            self._found.lock_waits[lock.holder] += share
            self._found.waits_of[number] = self._found.waits_of.get(number, 0) + share
        return charged


def _joins(tasks: list[Task]) -> list[int]:
    """By task: what waits for it and for others, if nothing but tasks that follow each other are in
    between; -1: there is none."""
    joins = [-1] * len(tasks)
    for index in range(len(tasks) - 1, -1, -1):
        after = tasks[index].after
        several = [i for i in after if tasks[i].before > 1]
        if several:
            joins[index] = several[0]
        elif len(after) == 1:
            joins[index] = joins[after[0]]
    return joins
