"""Loops for the page: a row each for the tree of object, file, routine and loop; and brackets beside the
source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aprofplot.fits.fitting import fit_routines
from aprofplot.fits.growth import best_known
from aprofplot.loop_scopes import loop_place, source_of
from aprofplot.metrics import percent
from aprofplot.model import Context, Profile, RoutineKey
from aprofplot.names import base_name, printable
from aprofplot.reports.columns import growth_words
from aprofplot.reports.html.line_tree import Nest
from aprofplot.reports.loop_frames import LoopFrame, loop_frames
from aprofplot.reports.sources import Sources, find_line

_FITTED = 1.0  # percent of the run's cost from which a loop's growth is told
_AROUND = 2  # lines shown before and after a loop of inlined code
_PARTS = 8  # of inlined code, of a routine

Bracket = list[Any]  # first line, last line, depth, number of the loop
Inlined = dict[str, Any]


class PageLoops:
    """The loops of a profile whose threads are merged. `numbers`: of routines."""

    def __init__(
        self,
        profile: Profile,
        numbers: Mapping[RoutineKey, int],
        whole: Mapping[str, int],
    ) -> None:
        self._numbers = numbers
        self._events = profile.event_names
        self._frames = loop_frames([of for of in profile.loops if of.loop.routine.key in numbers])
        self._growth = self._growths(whole)
        self._of_routine: dict[int, list[int]] = defaultdict(list)
        for number, frame in enumerate(self._frames):
            self._of_routine[numbers[frame.of.loop.routine.key]].append(number)

    def _growths(self, whole: Mapping[str, int]) -> list[str]:
        event = self._events[0]
        fitted = [
            number
            for number, frame in enumerate(self._frames)
            if percent(frame.of.cost[event].inclusive, whole[event]) >= _FITTED
        ]
        fits = fit_routines([self._frames[number].of for number in fitted], event)
        growths = [""] * len(self._frames)
        for number, found in zip(fitted, fits):
            growths[number] = growth_words(
                *best_known(self._frames[number].of.points, found, event)
            )
        return growths

    def columns(self) -> dict[str, Any]:
        """A value for each loop, by name; outer loops come before inner ones."""
        frames, events = self._frames, self._events
        return {
            "routine": [self._numbers[f.of.loop.routine.key] for f in frames],
            "parent": [-1 if f.caller is None else f.caller for f in frames],
            "name": [_name(f) for f in frames],
            "place": [printable(loop_place(f.of.loop)) for f in frames],
            "last": [f.of.loop.last_line for f in frames],
            "executions": [f.of.executions for f in frames],
            "iterations": [f.of.iterations for f in frames],
            "inclusive": [[f.of.cost[e].inclusive for f in frames] for e in events],
            "own": [[f.own[e] for f in frames] for e in events],
            "growth": self._growth,
        }

    def in_contexts(self, contexts: Sequence[Context]) -> dict[str, Any]:
        """The same for each loop in a context, by context; nothing if the profile does not tell."""
        number = {source_of(frame.of.loop): place for place, frame in enumerate(self._frames)}
        found = [
            (place, frame)
            for place, context in enumerate(contexts)
            for frame in loop_frames(context.loops)
        ]
        frames, events = [frame for _, frame in found], self._events
        return {
            "context": [place for place, _ in found],
            "loop": [number[source_of(f.of.loop)] for f in frames],
            "executions": [f.of.executions for f in frames],
            "iterations": [f.of.iterations for f in frames],
            "inclusive": [[f.of.cost[e].inclusive for f in frames] for e in events],
            "own": [[f.own[e] for f in frames] for e in events],
        }

    def nests(self) -> dict[int, Nest]:
        """By routine."""
        return {
            routine: [(n, self._frames[n].caller, self._frames[n].of.loop) for n in numbers]
            for routine, numbers in self._of_routine.items()
        }

    def beside(self, routine: int, source: Mapping[str, Any], file: str) -> list[Bracket]:
        """Those of a routine that begin in the lines that are shown of its source."""
        if "lines" not in source:
            return []
        stop = source["first"] + len(source["lines"])
        return [
            bracket
            for number, bracket in self._brackets(routine)
            if self._frames[number].of.loop.file == file and source["first"] <= bracket[0] < stop
        ]

    def _brackets(self, routine: int) -> Iterator[tuple[int, Bracket]]:
        depths: dict[int, int] = {}
        for number in self._of_routine.get(routine, ()):
            frame = self._frames[number]
            depths[number] = 0 if frame.caller is None else depths[frame.caller] + 1
            loop = frame.of.loop
            if loop.line:
                last = max(loop.last_line, loop.line)
                yield number, [loop.line, last, depths[number], number]

    def inlined(self, routine: int, shown: Sequence[Bracket], sources: Sources) -> list[Inlined]:
        """The source of its other loops: of code that was inlined, the costliest first. `file`: as the
        profile has it."""
        there = {bracket[3] for bracket in shown}
        left = [(n, bracket) for n, bracket in self._brackets(routine) if n not in there]
        left.sort(key=lambda pair: -self._frames[pair[0]].of.cost[self._events[0]].inclusive)
        found: list[Inlined] = []
        for number, bracket in left:
            loop = self._frames[number].of.loop
            within = [
                part
                for part in found
                if part["file"] == loop.file
                and part["first"] <= bracket[0] < part["first"] + len(part["lines"])
            ]
            if within:
                within[0]["loops"].append(bracket)
            elif len(found) < _PARTS:
                part = self._part(number, bracket, sources)
                found += [part] if part else []
        return found

    def _part(self, number: int, bracket: Bracket, sources: Sources) -> Inlined | None:
        loop = self._frames[number].of.loop
        source = find_line(sources, loop.routine.object, loop.file, loop.line)
        if isinstance(source, dict):
            return None
        first = max(bracket[0] - _AROUND, 1)
        lines = source.lines[first - 1 : bracket[1] + _AROUND]
        return {
            "path": printable(source.path),
            "first": first,
            "lines": list(lines),
            "cut": False,
            "changed": False,
            "loops": [bracket],
            "file": loop.file,
            "function": printable(base_name(loop.function or loop.routine.name)),
        }


def _name(frame: LoopFrame) -> str:
    loop = frame.of.loop
    name = f"loop at {loop_place(loop)}"
    if loop.last_line > loop.line:
        name += f"-{loop.last_line}"
    if loop.function and base_name(loop.function) != base_name(loop.routine.name):
        name += f" in {base_name(loop.function)}"
    return printable(name)
