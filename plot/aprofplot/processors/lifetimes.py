"""The lives of a program's threads, with a processor for each."""

from __future__ import annotations

from aprofplot.work_span.model import Dag


def threads_at_once(dag: Dag, threads: int) -> int:
    """The most of so many that live at the same time. Those without a strand live all the time, as all do if
    strands of several were folded into one."""
    ends: list[int] = []
    lives: dict[int, tuple[int, int]] = {}
    for strand in dag.strands:
        if not strand.thread:
            return threads
        begin = max((ends[index] for index in strand.before), default=0)
        ends.append(begin + strand.length)
        first, last = lives.get(strand.thread, (begin, begin))
        lives[strand.thread] = min(first, begin), max(last, ends[-1])
    # Who ends when another begins has made room for it.
    changes = sorted((at, by) for life in lives.values() for at, by in zip(life, (1, -1)))
    most = alive = 0
    for _, by in changes:
        alive += by
        most = max(most, alive)
    return most + threads - len(lives)
