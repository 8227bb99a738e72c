"""Views: for each kind of plot, the y values and curves that a table of points makes. Numbers come
from metrics and fits; nothing here knows how they are drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from aprofplot import metrics
from aprofplot.fits.bounding import Bound
from aprofplot.metrics import CostStatistic, Floats
from aprofplot.loop_scopes import LAST
from aprofplot.model import PointTable, Profile
from aprofplot.names import counted

STATISTIC_NAMES = {
    "max": "worst case",
    "mean": "mean",
    "min": "best case",
    "total": "total",
}


@dataclass(frozen=True, eq=False)
class Curve:
    """Marks at (x, y). `name` tells it from the other curves of its series, empty if there are
    none. `marker` None: that of the series. `accent`: which of the style's colours it has when
    its series is alone, None for the series' own."""

    name: str
    x: Floats
    y: Floats
    marker: str | None = None
    accent: int | None = None
    hollow: bool = False


class View(ABC):
    """A kind of plot. `keeps_shape`: a function of the input size, whose shape shows only if both
    axes are logarithmic or none. `percent`: y ends at 100."""

    keeps_shape: ClassVar[bool] = False
    percent: ClassVar[bool] = False

    @abstractmethod
    def curves(self, table: PointTable) -> tuple[Curve, ...]:
        """What to draw of a table, which has points."""

    @abstractmethod
    def label(self, profile: Profile) -> str:
        """Of the y axis."""

    def notes(self, tables: Sequence[PointTable]) -> list[str]:
        """What a reader must know beside what is drawn."""
        del tables
        return []


@dataclass(frozen=True)
class CostView(View):
    """Cost of the activations of one size: `statistic` says which of them."""

    event: str
    own: bool = False
    statistic: CostStatistic = "max"
    keeps_shape: ClassVar[bool] = True

    def curves(self, table: PointTable) -> tuple[Curve, ...]:
        sizes = metrics.sizes_of_points(table)
        return (
            Curve(
                "",
                sizes,
                metrics.cost_of_points(table, self.event, self.own, self.statistic),
            ),
        )

    def label(self, profile: Profile) -> str:
        if self.event == metrics.PARALLELISM:
            return _cost(profile, self.event, self.own)
        return f"{_cost(profile, self.event, self.own)}, {STATISTIC_NAMES[self.statistic]}"


@dataclass(frozen=True)
class RangeView(View):
    """Best, mean and worst case in one picture."""

    event: str
    own: bool = False
    keeps_shape: ClassVar[bool] = True

    def curves(self, table: PointTable) -> tuple[Curve, ...]:
        sizes = metrics.sizes_of_points(table)
        marks: tuple[tuple[CostStatistic, str, int], ...] = (
            ("max", "^", 1),
            ("mean", "o", 0),
            ("min", "v", 2),
        )
        return tuple(
            Curve(
                STATISTIC_NAMES[statistic],
                sizes,
                metrics.cost_of_points(table, self.event, self.own, statistic),
                marker,
                accent,
            )
            for statistic, marker, accent in marks
        )

    def label(self, profile: Profile) -> str:
        return _cost(profile, self.event, self.own)


@dataclass(frozen=True)
class WorkloadView(View):
    """How many activations each size had."""

    def curves(self, table: PointTable) -> tuple[Curve, ...]:
        return (Curve("", metrics.sizes_of_points(table), metrics.calls_of_points(table)),)

    def label(self, profile: Profile) -> str:
        return "activations"


@dataclass(frozen=True)
class VarianceView(View):
    """How much the cost of the activations of one size varies."""

    event: str
    own: bool = False

    def curves(self, table: PointTable) -> tuple[Curve, ...]:
        sizes = metrics.sizes_of_points(table)
        return (Curve("", sizes, metrics.variance_of_points(table, self.event, self.own)),)

    def label(self, profile: Profile) -> str:
        return f"variance of {_cost(profile, self.event, self.own)[:-1]}, squared)"


@dataclass(frozen=True)
class AmortizedView(View):
    """What activations cost if cheap ones pay for expensive ones; `alpha` None: the best."""

    event: str
    own: bool = False
    alpha: float | None = None
    keeps_shape: ClassVar[bool] = True

    def curves(self, table: PointTable) -> tuple[Curve, ...]:
        sizes = metrics.sizes_of_points(table)
        mean = metrics.cost_of_points(table, self.event, self.own, "mean")
        paid = metrics.amortize(table, self.event, self.own, self.alpha)
        charged = ~paid.prepaid
        first = Curve("amortized", sizes[charged], paid.charges[charged])
        before = Curve("mean cost of what is prepaid", sizes[~charged], mean[~charged], "x", 1)
        return (first, before) if paid.prepaid.any() else (first,)

    def label(self, profile: Profile) -> str:
        return f"amortized {_cost(profile, self.event, self.own)}"

    def notes(self, tables: Sequence[PointTable]) -> list[str]:
        alphas = [metrics.amortize(t, self.event, self.own, self.alpha).alpha for t in tables]
        least, most = f"{min(alphas):.3g}", f"{max(alphas):.3g}"
        return [f"α = {least}" if least == most else f"α = {least} to {most}"]


@dataclass(frozen=True)
class BoundView(View):
    """Cost divided by a function of the size: level where the cost grows as the function does."""

    event: str
    bound: Bound
    own: bool = False
    statistic: CostStatistic = "max"

    def curves(self, table: PointTable) -> tuple[Curve, ...]:
        sizes = metrics.sizes_of_points(table)
        costs = metrics.cost_of_points(table, self.event, self.own, self.statistic)
        ratios = self.bound.ratios(sizes, costs)
        there = ~np.isnan(ratios)
        return (Curve("", sizes[there], ratios[there]),)

    def label(self, profile: Profile) -> str:
        by = f"({self.bound.text})" if " " in self.bound.text else self.bound.text
        ratio = f"{_cost(profile, self.event, self.own)} / {by}"
        if self.event == metrics.PARALLELISM:
            return ratio
        return f"{ratio}, {STATISTIC_NAMES[self.statistic]}"

    def notes(self, tables: Sequence[PointTable]) -> list[str]:
        left_out = sum(len(table) - len(self.curves(table)[0].x) for table in tables)
        if not left_out:
            return []
        return [f"{counted(left_out, 'size')} left out, where {self.bound.text} is 0 or too large"]


@dataclass(frozen=True)
class InducedView(View):
    """How much of the TRMS input came from other threads and from the kernel."""

    percent: ClassVar[bool] = True

    def curves(self, table: PointTable) -> tuple[Curve, ...]:
        sizes = metrics.sizes_of_points(table)
        thread, external = metrics.induced_of_points(table)
        return (
            Curve("from other threads", sizes, thread, "o", 0),
            Curve("external", sizes, external, "s", 1, hollow=True),
        )

    def label(self, profile: Profile) -> str:
        return "share of the input (%)"


@dataclass(frozen=True)
class ProgressView(View):
    """Of a loop: what the k-th iteration of an execution costs, and all from the first to it. The sum is drawn
    at the last ordinal of each bin, the cost in its middle."""

    event: str

    def curves(self, table: PointTable) -> tuple[Curve, ...]:
        first, last = (table.column(name).astype(np.float64) for name in ("size", LAST))
        mean = metrics.cost_of_points(table, self.event, False, "mean")
        total = np.cumsum(mean * (last - first + 1))
        return (
            Curve("the k-th iteration", np.sqrt(first * last), mean, "o", 0),
            Curve("the first k together", last, total, "^", 1),
        )

    def label(self, profile: Profile) -> str:
        return f"{_cost(profile, self.event, False)}, mean"


def _cost(profile: Profile, event: str, own: bool) -> str:
    if event == metrics.PARALLELISM:
        return "parallelism (work / span)"
    unit = next(quantity.unit for quantity in profile.events if quantity.name == event)
    if event in (metrics.WORK, metrics.SPAN):
        return f"{'self ' if own else ''}{event} ({unit})"
    return f"{'self cost' if own else 'cost'} ({unit})"
