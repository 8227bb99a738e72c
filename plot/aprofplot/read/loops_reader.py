"""The `loops` of a profile, which follow all its tables and contexts, and its `context-loops`: records one by
one, as there are not many more of them than routines or contexts, their blocks' numbers together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import add

from aprofplot.errors import RecordError
from aprofplot.model import (
    ITERATIONS,
    Context,
    CostTotal,
    LoopProfile,
    ProgressBin,
    ThreadKey,
)
from aprofplot.read.fields import number, split
from aprofplot.read.header_reader import Header
from aprofplot.read.names_reader import NamesReader
from aprofplot.read.point_blocks import PointBlocks
from aprofplot.read.profile_file import ProfileFile

_COUNTED = ("bb", "instr")  # the events that progress has


class LoopsReader:
    """Reads the records from the line after `loops` to before `stop`."""

    def __init__(self, file: ProfileFile, header: Header, names: NamesReader, stop: int) -> None:
        self._blocks = PointBlocks(file, header, stop)
        self._names = names
        self._events = [event.name for event in header.events]
        self._last = 0, 0  # context and loop that were read
        self._metrics = [*(metric.name for metric in header.metrics), ITERATIONS]

    def read(self, start: int) -> Iterator[LoopProfile]:
        """The loops, none if `start` is `stop`. RecordError, with its line, if one breaks the format."""
        return self._blocks.read(start, "loops", self._loop)

    def read_in_contexts(
        self, start: int, contexts: Sequence[Context], loops: Iterable[LoopProfile]
    ) -> list[Context]:
        """The contexts with the loops that ran in them. RecordError as `read`, and if they do not add up to
        `loops`."""
        found: dict[int, list[LoopProfile]] = defaultdict(list)
        for place, loop in self._blocks.read(
            start, "context-loops", lambda: self._loop_in_context(contexts)
        ):
            found[place].append(loop)
        sums = _sums(loop for of_context in found.values() for loop in of_context)
        if sums != _sums(loops):
            raise RecordError("the loops of contexts do not add up to loops", start)
        return [replace(of, loops=tuple(found.get(i, ()))) for i, of in enumerate(contexts)]

    def _loop(self) -> LoopProfile:
        thread, numbers = self._numbers(b"loop-table")
        if thread not in self._names.threads:
            raise RecordError(f"thread {thread} is used before it is defined")
        return self._profile((ThreadKey(0, thread),), numbers)

    def _loop_in_context(self, contexts: Sequence[Context]) -> tuple[int, LoopProfile]:
        """And the context's place."""
        context, numbers = self._numbers(b"context-loop")
        if not 0 < context <= len(contexts):
            raise RecordError(f"context {context} is used before it is defined")
        last, self._last = self._last, (context, numbers[0])
        if self._last <= last:
            raise RecordError(f"context {context} and loop {numbers[0]} do not ascend")
        within = contexts[context - 1].profile
        profile = self._profile(within.threads, numbers)
        if profile.loop.routine != within.routine:
            raise RecordError(f"a loop of another routine than that of context {context}")
        return context - 1, profile

    def _numbers(self, keyword: bytes) -> tuple[int, list[int]]:
        """The first number of a record, and the others."""
        name = keyword.decode()
        fields = split(self._blocks.record(keyword), 7 + 2 * len(self._events), name)
        first, *others = (number(field, f"number of a {name}") for field in fields)
        return first, others

    def _profile(self, threads: tuple[ThreadKey, ...], numbers: Sequence[int]) -> LoopProfile:
        """Reads what follows the record."""
        loop, executions, unfinished, iterations, by_thread, by_kernel = numbers[:6]
        if loop not in self._names.loops:
            raise RecordError(f"loop {loop} is used before it is defined")
        if executions == 0 or unfinished > executions:
            raise RecordError(f"{executions} executions, {unfinished} of them unfinished")
        self._blocks.at += 1
        return LoopProfile(
            self._names.loops[loop],
            threads,
            executions,
            unfinished,
            iterations,
            by_thread,
            by_kernel,
            {
                event: CostTotal(inclusive, own)
                for event, inclusive, own in zip(self._events, numbers[6::2], numbers[7::2])
            },
            {
                metric: self._blocks.points(metric, executions - unfinished)
                for metric in self._metrics
            },
            self._progress(),
        )

    def _progress(self) -> tuple[ProgressBin, ...]:
        (count,) = split(self._blocks.record(b"progress"), 1, "progress")
        events = [event for event in self._events if event in _COUNTED]
        columns = ("first", "iterations", "rms", "new", *events)
        rows = self._blocks.lines(number(count, "count"), columns).tolist()
        firsts = [row[0] for row in rows]
        if firsts != sorted({1 << max(first.bit_length() - 1, 0) for first in firsts}):
            raise RecordError("bins of a progress are not those from powers of two on, ascending")
        if not all(row[1] for row in rows):
            raise RecordError("a bin of a progress without iterations")
        return tuple(
            ProgressBin(row[0], row[1], row[2], row[3], dict(zip(events, row[4:]))) for row in rows
        )


def _sums(loops: Iterable[LoopProfile]) -> dict[Hashable, list[int]]:
    """What adds up over contexts, by loop and thread: all numbers of a record."""
    sums: dict[Hashable, list[int]] = {}
    for of in loops:
        numbers = [of.executions, of.unfinished, of.iterations]
        numbers += [of.induced_thread, of.induced_external]
        numbers += (cost for costs in of.cost.values() for cost in (costs.inclusive, costs.own))
        key = of.loop.key, of.threads
        sums[key] = list(map(add, sums[key], numbers)) if key in sums else numbers
    return sums
