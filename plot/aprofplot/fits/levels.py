"""Costs that go over from one level to another while the size grows, and lie on both in between:
something other than the size, such as where memory comes from, decides the cost, and is there at
small sizes and not at large ones, or the other way round. A law through both levels would be
steeper than either."""

from __future__ import annotations

import numpy as np

from aprofplot.fits.candidates import Candidate, errors
from aprofplot.fits.law import number
from aprofplot.fits.observations import Observations

_JUMP = 0.6  # of the log cost between neighbours, beside the law's growth: a factor of 1.8
_LEAST_JUMPS = 3  # there, back and there: one is a break, two are an outlier
_LEAST_ASIDE = 4  # observations on one level alone, at either end
# Of those between the first and the last: costs that scatter jump here and there.
_LEAST_SHARE = 0.5
_LEAST_SPAN = 1.3  # of the sizes with costs on both levels: fewer are a few odd calls
_SMOOTH = 0.5  # neighbours of one level differ by so much of a jump at most, nine of ten


def two_levels(chosen: Candidate, points: Observations) -> str:
    """Where the costs lie on two levels; empty if they do not go over from one to another."""
    change = np.diff(errors(chosen, points))
    is_jump = np.abs(change) > _JUMP
    at = np.flatnonzero(is_jump)
    if len(at) < _LEAST_JUMPS or len(at) < _LEAST_SHARE * (at[-1] - at[0] + 1):
        return ""
    if at[0] < _LEAST_ASIDE - 1 or at[-1] > len(change) - _LEAST_ASIDE:
        return ""
    jumps, others = np.abs(change[at]), np.abs(change[~is_jump])
    goes_over = abs(float(change[at].sum())) > _JUMP and change[at].min() < 0 < change[at].max()
    if not goes_over or np.quantile(others, 0.9) > _SMOOTH * np.median(jumps):
        return ""
    first, last = points.sizes[at[0] + 1], points.sizes[at[-1]]
    if last < _LEAST_SPAN * first:
        return ""
    apart = np.exp(np.median(jumps))
    return (
        f"from size {number(first)} to {number(last)} costs lie on two levels, a factor of "
        f"{number(float(apart))} apart"
    )
