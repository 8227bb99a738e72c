"""Pairs the routines of two builds, although folders, files, addresses and versions may differ."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from aprofplot.clone_names import function_name, is_piece
from aprofplot.merge import merge_routines
from aprofplot.model import Routine, RoutineProfile
from aprofplot.names import base_name

# How OLD's routine and NEW's were recognised as one, most certain first.
How = Literal["same", "namesakes", "map", "file", "object", "signature"]

# Digits of a library's version: of libfoo.so.1.2, libfoo-1.2.so, libpython3.11.so.
_VERSION = re.compile(r"(?:-\d[\d.]*|\d+\.\d[\d.]*)?\.so(?:\.\d[\w.]*)?$")


@dataclass(frozen=True, eq=False)
class Match:
    """A routine in OLD and in NEW. "namesakes": all of one name, file and object together, as
    their numbers differ; "file", "object", "signature": what differs beside folders and versions.
    """

    old: RoutineProfile
    new: RoutineProfile
    how: How


@dataclass(frozen=True, eq=False)
class Matching:
    """Every routine of both sides is in exactly one of the three."""

    matches: tuple[Match, ...]
    vanished: tuple[RoutineProfile, ...]
    new: tuple[RoutineProfile, ...]


def match_routines(
    old: Sequence[RoutineProfile],
    new: Sequence[RoutineProfile],
    renamed: Sequence[tuple[RoutineProfile, RoutineProfile]] = (),
) -> Matching:
    """Pairs routines, each side's merged over threads and runs. `renamed`: pairs that the user
    made. The others in passes, where each takes what is left: by exact key; by name and base names
    of object and file, and then without library versions, with namesakes told apart; then only
    where both sides have one such routine by name and object, name and file, name; clones of one
    function, be it one of OLD and several of NEW; and by name without parameters and compiler's
    suffixes."""
    found = [Match(a, b, "map") for a, b in renamed]
    used = {id(side) for pair in renamed for side in pair}
    left = [r for r in old if id(r) not in used], [r for r in new if id(r) not in used]
    for one in _PASSES:
        made, left = _pass(left[0], left[1], one)
        found += made
    return Matching(tuple(found), tuple(left[0]), tuple(left[1]))


def _object(routine: Routine) -> str:
    return os.path.basename(routine.object) or routine.object


def unversioned(path: str) -> str:
    """The base name of an object without its version: /lib/libfoo.so.1.2 -> libfoo.so."""
    return _VERSION.sub(".so", os.path.basename(path) or path)


def _clone_key(routine: Routine) -> Hashable:
    """What clones of one function have in common; its pieces, which they call, among themselves."""
    name = function_name(routine.name), is_piece(routine.name)
    return name, unversioned(routine.object), os.path.basename(routine.file)


def plain_name(name: str) -> str:
    """A name without parameters, return type and what a compiler appends to a clone's."""
    return base_name(function_name(name))


@dataclass(frozen=True)
class _Pass:
    """Matches those of equal key, None: none. `several` on one side, too, as namesakes."""

    how: How
    key: Callable[[Routine], Hashable]
    several: bool = False


_PASSES = (
    _Pass("same", lambda r: r.key, True),
    _Pass("same", lambda r: (r.name, _object(r), os.path.basename(r.file)), True),
    _Pass("same", lambda r: (r.name, unversioned(r.object), os.path.basename(r.file)), True),
    _Pass("file", lambda r: (r.name, unversioned(r.object))),
    _Pass("object", lambda r: (r.name, os.path.basename(r.file)) if r.file else None),
    _Pass("object", lambda r: r.name),
    _Pass("signature", _clone_key, True),
    _Pass("signature", lambda r: (plain_name(r.name), unversioned(r.object))),
)


_Side = list[RoutineProfile]


def _pass(old: _Side, new: _Side, one: _Pass) -> tuple[list[Match], tuple[_Side, _Side]]:
    """What it matches, and what is left."""
    groups: dict[Hashable, tuple[_Side, _Side]] = {}
    for side, routines in enumerate((old, new)):
        for routine in routines:
            groups.setdefault(one.key(routine.routine), ([], []))[side].append(routine)
    made: list[Match] = []
    used: set[int] = set()
    for value, (olds, news) in groups.items():
        if value is None or not olds or not news:
            continue
        single = len(olds) == len(news) == 1
        if not single and not one.several:
            continue
        for some, others in [(olds, news)] if single else _pair_namesakes(olds, news):
            pair = len(some) == len(others) == 1
            kind: How = one.how if pair else "namesakes"
            made.append(Match(merge_routines(some), merge_routines(others), kind))
            used |= {id(routine) for routine in (*some, *others)}
    return made, (
        [r for r in old if id(r) not in used],
        [r for r in new if id(r) not in used],
    )


def _pair_namesakes(olds: _Side, news: _Side) -> list[tuple[_Side, _Side]]:
    """Which of `olds` are which of `news`, of one name, object and source file's base name, as static
    functions may be: by the folders just above their source files that have
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
