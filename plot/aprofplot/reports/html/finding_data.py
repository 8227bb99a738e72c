"""Findings for the page, a card each: the sentence, a small plot, the source with the loop marked, and the path
of callers that costs most."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from aprofplot.findings.finding import Finding
from aprofplot.findings.ranking import find_all
from aprofplot.fits.fitting import fit_table, has_progress, progress_table
from aprofplot.loop_scopes import PROGRESS, loop_place
from aprofplot.metrics import FEW_SIZES, cost_of_points
from aprofplot.model import ITERATIONS, PointTable, Profile, RoutineKey, argument_of
from aprofplot.names import base_name, printable
from aprofplot.reports.html.fit_data import curve_of
from aprofplot.reports.html.marked_lines import marked_lines
from aprofplot.reports.html.points import thin_points
from aprofplot.reports.sources import Sources

_POINTS = 200  # of a plot, at most
_CALLERS = 12  # of a path, at most

Card = dict[str, Any]


def finding_cards(
    profile: Profile,
    event: str,
    numbers: Mapping[RoutineKey, int],
    start_up: Collection[int],
    callers: Mapping[int, Sequence[Sequence[Any]]],
    sources: Sources,
) -> list[Card]:
    """The findings of a profile whose threads are merged, the gravest first; none without loops.
    `numbers`: of routines, `start_up` of those that run before main; `callers`: those of each, the
    costliest first."""
    if not profile.loops:
        return []
    units = {metric.name: f"{metric.name.upper()}, {metric.unit}" for metric in profile.metrics}
    return [
        {
            "lines": [printable(finding.lines[0]), f"{printable(finding.lines[1])}."],
            "way": "Called by the costliest path",
            "path": _path(numbers[finding.place.routine.key], callers, start_up),
            "plot": _plot(finding, _tables(finding, profile), event, units),
            "source": marked_lines(
                sources,
                finding.place.routine.object,
                finding.at.file,
                finding.at.line,
                finding.at.last_line,
            ),
        }
        for finding in find_all(profile, event)
    ]


def _tables(finding: Finding, profile: Profile) -> dict[str, PointTable]:
    """The points of the loop or routine whose cost grows, by input size; those of an iteration as PROGRESS."""
    loop = finding.scope.loop
    if loop is None:
        key = finding.scope.routine.key
        return dict(next(of for of in profile.routines if of.routine.key == key).points)
    event = profile.event_names[0]
    if not has_progress(loop, event):
        return dict(loop.points)
    return {**loop.points, PROGRESS: progress_table(loop, event)}


def _plot(
    finding: Finding, tables: Mapping[str, PointTable], event: str, units: Mapping[str, str]
) -> dict[str, Any] | None:
    """Costs by what they grow in; where that has few sizes, those of iterations, else by what has most
    sizes. None where all have one."""
    metric = finding.growth.grows_in or ""
    if metric not in tables or len(tables[metric]) < FEW_SIZES:
        most = max(tables, key=lambda name: len(tables[name]), default="")
        metric = PROGRESS if PROGRESS in tables else most
    if metric not in tables or len(tables[metric]) < 2:
        return None
    table = tables[metric]
    shown = thin_points(table, _POINTS)
    fit = fit_table(table, event, metric=metric)
    x = {ITERATIONS: "iterations of an execution", PROGRESS: "iteration"}
    if (argument := argument_of(metric)) is not None:
        x[metric] = f"value of the argument {printable(argument)}"
    each = "an iteration of " if metric == PROGRESS else ""
    return {
        "of": printable(each + _name(finding)),
        "x": shown.column("size").tolist(),
        "y": cost_of_points(shown, event, False, "mean").tolist(),
        "calls": shown.column("calls").tolist(),
        "curve": curve_of(fit, table),
        "law": fit.name if fit.law is not None else "",
        "xLabel": x.get(metric) or f"input size ({units.get(metric, metric)})",
    }


def _name(finding: Finding) -> str:
    """Of what grows."""
    loop = finding.scope.loop
    routine = base_name(finding.scope.routine.name)
    return routine if loop is None else f"the loop at {loop_place(loop.loop)} in {routine}"


def _path(
    routine: int, callers: Mapping[int, Sequence[Sequence[Any]]], start_up: Collection[int]
) -> list[int]:
    """From the outermost caller to the routine, each by the caller that spends most in it; without what calls
    main."""
    path = [routine]
    while len(path) < _CALLERS and callers.get(path[0]):
        caller: int = callers[path[0]][0][0]
        if caller in path or caller in start_up:
            break
        path.insert(0, caller)
    return path
