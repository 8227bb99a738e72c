"""Parses changes of a program, as given on the command line:

change              the dag has
ROUTINE xN          1/N of the work of the routine and of all that it calls
ROUTINE parallel    the same work, which the processors share evenly
loop FILE:LINE ...  either, of a loop
  static[,CHUNK]    of a loop that threads divided: another schedule
  dynamic[,CHUNK]
without lock NAME   no critical section of that lock
burden N            strands that cost N to steal
"""

from __future__ import annotations

import difflib
import fnmatch
import re
from collections.abc import Collection, Sequence
from fractions import Fraction

from aprofplot.errors import SelectionError, UsageError
from aprofplot.loop_scopes import loop_place
from aprofplot.names import base_name, printable
from aprofplot.processors.changes import (
    Change,
    faster,
    parallel,
    scheduled,
    with_burden,
    without_locks,
)
from aprofplot.processors.chunked_loops import taken_in_order
from aprofplot.processors.divided_loops import DividedLoops
from aprofplot.processors.forks import below
from aprofplot.processors.user_code import functions_on
from aprofplot.work_span.model import Dag, Lock

_FEW = 3  # names, which are all listed
_FORMS = (
    "'ROUTINE xN', 'ROUTINE parallel', 'loop FILE:LINE xN', 'loop FILE:LINE parallel', "
    "'loop FILE:LINE static', 'loop FILE:LINE dynamic,CHUNK', 'without lock NAME' or 'burden N'"
)

_SCHEDULE = re.compile(r"(static|dynamic)(?:,([1-9][0-9]{0,8}))?", re.ASCII)


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
    if is_burden(text):
        return with_burden(int(how))
    if not name:
        raise UsageError(f"--what-if='{text}' is not a change", f"write {_FORMS}")
    if how == "parallel":
        return parallel(_paths_of(name.strip(), dag))
    if name.startswith("loop ") and (schedule := _SCHEDULE.fullmatch(how)):
        return _scheduled(name.strip(), dag, schedule)
    factor = _factor(text, how)
    return faster(_paths_of(name.strip(), dag), factor)


def _scheduled(name: str, dag: Dag, schedule: re.Match[str]) -> Change:
    paths = _named(name, dag)
    found = DividedLoops(taken_in_order(dag, 1)).of(paths)
    if not found:
        raise SelectionError(
            f"--what-if: no division of {name} is known",
            "the threads of the run must have divided its iterations by their numbers, as those of an OpenMP loop with "
            "schedule(static), or taken them in chunks, without locks or tasks in it, nor much work of each thread beside it",
        )
    kind, size = schedule.groups()
    chunk = int(size) if size else int(kind == "dynamic")
    if chunk and not all(of.iterations for of in found):
        raise SelectionError(
            f"--what-if: how many iterations {name} has is unknown, and so are its chunks",
            "compile it with clang, whose library is told, or simulate 'static'",
        )
    return scheduled(paths, chunk, kind == "dynamic")


def is_burden(text: str) -> bool:
    """Whether a change is of the burden."""
    return re.fullmatch(r"burden [0-9]{1,18}", text, re.ASCII) is not None


def _factor(text: str, how: str) -> Fraction:
    try:
        factor = Fraction(how.removeprefix("x")) if how.startswith("x") else Fraction(0)
    except (ValueError, ZeroDivisionError):
        factor = Fraction(0)
    if factor <= 0:
        raise UsageError(f"--what-if='{text}' is not a change", f"write {_FORMS}, N above 0")
    return factor


def _paths_of(pattern: str, dag: Dag) -> frozenset[int]:
    """The paths of a routine, by its name or a glob, and of all that it calls."""
    return below(dag, _named(pattern, dag))


def _named(pattern: str, dag: Dag) -> frozenset[int]:
    """The paths that end in a routine or loop of that name."""
    found: set[int] = set()
    known: set[str] = set()
    for number, (call, function) in enumerate(zip(dag.paths, functions_on(dag))):
        names = {function} - {""}
        if call.loop is not None:
            names.add(f"loop {printable(loop_place(call.loop))}")
        if call.site is not None:
            names.add(base_name(printable(call.site.callee.name)))
        known |= names
        if any(name == pattern or fnmatch.fnmatchcase(name, pattern) for name in names):
            found.add(number)
    if not found:
        what, name = ("loop", pattern[5:]) if pattern.startswith("loop ") else ("routine", pattern)
        raise SelectionError(f"--what-if: no {what} '{name}' ran", _suggestion(pattern, known))
    return frozenset(found)


def _suggestion(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), 3, 0.4)
    if near:
        return f"did you mean {' or '.join(near)}?"
    if 0 < len(known) <= _FEW:
        return f"there is {' and '.join(sorted(known))}"
    return "see the report for names"


def _without_lock(name: str, locks: Sequence[Lock]) -> Change:
    numbers = frozenset(
        number for number, lock in enumerate(locks, 1) if printable(lock.name) == name
    )
    if not numbers:
        todo = _suggestion(name, {printable(lock.name) for lock in locks})
        raise SelectionError(f"--what-if: no lock '{name}' was held", todo)
    return without_locks(numbers)
