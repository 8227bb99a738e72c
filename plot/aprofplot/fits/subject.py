"""The subject of a fit: the costs to find a law for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aprofplot.fits.observations import MOST, Observations, observe
from aprofplot.metrics import FEW_SIZES, CostStatistic
from aprofplot.model import PointTable


@dataclass(frozen=True, eq=False)
class Subject:
    """The inclusive cost (`own`: self cost) of the points of a table. `exponential`: it may follow c^n, as
    that of a recursion in an argument. `unmeasured`: the relative variance that the costs of one size are
    taken to have beside what the table has."""

    table: PointTable
    event: str
    own: bool = False
    statistic: CostStatistic = "mean"
    exponential: bool = False
    unmeasured: float = 0.0

    def weight(self) -> int:
        """How many points it has, if they are to be fitted."""
        count = len(self.table)
        return min(count, MOST) if count >= FEW_SIZES else 0

    def observed(self) -> Observations:
        """Its points, to fit."""
        found = observe(self.table, self.event, self.own, self.statistic, self.unmeasured)
        return replace(found, models=(*found.models, "c^n")) if self.exponential else found
