"""Limits for measured costs, with head-room for the next run."""

from __future__ import annotations

import numpy as np


def less_parallelism(found: float) -> str:
    """A tenth less than was measured."""
    return f"{float(f'{0.9 * found:.3g}'):g}"


def with_head_room(cost: float) -> str:
    """A limit a quarter above `cost`, rounded up to two digits."""
    limit = 1.25 * cost
    unit = 10.0 ** (int(np.floor(np.log10(limit))) - 1)
    return f"{np.ceil(limit / unit - 1e-9) * unit:.10g}"


def rounded_up(growth: tuple[float, float, float]) -> tuple[float, float, float]:
    """A law with head-room for its exponent, where that is none of the usual ones."""
    exponential, power, logarithms = growth
    if exponential not in (0, 1):
        return (float(np.log2(np.ceil(20 * 2.0**exponential + 0.5) / 20)), power, logarithms)
    usual = power in (0, 0.5, 1, 1.5, 2, 3)
    return growth if usual else (exponential, float(np.ceil(10 * power + 0.5) / 10), logarithms)
