"""The members "findings" and "loops" of aprof-report --format=json."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from aprofplot.findings.finding import Finding
from aprofplot.findings.ranking import find_all
from aprofplot.fits.growth import Growth
from aprofplot.loop_scopes import numbers_in_line
from aprofplot.metrics import read_again
from aprofplot.model import Loop, LoopKey, LoopProfile, Profile, RoutineKey
from aprofplot.names import unicode

_DIGITS = 4  # after the point, of ratios and exponents


def finding_entries(
    profile: Profile, event: str, routine_number: Callable[[RoutineKey], int | None]
) -> list[dict[str, Any]]:
    """The findings, the gravest first. `routine_number`: of an entry in "routines"."""
    numbers = loop_numbers(profile)
    return [
        _finding(rank, finding, routine_number, numbers)
        for rank, finding in enumerate(find_all(profile, event), 1)
    ]


def _finding(
    rank: int,
    finding: Finding,
    routine_number: Callable[[RoutineKey], int | None],
    loops: Mapping[LoopKey, int],
) -> dict[str, Any]:
    loop = finding.place.loop
    return {
        "rank": rank,
        "kind": finding.kind,
        "score": round(finding.score, _DIGITS),
        "share": round(finding.share, _DIGITS),
        "sentence": unicode(finding.sentence),
        "routine": routine_number(finding.place.routine.key),
        "function": unicode(finding.at.function),
        "file": unicode(finding.at.file),
        "line": finding.at.line,
        "last_line": finding.at.last_line,
        "loop": None if loop is None else loops[loop.loop.key],
        "growth": growth_entry(finding.growth),
        "evidence": finding.evidence,
    }


def growth_entry(growth: Growth) -> dict[str, Any]:
    """What is known of a growth, in numbers."""
    return {
        "low": _rounded(growth.low),
        "high": _rounded(growth.high),
        "law": growth.law or None,
        "in": None if growth.grows_in is None else unicode(growth.grows_in),
        "confidence": round(growth.confidence, _DIGITS),
    }


def loop_numbers(profile: Profile) -> dict[LoopKey, int]:
    """The place of each loop in "loops"; threads are merged."""
    return {loop.loop.key: number for number, loop in enumerate(profile.loops)}


def loop_entries(
    profile: Profile, routine_number: Callable[[RoutineKey], int | None]
) -> Iterator[tuple[LoopProfile, dict[str, Any]]]:
    """Each loop of a listed routine, and its entry but for points and fits."""
    numbers, in_line = loop_numbers(profile), numbers_in_line(profile.loops)
    for number, loop in enumerate(profile.loops):
        routine = routine_number(loop.loop.routine.key)
        if routine is not None:
            entry = _loop(loop, number, routine, numbers)
            number_in_line = in_line.get(loop.loop.key)
            yield loop, entry | {"number_in_line": number_in_line}


def _loop(
    loop: LoopProfile, number: int, routine: int, numbers: Mapping[LoopKey, int]
) -> dict[str, Any]:
    of = loop.loop
    return {
        "id": number,
        "routine": routine,
        "parent": _parent(of, numbers),
        "address": of.address,
        "irreducible": of.irreducible,
        "file": unicode(of.file),
        "line": of.line,
        "last_line": of.last_line,
        "function": unicode(of.function),
        "inlined": [
            {"function": unicode(call.caller), "file": unicode(call.file), "line": call.line}
            for call in of.inlined
        ],
        **loop_totals(loop),
        "read_again": _read_again(loop),
        "progress": [
            {
                "first": of_bin.first,
                "iterations": of_bin.iterations,
                "rms": of_bin.rms,
                "new": of_bin.new,
                "cost": dict(of_bin.cost),
            }
            for of_bin in loop.progress
        ],
    }


def loop_totals(loop: LoopProfile) -> dict[str, Any]:
    """Its executions and what they add up to."""
    return {
        "executions": loop.executions,
        "unfinished": loop.unfinished,
        "iterations": loop.iterations,
        "cost": {
            event: {"inclusive": cost.inclusive, "self": cost.own}
            for event, cost in loop.cost.items()
        },
        "induced": {"thread": loop.induced_thread, "external": loop.induced_external},
    }


def _parent(loop: Loop, numbers: Mapping[LoopKey, int]) -> int | None:
    """The innermost around it that has had an iteration."""
    return next((numbers[of.key] for of in loop.around if of.key in numbers), None)


def _read_again(loop: LoopProfile) -> float | None:
    """Of a loop without inner loops and calls iterations are counted, but not measured."""
    if not loop.progress or "rms" not in loop.points:
        return None
    return _rounded(read_again(loop.points["rms"]))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
