"""aprof-report --format=json: one JSON object, of docs/schema/aprof-report.schema.json. All numbers are
exact integers, but those of fits."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TextIO

from aprofplot.fits.fitting import fit_loops
from aprofplot.fits.law import Fit
from aprofplot.metrics import read_again
from aprofplot.model import (
    CHILDREN,
    CallEdge,
    Context,
    LoopProfile,
    Profile,
    Routine,
    RoutineKey,
    RoutineProfile,
    ThreadKey,
)
from aprofplot.names import unicode
from aprofplot.reports.call_costs import sorted_calls
from aprofplot.reports.finding_text import run_notes, why_none
from aprofplot.reports.line_rows import line_entries
from aprofplot.reports.listing import Fits, Listing
from aprofplot.reports.loop_json import (
    finding_entries,
    growth_entry,
    loop_entries,
    loop_numbers,
    loop_totals,
)
from aprofplot.reports.point_json import by_metric, write_with_points

FORMAT = "aprof-report"
VERSION = 1

_DIGITS = 4  # after the point, of shares and exponents

# Of an entry in "routines": with its thread where threads are apart.
_Key = tuple[RoutineKey, tuple[ThreadKey, ...]]
_Numbers = Mapping[_Key, int]


def write_json(out: TextIO, listing: Listing, fits: bool = True) -> None:
    """The whole report, with a final newline. Without `fits`, what was measured only: no laws, growths and
    findings."""
    profile = listing.profile
    report = {
        "format": FORMAT,
        "version": VERSION,
        "runs": [
            {
                "command": unicode(run.command),
                "pid": run.pid,
                "threads": len(run.threads),
                "notes": [unicode(note) for note in run_notes(run)],
            }
            for run in profile.runs
        ],
        "events": {event.name: unicode(event.unit) for event in profile.events},
        "metrics": {metric.name: unicode(metric.unit) for metric in profile.metrics},
    }
    out.write(json.dumps(report).removesuffix("}") + ', "routines": [')
    lines: Mapping[RoutineKey, list[dict[str, Any]]] = {}
    if profile.lines and not listing.per_thread:
        lines = line_entries(profile.lines, {of.routine.key for of in listing.routines})
    for index, routine in enumerate(listing.routines):
        out.write(", " if index else "")
        entry = _routine(listing, routine)
        if fits:
            entry |= _fits_of_routine(listing, routine)
        if routine.routine.key in lines:
            entry["lines"] = lines[routine.routine.key]
        write_with_points(out, entry, routine)
    out.write("]")
    _write_calls_and_contexts(out, listing)
    if not listing.per_thread:
        numbers = {r.routine.key: number for number, r in enumerate(listing.routines)}
        if fits and listing.complete:
            _write_findings(out, listing, numbers)
        _write_loops(out, listing, numbers, fits)
    out.write("}\n")


def _write_findings(out: TextIO, listing: Listing, numbers: Mapping[RoutineKey, int]) -> None:
    """The member "findings", and "no_findings" where there are none, each after a comma."""
    profile, event = listing.profile, listing.event
    findings = finding_entries(profile, event, numbers.get) if profile.loops else []
    out.write(f', "findings": {json.dumps(findings)}')
    if not findings:
        out.write(f', "no_findings": {json.dumps(unicode("; ".join(why_none(profile, event))))}')


def _write_loops(
    out: TextIO, listing: Listing, numbers: Mapping[RoutineKey, int], fits: bool
) -> None:
    """The member "loops" after a comma: those of the routines that have `numbers`; nothing if the profile has
    no loops."""
    if not listing.profile.loops:
        return
    fit_of = _loop_fits(listing, numbers) if fits else None
    out.write(', "loops": [')
    for index, (loop, entry) in enumerate(loop_entries(listing.profile, numbers.get)):
        out.write(", " if index else "")
        if fit_of is not None:
            entry["fit"] = fit_of(loop)
        write_with_points(out, entry, loop)
    out.write("]")


def _loop_fits(
    listing: Listing, numbers: Mapping[RoutineKey, int]
) -> Callable[[LoopProfile], dict[str, Any]]:
    """Of loops in the routines that have `numbers`: by metric and number of iterations; "progress": an
    iteration's cost by its ordinal."""
    loops = [loop for loop in listing.profile.loops if loop.loop.routine.key in numbers]
    fits = dict(zip(map(id, loops), fit_loops(loops, listing.event, listing.progress)))
    return lambda loop: _fit_entries(fits[id(loop)])


def _routine(listing: Listing, routine: RoutineProfile) -> dict[str, Any]:
    """All but its points and fits."""
    where = routine.routine
    entry: dict[str, Any] = {
        "name": unicode(where.name),
        "object": unicode(where.object),
        "file": unicode(where.file),
        "line": where.line,
        "address": where.address,
    }
    entry |= _totals(routine)
    if "rms" in routine.points and CHILDREN in routine.points["rms"].columns:
        again = read_again(routine.points["rms"])
        entry["read_again"] = None if again is None else round(again, _DIGITS)
    entry |= _thread_entry(listing.profile, routine.threads) if listing.per_thread else {}
    return entry


def _fits_of_routine(listing: Listing, routine: RoutineProfile) -> dict[str, Any]:
    """The members "fit", "fits" if there are several events, and "growth"."""
    entry: dict[str, Any] = {
        "fit": _fit_entries(listing.fits(routine)),
        "growth": _growth_entry(listing, routine),
    }
    events = listing.profile.event_names
    if len(events) > 1:
        entry["fits"] = {event: _fit_entries(listing.fits(routine, event)) for event in events}
    return entry


def _growth_entry(listing: Listing, routine: RoutineProfile) -> dict[str, Any]:
    """What is known of it in TRMS, or what was measured."""
    growth = listing.known_growth(routine)
    return {**growth_entry(growth), "sentence": growth.sentence}


def _fit_entries(fits: Fits) -> dict[str, Any]:
    return by_metric({metric: _fit_entry(fit) for metric, fit in fits.items()})


def _fit_entry(fit: Fit) -> dict[str, Any]:
    """The verdict, with what else it might be; `reason` instead where there is none."""
    entry: dict[str, Any] = {
        "model": fit.model,
        "formula": fit.formula,
        "r2": None if fit.r2 is None else round(fit.r2, _DIGITS),
        "confidence": round(fit.confidence, _DIGITS),
        "near_tie": list(fit.near_tie),
        "runners_up": [
            {
                "model": other.model,
                "formula": other.formula,
                "r2": round(other.r2, _DIGITS),
                "confidence": round(other.weight, _DIGITS),
            }
            for other in fit.runners_up
        ],
    }
    if fit.slope is not None:
        value, low, high = fit.slope.value, fit.slope.low, fit.slope.high
        names = ("value", "low", "high")
        entry["slope"] = {n: round(x, _DIGITS) for n, x in zip(names, (value, low, high))}
    if fit.segment is not None:
        before = fit.segment.before
        entry["break"] = {"at": fit.segment.at, "before": before.model}
    if fit.reason:
        entry["reason"] = fit.reason
    return entry


def _thread_entry(profile: Profile, threads: tuple[ThreadKey, ...]) -> dict[str, Any]:
    """The member "thread": the one of `threads`, which are those of one thread."""
    key = threads[0]
    run = profile.runs[key.run]
    name = unicode(profile.thread(key).name)
    return {"thread": {"id": key.id, "name": name, "pid": run.pid}}


def _totals(routine: RoutineProfile) -> dict[str, Any]:
    """All numbers but the points."""
    entry: dict[str, Any] = {
        "calls": routine.calls,
        "unfinished": routine.unfinished,
        "threads": len(routine.threads),
        "cost": {
            event: {"inclusive": cost.inclusive, "self": cost.own}
            for event, cost in routine.cost.items()
        },
        "induced": {
            "thread": routine.induced_thread,
            "external": routine.induced_external,
        },
    }
    merged = {metric: t.precision for metric, t in routine.points.items() if t.precision}
    return entry | ({"merged_to_binary_digits": by_metric(merged)} if merged else {})


def _write_calls_and_contexts(out: TextIO, listing: Listing) -> None:
    """The members "calls" and "contexts", each after a comma; nothing where there are none.

    A report of some routines only has the calls between them, and no contexts.
    """
    numbers = {_key(listing, r.routine, r.threads): i for i, r in enumerate(listing.routines)}
    edges = sorted_calls(listing.profile.calls)
    calls = [entry for edge in edges for entry in _call(listing, edge, numbers)]
    if edges:
        out.write(f', "calls": {json.dumps(calls)}')
    if listing.profile.contexts and listing.complete:
        out.write(', "contexts": [')
        for i, context in enumerate(listing.profile.contexts):
            out.write(", " if i else "")
            write_with_points(out, _context(listing, context, numbers), context.profile)
        out.write("]")
        if not listing.per_thread:
            _write_context_loops(out, listing.profile)


def _write_context_loops(out: TextIO, profile: Profile) -> None:
    """The member "context_loops", after a comma; nothing if the profile does not tell."""
    if not any(context.loops for context in profile.contexts):
        return
    loops = loop_numbers(profile)
    out.write(', "context_loops": [')
    before = ""
    for place, context in enumerate(profile.contexts):
        for of in context.loops:
            out.write(before)
            entry = {"context": place, "loop": loops[of.loop.key], **loop_totals(of)}
            write_with_points(out, entry, of)
            before = ", "
    out.write("]")


def _key(listing: Listing, routine: Routine, threads: tuple[ThreadKey, ...]) -> _Key:
    return (routine.key, threads if listing.per_thread else ())


def _call(listing: Listing, edge: CallEdge, numbers: _Numbers) -> list[dict[str, Any]]:
    """Its entry; none if one of the two routines is not listed."""
    ends = [_key(listing, routine, edge.threads) for routine in (edge.caller, edge.callee)]
    if not all(end in numbers for end in ends):
        return []
    entry: dict[str, Any] = {"caller": numbers[ends[0]], "callee": numbers[ends[1]]}
    entry |= {
        "calls": edge.calls,
        "unfinished": edge.unfinished,
        "threads": len(edge.threads),
    }
    entry["cost"] = {
        event: {"inclusive": cost, "outermost": edge.outermost[event]}
        for event, cost in edge.cost.items()
    }
    return [entry | (_thread_entry(listing.profile, edge.threads) if listing.per_thread else {})]


def _context(listing: Listing, context: Context, numbers: _Numbers) -> dict[str, Any]:
    """All but its points. Contexts of several threads may be apart though routines are not."""
    of = context.profile
    entry: dict[str, Any] = {
        "parent": context.parent,
        "routine": numbers[_key(listing, of.routine, of.threads)],
    }
    entry |= {"merged": True} if context.merged else {}
    entry |= _totals(of)
    return entry | (_thread_entry(listing.profile, of.threads) if len(of.threads) == 1 else {})
