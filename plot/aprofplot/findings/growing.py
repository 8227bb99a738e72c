"""Routines and loops whose cost grows faster than their input, at the lowest that does.

What calls such a one grows with it: it is named only where nothing that has most of its cost grows so
itself. A law of cost in input size is taken at its word only where it holds from octave to octave of
the sizes, as that of a mixture of behaviours does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from aprofplot.findings.culprit import culprit_of
from aprofplot.findings.finding import Finding, Kind, source_of
from aprofplot.findings.loop_tree import LoopTree, Place, Scope, place_of
from aprofplot.findings.read_again import LEAST_SHARE, STEEP
from aprofplot.fits.growth import Growth, growth_of, reads_little
from aprofplot.fits.law import Fit
from aprofplot.metrics import Floats, input_volume, variance_of_points
from aprofplot.model import ITERATIONS, PointTable, cost_column
from aprofplot.names import counted

_SURE = 0.7  # confidence of a law, at least
_EXPLAINED = 0.7  # r2 of a law, at least
_EACH_OCTAVE = 1.15  # the exponent from one octave of sizes to the next, at least
_LEAST_OCTAVES = 3  # with sizes
_OCTAVES = 4  # that are looked at, the largest ones ...
_RARE = 0.05  # ... but for those that have less of the cost together
_GAP = np.log(8.0)  # between the sizes of neighbours: beyond one, what is there is something else
_SCATTER = 0.25  # of activations of one size: more is a mixture
# Of sizes off a line through them: 0.06 at most for faults; 0.19 where a hash table rehashes.
_OFF = 0.125
_LEAST_SIZES = 5
_INDUCED = 0.5  # of the input, that it is named by

_ORIGINS: dict[Kind, str] = {"thread-input": "thread", "external-input": "external"}
_FROM: dict[Kind, str] = {
    "rms-misleads": "; it hardly reads anything, so its RMS does not show that",
    "thread-input": "; other threads have stored most of that input",
    "external-input": "; most of that input came from outside, as from files",
}


@dataclass(frozen=True)
class _Growing:
    """The cost of `scope` grows so in the sizes of `table`. `share`: of the run's cost, 0..1."""

    scope: Scope
    growth: Growth
    table: PointTable
    share: float

    @property
    def score(self) -> float:
        """Share of the cost that is at stake."""
        return self.share * min((self.growth.low or 1.0) - 1, 1.0) * self.growth.confidence

    @property
    def place(self) -> Place:
        """The routine, or the loop in its routine."""
        return place_of(self.scope)


def growing(tree: LoopTree) -> Iterator[Finding]:
    """The findings."""
    found = {of.place.key: of for of in _find_growing(tree)}
    for of in found.values():
        below = (place.key for place in tree.descent(of.place))
        if not any(key in found for key in below):
            yield _finding(tree, of)


def _find_growing(tree: LoopTree) -> list[_Growing]:
    """All that qualify, of the user's own code."""
    scopes: list[Scope] = [of for of in tree.routines.values() if tree.is_own(of.routine)]
    scopes += [of for of in tree.profile.loops if tree.is_own_loop(of.loop)]
    costly = [of for of in scopes if tree.share(tree.inclusive(of)) >= LEAST_SHARE]
    found = (_growing(tree, of, fits) for of, fits in zip(costly, tree.fits(costly)))
    return [of for of in found if of is not None]


def _growing(tree: LoopTree, scope: Scope, fits: dict[str, Fit]) -> _Growing | None:
    """In its input or, if that is small for its iterations, first in these, and in its input only if it does not
    qualify there. Compilers make one loop of two that share a header, as clang++ -O3 of rounds over a graph's edges:
    n in its iterations, n^2 in its input."""
    metric = "trms" if "trms" in scope.points else "rms"
    names = [ITERATIONS, metric] if reads_little(scope.points, metric) else [metric]
    found = (_growing_in(tree, scope, fits[name], name) for name in names)
    return next((of for of in found if of is not None), None)


def _growing_in(tree: LoopTree, scope: Scope, fit: Fit, metric: str) -> _Growing | None:
    table = scope.points[metric]
    if len(table) < _LEAST_SIZES:
        return None
    growth = growth_of(fit, table, tree.event, metric)
    if growth.low is None or growth.low < STEEP or growth.confidence < _SURE:
        return None
    if fit.law is not None and (fit.r2 or 0.0) < _EXPLAINED:
        return None
    found = _Growing(scope, growth, table, tree.share(tree.inclusive(scope)))
    qualifies = found.score >= LEAST_SHARE and holds_throughout(table, tree.event)
    return found if qualifies else None


def holds_throughout(table: PointTable, event: str) -> bool:
    """Whether the cost grows clearly faster than the size from octave to octave of the sizes that have
    the cost, and activations of one size cost alike. A cost that is a straight line at the largest sizes, but
    for less at the smallest, looks as steep and goes on as n."""
    octaves = _octaves(table, event)
    costs = np.array([of.total for of in octaves])
    beyond = np.cumsum(costs[::-1])[::-1]  # the cost of each and of all larger ones
    kept = [of for of, cost in zip(octaves, beyond) if cost >= _RARE * costs.sum()][-_OCTAVES:]
    if len(kept) < _LEAST_OCTAVES or max(of.scatter for of in kept) > _SCATTER:
        return False
    off_a_power, _ = _errors(*_means(table, event, kept[0].least))
    if off_a_power > _OFF:
        return False
    sizes, *_ = _means(table, event, kept[-_LEAST_OCTAVES].least)
    if len(sizes) < _LEAST_SIZES:
        return False
    last = _means(table, event, kept[-2].least)
    off_a_power, off_a_line = _errors(*last)
    if len(last[0]) > 2 and off_a_line < off_a_power:  # two fit anything
        return False
    x, y = np.log([of.size for of in kept]), np.log([of.mean for of in kept])
    steps = np.diff(y) / np.diff(x)
    upper = (y[-1] - y[-_LEAST_OCTAVES]) / (x[-1] - x[-_LEAST_OCTAVES])
    return bool(np.all(steps >= _EACH_OCTAVE) and np.diff(x).max() <= _GAP and upper >= STEEP)


def _means(table: PointTable, event: str, least: float) -> tuple[Floats, Floats, Floats]:
    """The sizes from `least` on that cost something, their mean costs, and the costs as which they weigh."""
    size = np.maximum(table.column("size").astype(float), 1.0)
    total = table.column(cost_column(event, False, "sum")).astype(float)
    there = (size >= least) & (total > 0)
    weight = total[there]
    return size[there], weight / table.column("calls").astype(float)[there], weight


def _errors(x: Floats, y: Floats, weight: Floats) -> tuple[float, float]:
    """How far mean costs are off a power of the size, and off a straight line with an offset: relative
    errors."""
    power = np.polyval(np.polyfit(np.log(x), np.log(y), 1, w=np.sqrt(weight)), np.log(x))
    line = np.polyval(np.polyfit(x, y, 1, w=np.sqrt(weight) / y), x)
    of_power, of_line = (
        float(np.sqrt((weight * error**2).sum() / weight.sum()))
        for error in (np.log(y) - power, line / y - 1)
    )
    return of_power, of_line


@dataclass(frozen=True)
class _Octave:
    """Of sizes: the least of them, the mean size and cost of its activations, their `total` cost, and the
    relative standard deviation of those of one size."""

    least: float
    size: float
    mean: float
    total: float
    scatter: float


def _octaves(table: PointTable, event: str) -> list[_Octave]:
    """From the largest size on, ascending."""
    size = np.maximum(table.column("size").astype(float), 1.0)
    calls = table.column("calls").astype(float)
    cost = table.column(cost_column(event, False, "sum")).astype(float)
    variance = variance_of_points(table, event, False) * calls
    octave = np.floor(np.log2(size[-1] / size) + 1e-9)
    found = []
    for each in sorted(set(octave.tolist()), reverse=True):
        there = octave == each
        number, total = calls[there].sum(), cost[there].sum()
        mean = max(total / number, 0.5)
        scatter = np.sqrt(variance[there].sum() / number) / mean
        middle = float((size * calls)[there].sum() / number)
        found.append(_Octave(float(size[there].min()), middle, mean, total, scatter))
    return found


def _finding(tree: LoopTree, of: _Growing) -> Finding:
    scope = of.place
    place = scope if scope.loop is None else culprit_of(tree, scope.loop).place
    calls = int(of.table.column("calls").sum())
    sizes = of.table.column("size")
    in_iterations = of.growth.grows_in == ITERATIONS
    unit, each = ("iterations", "iteration") if in_iterations else ("cells of input", "cell")
    noun = "execution" if scope.loop else "call"
    why = (
        f"{counted(calls, noun)} of {_described(scope)} had {int(sizes[0]):,} to {int(sizes[-1]):,} {unit}, and the "
        f"largest cost {_times(of.table, tree.event)} times as much per {each} as the smallest"
    )
    kind = _kind(of)
    why += _FROM.get(kind, "")
    inside = tree.below(scope)
    if inside is not None and inside.key != place.key:
        why += (
            f"; most of the cost is in {_described(inside)}, which does not grow like that itself"
        )
    evidence = {
        "executions": calls,
        "sizes": len(sizes),
        "smallest": int(sizes[0]),
        "largest": int(sizes[-1]),
    }
    return Finding(kind, of.score, of.share, scope, place, of.growth, why, evidence)


def _times(table: PointTable, event: str) -> str:
    """How many times the cost per unit of size rises from the lowest octave to the highest."""
    first, *_, last = _octaves(table, event)
    times = (last.mean / last.size) / (first.mean / first.size)
    return f"{times:,.0f}" if times >= 9.95 else f"{times:.2g}"


def _kind(of: _Growing) -> Kind:
    """By where its size is."""
    if of.growth.grows_in == ITERATIONS:
        return "rms-misleads"
    volume = max(input_volume(of.table), 1)
    for kind, column in _ORIGINS.items():
        if int(of.table.column(column).sum()) >= _INDUCED * volume:
            return kind
    return "growth"


def _described(place: Place) -> str:
    return str(source_of(place)) if place.loop is None else f"the loop at {source_of(place)}"
