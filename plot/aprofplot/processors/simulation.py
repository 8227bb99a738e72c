"""Simulates a dag on P processors, event by event. A scheduler chooses the ready task that a
processor takes (schedulers.py). Who waits for a lock waits without a processor, first come, first
served.

All numbers are exact: work, overhead, scheduling and idleness add up to P times the time.
"""

from __future__ import annotations

import bisect
import heapq

from aprofplot.processors.idleness import HeldLock, Idleness
from aprofplot.processors.schedule import Run, Schedule, Wait
from aprofplot.processors.schedulers import Scheduler, scheduler_named
from aprofplot.processors.tasks import tasks_of
from aprofplot.work_span.model import Dag


def schedule(dag: Dag, processors: int, scheduler: str = "greedy") -> Schedule:
    """By one of schedulers.NAMES."""
    return _Simulation(dag, processors, scheduler).run()


class _Simulation:
    def __init__(self, dag: Dag, processors: int, scheduler: str) -> None:
        self._tasks = tasks_of(dag, processors)
        self._left = [task.before for task in self._tasks]
        self._ready: Scheduler = scheduler_named(scheduler, dag, self._tasks, processors)
        self._ready.add([i for i, task in enumerate(self._tasks) if not task.before], 0)
        self._ending = -1  # the task, of those that take time
        self._ready_after = [(0, -1)] * len(self._tasks)  # since when, after which task
        self._working: list[tuple[int, int, int]] = []  # heap: end, task, processor
        self._free = list(range(processors))  # ascending
        self._locks: dict[int, HeldLock] = {}
        self._contended: dict[int, HeldLock] = {}
        self._now = 0
        self._idleness = Idleness(dag, self._tasks, processors, scheduler)
        self._found = self._idleness.found

    def run(self) -> Schedule:
        self._start()
        while self._working:
            end = self._working[0][0]
            working = [index for _, index, _ in self._working]
            self._idleness.charge(end - self._now, len(self._free), working, self._contended)
            self._now = end
            while self._working and self._working[0][0] == end:
                _, index, processor = heapq.heappop(self._working)
                bisect.insort(self._free, processor)
                self._ending = index
                self._end(index, processor)
            self._start()
        self._found.time = self._now
        return self._found

    def _start(self) -> None:
        self._dispatch()
        while not self._working and self._contended:  # a lock that its holder never gives up
            self._grant(next(iter(self._contended)), 0)
            self._dispatch()

    def _dispatch(self) -> None:
        while self._free and self._ready:
            index, processor = self._ready.take(self._free)
            task = self._tasks[index]
            if task.acquires and not self._acquire(index):
                continue
            self._idleness.begin(index)
            if not task.length:
                self._end(index, processor)
                continue
            self._run(index, processor)

    def _run(self, index: int, processor: int) -> None:
        task = self._tasks[index]
        scheduling = self._ready.delay(index, processor, self._now)
        self._found.scheduling[task.strand] += scheduling
        end = self._now + scheduling + task.length
        since, after = self._ready_after[index]
        after = after if since == self._now else self._ending
        run = Run(index, task.strand, processor, self._now, end, scheduling, after)
        self._found.runs.append(run)
        self._free.remove(processor)
        heapq.heappush(self._working, (end, index, processor))

    def _acquire(self, index: int) -> bool:
        """Whether it has the lock now; otherwise it waits."""
        task = self._tasks[index]
        lock = self._locks.setdefault(task.acquires, HeldLock())
        if lock.holder >= 0:
            lock.waiting.append(index)
            self._ready_after[index] = (self._now, self._ending)
            self._contended[task.acquires] = lock
            return False
        lock.holder = task.strand
        return True

    def _end(self, index: int, processor: int) -> None:
        task = self._tasks[index]
        self._idleness.end(index)
        self._ready.end(index)
        if task.releases:
            self._grant(task.releases, processor)
        for after in task.after:
            self._left[after] -= 1
        ready = [after for after in task.after if not self._left[after]]
        for after in ready:
            self._ready_after[after] = (self._now, self._ending)
        self._ready.add(ready, processor)

    def _grant(self, number: int, processor: int) -> None:
        """The lock is free, for who has waited longest."""
        lock = self._locks.get(number)
        if lock is None:
            return
        lock.holder = -1
        if lock.waiting:
            index = lock.waiting.popleft()
            begin, _ = self._ready_after[index]
            self._found.waits.append(Wait(self._tasks[index].strand, number, begin, self._now))
            self._ready_after[index] = (self._now, self._ending)
            self._ready.add_first(index, processor)
        if not lock.waiting:
            self._contended.pop(number, None)
