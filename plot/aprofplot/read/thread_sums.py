"""Adds up routines' numbers in all threads while a profile is being read: what merge.merge_threads
does, without a million small tables in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from aprofplot.model import Integers, Routine, RoutineProfile
from aprofplot.read.header_reader import Header
from aprofplot.read.places import RoutinePlaces, threads_by_place
from aprofplot.read.tables import ROUTINE, THREAD, Tables, routine_profiles

_POINTS = 1 << 18  # that are kept beside the sums, or as many as these have, before they are added
_SAFE = 2.0**62  # sums that are less, as doubles, fit in 63 bits
_UNMERGED = 65  # in place of precision 0: more than any

_Indices = npt.NDArray[np.int64]


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
        self._place_of: list[_Indices] = []  # place and thread of each table
        self._threads: list[Integers] = []

    def add(self, tables: Tables) -> None:
        """Takes more tables. WideError if one has numbers that cannot be added up here."""
        if not _can_add_up(tables, self._header.columns):
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
            self._fold()

    def routines(self) -> list[RoutineProfile]:
        """A RoutineProfile for each routine, in the order of first appearance."""
        if not self._parts:
            return []
        sums = self._fold()
        sums.heads[:, ROUTINE] = self._places.first_ids
        threads = iter(threads_by_place(self._place_of, self._threads))
        return list(routine_profiles(sums, self._header, self._routines, threads))

    def _fold(self) -> Tables:
        sums = _add_up(self._parts, self._header.columns)
        self._parts = [sums]
        self._points = sums.points.shape[1]
        self._limit = 2 * self._points + _POINTS
        return sums


def _can_add_up(tables: Tables, columns: Sequence[str]) -> bool:
    """Whether only sums have numbers beyond 63 bits: no size, minimum or maximum."""
    return all(_is_sum(columns[column]) for column, _ in tables.wide)


def _add_up(parts: Sequence[Tables], columns: Sequence[str]) -> Tables:
    """One table for each routine, in the order of ROUTINE, which counts from 0 without gaps in all
    parts together; THREAD loses its meaning. All numbers stay exact."""
    heads = np.concatenate([part.heads for part in parts])
    routines = heads[:, ROUTINE].astype(np.int64)
    order = np.argsort(routines, kind="stable")
    starts = np.searchsorted(routines[order], np.arange(routines.max() + 1))
    if heads.dtype != object and heads.astype(np.float64).sum(axis=0).max() >= _SAFE:
        heads = heads.astype(object)
    sums = np.add.reduceat(heads[order], starts, axis=0)
    sums[:, ROUTINE] = np.arange(len(starts))
    precisions = np.concatenate([part.precisions for part in parts])[order]
    precisions[precisions == 0] = _UNMERGED
    least = np.minimum.reduceat(precisions, starts, axis=0) % _UNMERGED
    counts, points, wide = _add_points(parts, columns, routines)
    return Tables(sums, counts, least, points, wide)


def _is_sum(column: str) -> bool:
    return column != "size" and not column.endswith((".min", ".max"))


def _add_points(
    parts: Sequence[Tables], columns: Sequence[str], routines: _Indices
) -> tuple[_Indices, _Indices, dict[tuple[int, int], int]]:
    """The counts, points and wide numbers of the sums; `routines`: of each table of the parts."""
    counts = np.concatenate([part.counts for part in parts])
    metrics = counts.shape[1]
    blocks = routines[:, None] * metrics + np.arange(metrics)
    block_of = np.repeat(blocks.ravel(), counts.ravel())
    size = columns.index("size")
    sizes = np.concatenate([part.points[size] for part in parts])
    distinct = len(counts) == int(routines.max()) + 1
    if distinct and _ascend(block_of, sizes):  # as with one thread: nothing is there twice
        points = (
            parts[0].points
            if len(parts) == 1
            else np.concatenate([part.points for part in parts], axis=1)
        )
        return counts[np.argsort(routines)], points, _together(parts)
    order = np.lexsort((sizes, block_of))
    block_of, sizes = block_of[order], sizes[order]
    differs = (block_of[1:] != block_of[:-1]) | (sizes[1:] != sizes[:-1])
    starts = np.flatnonzero(np.concatenate([np.ones(len(sizes[:1]), dtype=bool), differs]))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    wide_in: dict[int, dict[int, int]] = {}
    for (column, point), value in _together(parts).items():
        wide_in.setdefault(column, {})[int(place[point])] = value
    points = np.zeros((len(columns), len(starts)), dtype=np.int64)
    wide: dict[tuple[int, int], int] = {}
    for column, name in enumerate(columns if len(starts) else ()):
        values = np.concatenate([part.points[column] for part in parts])[order]
        if not _is_sum(name):
            extreme = np.maximum.reduceat if name.endswith(".max") else np.minimum.reduceat
            points[column] = extreme(values, starts)
            continue
        points[column] = np.add.reduceat(values, starts)
        for point, exact in _large_sums(values, starts, wide_in.get(column, {})).items():
            points[column, point] = exact if exact < 2**63 else 0
            if exact >= 2**63:
                wide[column, point] = exact
    found = np.bincount(block_of[starts], minlength=(int(routines.max()) + 1) * metrics)
    return found.reshape(-1, metrics), points, wide


def _ascend(first: _Indices, second: _Indices) -> bool:
    """Whether the pairs ascend strictly."""
    after = (first[1:] > first[:-1]) | ((first[1:] == first[:-1]) & (second[1:] > second[:-1]))
    return bool(after.all())


def _together(parts: Sequence[Tables]) -> dict[tuple[int, int], int]:
    """The wide numbers of all parts, by column and point of all parts together."""
    found: dict[tuple[int, int], int] = {}
    before = 0
    for part in parts:
        found |= {(column, before + point): value for (column, point), value in part.wide.items()}
        before += part.points.shape[1]
    return found


def _large_sums(values: Integers, starts: _Indices, wide: Mapping[int, int]) -> dict[int, int]:
    """Those sums of the values from one start to the next that may need more than 63 bits; `wide`:
    values that do, by place, where `values` has 0."""
    stops = np.append(starts[1:], len(values))
    most = float(values.max()) * float((stops - starts).max())
    large: Integers = np.zeros(0, dtype=np.int64)
    if most >= _SAFE:
        large = np.flatnonzero(np.add.reduceat(values.astype(np.float64), starts) >= _SAFE)
    places = np.array(list(wide), dtype=np.int64)
    of_wide = np.searchsorted(starts, places, side="right") - 1
    sums = {
        sum_: sum(values[starts[sum_] : stops[sum_]].tolist())
        for sum_ in {*large.tolist(), *of_wide.tolist()}
    }
    for sum_, value in zip(of_wide.tolist(), wide.values()):
        sums[sum_] += value
    return sums
