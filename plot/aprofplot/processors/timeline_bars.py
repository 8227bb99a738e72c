"""What a picture of a schedule draws: the bars of those functions that run longest, of all others, of waiting, and
of the critical path. What is too short to be seen is united with what is beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from aprofplot.processors.timeline import WAITING, Interval

OTHERS = "others"
Span = tuple[int, int, int]  # processor, begin and end


@dataclass(frozen=True, slots=True)
class Bars:
    """`what`: a function, OTHERS or WAITING. Spans are in the order of processors and time."""

    what: str
    spans: tuple[Span, ...]


def bars(intervals: Sequence[Interval], functions: int, finest: int) -> list[Bars]:
    """The `functions` that run longest each, then all others and waits, where there are any. What is less than
    `finest` apart is one."""
    lengths: Counter[str] = Counter()
    for of in intervals:
        if of.strand >= 0:
            lengths[of.what] += of.end - of.begin
    found: dict[str, list[Interval]] = {what: [] for what, _ in lengths.most_common(functions)}
    others: list[Interval] = []
    waits: list[Interval] = []
    for of in intervals:
        if of.strand >= 0:
            found.get(of.what, others).append(of)
        elif of.what == WAITING:
            waits.append(of)
    shown = [*found.items(), (OTHERS, others), (WAITING, waits)]
    return [Bars(what, _merged(parts, finest)) for what, parts in shown if parts]


def critical_spans(intervals: Sequence[Interval], finest: int) -> tuple[Span, ...]:
    """Those of the critical path."""
    return _merged([of for of in intervals if of.is_critical], finest)


def _merged(intervals: Sequence[Interval], finest: int) -> tuple[Span, ...]:
    found: list[Span] = []
    for of in intervals:
        if found and found[-1][0] == of.processor and of.begin - found[-1][2] < finest:
            found[-1] = (of.processor, found[-1][1], max(found[-1][2], of.end))
        else:
            found.append((of.processor, of.begin, of.end))
    return tuple(found)
