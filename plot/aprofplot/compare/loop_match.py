"""Pairs the loops of two builds: within routines that were paired, by the function that a loop is written in and
its place among that function's, as lines move. Those of one line are one, unless both builds have as many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from aprofplot.compare.match import Match
from aprofplot.loop_scopes import as_routine, numbers_in_line, source_loops, source_of
from aprofplot.model import LoopProfile, RoutineKey, RoutineProfile
from aprofplot.names import base_name

_ByRoutine = dict[RoutineKey, list[LoopProfile]]


def match_loops(
    matches: Sequence[Match], old: Sequence[LoopProfile], new: Sequence[LoopProfile]
) -> Iterator[Match]:
    """As routines; loops that only one side has are in no pair."""
    before, after = _by_routine(old), _by_routine(new)
    old_parts, new_parts = _parts(old), _parts(new)
    for match in matches:
        olds = _by_function(before.get(match.old.routine.key, ()))
        news = _by_function(after.get(match.new.routine.key, ()))
        for where, some in olds.items():
            others = news.get(where, [])
            if len(some) == len(others):  # else one was added or removed, and which is not known
                for one, other in zip(some, others):
                    parts = old_parts[source_of(one.loop)], new_parts[source_of(other.loop)]
                    if len(parts[0]) != len(parts[1]):
                        parts = [as_routine(one)], [as_routine(other)]
                    for part, counterpart in zip(*parts):
                        yield Match(part, counterpart, match.how)


def _parts(loops: Sequence[LoopProfile]) -> dict[Hashable, list[RoutineProfile]]:
    """The loops of the machine code, by what they are in the source, in the order of their code."""
    found: dict[Hashable, list[RoutineProfile]] = defaultdict(list)
    numbers = numbers_in_line(loops)
    for of in sorted(loops, key=lambda of: of.loop.address):
        found[source_of(of.loop)].append(as_routine(of, numbers.get(of.loop.key, 0)))
    return found


def _by_routine(loops: Sequence[LoopProfile]) -> _ByRoutine:
    found: _ByRoutine = defaultdict(list)
    for loop in source_loops(loops):
        found[loop.loop.routine.key].append(loop)
    return found


def _by_function(loops: Sequence[LoopProfile]) -> dict[Hashable, list[LoopProfile]]:
    """By function and depth in the nest, in the order of the source."""
    found: dict[Hashable, list[LoopProfile]] = defaultdict(list)
    for of in loops:
        name = base_name(of.loop.function or of.loop.routine.name)
        found[name, sum(1 for _ in of.loop.around)].append(of)
    return {
        where: sorted(group, key=lambda of: (of.loop.line, of.loop.address))
        for where, group in found.items()
    }
