"""Numbers values in the order of first appearance, to add up equal ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from aprofplot.model import Integers, Routine, RoutineKey, ThreadKey

_Indices = npt.NDArray[np.int64]


class RoutinePlaces:
    """Places of routines. Those that are the same have one place, whatever their ids."""

    def __init__(self, routines: Mapping[int, Routine]) -> None:
        self.first_ids: list[int] = []  # by place
        self._routines = routines
        self._place_of_id: dict[int, int] = {}
        self._place_of_key: dict[RoutineKey, int] = {}

    def of(self, ids: Integers) -> _Indices:
        """The place of each of the routines with these ids."""
        distinct, firsts, inverse = np.unique(ids, return_index=True, return_inverse=True)
        for number in distinct[np.argsort(firsts)].tolist():
            if number not in self._place_of_id:
                key = self._routines[number].key
                place = self._place_of_key.setdefault(key, len(self.first_ids))
                self._place_of_id[number] = place
                if place == len(self.first_ids):
                    self.first_ids.append(number)
        places = [self._place_of_id[number] for number in distinct.tolist()]
        return np.array(places, dtype=np.int64)[inverse]


def threads_by_place(
    places: Sequence[_Indices], numbers: Sequence[Integers]
) -> list[tuple[ThreadKey, ...]]:
    """For each place, from 0 without gaps, the threads that are in `numbers` where it is."""
    place, number = np.concatenate(places), np.concatenate(numbers)
    order = np.lexsort((number, place))
    place, number = place[order], number[order]
    again = (place[1:] == place[:-1]) & (number[1:] == number[:-1])
    once = np.append(np.ones(1, dtype=bool), ~again)  # a thread may have twins
    keys = {n: ThreadKey(0, n) for n in np.unique(number).tolist()}
    threads = [keys[n] for n in number[once].tolist()]
    ends = np.cumsum(np.bincount(place[once])).tolist()
    return [tuple(threads[start:end]) for start, end in zip([0, *ends], ends)]
