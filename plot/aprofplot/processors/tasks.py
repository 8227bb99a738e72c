"""The dag as a scheduler has it: tasks of a fixed length that run on one processor each.

Most strands are one task. A folded strand is several, side by side as far as its span allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from aprofplot.processors.critical_sections import side_by_side
from aprofplot.work_span.model import Dag, Strand


@dataclass(slots=True)
class Task:
    """`strand`: whose it is. `acquires` and `releases`: locks, 0: none. `after`: indices of the tasks
    that wait for it; it waits for `before` many."""

    strand: int
    length: int
    acquires: int = 0
    releases: int = 0
    before: int = 0
    after: list[int] = field(default_factory=list)


def tasks_of(dag: Dag, processors: int) -> list[Task]:
    """In an order in which each comes after what it waits for. Folded critical sections must have been taken
    apart."""
    tasks: list[Task] = []
    ends: list[list[int]] = []  # of each strand's tasks

    def add(task: Task, before: Sequence[int]) -> int:
        for index in before:
            tasks[index].after.append(len(tasks))
        task.before = len(before)
        tasks.append(task)
        return len(tasks) - 1

    for number, strand in enumerate(_reacquired(dag)):
        before = sorted({end for i in strand.before for end in ends[i]})
        lengths = _lengths(strand, processors)
        if len(lengths) > 1 and len(before) > 1:  # or there would be an edge for each pair
            before = [add(Task(number, 0), before)]
        last = [
            add(Task(number, length, strand.acquires, strand.releases), before)
            for length in lengths
        ]
        ends.append(last if len(last) == 1 else [add(Task(number, 0), last)])
    return tasks


def _reacquired(dag: Dag) -> Iterator[Strand]:
    """What waits for a condition has the lock again when it has been signalled: a strand that does
    nothing but acquire a lock leaves that to the only strand after it."""
    left: dict[int, int] = {}
    for number, strand in enumerate(dag.strands):
        lock = strand.acquires or left.get(number, 0)
        following = dag.after[number]
        is_empty = not strand.length and not strand.releases
        if lock and is_empty and len(following) == 1 and not dag.strands[following[0]].acquires:
            left[following[0]] = lock
            lock = 0
        yield strand if lock == strand.acquires else replace(strand, acquires=lock)


def _lengths(strand: Strand, processors: int) -> list[int]:
    """Of what runs side by side."""
    assert not strand.sections
    if strand.acquires or strand.releases:
        return [strand.length]
    return side_by_side(strand, processors)
