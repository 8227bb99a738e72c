"""Puts new strands in the place of the shares of divisions.

A new strand waits for what any share waits for of which it executes a part, and what comes after a share waits for
all that execute a part of it: no path gets shorter by what was not divided. A thread that goes on with its share of
another division, which has as many new strands, goes on with its own new strand there.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from aprofplot.processors.divisions import Division, ShareStrands
from aprofplot.processors.numbering import renumbered, topological_order
from aprofplot.work_span.model import Dag, Part, Strand

# What a new strand executes of the whole: from and to, as fractions.
Parts = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Redivision:
    """A division, and the parts that its new strands execute."""

    division: Division
    parts: Sequence[Parts]


def substituted(dag: Dag, found: Sequence[Redivision]) -> tuple[Dag, Sequence[Redivision]]:
    """With the new strands, and of what. A division whose new strands would wait for themselves stays as it was: one
    of its shares may wait for what comes after another."""
    if not found:
        return dag, found
    found = sorted(found, key=lambda of: of.division.shares[0].strands[0])
    placed = _placed(dag, found)
    strands = _with_new(dag, placed)
    order = topological_order(strands)
    if len(order) < sum(strand is not None for strand in strands):
        known = set(order)
        return substituted(dag, [of.of for of in placed if known.issuperset(of.numbers)])
    made = replace(dag, strands=renumbered(strands, order))
    assert sum(s.length for s in made.strands) == sum(s.length for s in dag.strands)
    return made, found


@dataclass(frozen=True, eq=False, slots=True)
class _Placed:
    """`numbers`: of the new strands. `touched`: by new strand, the shares of which it executes parts; `touching` is the
    reverse, by number. `origins`: by share, what its thread waits for, but for the division `before` with which it goes
    on. `waits`: by new strand, all of these that come before it."""

    of: Redivision
    numbers: range
    touched: Sequence[Sequence[int]]
    touching: Sequence[set[int]]
    before: _Placed | None
    origins: Sequence[set[int]]
    waits: Sequence[set[int]]


# By the last strand of a share: the division, and the share's position in it.
_Ends = Mapping[int, tuple[_Placed, int]]


def _placed(dag: Dag, found: Sequence[Redivision]) -> list[_Placed]:
    """Numbered behind all strands; each division comes after those with which its threads begin."""
    made: list[_Placed] = []
    ends: dict[int, tuple[_Placed, int]] = {}
    first = len(dag.strands)
    for of in found:
        numbers = range(first, first + len(of.parts))
        placed = _place(dag, of, numbers, ends)
        ends |= {
            share.strands[-1]: (placed, position)
            for position, share in enumerate(of.division.shares)
        }
        made.append(placed)
        first = numbers.stop
    return made


def _place(dag: Dag, of: Redivision, numbers: range, ends: _Ends) -> _Placed:
    touched = [_touched(of.division, parts) for parts in of.parts]
    touching: list[set[int]] = [set() for _ in of.division.shares]
    for number, positions in zip(numbers, touched):
        for position in positions:
            touching[position].add(number)
    before = _before(dag, of, ends)
    origins: list[set[int]] = []
    for share in of.division.shares:
        waits: set[int] = set()
        for index in dag.strands[share.strands[0]].before:
            placed, position = ends.get(index, (None, 0))
            if placed is None:
                waits.add(index)
            else:
                waits |= placed.origins[position] if placed is before else placed.touching[position]
        origins.append(waits)
    all_waits = [set().union(*(origins[position] for position in shares)) for shares in touched]
    if before is not None:
        all_waits = [own | earlier for own, earlier in zip(all_waits, before.waits)]
    return _Placed(of, numbers, touched, touching, before, origins, all_waits)


def _touched(division: Division, parts: Parts) -> list[int]:
    """The positions of the shares that these parts of the whole are in, ascending."""
    found: set[int] = set()
    for begin, end in parts:
        first = bisect.bisect_right(division.shares, begin, key=lambda share: share.end)
        last = bisect.bisect_left(division.shares, end, key=lambda share: share.begin)
        found.update(range(first, last))
    return sorted(found)


def _before(dag: Dag, of: Redivision, ends: _Ends) -> _Placed | None:
    """The division from which each thread goes on with its share of this one, with as many new strands."""
    shares = of.division.shares
    found = [
        [ends[index] for index in dag.strands[share.strands[0]].before if index in ends]
        for share in shares
    ]
    if any(len(ended) != 1 for ended in found):
        return None
    before = found[0][0][0]
    goes_on = all(ended == [(before, position)] for position, ended in enumerate(found))
    is_alike = len(before.of.division.shares) == len(shares) and len(before.numbers) == len(
        of.parts
    )
    return before if goes_on and is_alike else None


def _with_new(dag: Dag, made: Sequence[_Placed]) -> list[Strand | None]:
    """The strands by number, without the shares."""
    instead: dict[int, set[int]] = {}
    gone: set[int] = set()
    for placed in made:
        for position, share in enumerate(placed.of.division.shares):
            gone.update(share.strands)
            instead[share.strands[-1]] = placed.touching[position]
    strands = [
        None if index in gone else replace(strand, before=_instead(strand.before, instead))
        for index, strand in enumerate(dag.strands)
    ]
    for placed in made:
        for n, parts in enumerate(placed.of.parts):
            before = placed.waits[n]
            if placed.before is not None:
                before = {placed.before.numbers[n], *(before - placed.before.waits[n])}
            shares = [placed.of.division.shares[position] for position in placed.touched[n]]
            strands.append(_strand(shares, parts, before))
    return strands


def _instead(before: Sequence[int], instead: Mapping[int, set[int]]) -> tuple[int, ...]:
    return tuple(set().union(*(instead.get(index, {index}) for index in before)))


def _strand(shares: Sequence[ShareStrands], parts: Parts, before: set[int]) -> Strand:
    """All that was executed in parts of the whole, which are in these shares; amounts are rounded so that their sums
    stay."""
    amounts: dict[int, list[int]] = {}
    for begin, end in parts:
        for share in shares:
            if share.end <= begin or end <= share.begin:
                continue
            since, until = share.until(begin), share.until(end)
            for path, whole in share.amounts.items():
                known = amounts.setdefault(path, [])
                known += [0] * (len(whole) - len(known))
                for kind, amount in enumerate(whole):
                    known[kind] += _part(amount, until) - _part(amount, since)
    made = tuple(Part(path, work, tuple(over)) for path, (work, *over) in amounts.items())
    return Strand(0, sum(part.work for part in made), 0, 0, tuple(before), made)


def _part(amount: int, of: float) -> int:
    """Rounded down, but exact: an amount may be too large for a float."""
    above, below = of.as_integer_ratio()
    return amount * above // below
