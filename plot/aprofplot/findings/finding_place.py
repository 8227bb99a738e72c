"""The places that a finding may blame: a routine, or a loop in it."""

from __future__ import annotations

from dataclasses import dataclass

from aprofplot.metrics import input_volume
from aprofplot.model import (
    InlinedCall,
    LoopKey,
    LoopProfile,
    Routine,
    RoutineKey,
    RoutineProfile,
)

_LOOPS = 4  # iterations an execution, from which on it is one that repeats something

Scope = RoutineProfile | LoopProfile


@dataclass(frozen=True)
class Place:
    """Where something is: a loop, or a routine that has none which matters. `at`: where in functions that are
    inlined into the loop, as LoopCall has it; empty: it is all of the loop.
    """

    routine: Routine
    loop: LoopProfile | None = None
    at: tuple[InlinedCall, ...] = ()

    @property
    def key(self) -> tuple[RoutineKey, LoopKey | None]:
        """What tells it from others, also of another profile."""
        return self.routine.key, None if self.loop is None else self.loop.loop.key

    @property
    def goes_round(self) -> bool:
        """Whether it is a loop that repeats something."""
        return self.loop is not None and self.loop.iterations >= _LOOPS * self.loop.executions

    @property
    def mean_input(self) -> float:
        """The RMS of an execution of the loop; 0 if it is not known."""
        return 0.0 if self.loop is None else cells_of(self.loop) / max(self.loop.executions, 1)


def place_of(scope: Scope) -> Place:
    """The routine, or the loop in its routine."""
    if isinstance(scope, LoopProfile):
        return Place(scope.loop.routine, scope)
    return Place(scope.routine)


def cells_of(of: Scope) -> int:
    """That all its executions read."""
    return input_volume(of.points["rms"]) if "rms" in of.points else 0
