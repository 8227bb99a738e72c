"""Tables for people: aprof-report's default, and aprof-plot --list."""

from __future__ import annotations

from collections.abc import Iterator

from aprofplot.metrics import by_cost, distinct_sizes, percent, total_cost
from aprofplot.model import Profile, RoutineProfile
from aprofplot.names import NAME_WIDTH, counted, place, printable, shorten
from aprofplot.reports.aligned import aligned
from aprofplot.reports.columns import routine_columns
from aprofplot.reports.listing import Listing
from aprofplot.reports.finding_text import finding_lines, run_notes
from aprofplot.reports.loop_rows import with_loops
from aprofplot.reports.nameless import nameless_in

_RUNS = 20  # named, at most


def report_lines(listing: Listing, top: int | None) -> Iterator[str]:
    """The run, then the listed routines: at most `top` of them (None: all)."""
    yield from header_lines(listing.profile)
    yield from map(printable, finding_lines(listing))
    shown = listing.routines if top is None else listing.routines[:top]
    columns = routine_columns(listing)
    rows = [
        [*(column.cell(routine) for column in columns), "  " * depth + _name(routine)]
        for depth, routine in with_loops(listing, shown)
    ]
    yield from aligned([*(column.head for column in columns), "routine"], rows)
    yield from footer_lines(listing, len(shown))


def footer_lines(listing: Listing, shown: int) -> Iterator[str]:
    """What the table leaves out or has elsewhere."""
    number = len(listing.routines)
    ends = (*listing.routines[:1], *listing.routines[-1:])
    if [of.routine.key in listing.last for of in ends] == [False, True]:
        yield "the dynamic linker and what calls main come last; by cost with --sort=cost"
    if shown < number:
        yield f"{counted(number - shown, 'more routine')}: --top={number} shows all"


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
    yield from aligned(heads, rows)


def header_lines(profile: Profile) -> Iterator[str]:
    """The runs, and the units of all numbers."""
    for run in profile.runs[:_RUNS]:
        threads = counted(len(run.threads), "thread")
        yield f"{run.command}  (pid {run.pid}, {threads}, {run.path})"
        yield from run_notes(run)
    if len(profile.runs) > _RUNS:
        yield f"and {counted(len(profile.runs) - _RUNS, 'more run')}"
    events = "; ".join(f"{event.name}: {event.unit}" for event in profile.events)
    metrics = "; ".join(f"{metric.name}: {metric.unit}" for metric in profile.metrics)
    yield f"cost in {events}. Input size in {metrics}."
    yield from filter(None, [nameless_in(profile, profile.event_names[0])])
    yield ""


def _name(routine: RoutineProfile) -> str:
    where = routine.routine
    name = shorten(printable(where.name), NAME_WIDTH)
    return f"{name}  {printable(place(where.object, where.file, where.line))}"
