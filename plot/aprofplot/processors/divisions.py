"""What the threads of a run divided among themselves by number, as loops with a static schedule: the shares, and what
each part of the whole costs.

A division can be divided anew if all of its shares are known, and each is a chain of strands without locks, forks and
joins. Within a share, the cost of an iteration is taken to change linearly, with the trend of the shares beside it
(van Leer, J. Comput. Phys. 32, 1979; minmod-limited), so that smooth loops keep their shape. Beside a step it is taken
to be constant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from aprofplot.work_span.model import Dag, Share, Strand


@dataclass(frozen=True, slots=True)
class Chain:
    """The strands of a share, with the amounts that were executed by path: work, then overhead of each kind."""

    begin: float  # fractions of the whole
    end: float
    strands: tuple[int, ...]
    path: int  # on which it begins
    amounts: dict[int, tuple[int, ...]]
    slope: float = 0.0  # of the cost of an iteration, over that of the average one, by fractions

    @property
    def cost(self) -> int:
        """All that was executed."""
        return sum(sum(amounts) for amounts in self.amounts.values())

    def cost_on(self, paths: Collection[int]) -> int:
        """What was executed on these paths."""
        return sum(sum(amounts) for path, amounts in self.amounts.items() if path in paths)

    @property
    def density(self) -> float:
        """Cost by fractions."""
        return self.cost / (self.end - self.begin)

    def until(self, end: float) -> float:
        """The part of the cost up to there, from 0 to 1."""
        width = self.end - self.begin
        at = min(max((end - self.begin) / width, 0.0), 1.0)
        # The integral of a line with the mean 1.
        return at + self.slope * width * at * (at - 1) / 2


def _strands_after(strands: Sequence[Strand]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in strands]
    for index, strand in enumerate(strands):
        for before in strand.before:
            found[before].append(index)
    return found


def divisions(dag: Dag) -> Iterator[list[Chain]]:
    """Those that can be divided anew, as their shares in order."""
    shares: dict[int, list[tuple[Share, int]]] = {}
    for index, strand in enumerate(dag.strands):
        if strand.share is not None:
            shares.setdefault(strand.share.division, []).append((strand.share, index))
    after = _strands_after(dag.strands) if shares else []
    for of in shares.values():
        of.sort(key=lambda share: share[0].begin)
        bounds = [share.begin for share, _ in of] + [of[-1][0].end]
        is_whole = bounds[0] == 0 and bounds[-1] == of[0][0].of
        if is_whole and bounds[1:] == [share.end for share, _ in of] and len(of) > 1:
            chains = [_chain(dag, after, share, index) for share, index in of]
            known = [chain for chain in chains if chain is not None]
            if len(known) == len(of) and _goes_on_alike(dag, after, known):
                yield _with_slopes(known)


def _chain(dag: Dag, after: Sequence[Sequence[int]], share: Share, first: int) -> Chain | None:
    """None if it has locks, is parallel itself, or is nothing."""
    strands = [first]
    while len(after[strands[-1]]) == 1:
        (following,) = after[strands[-1]]
        if len(dag.strands[following].before) > 1 or dag.strands[following].share is not None:
            break
        strands.append(following)
    amounts: dict[int, list[int]] = {}
    for strand in (dag.strands[index] for index in strands):
        if strand.acquires or strand.releases or strand.sections or strand.span < strand.work:
            return None
        for part in strand.parts:
            known = amounts.setdefault(part.path, [])
            new = (part.work, *part.overheads)
            known += [0] * (len(new) - len(known))
            for kind, amount in enumerate(new):
                known[kind] += amount
    if not any(map(any, amounts.values())):
        return None
    whole = {path: tuple(known) for path, known in amounts.items()}
    begin, end = share.begin / share.of, share.end / share.of
    return Chain(begin, end, tuple(strands), share.path, whole)


def _goes_on_alike(dag: Dag, after: Sequence[Sequence[int]], chains: Sequence[Chain]) -> bool:
    """Whether all wait for each other, or each thread goes on with its share of something else."""
    ends = [tuple(after[chain.strands[-1]]) for chain in chains]
    return len(set(ends)) == 1 or all(
        len(end) == 1 and dag.strands[end[0]].share is not None for end in ends
    )


def _with_slopes(chains: list[Chain]) -> list[Chain]:
    middles = [(chain.begin + chain.end) / 2 for chain in chains]
    steps = [
        (right.density - left.density) / (to - at)
        for left, right, at, to in zip(chains, chains[1:], middles, middles[1:])
    ]
    inner = [_minmod(left, right) for left, right in zip(steps, steps[1:])] or steps
    ends = (_minmod(steps[0], inner[0]), _minmod(steps[-1], inner[-1]))
    slopes = [ends[0], *(inner if len(chains) > 2 else []), ends[1]]
    return [
        replace(chain, slope=_without_negative(slope / chain.density, chain.end - chain.begin))
        for chain, slope in zip(chains, slopes)
    ]


def _minmod(one: float, other: float) -> float:
    """The flatter slope, 0 if they point to different sides."""
    if one * other <= 0:
        return 0.0
    return one if abs(one) < abs(other) else other


def _without_negative(slope: float, width: float) -> float:
    """So that no iteration costs less than nothing."""
    steepest = 2 / width
    return min(max(slope, -steepest), steepest)
