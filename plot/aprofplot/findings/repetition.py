"""What a report says of loops that read the same again: which of them, where they are, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aprofplot.findings.culprit import Culprit, culprit_of
from aprofplot.findings.finding import Finding, source_of, source_of_loop
from aprofplot.findings.finding_place import Place
from aprofplot.findings.iteration_progress import left_to_the_last, progress_of
from aprofplot.findings.iterations import growth_in_iterations
from aprofplot.findings.loop_tree import LoopTree
from aprofplot.findings.read_again import STEEP, ReadAgain, find_read_again
from aprofplot.fits.growth import Growth
from aprofplot.model import ITERATIONS, Loop
from aprofplot.names import counted

_HALF = 0.5  # of a finding's score, or of its cells: what has as much within it stands for it


def reading_again(tree: LoopTree) -> Iterator[Finding]:
    """The findings. Of those that repeat the same it is the gravest. One whose cost does not grow is none, as
    where next to nothing is read for what else an iteration does."""
    found = sorted(find_read_again(tree), key=lambda of: of.score, reverse=True)
    known = set()
    for of in _without_outer_loops(found):
        what = culprit_of(tree, of.part, _reader(tree, of))
        growth = _growth(of, tree.event)
        if what.place.key in known or growth.high is not None and growth.high < STEEP:
            continue
        known.add(what.place.key)
        yield _finding(of, what, growth)


def _reader(tree: LoopTree, of: ReadAgain) -> Place | None:
    """What reads most of the cells within the loop, if what has most of its cost does not: lines may cost more to
    format than to append to a string whose end is looked for each time."""
    due = _HALF * of.cells * of.part.iterations
    dearest = tree.below(Place(of.part.loop.routine, of.part))
    within = tree.directly_within(of.part)
    if dearest is None or dearest.key not in (place.key for place, _ in within):
        return None
    at = source_of(dearest)  # also of its other copies
    if sum(read for place, read in within if source_of(place) == at) >= due:
        return None
    reader, read = max(within, key=lambda found: found[1])
    return reader if read >= due else None


def _without_outer_loops(found: Sequence[ReadAgain]) -> list[ReadAgain]:
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


def _finding(of: ReadAgain, what: Culprit, growth: Growth) -> Finding:
    outer = source_of_loop(of.loop.loop)
    up_to = "up to " if of.loop.executions > 1 else ""
    why = (
        f"each of {up_to}{counted(of.loop.longest, 'iteration')} of the loop at {outer} {what.also('reads')} "
        f"{of.cells:,.0f} cells on average, most of which earlier iterations have already read or stored; the loop as a "
        f"whole has {counted(round(of.input), 'cell')} of input"
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
    scope = Place(of.loop.loop.routine, of.loop)
    return Finding("read-again", of.score, of.share, scope, what.place, growth, why, evidence)


def _growth(of: ReadAgain, event: str) -> Growth:
    """Of the loop's cost in its iterations."""
    if of.how in ("with the loop's size", "with each iteration"):
        return growth_in_iterations(of.loop, event)
    if of.how == "as what is left":
        # The sum of what is left at each step, and of what each costs whatever is left.
        left = left_to_the_last(of.loop, progress_of(of.loop, event).cost)
        return Growth(
            2 / (1 + left), 2.0, "n^2", ITERATIONS, 0.9, "grows up to n^2 in its iterations"
        )
    sentence = "in proportion to its iterations and to the cells that each reads"
    return Growth(None, None, "", None, 0.0, sentence)
