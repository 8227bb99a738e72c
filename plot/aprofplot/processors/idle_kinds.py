"""Idleness by call path, and by what the processors wait for."""

from __future__ import annotations

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
        in_chains = self._without_twins(chains(costs, code, locks))
        self.chained = self._chains(in_chains)
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

    def _without_twins(self, in_chains: Sequence[Chain | None]) -> Sequence[Chain | None]:
        """Without stages if the slowest has less to do in another thread: it is divided unevenly."""
        amounts = self._amounts(in_chains)
        stages = [chain for chain in amounts if chain.thread]
        slowest = max(stages, key=lambda chain: sum(amounts[chain]), default=Chain(0))
        if not slowest.has_twin:
            return in_chains
        return [chain if chain == Chain(0) else None for chain in in_chains]

    def _chains(self, in_chains: Sequence[Chain | None]) -> dict[Chain, list[int]]:
        """Stages that are not slower than others are no bottleneck."""
        amounts = self._amounts(in_chains)
        stages = sorted(sum(of) for chain, of in amounts.items() if chain.thread)
        return {
            chain: by_path(self._costs.dag, of)
            for chain, of in amounts.items()
            if not chain.thread or (len(stages) > 1 and sum(of) >= _SLOWER * stages[-2])
        }

    def _amounts(self, in_chains: Sequence[Chain | None]) -> dict[Chain, list[int]]:
        """What each chain is charged with, by strand."""
        strands = self._costs.dag.strands
        idleness = self._costs.schedule.idleness
        amounts = {chain: [0] * len(strands) for chain in in_chains if chain is not None}
        for number, chain in enumerate(in_chains):
            if chain is not None:
                amounts[chain][number] = of_work(strands[number], idleness[number])
        return amounts

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
