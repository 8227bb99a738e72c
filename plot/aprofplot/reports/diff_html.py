"""aprof-diff's page: one HTML file that needs nothing else, with a plot for each changed routine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import jinja2

from aprofplot.compare.changes import KINDS, Change, Comparison
from aprofplot.compare.growth import exponent
from aprofplot.figures.change_plot import change_svg
from aprofplot.fits.law import Fit
from aprofplot.model import RoutineProfile
from aprofplot.names import counted, place, printable, shorten
from aprofplot.reports.diff_text import (
    TITLES,
    growth_of,
    header_lines,
    law_of,
    origin,
    runs_of,
    sizes_of,
    summary,
    times,
)

_NAME_WIDTH = 110
_TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")
_MOST_PLOTS = 60  # each takes 20 kB and 0.1 s
_CHANGE_HEADS = (
    ("routine", "name, object and source file"),
    ("growth", "law of OLD -> law of NEW"),
    ("cost", "NEW / OLD at equal input size: weighted median over the sizes"),
    ("quartiles", "the same: weighted quartiles"),
    ("at largest size", "the same at the largest size compared"),
    ("sizes", "how many input sizes were compared"),
    ("OLD %", "inclusive cost, share of the run"),
    ("NEW %", "inclusive cost, share of the run"),
    ("own", "how much of the change of the cost per call is in the routine's own code"),
    ("calls", "activations"),
)
_ALONE_HEADS = (
    ("routine", "name, object and source file"),
    ("%", "inclusive cost, share of the run"),
    ("calls", "activations"),
)


@dataclass(frozen=True)
class _Cell:
    """`key` sorts the column, where the text does not."""

    text: str
    key: float | None = None


def diff_page(comparison: Comparison) -> str:
    """The whole page."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    lines = map(printable, header_lines(comparison))
    rules = [line for line in lines if not line.startswith(("OLD  ", "NEW  "))]
    regressions = len(comparison.regressions("any"))
    found = counted(regressions, "regression") if regressions else "No regression"
    old, new = (
        [printable(line) for line in runs_of(side)] for side in (comparison.old, comparison.new)
    )
    return environment.get_template("diff.html").render(
        title=printable(os.path.basename(comparison.new.runs[0].path)),
        sides=(("OLD", old), ("NEW", new)),
        rules=rules,
        regressions=regressions,
        verdict=f"{found}: growth that got worse, or a cost at equal input size that rose by more "
        f"than {100 * comparison.criteria.threshold:g} %.",
        sections=_sections(comparison),
        summary=summary(comparison, everything=True),
    )


def _sections(comparison: Comparison) -> list[dict[str, Any]]:
    sections = []
    plots = 0
    for kind in KINDS:
        changes = [change for change in comparison.changes if change.kind == kind]
        drawn = 0 if kind == "unchanged" else min(len(changes), _MOST_PLOTS - plots)
        rows = [
            _change(comparison, change, f"plot-{plots + i}" if i < drawn else None)
            for i, change in enumerate(changes)
        ]
        plots += drawn
        more = ""
        if kind != "unchanged" and drawn < len(changes):
            more = f"Plots only of the first {_MOST_PLOTS} changes: aprof-plot draws the others."
        if rows:
            sections.append(_section(TITLES[kind], _CHANGE_HEADS, rows, more))
    for title, alone in (
        ("New", comparison.appeared),
        ("Vanished", comparison.vanished),
    ):
        if alone:
            rows = [_alone(routine, share) for routine, share in alone]
            sections.append(_section(title, _ALONE_HEADS, rows, ""))
    return sections


def _section(title: str, heads: Any, rows: list[dict[str, Any]], more: str) -> dict[str, Any]:
    return {"title": title, "heads": heads, "rows": rows, "more": more}


def _named(routine: RoutineProfile, cells: list[_Cell]) -> dict[str, Any]:
    where = routine.routine
    return {
        "cells": cells,
        "name": printable(shorten(where.name, _NAME_WIDTH)),
        "place": printable(place(where.object, where.file, where.line)),
        "note": "",
        "plot": None,
    }


def _alone(routine: RoutineProfile, share: float) -> dict[str, Any]:
    cells = [_Cell(f"{share:.1f}", share), _Cell(f"{routine.calls:,}", routine.calls)]
    return _named(routine, cells)


def _change(comparison: Comparison, change: Change, plot: str | None) -> dict[str, Any]:
    ratio = change.ratio
    cells = [_Cell(growth_of(change), _steepness(change.new.curve.fit))]
    if ratio is None:
        cells += [_Cell("", -1.0)] * 4
    else:
        cells += [
            _Cell(times(ratio.median), ratio.median),
            _Cell(f"{times(ratio.low)}..{times(ratio.high)}", ratio.high),
            _Cell(f"{times(ratio.at_largest)} at {ratio.largest:,}", ratio.at_largest),
            _Cell(sizes_of(ratio), ratio.sizes),
        ]
    own = change.own_part if ratio is not None else None
    calls = change.match.old.calls, change.match.new.calls
    cells += [
        _Cell(f"{change.old.share:.1f}", change.old.share),
        _Cell(f"{change.new.share:.1f}", change.new.share),
        _Cell("" if own is None else f"{100 * own:.0f} %", -1.0 if own is None else own),
        _Cell(
            f"{calls[0]:,} → {calls[1]:,}" if calls[0] != calls[1] else f"{calls[1]:,}",
            calls[1],
        ),
    ]
    row = _named(change.match.new, cells)
    row["note"] = printable(origin(change))
    if plot is not None:
        criteria = comparison.criteria
        row["plot"] = {
            "id": plot,
            "svg": change_svg(change, criteria.metric, criteria.event),
            "old": _fit(change.old.curve.fit),
            "new": _fit(change.new.curve.fit),
        }
    return row


def _fit(fit: Fit) -> str:
    return f"{law_of(fit)}: {fit.formula}" if fit.law is not None else fit.reason


def _steepness(fit: Fit) -> float:
    return exponent(fit.law.growth) if fit.law is not None else -1.0
