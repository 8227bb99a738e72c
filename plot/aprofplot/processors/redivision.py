"""Divides loops anew among P threads that those of the run divided by number or took in chunks, or schedules them
otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aprofplot.processors.chunked_loops import guided_bounds, taken_in_order
from aprofplot.processors.divided_loops import DividedLoops
from aprofplot.processors.divisions import Division
from aprofplot.processors.substitution import Parts, Redivision, substituted
from aprofplot.work_span.model import Dag, LoopSchedule

_CHUNKS = 64  # for each processor, at most: of more, several are taken together


@dataclass(frozen=True, eq=False, slots=True)
class RedividedDag:
    """`anew`: the paths on which loops begin that had another number of shares. `guided`: loops with a guided schedule that
    had other chunks, by path. `kept`: loops that still have another number of shares, as they may be work of each
    thread's own, with that number."""

    dag: Dag
    anew: frozenset[int] = frozenset()
    guided: frozenset[int] = frozenset()
    kept: Mapping[int, int] = field(default_factory=dict)


def redivided(dag: Dag, processors: int) -> RedividedDag:
    """With as many shares as processors, or iterations if these are fewer; or in the chunks of as many threads, which any
    may take. Loops whose iterations are unknown stay."""
    dag = taken_in_order(dag, processors)
    anew: list[Redivision] = []
    guided: dict[int, int] = {}  # by division
    kept: dict[int, int] = {}
    loops = DividedLoops(dag)
    for division, paths in loops.by_number:
        if not division.iterations:
            if len(division.shares) != processors:
                kept |= dict.fromkeys(paths, len(division.shares))
        elif len(division.shares) != min(processors, division.iterations):
            anew.append(Redivision(division, [[share] for share in _shares(division, processors)]))
    for division, paths in loops.in_chunks:
        if division.iterations and division.first.schedule != LoopSchedule.DYNAMIC:
            chunks = _between(guided_bounds(division.first, processors))
            if chunks != [(share.begin, share.end) for share in division.shares]:
                anew.append(Redivision(division, [[chunk] for chunk in chunks]))
                guided[division.first.division] = min(paths, default=division.path)
    dag, made = substituted(dag, anew)
    divided = [of.division for of in made]
    return RedividedDag(
        dag,
        frozenset(of.path for of in divided if of.first.division not in guided),
        frozenset(guided[of.first.division] for of in divided if of.first.division in guided),
        kept,
    )


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
