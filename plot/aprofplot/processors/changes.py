"""Changes of a program, applied to its dag for P processors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from aprofplot.processors.chunked_loops import taken_in_order
from aprofplot.processors.divided_loops import DividedLoops
from aprofplot.processors.redivision import rescheduled
from aprofplot.work_span.model import Dag, Part, Sections, Strand

Change = Callable[[Dag, int], Dag]


def faster(paths: frozenset[int], factor: Fraction) -> Change:
    """What is executed on these paths takes so many times less work."""
    return lambda dag, _: _of_strands(dag, lambda strand: _faster(strand, paths, factor))


def parallel(paths: frozenset[int]) -> Change:
    """The processors share evenly what is executed on these paths."""
    return lambda dag, count: _of_strands(dag, lambda strand: _parallel(strand, paths, count))


def without_locks(numbers: frozenset[int]) -> Change:
    """Nobody waits for these locks."""

    def unlocked(strand: Strand) -> Strand:
        return replace(
            strand,
            acquires=0 if strand.acquires in numbers else strand.acquires,
            releases=0 if strand.releases in numbers else strand.releases,
            sections=tuple(use for use in strand.sections if use.lock not in numbers),
        )

    return lambda dag, _: _of_strands(dag, unlocked)


def without_overhead(paths: frozenset[int]) -> Change:
    """Run-time libraries execute nothing on these paths."""

    def bare(strand: Strand) -> Strand:
        parts = (
            replace(part, overheads=()) if part.path in paths else part for part in strand.parts
        )
        return replace(strand, parts=tuple(parts))

    return lambda dag, _: _of_strands(dag, bare)


def with_burden(burden: int) -> Change:
    """A strand that is stolen costs so much."""
    return lambda dag, _: replace(dag, burden=burden)


def scheduled(loops: frozenset[int], chunk: int, is_dynamic: bool) -> Change:
    """These loops, by path, are scheduled so, in chunks of so many iterations; 0: in equal shares."""

    def change(dag: Dag, processors: int) -> Dag:
        dag = taken_in_order(dag, processors)
        return rescheduled(dag, DividedLoops(dag).of(loops), chunk, processors, is_dynamic)

    return change


def _of_strands(dag: Dag, change: Callable[[Strand], Strand]) -> Dag:
    return replace(dag, strands=tuple(map(change, dag.strands)))


def _faster(strand: Strand, paths: frozenset[int], factor: Fraction) -> Strand:
    work = strand.work
    if not work or not any(part.path in paths for part in strand.parts):
        return strand
    parts = tuple(
        replace(part, work=round(part.work / factor)) if part.path in paths else part
        for part in strand.parts
    )
    now = sum(part.work for part in parts)
    sections = tuple(_shorter(use, strand, parts) for use in strand.sections)
    return replace(strand, parts=parts, span=strand.span * now // work, sections=sections)


def _shorter(use: Sections, strand: Strand, parts: Sequence[Part]) -> Sections:
    """Critical sections of a strand, when its parts have become these."""
    now = {part.path: part.length for part in parts}
    if not use.by_path:
        return replace(use, held=use.held * sum(now.values()) // max(strand.length, 1))
    before = {part.path: part.length for part in strand.parts}
    by_path = tuple(
        (path, held * now.get(path, 0) // max(before.get(path, 0), 1)) for path, held in use.by_path
    )
    return replace(use, held=sum(held for _, held in by_path), by_path=by_path)


def _parallel(strand: Strand, paths: frozenset[int], processors: int) -> Strand:
    shared = sum(part.work for part in strand.parts if part.path in paths)
    if not shared:
        return strand
    serial = strand.span * (strand.work - shared) // strand.work
    return replace(strand, span=min(strand.span, max(1, serial + -(-shared // processors))))
