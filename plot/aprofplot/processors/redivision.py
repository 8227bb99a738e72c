"""Divides loops anew among P threads that those of the run divided by number, or schedules them otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aprofplot.processors.divided_loops import DividedLoops
from aprofplot.processors.divisions import Division
from aprofplot.processors.substitution import Parts, Redivision, substituted
from aprofplot.work_span.model import Dag

_CHUNKS = 64  # for each processor, at most: of more, several are taken together


@dataclass(frozen=True, eq=False, slots=True)
class RedividedDag:
    """`anew`: the paths on which loops begin that had another number of shares. `kept`: those of loops that still have it,
    as they may be work of each thread's own, with that number."""

    dag: Dag
    anew: frozenset[int] = frozenset()
    kept: Mapping[int, int] = field(default_factory=dict)


def redivided(dag: Dag, processors: int) -> RedividedDag:
    """With as many shares as processors, or iterations if these are fewer. Loops whose iterations are unknown stay."""
    anew: list[Redivision] = []
    kept: dict[int, int] = {}
    for division, loops in DividedLoops(dag).all:
        if not division.iterations:
            if len(division.shares) != processors:
                kept |= dict.fromkeys(loops, len(division.shares))
        elif len(division.shares) != min(processors, division.iterations):
            anew.append(Redivision(division, [[share] for share in _shares(division, processors)]))
    dag, made = substituted(dag, anew)
    return RedividedDag(dag, frozenset(of.division.path for of in made), kept)


def rescheduled(
    dag: Dag, found: Sequence[Division], chunk: int, processors: int, is_dynamic: bool
) -> Dag:
    """These divisions in chunks of so many iterations, which are dealt out in turn, or each taken by who is free. Of 0: a
    share for each processor."""
    made: list[Redivision] = []
    for of in found:
        pieces = _chunks(of, chunk, processors) if chunk else _shares(of, processors)
        parts: list[Parts] = [[piece] for piece in pieces]
        if not is_dynamic:
            parts = [pieces[n::processors] for n in range(min(len(pieces), processors))]
        made.append(Redivision(of, parts))
    return substituted(dag, made)[0]


def _shares(of: Division, processors: int) -> list[tuple[float, float]]:
    """Equal ones; of iterations, the first have one more."""
    count = min(processors, of.iterations) if of.iterations else processors
    each, more = divmod(of.iterations or count, count)
    return _between([n * each + min(n, more) for n in range(count + 1)])


def _chunks(of: Division, chunk: int, processors: int) -> list[tuple[float, float]]:
    most = _CHUNKS * processors
    if -(-of.iterations // chunk) > most:
        return _between(range(most + 1))
    return _between([*range(0, of.iterations, chunk), of.iterations])


def _between(bounds: Sequence[int]) -> list[tuple[float, float]]:
    """As fractions of the last."""
    return [(begin / bounds[-1], end / bounds[-1]) for begin, end in zip(bounds, bounds[1:])]
