"""A dag on P processors, event by event. Which ready task a processor takes, a scheduler says
(schedulers.py). Who waits for a lock waits without a processor, first come, first served.

All numbers are exact: work, overhead, scheduling and idleness add up to P times the time.
"""

from __future__ import annotations

import bisect
import heapq

from aprofplot.processors.idleness import HeldLock, Idleness
from aprofplot.processors.schedule import Run, Schedule
from aprofplot.processors.schedulers import Scheduler, scheduler_named
from aprofplot.processors.tasks import tasks_of
from aprofplot.work_span.model import Dag


def schedule(dag: Dag, processors: int, scheduler: str = "greedy", burden: int = 0) -> Schedule:
    """By one of schedulers.NAMES. `burden`: what a steal costs, if it steals."""
    return _Simulation(dag, processors, scheduler, burden).run()


class _Simulation:
    def __init__(self, dag: Dag, processors: int, scheduler: str, burden: int) -> None:
        self._tasks = tasks_of(dag, processors)
        self._left = [task.before for task in self._tasks]
        self._ready: Scheduler = scheduler_named(scheduler, dag, self._tasks, processors, burden)
        self._ready.add([i for i, task in enumerate(self._tasks) if not task.before], 0)
        self._working: list[tuple[int, int, int]] = []  # heap: end, task, processor
        self._free = list(range(processors))  # ascending
        self._locks: dict[int, HeldLock] = {}
        self._contended: dict[int, HeldLock] = {}
        self._now = 0
        self._idleness = Idleness(dag, self._tasks, processors)

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
                self._end(index, processor)
            self._start()
        found = self._idleness.found
        found.time = self._now
        return found

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
            scheduling = self._ready.delay(index, processor, self._now)
            self._idleness.found.scheduling[task.strand] += scheduling
            end = self._now + scheduling + task.length
            run = Run(task.strand, processor, self._now, end, scheduling)
            self._idleness.found.runs.append(run)
            self._free.remove(processor)
            heapq.heappush(self._working, (end, index, processor))

    def _acquire(self, index: int) -> bool:
        """Whether it has the lock now; otherwise it waits."""
        task = self._tasks[index]
        lock = self._locks.setdefault(task.acquires, HeldLock())
        if lock.holder >= 0:
            lock.waiting.append(index)
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
        self._ready.add([after for after in task.after if not self._left[after]], processor)

    def _grant(self, number: int, processor: int) -> None:
        """The lock is free, for who has waited longest."""
        lock = self._locks.get(number)
        if lock is None:
            return
        lock.holder = -1
        if lock.waiting:
            self._ready.add_first(lock.waiting.popleft(), processor)
        if not lock.waiting:
            self._contended.pop(number, None)
