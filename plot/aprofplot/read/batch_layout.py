"""The layout of a batch of lines: records that own blocks, the blocks, and the blocks' lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aprofplot.read.digit_lines import NumberLines
from aprofplot.read.profile_file import ProfileFile

_Indices = npt.NDArray[np.int64]


class LayoutError(Exception):
    """Not as the format says; where and why, table_errors finds out."""


@dataclass(frozen=True)
class RecordKind:
    """A record that owns blocks. `leading`: how many fields it has before THREAD; `callers`:
    whether a `callers` block follows those of points."""

    keyword: bytes
    leading: int
    callers: bool

    @property
    def letter(self) -> int:
        """What its lines begin with."""
        return self.keyword[0]


TABLES = {
    1: RecordKind(b"table", 0, False),
    2: RecordKind(b"table", 0, True),
    3: RecordKind(b"table", 0, True),
    4: RecordKind(b"table", 0, True),
    5: RecordKind(b"table", 0, True),
    6: RecordKind(b"table", 0, True),
    7: RecordKind(b"table", 0, True),
}  # by version
CONTEXTS = RecordKind(b"context", 2, False)


@dataclass(frozen=True, eq=False)
class Layout:
    """Lines of a batch, counted from 0. `callers` are the records, `edges` their lines."""

    owners: _Indices
    blocks: _Indices
    points: _Indices
    callers: _Indices
    edges: _Indices
    lines: int

    def words(self, kind: RecordKind, metrics: Sequence[bytes]) -> Iterator[tuple[bytes, _Indices]]:
        """What records begin with, before their numbers, and which lines they are."""
        yield kind.keyword + b" ", self.owners
        for place, metric in enumerate(metrics):
            yield b"points %s " % metric, self.blocks[place :: len(metrics)]
        yield b"callers ", self.callers

    def have_columns(self, lines: NumberLines, owner: int, point: int, edge: int) -> bool:
        """Whether lines of each kind have as many numbers."""
        due = [
            (self.owners, owner),
            (self.blocks, 2),
            (self.points, point),
            (self.callers, 1),
            (self.edges, edge),
        ]
        return all(bool((lines.counts[which] == count).all()) for which, count in due)

    def edge_counts(self) -> _Indices:
        """How many edges each of `callers` has."""
        stops = np.append(self.callers, self.lines)
        return np.diff(np.searchsorted(self.edges, stops))

    def check_blocks(self, counts: _Indices) -> None:
        """LayoutError unless each owner is followed by as many blocks as `counts` has columns, and each
        of these by as many lines as announced."""
        blocks = np.sort(np.concatenate([self.blocks, self.callers]))
        at = blocks.reshape(-1, counts.shape[1])
        following = np.concatenate([at, np.append(self.owners, self.lines)[1:, None]], axis=1)
        if not (
            self.owners[:1].tolist() == [0]
            and len(at) == len(self.owners)
            and (at[:, 0] == self.owners + 1).all()
            and (at + 1 + counts == following[:, 1:]).all()
        ):
            raise LayoutError


def lay_out(file: ProfileFile, start: int, stop: int, kind: RecordKind) -> Layout:
    """The lines from `start` to before `stop`, by their first letters. LayoutError if the first of them
    is in no block."""
    first = file.first_bytes(start, stop)
    records = np.flatnonzero(first > ord("9"))
    if records[:1].tolist() != [0]:
        raise LayoutError
    letters = first[records]
    are_callers = (letters == ord("c")) & kind.callers
    numbers = np.flatnonzero(first <= ord("9"))
    of_callers = np.repeat(are_callers, np.diff(records, append=len(first)) - 1)
    return Layout(
        owners=records[letters == kind.letter],
        blocks=records[letters == ord("p")],
        points=numbers[~of_callers],
        callers=records[are_callers],
        edges=numbers[of_callers],
        lines=len(first),
    )
