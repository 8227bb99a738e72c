"""Adds up call edges in all threads while a profile is being read: what merge.merge_threads does,
without an object for each edge of each thread."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from aprofplot.model import CallEdge, Integers, Routine
from aprofplot.read.call_edges import (
    CALLEE,
    CALLER,
    EDGE_CALLS,
    EDGE_THREAD,
    call_edges,
)
from aprofplot.read.header_reader import Header
from aprofplot.read.places import RoutinePlaces, threads_by_place

_EDGES = 1 << 18  # that are kept beside the sums, or as many as these, before they are added
_SAFE = 2.0**62  # sums that are less, as doubles, fit in 63 bits

_Indices = npt.NDArray[np.int64]


class CallSums:
    """Takes the edges of all threads, part by part. Edges of the same two routines have one key."""

    def __init__(self, header: Header, routines: Mapping[int, Routine]) -> None:
        self._header = header
        self._routines = routines
        self._places = RoutinePlaces(routines)
        self._keys: list[_Indices] = []  # of the parts; first, if so, of the sums
        self._parts: list[Integers] = []
        self._kept = 0
        self._limit = _EDGES
        self._key_of: list[_Indices] = []  # key and thread of each edge that was taken
        self._threads: list[Integers] = []

    def add(self, edges: Integers) -> None:
        """Takes more edges."""
        if len(edges) == 0:
            return
        keys = (self._places.of(edges[:, CALLER]) << 32) | self._places.of(edges[:, CALLEE])
        self._key_of.append(keys)
        self._threads.append(edges[:, EDGE_THREAD])
        self._keys.append(keys)
        self._parts.append(edges)
        self._kept += len(edges)
        if self._kept > self._limit:
            self._add_up()

    def edges(self) -> list[CallEdge]:
        """A CallEdge for each two routines, in the order of first appearance."""
        if not self._parts:
            return []
        self._add_up()
        (keys,), (sums,) = self._keys, self._parts
        sorter = np.argsort(keys)
        places = [sorter[np.searchsorted(keys, of, sorter=sorter)] for of in self._key_of]
        threads = iter(threads_by_place(places, self._threads))
        return list(call_edges(sums, self._header, self._routines, threads))

    def _add_up(self) -> None:
        keys, edges = np.concatenate(self._keys), np.concatenate(self._parts)
        _, firsts, inverse = np.unique(keys, return_index=True, return_inverse=True)
        order_of_firsts = np.argsort(firsts)
        place = np.empty_like(order_of_firsts)
        place[order_of_firsts] = np.arange(len(firsts))
        firsts = firsts[order_of_firsts]
        order = np.argsort(place[inverse], kind="stable")
        starts = np.searchsorted(place[inverse][order], np.arange(len(firsts)))
        numbers = edges[order, EDGE_CALLS:]
        if numbers.dtype != object and numbers.sum(axis=0, dtype=np.float64).max() >= _SAFE:
            numbers = numbers.astype(object)
        sums = np.add.reduceat(numbers, starts, axis=0)
        self._keys = [keys[firsts]]
        self._parts = [np.concatenate([edges[firsts, :EDGE_CALLS], sums], axis=1)]
        self._kept = len(firsts)
        self._limit = 2 * self._kept + _EDGES
