"""Idleness by call path, and by what the processors wait for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from aprofplot.processors.charges import Costs, by_path, inclusive
from aprofplot.processors.handoffs import Chain, chains
from aprofplot.processors.user_code import UserCode
from aprofplot.work_span.model import Lock, Strand

# Of a path's work: what runs beside others, below which it is serial; a thread begins.
_SERIAL = 0.02
_SLOWER = 1.5  # times what the next slowest stage is charged


class IdleKinds:
    """Amounts by path, in units of 1 / schedule.scale: of `chained` those of each chain; of all else
    `serial`, and `tail`, of which `barrier` is a part. What run-time libraries were charged is in none.
    """

    def __init__(self, costs: Costs, code: UserCode, locks: Sequence[Lock]) -> None:
        self._costs = costs
        self._code = code
        in_chains = chains(costs, code, locks)
        charged = self._by_chain(in_chains)
        stages = [(chain, amount) for chain, amount in charged.most_common() if chain.thread]
        if stages and stages[0][0].has_twin:  # what both do is divided unevenly
            in_chains = [chain if chain == Chain(0) else None for chain in in_chains]
            stages = []
        named = [chain for chain in charged if not chain.thread]
        if len(stages) > 1 and stages[0][1] >= _SLOWER * stages[1][1]:
            named.append(stages[0][0])
        self.chained = {chain: self._of_chain(in_chains, chain) for chain in named}
        self._is_chained = [chain is not None for chain in in_chains]
        schedule = costs.schedule
        alone, tail = self._by_path(schedule.alone), self._by_path(schedule.tail)
        lone_tail = self._by_path(schedule.lone_tail)
        self._beside = inclusive(costs.dag, self._work_beside())
        serial = [self.is_serial(path) for path in range(len(alone))]
        self.serial = [a if s else a - both for a, both, s in zip(alone, lone_tail, serial)]
        self.tail = [0 if s else amount for amount, s in zip(tail, serial)]
        barrier = self._by_path(schedule.barrier)
        self.barrier = [0 if s else amount for amount, s in zip(barrier, serial)]

    def is_serial(self, path: int) -> bool:
        """Whether the path ran beside nothing, or the body that it belongs to did: a part of a body that other
        threads run, too, and wait for, is a serial phase of it."""
        return self.runs_alone(path) or self.runs_alone(self._code.body(path) or path)

    def runs_alone(self, path: int) -> bool:
        """Whether the path, with what it calls, ran beside nothing."""
        return self._beside[path] <= _SERIAL * self._costs.inclusive[path].work

    def _by_chain(self, in_chains: Sequence[Chain | None]) -> Counter[Chain]:
        """What each is charged with."""
        amounts = Counter[Chain]()
        idleness = self._costs.schedule.idleness
        for chain, strand, amount in zip(in_chains, self._costs.dag.strands, idleness):
            if chain is not None:
                amounts[chain] += of_work(strand, amount)
        return amounts

    def _of_chain(self, in_chains: Sequence[Chain | None], chain: Chain) -> list[int]:
        """What it is charged with, by path."""
        strands = zip(in_chains, self._costs.dag.strands, self._costs.schedule.idleness)
        return by_path(
            self._costs.dag,
            [of_work(strand, amount) if of == chain else 0 for of, strand, amount in strands],
        )

    def _by_path(self, amounts: Sequence[int]) -> list[int]:
        strands = self._costs.dag.strands
        working = (of_work(strand, amount) for strand, amount in zip(strands, amounts))
        return by_path(
            self._costs.dag, [0 if c else amount for amount, c in zip(working, self._is_chained)]
        )

    def _work_beside(self) -> list[int]:
        """Of strands that were not charged alone for all of their time."""
        schedule = self._costs.schedule
        full = (self._costs.processors - 1) * schedule.scale
        amounts = []
        for strand, alone in zip(self._costs.dag.strands, schedule.alone):
            amounts.append(max(0, strand.length - alone // full) if full else strand.length)
        return by_path(self._costs.dag, amounts)


def of_work(strand: Strand, amount: int) -> int:
    """The part of an amount that a strand is charged with while it works."""
    length = strand.length
    return amount * strand.work // length if length else amount
