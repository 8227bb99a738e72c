"""What a report says of loops that read the same again: which of them, where they are, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aprofplot.findings.finding import Finding, Source, source_of_loop
from aprofplot.findings.iterations import growth_in_iterations
from aprofplot.findings.loop_tree import LoopTree, Place
from aprofplot.findings.read_again import ReadAgain, find_read_again
from aprofplot.fits.growth import Growth
from aprofplot.model import ITERATIONS, Loop
from aprofplot.names import base_name, counted, shorten

_NAME = 60  # characters of a function's
_HALF = 0.5  # of a finding's score: what has as much within it stands for it


def reading_again(tree: LoopTree, whole: int) -> Iterator[Finding]:
    """The findings. Of those that repeat the same it is the gravest."""
    found = sorted(find_read_again(tree, whole), key=lambda of: of.score, reverse=True)
    known = set()
    for of in _without_callers(found):
        place = tree.repeated_by(of.loop)
        if place.key not in known:
            known.add(place.key)
            yield _finding(tree, of, place)


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


def _finding(tree: LoopTree, of: ReadAgain, place: Place) -> Finding:
    outer = source_of_loop(of.loop.loop)
    up_to = "up to " if of.loop.executions > 1 else ""
    at, what = _named(of, place, outer)
    why = (
        f"each of {up_to}{counted(of.loop.longest, 'iteration')} of the loop at {outer} {what}reads "
        f"{of.cells:,.0f} cells, most of which those before it have read or stored: all of them together "
        f"have {of.input:,.0f} cells of input"
    )
    if of.how == "unknown":
        why += "; ten times the iterations on ten times as many cells would cost 100 times as much"
    evidence = {
        "read_again": round(of.again, 2),
        "cells_per_iteration": round(of.cells, 1),
        "iteration_grows": of.how,
        "iterations": of.loop.iterations,
        "executions": of.loop.executions,
        "repeated_by": {"function": outer.function, "file": outer.file, "line": outer.line},
    }
    growth = _growth(of, tree.event)
    scope = Place(of.loop.loop.routine, of.loop)
    return Finding("read-again", of.score, of.share, scope, place, at, growth, why, evidence)


def _named(of: ReadAgain, place: Place, outer: Source) -> tuple[Source, str]:
    """What is to blame, and what an iteration does with it."""
    if place.loop is None:
        return outer, f"calls {shorten(base_name(place.routine.name), _NAME)} and "
    if place.loop is of.loop:
        return outer, ""
    at = source_of_loop(place.loop.loop)
    return at, "runs an inner loop and " if str(at) == str(outer) else f"runs the one at {at} and "


def _growth(of: ReadAgain, event: str) -> Growth:
    """Of the loop's cost in its iterations."""
    if of.how in ("with the loop's size", "with each iteration"):
        return growth_in_iterations(of.loop, event)
    if of.how == "as what is left":
        # The sum of what is left at each step, as long as that falls in a straight line.
        return Growth(2.0, 2.0, "n^2", ITERATIONS, 0.9, "grows as n^2 in its iterations")
    sentence = "in proportion to its iterations and to the cells that each reads"
    return Growth(None, None, "", None, 0.0, sentence)
