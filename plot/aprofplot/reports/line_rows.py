"""The self cost of source lines: as a table for people, and as entries of the JSON report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aprofplot.errors import AprofError
from aprofplot.metrics import percent
from aprofplot.model import LineCost, RoutineKey
from aprofplot.names import NAME_WIDTH, base_name, counted, printable, shorten, unicode
from aprofplot.reports.aligned import aligned
from aprofplot.reports.listing import Listing


@dataclass(frozen=True)
class _Row:
    """A line and the function that it is in, of all routines that have its code."""

    file: str
    line: int
    function: str
    routines: tuple[str, ...]
    cost: Mapping[str, int]

    @property
    def place(self) -> str:
        """For people."""
        text = f"{self.file}:{self.line}  {shorten(self.function, NAME_WIDTH)}"
        elsewhere = [name for name in self.routines if base_name(name) != base_name(self.function)]
        if len(elsewhere) == 1:
            text += f", inlined into {shorten(elsewhere[0], NAME_WIDTH)}"
        elif elsewhere:
            text += f", inlined into {counted(len(elsewhere), 'routine')}"
        return printable(text)


def line_table(listing: Listing, top: int | None) -> Iterator[str]:
    """The costliest lines of the listed routines, at most `top` (None: all). AprofError if the profile
    has no lines."""
    if not listing.profile.lines:
        raise AprofError(
            "the profile has no costs of source lines",
            "profile the program with aprof-trms --lines=yes, the default",
        )
    listed = {routine.routine.key for routine in listing.routines}
    lines = [line for line in listing.profile.lines if line.routine.key in listed]
    rows = sorted(_rows(lines), key=lambda row: (-row.cost["instr"], row.file, row.line))
    shown = rows[:top]
    events = list(rows[0].cost) if rows else ["instr"]
    whole = sum(row.cost["instr"] for row in rows)
    table = [
        [
            *(f"{row.cost[event]:,}" for event in events),
            f"{percent(row.cost['instr'], whole):.1f}",
            row.place,
        ]
        for row in shown
    ]
    yield from aligned([*events, "instr %", "line"], table)
    if len(shown) < len(rows):
        more = counted(len(rows) - len(shown), "more line")
        yield f"{more}: --top={len(rows)} shows all"
    yield from _without_lines(lines)


def _rows(lines: Sequence[LineCost]) -> list[_Row]:
    groups: dict[tuple[str, int, str], list[LineCost]] = defaultdict(list)
    for line in lines:
        if line.line:
            groups[line.file, line.line, line.function].append(line)
    return [
        _Row(
            *where,
            tuple(dict.fromkeys(line.routine.name for line in group)),
            {event: sum(line.cost[event] for line in group) for event in group[0].cost},
        )
        for where, group in groups.items()
    ]


def _without_lines(lines: Sequence[LineCost]) -> Iterator[str]:
    """How much of the cost has no line, by an event that was measured of all code."""
    events = ("instr", "bb")
    sums = {e: sum(line.cost.get(e, 0) for line in lines if not line.line) for e in events}
    event = "instr" if sums["instr"] else "bb"
    if sums[event]:
        whole = sum(line.cost.get(event, 0) for line in lines)
        share = percent(sums[event], whole)
        yield f"{share:.1f} % of {event} is in code without line information"


def line_entries(
    lines: Sequence[LineCost], routines: Collection[RoutineKey]
) -> dict[RoutineKey, list[dict[str, Any]]]:
    """Of these routines, each one's lines for the JSON report."""
    entries: dict[RoutineKey, list[dict[str, Any]]] = {key: [] for key in routines}
    for line in lines:
        if line.routine.key in entries:
            entries[line.routine.key].append(
                {
                    "file": unicode(line.file),
                    "line": line.line,
                    "function": unicode(line.function),
                    "cost": dict(line.cost),
                }
            )
    return entries
