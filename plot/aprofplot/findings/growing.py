"""Routines and loops whose cost grows faster than their input, at the lowest that does.

What calls such a one grows with it: it is named only where nothing that has most of its cost grows so
itself. A law of cost in input size is taken at its word only where it holds from octave to octave of
the sizes, as that of a mixture of behaviours does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aprofplot.findings.called_back import called_templates, own_place
from aprofplot.findings.culprit import culprit_of
from aprofplot.findings.finding import Finding, Kind, source_of
from aprofplot.findings.finding_place import Place, Scope, place_of
from aprofplot.findings.loop_tree import LoopTree
from aprofplot.findings.octaves import LEAST_SIZES, holds_throughout, octaves_of
from aprofplot.findings.read_again import LEAST_SHARE, STEEP
from aprofplot.fits.growth import Growth, growth_of, reads_little
from aprofplot.fits.law import Fit
from aprofplot.metrics import input_volume
from aprofplot.model import ITERATIONS, LoopProfile, PointTable
from aprofplot.names import counted

_SURE = 0.7  # confidence of a law, at least
_EXPLAINED = 0.7  # r2 of a law, at least
# A recursion's calls are of all depths: those of std::sort in a program without fault follow n^1.8.
_RECURSIVE = 2.0
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
    """All that qualify, of the user's own code and of what of a library it calls."""
    scopes: list[Scope] = [of for of in tree.routines.values() if tree.is_own(of.routine)]
    scopes += called_templates(tree)
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
    if len(table) < LEAST_SIZES:
        return None
    growth = growth_of(fit, table, tree.event, metric)
    if growth.low is None or growth.low < _steep(tree, scope) or growth.confidence < _SURE:
        return None
    if fit.law is not None and (fit.r2 or 0.0) < _EXPLAINED:
        return None
    found = _Growing(scope, growth, table, tree.share(tree.inclusive(scope)))
    qualifies = found.score >= LEAST_SHARE and holds_throughout(table, tree.event)
    return found if qualifies else None


def _steep(tree: LoopTree, scope: Scope) -> float:
    """The least exponent of what is said to grow."""
    routine = place_of(scope).routine
    is_sort = scope is tree.routines.get(routine.key) and not tree.is_own(routine)
    return _RECURSIVE if is_sort and tree.is_recursive(routine) else STEEP


def _finding(tree: LoopTree, of: _Growing) -> Finding:
    scope = of.place
    place = _place_in_source(tree, of.scope)
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
    is_own = scope.loop is not None or tree.is_own(scope.routine)
    inside = (
        tree.below(scope) if is_own else None
    )  # of a library only what the user calls is looked at
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


def _place_in_source(tree: LoopTree, scope: Scope) -> Place:
    """What of the user's source to look at."""
    if isinstance(scope, LoopProfile):
        return culprit_of(tree, scope).place
    return Place(scope.routine) if tree.is_own(scope.routine) else own_place(tree, scope)


def _times(table: PointTable, event: str) -> str:
    """How many times the cost per unit of size rises from the lowest octave to the highest."""
    first, *_, last = octaves_of(table, event)
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
