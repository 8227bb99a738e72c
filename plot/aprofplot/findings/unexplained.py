"""Routines and loops whose calls or executions cost very differently though their input has one size.

Their cost depends on something that they do not read from memory: a number in a register, or what they store. A
loop within them that has most of the cost explains it by its iterations, or is named itself. If an integer argument
explains it, the finding says which. Calls in a recursion cost less the deeper they are: routines that call
themselves are left out, and so are the loops of a recursion, also one by way of others.
"""

from __future__ import annotations

from collections.abc import Iterator

from aprofplot.findings.culprit import culprit_of
from aprofplot.findings.finding import Finding, Kind, source_of
from aprofplot.findings.finding_place import Scope, place_of
from aprofplot.findings.loop_tree import LoopTree
from aprofplot.fits.growth import Growth, best_known, growth_of, variation
from aprofplot.fits.law import Fit, number
from aprofplot.model import ITERATIONS, LoopProfile
from aprofplot.names import counted, printable

_LEAST_SHARE = 0.2  # of the run's cost: nothing else is known of it
_LEAST_TIMES = 30.0  # the dearest call costs the cheapest's
_WORTH = 0.25  # of its share, as a score: it is no fault that is known


def unexplained(tree: LoopTree) -> Iterator[Finding]:
    """The findings."""
    routines = (of for of in tree.routines.values() if tree.is_own(of.routine))
    scopes: list[Scope] = [of for of in routines if not tree.calls_by_itself(of.routine)]
    loops = (of for of in tree.profile.loops if tree.is_own_loop(of.loop))
    scopes += [of for of in loops if not tree.is_recursive(place_of(of).routine)]
    costly = [of for of in scopes if tree.share(tree.inclusive(of)) >= _LEAST_SHARE]
    for of, fits in zip(costly, tree.fits(costly)):
        place = place_of(of)
        times = _varies(tree, of, fits)
        if times >= _LEAST_TIMES and not any(at.loop is not None for at in tree.descent(place)):
            _, known = best_known(of.points, fits, tree.event)
            yield _finding(tree, of, known, times)


def _varies(tree: LoopTree, of: Scope, fits: dict[str, Fit]) -> float:
    """The dearest cost by the cheapest if its sizes, also in iterations, are one; else 1."""
    metric = _metric(of)
    sizes = [name for name in (metric, ITERATIONS) if name in of.points]
    growths = (growth_of(fits[name], of.points[name], tree.event, name) for name in sizes)
    if not all(growth.size_unknown for growth in growths):
        return 1.0
    return variation(of.points[metric], tree.event)


def _metric(of: Scope) -> str:
    return "trms" if "trms" in of.points else "rms"


def _as_many(of: Scope, metric: str, units: str) -> str:
    """How many of these all have, of sizes that are one to fits."""
    sizes = of.points[metric].column("size")
    return (
        f"the same number of {units}"
        if sizes[0] == sizes[-1]
        else f"about the same number of {units}"
    )


def _finding(tree: LoopTree, of: Scope, growth: Growth, times: float) -> Finding:
    scope = place_of(of)
    at = source_of(scope)
    share = tree.share(tree.inclusive(of))
    ratio = f"the dearest costs {number(times)} times as much as the cheapest"
    cells = _as_many(of, _metric(of), "cells")
    if isinstance(of, LoopProfile):
        why = (
            f"of {counted(of.executions, 'execution')} of the loop at {at} {ratio}, though all read {cells} and run "
            f"{_as_many(of, ITERATIONS, 'iterations')}: the cost depends on a number that is not read from memory"
        )
        evidence = {"executions": of.executions, "varies": round(times, 1)}
        place = culprit_of(tree, of).place
        return Finding("unexplained", _WORTH * share, share, scope, place, growth, why, evidence)
    argument = growth.argument
    depends = "perhaps an argument" if argument is None else f"its argument {printable(argument)}"
    why = (
        f"of {counted(of.calls, 'call')} {ratio}, though all read {cells}: the cost depends on a number that is not "
        f"read from memory, {depends}"
    )
    evidence = {"calls": of.calls, "varies": round(times, 1)}
    kind: Kind = "unexplained" if argument is None else "growth"
    return Finding(kind, _WORTH * share, share, scope, scope, growth, why, evidence)
