"""What changed between two profiles, routine by routine, and how much it matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from aprofplot.compare.growth import GrowthChange, compare_growth
from aprofplot.compare.loop_match import match_loops
from aprofplot.compare.match import Match, match_routines
from aprofplot.compare.ratios import CostRatio, Curve, compare_costs, curve
from aprofplot.errors import AprofError
from aprofplot.fits.fitting import fit_table
from aprofplot.fits.law import Fit
from aprofplot.metrics import CostStatistic, percent, total_cost
from aprofplot.model import CostTotal, Profile, Quantity, RoutineProfile

# What a change amounts to, what matters most first.
Kind = Literal[
    "growth worse",
    "cost higher",
    "growth better",
    "cost lower",
    "more work",
    "less work",
    "unchanged",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
REGRESSIONS: dict[str, tuple[Kind, ...]] = {
    "growth": ("growth worse",),
    "cost": ("cost higher",),
    "any": ("growth worse", "cost higher"),
    "none": (),
}


@dataclass(frozen=True)
class Criteria:
    """How to compare. `threshold`: from which fraction on a cost has changed. `least_share`: in
    percent of the run's cost; routines below it on both sides are left out."""

    event: str
    metric: str
    statistic: CostStatistic = "mean"
    threshold: float = 0.05
    least_share: float = 1.0


@dataclass(frozen=True, eq=False)
class Side:
    """A routine on one side. `share`: its inclusive cost in percent of the run's."""

    routine: RoutineProfile
    cost: CostTotal
    share: float
    curve: Curve


@dataclass(frozen=True, eq=False)
class Change:
    """A routine, or loop, on both sides. `own_part`: how much of the change of the cost per activation is in
    its own code, 0..1; None if that cost did not change. `weight` sorts changes of one kind.
    """

    match: Match
    old: Side
    new: Side
    growth: GrowthChange
    ratio: CostRatio | None
    own_part: float | None
    kind: Kind
    weight: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """All that aprof-diff knows. `changes` begin with what matters most, `appeared` and `vanished`
    with the costliest. `matched`, `matched_loops`: pairs in all, of which `small` were left out, and
    `small_alone` routines of one side.
    """

    old: Profile
    new: Profile
    criteria: Criteria
    totals: tuple[int, int]
    changes: tuple[Change, ...]
    appeared: tuple[tuple[RoutineProfile, float], ...]
    vanished: tuple[tuple[RoutineProfile, float], ...]
    small: int
    small_alone: int
    matched: int
    matched_loops: int

    def regressions(self, which: str) -> list[Change]:
        """Those that count as such with --fail-on=`which`."""
        return [change for change in self.changes if change.kind in REGRESSIONS[which]]


def compare(
    old: Profile,
    new: Profile,
    criteria: Criteria,
    renamed: Sequence[tuple[RoutineProfile, RoutineProfile]] = (),
) -> Comparison:
    """Compares merged profiles (merge_threads), which have the event and metric of `criteria`."""
    matching = match_routines(old.routines, new.routines, renamed)
    totals = total_cost(old, criteria.event), total_cost(new, criteria.event)
    matches = [*matching.matches, *match_loops(matching.matches, old.loops, new.loops)]
    shares = [
        tuple(_share(r, criteria, total) for r, total in zip((m.old, m.new), totals))
        for m in matches
    ]
    large = [m for m, s in zip(matches, shares) if max(s) >= criteria.least_share]
    changes = [_change(match, criteria, totals) for match in large]
    changes.sort(key=lambda c: (KINDS.index(c.kind), -c.weight, c.match.new.routine.key))
    appeared = _alone(matching.new, criteria, totals[1])
    vanished = _alone(matching.vanished, criteria, totals[0])
    alone = len(matching.new) - len(appeared) + len(matching.vanished) - len(vanished)
    return Comparison(
        old,
        new,
        criteria,
        totals,
        tuple(changes),
        appeared,
        vanished,
        len(matches) - len(large),
        alone,
        len(matching.matches),
        len(matches) - len(matching.matches),
    )


def common_quantity(
    kind: str,
    old: Sequence[Quantity],
    new: Sequence[Quantity],
    wanted: str | None,
    option: str,
) -> str:
    """The cost event or input-size metric to compare by: `wanted`, or the first that both sides
    measured. AprofError if a side lacks it or measured it in another unit."""
    units = {quantity.name: quantity.unit for quantity in old}
    both = [quantity for quantity in new if quantity.name in units]
    for quantity in both:
        if wanted in (None, quantity.name):
            if units[quantity.name] != quantity.unit:
                what = f"{kind} {quantity.name} is in {units[quantity.name]} and in {quantity.unit}"
                raise AprofError(what, f"profile both sides with the same {option}")
            return quantity.name
    name = f" {wanted}" if wanted else ""
    what = f"{kind}{name} was not measured on both sides"
    raise AprofError(what, f"profile both sides with the same {option}")


def _share(routine: RoutineProfile, criteria: Criteria, total: int) -> float:
    return percent(routine.cost[criteria.event].inclusive, total)


def _alone(
    routines: Sequence[RoutineProfile], criteria: Criteria, total: int
) -> tuple[tuple[RoutineProfile, float], ...]:
    """Those of one side that are large enough, with their shares, costliest first."""
    shared = [(routine, _share(routine, criteria, total)) for routine in routines]
    large = [(routine, share) for routine, share in shared if share >= criteria.least_share]
    return tuple(sorted(large, key=lambda pair: (-pair[1], pair[0].routine.key)))


def _change(match: Match, criteria: Criteria, totals: tuple[int, int]) -> Change:
    old, new = (
        _side(routine, criteria, total) for routine, total in zip((match.old, match.new), totals)
    )
    ratio = compare_costs(old.curve, new.curve)
    growth = _visible(compare_growth(old.curve.fit, new.curve.fit), ratio, criteria.threshold)
    kind = _kind(growth, ratio, old, new, criteria.threshold)
    part = _own_part(match, criteria)
    # Who only calls what has changed matters half as much as what has changed.
    emphasis = 0.5 + 0.5 * (part if part is not None else 0.0)
    return Change(
        match,
        old,
        new,
        growth,
        ratio,
        part,
        kind,
        _size(kind, growth, ratio, old, new) * max(old.share, new.share) * emphasis,
    )


def _side(routine: RoutineProfile, criteria: Criteria, total: int) -> Side:
    table = routine.points[criteria.metric]
    fit: Fit = fit_table(table, criteria.event, False, criteria.statistic)
    points = curve(table, criteria.event, criteria.statistic, fit)
    share = _share(routine, criteria, total)
    return Side(routine, routine.cost[criteria.event], share, points)


def _visible(change: GrowthChange, ratio: CostRatio | None, threshold: float) -> GrowthChange:
    """A change of growth shows at the sizes measured, or one cannot tell."""
    if change.kind not in ("worse", "better"):
        return change
    if ratio is None:
        return GrowthChange("cannot tell", reason="the two sides have no input sizes in common")
    drift = ratio.trend if change.kind == "worse" else 1 / ratio.trend
    return change if drift > 1 + threshold else GrowthChange("same")


def _kind(
    growth: GrowthChange,
    ratio: CostRatio | None,
    old: Side,
    new: Side,
    threshold: float,
) -> Kind:
    if growth.kind == "worse":
        return "growth worse"
    if ratio is not None and ratio.higher(threshold):
        return "cost higher"
    if growth.kind == "better":
        return "growth better"
    if ratio is not None and ratio.lower(threshold):
        return "cost lower"
    if new.cost.inclusive > old.cost.inclusive * (1 + threshold):
        return "more work"
    if old.cost.inclusive > new.cost.inclusive * (1 + threshold):
        return "less work"
    return "unchanged"


def _size(kind: Kind, growth: GrowthChange, ratio: CostRatio | None, old: Side, new: Side) -> float:
    """How large the change is: in exponents of n, or as a fraction of the lesser cost."""
    if kind in ("growth worse", "growth better"):
        return abs(growth.steps)
    if kind in ("cost higher", "cost lower") and ratio is not None:
        return max(ratio.median, 1 / ratio.median) - 1
    costs = sorted((old.cost.inclusive, new.cost.inclusive))
    return costs[1] / max(costs[0], 1) - 1


def _own_part(match: Match, criteria: Criteria) -> float | None:
    old, new = match.old.cost[criteria.event], match.new.cost[criteria.event]
    per_call = [1 / max(routine.calls, 1) for routine in (match.old, match.new)]
    inclusive = new.inclusive * per_call[1] - old.inclusive * per_call[0]
    own = new.own * per_call[1] - old.own * per_call[0]
    return max(0.0, min(own / inclusive, 1.0)) if inclusive else None
