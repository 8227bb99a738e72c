"""A profile's loops and calls as a tree to descend by cost: from a loop that repeats something to what
it repeats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Hashable, Iterator, Sequence
from dataclasses import dataclass

from aprofplot.fits.fitting import fit_routines
from aprofplot.fits.law import Fit
from aprofplot.model import (
    CallEdge,
    LoopKey,
    LoopProfile,
    Profile,
    Routine,
    RoutineKey,
    RoutineProfile,
)
from aprofplot.ownership import own_routines

_MOST_OF = 0.5  # of the cost: what has as much is followed
_LOOPS = 4  # iterations an execution, from which on it is one that repeats something
_DEEPEST = 50  # calls and loops that are followed


@dataclass(frozen=True)
class Place:
    """Where something is: a loop, or a routine that has none which matters."""

    routine: Routine
    loop: LoopProfile | None = None

    @property
    def key(self) -> tuple[RoutineKey, LoopKey | None]:
        """What tells it from others, also of another profile."""
        return self.routine.key, None if self.loop is None else self.loop.loop.key


class LoopTree:
    """Of a profile whose threads are merged; costs are of `event`."""

    def __init__(self, profile: Profile, event: str) -> None:
        self.profile = profile
        self.event = event
        self._inner: dict[LoopKey, list[LoopProfile]] = defaultdict(list)
        self._outermost: dict[RoutineKey, list[LoopProfile]] = defaultdict(list)
        self._callees: dict[RoutineKey, list[CallEdge]] = defaultdict(list)
        self.routines: dict[RoutineKey, RoutineProfile] = {
            routine.routine.key: routine for routine in profile.routines
        }
        self.own = own_routines(routine.routine for routine in profile.routines)
        for loop in profile.loops:
            parent = loop.loop.parent
            if parent is None:
                self._outermost[loop.loop.routine.key].append(loop)
            else:
                self._inner[parent.key].append(loop)
        self._fits: dict[int, dict[str, Fit]] = {}  # by id() of what the profile has
        self._callers: dict[RoutineKey, list[CallEdge]] = defaultdict(list)
        for edge in profile.calls:
            self._callees[edge.caller.key].append(edge)
            self._callers[edge.callee.key].append(edge)

    def inclusive(self, loop: LoopProfile) -> int:
        """Its cost, with what it calls."""
        return loop.cost[self.event].inclusive

    def fits(self, scopes: Sequence[RoutineProfile | LoopProfile]) -> list[dict[str, Fit]]:
        """Of each by metric, as fit_routines has it; each is fitted once."""
        missing = [of for of in scopes if id(of) not in self._fits]
        self._fits.update(zip(map(id, missing), fit_routines(missing, self.event)))
        return [self._fits[id(of)] for of in scopes]

    def _costliest(self, loops: Sequence[LoopProfile]) -> LoopProfile | None:
        return max(loops, key=self.inclusive) if loops else None

    def callers(self, routine: Routine) -> list[CallEdge]:
        """The calls of it by known callers, itself included."""
        return self._callers[routine.key]

    def is_own(self, routine: Routine) -> bool:
        """Whether it is the user's own code."""
        return routine.key in self.own

    def repeated_by(self, loop: LoopProfile) -> Place:
        """What most of the loop's cost is spent in: an inner loop, one of a routine that is called, or
        such a routine. The loop itself if it is its own straight code."""
        at = Place(loop.loop.routine, loop)
        for at in self.descent(at):
            if at.loop is not None and at.loop.iterations >= _LOOPS * at.loop.executions:
                return at
            if at.loop is None and not self.is_own(at.routine):
                return at
        return at

    def descent(self, at: Place) -> Iterator[Place]:
        """What has most of its cost, step by step: loops and routines within it."""
        due = _MOST_OF * self._cost(at)
        known = {at.key, (at.routine.key, None)}
        for _ in range(_DEEPEST):
            below = self._below(at, due, known)
            if below is None:
                return
            at = below
            known.add(at.key)
            yield at

    def below(self, at: Place) -> Place | None:
        """The loop or routine directly within it that has most of its cost, if one has."""
        return next(self.descent(at), None)

    def _cost(self, at: Place) -> int:
        if at.loop is not None:
            return self.inclusive(at.loop)
        return self.routines[at.routine.key].cost[self.event].inclusive

    def _below(self, at: Place, due: float, known: Container[Hashable]) -> Place | None:
        """The loop or routine within it that costs as much as `due`, if one does that is not `known`: a
        recursion is followed to where it leads."""
        if at.loop is None:
            loop = self._costliest(self._outermost[at.routine.key])
        else:
            loop = self._costliest(self._inner[at.loop.loop.key])
        if loop is not None and self.inclusive(loop) >= due:
            return Place(at.routine, loop)

        def dear(key: RoutineKey) -> list[CallEdge]:
            return [edge for edge in self._callees[key] if edge.cost[self.event] >= due]

        def new(key: RoutineKey) -> list[CallEdge]:
            return [edge for edge in dear(key) if (edge.callee.key, None) not in known]

        here = at.routine.key
        # Back into a recursion: what else is there.
        found = new(here) or [of for edge in dear(here) for of in new(edge.callee.key)]
        costliest = max(found, key=lambda edge: edge.cost[self.event], default=None)
        return None if costliest is None else Place(costliest.callee)
