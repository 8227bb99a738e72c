"""Adds up routines' numbers in all threads while a profile is being read: what merge.merge_threads
does, without a million small tables in between."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from aprofplot.model import Integers, Routine, RoutineProfile
from aprofplot.read.header_reader import Header
from aprofplot.read.places import RoutinePlaces, threads_by_place
from aprofplot.read.table_sums import add_up, can_add_up
from aprofplot.read.tables import ROUTINE, THREAD, Tables, routine_profiles

_POINTS = 1 << 18  # that are kept beside the sums, or as many as these have, before they are added


class WideError(Exception):
    """An input size, a minimum or a maximum needs more than 63 bits."""


class ThreadSums:
    """Takes the tables of all threads, part by part. Memory is that of the sums and as much again.

    In its own Tables, ROUTINE is the routine's place in the order of first appearance.
    """

    def __init__(self, header: Header, routines: Mapping[int, Routine]) -> None:
        self._header = header
        self._routines = routines
        self._places = RoutinePlaces(routines)
        self._parts: list[Tables] = []
        self._points = 0
        self._limit = _POINTS
        self._place_of: list[npt.NDArray[np.int64]] = []  # place and thread of each table
        self._threads: list[Integers] = []

    def add(self, tables: Tables) -> None:
        """Takes more tables. WideError if one has numbers that cannot be added up here."""
        if not can_add_up(tables, self._header.columns):
            raise WideError
        heads = tables.heads.copy()
        places = self._places.of(heads[:, ROUTINE])
        self._place_of.append(places)
        self._threads.append(heads[:, THREAD].copy())
        heads[:, ROUTINE] = places
        part = Tables(heads, tables.counts, tables.precisions, tables.points, tables.wide)
        self._parts.append(part)
        self._points += part.points.shape[1]
        # Where each routine ran in one thread only, there is nothing to gain.
        kept = sum(len(part.heads) for part in self._parts)
        if self._points > self._limit and kept > 2 * len(self._places.first_ids):
            self._add_up()

    def routines(self) -> list[RoutineProfile]:
        """A RoutineProfile for each routine, in the order of first appearance."""
        if not self._parts:
            return []
        sums = self._add_up()
        sums.heads[:, ROUTINE] = self._places.first_ids
        threads = iter(threads_by_place(self._place_of, self._threads))
        return list(routine_profiles(sums, self._header, self._routines, threads))

    def _add_up(self) -> Tables:
        sums = add_up(self._parts, self._header.columns)
        self._parts = [sums]
        self._points = sums.points.shape[1]
        self._limit = 2 * self._points + _POINTS
        return sums
