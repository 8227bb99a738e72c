"""Simulated schedules for the page: time and speedup on each number of processors, the functions that
keep processors idle, and a timeline."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from aprofplot.names import NAME_WIDTH, printable, shorten
from aprofplot.processors.charges import LEAST, Charge, Costs
from aprofplot.processors.timeline import timeline
from aprofplot.processors.timeline_bars import bars, critical_spans
from aprofplot.work_span.model import OVERHEAD_KINDS

_ROUTINES = 12
# Of the timeline, at most: functions with a colour of their own, rows, parts of the time that can be seen, and bars
# (as many again of the critical path).
_FUNCTIONS, _ROWS, _PARTS, _BARS = 7, 64, 1500, 20_000


def schedule_data(costs: Sequence[Costs], shown: int) -> dict[str, Any]:
    """Empty lists if there are none. Shares are of total effort. Routines are of the schedule on `shown`
    processors."""
    if not costs:
        return {
            "schedules": [],
            "shown": shown,
            "idle": [],
            "overheads": [],
            "timeline": None,
        }
    on_shown = next(of for of in costs if of.processors == shown)
    return {
        "schedules": [
            [of.processors, of.time, of.speedup, *_shares(of.total, of.total.effort)]
            for of in costs
        ],
        "shown": shown,
        "idle": _routines(on_shown),
        "overheads": _overheads(on_shown.total),
        "timeline": _timeline(on_shown),
    }


def _timeline(costs: Costs) -> dict[str, Any] | None:
    """Spans are processor, begin and end, one after the other. None: there are too many rows to be seen."""
    if costs.processors > _ROWS or not costs.time:
        return None
    intervals = timeline(costs)
    finest = -(-costs.time // min(_PARTS, _BARS // costs.processors))  # rounded up
    return {
        "processors": costs.processors,
        "time": costs.time,
        "bars": [
            [_label(of.what), of.kind, list(chain(*of.spans))]
            for of in bars(intervals, _FUNCTIONS, finest)
        ],
        "critical": list(chain(*critical_spans(intervals, finest))),
    }


def _label(what: str) -> str:
    return shorten(printable(what), NAME_WIDTH) if what else "(unknown)"


def _shares(charge: Charge, effort: int) -> list[float]:
    amounts = (charge.work, charge.idleness, charge.lock_waits, charge.overhead)
    return [100 * amount / effort if effort else 0.0 for amount in amounts]


def _overheads(charge: Charge) -> list[tuple[str, float]]:
    """By kind, of those that there are; none if there is little."""
    if charge.overhead < LEAST * charge.effort:
        return []
    return [
        (kind, 100 * amount / charge.effort)
        for kind, amount in zip(OVERHEAD_KINDS, charge.overheads)
        if amount
    ]


def _routines(costs: Costs) -> list[list[Any]]:
    """Those that are charged with most idleness, alone without what they call."""
    effort = costs.total.effort
    return [
        [shorten(of.name, NAME_WIDTH), *_shares(of.charge, effort)]
        for of in costs.routines()[:_ROUTINES]
    ]
