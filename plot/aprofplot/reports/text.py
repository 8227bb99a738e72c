"""Tables for people: aprof-report's default, and aprof-plot --list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aprofplot.metrics import (
    by_cost,
    distinct_sizes,
    induced_shares,
    largest_size,
    percent,
    total_cost,
)
from aprofplot.model import Profile, RoutineProfile
from aprofplot.names import place, shorten

NAME_WIDTH = 60


def report_lines(profile: Profile, top: int | None, per_thread: bool) -> Iterator[str]:
    """The run, then the routines by inclusive cost: at most `top` of them (None: all)."""
    yield from _header(profile)
    routines = by_cost(profile.routines, profile.event_names[0])
    shown = routines if top is None else routines[:top]
    heads = _heads(profile, per_thread)
    whole = {event: total_cost(profile, event) for event in profile.event_names}
    rows = [_row(profile, routine, whole, per_thread) for routine in shown]
    yield from _table(heads, rows)
    if len(shown) < len(routines):
        yield f"{len(routines) - len(shown)} more routines: --top={len(routines)} shows them"


def list_lines(profile: Profile) -> Iterator[str]:
    """All routines by inclusive cost, with calls and distinct input sizes."""
    event = profile.events[0]
    heads = [event.name, "%", "calls"]
    heads += [f"{metric} sizes" for metric in profile.metric_names] + ["routine"]
    whole = total_cost(profile, event.name)
    rows = []
    for routine in by_cost(profile.routines, event.name):
        cost = routine.cost[event.name].inclusive
        row = [f"{cost:,}", f"{percent(cost, whole):.1f}", f"{routine.calls:,}"]
        row += [f"{distinct_sizes(routine, metric):,}" for metric in profile.metric_names]
        rows.append([*row, _name(routine)])
    yield from _table(heads, rows)


def _header(profile: Profile) -> Iterator[str]:
    for run in profile.runs:
        threads = "thread" if len(run.threads) == 1 else "threads"
        yield f"{run.command}  (pid {run.pid}, {len(run.threads)} {threads}, {run.path})"
    events = "; ".join(f"{event.name}: {event.unit}" for event in profile.events)
    metrics = "; ".join(f"{metric.name}: {metric.unit}" for metric in profile.metrics)
    yield f"cost in {events}. Input size in {metrics}."
    yield ""


def _heads(profile: Profile, per_thread: bool) -> list[str]:
    heads = []
    for event in profile.event_names:
        heads += [event, "%", f"{event} self", "%"]
    heads += ["calls", "unfinished"]
    for metric in profile.metric_names:
        heads += [f"{metric} sizes", "largest"]
    if "trms" in profile.metric_names:
        heads += ["thread %", "external %"]
    heads += ["thread"] if per_thread else []
    return [*heads, "routine"]


def _row(
    profile: Profile, routine: RoutineProfile, whole: dict[str, int], per_thread: bool
) -> list[str]:
    row = []
    for event, cost in routine.cost.items():
        row += [f"{cost.inclusive:,}", f"{percent(cost.inclusive, whole[event]):.1f}"]
        row += [f"{cost.own:,}", f"{percent(cost.own, whole[event]):.1f}"]
    row += [f"{routine.calls:,}", f"{routine.unfinished:,}" if routine.unfinished else ""]
    for metric in profile.metric_names:
        row += [f"{distinct_sizes(routine, metric):,}", f"{largest_size(routine, metric):,}"]
    shares = induced_shares(routine)
    if shares is not None:
        row += [f"{share:.1f}" for share in shares]
    if per_thread:
        key = routine.threads[0]
        name = profile.thread(key).name
        pid = f"{profile.runs[key.run].pid}:" if len(profile.runs) > 1 else ""
        row.append(f"{pid}{key.id} {name}".strip())
    return [*row, _name(routine)]


def _name(routine: RoutineProfile) -> str:
    where = routine.routine
    return f"{shorten(where.name, NAME_WIDTH)}  {place(where.object, where.file, where.line)}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Right-aligned columns, but the last."""
    widths = [max(len(cell) for cell in column) for column in zip(heads, *rows)]
    for row in (heads, *rows):
        cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths)]
        yield "  ".join([*cells, row[-1]])
