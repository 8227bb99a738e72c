"""The verdict on a line of a budget, decided so that repeated runs agree.

A law is violated only if every law that the fit leaves possible grows faster than the limit, be it
sure of one of them or not, and the cost does so visibly by each: over the upper half of the sizes (on
a logarithmic axis) by more than the tolerance. If the fit cannot tell, it is also violated if this holds
for every law that explains the points as well as the best, and for the slope, which is known well. A
cost is violated only if it is above the limit by more than the tolerance and the scatter of the points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from aprofplot.compare.budget import BudgetLine
from aprofplot.compare.estimate import Estimate, cost_at
from aprofplot.compare.growth import doubt, likely_laws, possible_laws
from aprofplot.compare.head_room import less_parallelism, rounded_up, with_head_room
from aprofplot.compare.limits import (
    CostLimit,
    GrowthLimit,
    ParallelismLimit,
    growth_factor,
    law_text,
    parse_law,
    parse_number,
)
from aprofplot.fits.fitting import fit_table, progress_of_points
from aprofplot.fits.law import Fit, Law
from aprofplot.metrics import (
    SPAN,
    WORK,
    Floats,
    has_parallelism,
    largest_size,
    parallelism_of_routine,
)
from aprofplot.loop_scopes import (
    PROGRESS,
    loop_place,
    names_loop,
    near_loops,
    number_suffix,
    numbers_in_line,
)
from aprofplot.model import (
    ITERATIONS,
    LoopProfile,
    PointTable,
    Profile,
    RoutineProfile,
    argument_of,
)
from aprofplot.named_scopes import named_scopes
from aprofplot.names import NAME_WIDTH, counted, shorten
from aprofplot.selection import near_names

Status = Literal["ok", "violated", "cannot tell"]

_KNOWN_SLOPE = 0.5  # width of the confidence interval of the exponent
_SEVERITY: dict[Status, int] = {"ok": 0, "cannot tell": 1, "violated": 2}


@dataclass(frozen=True)
class Verdict:
    """Of a line. `message` says what was measured. `relaxed`: a limit that would hold, with
    head-room, where it was violated; else empty."""

    line: BudgetLine
    status: Status
    message: str
    relaxed: str = ""


def judge(profile: Profile, line: BudgetLine, tolerance: float) -> Verdict:
    """The verdict on all routines, or else loops, of a merged profile that the line names: the worst of
    each's."""
    if isinstance(line.limit, ParallelismLimit) and not has_parallelism(profile.event_names):
        paths = ", ".join(run.path for run in profile.runs)
        what = f"no work-span data in {paths}: profile with --work-span=yes"
        return Verdict(line, "cannot tell", what)
    routines = named_scopes(profile, line.pattern)
    if not routines and names_loop(line.pattern):
        return Verdict(line, "cannot tell", _no_loop(profile.loops, line.pattern))
    if not routines:
        near = near_names(profile.routines, line.pattern)[:3]
        like = f" (there are {', '.join(near)})" if near else ""
        return Verdict(line, "cannot tell", f"no routine matches '{line.pattern}'{like}")
    verdicts = [_judge_routine(profile, routine, line, tolerance) for routine in routines]
    worst = max(verdicts, key=lambda verdict: _SEVERITY[verdict.status])
    if len(verdicts) == 1:
        return worst
    index = verdicts.index(worst)
    same = sum(verdict.status == worst.status for verdict in verdicts)
    what = "routines" if routines[0] in profile.routines else "loops"
    message = (
        f"{same} of {len(verdicts)} {what}, as {shorten(routines[index].routine.name, NAME_WIDTH)}"
    )
    return Verdict(line, worst.status, f"{message}: {worst.message}", _loosest(verdicts))


def _no_loop(loops: Sequence[LoopProfile], pattern: str) -> str:
    if not loops:
        return f"no loop at {pattern}: profile with --loops=yes"
    numbers = numbers_in_line(loops)
    near = ", ".join(
        loop_place(loop) + number_suffix(numbers.get(loop.key, 0))
        for loop in near_loops(loops, pattern)
    )
    return f"no loop at {pattern}" + (f" (there are {near})" if near else "")


def _loosest(verdicts: Sequence[Verdict]) -> str:
    """The limit that lets all of them hold."""
    relaxed = [verdict.relaxed for verdict in verdicts if verdict.relaxed]
    if isinstance(verdicts[0].line.limit, ParallelismLimit):
        return min(relaxed, key=lambda text: parse_number(text) or 0, default="")
    return max(
        relaxed,
        key=lambda text: (parse_number(text) or 0, parse_law(text) or ()),
        default="",
    )


def _judge_routine(
    profile: Profile, routine: RoutineProfile, line: BudgetLine, tolerance: float
) -> Verdict:
    if isinstance(line.limit, ParallelismLimit):
        return _judge_parallelism(routine, line, tolerance)
    metric = line.metric or ("trms" if "trms" in profile.metric_names else profile.metric_names[0])
    event = line.event or profile.event_names[0]
    if metric not in routine.points:
        return Verdict(line, "cannot tell", _without_points(routine, metric))
    if event not in profile.event_names:
        option = "--work-span=yes" if event in (WORK, SPAN) else "--cost=both"
        return Verdict(line, "cannot tell", _not_measured(event, option))
    table = routine.points[metric]
    if metric == PROGRESS:
        if f"{event}.sum" not in table.columns:
            what = f"a progress has no {event}: write bb or instr, as the profile has it"
            return Verdict(line, "cannot tell", what)
        table = progress_of_points(table, event)
    if not len(table):
        return Verdict(line, "cannot tell", "none of its activations has returned")
    if isinstance(line.limit, CostLimit):
        return _judge_cost(routine, table, line, metric, event, tolerance)
    fit = fit_table(table, event, line.own, line.statistic, metric)
    return _judge_growth(table, line, metric, event, fit, tolerance)


def _not_measured(what: str, option: str) -> str:
    return f"{what} was not measured: profile with {option}"


def _without_points(routine: RoutineProfile, metric: str) -> str:
    """Why it has none under the metric."""
    argument = argument_of(metric)
    if argument is not None:
        return _no_argument(routine, argument)
    if metric != PROGRESS:
        return _not_measured(
            metric, "--loops=yes" if metric == ITERATIONS else "--input-metric=both"
        )
    if ITERATIONS in routine.points:
        return "it has no inner loop and no call: what its k-th iteration costs is not measured"
    return "only loops have a progress: name one as FILE:LINE, of a profile with --loops=yes"


def _no_argument(routine: RoutineProfile, argument: str) -> str:
    known = [name for m in routine.points if (name := argument_of(m)) is not None]
    if known:
        return f"no argument {argument} is known in nearly all of its calls (there are {', '.join(known)})"
    return _not_measured(f"argument {argument}", "--arguments=yes, and compile with -g")


def _judge_parallelism(routine: RoutineProfile, line: BudgetLine, tolerance: float) -> Verdict:
    assert isinstance(line.limit, ParallelismLimit)
    found = parallelism_of_routine(routine)
    if found is None:
        return Verdict(line, "cannot tell", "it has no span")
    work, span = routine.cost[WORK].inclusive, routine.cost[SPAN].inclusive
    measured = f"parallelism {found:,.2f}: work {work:,} / span {span:,}"
    if found >= line.limit.least:
        return Verdict(line, "ok", measured)
    if found >= line.limit.least * (1 - tolerance):
        return Verdict(line, "ok", f"{measured}: below, within tolerance")
    share = f"{found / line.limit.least:.2f} times the limit"
    return Verdict(line, "violated", f"{measured}: {share}", less_parallelism(found))


def _judge_cost(
    routine: RoutineProfile,
    table: PointTable,
    line: BudgetLine,
    metric: str,
    event: str,
    tolerance: float,
) -> Verdict:
    assert isinstance(line.limit, CostLimit)
    limit = line.limit
    found = cost_at(table, event, line.own, line.statistic, limit.size)
    if found is None:
        least = int(table.column("size")[0])
        sizes = counted(len(table), "size")
        what = f"no points near size {limit.size:,.0f}: {sizes} from {least:,}"
        return Verdict(line, "cannot tell", f"{what} to {largest_size(routine, metric):,} {metric}")
    measured = f"{_described(found)} {event}, at {_where(found)} {metric}"
    if found.cost <= limit.most:
        return Verdict(line, "ok", measured)
    above = found.cost / limit.most - 1
    if found.cost * (1 - found.error) <= limit.most * (1 + tolerance):
        return Verdict(line, "ok", f"{measured}: {above:.1%} above, within tolerance and scatter")
    times = f"{found.cost / limit.most:.2f} times the limit"
    return Verdict(line, "violated", f"{measured}: {times}", with_head_room(found.cost))


def _described(found: Estimate) -> str:
    error = f" ± {found.error:.1%}" if found.error >= 0.0005 else ""
    return f"{found.cost:,.0f}{error}"


def _where(found: Estimate) -> str:
    low, high = found.between
    return f"{low:,}" if low == high else f"a size between {low:,} and {high:,}"


def _judge_growth(
    table: PointTable,
    line: BudgetLine,
    metric: str,
    event: str,
    fit: Fit,
    tolerance: float,
) -> Verdict:
    assert isinstance(line.limit, GrowthLimit)
    limit = line.limit.growth
    largest = int(table.column("size")[-1])
    sizes = f"{event} over {metric}, {counted(len(table), 'size')} to {largest:,}"
    laws = possible_laws(fit)
    unsure = bool(doubt(fit))
    if not laws or unsure and laws[0].growth <= limit < laws[-1].growth:
        return _judge_slope(table, line, fit, sizes, tolerance)
    measured = f"{fit.formula} ({sizes}; confidence {fit.confidence:.2f})"
    if fit.law is None:
        measured = f"{fit.reason} ({sizes})"
    if (laws[-1] if fit.law is None else fit.law).growth <= limit:
        return Verdict(line, "ok", measured)
    if laws[0].growth <= limit:
        least = law_text(laws[0].growth)
        return Verdict(line, "ok", f"{measured}, but {least} cannot be ruled out")
    excess = _least_excess(table, fit, laws, line.limit)
    if excess <= 1 + tolerance:
        how = f"over the upper half of the sizes {max(excess - 1, 0.0):.1%} more than {line.limit}"
        return Verdict(line, "ok", f"{measured}, but {how}: within tolerance")
    return Verdict(line, "violated", measured, law_text(rounded_up(laws[-1].growth)))


def _upper_half(table: PointTable) -> tuple[float, float]:
    """The middle, on a logarithmic axis, of the sizes, and the largest; at least 2."""
    least, largest = (max(float(table.column("size")[i]), 2.0) for i in (0, -1))
    return float(np.sqrt(least * largest)), largest


def _least_excess(table: PointTable, fit: Fit, laws: Sequence[Law], limit: GrowthLimit) -> float:
    """The least _excess() by any of the `laws` that `fit` leaves possible."""
    costs = [fit.predict if law is fit.law else law.cost for law in laws]
    return min(_excess(table, cost, limit) for cost in costs)


def _excess(table: PointTable, cost: Callable[[Floats], Floats], limit: GrowthLimit) -> float:
    """By which factor the `cost` by a law grows more than the limit over the upper half of the sizes."""
    middle, largest = _upper_half(table)
    low, high = cost(np.array([middle, largest])).tolist()
    if low <= 0:
        return float("inf")
    return float(high / low) / growth_factor(limit.growth, middle, largest)


def _judge_slope(
    table: PointTable, line: BudgetLine, fit: Fit, sizes: str, tolerance: float
) -> Verdict:
    """Without a law, the slope on logarithmic axes may still be certainly within the limit, or, if
    it is known well enough, possibly: as with near-ties. Or it is certainly above, and no likely law
    says otherwise: of a cost that is negative at size 0, as n - 9 would be, the slope is steeper than
    the law."""
    assert isinstance(line.limit, GrowthLimit)
    limit = line.limit
    reason = fit.reason or f"{fit.model} only with confidence {fit.confidence:.2f}"
    if fit.slope is not None:
        middle, largest = _upper_half(table)
        known = fit.slope.high - fit.slope.low <= _KNOWN_SLOPE
        least: float = (largest / middle) ** (fit.slope.low if known else fit.slope.high)
        if least <= growth_factor(limit.growth, middle, largest) * (1 + tolerance):
            slope = f"n^{fit.slope.low:.2f} and n^{fit.slope.high:.2f}"
            return Verdict(line, "ok", f"between {slope} ({sizes}), though {reason}")
        likely = likely_laws(fit)
        if (
            known
            and likely
            and all(law.growth > limit.growth for law in likely)
            and _least_excess(table, fit, likely, limit) > 1 + tolerance
        ):
            most = law_text(rounded_up(possible_laws(fit)[-1].growth))
            return Verdict(
                line, "violated", f"at least n^{fit.slope.low:.2f} ({sizes}): {reason}", most
            )
    return Verdict(line, "cannot tell", f"{reason} ({sizes})")
