"""Routines and loops by whatever reports call them: one way for all commands.

A name or place is, in this order, that of routines; of loops; of functions that were inlined, or of the lines
where they were, whose loops it stands for; of the line where routines are defined; another name of a
routine's code. It may be name and place, as findings write it: `exists (store.cpp:12)`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aprofplot.aliases import aliased
from aprofplot.errors import SelectionError
from aprofplot.loop_scopes import (
    as_routine,
    loops_of_inlined,
    matching_loops,
    names_loop,
    no_loop,
    number_in,
    select_loops,
    source_loops,
)
from aprofplot.metrics import by_cost
from aprofplot.model import LoopProfile, Profile, RoutineProfile
from aprofplot.selection import defined_at, matching, select, select_all

_WITH_PLACE = re.compile(r".+ \(([^()]+:[0-9]{1,9})\)")


def named_scopes(profile: Profile, pattern: str) -> list[RoutineProfile]:
    """All that `pattern` stands for, loops as if they were routines; empty if that is nothing."""
    found, number = _named(profile, pattern), number_in(pattern)
    return [as_routine(of, number) if isinstance(of, LoopProfile) else of for of in found]


def select_scopes(profile: Profile, pattern: str, several: bool) -> list[RoutineProfile]:
    """The one that `pattern` stands for, the costliest of inlined code, of what a line defines and of what has
    other names; all, if `several` are wanted. SelectionError."""
    routines = matching(profile.routines, pattern)
    if routines:
        return routines if several else [select(profile.routines, pattern)]
    loops = profile.loops
    if matching_loops(loops, pattern):
        number = number_in(pattern)
        return [as_routine(of, number) for of in select_loops(loops, pattern, several)]
    found = by_cost(named_scopes(profile, pattern), profile.event_names[0])
    if not found and names_loop(pattern):
        raise no_loop(loops, pattern)
    if not found:
        select(profile.routines, pattern)  # says what is like it
    return found if several else found[:1]


def select_routines(profile: Profile, patterns: Sequence[str]) -> list[RoutineProfile]:
    """The routines that any of `patterns` stands for, as select_all, or that have the loops. SelectionError."""
    chosen: set[int] = set()
    for pattern in patterns:
        try:
            found = select_all(profile.routines, [pattern])
        except SelectionError:
            found = _around(profile, pattern)
            if not found:
                raise
        chosen.update(map(id, found))
    return [of for of in profile.routines if id(of) in chosen]


def _around(profile: Profile, pattern: str) -> list[RoutineProfile]:
    """The routines that `pattern` stands for, or that have its loops."""
    keys = {
        of.loop.routine.key if isinstance(of, LoopProfile) else of.routine.key
        for of in _named(profile, pattern)
    }
    return [of for of in profile.routines if of.routine.key in keys]


def _named(profile: Profile, pattern: str) -> Sequence[RoutineProfile] | Sequence[LoopProfile]:
    routines = matching(profile.routines, pattern)
    if routines:
        return routines
    loops = profile.loops
    found = matching_loops(loops, pattern) or loops_of_inlined(source_loops(loops), pattern)
    if found:
        return found
    with_place = _WITH_PLACE.fullmatch(pattern)
    defined = defined_at(profile.routines, pattern)
    if defined:
        return defined
    return aliased(profile, pattern) if with_place is None else _named(profile, with_place[1])
