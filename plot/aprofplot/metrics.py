"""All numbers in tables and pictures that are not in the profile itself.

Costs are in the unit of their event, input sizes in cells, shares in percent (0..100).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from aprofplot.model import (
    CHILDREN,
    LoopProfile,
    PointTable,
    Profile,
    RoutineProfile,
    ThreadKey,
    cost_column,
)

CostStatistic = Literal["max", "mean", "min", "total"]
Floats = npt.NDArray[np.float64]

# The events of --work-span=yes, and the quotient of both.
WORK, SPAN, PARALLELISM = "work", "span", "parallelism"

FEW_SIZES = 5  # below it, a plot shows points but hardly a trend


def total_cost(profile: Profile, event: str) -> int:
    """Cost of the whole run: the sum of all self costs. Spans do not add up; for SPAN it is the longest
    of a routine that a thread calls once, as it does its first."""
    if event == SPAN:
        once = [r for r in profile.routines if r.calls == len(r.threads)]
        runs = len(profile.runs)
        return max((r.cost[SPAN].inclusive * runs // r.calls for r in once), default=0)
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


def largest_size(routine: RoutineProfile | LoopProfile, metric: str) -> int:
    """The largest input size, 0 without points."""
    table = routine.points.get(metric)
    return int(table.column("size")[-1]) if table is not None and len(table) else 0


def input_volume(table: PointTable) -> int:
    """Sum of the input sizes of all activations (of their points' sizes where merged)."""
    sizes, calls = table.column("size"), table.column("calls")
    return sum(size * count for size, count in zip(sizes.tolist(), calls.tolist()))


def read_again(points: PointTable) -> float | None:
    """The sum of the RMS of an activation's callees, or of a loop's iterations, divided by its own
    RMS: how often they read the same again. None if it was not measured or its own RMS is 0."""
    own = input_volume(points)
    if CHILDREN not in points.columns or own == 0:
        return None
    return float(sum(points.column(CHILDREN).tolist()) / own)


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
    """The y values of a cost plot, by ascending size. `own`: self cost instead of inclusive. The
    PARALLELISM of a size is the sum of the work of its activations by that of their spans.
    """
    if event == PARALLELISM:
        work, span = (cost_of_points(table, e, own, "total") for e in (WORK, SPAN))
        ratio: Floats = work / np.maximum(span, 1.0)
        return ratio
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


def variance_of_points(table: PointTable, event: str, own: bool) -> Floats:
    """Variance of the cost of the activations of each size, by ascending size, in the event's unit
    squared; 0 for a single activation."""
    calls = table.column("calls").tolist()
    sums = table.column(cost_column(event, own, "sum")).tolist()
    squares = table.column(cost_column(event, own, "sumsq")).tolist()
    # Exact until the division: the difference of two large numbers is often a small one.
    exact = [(n * sq - s * s) / (n * n) for n, s, sq in zip(calls, sums, squares)]
    return np.array(exact, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Amortization:
    """The charge of each activation if cheap ones pay for expensive ones in advance: (1 + alpha) times
    the mean cost for cheap sizes, nothing for `prepaid` sizes. `charges` and `prepaid` are ordered by
    ascending size."""

    alpha: float
    charges: Floats
    prepaid: npt.NDArray[np.bool_]


_GREATEST_ALPHA = 2.0  # of those tried where none is given


def amortize(table: PointTable, event: str, own: bool, alpha: float | None = None) -> Amortization:
    """Amortized cost of each size, after the plot of that name of aprof 0.2. Sizes pay by
    ascending mean cost until alpha times what they cost is enough for all others. Without `alpha`
    (at least 0) that of at most 2 is taken for which the largest charge is least: the charges of
    all activations then add up to their cost. The table has points."""
    mean = cost_of_points(table, event, own, "mean")
    total = cost_of_points(table, event, own, "total")
    order = np.argsort(mean, kind="stable")
    paying = np.cumsum(total[order])
    left = np.concatenate([np.cumsum(total[order][::-1])[::-1][1:], [0.0]])
    with np.errstate(divide="ignore", invalid="ignore"):
        enough = np.where(left == 0, 0.0, left / paying)  # the least alpha, with this cut
        largest_charge = np.where(enough <= _GREATEST_ALPHA, (1 + enough) * mean[order], np.inf)
    if alpha is None:
        cut = int(np.argmin(largest_charge))
        alpha = float(enough[cut])
    else:
        cut = int(np.argmax(enough <= alpha))
    prepaid = np.zeros(len(mean), dtype=np.bool_)
    prepaid[order[cut + 1 :]] = True
    return Amortization(alpha, np.where(prepaid, 0.0, (1 + alpha) * mean), prepaid)


def has_parallelism(events: Sequence[str]) -> bool:
    """Whether work and span were measured."""
    return WORK in events and SPAN in events


def parallelism_of_routine(routine: RoutineProfile) -> float | None:
    """Work / span of all its calls, recursion counted once: of one after the other. None if they
    were not measured, or the span is 0."""
    if not has_parallelism(list(routine.cost)):
        return None
    work, span = routine.cost[WORK].inclusive, routine.cost[SPAN].inclusive
    return work / span if span else None


def induced_of_points(table: PointTable) -> tuple[Floats, Floats]:
    """Percent of the input of each TRMS size that other threads and that the kernel brought, by
    ascending size."""
    volumes = [s * n for s, n in zip(table.column("size").tolist(), table.column("calls").tolist())]

    def share(column: str) -> Floats:
        # Merged points' sizes are rounded down: their shares may come out above 100.
        parts = zip(table.column(column).tolist(), volumes)
        return np.array([min(100.0, percent(part, volume)) for part, volume in parts])

    return share("thread"), share("external")


def profile_richness(routine: RoutineProfile) -> float | None:
    """(distinct TRMS sizes - distinct RMS sizes) / distinct RMS sizes (paper, section 6.1). None
    if either metric was not measured or has no points."""
    trms, rms = distinct_sizes(routine, "trms"), distinct_sizes(routine, "rms")
    return (trms - rms) / rms if trms and rms else None


def volume_beyond_rms(routine: RoutineProfile) -> float | None:
    """The paper's input volume (section 6.1), 1 - RMS volume / TRMS volume, in percent: the share
    of the routine's input that its RMS does not see. None as for profile_richness."""
    if profile_richness(routine) is None:
        return None
    trms = input_volume(routine.points["trms"])
    return percent(trms - input_volume(routine.points["rms"]), trms)


def at_least(values: Sequence[float]) -> tuple[Floats, Floats]:
    """The curves of the paper's Figures 15, 16, 18 and 19: x percent of the values are at least
    y, for x from 100 / N to 100."""
    descending: Floats = np.sort(np.array(values, dtype=np.float64))[::-1]
    return (
        np.arange(1, len(descending) + 1) * 100.0 / max(len(descending), 1),
        descending,
    )


def induced_of_program(profile: Profile) -> list[tuple[int, int]]:
    """For each run of `profile`, which has threads apart: induced first-accesses, each counted
    once, whose value came from other threads and from the kernel (paper, Figure 17).

    A routine's induced first-accesses are also its callers', so the outermost routines of each thread
    have them all. These are found by their cost, which adds up to that of the thread. That is exact
    if there is one, as in a whole run; otherwise cheap ones may be missed.
    """
    threads: dict[ThreadKey, list[RoutineProfile]] = {}
    for routine in profile.routines:
        threads.setdefault(routine.threads[0], []).append(routine)
    sums = [[0, 0] for _ in profile.runs]
    for key, routines in threads.items():
        for root in _outermost(routines, profile.event_names[0]):
            sums[key.run][0] += root.induced_thread
            sums[key.run][1] += root.induced_external
    return [(thread, external) for thread, external in sums]


def _outermost(routines: Sequence[RoutineProfile], event: str) -> list[RoutineProfile]:
    """The routines of one thread that have no caller, judged by costs."""
    left = sum(routine.cost[event].own for routine in routines)
    found = []
    # Of two with one cost, the caller has all the input of the other.
    for routine in sorted(
        routines,
        key=lambda r: (r.cost[event].inclusive, r.induced_thread + r.induced_external),
        reverse=True,
    ):
        cost = routine.cost[event].inclusive
        if 0 < cost <= left and not is_recursive(routine, event):
            found.append(routine)
            left -= cost
    return found


def is_recursive(routine: RoutineProfile, event: str) -> bool:
    """Whether some of its activations were in others of it: their costs add up to more than the
    routine's, where recursion counts once."""
    table = next(iter(routine.points.values()))
    costs = table.column(cost_column(event, False, "sum")).tolist()
    return bool(sum(costs) > routine.cost[event].inclusive)
