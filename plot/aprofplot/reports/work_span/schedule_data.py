"""What the page shows of simulated schedules: findings, what each number of processors gives, and which
functions keep them idle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aprofplot.names import printable, shorten
from aprofplot.processors.bottlenecks import find_all
from aprofplot.processors.charges import Charge, Costs
from aprofplot.processors.user_code import function_of
from aprofplot.work_span.model import WorkSpanProfile

_NAME = 60  # characters of a routine's
_ROUTINES = 12
_LEAST = 0.01  # of effort, from which a routine is shown


def schedule_data(profile: WorkSpanProfile, costs: Sequence[Costs]) -> dict[str, Any]:
    """Empty lists if there are none. Shares are of total effort. Findings and routines are of the last
    number of processors."""
    if not costs:
        return {"findings": [], "schedules": [], "idle": []}
    last = costs[-1]
    return {
        "findings": [
            f"On {last.processors} processors, {of.kind}: {printable(of.sentence)}. "
            f"Without it: {of.gain:.2f} times as fast."
            for of in find_all(last, profile.locks)
        ],
        "schedules": [
            [of.processors, of.time, of.speedup, *_shares(of.total, of.total.effort)]
            for of in costs
        ],
        "idle": _routines(last),
    }


def _shares(charge: Charge, effort: int) -> list[float]:
    amounts = (charge.work, charge.idleness, charge.lock_waits, charge.overhead)
    return [100 * amount / effort if effort else 0.0 for amount in amounts]


def _routines(costs: Costs) -> list[list[Any]]:
    """Those that are charged with most idleness, alone without what they call."""
    effort = costs.total.effort
    found: list[tuple[Charge, str]] = []
    for paths in costs.routines().values():
        charge = sum((costs.exclusive[path] for path in paths), Charge())
        if charge.effort >= _LEAST * effort:
            name = function_of(costs.frames(paths[0])[-1])
            found.append((charge, shorten(name, _NAME)))
    found.sort(key=lambda of: (-of[0].idleness, -of[0].effort))
    return [[name, *_shares(charge, effort)] for charge, name in found[:_ROUTINES]]
