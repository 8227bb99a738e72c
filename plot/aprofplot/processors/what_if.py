"""What a change of the program would give: the dag as it would be then.

change              the dag has
ROUTINE xN          1/N of the work of the routine and of all that it calls
ROUTINE parallel    the same work, which the processors share evenly
without lock NAME   no critical section of that lock
"""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from aprofplot.errors import SelectionError, UsageError
from aprofplot.names import base_name, printable
from aprofplot.processors.blame import function_of
from aprofplot.work_span.model import Dag, Lock, Strand

# The dag after the change, for so many processors.
Change = Callable[[Dag, int], Dag]

_FORMS = "'ROUTINE xN', 'ROUTINE parallel' or 'without lock NAME'"


def changed(dag: Dag, changes: Sequence[Change], processors: int) -> Dag:
    """With all changes, one after the other."""
    for change in changes:
        dag = change(dag, processors)
    return dag


def parse_change(text: str, dag: Dag, locks: Sequence[Lock]) -> Change:
    """What it says. UsageError if it says nothing, SelectionError if it names nothing."""
    if text.startswith("without lock "):
        return _without_lock(text.removeprefix("without lock ").strip(), locks)
    name, _, how = text.rpartition(" ")
    if not name:
        raise UsageError(f"--what-if='{text}' is no change", f"say {_FORMS}")
    if how == "parallel":
        paths = _paths_of(name.strip(), dag)
        return lambda of, processors: _of_strands(of, lambda s: _parallel(s, paths, processors))
    factor = _factor(text, how)
    paths = _paths_of(name.strip(), dag)
    return lambda of, processors: _of_strands(of, lambda s: _faster(s, paths, factor))


def _factor(text: str, how: str) -> Fraction:
    try:
        factor = Fraction(how.removeprefix("x")) if how.startswith("x") else Fraction(0)
    except (ValueError, ZeroDivisionError):
        factor = Fraction(0)
    if factor <= 0:
        raise UsageError(f"--what-if='{text}' is no change", f"say {_FORMS}, N above 0")
    return factor


def _paths_of(pattern: str, dag: Dag) -> frozenset[int]:
    """The paths of a routine, by its name or a glob, and of all that it calls."""
    found: set[int] = set()
    known: set[str] = set()
    for number, call in enumerate(dag.paths):
        if call.site is None:
            continue
        names = {base_name(printable(call.site.callee.name)), function_of(call.site)}
        known |= names
        is_named = any(fnmatch.fnmatchcase(name, pattern) for name in names)
        if is_named or (number and call.caller in found):
            found.add(number)
    if not found:
        raise SelectionError(f"--what-if: no routine '{pattern}' ran", _suggestion(pattern, known))
    return frozenset(found)


def _suggestion(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), 3, 0.4)
    return f"did you mean {' or '.join(near)}?" if near else "see the report for names"


def _without_lock(name: str, locks: Sequence[Lock]) -> Change:
    numbers = {number for number, lock in enumerate(locks, 1) if printable(lock.name) == name}
    if not numbers:
        todo = _suggestion(name, {printable(lock.name) for lock in locks})
        raise SelectionError(f"--what-if: no lock '{name}' was held", todo)

    def unlocked(strand: Strand) -> Strand:
        return replace(
            strand,
            acquires=0 if strand.acquires in numbers else strand.acquires,
            releases=0 if strand.releases in numbers else strand.releases,
            sections=tuple(use for use in strand.sections if use.lock not in numbers),
        )

    return lambda dag, processors: _of_strands(dag, unlocked)


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
    sections = tuple(replace(use, held=use.held * now // work) for use in strand.sections)
    return replace(strand, parts=parts, span=strand.span * now // work, sections=sections)


def _parallel(strand: Strand, paths: frozenset[int], processors: int) -> Strand:
    shared = sum(part.work for part in strand.parts if part.path in paths)
    if not shared:
        return strand
    serial = strand.span * (strand.work - shared) // strand.work
    return replace(strand, span=min(strand.span, max(1, serial + -(-shared // processors))))
