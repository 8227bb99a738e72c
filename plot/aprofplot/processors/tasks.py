"""The dag as a scheduler has it: tasks of a fixed length that run on one processor each.

Most strands are one task. A folded strand is several: side by side as far as its span allows, and one
after the other where it has critical sections.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from aprofplot.work_span.model import Dag, Strand

_MOST_SECTIONS = 8  # of a folded strand and lock; more would not change who waits for how long


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
    """In an order in which each comes after what it waits for."""
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
        pieces = _pieces(strand, processors)
        if len(pieces) > 1 and len(before) > 1:  # or there would be an edge for each pair
            before = [add(Task(number, 0), before)]
        last = []
        for piece in pieces:
            at = before
            for length, acquires, releases in piece:
                at = [add(Task(number, length, acquires, releases), at)]
            last.append(at[0])
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


# Lengths, with the locks acquired before and released after each.
Piece = list[tuple[int, int, int]]


def _pieces(strand: Strand, processors: int) -> list[Piece]:
    """What runs side by side."""
    if strand.acquires or strand.releases:
        return [[(strand.length, strand.acquires, strand.releases)]]
    lengths = _side_by_side(strand, processors)
    if not strand.sections:
        return [[(length, 0, 0)] for length in lengths]
    return [list(_with_sections(strand, n, lengths)) for n in range(len(lengths))]


def _side_by_side(strand: Strand, processors: int) -> list[int]:
    """Lengths. The longest is the span, or its even share if there are fewer processors."""
    length, work, span = strand.length, strand.work, strand.span
    if not 0 < span < work:
        return [length]
    longest = max(length * span // work, -(-length // processors))
    rest = length - longest
    return [longest, *_split(rest, min(processors - 1, -(-rest // longest)))]


def _with_sections(
    strand: Strand, n: int, lengths: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """The n-th of the pieces: its critical sections, evenly spread."""
    begin = sum(lengths[:n])
    locked = []
    for use in strand.sections:
        # What only waits in them has no length.
        length = max(strand.length, 1)
        held, before = (use.held * at // length for at in (begin + lengths[n], begin))
        sections = min(_MOST_SECTIONS, max(1, use.count // len(lengths)))
        locked += [(part, use.lock) for part in _split(held - before, sections)]
    rest = max(0, lengths[n] - sum(part for part, _ in locked))
    for free, (part, lock) in zip(_split(rest, len(locked)), locked):
        if free:
            yield free, 0, 0
        yield part, lock, lock


def _split(total: int, count: int) -> list[int]:
    """Nearly equal parts."""
    return [_share(total, count, n) for n in range(count)]


def _share(total: int, count: int, n: int) -> int:
    """The n-th of them."""
    return total // count + (n < total % count)
