"""The `arguments` of a profile, which follow its loops: points of routines by the values of their arguments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from aprofplot.errors import RecordError
from aprofplot.model import (
    PointTable,
    Routine,
    RoutineKey,
    RoutineProfile,
    ThreadKey,
    argument_metric,
)
from aprofplot.point_merge import merge_points
from aprofplot.read.fields import number, show, split_text, text
from aprofplot.read.header_reader import Header
from aprofplot.read.names_reader import NamesReader
from aprofplot.read.point_blocks import PointBlocks
from aprofplot.read.profile_file import ProfileFile


class ArgumentPoints(NamedTuple):
    """Of a routine in a thread: its points under the metric of one argument."""

    thread: ThreadKey
    routine: Routine
    metric: str
    points: PointTable


class ArgumentsReader:
    """Reads the records from the line after `arguments` to before `stop`."""

    def __init__(self, file: ProfileFile, header: Header, names: NamesReader, stop: int) -> None:
        self._blocks = PointBlocks(file, header, stop)
        self._names = names

    def read(self, start: int) -> Iterator[ArgumentPoints]:
        """The arguments, none if `start` is `stop`. RecordError, with its line, if one breaks the format."""
        return self._blocks.read(start, "arguments", self._argument)

    def _argument(self) -> ArgumentPoints:
        thread, routine, calls, name = split_text(self._blocks.record(b"argument"), 3, "argument")
        of = self._names.routine_of(routine)
        key = number(thread, "thread")
        if key not in self._names.threads:
            raise RecordError(f"thread {show(thread)} is used before it is defined")
        due = number(calls, "calls")
        self._blocks.at += 1
        points = self._blocks.points("argument", due)
        return ArgumentPoints(ThreadKey(0, key), of, argument_metric(text(name)), points)


def with_arguments(
    routines: Iterable[RoutineProfile], arguments: Iterable[ArgumentPoints]
) -> Iterator[RoutineProfile]:
    """The routines, with all points by their arguments, whichever threads they are of. Of namesakes the first
    has those of all."""
    tables: dict[tuple[RoutineKey, ThreadKey], dict[str, list[PointTable]]] = {}
    for of in arguments:
        by_metric = tables.setdefault((of.routine.key, of.thread), {})
        by_metric.setdefault(of.metric, []).append(of.points)
    for routine in routines:
        found: dict[str, list[PointTable]] = defaultdict(list)
        for thread in routine.threads:
            for metric, parts in tables.pop((routine.routine.key, thread), {}).items():
                found[metric] += parts
        points = {metric: merge_points(parts) for metric, parts in found.items()}
        yield replace(routine, points={**routine.points, **points}) if points else routine
