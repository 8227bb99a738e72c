"""Tests whether a law misses the costs of the largest sizes, from where it is extrapolated."""

from __future__ import annotations

import math

import numpy as np

from aprofplot.fits.candidates import Candidate, errors
from aprofplot.fits.observations import Observations, median

# Of a law that misses them, at most: about the share of verdicts below 0.7 that is right in
# tests/tool/test_calibration.py, of the routines held back.
CONFIDENCE_OF_MISS = 0.4
# By half. No right verdict there, nor in tests/plot/test_fits_rates.py, is as far off beyond its scatter.
_MISS = 1.5
_STANDARD_ERRORS = 2.0
# Sizes: one or two that cost more than the law may be outliers, which hardly ever cost less.
_FEWEST_ABOVE = 3


def misses_largest(candidate: Candidate, points: Observations) -> bool:
    """The median error over the last octave of sizes is large, and more than the scatter of all explains."""
    error = errors(candidate, points)
    last = points.sizes * 2 >= points.sizes[-1]
    count = int(last.sum())
    off = median(error[last])
    if off > 0 and count < _FEWEST_ABOVE:
        return False
    scatter = 1.4826 * median(np.abs(error))
    standard_error = math.sqrt((scatter**2 + float(points.variance[last].mean())) / count)
    return abs(off) > max(math.log(_MISS), _STANDARD_ERRORS * standard_error)
