"""The `contexts` of a profile: that they are a tree, and add up as the format promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from aprofplot.errors import RecordError
from aprofplot.model import Context, Integers, Routine, ThreadKey
from aprofplot.read.fields import number, split
from aprofplot.read.header_reader import Header
from aprofplot.read.point_batch import Batch
from aprofplot.read.tables import CALLS, COST, ROUTINE, THREAD, routine_profiles

_SAFE = 2.0**62  # sums that are less, as doubles, fit in 63 bits

_Indices = npt.NDArray[np.int64]


class ContextTree:
    """Takes the records in their order; `finish` checks what they are together."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._announced: tuple[int, int, int] | None = None  # contexts, merged calls; the line
        self._batches: list[Batch] = []
        self._count = 0

    @property
    def begun(self) -> bool:
        """Whether there are contexts, or are to be."""
        return self._announced is not None

    def begin(self, rest: bytes, line: int) -> None:
        """Takes the `contexts` record. RecordError if there was one."""
        if self.begun:
            raise RecordError("a second 'contexts' record")
        fields = split(rest, 2, "contexts")
        self._announced = (number(fields[0], "count"), number(fields[1], "calls"), line)

    def add(self, batch: Batch) -> None:
        """Takes `context` records. RecordError, with its line, unless ids and parents ascend."""
        ids, parents = batch.leading.T
        due = np.arange(self._count + 1, self._count + 1 + len(ids))
        for row in np.flatnonzero(ids != due)[:1].tolist():
            raise RecordError(
                f"context {ids[row]} where {due[row]} was expected", int(batch.lines[row])
            )
        for row in np.flatnonzero(parents >= due)[:1].tolist():
            what = f"context {parents[row]} is used before it is defined"
            raise RecordError(what, int(batch.lines[row]))
        self._batches.append(batch)
        self._count += len(ids)

    def finish(self, heads: Sequence[Integers], lines: Sequence[_Indices]) -> None:
        """RecordError, with its line, unless count, tree and sums are as announced. `heads`: of all
        tables, which are at these lines."""
        if self._announced is None:
            return
        count, merged_calls, line = self._announced
        if count != self._count:
            raise RecordError(f"{self._count} contexts where {count} were announced", line)
        empty = np.zeros((0, COST + 2 * len(self._header.events)), dtype=np.int64)
        contexts = np.concatenate([empty, *(batch.tables.heads for batch in self._batches)])
        parents, merged = self._parents()
        found = sum(contexts[merged, CALLS].tolist())
        self._check_tree(contexts, parents, merged)
        if found != merged_calls:
            raise RecordError(f"{found} calls in merged contexts, not {merged_calls}", line)
        self._check_inclusive(contexts, parents)
        no_lines = np.zeros(0, dtype=np.int64)
        tables = np.concatenate([empty, *heads])
        _check_sums(contexts, tables, np.concatenate([no_lines, *lines]), line)

    def contexts(self, routines: Mapping[int, Routine]) -> Iterator[Context]:
        """All of them, in their order."""
        parents, merged = self._parents()
        places = iter(zip(parents.tolist(), merged.tolist()))
        for batch in self._batches:
            threads = ((ThreadKey(0, t),) for t in batch.tables.heads[:, THREAD].tolist())
            for profile in routine_profiles(batch.tables, self._header, routines, threads):
                parent, is_merged = next(places)
                yield Context(parent, profile, is_merged)

    def _parents(self) -> tuple[_Indices, npt.NDArray[np.bool_]]:
        """Of each context the parent's place, -1 for none, and whether it is a merged one."""
        of_batches = [batch.leading[:, 1].astype(np.int64) for batch in self._batches]
        numbers = np.concatenate([np.zeros(0, dtype=np.int64), *of_batches])
        return np.maximum(numbers - 1, -1), numbers < 0

    def _line(self, wrong: npt.NDArray[np.bool_] | _Indices) -> tuple[int, int]:
        """The first of the contexts that are wrong, and its line."""
        place = int(wrong.min()) if wrong.dtype != np.bool_ else int(np.flatnonzero(wrong)[0])
        return place, int(np.concatenate([batch.lines for batch in self._batches])[place])

    def _check_tree(
        self, contexts: Integers, parents: _Indices, merged: npt.NDArray[np.bool_]
    ) -> None:
        threads, routines = contexts[:, THREAD], contexts[:, ROUTINE]
        falling = np.append(np.zeros(1, dtype=bool), threads[1:] < threads[:-1])
        if falling.any():
            raise RecordError("contexts are not in the order of threads", self._line(falling)[1])
        wrong = (parents >= 0) & (merged[parents] | (threads[parents] != threads))
        if wrong.any():
            place, line = self._line(wrong)
            what = f"context {parents[place] + 1} is merged, or of another thread: no parent"
            raise RecordError(what, line)
        below, above = np.arange(len(parents)), parents
        while len(below):
            below, above = below[above >= 0], above[above >= 0]
            again = below[routines[above] == routines[below]]
            if len(again):
                place, line = self._line(again)
                raise RecordError(f"routine {routines[place]} is twice on a path", line)
            above = parents[above]
        known: set[tuple[int, bool, int, int]] = set()
        keys = zip(parents.tolist(), merged.tolist(), threads.tolist(), routines.tolist())
        for place, key in enumerate(keys):
            if key in known:
                what = f"routine {routines[place]} is there already"
                raise RecordError(what, self._line(np.array([place]))[1])
            known.add(key)

    def _check_inclusive(self, contexts: Integers, parents: _Indices) -> None:
        parent_of = parents.tolist()
        for number, event in enumerate(self._header.events):
            below = [0] * len(parent_of)
            costs = contexts[:, COST + 2 * number : COST + 2 * number + 2].tolist()
            for place in range(len(parent_of) - 1, -1, -1):
                inclusive, own = costs[place]
                if inclusive != own + below[place]:
                    what = (
                        f"inclusive {event.name} is not that of the context and of those below it"
                    )
                    raise RecordError(what, self._line(np.array([place]))[1])
                if parent_of[place] >= 0:
                    below[parent_of[place]] += inclusive


def _check_sums(contexts: Integers, tables: Integers, lines: _Indices, line: int) -> None:
    """`lines`: of the tables; `line`: that of the `contexts` record."""
    columns = [*range(CALLS, COST), *range(COST + 1, tables.shape[1], 2)]
    order = np.lexsort((contexts[:, ROUTINE], contexts[:, THREAD]))
    owners = contexts[order][:, [THREAD, ROUTINE]]
    differs = (owners[1:] != owners[:-1]).any(axis=1)
    starts = np.flatnonzero(np.append(np.ones(len(owners[:1]), dtype=bool), differs))
    numbers = contexts[order][:, columns]
    if numbers.dtype != object and numbers.sum(axis=0, dtype=np.float64).max() >= _SAFE:
        numbers = numbers.astype(object)
    sums = np.add.reduceat(numbers, starts, axis=0) if len(starts) else numbers
    due, owners = tables[:, [THREAD, ROUTINE]], owners[starts]
    if np.array_equal(owners, due) and np.array_equal(sums, tables[:, columns]):
        return
    found = dict(zip(map(tuple, owners.tolist()), sums.tolist()))
    for key, row, at in zip(map(tuple, due.tolist()), tables[:, columns].tolist(), lines.tolist()):
        if found.get(key) != row:
            raise RecordError("the contexts of the routine do not add up to this", at)
    raise RecordError("contexts of a routine that has no table", line)
