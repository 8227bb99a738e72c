"""Strands that hand over to others again and again: the stages of a pipeline, and tasks that depend on
each other.

A thread is a stage if others of another body wait for it, or it for them, and both go on: what takes over
comes after a strand of its own thread, too. A task depends on another if all that comes before it goes on elsewhere:
its creator, and what has handed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from aprofplot.processors.user_code import UserCode
from aprofplot.work_span.model import Dag

_LEAST = 8  # times that something is handed over: less is no chain


@dataclass(frozen=True, slots=True)
class Chain:
    """Of a stage its thread; 0: a chain of tasks."""

    thread: int

    @property
    def kind(self) -> str:
        """As findings have it."""
        return "pipeline stage" if self.thread else "dependency chain"


def chains(dag: Dag, code: UserCode) -> list[Chain | None]:
    """The chain that each strand is part of, by index."""
    after = [0] * len(dag.strands)
    for strand in dag.strands:
        for index in strand.before:
            after[index] += 1
    stages = _stages(dag, after, _bodies(dag, code))
    found: list[Chain | None] = []
    for number, strand in enumerate(dag.strands):
        first, last = stages.get(strand.thread, (1, 0))
        if first <= number <= last:
            found.append(Chain(strand.thread))
        elif len(strand.before) > 1 and all(after[index] > 1 for index in strand.before):
            found.append(Chain(0))
        else:  # perhaps it goes on with one that is
            index = strand.before[0] if len(strand.before) == 1 else number
            goes_on = index < number and after[index] == 1 and found[index] == Chain(0)
            found.append(Chain(0) if goes_on else None)
    tasks = sum(
        chain == Chain(0) and len(strand.before) > 1 for chain, strand in zip(found, dag.strands)
    )
    return [None if chain == Chain(0) and tasks < _LEAST else chain for chain in found]


def _bodies(dag: Dag, code: UserCode) -> dict[int, str]:
    """By thread, the function that it was created to run; empty: none."""
    work: dict[int, Counter[int]] = {}
    for strand in dag.strands:
        for part in strand.parts:
            work.setdefault(strand.thread, Counter())[part.path] += part.work
    return {
        thread: code.function(code.body(of.most_common(1)[0][0])) for thread, of in work.items()
    }


def _stages(dag: Dag, after: list[int], bodies: Mapping[int, str]) -> dict[int, tuple[int, int]]:
    """By thread, from which strand to which it is a stage."""
    counts: Counter[int] = Counter()
    ranges: dict[int, tuple[int, int]] = {}
    for number, strand in enumerate(dag.strands):
        threads = {dag.strands[index].thread for index in strand.before}
        if not strand.thread or strand.thread not in threads:
            continue
        givers = {  # each once; what nothing else follows is waited for as a whole
            dag.strands[index].thread: index for index in strand.before if after[index] > 1
        }
        for giver, index in givers.items():
            if not giver or bodies.get(giver) == bodies.get(strand.thread):
                continue
            for thread, at in ((giver, index), (strand.thread, number)):
                counts[thread] += 1
                first, last = ranges.get(thread, (at, at))
                ranges[thread] = min(first, at), max(last, at)
    return {thread: of for thread, of in ranges.items() if thread and counts[thread] >= _LEAST}
