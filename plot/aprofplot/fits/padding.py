"""Observations of several tables as columns of arrays, padded to the longest.

Sums over such columns are fast however few points a table has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from aprofplot.fits.observations import Observations
from aprofplot.metrics import Floats

Q = TypeVar("Q")
A = TypeVar("A")
Indices = npt.NDArray[np.int64]

_WASTE = 1.4  # the longest of a batch by the shortest, at most
_NUMBERS = 1 << 16  # of an array, about, so that a dozen of them stay in a processor's cache


class Padded:
    """A column for each of several observations' sizes, log costs and variances. Below them, to the
    longest, stands the largest size again, with a `real` of 0 instead of 1."""

    def __init__(self, observations: Sequence[Observations]) -> None:
        self.counts = np.array([len(points) for points in observations], dtype=np.float64)
        height = int(self.counts.max())
        shape = height, len(observations)
        self.sizes, self.log_cost, self.variance = np.empty(shape), np.zeros(shape), np.ones(shape)
        for column, points in enumerate(observations):
            count = len(points)
            self.sizes[:count, column] = points.sizes
            self.sizes[count:, column] = points.sizes[-1]
            self.log_cost[:count, column] = points.log_cost
            self.variance[:count, column] = points.variance
        place = np.arange(height)[:, None]
        self.real = (place < self.counts).astype(np.float64)
        # To be added before numbers are sorted: the middle of a column is then that of the real ones.
        below = self.counts + height // 2 - self.counts // 2
        self.aside = np.where(place < below, -np.inf, np.inf)
        self.aside[self.real > 0] = 0.0


def upper_medians(values: Floats, aside: Floats) -> Floats:
    """The median of each column's real numbers; of two, the upper one."""
    middle = len(values) // 2
    return np.asarray(np.partition(values + aside, middle, axis=0)[middle], dtype=np.float64)


def medians(values: Floats, padded: Padded) -> Floats:
    """Of each column's real numbers."""
    middle = len(values) // 2
    lower, upper = np.partition(values + padded.aside, [middle - 1, middle], axis=0)[
        middle - 1 : middle + 1
    ]
    return np.where(padded.counts % 2 == 0, (lower + upper) / 2, upper)


def solve_in_batches(
    questions: Sequence[Q],
    size: Callable[[Q], tuple[int, int, int]],
    solve: Callable[[Sequence[Q]], Iterable[A]],
) -> list[A]:
    """The answers, in order, of `solve`, which gets those together that are of one kind and about as
    long. `size`: a question's kind, length and number of columns."""
    found: dict[int, A] = {}
    sizes = [size(question) for question in questions]
    for batch in _batches(sizes):
        found.update(zip(batch, solve([questions[i] for i in batch])))
    return [found[i] for i in range(len(questions))]


def _batches(sizes: Sequence[tuple[int, int, int]]) -> Iterator[list[int]]:
    batch: list[int] = []
    filled = 0
    for i in sorted(range(len(sizes)), key=sizes.__getitem__):
        kind, length, columns = sizes[i]
        if batch and (
            kind != sizes[batch[0]][0]
            or length > _WASTE * sizes[batch[0]][1] + 1
            or (filled + columns) * length > _NUMBERS
        ):
            yield batch
            batch, filled = [], 0
        batch.append(i)
        filled += columns
    if batch:
        yield batch
