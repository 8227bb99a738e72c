"""aprof-diff's JSON: docs/schema/aprof-diff.schema.json."""

from __future__ import annotations

import json
from typing import Any, TextIO

from aprofplot.compare.changes import REGRESSIONS, Change, Comparison, Side
from aprofplot.fits.law import Fit
from aprofplot.model import Profile, RoutineProfile
from aprofplot.names import unicode

FORMAT = "aprof-diff"
VERSION = 1


def write_diff_json(out: TextIO, comparison: Comparison) -> None:
    """The comparison as one JSON object, with a final newline."""
    json.dump(as_json(comparison), out, indent=1, allow_nan=False)
    out.write("\n")


def as_json(comparison: Comparison) -> dict[str, Any]:
    """The object. Changes begin with what matters most."""
    criteria = comparison.criteria
    return {
        "format": FORMAT,
        "version": VERSION,
        "old": _profile(comparison.old, comparison.totals[0]),
        "new": _profile(comparison.new, comparison.totals[1]),
        "criteria": {
            "cost": criteria.event,
            "metric": criteria.metric,
            "statistic": criteria.statistic,
            "threshold": criteria.threshold,
            "least_share": criteria.least_share,
        },
        "regressions": {
            which: len(comparison.regressions(which)) for which in REGRESSIONS if which != "none"
        },
        "changes": [_change(change) for change in comparison.changes],
        "new_routines": [_alone(*pair, criteria.event) for pair in comparison.appeared],
        "vanished_routines": [_alone(*pair, criteria.event) for pair in comparison.vanished],
        "left_out": comparison.small + comparison.small_alone,
    }


def _profile(profile: Profile, total: int) -> dict[str, Any]:
    return {
        "runs": [
            {
                "command": unicode(run.command),
                "pid": run.pid,
                "profile": unicode(run.path),
            }
            for run in profile.runs
        ],
        "total": total,
    }


def _routine(routine: RoutineProfile) -> dict[str, Any]:
    where = routine.routine
    return {
        "name": unicode(where.name),
        "object": unicode(where.object),
        "file": unicode(where.file),
        "line": where.line,
        "calls": routine.calls,
    }


def _alone(routine: RoutineProfile, share: float, event: str) -> dict[str, Any]:
    cost = routine.cost[event]
    return {
        **_routine(routine),
        "cost": {"inclusive": cost.inclusive, "self": cost.own},
        "share": share,
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        **_routine(side.routine),
        "cost": {"inclusive": side.cost.inclusive, "self": side.cost.own},
        "share": side.share,
        "fit": _fit(side.curve.fit),
    }


def _fit(fit: Fit) -> dict[str, Any]:
    return {
        "model": fit.model,
        "formula": fit.formula,
        "r2": fit.r2,
        "confidence": fit.confidence,
        "near_tie": list(fit.near_tie),
        "reason": fit.reason,
    }


def _change(change: Change) -> dict[str, Any]:
    ratio = change.ratio
    return {
        "kind": change.kind,
        "matched_by": change.match.how,
        "old": _side(change.old),
        "new": _side(change.new),
        "growth": {"change": change.growth.kind, "reason": change.growth.reason},
        "cost_at_equal_size": None
        if ratio is None
        else {
            "median": ratio.median,
            "quartiles": [ratio.low, ratio.high],
            "error": ratio.error,
            "at_largest_size": ratio.at_largest,
            "largest_size": ratio.largest,
            "sizes": ratio.sizes,
            "basis": ratio.basis,
            "confidence": ratio.confidence,
        },
        "own_part": change.own_part,
        "weight": change.weight,
    }
