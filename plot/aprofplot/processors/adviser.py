"""Finds the changes of a program that pay most on P processors: of the functions that take most
effort, and of contended locks, each simulated alone.

Takes one simulation for each change that is tried: at most 2 * FUNCTIONS + LOCKS.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aprofplot.names import printable
from aprofplot.processors.charges import Costs
from aprofplot.processors.idle_kinds import IdleKinds
from aprofplot.processors.user_code import UserCode
from aprofplot.processors.what_if import parse_change
from aprofplot.work_span.model import Lock

FUNCTIONS, LOCKS = 8, 3  # that are tried, those with most effort and waits
_LEAST = 0.05  # of total effort, from which a function or lock is tried
_WHOLE = 0.95  # of the work: a function with more is the program
_GAIN = 1.02  # below which a change is not told


@dataclass(frozen=True, slots=True)
class Advice:
    """A `change` in the words of what_if, and how many times as fast the program would be."""

    change: str
    gain: float


def advise(costs: Costs, locks: Sequence[Lock]) -> list[Advice]:
    """The changes that pay, the most first."""
    found = []
    for text in _changes(costs, locks):
        dag = parse_change(text, costs.dag, locks)(costs.dag, costs.processors)
        gain = costs.gain(dag)
        if gain >= _GAIN:
            found.append(Advice(text, gain))
    return sorted(found, key=lambda advice: -advice.gain)


def _changes(costs: Costs, locks: Sequence[Lock]) -> Iterator[str]:
    code = UserCode(costs.dag)
    idle = IdleKinds(costs, code, locks)
    for function, paths in _functions(costs, code):
        yield f"{function} x2"
        # What runs beside itself is parallel already.
        if all(idle.runs_alone(path) for path in paths):
            yield f"{function} parallel"
    for name, amount in _waits(costs, locks).most_common(LOCKS):
        if amount >= _LEAST * costs.total.effort:
            yield f"without lock {name}"


def _waits(costs: Costs, locks: Sequence[Lock]) -> Counter[str]:
    """By the name of locks, which several may have."""
    found: Counter[str] = Counter()
    for number, amount in costs.schedule.waits_of.items():
        if number <= len(locks):
            found[printable(locks[number - 1].name)] += amount
    return found


def _functions(costs: Costs, code: UserCode) -> list[tuple[str, list[int]]]:
    """Of the user, with the paths to their outermost calls: those with most effort, but the program's
    own."""
    paths: dict[str, list[int]] = {}
    for path in range(1, len(costs.dag.paths)):
        if code.innermost(path) == path:
            names = [frame.function for frame in code.frames(path)]
            if names[-1] not in names[:-1]:
                paths.setdefault(names[-1], []).append(path)

    def effort(of: Sequence[int]) -> int:
        return sum(costs.inclusive[path].effort for path in of)

    parts = [
        (function, of)
        for function, of in paths.items()
        if effort(of) >= _LEAST * costs.total.effort
        and sum(costs.inclusive[path].work for path in of) < _WHOLE * costs.total.work
    ]
    return sorted(parts, key=lambda part: -effort(part[1]))[:FUNCTIONS]
