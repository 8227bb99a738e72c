"""Lines for a budget, from a good run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aprofplot.clone_names import function_name
from aprofplot.compare.budget import Budget, BudgetSyntaxError, parse_line
from aprofplot.compare.estimate import cost_at
from aprofplot.compare.growth import doubt, growths
from aprofplot.compare.head_room import less_parallelism, rounded_up, with_head_room
from aprofplot.compare.limits import ParallelismLimit, law_text
from aprofplot.compare.verdict import judge
from aprofplot.findings.ranking import find_all
from aprofplot.fits.fitting import fit_table
from aprofplot.metrics import (
    by_cost,
    parallelism_of_routine,
    percent,
    sizes_of_points,
    total_cost,
)
from aprofplot.model import PointTable, Profile, RoutineKey, RoutineProfile
from aprofplot.named_scopes import named_scopes
from aprofplot.names import printable
from aprofplot.ownership import own_routines
from aprofplot.selection import matching

HEADING = (
    "# Written by aprof-check --update. ROUTINE <= LAW, ROUTINE cost at size N <= COST; costs are "
    "a quarter",
    "# above what was measured, parallelisms a tenth below. Lines that hold, and comments, stay as they",
    "# are at the next update.",
)
_PARALLEL = 1.2  # the least parallelism that is worth a line


@dataclass(frozen=True)
class Update:
    """`text`: the whole file. Numbers of lines kept, raised and lowered (which) and added. `findings`: what
    is to blame, of the routines whose limits were added: these allow it."""

    text: str
    kept: int
    raised: tuple[int, ...]
    lowered: tuple[int, ...]
    added: int
    findings: tuple[str, ...] = ()


def update(budget: Budget, profile: Profile, tolerance: float, least_share: float) -> Update:
    """Raises the limits that `profile` violates, lowers those of parallelism, and appends lines for
    the routines that no line names and that have at least `least_share` percent of the cost. What is a
    finding is said in a comment before its routine's lines."""
    verdicts = [judge(profile, line, tolerance) for line in budget.lines]
    violated = [v for v in verdicts if v.status == "violated"]
    named = {id(r) for line in budget.lines for r in named_scopes(profile, line.pattern)}
    own = own_routines(routine.routine for routine in profile.routines)
    faults = _findings(profile)
    added: list[str] = []
    said: list[str] = []
    for routine in _worthwhile(profile, least_share):
        name = None if id(routine) in named else _written(profile.routines, routine)
        if name is None:
            continue
        lines = list(_limits(profile, routine, name))
        found = parallelism_of_routine(routine)
        if found is not None and found >= _PARALLEL and routine.routine.key in own:
            lines.append(f"{name} parallelism >= {less_parallelism(found)}")
        fault = faults.get(routine.routine.key)
        if lines and fault is not None:
            said.append(fault)
            added.append(f"# finding: {fault}")
        added += lines
    heading = [*HEADING, ""] if not budget.raw else []
    relaxed = {verdict.line.number: verdict.relaxed for verdict in violated}
    text = budget.changed(relaxed, heading + added)
    lowered = tuple(v.line.number for v in violated if isinstance(v.line.limit, ParallelismLimit))
    raised = tuple(number for number in relaxed if number not in lowered)
    kept, count = len(budget.lines) - len(violated), len(added) - len(said)
    return Update(text, kept, raised, lowered, count, tuple(said))


def _findings(profile: Profile) -> dict[RoutineKey, str]:
    """What the findings say first, by the routine whose cost grows, or that has the loop."""
    found = find_all(profile, profile.event_names[0]) if profile.loops else []
    return {of.scope.routine.key: printable(of.lines[0]) for of in reversed(found)}


def _worthwhile(profile: Profile, least_share: float) -> list[RoutineProfile]:
    """The costliest first: those with a source file, as the program's own have; all, if none has."""
    event = profile.event_names[0]
    total = total_cost(profile, event)
    known = any(routine.routine.file for routine in profile.routines)
    return [
        routine
        for routine in by_cost(profile.routines, event)
        if percent(routine.cost[event].inclusive, total) >= least_share
        and (routine.routine.file or not known)
    ]


def _limits(profile: Profile, routine: RoutineProfile, name: str) -> Iterator[str]:
    """A law and a cost, by the metric and event that a line means if it names none; none if the
    law is not known."""
    metric = "trms" if "trms" in profile.metric_names else profile.metric_names[0]
    table = routine.points[metric]
    fit = fit_table(table, profile.event_names[0])
    if doubt(fit):
        return
    _, most = growths(fit)
    yield f"{name} <= {law_text(rounded_up(most))}"
    size = _round_size(table)
    found = cost_at(table, profile.event_names[0], False, "mean", size)
    if found is not None:
        yield f"{name} cost at size {size} <= {with_head_room(found.cost)}"


def _round_size(table: PointTable) -> int:
    """1, 2 or 5 times a power of ten, at most 70 % of the largest size: another run reaches it."""
    most = max(0.7 * float(sizes_of_points(table)[-1]), 1.0)
    unit = 10 ** int(math.floor(math.log10(most)))
    return next(int(digit * unit) for digit in (5, 2, 1) if digit * unit <= most)


def _written(routines: Sequence[RoutineProfile], routine: RoutineProfile) -> str | None:
    """How a line names the routine and no other: by name, without what the next build may give a
    clone; after its file or object; with its address. None if nothing does."""
    where = routine.routine
    places = [place.rpartition("/")[2] for place in (where.file, where.object) if place]
    names = dict.fromkeys([function_name(where.name), where.name])
    candidates = [*names, *(f"{place}:{name}" for place in places for name in names)]
    candidates.append(f"{where.name}@0x{where.address:x}")
    for candidate in candidates:
        found = matching(routines, candidate)
        if len(found) == 1 and found[0] is routine:
            return _quoted(candidate)
    return None


def _quoted(name: str) -> str | None:
    """In quotes if a line reads it otherwise without; None if it does not fit in a line."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    for written in (name, f'"{escaped}"'):
        try:
            line = parse_line(1, f"{written} <= n")
        except BudgetSyntaxError:
            continue
        if line is not None and line.pattern == name and name.isprintable():
            return written
    return None
