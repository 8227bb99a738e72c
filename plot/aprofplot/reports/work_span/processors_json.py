"""The members `processors` and `findings` of cilkshadow-report --format=json."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aprofplot.names import base_name, unicode
from aprofplot.processors.charges import Charge, Costs
from aprofplot.processors.blame import Finding, gain_of
from aprofplot.work_span.model import OVERHEAD_KINDS, CallSite, Lock


def processors_json(costs: Costs, locks: Sequence[Lock]) -> dict[str, Any]:
    """On one number of processors: all, by call path, and by lock."""
    paths = [number for number, charge in enumerate(costs.inclusive) if charge.effort]
    return {
        "P": costs.processors,
        "scheduler": costs.schedule.scheduler,
        "time": costs.time,
        **_charge(costs.total),
        "speedup": costs.speedup,
        "redivided": [
            {"schedule": schedule, "path": _path(costs, path)}
            for schedule, of in (("static", costs.divided.anew), ("guided", costs.divided.guided))
            for path in sorted(of)
        ],
        "not_redivided": [_path(costs, path) for path in sorted(costs.divided.kept)],
        "paths": [
            {
                "path": _path(costs, number),
                **_charge(costs.exclusive[number]),
                "inclusive": _charge(costs.inclusive[number]),
            }
            for number in paths
        ],
        "locks": [
            {
                "name": unicode(locks[number - 1].name) if number <= len(locks) else None,
                "idleness": waits,
            }
            for number, waits in costs.schedule.waits_of.items()
        ],
    }


def what_if_json(now: Costs, then: Costs) -> dict[str, Any]:
    """What changes would give on one number of processors."""
    return {
        "P": then.processors,
        "time": then.time,
        "gain": now.time / then.time if then.time else 1.0,
    }


def finding_json(rank: int, finding: Finding, costs: Sequence[Costs]) -> dict[str, Any]:
    """One of the findings on the last number of processors, with its gain on each. Its place is that of the call which is
    to blame."""
    last = finding.frames[-1] if finding.frames else None
    gains = [*(gain_of(finding.without, of) for of in costs[:-1]), finding.gain]
    return {
        "rank": rank,
        "kind": finding.kind,
        "sentence": unicode(finding.sentence),
        "function": unicode(finding.function) or None,
        "file": last and unicode(last.file) or None,
        "line": last and last.line or None,
        "path": [
            {
                "function": unicode(frame.function),
                "file": unicode(frame.file) or None,
                "line": frame.line or None,
            }
            for frame in finding.frames
        ],
        "lock": None if finding.lock is None else unicode(finding.lock),
        "share": finding.share,
        "gain": {str(of.processors): gain for of, gain in zip(costs, gains)},
    }


def _charge(charge: Charge) -> dict[str, Any]:
    return {
        "work": charge.work,
        "idleness": charge.idleness,
        "lock_waits": charge.lock_waits,
        "overhead": charge.overhead,
        "overhead_by_kind": dict(zip(OVERHEAD_KINDS, charge.overheads)),
        "scheduling": charge.scheduling,
    }


def _path(costs: Costs, number: int) -> list[dict[str, Any]]:
    """The outermost call first, functions that were inlined among them; a loop has the function that it is
    written in."""
    found: list[dict[str, Any]] = []
    while number:
        call = costs.dag.paths[number]
        of = call.loop or call.inlined
        if of is not None:
            place = {"file": unicode(of.file) or None, "line": of.line or None}
            found.append({"function": unicode(costs.functions[number]), **place})
        elif call.site is not None:
            found.append(_frame(call.site))
        number = call.caller
    return found[::-1]


def _frame(site: CallSite) -> dict[str, Any]:
    file, line = _place(site)
    return {"function": unicode(base_name(site.callee.name)), "file": file, "line": line}


def _place(site: CallSite) -> tuple[str | None, int | None]:
    """Of the call, or else of the routine that nobody called."""
    if site.line:
        return unicode(site.file) or None, site.line
    return unicode(site.callee.file) or None, site.callee.line or None
