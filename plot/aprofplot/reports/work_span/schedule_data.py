"""Simulated schedules for the page: findings, time and speedup on each number of processors, and
the functions that keep processors idle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aprofplot.names import NAME_WIDTH, printable, shorten
from aprofplot.processors.bottlenecks import find_all
from aprofplot.processors.charges import Charge, Costs
from aprofplot.work_span.model import WorkSpanProfile

_ROUTINES = 12


def schedule_data(profile: WorkSpanProfile, costs: Sequence[Costs], shown: int) -> dict[str, Any]:
    """Empty lists if there are none. Shares are of total effort. Findings and routines are of the
    schedule on `shown` processors."""
    if not costs:
        return {"findings": [], "schedules": [], "shown": shown, "idle": []}
    on_shown = next(of for of in costs if of.processors == shown)
    return {
        "findings": [
            f"On {shown} processors, {printable(of.text)}"
            for of in find_all(on_shown, profile.locks)
        ],
        "schedules": [
            [of.processors, of.time, of.speedup, *_shares(of.total, of.total.effort)]
            for of in costs
        ],
        "shown": shown,
        "idle": _routines(on_shown),
    }


def _shares(charge: Charge, effort: int) -> list[float]:
    amounts = (charge.work, charge.idleness, charge.lock_waits, charge.overhead)
    return [100 * amount / effort if effort else 0.0 for amount in amounts]


def _routines(costs: Costs) -> list[list[Any]]:
    """Those that are charged with most idleness, alone without what they call."""
    effort = costs.total.effort
    return [
        [shorten(of.name, NAME_WIDTH), *_shares(of.charge, effort)]
        for of in costs.routines()[:_ROUTINES]
    ]
