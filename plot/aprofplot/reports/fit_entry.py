"""A fit as JSON: docs/manual/aprof-report.md."""

from __future__ import annotations

from typing import Any

from aprofplot.fits.law import Fit

_DIGITS = 4  # after the point, of shares and exponents


def fit_entry(fit: Fit) -> dict[str, Any]:
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
