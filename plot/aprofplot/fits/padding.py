"""Observations of several tables as columns of arrays, padded to the longest.

Sums over such columns are fast however few points a table has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from aprofplot.fits.observations import Observations
from aprofplot.metrics import Floats

Q = TypeVar("Q")
A = TypeVar("A")
Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_WASTE = 1.4  # the longest of a batch by the shortest, at most
_NUMBERS = 1 << 17  # of an array, about, so that a dozen of them stay in a processor's cache


@dataclass(frozen=True, eq=False)
class Padded:
    """A column for each of several observations' sizes, log costs and variances, of which the first `counts`
    rows are real. Below them, to the longest, stands the largest size again."""

    counts: Floats
    sizes: Floats
    log_cost: Floats
    variance: Floats

    @classmethod
    def of(cls, observations: Sequence[Observations]) -> Padded:
        """Each of them."""
        counts = np.array([len(points) for points in observations], dtype=np.float64)
        shape = int(counts.max()), len(observations)
        sizes, log_cost, variance = np.empty(shape), np.zeros(shape), np.ones(shape)
        for column, points in enumerate(observations):
            count = len(points)
            sizes[:count, column] = points.sizes
            sizes[count:, column] = points.sizes[-1]
            log_cost[:count, column] = points.log_cost
            variance[:count, column] = points.variance
        return cls(counts, sizes, log_cost, variance)

    @cached_property
    def real(self) -> Floats:
        """1 where it is, else 0."""
        return (np.arange(len(self.sizes))[:, None] < self.counts).astype(np.float64)

    @cached_property
    def aside(self) -> Floats:
        """To be added before numbers are sorted: the middle of a column is then that of the real ones."""
        below = self.counts + len(self.sizes) // 2 - self.counts // 2
        aside = np.where(np.arange(len(self.sizes))[:, None] < below, -np.inf, np.inf)
        aside[self.real > 0] = 0.0
        return aside

    def of_tables(self, tables: Indices) -> Padded:
        """Those of some of them."""
        columns = (self.sizes, self.log_cost, self.variance)
        return Padded(self.counts[tables], *(column.take(tables, axis=1) for column in columns))

    def thinned(self, most: int) -> tuple[Padded, Indices]:
        """No more than `most` of each column's rows, evenly from the first real one to the last, and their
        places."""
        height = min(len(self.sizes), most)
        apart = np.maximum(self.counts - 1, height - 1) / max(height - 1, 1)
        rows = np.rint(np.arange(height)[:, None] * apart).astype(np.int64)
        columns = (self.sizes, self.log_cost, self.variance)
        thin = (np.take_along_axis(column, rows, axis=0) for column in columns)
        return Padded(np.minimum(self.counts, height), *thin), rows


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
    size: Callable[[Q], tuple[Any, int, int]],
    solve: Callable[[Sequence[Q]], Iterable[A]],
) -> list[A]:
    """The answers, in order, of `solve`, which gets those together that are of one kind and about as
    long. `size`: a question's kind, which has an order, its length and number of columns."""
    found: dict[int, A] = {}
    sizes = [size(question) for question in questions]
    for batch in _batches(sizes):
        found.update(zip(batch, solve([questions[i] for i in batch])))
    return [found[i] for i in range(len(questions))]


def _batches(sizes: Sequence[tuple[Any, int, int]]) -> Iterator[list[int]]:
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
