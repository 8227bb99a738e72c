"""Tells apart routines of one name, object and source file's base name, as static functions are."""

from __future__ import annotations

import os

from aprofplot.model import RoutineProfile

_Side = list[RoutineProfile]


def pair_namesakes(olds: _Side, news: _Side) -> list[tuple[_Side, _Side]]:
    """Which of `olds` are which of `news`: by the folders just above their source files that have
    the same names; what that leaves, in the order of file, line and address if there are as many
    on both sides, else all of them together. What is on one side only is in no pair."""
    pairs: list[tuple[_Side, _Side]] = []
    while olds and news:
        found = _closest(olds, news)
        if not found:
            break
        pairs += [([a], [b]) for a, b in found]
        used = {id(side) for pair in found for side in pair}
        olds = [r for r in olds if id(r) not in used]
        news = [r for r in news if id(r) not in used]
    if len(olds) == len(news):
        return pairs + [
            ([a], [b]) for a, b in zip(sorted(olds, key=_place), sorted(news, key=_place))
        ]
    return pairs + [(olds, news)] if olds and news else pairs


def _closest(olds: _Side, news: _Side) -> list[tuple[RoutineProfile, RoutineProfile]]:
    """The pairs with the most folders in common; none if these pair some routine twice."""
    depths = [(_common_folders(a, b), a, b) for a in olds for b in news]
    most = max(depth for depth, _, _ in depths)
    best = [(a, b) for depth, a, b in depths if depth == most]
    sides = [id(side) for pair in best for side in pair]
    return best if most > 0 and len(set(sides)) == len(sides) else []


def _place(routine: RoutineProfile) -> tuple[str, int, int]:
    where = routine.routine
    return where.file, where.line, where.address


def _common_folders(a: RoutineProfile, b: RoutineProfile) -> int:
    """How many folders just above the two source files have the same names."""
    count = 0
    folders = [os.path.dirname(r.routine.file).split("/")[::-1] for r in (a, b)]
    for one, other in zip(*folders):
        if one != other or not one:
            break
        count += 1
    return count
