"""Findings for the page, a card each: the sentence, the speedup as it is and without what is to blame, the source
of that, and the calls on the way to it. Those of simulated schedules say what keeps processors idle; those of a
profile without a dag, what the longest path has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aprofplot.metrics import Floats
from aprofplot.model import Loop, Routine, RoutineKey
from aprofplot.names import printable
from aprofplot.processors.blame import Finding, gain_of
from aprofplot.processors.bottlenecks import find_all
from aprofplot.processors.charges import Costs
from aprofplot.processors.user_code import Frame
from aprofplot.reports.html.fit_data import digits
from aprofplot.reports.html.marked_lines import marked_lines
from aprofplot.reports.sources import Sources
from aprofplot.reports.work_span.processors_text import no_finding, speed
from aprofplot.work_span.advice import Limit, advice, doubts, limits, span_limits, why_no_dag
from aprofplot.work_span.metrics import processors_worth_showing, program_speedup
from aprofplot.work_span.model import CallSite, WorkSpanProfile
from aprofplot.work_span.names import placed, short_name, site_place

_CALLS = 12  # of a path, at most
_STEPS = 32  # of the curve of a bound

Card = dict[str, Any]
Numbers = Mapping[int, int]  # of call sites in the page, by their ids


def finding_cards(
    profile: WorkSpanProfile,
    costs: Sequence[Costs],
    shown: int,
    numbers: Numbers,
    sources: Sources,
) -> dict[str, Any]:
    """`findings`: the cards, on `shown` processors; `before` and `after` them sentences, of which some warn.
    `costs`: by number of processors, none without a dag. A call of a card's path is its name, its place, and the
    number of its site or None."""
    warnings = {"doubts": doubts(profile), "limits": limits(profile)}
    said = advice(profile)
    if not costs:
        found = span_limits(profile)
        what, repair = why_no_dag(profile)
        bounds = f"The cards show bounds, not schedules on P processors: {what}; {repair}."
        of_all = [sentence for sentence in said if sentence not in {of.sentence for of in found}]
        cards = [_bound_card(limit, profile, numbers, sources) for limit in found]
        return {**warnings, "before": [*of_all, bounds], "findings": cards, "after": []}
    of = next(of for of in costs if of.processors == shown)
    findings = find_all(of, profile.locks)
    before = [f"{speed(of)}.", "What holds it back:" if findings else no_finding(of)]
    cards = [_simulated_card(finding, costs, shown, numbers, sources) for finding in findings]
    return {**warnings, "before": [" ".join(before)], "findings": cards, "after": said}


def _simulated_card(
    finding: Finding, costs: Sequence[Costs], shown: int, numbers: Numbers, sources: Sources
) -> Card:
    at = finding.frames[-1] if finding.frames else None
    return {
        "lines": list(map(printable, finding.lines)),
        "plot": _simulated(finding, costs, shown),
        "source": at and marked_lines(sources, at.object, at.file, at.line, at.last_line),
        "way": "Call path",
        "path": [_frame(frame, numbers) for frame in finding.frames[-_CALLS:]],
    }


def _bound_card(limit: Limit, profile: WorkSpanProfile, numbers: Numbers, sources: Sources) -> Card:
    return {
        "lines": [printable(limit.sentence)],
        "plot": _bounds(limit, profile),
        "source": None if limit.at is None else _source(sources, limit.at),
        "way": _WAYS[limit.kind],
        "path": [
            [short_name(site.callee.name), printable(site_place(site)), numbers[site.id]]
            for site in _calls_to(profile, limit.at)
        ],
    }


def _simulated(finding: Finding, costs: Sequence[Costs], shown: int) -> dict[str, Any]:
    now = np.array([of.speedup for of in costs])
    gains = [
        finding.gain if of.processors == shown else gain_of(finding.without, of) for of in costs
    ]
    return {
        "simulated": True,
        "processors": [of.processors for of in costs],
        "now": ["as it is", digits(now)],
        "then": ["without this", digits(now * gains)],
    }


_WAYS = {
    "span": "Called by the longest path",
    "grain": "Most is spawned by",
    "locks": "First taken by",
}


def _bounds(limit: Limit, profile: WorkSpanProfile) -> dict[str, Any]:
    program = program_speedup(profile)
    most = processors_worth_showing([program])
    knees = [knee for knee in (*program.knees, limit.without) if knee is not None and knee < most]
    processors: Floats = np.union1d(np.geomspace(1, most, _STEPS), np.maximum(knees, 1))
    titles = {
        "span": ("at most", "at most, without this"),
        "grain": ("with the burden of spawns, estimated", "without it, at most"),
        "locks": ("with locks in this run's order, at most", "without waits, at most"),
    }[limit.kind]
    now = {
        "span": program.span_bound,
        "grain": program.burdened_bound,
        "locks": program.serialised_bound,
    }[limit.kind](processors)
    then = processors if limit.without is None else np.minimum(processors, max(limit.without, 1))
    return {
        "simulated": False,
        "processors": digits(processors),
        "now": [titles[0], digits(program.span_bound(processors) if now is None else now)],
        "then": [titles[1], digits(then)],
    }


def _frame(frame: Frame, numbers: Numbers) -> list[Any]:
    site = None if frame.site is None else numbers[frame.site.id]
    return [short_name(frame.function), printable(placed(frame.file, frame.line)), site]


def _source(sources: Sources, at: CallSite | Loop | Routine) -> dict[str, Any]:
    if isinstance(at, Loop):
        return marked_lines(sources, at.routine.object, at.file, at.line, at.last_line)
    if isinstance(at, CallSite) and at.caller is not None:
        return marked_lines(sources, at.caller.object, at.file, at.line, at.line)
    routine = at.callee if isinstance(at, CallSite) else at
    return marked_lines(sources, routine.object, routine.file, routine.line, routine.line)


def _calls_to(profile: WorkSpanProfile, at: CallSite | Loop | Routine | None) -> list[CallSite]:
    """From the outermost on, each by the caller that has most of the span, then of the work."""
    sites: dict[RoutineKey, list[CallSite]] = {}
    for site in profile.sites:
        sites.setdefault(site.callee.key, []).append(site)
    path = [at] if isinstance(at, CallSite) else []
    routine = at.caller if isinstance(at, CallSite) else at.routine if isinstance(at, Loop) else at
    seen: set[RoutineKey] = set()
    while routine is not None and len(path) < _CALLS:
        seen.add(routine.key)
        calls = [
            s for s in sites.get(routine.key, []) if s.caller is None or s.caller.key not in seen
        ]
        if not calls:
            break
        path.insert(0, max(calls, key=lambda s: (s.on_span.top_site.span, s.on_work.top_site.work)))
        routine = path[0].caller
    return path
