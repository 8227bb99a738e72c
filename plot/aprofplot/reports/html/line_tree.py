"""Source lines as the lowest level of the page's tree: below the loop that they are in, or their routine."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aprofplot.metrics import percent
from aprofplot.model import LineCost, Loop, RoutineKey
from aprofplot.names import base_name, counted, printable

_SHOWN = 0.05  # percent of the run's cost: what is less is 0.0 on the page

# The loops of a routine, outer ones first: number, that of the loop around it (None: none), loop.
Nest = Sequence[tuple[int, int | None, Loop]]

_Costs = list[int]  # by event


@dataclass(frozen=True)
class _Row:
    routine: int
    loop: int  # -1: in none
    name: str
    costs: _Costs


def line_columns(
    lines: Sequence[LineCost],
    numbers: Mapping[RoutineKey, int],
    nests: Mapping[int, Nest],
    whole: Mapping[str, int],
) -> dict[str, Any]:
    """A value for each line that is worth a row, by name. `numbers`: of routines, by which `nests`
    are; `whole`: the run's cost, by event. The others of a loop or routine are one row together.

    A line stands in the innermost loop whose source contains it. A function that was inlined into several
    loops of a routine has lines in each; they stand in the innermost loop around these.
    """
    by_routine: dict[RoutineKey, list[LineCost]] = defaultdict(list)
    for line in lines:
        if line.routine.key in numbers:
            by_routine[line.routine.key].append(line)
    rows = [
        row
        for key, number in numbers.items()
        for row in _rows(by_routine[key], number, nests.get(number, ()), whole)
    ]
    return {
        "routine": [row.routine for row in rows],
        "loop": [row.loop for row in rows],
        "name": [row.name for row in rows],
        "own": [[row.costs[place] for row in rows] for place in range(len(whole))],
    }


def _rows(
    lines: Sequence[LineCost], routine: int, nest: Nest, whole: Mapping[str, int]
) -> Iterator[_Row]:
    def worth(costs: _Costs) -> bool:
        return any(percent(cost, of) >= _SHOWN for cost, of in zip(costs, whole.values()))

    if not any(line.line for line in lines):
        return
    costs = [[line.cost.get(event, 0) for event in whole] for line in lines]
    if not worth(_sum(costs, len(whole))):
        return
    scopes = _Scopes(nest)
    others: dict[int, list[tuple[LineCost, _Costs]]] = defaultdict(list)
    for line, cost in zip(lines, costs):
        loop = scopes.innermost(line)
        if worth(cost):
            yield _Row(routine, loop, _name(line, scopes.function(loop)), cost)
        else:
            others[loop].append((line, cost))
    for loop, left in others.items():
        together = _sum([cost for _, cost in left], len(whole))
        if worth(together):
            known = sum(line.line != 0 for line, _ in left)
            name = counted(known, "more line") if known else _name(left[0][0], None)
            if 0 < known < len(left):
                name += " and code without lines"
            yield _Row(routine, loop, name, together)


def _sum(costs: Iterable[_Costs], events: int) -> _Costs:
    total = [0] * events
    for each in costs:
        total = [a + b for a, b in zip(total, each)]
    return total


class _Scopes:
    """The loops of one routine."""

    def __init__(self, nest: Nest) -> None:
        self._loops = {number: loop for number, _, loop in nest}
        self._paths: dict[int, list[int]] = {}  # from the outermost loop to each
        for number, parent, _ in nest:
            outer = [] if parent is None else self._paths[parent]
            self._paths[number] = [*outer, number]

    def function(self, number: int) -> str | None:
        """Whose source a loop is; None for the routine's own, or if that is unknown."""
        return self._loops[number].function if number >= 0 else None

    def innermost(self, line: LineCost) -> int:
        there = [number for number, loop in self._loops.items() if _contains(loop, line)]
        same = [number for number in there if self._loops[number].function == line.function]
        paths = [self._paths[number] for number in same or there]
        inner = [path for path in paths if not any(_is_within(other, path) for other in paths)]
        shared = -1
        for numbers in zip(*inner):
            if len(set(numbers)) > 1:
                break
            shared = numbers[0]
        return shared


def _contains(loop: Loop, line: LineCost) -> bool:
    last = max(loop.last_line, loop.line)
    return line.line > 0 and loop.file == line.file and loop.line <= line.line <= last


def _is_within(path: Sequence[int], outer: Sequence[int]) -> bool:
    return len(path) > len(outer) and path[: len(outer)] == outer


def _name(line: LineCost, function: str | None) -> str:
    if not line.line:
        return "code without lines"
    written_in = base_name(line.function)
    around = base_name(function or line.routine.name)
    where = "" if written_in == around else f" in {written_in}"
    return printable(f"{os.path.basename(line.file)}:{line.line}{where}")
