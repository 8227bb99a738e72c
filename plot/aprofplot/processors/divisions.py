"""What the threads of a run divided among themselves: by number, as loops with a static schedule, or in chunks. The
shares, and what each part of the whole costs.

A division can be divided anew if all of its shares are known, and each is a chain of strands without locks, forks and
joins. Within a share, the cost of an iteration is taken to change linearly, with the trend of the shares beside it
(van Leer, J. Comput. Phys. 32, 1979; minmod-limited), so that smooth loops keep their shape. Beside a step it is taken
to be constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from aprofplot.work_span.model import Dag, Part, Share, Strand

_MOST_PIECES = 2**53  # of the whole: bounds of more are not exact as fractions


@dataclass(frozen=True, slots=True)
class ShareStrands:
    """The strands of a share, with the amounts that were executed by path: work, then overhead of each kind."""

    begin: float  # fractions of the whole
    end: float
    strands: tuple[int, ...]
    amounts: dict[int, tuple[int, ...]]
    slope: float = 0.0  # of the cost of an iteration, over that of the average one, by fractions

    @property
    def cost(self) -> int:
        """All that was executed."""
        return sum(sum(amounts) for amounts in self.amounts.values())

    @property
    def work(self) -> int:
        """All that the program executed."""
        return sum(work for work, *_ in self.amounts.values())

    @property
    def density(self) -> float:
        """Cost by fractions."""
        return self.cost / (self.end - self.begin)

    def until(self, end: float) -> float:
        """The part of the cost up to there, from 0 to 1. It never falls, not even by rounding."""
        width = self.end - self.begin
        at = (end - self.begin) / width
        if not 0 < at < 1:
            return min(max(at, 0.0), 1.0)
        tilt = self.slope * width / 2  # from -1 to 1
        return _rising(at, tilt) if tilt >= 0 else 1 - _rising(1 - at, -tilt)


def _rising(at: float, tilt: float) -> float:
    """The integral of a rising line with the mean 1, as a product that rounding leaves monotone."""
    return min(at * (1 - tilt + tilt * at), 1.0)


@dataclass(frozen=True, slots=True)
class Division:
    """What can be divided anew: its shares, in order. `path`: on which they begin. `iterations`: 0 where unknown. `first`:
    of the shares, as the profile has it."""

    shares: Sequence[ShareStrands]
    path: int
    iterations: int
    first: Share


def divisions(dag: Dag) -> Iterator[Division]:
    """Those that can be divided anew."""
    shares: dict[int, list[tuple[Share, int]]] = {}
    for index, strand in enumerate(dag.strands):
        if strand.share is not None and strand.share.begin < strand.share.end:
            shares.setdefault(strand.share.division, []).append((strand.share, index))
    for of in shares.values():
        of.sort(key=lambda share: share[0].begin)
        if len(of) > 1 and are_whole([share for share, _ in of]):
            found = [_strands_of(dag, share, index) for share, index in of]
            known = [strands for strands in found if strands is not None]
            first = of[0][0]
            if len(known) == len(of) and (first.schedule or _goes_on_alike(dag, known)):
                is_known = all(share.iterations == first.iterations for share, _ in of)
                iterations = first.iterations if is_known else 0
                yield Division(_with_slopes(known), first.path, iterations, first)


def are_whole(shares: Sequence[Share]) -> bool:
    """Whether they follow each other from the beginning to the end of one whole."""
    (whole, *others) = {share.of for share in shares}
    bounds = [0, *(share.end for share in shares)]
    return (
        not others
        and bounds[-1] == whole <= _MOST_PIECES
        and bounds[:-1] == [share.begin for share in shares]
    )


def strands_in_series(dag: Dag, first: int, division: int | None = None) -> list[int]:
    """From the first one of a share to its end, or to where other strands come in between. It ends at the next share, if
    `division` is given at the next one of that."""
    strands = [first]
    while len(dag.after[strands[-1]]) == 1:
        (following,) = dag.after[strands[-1]]
        share = dag.strands[following].share
        is_end = share is not None and division in (None, share.division)
        if len(dag.strands[following].before) > 1 or is_end:
            break
        strands.append(following)
    return strands


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """One for each path."""
    return tuple(
        Part(path, work, tuple(overheads)) for path, (work, *overheads) in _added_up(parts).items()
    )


def _added_up(parts: Iterable[Part]) -> dict[int, list[int]]:
    """By path: work, and overhead of each kind."""
    amounts: dict[int, list[int]] = {}
    for part in parts:
        known = amounts.setdefault(part.path, [])
        new = (part.work, *part.overheads)
        known += [0] * (len(new) - len(known))
        for kind, amount in enumerate(new):
            known[kind] += amount
    return amounts


def _strands_of(dag: Dag, share: Share, first: int) -> ShareStrands | None:
    """None if it has locks, is parallel itself, or is nothing."""
    strands = strands_in_series(dag, first)
    if share.schedule and len(dag.after[strands[-1]]) > 1:  # a chunk that forks
        return None
    series = [dag.strands[index] for index in strands]
    for strand in series:
        if strand.acquires or strand.releases or strand.sections or strand.span < strand.work:
            return None
    amounts = _added_up(part for strand in series for part in strand.parts)
    if not any(map(any, amounts.values())):
        return None
    whole = {path: tuple(known) for path, known in amounts.items()}
    begin, end = share.begin / share.of, share.end / share.of
    return ShareStrands(begin, end, tuple(strands), whole)


def _goes_on_alike(dag: Dag, shares: Sequence[ShareStrands]) -> bool:
    """Whether all wait for each other, or each thread goes on with its share of something else."""
    ends = [dag.after[share.strands[-1]] for share in shares]
    return len(set(ends)) == 1 or all(
        len(end) == 1 and dag.strands[end[0]].share is not None for end in ends
    )


def _with_slopes(shares: list[ShareStrands]) -> list[ShareStrands]:
    steps = [  # from the middle of one to that of the next
        2 * (right.density - left.density) / (right.end - left.begin)
        for left, right in zip(shares, shares[1:])
    ]
    inner = [_minmod(left, right) for left, right in zip(steps, steps[1:])] or steps
    ends = (_minmod(steps[0], inner[0]), _minmod(steps[-1], inner[-1]))
    slopes = [ends[0], *(inner if len(shares) > 2 else []), ends[1]]
    return [
        replace(share, slope=_without_negative(slope / share.density, share.end - share.begin))
        for share, slope in zip(shares, slopes)
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
