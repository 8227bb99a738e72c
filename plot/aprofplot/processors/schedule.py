"""A simulated schedule of a dag: which strand ran where and when, and who is charged for idle time."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Run:
    """That a task ran: on which processor, from when to when. Of that time the first `scheduling` is the
    scheduler's. `after`: the task that it began after: which ended last of those before it, gave up its
    lock, or left it the processor; -1: none."""

    task: int
    strand: int
    processor: int
    begin: int
    end: int
    scheduling: int
    after: int


@dataclass(frozen=True, slots=True)
class Wait:
    """That a strand waited for a lock, by number, and would have had a processor."""

    strand: int
    lock: int
    begin: int
    end: int


@dataclass(eq=False)
class Schedule:
    """On so many processors, until `time`. Amounts are by strand.

    `idleness`: charged, in units of 1 / `scale`. Of it, `alone` is what was charged while no other strand
    worked or waited for a lock, `tail` while others had ended and waited for what still worked, `lone_tail`
    what is in both, and `barrier` the part of the tail where several would go on.
    `scheduling`: what the scheduler took to begin it. `lock_waits`: charged for holding a lock, by strand
    and the lock's number, not in `idleness`."""

    scheduler: str
    processors: int
    scale: int
    idleness: list[int]
    alone: list[int]
    tail: list[int]
    lone_tail: list[int]
    barrier: list[int]
    scheduling: list[int]
    lock_waits: dict[tuple[int, int], int] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    time: int = 0

    @staticmethod
    def empty(scheduler: str, processors: int, scale: int, strands: int) -> Schedule:
        """Before anything ran."""
        idleness, alone, tail, lone, barrier, scheduling = ([0] * strands for _ in range(6))
        return Schedule(
            scheduler, processors, scale, idleness, alone, tail, lone, barrier, scheduling
        )

    @property
    def waits_of(self) -> dict[int, int]:
        """What was charged for holding each lock, by its number."""
        found: dict[int, int] = {}
        for (_, lock), amount in self.lock_waits.items():
            found[lock] = found.get(lock, 0) + amount
        return found

    def critical_path(self) -> list[Run]:
        """The runs of which each began when the one before ended, from the beginning to the end."""
        by_task = {run.task: run for run in self.runs}
        found = [max(self.runs, key=lambda run: run.end)] if self.runs else []
        while found and found[-1].after >= 0:
            found.append(by_task[found[-1].after])
        return found[::-1]
