"""The cost of a routine's lines, for its source on the page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from aprofplot.model import LineCost, RoutineKey


class PageLines:
    """Instructions by routine, file and line, whatever functions of the source they are in."""

    def __init__(self, lines: Sequence[LineCost]) -> None:
        self._costs: dict[tuple[RoutineKey, str], dict[int, int]] = defaultdict(
            lambda: defaultdict(int)
        )
        self._whole: dict[RoutineKey, int] = defaultdict(int)
        for line in lines:
            self._costs[line.routine.key, line.file][line.line] += line.cost["instr"]
            self._whole[line.routine.key] += line.cost["instr"]

    def beside(self, routine: RoutineKey, file: str, part: Mapping[str, Any]) -> dict[str, Any]:
        """Members for a `part` of the file that has `lines` from number `first` on: `costs` [line,
        instructions] of those that cost something, and `instructions`, of the whole routine. Empty if
        there are none."""
        if "lines" not in part or (routine, file) not in self._costs:
            return {}
        costs = self._costs[routine, file]
        shown = range(part["first"], part["first"] + len(part["lines"]))
        found = [[line, costs[line]] for line in shown if costs.get(line)]
        return {"costs": found, "instructions": self._whole[routine]} if found else {}
