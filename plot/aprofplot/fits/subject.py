"""The subject of a fit: the costs to find a law for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aprofplot.fits.observations import MOST, Observations, observe
from aprofplot.loop_scopes import PROGRESS
from aprofplot.metrics import FEW_SIZES, CostStatistic
from aprofplot.model import PointTable, is_argument

# The relative variance that the costs of a bin's iterations are taken to have: bins of a few say little, as the
# first iterations also set up what all need. Of 125 programs this changes 6 laws, 3 of them from n^2 log n, or an
# interval, to n^2, which is right; 0.25 changes the same ones.
_SCATTER_OF_ITERATIONS = 0.1


@dataclass(frozen=True, eq=False)
class Subject:
    """The inclusive cost (`own`: self cost) of the points of a table. `metric`: what the sizes are, if that
    matters."""

    table: PointTable
    event: str
    own: bool = False
    statistic: CostStatistic = "mean"
    metric: str = ""

    @property
    def exponential(self) -> bool:
        """Whether it may follow c^n, as that of a recursion in an argument."""
        return is_argument(self.metric)

    @property
    def unmeasured(self) -> float:
        """The relative variance that the costs of one size are taken to have beside what the table has."""
        return _SCATTER_OF_ITERATIONS if self.metric == PROGRESS else 0.0

    def weight(self) -> int:
        """How many points it has, if they are to be fitted."""
        count = len(self.table)
        return min(count, MOST) if count >= FEW_SIZES else 0

    def observed(self) -> Observations:
        """Its points, to fit."""
        found = observe(self.table, self.event, self.own, self.statistic, self.unmeasured)
        return replace(found, models=(*found.models, "c^n")) if self.exponential else found
