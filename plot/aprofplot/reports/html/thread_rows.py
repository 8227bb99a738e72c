"""A routine's threads on the page: a row for each of the costliest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aprofplot.merge import merge_within_threads
from aprofplot.metrics import distinct_sizes, induced_shares
from aprofplot.model import CostTotal, Profile, RoutineKey, RoutineProfile, ThreadKey

_THREADS = 1000  # of a routine, at most


@dataclass(frozen=True, slots=True)
class _Row:
    thread: ThreadKey
    calls: int
    cost: Mapping[str, CostTotal]
    metrics: tuple[str, ...]
    sizes: tuple[int, ...]  # of each of them
    induced: tuple[float, float] | None

    def place(self) -> tuple[int, int, int]:
        """That with the least is shown first: costliest, then earliest."""
        cost = next(iter(self.cost.values())).inclusive
        return -cost, self.thread.run, self.thread.id


class ThreadRows:
    """Takes profiles one by one, in their order, and keeps of each thread no points."""

    def __init__(self) -> None:
        self._rows: dict[RoutineKey, list[_Row]] = {}
        self._threads: dict[RoutineKey, int] = {}
        self._runs = 0

    def add(self, profile: Profile) -> None:
        """Takes one more, whose threads are apart."""
        for part in merge_within_threads(profile).routines:
            rows = self._rows.setdefault(part.routine.key, [])
            rows.append(self._row(part, profile.metric_names))
            if len(rows) == 2 * _THREADS:
                rows[:] = _costliest(rows)
            self._threads[part.routine.key] = self._threads.get(part.routine.key, 0) + 1
        self._runs += len(profile.runs)

    def _row(self, part: RoutineProfile, metrics: tuple[str, ...]) -> _Row:
        (thread,) = part.threads
        return _Row(
            ThreadKey(self._runs + thread.run, thread.id),
            part.calls,
            part.cost,
            metrics,
            tuple(distinct_sizes(part, metric) for metric in metrics),
            induced_shares(part),
        )

    def columns(self, routine: RoutineKey, events: Sequence[str], metric: str) -> dict[str, Any]:
        """The costliest threads of a routine: a list for each column. `more`: how many others there
        are. Costs of `events`, input sizes in `metric`, runs in the order taken."""
        rows = _costliest(self._rows[routine])
        return {
            "run": [row.thread.run for row in rows],
            "id": [row.thread.id for row in rows],
            "calls": [row.calls for row in rows],
            "inclusive": [[row.cost[e].inclusive for row in rows] for e in events],
            "own": [[row.cost[e].own for row in rows] for e in events],
            "sizes": [row.sizes[row.metrics.index(metric)] for row in rows],
            "induced": [rounded_shares(row.induced) for row in rows],
            "more": self._threads[routine] - len(rows),
        }


def _costliest(rows: list[_Row]) -> list[_Row]:
    return sorted(rows, key=_Row.place)[:_THREADS]


def rounded_shares(shares: tuple[float, float] | None) -> list[float] | None:
    """Percentages as the page has them."""
    return None if shares is None else [round(share, 2) for share in shares]
