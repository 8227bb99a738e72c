"""Findings: at most a handful, ranked, each a sentence with a place in the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from aprofplot.findings.loop_tree import LoopTree, Place
from aprofplot.findings.read_again import ReadAgain, find_read_again
from aprofplot.findings.recursion import Recursion, find_recursion
from aprofplot.metrics import total_cost
from aprofplot.model import Loop, Profile
from aprofplot.names import base_name, counted
from aprofplot.ownership import is_system_source

MOST = 5  # findings
_HALF = 0.5  # of a finding's score: what has as much within it stands for it

Kind = Literal["read-again", "recursion"]


@dataclass(frozen=True)
class Source:
    """A place in the user's source: `file` is empty and lines are 0 where unknown."""

    function: str
    file: str
    line: int
    last_line: int

    def __str__(self) -> str:
        where = f"{self.file.rpartition('/')[2]}:{self.line}" if self.line else ""
        return f"{self.function} ({where})" if where else self.function


@dataclass(frozen=True)
class Finding:
    """`score`: share of the cost at stake, 0..1; `share`: that of the loop or routine. `at`: what is to
    blame. `exponent`: of the cost in what `grows_in` names; None where it is no power."""

    kind: Kind
    score: float
    share: float
    sentence: str
    place: Place
    at: Source
    evidence: Mapping[str, Any]
    exponent: float | None
    grows_in: str


def find_all(profile: Profile, event: str) -> list[Finding]:
    """The findings of a profile with loops, the gravest first, at most MOST. Threads are merged."""
    tree = LoopTree(profile, event)
    whole = total_cost(profile, event)
    findings = [_branching(of) for of in find_recursion(tree, whole)]
    findings += _reading_again(tree, find_read_again(tree, whole))
    findings.sort(key=lambda of: of.score, reverse=True)
    return findings[:MOST]


def _reading_again(tree: LoopTree, found: list[ReadAgain]) -> list[Finding]:
    """Those that repeat the same are one finding: the gravest."""
    found.sort(key=lambda of: of.score, reverse=True)
    kept: list[tuple[ReadAgain, Place]] = []
    for of in _without_callers(found):
        place = tree.repeated_by(of.loop)
        if all(_key(place) != _key(other) for _, other in kept):
            kept.append((of, place))
    return [_finding(of, place) for of, place in kept]


def _key(place: Place) -> tuple[object, object]:
    return place.routine.key, None if place.loop is None else place.loop.loop.key


def _without_callers(found: Sequence[ReadAgain]) -> list[ReadAgain]:
    """Without those that have one within them with half of their score: it is the one to mend."""
    return [
        of
        for of in found
        if not any(
            _is_within(other.loop.loop, of.loop.loop) and other.score >= _HALF * of.score
            for other in found
            if other is not of
        )
    ]


def _is_within(inner: Loop, outer: Loop) -> bool:
    return any(around.key == outer.key for around in inner.around)


def source_of(loop: Loop) -> Source:
    """Where the user's source has the loop: in the function that it is written in or, if that is the
    system's, in the first of the user's own that this was inlined into."""
    if loop.function and not is_system_source(loop.file):
        return Source(base_name(loop.function), loop.file, loop.line, loop.last_line)
    for call in loop.inlined:
        if not is_system_source(call.file):
            return Source(base_name(call.caller), call.file, call.line, call.line)
    routine = loop.routine
    return Source(base_name(routine.name), routine.file, routine.line, routine.line)


def _branching(of: Recursion) -> Finding:
    routine = of.routine.routine
    at = Source(base_name(routine.name), routine.file, routine.line, routine.line)
    sentence = (
        f"{at.function} calls itself {of.calls / of.outer:,.0f} times for each call from elsewhere, in "
        f"many branches, on at most {counted(of.input, 'cell')} of input: each level of depth multiplies "
        "its calls, which compute the same again unless they store what they find"
    )
    return Finding(
        "recursion",
        of.share,
        of.share,
        sentence,
        Place(routine),
        at,
        {"calls": of.calls, "outer_calls": of.outer, "largest_input": of.input},
        None,
        "depth",
    )


def _finding(of: ReadAgain, place: Place) -> Finding:
    outer = source_of(of.loop.loop)
    iterations = of.loop.iterations // max(of.loop.executions, 1)
    if place.loop is None:
        at = outer
        what = f"the loop at {outer} calls {base_name(place.routine.name)} in each iteration"
    elif place.loop is of.loop:
        at = outer
        what = f"each iteration of the loop at {outer}"
    else:
        at = source_of(place.loop.loop)
        what = f"the loop at {at} runs in each iteration of the one at {outer}"
    sentence = (
        f"{what}, {counted(iterations, 'iteration')}, and reads again what those before have read or "
        f"stored: {of.cells:,.0f} cells each, where all of them together have {of.input:,.0f} cells of "
        "input"
    )
    return Finding(
        "read-again",
        of.score,
        of.share,
        sentence,
        place,
        at,
        {
            "read_again": round(of.again, 2),
            "cells_per_iteration": round(of.cells, 1),
            "iterations": of.loop.iterations,
            "executions": of.loop.executions,
            "repeated_by": {"function": outer.function, "file": outer.file, "line": outer.line},
        },
        of.exponent,
        of.growth,
    )
