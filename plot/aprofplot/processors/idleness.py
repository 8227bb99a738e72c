"""Who is charged while processors are idle.

While P - n are, each of the n working strands is charged (P - n) / n of the time (Tallent and
Mellor-Crummey, PPoPP 2009, section 2.1). Where processors could run strands that wait for a lock, who
holds it is charged instead (PPoPP 2010). All numbers are exact.
"""

from __future__ import annotations

import functools
import math
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aprofplot.processors.forks import bodies_of_strands, is_caller
from aprofplot.processors.schedule import Schedule
from aprofplot.processors.tasks import Task
from aprofplot.work_span.model import Dag


_SEVERAL = -1  # threads


@dataclass(slots=True)
class HeldLock:
    """`holder`: the strand, -1: nobody. `waiting`: tasks, first come, first served."""

    holder: int = -1
    waiting: deque[int] = field(default_factory=deque)


class Idleness:
    """Adds to a schedule what is idle. Is told which tasks begin and end. Those that have ended, and after
    which nothing has begun, wait: for what works now. What has forked it, and waits for it, is no share
    of the same work. Takes O(1) for each edge, and for each charge as many steps as strands work.
    """

    def __init__(self, dag: Dag, tasks: Sequence[Task], processors: int, scheduler: str) -> None:
        self._tasks = tasks
        self._before: list[list[int]] = [[] for _ in tasks]
        for index, task in enumerate(tasks):
            for after in task.after:
                self._before[after].append(index)
        self._ways_on = _ways_on(tasks)
        self._goes_on, leads_to = _continuations(dag, tasks, self._ways_on)
        self._goes_on_in = [
            (
                _SEVERAL
                if self._ways_on[to] > 1 and not tasks[to].length
                else dag.strands[tasks[to].strand].thread
            )
            for to in leads_to
        ]
        self._awaited: Counter[int] = Counter()  # threads in which those that wait would go on
        bodies = bodies_of_strands(dag)
        # By task: its body, or that of what it has joined.
        self._bodies = [bodies[task.strand] for task in tasks]
        self._ended: Counter[int] = Counter()  # bodies of those that wait
        self._is_other = functools.lru_cache(maxsize=None)(
            lambda ended, body: ended != 0 and (ended == body or not is_caller(dag, ended, body))
        )
        scale = math.lcm(*range(1, min(processors, len(tasks)) + 1))
        self.found = Schedule.empty(scheduler, processors, scale, len(dag.strands))

    def begin(self, index: int) -> None:
        """The task does."""
        body = self._bodies[index]
        for before in self._before[index]:
            ended = self._bodies[before]
            if self._goes_on[before] == index:
                _take(self._awaited, self._goes_on_in[before])
                _take(self._ended, ended)
            if ended != body and self._ways_on[before] == 1 and self._is_other(ended, body):
                self._bodies[index] = ended

    def end(self, index: int) -> None:
        """The task does. Nothing after it has begun."""
        if self._goes_on[index] >= 0:
            self._awaited[self._goes_on_in[index]] += 1
            self._ended[self._bodies[index]] += 1

    def charge(
        self, duration: int, idle: int, working: Sequence[int], contended: Mapping[int, HeldLock]
    ) -> None:
        """For so long, so many processors were idle while these tasks worked."""
        if not idle or not duration:
            return
        idle -= self._charge_holders(idle, duration, contended)
        if not idle:
            return
        found = self.found
        amount = duration * idle * (found.scale // len(working))
        several = len(self._awaited) > 1 or _SEVERAL in self._awaited
        is_alone = len(working) == 1 and not contended
        for index in working:
            strand = self._tasks[index].strand
            found.idleness[strand] += amount
            found.alone[strand] += amount if is_alone else 0
            body = self._bodies[index]
            if any(self._is_other(ended, body) for ended in self._ended):
                found.tail[strand] += amount
                found.lone_tail[strand] += amount if is_alone else 0
                found.barrier[strand] += amount if several else 0

    def _charge_holders(self, idle: int, duration: int, contended: Mapping[int, HeldLock]) -> int:
        """How many processors are idle because of locks; their holders are charged, in proportion to
        those who wait."""
        waiting = sum(len(lock.waiting) for lock in contended.values())
        if not waiting:
            return 0
        charged = min(idle, waiting)
        total = left = charged * duration
        for position, (number, lock) in enumerate(contended.items(), 1):
            is_last = position == len(contended)
            share = left if is_last else total * len(lock.waiting) // waiting
            left -= share
            of = (lock.holder, number)
            self.found.lock_waits[of] = self.found.lock_waits.get(of, 0) + share
        return charged


def _take(counts: Counter[int], key: int) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]


def _ways_on(tasks: Sequence[Task]) -> list[int]:
    """By task: after how many of those that come right after it the last task comes; that itself: 1."""
    found = [0] * len(tasks)
    for index in range(len(tasks) - 1, -1, -1):
        found[index] = sum(found[after] > 0 for after in tasks[index].after)
        if index == len(tasks) - 1:
            found[index] = 1
    return found


def _continuations(
    dag: Dag, tasks: Sequence[Task], ways_on: Sequence[int]
) -> tuple[list[int], list[int]]:
    """By task: which task its thread goes on with, -1: none; and beyond those that take no time, with
    which one that does, or after which several go on."""
    threads = [dag.strands[task.strand].thread for task in tasks]
    goes_on, leads_to = [-1] * len(tasks), [-1] * len(tasks)
    for index in range(len(tasks) - 1, -1, -1):
        after = [other for other in tasks[index].after if ways_on[other]]
        if not after:
            continue
        own = [other for other in after if threads[other] == threads[index]]
        following = (own or after)[0]
        goes_on[index] = following
        passes = not tasks[following].length and ways_on[following] == 1
        leads_to[index] = leads_to[following] if passes and leads_to[following] >= 0 else following
    return goes_on, leads_to
