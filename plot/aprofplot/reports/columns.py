"""The columns of the routine table, for the plain table and for the one that fits a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from aprofplot.compare.growth import doubt
from aprofplot.fits.growth import Growth
from aprofplot.fits.law import Fit
from aprofplot.metrics import (
    distinct_sizes,
    induced_shares,
    largest_size,
    percent,
    total_cost,
)
from aprofplot.model import ITERATIONS, RoutineProfile
from aprofplot.names import printable
from aprofplot.reports.listing import Listing

# What a narrow terminal keeps longest comes first, what it loses first comes last. The columns of
# an event or metric that is not the table's main one go before all others.
KEPT = tuple(
    "share,thread name,growth,cost,sizes,calls,own share,largest,own,thread,external,place,"
    "unfinished".split(",")
)
_OF_ORDER = {
    "self": "own",
    "name": "routine",
}  # the kind of column where it is not named alike


@dataclass(frozen=True)
class Column:
    """`head` stands over the plain table's column, `title` over a terminal's, where its neighbour
    may be missing. `kind` is one of KEPT. `main`: of the event or metric that counts.
    """

    kind: str
    head: str
    title: str
    cell: Callable[[RoutineProfile], str]
    main: bool = True

    @property
    def rank(self) -> int:
        """A narrow terminal loses the columns with the greatest rank first."""
        return KEPT.index(self.kind) + (0 if self.main else len(KEPT))


def routine_columns(listing: Listing) -> list[Column]:
    """All but the routine's name and place, from left to right."""
    profile = listing.profile
    columns: list[Column] = []
    for event in profile.event_names:
        main = event == listing.event
        columns += [replace(column, main=main) for column in _costs(listing, event)]
    columns.append(Column("calls", "calls", "calls", lambda r: f"{r.calls:,}"))
    columns.append(
        Column(
            "unfinished",
            "unfinished",
            "unfinished",
            lambda r: f"{r.unfinished:,}" if r.unfinished else "",
        )
    )
    for metric in profile.metric_names:
        main = metric == listing.metric
        columns += [replace(column, main=main) for column in _sizes(metric)]
    if "trms" in profile.metric_names:
        columns.append(Column("thread", "thread %", "thread %", lambda r: _induced(r, 0)))
        columns.append(Column("external", "external %", "external %", lambda r: _induced(r, 1)))
    columns.append(
        Column(
            "growth",
            "growth",
            "growth",
            lambda r: growth_words(listing.growth(r), listing.known_growth(r)),
        )
    )
    if listing.per_thread:
        name = Column("thread name", "thread", "thread", lambda r: _thread(listing, r))
        columns.append(name)
    return columns


def is_sorted_by(column: Column, sort: str) -> bool:
    """Whether `column` shows what --sort=`sort` sorts by."""
    return column.main and column.kind == _OF_ORDER.get(sort, sort)


def growth_text(fit: Fit) -> str:
    """The law's name, with ? behind if it is in doubt."""
    return f"{fit.name}?" if fit.law and doubt(fit) else fit.name


def growth_words(fit: Fit, known: Growth) -> str:
    """The law, or what is `known` without one."""
    if known.behaviours:
        return f"{' or '.join(known.behaviours)}, by {known.differ_by}"
    words = growth_text(fit) if fit.law is not None else _interval(fit, known)
    if known.grows_in == ITERATIONS:
        return f"{words} in iterations"
    return words if known.argument is None else f"{words} in {printable(known.argument)}"


def _interval(fit: Fit, known: Growth) -> str:
    if known.low is None or known.high is None:
        if known.is_told:
            return "per call"
        return "size unknown" if known.size_unknown else fit.name
    if known.high < 0:
        return "falls"
    low, high = known.ends
    return known.law or (low if low == high else f"{low} to {high}")


def _costs(listing: Listing, event: str) -> Iterator[Column]:
    whole = total_cost(listing.profile, event)

    def share(cost: int) -> str:
        return f"{percent(cost, whole):.1f}"

    yield Column("cost", event, event, lambda r: f"{r.cost[event].inclusive:,}")
    yield Column("share", "%", f"{event} %", lambda r: share(r.cost[event].inclusive))
    yield Column("own", f"{event} self", f"{event} self", lambda r: f"{r.cost[event].own:,}")
    yield Column("own share", "%", "self %", lambda r: share(r.cost[event].own))


def _sizes(metric: str) -> Iterator[Column]:
    yield Column(
        "sizes",
        f"{metric} sizes",
        f"{metric} sizes",
        lambda r: f"{distinct_sizes(r, metric):,}",
    )
    yield Column(
        "largest",
        "largest",
        f"largest {metric}",
        lambda r: f"{largest_size(r, metric):,}",
    )


def _induced(routine: RoutineProfile, which: int) -> str:
    shares = induced_shares(routine)
    return "" if shares is None else f"{shares[which]:.1f}"


def _thread(listing: Listing, routine: RoutineProfile) -> str:
    profile, key = listing.profile, routine.threads[0]
    pid = f"{profile.runs[key.run].pid}:" if len(profile.runs) > 1 else ""
    return printable(f"{pid}{key.id} {profile.thread(key).name}".strip())
