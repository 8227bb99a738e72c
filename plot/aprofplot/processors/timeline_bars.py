"""What a picture of a schedule draws: the bars of those functions that run longest, of all others, of waiting, and
of the critical path. What is too short to be seen is left to what is beside it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from aprofplot.processors.timeline import WAITING, Interval

Kind = Literal["function", "others", "waiting"]
Span = tuple[int, int, int]  # processor, begin and end
_Runs = tuple[Kind, str] | None  # None: idle
_OTHERS: _Runs = ("others", "others")
_WAITING: _Runs = ("waiting", WAITING)


@dataclass(frozen=True, slots=True)
class Bars:
    """`what`: the function, or what to call the others and waiting. Spans are in the order of processors
    and time."""

    kind: Kind
    what: str
    spans: tuple[Span, ...]


def bars(intervals: Sequence[Interval], functions: int, finest: int) -> list[Bars]:
    """Of `functions` that run longest each, then of all others and waits, where there are any: of whole rows
    (timeline). A row is cut each `finest`, and each slice is of what has most of it: no bars overlap, and
    a row has no more of them than slices."""
    lengths: Counter[str] = Counter()
    for of in intervals:
        if of.strand >= 0:
            lengths[of.what] += of.end - of.begin
    longest: dict[str, _Runs] = {
        what: ("function", what) for what, _ in lengths.most_common(functions)
    }

    def runs(of: Interval) -> _Runs:
        if of.strand >= 0:
            return longest.get(of.what, _OTHERS)
        return _WAITING if of.what == WAITING else None

    spans: dict[_Runs, list[Span]] = defaultdict(list)
    for processor, row in groupby(intervals, key=lambda of: of.processor):
        parts = ((of.begin, of.end, runs(of)) for of in row)
        for what, slices in groupby(_slices(parts, finest), key=lambda of: of[2]):
            (begin, end, _), *more = slices
            spans[what].append((processor, begin, more[-1][1] if more else end))
    shown = (*longest.values(), _OTHERS, _WAITING)
    return [Bars(*what, tuple(spans[what])) for what in shown if what and what in spans]


def _slices(row: Iterable[tuple[int, int, _Runs]], finest: int) -> Iterator[tuple[int, int, _Runs]]:
    """Begin, end, and what has most, of two the one that is first."""
    amounts: Counter[_Runs] = Counter()
    first = begin = 0
    for begin, end, what in row:
        while begin < end:
            stop = min(end, first + finest)
            amounts[what] += stop - begin
            begin = stop
            if begin == first + finest:
                yield first, begin, max(amounts, key=amounts.__getitem__)
                amounts.clear()
                first = begin
    if amounts:
        yield first, begin, max(amounts, key=amounts.__getitem__)


def critical_spans(intervals: Sequence[Interval], finest: int) -> tuple[Span, ...]:
    """Those of the critical path; what is less than `finest` apart is one."""
    found: list[Span] = []
    for of in intervals:
        if not of.is_critical:
            continue
        if found and found[-1][0] == of.processor and of.begin - found[-1][2] < finest:
            found[-1] = (of.processor, found[-1][1], max(found[-1][2], of.end))
        else:
            found.append((of.processor, of.begin, of.end))
    return tuple(found)
