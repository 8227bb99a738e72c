"""What the chunks of loops come after, however threads share them: what all threads of a loop come after, and the chunks
of the loops that these met before.

Without barriers, that is far behind. So from an earlier loop, the search goes on with what it found for that loop, where
that is the same: it takes time in proportion to all strands. A loop's threads include those that took none of its chunks.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from aprofplot.work_span.model import Dag

# Of strands that are looked at: mostly these are the strands before the loop since the latest barrier.
_MOST_STEPS = 100_000


@dataclass(frozen=True, slots=True)
class _Entered:
    """A loop whose chunks are taken from a counter, a strand that comes after `waits`."""

    counter: int
    waits: Sequence[int]


class LoopOrders:
    """Of the loops of a dag, which are entered in the order in which threads met them. Of each, `strands` are those with
    which its chunks begin, and where threads find no more."""

    def __init__(self, dag: Dag) -> None:
        self._dag = dag
        self._entered: dict[int, _Entered] = {}  # by strand of the loop

    def enter(self, strands: Sequence[int], counter: int, waits: Sequence[int]) -> None:
        """From now on, later loops come after the counter of this one, which comes after `waits`."""
        self._entered |= dict.fromkeys(strands, _Entered(counter, waits))

    def before(self, strands: Sequence[int]) -> tuple[list[int], list[int]]:
        """What all of a loop's threads come after, without what is before that, and the counters of earlier loops. Nothing
        if that takes too long to find."""
        return _Search(self._dag, self._entered, self._arrivals(strands)).run()

    def _arrivals(self, strands: Sequence[int]) -> list[tuple[int, ...]]:
        """By thread, what the first of its strands comes after."""
        first: dict[int, int] = {}
        for index in strands:
            thread = self._dag.strands[index].thread
            first[thread] = min(index, first.get(thread, index))
        return [self._dag.strands[index].before for index in first.values()]


class _Search:
    """Backwards, the latest strand first. `bits`: of a strand, one for each arrival that comes after it."""

    def __init__(
        self, dag: Dag, entered: dict[int, _Entered], arrivals: Sequence[Sequence[int]]
    ) -> None:
        self._dag = dag
        self._entered = entered
        self._everybody = (1 << len(arrivals)) - 1
        self._bits: dict[int, int] = {}
        self._left: list[int] = []  # heap of the negative numbers of strands
        self._loops: dict[int, list[int]] = {}  # strands reached, and not passed, by counter
        self._found: list[int] = []
        self._counters: set[int] = set()
        for bit, arrival in enumerate(arrivals):
            for index in arrival:
                self._reach(index, 1 << bit)

    def run(self) -> tuple[list[int], list[int]]:
        for _ in range(_MOST_STEPS):
            if self._left:
                index = -heapq.heappop(self._left)
                while self._left and self._left[0] == -index:
                    heapq.heappop(self._left)
                of = self._entered.get(index)
                if self._bits[index] == self._everybody:
                    self._found.append(index)
                elif of is not None:
                    self._loops.setdefault(of.counter, []).append(index)
                else:
                    self._pass(index)
            elif self._loops:
                self._pass_loop()
            else:
                return self._found, sorted(self._counters)
        return [], []

    def _reach(self, index: int, bits: int) -> None:
        known = self._bits.get(index, 0)
        if known | bits != known:
            self._bits[index] = known | bits
            heapq.heappush(self._left, -index)

    def _pass(self, index: int) -> None:
        for before in self._dag.strands[index].before:
            self._reach(before, self._bits[index])

    def _pass_loop(self) -> None:
        """Passes the latest loop that was reached."""
        counter = max(self._loops)
        strands = self._loops.pop(counter)
        self._counters.add(counter)
        if not self._loops and self._is_as_for_loop(strands):
            self._found += self._entered[strands[0]].waits
            return
        for index in strands:
            self._pass(index)

    def _is_as_for_loop(self, strands: Sequence[int]) -> bool:
        """Whether each arrival comes after those of one thread, and nothing else that is before all of these."""
        by_thread: dict[int, int] = {}
        for index in strands:
            thread = self._dag.strands[index].thread
            by_thread[thread] = by_thread.get(thread, 0) | self._bits[index]
        bits = list(by_thread.values())
        return sum(bits) == self._everybody and all(of & (of - 1) == 0 for of in bits)
