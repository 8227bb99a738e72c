"""The aprof-trms paper's Table 1: slowdown and space overhead of each program under each tool, and
their geometric means; Figure 14: the same by number of threads.

Of several repetitions the least time counts - of CPU time, of the user's and of the system's each by
itself - since noise only adds to it, and the greatest peak.
A ratio to another tool is the geometric mean of the programs' ratios, over those that ran under both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from aprofbench.measures import NOT_RUN, Measure

Quantity = Literal["cpu", "user", "system", "memory"]
QUANTITIES: tuple[Quantity, ...] = ("cpu", "memory")
REFERENCES = ("none", "memcheck")


@dataclass(frozen=True)
class Cell:
    """A program under a tool. None: no run of it went well. `failures`: why, of its `runs`."""

    cpu: float | None
    user: float | None
    system: float | None
    memory: float | None
    runs: int
    failures: tuple[str, ...]

    def of(self, quantity: Quantity) -> float | None:
        """Seconds, or MB."""
        value: float | None = getattr(self, quantity)
        return value


@dataclass(frozen=True)
class Row:
    """A program on an input with a number of threads; `cells` by tool."""

    program: str
    input: str
    threads: int
    cells: dict[str, Cell]

    def ratio(self, quantity: Quantity, tool: str, base: str) -> float | None:
        """None if one of them failed or was not run."""
        if tool not in self.cells or base not in self.cells:
            return None
        value, of_base = self.cells[tool].of(quantity), self.cells[base].of(quantity)
        return value / of_base if value is not None and of_base else None


@dataclass(frozen=True)
class Table:
    """`base`: what slowdown and overhead are ratios to. `tools`: the others, in order."""

    rows: tuple[Row, ...]
    base: str
    tools: tuple[str, ...]

    def mean(self, quantity: Quantity, tool: str, base: str) -> float | None:
        """Geometric mean of the ratios of the programs that ran under both."""
        return geometric_mean(row.ratio(quantity, tool, base) for row in self.rows)

    def references(self) -> list[str]:
        """The tools that others are compared with."""
        return [tool for tool in REFERENCES if tool in self.tools and tool != self.base]

    def above(self, quantity: Quantity, tool: str, other: str) -> list[tuple[str, float]]:
        """The programs that take more of it under `tool` than under `other`, the worst first."""
        ratios = [(row.program, row.ratio(quantity, tool, other)) for row in self.rows]
        more = [(name, ratio) for name, ratio in ratios if ratio is not None and ratio > 1]
        return sorted(more, key=lambda pair: -pair[1])

    def failures(self) -> list[str]:
        """A line for each cell of which a run failed, and one for all that were not run."""
        lines, not_run = [], 0
        for row in self.rows:
            for tool, cell in row.cells.items():
                failed = [failure for failure in cell.failures if failure != NOT_RUN]
                not_run += len(cell.failures) - len(failed)
                if failed:
                    what = f"{row.program} under {tool}, {len(failed)} of {cell.runs}"
                    lines.append(f"{what}: {failed[0]}")
        return [*lines, *([f"not run: {not_run} of all runs"] if not_run else [])]

    def with_threads(self, threads: int) -> Table:
        """Of the runs with so many threads."""
        rows = tuple(row for row in self.rows if row.threads == threads)
        return Table(rows, self.base, self.tools)


def base_by_threads(table: Table) -> str:
    """What means by number of threads are multiples of."""
    return "none" if "none" in table.tools else table.base


def over_threads(table: Table, threads: Sequence[int]) -> Table:
    """Only the programs that were run with all these numbers of threads."""
    counts: dict[str, set[int]] = {}
    for row in table.rows:
        counts.setdefault(row.program, set()).add(row.threads)
    rows = tuple(row for row in table.rows if set(threads) <= counts[row.program])
    return Table(rows, table.base, table.tools)


def geometric_mean(values: Iterable[float | None]) -> float | None:
    """Of those that are known; None if none is."""
    logs = [math.log(value) for value in _known(values)]
    return math.exp(sum(logs) / len(logs)) if logs else None


def make_table(measures: Sequence[Measure]) -> Table:
    """Programs and tools in the order of the measures."""
    found: dict[tuple[str, str, int], dict[str, list[Measure]]] = {}
    tools: dict[str, None] = {}
    for measure in measures:
        row = found.setdefault((measure.program, measure.input, measure.threads), {})
        row.setdefault(measure.tool, []).append(measure)
        tools[measure.tool] = None
    base = next((tool for tool in ("native", "none") if tool in tools), next(iter(tools), "none"))
    rows = tuple(
        Row(*key, {tool: _cell(runs) for tool, runs in cells.items()})
        for key, cells in found.items()
    )
    return Table(rows, base, tuple(tool for tool in tools if tool != base))


def _cell(runs: Sequence[Measure]) -> Cell:
    cpu = _known(run.cpu for run in runs)
    user = _known(run.user for run in runs)
    system = _known(run.system for run in runs)
    memory = _known(run.memory for run in runs)
    return Cell(
        min(cpu, default=None),
        min(user, default=None),
        min(system, default=None),
        max(memory, default=None),
        len(runs),
        tuple(run.failure for run in runs if run.failure),
    )


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]
