"""Findings: at most a handful, ranked, each two lines with a place in the source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from aprofplot.clone_names import function_name
from aprofplot.findings.finding_place import Place
from aprofplot.fits.growth import Growth, grows
from aprofplot.model import Loop, Routine
from aprofplot.names import NAME_WIDTH, base_name, shorten
from aprofplot.ownership import is_system_source

Kind = Literal[
    "growth",
    "read-again",
    "progress",
    "recursion",
    "rms-misleads",
    "thread-input",
    "external-input",
    "unexplained",
]

# As far as the exponents of a law and its near ties may differ for it to be named alone.
_ONE_LAW = 0.15
_ABI_TAG = re.compile(r"\[abi:\w+\]")
# What there would be ten times of, by what `grows_in` of a Growth names.
_UNITS = {"trms": "input", "rms": "input", "iterations": "iterations"}


@dataclass(frozen=True)
class Source:
    """A place in the user's source: `file` is empty and lines are 0 where unknown. `into`: the routine
    whose code has the function inlined; empty if it is its own."""

    function: str
    file: str
    line: int
    last_line: int
    into: str = ""

    def __str__(self) -> str:
        where = f"{self.file.rpartition('/')[2]}:{self.line}" if self.line else ""
        function = shorten(self.function, NAME_WIDTH)
        return f"{function} ({where})" if where else function


@dataclass(frozen=True)
class Finding:
    """`score`: share of the cost at stake, 0..1; `share`: that of `scope`, the loop or routine whose cost
    grows, or of what it reads again in its recursion. `place` is to blame, in it or itself. `growth`: of the
    cost, as far as it is known. `why` is a sentence for people. `evidence`: the numbers and names that it
    says."""

    kind: Kind
    score: float
    share: float
    scope: Place
    place: Place
    growth: Growth
    why: str
    evidence: Mapping[str, Any]

    @cached_property
    def at(self) -> Source:
        """The place in the source."""
        return source_of(self.place)

    @property
    def lines(self) -> tuple[str, str]:
        """What, where, how it grows and its share of the cost; why, and what more input would cost."""
        into = self.at.into if self.at.into != self.at.function else ""  # a piece of it
        inlined = f", inlined into {shorten(into, NAME_WIDTH)}" if into else ""
        first = f"{self.at}{inlined}: {100 * self.share:.0f} % of the cost"
        more = ten_times(self.growth)
        return (
            ", ".join(filter(None, [first, how_it_grows(self.growth)])),
            "; ".join(filter(None, [self.why, more])),
        )

    @property
    def sentence(self) -> str:
        """Both lines."""
        return ": ".join(self.lines)


def how_it_grows(growth: Growth) -> str:
    """In words, and in what."""
    unit = _UNITS.get(growth.grows_in or "")
    if unit is None or growth.low is None or growth.high is None:
        return growth.sentence
    low, high = growth.ends
    if growth.law and growth.law != "n^c" and growth.high - growth.low < _ONE_LAW:
        low = high = growth.law
    return f"{grows(low, high)} in its {unit}"


def ten_times(growth: Growth) -> str:
    """What ten times as much would cost: the interval of growth as a factor. Empty if it is not known."""
    unit = _UNITS.get(growth.grows_in or "")
    if unit is None or growth.low is None or growth.high is None:
        return ""
    low, high = _factor(growth.low), _factor(growth.high)
    factor = low if low == high else f"{low} to {high}"
    if growth.exponential:
        factor = f"at least {low}"
    return f"ten times the {unit} would cost {factor} times as much"


def _factor(exponent: float) -> str:
    """10 to that power, with 2 significant digits."""
    value = 10.0 ** min(exponent, 12.0)
    return f"{float(f'{value:.2g}'):,.0f}" if value >= 9.5 else f"{value:.2g}"


def source_of_loop(loop: Loop) -> Source:
    """Where the user's source has the loop: in the function that it is written in or, if that is the
    system's, in the first of the user's own that this was inlined into."""
    routine = _written(loop.routine.name)
    if loop.function and not is_system_source(loop.file):
        function = _written(loop.function)
        into = routine if loop.inlined else ""
        return Source(function, loop.file, loop.line, loop.last_line, into)
    for number, call in enumerate(loop.inlined, 1):
        if not is_system_source(call.file):
            into = routine if number < len(loop.inlined) else ""
            return Source(_written(call.caller), call.file, call.line, call.line, into)
    return source_of_routine(loop.routine)


def source_of(place: Place) -> Source:
    """Of the place in the loop, of the loop, or else of the routine."""
    if place.loop is None:
        return source_of_routine(place.routine)
    loop = place.loop.loop
    for at in place.at[: -1 - len(loop.inlined)]:  # the others have all of the loop
        if not is_system_source(at.file):
            return Source(
                _written(at.caller), at.file, at.line, at.line, _written(loop.routine.name)
            )
    return source_of_loop(loop)


def source_of_routine(routine: Routine) -> Source:
    """Where it is defined."""
    return Source(_written(routine.name), routine.file, routine.line, routine.line)


def _written(name: str) -> str:
    """The function's name as people write it, of whichever copy of it, without what the compiler appends to tell
    versions of a library's types apart: `line[abi:cxx11]`."""
    return _ABI_TAG.sub("", base_name(function_name(name)))
