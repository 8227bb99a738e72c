"""Schedulers: they choose the ready task that a processor takes next, and the cost of beginning it.

greedy        whatever may run does, in the order in which it became ready
work-stealing a processor takes its own newest task, or steals another's oldest, which costs a burden
central-queue greedy, but what run-time libraries execute for tasks excludes each other, as under one lock
threads       greedy, but a thread executes one strand at a time: those that it executed in the run
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence

from aprofplot.processors.tasks import Task
from aprofplot.work_span.model import Dag

NAMES = ("greedy", "work-stealing", "central-queue", "threads")


class Scheduler(ABC):
    """Has the tasks that may run; is true while there is one that a free processor can take."""

    @abstractmethod
    def __bool__(self) -> bool:
        ...

    @abstractmethod
    def add(self, ready: Sequence[int], processor: int) -> None:
        """Tasks became ready when something ended on that processor, in the order of the run."""

    @abstractmethod
    def add_first(self, index: int, processor: int) -> None:
        """A task that was taken before has its lock now."""

    @abstractmethod
    def take(self, free: Sequence[int]) -> tuple[int, int]:
        """The task that begins, and the processor; `free` are ascending."""

    def delay(self, index: int, processor: int, now: int) -> int:
        """What it takes until a task that was just taken begins."""
        return 0

    def end(self, index: int) -> None:
        """A task that was taken has ended."""


def scheduler_named(name: str, dag: Dag, tasks: Sequence[Task], processors: int) -> Scheduler:
    """One of NAMES."""
    if name == "work-stealing":
        return _WorkStealing(processors, dag.burden)
    if name == "central-queue":
        return _CentralQueue(dag, tasks)
    if name == "threads":
        return _Threads(dag, tasks)
    assert name == "greedy", name
    return _Greedy()


class _Greedy(Scheduler):
    def __init__(self) -> None:
        self._ready: deque[int] = deque()

    def __bool__(self) -> bool:
        return bool(self._ready)

    def add(self, ready: Sequence[int], processor: int) -> None:
        self._ready.extend(ready)

    def add_first(self, index: int, processor: int) -> None:
        self._ready.appendleft(index)

    def take(self, free: Sequence[int]) -> tuple[int, int]:
        return self._ready.popleft(), free[0]


class _WorkStealing(Scheduler):
    """Blumofe and Leiserson's, with victims in an order that is the same in each simulation."""

    def __init__(self, processors: int, burden: int) -> None:
        self._deques: list[deque[int]] = [deque() for _ in range(processors)]
        self._filled: set[int] = set()
        self._burden = burden
        self._victims = random.Random(0)
        self._is_stolen = False

    def __bool__(self) -> bool:
        return bool(self._filled)

    def add(self, ready: Sequence[int], processor: int) -> None:
        if ready:  # of a fork the child comes first, which its processor goes on with
            self._deques[processor].extend(reversed(ready))
            self._filled.add(processor)

    def add_first(self, index: int, processor: int) -> None:
        self._deques[processor].append(index)
        self._filled.add(processor)

    def take(self, free: Sequence[int]) -> tuple[int, int]:
        own = self._filled.intersection(free)
        self._is_stolen = not own
        if own:
            processor = victim = min(own)
            index = self._deques[victim].pop()
        else:
            processor = free[0]
            victim = self._victims.choice(sorted(self._filled))
            index = self._deques[victim].popleft()
        if not self._deques[victim]:
            self._filled.remove(victim)
        return index, processor

    def delay(self, index: int, processor: int, now: int) -> int:
        return self._burden if self._is_stolen else 0


class _CentralQueue(_Greedy):
    """Of a strand that is several tasks each has its share of the overhead."""

    def __init__(self, dag: Dag, tasks: Sequence[Task]) -> None:
        super().__init__()
        overheads = [strand.overhead for strand in dag.strands]
        lengths = [strand.length for strand in dag.strands]
        self._overhead = [
            overheads[task.strand] * task.length // max(lengths[task.strand], 1) for task in tasks
        ]
        self._is_free_from = 0

    def delay(self, index: int, processor: int, now: int) -> int:
        overhead = self._overhead[index]
        if not overhead:
            return 0
        begin = max(now, self._is_free_from)
        self._is_free_from = begin + overhead
        return begin - now


class _Threads(_Greedy):
    """Strands of several threads, number 0, are executed by any."""

    def __init__(self, dag: Dag, tasks: Sequence[Task]) -> None:
        super().__init__()
        self._thread = [dag.strands[task.strand].thread for task in tasks]
        self._busy: set[int] = set()
        self._waiting: dict[int, deque[int]] = {}

    def add(self, ready: Sequence[int], processor: int) -> None:
        for index in ready:
            thread = self._thread[index]
            if thread in self._busy:
                self._waiting.setdefault(thread, deque()).append(index)
                continue
            self._ready.append(index)
            if thread:
                self._busy.add(thread)

    def end(self, index: int) -> None:
        thread = self._thread[index]
        self._busy.discard(thread)
        if self._waiting.get(thread):
            self.add([self._waiting[thread].popleft()], 0)
