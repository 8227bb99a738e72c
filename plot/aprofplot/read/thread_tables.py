"""The tables of the costliest routines, each in each thread, kept while a profile is read and its threads are merged."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from aprofplot.metrics import FEW_SIZES
from aprofplot.model import Routine, RoutineProfile, ThreadKey
from aprofplot.read.header_reader import Header
from aprofplot.read.tables import COST, THREAD, Tables, routine_profiles

# Of the largest inclusive cost so far: a twentieth of a hundredth. Of each thread's path of calls there are at most
# 2,000 such tables at each depth, whatever the profile's size.
_LEAST_SHARE = 0.0005


class ThreadTables:
    """Takes the tables of all threads, part by part; those with numbers beyond 63 bits are left out."""

    def __init__(self, header: Header, routines: Mapping[int, Routine]) -> None:
        self._header = header
        self._routines = routines
        self._most = 0.0
        self._kept: list[Tables] = []

    def add(self, tables: Tables) -> None:
        """Takes more tables."""
        if tables.wide or not len(tables.heads):
            return
        cost = tables.heads[:, COST].astype(float)
        self._most = max(self._most, float(cost.max()))
        due = cost >= _LEAST_SHARE * self._most
        kept = np.flatnonzero(due & (tables.counts.max(axis=1) >= FEW_SIZES))
        if len(kept):
            of_point = np.repeat(np.arange(len(tables.heads)), tables.counts.sum(axis=1))
            points = tables.points[:, np.isin(of_point, kept)]
            rest = tables.heads[kept], tables.counts[kept], tables.precisions[kept]
            self._kept.append(Tables(*rest, points, {}))

    def routines(self) -> tuple[RoutineProfile, ...]:
        """In the order taken."""
        return tuple(
            routine
            for tables in self._kept
            for routine in routine_profiles(
                tables,
                self._header,
                self._routines,
                iter([(ThreadKey(0, thread),) for thread in tables.heads[:, THREAD].tolist()]),
            )
        )
