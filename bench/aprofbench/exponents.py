"""How a cost grows with the size of one thing: the exponent e of cost - start = c * size ** e."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

SEEN = 0.2  # of a whole run's cost at the start, or of what is beside a cost: what is less is noise
LINEAR = 1.1  # the largest exponent that is called linear: measuring is not exact
_END = 3  # sizes


@dataclass(frozen=True)
class Growth:
    """Slopes of the regression of logarithms, over all sizes that can be told from the start, and
    over the largest three of them. None where there are fewer."""

    sizes: int
    exponent: float | None = None
    end: float | None = None

    def verdict(self) -> str:
        """What the larger of both says."""
        if self.exponent is None or self.end is None:
            return "seen at too few sizes" if self.sizes else "constant"
        worst = max(self.exponent, self.end)
        if worst > LINEAR:
            return "worse than linear"
        return "linear" if worst > 2 - LINEAR else "better than linear"


def growth(
    costs: Mapping[int, float], whole_start: float, beside: Mapping[int, float] | None = None
) -> Growth:
    """Of costs by size; size 0 is the start, for which a whole run costs `whole_start`. `beside` is
    what was measured with them and subtracted, by size, if that differs from run to run."""
    start = costs.get(0, 0.0)
    points = [
        (math.log(size), math.log(cost - start))
        for size, cost in sorted(costs.items())
        if size > 0 and cost - start > SEEN * max(whole_start, (beside or {}).get(size, 0.0))
    ]
    if len(points) < _END:
        return Growth(len(points))
    return Growth(len(points), _slope(points), _slope(points[-_END:]))


def _slope(points: list[tuple[float, float]]) -> float:
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return covariance / sum((x - mean_x) ** 2 for x, _ in points)
