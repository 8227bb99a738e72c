"""The `lines` of a profile, which follow all else: the self cost of source lines, by routine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from aprofplot.errors import RecordError
from aprofplot.model import Integers, LineCost
from aprofplot.read.fields import number, show, split
from aprofplot.read.header_reader import Header
from aprofplot.read.names_reader import NamesReader
from aprofplot.read.number_rows import read_rows
from aprofplot.read.profile_file import ProfileFile
from aprofplot.read.tables import COST, ROUTINE

_KEYS = ("routine", "file", "line", "function")
_EVENTS = ("instr", "bb")  # that lines have a cost in


class SelfCosts:
    """What the routines' tables say, over all threads, of the events that lines have, too."""

    def __init__(self, header: Header) -> None:
        names = [event.name for event in header.events]
        self.events = tuple(event for event in _EVENTS if event in names)
        self._columns = [COST + 2 * names.index(event) + 1 for event in self.events]
        self._sums: dict[int, list[int]] = {}

    def add(self, heads: Integers) -> None:
        """Adds those of tables, by what their records say."""
        for routine, *costs in heads[:, [ROUTINE, *self._columns]].tolist():
            known = self._sums.setdefault(routine, [0] * len(costs))
            for place, cost in enumerate(costs):
                known[place] += cost

    def by_routine(self) -> Mapping[int, Sequence[int]]:
        """Those of each routine, in the order of `events`, by its id."""
        return self._sums


def read_lines(
    file: ProfileFile, start: int, names: NamesReader, self_costs: SelfCosts
) -> Iterator[LineCost]:
    """The lines of the block that begins at line `start`, the file's last. RecordError if it breaks
    the format: so it does if a routine's lines do not add up to its self cost."""
    (announced,) = split(file.line(start).partition(b" ")[2], 1, "lines")
    count = number(announced, "count")
    costs = ("instr", *(event for event in self_costs.events if event != "instr"))
    first = start + 1
    rows = read_rows(file, first, count, file.lines, (*_KEYS, *costs))
    if first + count < file.lines:
        keyword = file.line(first + count).split(b" ")[0]
        raise RecordError(f"unknown or misplaced record {show(keyword)}", first + count)
    steps = np.diff(rows[:, : len(_KEYS)], axis=0)
    ascending = np.zeros(len(steps), dtype=bool)
    for column in reversed(range(len(_KEYS))):
        ascending = (steps[:, column] > 0) | (steps[:, column] == 0) & ascending
    if not ascending.all():
        place = first + 1 + int(np.argmin(ascending))
        raise RecordError("the lines are not in ascending order", place)
    sums: dict[int, list[int]] = {}
    for at, (routine, source, line, function, *numbers) in enumerate(rows.tolist(), first):
        try:
            of = names.names_of_line(routine, source, function)
        except RecordError as error:
            raise RecordError(str(error), at) from error
        known = sums.setdefault(routine, [0] * len(costs))
        for place, cost in enumerate(numbers):
            known[place] += cost
        yield LineCost(of[0], of[1], line, of[2], dict(zip(costs, numbers)))
    for routine, due in self_costs.by_routine().items():
        found = dict(zip(costs, sums.pop(routine, [0] * len(costs))))
        for event, cost in zip(self_costs.events, due):
            if found[event] != cost:
                raise RecordError(
                    f"the lines of {names.routines[routine].name} add up to {found[event]:,} {event}, "
                    f"but its self cost is {cost:,}",
                    start,
                )
    if sums:
        raise RecordError(f"lines of routine {next(iter(sums))}, which has no table", start)
