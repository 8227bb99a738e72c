"""Finds the law that explains a routine's points, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from aprofplot.fits.candidates import Candidate, errors
from aprofplot.fits.choosing import Choice, choose
from aprofplot.fits.influence import ONE_PLACE, Place
from aprofplot.fits.kept_fits import keep_fits, kept_fits
from aprofplot.fits.largest_sizes import CONFIDENCE_OF_MISS, misses_largest
from aprofplot.fits.law import (
    CANNOT_TELL,
    LEAST_WEIGHT,
    Break,
    Fit,
    Law,
    RunnerUp,
    Slope,
    Uncertainty,
    formula,
    number,
)
from aprofplot.fits.levels import two_levels
from aprofplot.fits.observations import Observations, is_constant
from aprofplot.fits.precision import FittedPoints, support
from aprofplot.process_pool import in_shares
from aprofplot.fits.segments import find_break
from aprofplot.fits.shapes import Model, growth
from aprofplot.fits.slopes import log_log_slope
from aprofplot.fits.subject import Subject
from aprofplot.fits.sums import beside_sums
from aprofplot.fits.together import Steps, run_together
from aprofplot.loop_scopes import LAST, PROGRESS, progress_points
from aprofplot.metrics import FEW_SIZES, CostStatistic, Floats
from aprofplot.model import (
    STATISTICS,
    Integers,
    LoopProfile,
    PointTable,
    RoutineProfile,
    cost_column,
    is_argument,
)
from aprofplot.progress import Progress

NEEDED_SPAN = 2.0  # largest size / smallest, at least
SPAN_OF_GROWTH = 4.0  # for other verdicts than "1", "2^n" and "c^n"
FALLING = -0.05  # no law where the log-log slope is certainly less, and itself known well
OPEN_GROWTH = 0.2  # "1" only where the log-log slope may be less, and is not certainly more
WIDEST_TIE = 0.55  # the powers of n of near ties differ by so much at most
TOO_SCATTERED = 0.5  # of log cost: typically a factor of e^0.5 = 1.6 off ...
TOO_LITTLE = 0.5  # ... and r2 is less than this: the size does not explain the cost
RUNNERS_UP = 3
# The weight beside a sum of two powers with which a law between them is a verdict.
LEAST_OF_LAW = 0.5
_AS_GOOD_AS_NONE = 1e-4  # a relative error


def fit_routines(
    routines: Sequence[RoutineProfile | LoopProfile],
    event: str,
    progress: Progress | None = None,
) -> list[dict[str, Fit]]:
    """For each routine the fit of the mean cost under each metric, by its name. KeyError if `event` was
    not measured."""
    subjects: list[Subject] = []
    numbers: list[dict[str, int]] = []  # the subject of each metric
    for routine in routines:
        of_metric: dict[str, int] = {}
        for metric, table in routine.points.items():
            of_argument = is_argument(metric)
            tables = ((m, routine.points[m]) for m in of_metric if not of_argument)
            twin = next((m for m, other in tables if _same(other, table, event)), None)
            of_metric[metric] = len(subjects) if twin is None else of_metric[twin]
            if twin is None:
                subjects.append(Subject(table, event, metric=metric))
        numbers.append(of_metric)
    fits = fit_all(subjects, progress)
    return [{metric: fits[i] for metric, i in of_metric.items()} for of_metric in numbers]


def fit_all(subjects: Sequence[Subject], progress: Progress | None = None) -> list[Fit]:
    """The law that each follows. Much faster than one by one. KeyError if an event was not measured."""
    fits = kept_fits(subjects)
    missing = [number for number in range(len(subjects)) if number not in fits]
    found_now: dict[int, Fit] = {}
    for share, found in in_shares([subjects[i] for i in missing], Subject.weight, _fit_share):
        found_now.update(zip((missing[i] for i in share), found))
        if progress is not None:
            progress(len(fits) + len(found_now), len(subjects))
    keep_fits(subjects, found_now)
    fits.update(found_now)
    return [fits[number] for number in range(len(subjects))]


def _fit_share(subjects: Sequence[Subject]) -> list[Fit]:
    """In one process."""
    fits = dict(run_together(map(_fit, subjects)))
    return [fits[number] for number in range(len(subjects))]


def fit_loops(
    loops: Sequence[LoopProfile], event: str, progress: Progress | None = None
) -> list[dict[str, Fit]]:
    """For each loop the fit of an execution's mean cost under each metric and ITERATIONS, by its name; as
    "progress" that of an iteration's mean cost against its ordinal, if it was measured. KeyError if `event`
    was not."""
    found = fit_routines(loops, event, progress=progress)
    measured = [i for i, loop in enumerate(loops) if has_progress(loop, event)]
    tables = [progress_table(loops[i], event) for i in measured]
    fits = fit_all([Subject(table, event, metric=PROGRESS) for table in tables])
    for i, fit in zip(measured, fits):
        found[i]["progress"] = fit
    return found


def has_progress(loop: LoopProfile, event: str) -> bool:
    """Whether what its iterations cost was measured."""
    return bool(loop.progress) and event in loop.progress[0].cost


def progress_table(loop: LoopProfile, event: str) -> PointTable:
    """The bins of a loop's progress as points: the size is the middle of their ordinals, as far as its
    longest execution went. What costs within a bin differ by is not known."""
    return progress_of_points(progress_points(loop), event)


def progress_of_points(bins: PointTable, event: str) -> PointTable:
    """The same of bins as progress_points() has them. KeyError if `event` was not measured."""
    first, iterations, last = (bins.column(name) for name in ("size", "calls", LAST))
    return table_of_means((first + last + 1) // 2, iterations, bins.column(f"{event}.sum"), event)


def table_of_means(
    sizes: Integers, calls: Integers, cost: Integers, event: str, precision: int = 0
) -> PointTable:
    """Points of which only the sum of the costs is known: each call has their mean."""
    mean = cost // calls
    columns = ["size", "calls", *(cost_column(event, False, each) for each in STATISTICS)]
    rows = [sizes, calls, mean, mean, cost, mean * cost]
    return PointTable(precision, tuple(columns), np.array(rows, dtype=object))


def fit_table(
    table: PointTable,
    event: str,
    own: bool = False,
    statistic: CostStatistic = "mean",
    metric: str = "",
) -> Fit:
    """Of a single subject."""
    return fit_all([Subject(table, event, own, statistic, metric)])[0]


def _fit(subject: Subject) -> Steps[Fit]:
    table, event, own, statistic = subject.table, subject.event, subject.own, subject.statistic
    count = len(table)
    if count < FEW_SIZES:
        sizes = "size" if count == 1 else "sizes"
        none = _cannot_tell(f"{count} distinct {sizes}; {FEW_SIZES} needed")
        few = None if count < 3 else (yield from log_log_slope(subject.observed()))
        return none if few is None else replace(none, slope_of_few=few)
    points = subject.observed()
    slope = yield from log_log_slope(points)
    reason = _too_narrow(points, NEEDED_SPAN)
    if reason:
        return _cannot_tell(reason, slope)
    if statistic != "total" and is_constant(table, event, own):
        return _constant(points, float(table.column(cost_column(event, own, "max"))[0]))
    choice = yield from choose(points, _grows(slope))
    start = yield from find_break(points, choice)
    if start is not None:
        segmented = yield from _segmented(points, start, slope)
        if segmented is not None:
            return segmented
    return (yield from _verdict(points, choice, slope))


def _constant(points: Observations, cost: float) -> Fit:
    """Nothing to choose: all cost the same. Small costs would else look rounded, and 0 has no
    logarithm."""
    law = Law("1", cost, 0.0)
    known = partial(Uncertainty, float(points.sizes[-1]), np.zeros((3, 3)), 0.0)
    flat = Slope(0.0, 0.0, 0.0)
    return Fit("1", law, formula(law), 1.0, 1.0, slope=flat, uncertainty=known)


def _same(one: PointTable, other: PointTable, event: str) -> bool:
    """Whether the fits are the same: most routines' RMS is their TRMS."""
    if len(one) != len(other) or one.precision != other.precision:
        return False
    columns = ["size", "calls", *(cost_column(event, False, s) for s in ("sum", "sumsq"))]
    return bool((one.part(columns) == other.part(columns)).all())


def _cannot_tell(reason: str, slope: Slope | None = None) -> Fit:
    return Fit(CANNOT_TELL, None, "", None, 0.0, slope=slope, reason=reason)


def _too_narrow(points: Observations, span: float) -> str:
    least, most = points.sizes[0], points.sizes[-1]
    if most >= span * max(least, 1.0):
        return ""
    return f"sizes from {number(least)} to {number(most)}; a factor of {span:g} needed"


def _verdict(points: Observations, choice: Choice, slope: Slope | None) -> Steps[Fit]:
    place = Place(choice, points)
    reason = yield from _doubt(points, choice, slope, place)
    if reason:
        return _cannot_tell(reason, slope)
    reason = _wide_tie(choice)
    if reason:
        possible = [choice.best(m).law for m, w in choice.weight.items() if w >= LEAST_WEIGHT]
        tied = tuple(choice.best(m).law for m in _named_ties(choice))
        return replace(_cannot_tell(reason, slope), between=tuple(possible), tied=tied)
    elsewhere = yield from place.confidence_elsewhere()
    law = choice.candidate.law
    sum_of_powers, weight = beside_sums(points, choice)
    if weight < LEAST_OF_LAW:
        reason = f"{choice.model} and {sum_of_powers.model} with a smaller power explain the cost"
        both = law, sum_of_powers
        return replace(_cannot_tell(reason, slope), between=both, tied=both)
    confidence = min(choice.confidence, elsewhere, weight)
    if misses_largest(choice.candidate, points):
        confidence = min(confidence, CONFIDENCE_OF_MISS)
    others = [model for model in choice.weight if model != choice.model][:RUNNERS_UP]
    return Fit(
        model=choice.model,
        law=law,
        formula=formula(law),
        r2=_r_squared(points, choice.candidate.squared),
        confidence=confidence,
        runners_up=tuple(_runner_up(points, choice.best(m), choice.weight[m]) for m in others),
        near_tie=tuple(m for m in choice.tied if m != choice.model),
        slope=slope,
        tied=tuple(choice.best(m).law for m in choice.tied),
        uncertainty=FittedPoints(choice.candidate, points, choice.independence),
    )


def _runner_up(points: Observations, candidate: Candidate, weight: float) -> RunnerUp:
    law = candidate.law
    return RunnerUp(law, formula(law), _r_squared(points, candidate.squared), weight)


def _segmented(points: Observations, start: int, slope: Slope | None) -> Steps[Fit | None]:
    """The fit with a break before observation `start`, if the law beyond can be told."""
    small, large = points.part(0, start), points.part(start, len(points))
    if _too_narrow(large, NEEDED_SPAN):
        return None
    steep = yield from log_log_slope(large)
    chosen = yield from choose(large, _grows(steep))
    beyond = yield from _verdict(large, chosen, steep)
    if beyond.law is None:
        return None
    choice = yield from choose(small)
    before = _law_before(choice, small)
    known = FittedPoints(before, small, choice.independence)
    at = Break(float(small.sizes[-1]), before.law, known)
    error = np.concatenate(
        [errors(before, small), large.log_cost - np.log(beyond.law.cost(large.sizes))]
    )
    return replace(
        beyond,
        formula=formula(beyond.law, at),
        r2=_r_squared(points, float((error**2).mean())),
        slope=slope,
        segment=at,
    )


def _law_before(choice: Choice, small: Observations) -> Candidate:
    """What describes the points before a break. So few may seem to have one cost, by the price of a parameter: not
    if they are typically far from it, and another law is near them. No law is told that a single point decides.
    """

    def decided(law: Candidate) -> bool:
        return bool(support(law, small).max() <= ONE_PLACE)

    chosen, one_cost = choice.candidate, choice.best("1")
    if chosen.model != "1":
        return chosen if decided(chosen) else one_cost
    near = (choice.best(model) for model in choice.weight)  # the likeliest first
    is_far = chosen.scatter > TOO_SCATTERED**2
    return next(
        (of for of in near if is_far and of.scatter <= TOO_SCATTERED**2 and decided(of)), chosen
    )


def _doubt(points: Observations, choice: Choice, slope: Slope | None, place: Place) -> Steps[str]:
    """Why the choice must not be a verdict; empty if it may."""
    chosen = choice.candidate
    if chosen.model == "1" and slope is not None and _falls(slope):
        return "the cost falls as the input grows"
    explained = _r_squared(points, chosen.squared)
    if chosen.scatter > TOO_SCATTERED**2 and explained < TOO_LITTLE:
        return "cost is not explained by this input size"
    if chosen.model == "1":
        is_open = slope is not None and slope.high > OPEN_GROWTH
        return "the points leave open whether the cost grows" if is_open else ""
    levels = two_levels(chosen, points)
    if levels:
        return levels
    narrow = _too_narrow(points, NEEDED_SPAN if chosen.model in ("2^n", "c^n") else SPAN_OF_GROWTH)
    if narrow:
        return narrow
    for model in _named_ties(choice):
        candidate = choice.best(model)
        shares = support(candidate, points)
        if shares.max() > ONE_PLACE:
            return f"only the size {number(points.sizes[int(shares.argmax())])} shows growth"
    if (yield from place.shows_all_growth()):
        return f"only {_named(place.sizes, 'shows', 'show')} growth"
    if (yield from place.is_contradicted()):
        return f"without {_named(place.sizes)} it is another law"
    return ""


def _named_ties(choice: Choice) -> Sequence[Model]:
    """The exponent of n^c is the likeliest one: those near a law that is tied are as good. So is the base of
    c^n beside 2^n."""
    stood_for = {"n^c", "c^n"} if "2^n" in choice.tied else {"n^c"}
    return [m for m in choice.tied if m not in stood_for] or choice.tied


def _wide_tie(choice: Choice) -> str:
    """Why near ties leave the growth open; empty if they agree."""
    named = _named_ties(choice)
    slowest, fastest = (growth(m, choice.best(m).exponent) for m in (named[0], named[-1]))
    if slowest[0] != fastest[0] or fastest[1] - slowest[1] > WIDEST_TIE:
        return f"anything from {named[0]} to {named[-1]} explains the cost"
    return ""


def _named(sizes: Floats, *verb: str) -> str:
    """`verb`: of one size, and of several."""
    first, last = number(sizes[0]), number(sizes[-1])
    if first == last:
        return " ".join(["the size", first, *verb[:1]])
    return " ".join(["the sizes from", first, "to", last, *verb[1:]])


def _grows(slope: Slope | None) -> bool:
    """Errors of neighbours that are alike say less each, and so excuse a law that is off; but not
    one that misses the trend."""
    return slope is not None and slope.low > OPEN_GROWTH


def _falls(slope: Slope) -> bool:
    return slope.high < FALLING and slope.high - slope.low < abs(slope.value)


def _r_squared(points: Observations, left: float) -> float:
    """Share of the variance of the log cost that a law explains whose mean squared error is `left`;
    every point counts alike."""
    if left <= _AS_GOOD_AS_NONE**2:
        return 1.0
    total = points.spread
    return max(0.0, 1 - left / total) if total > 0 else 0.0
