"""The lives of a program's threads, with a processor for each."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from aprofplot.processors.forks import bodies_of_paths, is_spawned
from aprofplot.work_span.model import Dag

# Of what the busiest thread executes beside others: who creates others, and executes less while they live, and nothing
# that they do, only waits for them, and needs no processor of its own.
_LEAST = 0.02

_Interval = tuple[int, int]  # begin and end


def threads_at_once(dag: Dag, threads: int) -> int:
    """The most of so many that live at the same time, without those that only create others and wait for them.
    Those without a strand live all the time, as all do if strands of several were folded into one.
    """
    if any(not strand.thread and strand.length for strand in dag.strands):
        return threads
    runs: dict[int, list[_Interval]] = {}
    creators: set[int] = set()
    for strand, interval in zip(dag.strands, _intervals(dag)):
        if strand.thread and strand.thread not in runs:
            creators |= {dag.strands[index].thread for index in strand.before}
        if strand.thread:
            runs.setdefault(strand.thread, []).append(interval)
    busy = _beside_others(runs)
    least = _LEAST * max(busy.values(), default=0)
    lives = lives_of_threads(dag)
    only_create = creators - _sharing_bodies(dag)
    counted = [lives[of] for of in runs if busy[of] >= least or of not in only_create]
    return _most_at_once(counted) + threads - len(runs)


def _sharing_bodies(dag: Dag) -> set[int]:
    """Threads that execute the code of a body that another one executes, too, as that of sections or a task: what they do
    may have been left to the others. Where just a thread begins, there is also the work of who creates it.
    """
    bodies = bodies_of_paths(dag)
    spawned = {path for path in set(bodies) if is_spawned(dag, path)}
    threads: dict[int, set[int]] = {}  # by path in a body
    for strand in dag.strands:
        for part in strand.parts:
            if part.work and bodies[part.path] in spawned:
                threads.setdefault(part.path, set()).add(strand.thread)
    return {thread for of in threads.values() if len(of) > 1 for thread in of}


def lives_of_threads(dag: Dag) -> dict[int, _Interval]:
    """By thread, from the beginning of its first strand to the end of its last one."""
    found: dict[int, _Interval] = {}
    for strand, (begin, end) in zip(dag.strands, _intervals(dag)):
        first, last = found.get(strand.thread, (begin, end))
        found[strand.thread] = min(first, begin), max(last, end)
    return found


def _intervals(dag: Dag) -> list[_Interval]:
    """By strand."""
    found: list[_Interval] = []
    for strand in dag.strands:
        begin = max((found[index][1] for index in strand.before), default=0)
        found.append((begin, begin + strand.length))
    return found


def _beside_others(runs: Mapping[int, Sequence[_Interval]]) -> Counter[int]:
    """By thread, for how long it works while another one does."""
    changes = _changes(itertools.chain.from_iterable(runs.values()))
    since = {}  # by time: for how long several have worked by then
    working = before = several = 0
    for at, by in changes:
        several += (at - before) * (working > 1)
        since[at] = several
        before = at
        working += by
    return Counter(
        {thread: sum(since[end] - since[begin] for begin, end in of) for thread, of in runs.items()}
    )


def _most_at_once(lives: Iterable[_Interval]) -> int:
    most = alive = 0
    for _, by in _changes(lives):
        alive += by
        most = max(most, alive)
    return most


def _changes(intervals: Iterable[_Interval]) -> list[tuple[int, int]]:
    """Times at which one begins, 1, or ends, -1. Who ends when another begins has made room for it."""
    return sorted((at, by) for interval in intervals for at, by in zip(interval, (1, -1)))
