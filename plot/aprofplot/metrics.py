"""Every number that a table or a picture shows and that is not in the profile as it stands.

Costs are in the unit of their event, input sizes in cells, shares in percent (0..100).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
import numpy.typing as npt

from aprofplot.model import PointTable, Profile, RoutineProfile, cost_column

CostStatistic = Literal["max", "mean", "min", "total"]
Floats = npt.NDArray[np.float64]

FEW_SIZES = 5  # below it, a plot shows points but hardly a trend


def total_cost(profile: Profile, event: str) -> int:
    """Cost of the whole run: each block or instruction was some routine's own."""
    return sum(routine.cost[event].own for routine in profile.routines)


def percent(part: int, whole: int) -> float:
    """100 * part / whole, 0 for a whole of 0."""
    return 100.0 * part / whole if whole else 0.0


def by_cost(routines: Iterable[RoutineProfile], event: str) -> list[RoutineProfile]:
    """Greatest inclusive cost first; ties by name, object, file, thread."""
    return sorted(routines, key=lambda r: (-r.cost[event].inclusive, r.routine.key, r.threads))


def distinct_sizes(routine: RoutineProfile, metric: str) -> int:
    """Number of distinct input sizes (points); 0 if the metric was not measured."""
    return len(routine.points[metric]) if metric in routine.points else 0


def largest_size(routine: RoutineProfile, metric: str) -> int:
    """The largest input size, 0 without points."""
    table = routine.points.get(metric)
    return int(table.column("size")[-1]) if table is not None and len(table) else 0


def input_volume(table: PointTable) -> int:
    """Sum of the input sizes of all activations (of their points' sizes where merged)."""
    sizes, calls = table.column("size"), table.column("calls")
    return sum(size * count for size, count in zip(sizes.tolist(), calls.tolist()))


def induced_shares(routine: RoutineProfile) -> tuple[float, float] | None:
    """Percent of the TRMS input, over finished activations, that other threads and that the
    kernel brought (paper, section 6.1). None if TRMS was not measured."""
    table = routine.points.get("trms")
    if table is None:
        return None
    volume = input_volume(table)
    thread = sum(table.column("thread").tolist())
    external = sum(table.column("external").tolist())
    return percent(thread, volume), percent(external, volume)


def cost_of_points(table: PointTable, event: str, own: bool, statistic: CostStatistic) -> Floats:
    """The y values of a cost plot, by ascending size. `own`: self cost instead of inclusive."""
    if statistic == "mean":
        total = table.column(cost_column(event, own, "sum")).astype(np.float64)
        mean: Floats = total / table.column("calls").astype(np.float64)
        return mean
    name = "sum" if statistic == "total" else statistic
    return table.column(cost_column(event, own, name)).astype(np.float64)


def sizes_of_points(table: PointTable) -> Floats:
    """The x values of every plot of a routine, ascending."""
    return table.column("size").astype(np.float64)


def calls_of_points(table: PointTable) -> Floats:
    """The y values of a workload plot."""
    return table.column("calls").astype(np.float64)
