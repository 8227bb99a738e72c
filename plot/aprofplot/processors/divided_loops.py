"""The loops that divisions are of.

A share is all that a thread does up to the next barrier, or the next share. Some of that may be work of each
thread's own, which no number of threads divides. So a division is of a loop if that begins on its path, and each share
is nearly all in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from aprofplot.loop_scopes import loop_place
from aprofplot.processors.divisions import Division, ShareStrands, divisions
from aprofplot.work_span.model import Dag

# Of the work of a share may be outside of the loop: predictions are no more precise. clang's loops in
# bench/programs/bottlenecks have 97.6 % of a share (of 850 units, the smallest) to 100 %.
_OUTSIDE = 0.05


class DividedLoops:
    """Of each division of a dag that is of a loop: the paths of that loop. Compilers make several of one in the source.
    `by_number` has those that threads divided by number; `in_chunks` all others, if need be without paths.
    """

    def __init__(self, dag: Dag) -> None:
        self._dag = dag
        self._outer: dict[int, list[int]] = {}  # by begin: of each path, the outermost loop on it
        self._all = [(of, self._loops(of)) for of in divisions(dag)]
        self.in_chunks = [(of, loops) for of, loops in self._all if of.first.schedule]
        self.by_number = [(of, loops) for of, loops in self._all if loops and not of.first.schedule]

    def of(self, loops: Collection[int]) -> list[Division]:
        """Those of any of these loops, by path."""
        return [division for division, paths in self._all if not paths.isdisjoint(loops)]

    def _loops(self, of: Division) -> frozenset[int]:
        if of.path not in self._outer:
            self._outer[of.path] = self._outermost(of.path)
        outer = self._outer[of.path]
        found: set[int] = set()
        places: set[str] = set()
        for share in of.shares:
            place, loops = self._most(share, outer)
            found |= loops
            places.add(place)
        return frozenset(found) if len(places) == 1 and places != {""} else frozenset()

    def _most(self, share: ShareStrands, outer: list[int]) -> tuple[str, set[int]]:
        """The place of the loop that nearly all is in, and its paths; empty if there is none."""
        work: Counter[str] = Counter()
        paths: dict[str, set[int]] = {}
        for path, (amount, *_) in share.amounts.items():
            if (loop := self._dag.paths[outer[path]].loop) is not None:
                place = loop_place(loop)
                work[place] += amount
                paths.setdefault(place, set()).add(outer[path])
        if not work:
            return "", set()
        place, most = work.most_common(1)[0]
        return (place, paths[place]) if most >= (1 - _OUTSIDE) * share.work else ("", set())

    def _outermost(self, begin: int) -> list[int]:
        """By path, the outermost loop on it that begins on a path; 0: there is none."""
        found = [0]
        for path, call in enumerate(self._dag.paths[1:], 1):
            begins = call.loop is not None and self._before_inlining(call.caller) == begin
            found.append(found[call.caller] or (path if begins else 0))
        return found

    def _before_inlining(self, path: int) -> int:
        """The path of the routine or loop in which functions were inlined."""
        while self._dag.paths[path].inlined is not None:
            path = self._dag.paths[path].caller
        return path
