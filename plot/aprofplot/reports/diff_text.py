"""aprof-diff's tables for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from aprofplot.compare.changes import KINDS, Change, Comparison, Kind
from aprofplot.compare.growth import doubt
from aprofplot.compare.match import How
from aprofplot.compare.ratios import CostRatio
from aprofplot.fits.law import Fit
from aprofplot.model import ITERATIONS, Profile, RoutineProfile
from aprofplot.names import NAME_WIDTH, counted, place, printable, shorten
from aprofplot.reports.aligned import aligned


TITLES: dict[Kind, str] = {
    "growth worse": "Growth got worse",
    "cost higher": "Cost at equal input size is higher",
    "growth better": "Growth got better",
    "cost lower": "Cost at equal input size is lower",
    "more work": "More work: a higher cost, but not at equal input size, or none to compare",
    "less work": "Less work: a lower cost, but not at equal input size, or none to compare",
    "unchanged": "Unchanged",
}
HOW: dict[How, str] = {
    "same": "",
    "namesakes": "all of this name together",
    "map": "by --map",
    "file": "other source file",
    "object": "other object",
    "signature": "other parameters or suffix",
}
_HEADS = (
    "growth",
    "cost",
    "quartiles",
    "at largest",
    "sizes",
    "OLD %",
    "NEW %",
    "own",
    "calls",
    "routine",
)


def diff_lines(comparison: Comparison, everything: bool) -> Iterator[str]:
    """The whole comparison; unchanged routines only if `everything`."""
    yield from header_lines(comparison)
    for kind in KINDS:
        changes = [change for change in comparison.changes if change.kind == kind]
        if changes and (everything or kind != "unchanged"):
            yield from ("", f"{TITLES[kind]} ({_counted(changes)})")
            yield from aligned(_HEADS, [_row(change) for change in changes])
    for title, alone in (
        ("New", comparison.appeared),
        ("Vanished", comparison.vanished),
    ):
        if alone:
            yield from ("", f"{title} ({counted(len(alone), 'routine')})")
            rows = [
                [f"{share:.1f}", f"{r.calls:,}", routine_name(r.routine.name, r)]
                for r, share in alone
            ]
            yield from aligned(("%", "calls", "routine"), rows)
    yield ""
    yield summary(comparison, everything)


def header_lines(comparison: Comparison) -> Iterator[str]:
    """What was compared with what, and by which rules."""
    for name, profile in (("OLD", comparison.old), ("NEW", comparison.new)):
        for line in runs_of(profile):
            yield f"{name}  {line}"
    criteria = comparison.criteria
    event = next(e for e in comparison.old.events if e.name == criteria.event)
    metric = next(m for m in comparison.old.metrics if m.name == criteria.metric)
    old, new = comparison.totals
    whole = f" ({times(new / old)})" if old else ""
    yield f"total cost {old:,} -> {new:,}{whole}, in {event.name}: {event.unit}"
    yield (
        f"cost: NEW / OLD, {criteria.statistic} of the activations of one input size, in "
        f"{metric.name}: {metric.unit}; median and quartiles over the sizes, weighted by calls"
    )


def summary(comparison: Comparison, everything: bool) -> str:
    """How many there are on both sides, and what becomes of them: the parts add up. And how many more the
    tables leave out."""
    criteria = comparison.criteria
    kinds = Counter(change.kind for change in comparison.changes)
    unchanged = kinds.pop("unchanged", 0)
    hidden = "" if everything else " (--all shows them)"
    below = f"below {criteria.least_share:g} % of the cost"
    parts = [
        (kinds.total(), "changed"),
        (unchanged, f"unchanged within {100 * criteria.threshold:g} %{hidden}"),
        (comparison.small, f"left out {below}"),
    ]
    both = counted(comparison.matched, "routine")
    if comparison.matched_loops:
        both += f" and {counted(comparison.matched_loops, 'loop')}"
    of_them = ", ".join(f"{number:,} {what}" for number, what in parts if number)
    alone = comparison.small_alone
    more = f"; {counted(alone, 'routine')} of one side left out {below}" if alone else ""
    return f"{both} on both sides: {of_them}{more}" if of_them else f"{both} on both sides{more}"


def _counted(changes: Sequence[Change]) -> str:
    """How many routines and loops."""
    loops = sum(ITERATIONS in change.match.old.points for change in changes)
    routines = len(changes) - loops
    parts = [counted(routines, "routine")] if routines else []
    return " and ".join([*parts, *([counted(loops, "loop")] if loops else [])])


def runs_of(profile: Profile) -> Iterator[str]:
    """A line for each run of one side."""
    for run in profile.runs:
        yield f"{run.command}  (pid {run.pid}, {counted(len(run.threads), 'thread')}, {run.path})"


def times(ratio: float) -> str:
    """A ratio as a factor: x0.0123, x1.05, x12.3, x340."""
    if ratio < 0.1:
        return f"x{ratio:.3g}"
    return f"x{ratio:.2f}" if ratio < 10 else f"x{ratio:.1f}" if ratio < 100 else f"x{ratio:,.0f}"


def law_of(fit: Fit) -> str:
    """The model, as far as it is known: `?` if it cannot tell, with ? behind if it doubts."""
    return "?" if fit.law is None else fit.name + ("?" if doubt(fit) else "")


def growth_of(change: Change) -> str:
    """OLD's law and NEW's; one of them if they agree."""
    old, new = law_of(change.old.curve.fit), law_of(change.new.curve.fit)
    return old if old == new else f"{old} -> {new}"


def sizes_of(ratio: CostRatio) -> str:
    """How many sizes were compared, and against what: of a law with its confidence."""
    if ratio.basis == "common sizes":
        return f"{ratio.sizes:,}"
    return f"{ratio.sizes:,} by {ratio.basis} ({100 * ratio.confidence:.0f} %)"


def routine_name(name: str, routine: RoutineProfile) -> str:
    """Its name, shortened, and place."""
    where = routine.routine
    found = printable(place(where.object, where.file, where.line))
    return f"{shorten(printable(name), NAME_WIDTH)}  {found}"


def origin(change: Change) -> str:
    """How the routine was recognised, where that is not by its own name and place."""
    how, old, new = (
        HOW[change.match.how],
        change.match.old.routine,
        change.match.new.routine,
    )
    if change.match.how == "same" or not how:
        return ""
    was = f"was {shorten(old.name, NAME_WIDTH)}" if old.name != new.name else ""
    moved = place(old.object, old.file, 0) if change.match.how in ("file", "object") else ""
    return ", ".join(filter(None, (how, was, f"was in {moved}" if moved else "")))


def _row(change: Change) -> Sequence[str]:
    ratio = change.ratio
    measured = ["", "", "", ""]
    if ratio is not None:
        measured = [
            times(ratio.median),
            f"{times(ratio.low)}..{times(ratio.high)}",
            f"{times(ratio.at_largest)} at {ratio.largest:,}",
            sizes_of(ratio),
        ]
    own = "" if change.own_part is None or ratio is None else f"{100 * change.own_part:.0f} %"
    calls = change.match.old.calls, change.match.new.calls
    note = origin(change)
    return [
        growth_of(change),
        *measured,
        f"{change.old.share:.1f}",
        f"{change.new.share:.1f}",
        own if change.kind not in ("unchanged", "more work", "less work") else "",
        f"{calls[1]:,}" if calls[0] == calls[1] else f"{calls[0]:,} -> {calls[1]:,}",
        routine_name(change.match.new.routine.name, change.match.new)
        + (f"  [{note}]" if note else ""),
    ]
