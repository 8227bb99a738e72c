"""cilkshadow-report --format=json: docs/schema/cilkshadow-report.schema.json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TextIO

from aprofplot.names import unicode
from aprofplot.processors.charges import Costs
from aprofplot.processors.bottlenecks import find_all
from aprofplot.processors.adviser import Advice
from aprofplot.reports.work_span.processors_json import finding_json, processors_json, what_if_json
from aprofplot.work_span.advice import advice, warnings
from aprofplot.work_span.listing import SiteListing, loops_by_span
from aprofplot.work_span.metrics import ratio
from aprofplot.work_span.model import (
    TOGGLE_COLLECT,
    CallSite,
    Lock,
    LoopSite,
    LoopSpread,
    Measure,
    Measures,
    NamedRegion,
    WorkSpanProfile,
)
from aprofplot.processors.parallel_loops import ParallelLoop, parallel_loops

FORMAT = "cilkshadow-report"
VERSION = 1


def write_json(
    out: TextIO,
    listing: SiteListing,
    costs: Sequence[Costs],
    then: Sequence[Costs] = (),
    advised: Sequence[Advice] | None = None,
) -> None:
    """One object, with a final newline; the call sites in the order of the listing. `costs`: by number
    of processors; the findings are of the last one. `then`: the same after changes. `advised`: on the last one,
    None if nobody asked."""
    members = {**_head(listing.profile), **_on_processors(listing.profile, costs)}
    if then:
        members["what_if"] = [what_if_json(*pair) for pair in zip(costs, then)]
    if advised is not None:
        members["changes"] = [
            {"change": unicode(of.change), "gain": {str(costs[-1].processors): of.gain}}
            for of in advised
        ]
    head = json.dumps(members).removesuffix("}")
    out.write(f'{head}, "call_sites": [')
    for index, site in enumerate(listing.sites):
        out.write(",\n " if index else "\n ")
        out.write(json.dumps(_site(site)))
    out.write("]}\n")


def _options(options: Sequence[tuple[str, str]]) -> dict[str, str | list[str]]:
    """By name; the patterns of TOGGLE_COLLECT are a list."""
    found: dict[str, str | list[str]] = {name: unicode(value) for name, value in options}
    if TOGGLE_COLLECT in found:
        found[TOGGLE_COLLECT] = [
            unicode(value) for name, value in options if name == TOGGLE_COLLECT
        ]
    return found


def _head(profile: WorkSpanProfile) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "command": unicode(profile.command),
        "pid": profile.pid,
        "threads": profile.threads,
        "unit": unicode(profile.unit),
        "options": _options(profile.options),
        "work": profile.work,
        "span": profile.span,
        "parallelism": ratio(profile.work, profile.span),
        "burdened_span": profile.burdened_span,
        "burdened_parallelism": ratio(profile.work, profile.burdened_span),
        "serialised_span": profile.serialised_span,
        "serialised_parallelism": ratio(profile.work, profile.serialised_span),
        "overhead": profile.overhead,
        "spawns": profile.spawns,
        "syncs": profile.syncs,
        "notes": [
            {"kind": note.kind, "count": note.count, "text": unicode(note.text)}
            for note in profile.notes
        ],
        "warnings": warnings(profile),
        "advice": advice(profile),
        "locks": [_lock(lock) for lock in profile.locks],
        "regions": [_region(region) for region in profile.regions],
        "loops": [_loop(of) for of in loops_by_span(profile)],
        "parallel_loops": [_parallel_loop(of) for of in parallel_loops(profile)],
    }


def _on_processors(profile: WorkSpanProfile, costs: Sequence[Costs]) -> dict[str, Any]:
    """Nothing if the profile has no dag."""
    if not costs:
        return {}
    findings = find_all(costs[-1], profile.locks)
    return {
        "processors": [processors_json(of, profile.locks) for of in costs],
        "findings": [
            finding_json(rank, finding, costs) for rank, finding in enumerate(findings, 1)
        ],
    }


def _lock(lock: Lock) -> dict[str, Any]:
    return {
        "kind": lock.kind,
        "name": unicode(lock.name),
        "routine": None if lock.routine is None else unicode(lock.routine.name),
        "acquisitions": lock.acquisitions,
        "held": lock.held,
    }


def _region(region: NamedRegion) -> dict[str, Any]:
    return {
        "name": unicode(region.name),
        "count": region.count,
        "work": region.work,
        "span": region.span,
        "parallelism": region.parallelism,
        "burdened_span": region.burdened_span,
        "burdened_parallelism": region.burdened_parallelism,
    }


def _site(site: CallSite) -> dict[str, Any]:
    return {
        "file": unicode(site.file) or None,
        "line": site.line or None,
        "caller": None if site.caller is None else unicode(site.caller.name),
        "callee": unicode(site.callee.name),
        "address": site.address,
        "spawned": site.spawned,
        "burdened_span": site.burdened_span,
        "on_work": _measures(site.on_work),
        "on_span": _measures(site.on_span),
    }


def _loop(of: LoopSite) -> dict[str, Any]:
    loop = of.loop
    return {
        "function": unicode(loop.function) or None,
        "file": unicode(loop.file) or None,
        "line": loop.line or None,
        "last_line": loop.last_line or None,
        "routine": unicode(loop.routine.name),
        "address": loop.address,
        "inlined": [
            {
                "function": unicode(call.caller),
                "file": unicode(call.file) or None,
                "line": call.line or None,
            }
            for call in loop.inlined
        ],
        "executions": of.executions,
        "iterations": of.iterations,
        "largest_work": of.spread.largest if of.spread else None,
        "parallel_iterations": _parallel(of.spread) if of.spread else None,
        "on_work": _measures(of.on_work),
        "on_span": _measures(of.on_span),
    }


def _parallel(spread: LoopSpread) -> dict[str, int | None] | None:
    if not spread.iterations:
        return None
    return {
        "count": spread.iterations,
        "work": spread.work,
        "largest_work": spread.largest_told,
    }


def _parallel_loop(of: ParallelLoop) -> dict[str, Any]:
    return {
        "function": unicode(of.name) or None,
        "file": unicode(of.file) or None,
        "line": of.line or None,
        "executions": of.executions,
        "iterations": of.iterations,
        "work": of.work,
        "largest_work": of.largest,
    }


def _measures(measures: Measures) -> dict[str, Any]:
    return {
        **_measure(measures.top_site),
        "top_caller": _measure(measures.top_caller),
        "local": _measure(measures.local),
    }


def _measure(measure: Measure) -> dict[str, Any]:
    return {
        "count": measure.count,
        "work": measure.work,
        "span": measure.span,
        "parallelism": measure.parallelism,
    }
