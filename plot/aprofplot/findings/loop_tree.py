"""A profile's loops and calls as a tree to descend by cost: from a loop that repeats something to what
it repeats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Hashable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from aprofplot.findings.cycles import cycles
from aprofplot.findings.finding_place import Place, Scope, cells_of
from aprofplot.fits.fitting import fit_routines
from aprofplot.fits.law import Fit
from aprofplot.metrics import largest_size, total_cost
from aprofplot.model import (
    CallEdge,
    Loop,
    LoopKey,
    LoopProfile,
    Profile,
    Routine,
    RoutineKey,
    RoutineProfile,
)
from aprofplot.ownership import is_system_object, is_system_source, own_routines

MOST_OF = 0.5  # of the cost: what has as much is followed
_LITTLE = 0.1  # of the cost of calls: so much may be of calls from elsewhere
_DEEPEST = 50  # calls and loops that are followed


class LoopTree:
    """Of a profile whose threads are merged; costs are of `event`."""

    def __init__(self, profile: Profile, event: str) -> None:
        self.profile = profile
        self.event = event
        self._whole = total_cost(profile, event)
        self._inner: dict[LoopKey, list[LoopProfile]] = defaultdict(list)
        self._outermost: dict[RoutineKey, list[LoopProfile]] = defaultdict(list)
        self._callees: dict[RoutineKey, list[CallEdge]] = defaultdict(list)
        self.routines: dict[RoutineKey, RoutineProfile] = {
            routine.routine.key: routine for routine in profile.routines
        }
        self.own = own_routines(routine.routine for routine in profile.routines)
        self._loops: dict[RoutineKey, list[LoopProfile]] = defaultdict(list)
        for loop in profile.loops:
            self._loops[loop.loop.routine.key].append(loop)
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
        self._cycles = cycles(profile.calls)

    def inclusive(self, scope: Scope) -> int:
        """Its cost, with what it calls."""
        return scope.cost[self.event].inclusive

    def share(self, cost: int) -> float:
        """Of the run's cost, 0 if that is nothing."""
        return cost / self._whole if self._whole else 0.0

    def fits(self, scopes: Sequence[Scope]) -> list[dict[str, Fit]]:
        """Of each by metric, as fit_routines has it; each is fitted once."""
        missing = [of for of in scopes if id(of) not in self._fits]
        self._fits.update(zip(map(id, missing), fit_routines(missing, self.event)))
        return [self._fits[id(of)] for of in scopes]

    def _costliest(self, loops: Sequence[LoopProfile]) -> LoopProfile | None:
        return max(loops, key=self.inclusive) if loops else None

    def cycle(self, routine: Routine) -> frozenset[RoutineKey]:
        """It and all by way of which it calls itself; empty: it does not."""
        return self._cycles.get(routine.key, frozenset())

    def is_recursive(self, routine: Routine) -> bool:
        """Whether it calls itself, perhaps by way of others."""
        return routine.key in self._cycles

    def calls_by_itself(self, routine: Routine) -> list[CallEdge]:
        """The calls of a recursion."""
        return [edge for edge in self._callees[routine.key] if edge.callee.key == routine.key]

    def calls_from_elsewhere(self, routine: Routine) -> list[CallEdge]:
        """The calls of it by other known callers."""
        return [edge for edge in self._callers[routine.key] if edge.caller.key != routine.key]

    def calls_of(self, routine: Routine) -> list[CallEdge]:
        """The calls of it."""
        return self._callers[routine.key]

    def calls_by(self, routine: Routine) -> list[CallEdge]:
        """What it calls."""
        return self._callees[routine.key]

    def loops_of(self, routine: Routine) -> list[LoopProfile]:
        """All in its code."""
        return self._loops[routine.key]

    def is_own(self, routine: Routine) -> bool:
        """Whether it is the user's own code."""
        return routine.key in self.own

    def _has_own(self, routine: Routine) -> bool:
        """Whether it is, or has such a loop."""
        return self.is_own(routine) or any(
            self.is_own_loop(of.loop) for of in self.loops_of(routine)
        )

    def is_own_loop(self, loop: Loop) -> bool:
        """Whether it is, or the user's own code is inlined in it: a closure in a library's template."""
        if self.is_own(loop.routine):
            return True
        if is_system_object(loop.routine.object):
            return False
        files = [loop.file, *(call.file for call in loop.inlined)]
        return not all(map(is_system_source, files))

    def way_to_repeated(self, loop: LoopProfile, through: Place | None = None) -> list[Place]:
        """From the loop down to what most of its cost is spent in, or that of `through`, which is directly within it:
        an inner loop, one of a routine that is called, or such a routine. The loop alone if it is its own straight
        code. Of loops within each other it is the innermost that reads most of what the outermost does: a search, not
        the few things that are searched for."""
        way, end, least = [Place(loop.loop.routine, loop)], 0, 0.0
        first = [] if through is None else [through]
        for at in chain(first, self.descent(through or way[0])):
            way.append(at)
            if at.goes_round:
                if end and at.mean_input < least:
                    break
                least = least or MOST_OF * at.mean_input
                end = len(way)
            if at.loop is None and not self._has_own(at.routine):
                break
        return way[:end] if end else way

    def repeated_loop(self, loop: LoopProfile) -> LoopProfile | None:
        """The first within it that has most of its cost and goes round, also that of a template of a library, which
        is none of the user's own code: std::find's."""
        for at in self.descent(Place(loop.loop.routine, loop)):
            if is_system_object(at.routine.object):
                return None
            if at.goes_round:
                return at.loop
        return None

    def descent(self, at: Place) -> Iterator[Place]:
        """What has most of its cost, step by step: loops and routines within it; at last the dearest copy of a loop
        that has it only in several ways or copies."""
        start, due = at, MOST_OF * self._cost(at)
        known = {at.key, (at.routine.key, None)}
        for _ in range(_DEEPEST):
            below = self._below(at, due, known)
            if below is None:
                break
            at = below
            known.add(at.key)
            yield at
        if at is start or not at.goes_round:
            copies = self._copies_within(start)
            if copies and not any(Place(of.loop.routine, of).key in known for of in copies):
                yield Place(copies[0].loop.routine, copies[0])

    def _copies_within(self, at: Place) -> list[LoopProfile]:
        """Of a loop of the source that is reached in several ways, or inlined at several places, in it and in what it
        calls, and that has most of its cost only in all of them: its copies, the dearest first."""
        cost = self._cost(at)
        within = cost if at.loop is None else cost - self._straight(at.loop)
        dear = [of for total, of in self._copies if MOST_OF * cost <= total <= within]
        called = self._called_only_within(at) if dear else set()
        for copies in dear:
            if all(self._is_within(of.loop, at) or of.loop.routine.key in called for of in copies):
                return copies
        return []

    def _straight(self, loop: LoopProfile) -> int:
        """The cost of its own code that is in no inner loop."""
        inner = sum(of.cost[self.event].own for of in self._inner[loop.loop.key])
        return loop.cost[self.event].own - inner

    @cached_property
    def _copies(self) -> list[tuple[int, list[LoopProfile]]]:
        """Each of the user's loops, in routines that do not call themselves, as all that it became in the machine
        code, with the cost of all; the dearest first."""
        groups: dict[Hashable, list[LoopProfile]] = defaultdict(list)
        for of in self.profile.loops:
            loop = of.loop
            if loop.line and self.is_own_loop(loop) and not self.is_recursive(loop.routine):
                groups[loop.file, loop.line, loop.function].append(of)
        found = [sorted(of, key=self.inclusive, reverse=True) for of in groups.values()]
        totals = [(sum(map(self.inclusive, of)), of) for of in found]
        return sorted(totals, key=lambda of: of[0], reverse=True)

    @staticmethod
    def _is_within(loop: Loop, at: Place) -> bool:
        if loop.routine.key != at.routine.key:
            return False
        return at.loop is None or any(around.key == at.loop.loop.key for around in loop.around)

    def _called_only_within(self, at: Place) -> set[RoutineKey]:
        """The routines that only it and each other call, but for a little of what calls of them cost: of a
        recursion's calls the outermost, as each further one has a part of that again."""
        found = self._called_within(at) - {at.routine.key}
        around = found | {at.routine.key}
        callers = {key: self._callers[key] for key in found}
        whole = {key: sum(map(self._outermost_cost, edges)) for key, edges in callers.items()}
        outside: dict[RoutineKey, int] = defaultdict(int)
        pending = [of for key in found for of in callers[key] if of.caller.key not in around]
        while pending:
            edge = pending.pop()
            key = edge.callee.key
            if key not in found:
                continue
            outside[key] += self._outermost_cost(edge)
            if outside[key] > _LITTLE * whole[key]:
                found.remove(key)
                pending += self._callees[key]
        return found

    def _outermost_cost(self, edge: CallEdge) -> int:
        return edge.outermost[self.event]

    def _called_within(self, at: Place) -> set[RoutineKey]:
        """What it may call, also by way of others."""
        found = {edge.callee.key for edge in self._callees[at.routine.key]}
        if at.loop is not None:
            _, most = self.costs_of_calls(at.loop)
            found = {key for key in found if most[key] > 0}
        pending = list(found)
        while pending:
            new = {edge.callee.key for edge in self._callees[pending.pop()]} - found
            found |= new
            pending += new
        return found

    def below(self, at: Place) -> Place | None:
        """The loop or routine directly within it that has most of its cost, if one has."""
        return next(self.descent(at), None)

    def directly_within(self, loop: LoopProfile) -> list[tuple[Place, float]]:
        """The loops within it, and what it may call: with the cells that all their executions read."""
        inner = self._inner[loop.loop.key]
        found = [(Place(of.loop.routine, of), float(cells_of(of))) for of in inner]
        _, most = self.costs_of_calls(loop)
        elsewhere = self._called_in_others(loop)
        for edge in self._callees[loop.loop.routine.key]:
            key = edge.callee.key
            if most[key] > 0 and key not in elsewhere and self.routines[key].calls > 0:
                found.append((Place(edge.callee), self._cells_of(edge, self.routines[key])))
        return found

    def _called_in_others(self, loop: LoopProfile) -> set[RoutineKey]:
        """What is mostly called in other loops of its routine: without it they would not cost so much."""
        at = Place(loop.loop.routine, loop)
        calls = self._callees[loop.loop.routine.key]
        costs = {edge.callee.key: edge.cost[self.event] for edge in calls}
        here = {of.key for of in (loop.loop, *loop.loop.around)}
        found = set[RoutineKey]()
        for of in self.loops_of(loop.loop.routine):
            if of.loop.key in here or self._is_within(of.loop, at):
                continue
            _, most = self.costs_of_calls(of)
            within = self.inclusive(of) - of.cost[self.event].own
            if sum(most.values()) < within:  # What costs more than that is called in it, too.
                most = {key: min(cost, within) for key, cost in costs.items()}
            lacking = sum(most.values()) - within
            found |= {key for key, cost in costs.items() if most[key] - lacking > MOST_OF * cost}
        return found

    def _cells_of(self, edge: CallEdge, callee: RoutineProfile) -> float:
        """That its calls read, about. Of a recursion's activations the outermost have all its input."""
        if self.is_recursive(edge.callee):
            return float(largest_size(callee, "rms") * edge.calls)
        return cells_of(callee) * edge.calls / callee.calls

    def _cost(self, at: Place) -> int:
        if at.loop is not None:
            return self.inclusive(at.loop)
        return self.inclusive(self.routines[at.routine.key])

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

        def new(edges: list[CallEdge]) -> list[CallEdge]:
            return [edge for edge in edges if (edge.callee.key, None) not in known]

        calls = dear(at.routine.key) if at.loop is None else self._calls_of(at.loop, due)
        # Back into a recursion: what else is there.
        found = new(calls) or [of for edge in calls for of in new(dear(edge.callee.key))]
        costliest = max(found, key=lambda edge: edge.cost[self.event], default=None)
        return None if costliest is None else Place(costliest.callee)

    def costs_of_calls(
        self, loop: LoopProfile
    ) -> tuple[dict[RoutineKey, int], dict[RoutineKey, int]]:
        """What calls of each routine cost the loop at least, and at most if all of them are in it. Edges are of its
        whole routine: what costs more than all that is called outside of the loop is called in it, and what costs
        more than all that the loop calls is not."""
        edges = self._callees[loop.loop.routine.key]
        costs = {edge.callee.key: edge.cost[self.event] for edge in edges}
        within = self.inclusive(loop) - loop.cost[self.event].own
        outside = sum(costs.values()) - within
        least = {key: max(cost - outside, 0) for key, cost in costs.items()}
        most = {key: cost if cost <= within else 0 for key, cost in costs.items()}
        return least, most

    def _calls_of(self, loop: LoopProfile, due: float) -> list[CallEdge]:
        """The calls that cost the loop as much as `due`. If none is so sure, it may be any that fits, and a
        recursion, whose cost counts again at each depth."""
        here = loop.loop.routine.key
        least, most = self.costs_of_calls(loop)
        sure = [edge for edge in self._callees[here] if least[edge.callee.key] >= due]
        fits = [
            edge
            for edge in self._callees[here]
            if most[edge.callee.key] >= due or edge.callee.key == here
        ]
        return sure or fits
