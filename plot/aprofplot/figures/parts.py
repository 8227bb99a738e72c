"""The parts of a comparison in one picture: routines, threads or profiles, and their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aprofplot import metrics
from aprofplot.figures.captions import routine_labels, run_labels, thread_label
from aprofplot.model import Profile, RoutineProfile
from aprofplot.names import counted


@dataclass(frozen=True, eq=False)
class Part:
    """A routine's numbers, in all threads, in one thread or in one run. `label` is empty if there
    is nothing to tell it from."""

    numbers: RoutineProfile
    label: str = ""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The parts in one picture. `noun`: what they are, "thread", "routine" or "profile", empty for
    pairs of them."""

    profile: Profile
    parts: tuple[Part, ...]
    noun: str = "routine"

    @property
    def routines(self) -> tuple[RoutineProfile, ...]:
        """A part of each routine, in order."""
        first = {part.numbers.routine.key: part.numbers for part in reversed(self.parts)}
        keys = dict.fromkeys(part.numbers.routine.key for part in self.parts)
        return tuple(first[key] for key in keys)

    def costliest(self, count: int) -> list[Part]:
        """The `count` parts of the greatest cost, in the order of the parts."""
        ranked = metrics.by_cost((part.numbers for part in self.parts), self.profile.event_names[0])
        chosen = {id(numbers) for numbers in ranked[:count]}
        return [part for part in self.parts if id(part.numbers) in chosen]

    def others(self, count: int) -> str:
        """What `count` of the parts are called together."""
        return counted(count, f"other {self.noun}".strip())


def of_routines(profile: Profile, chosen: Sequence[RoutineProfile]) -> Comparison:
    """A part for each routine. `chosen` are of `profile`, with threads merged."""
    if len(chosen) == 1:
        return Comparison(profile, (Part(chosen[0]),))
    labels = routine_labels([numbers.routine for numbers in chosen])
    return Comparison(profile, tuple(Part(n, label) for n, label in zip(chosen, labels)))


def of_threads(profile: Profile, chosen: Sequence[RoutineProfile]) -> Comparison:
    """A part for each routine and thread that ran it. `profile` has threads apart."""
    before = _prefixes(chosen)
    parts = [
        Part(
            numbers,
            before[numbers.routine.key] + thread_label(profile, numbers.threads[0]),
        )
        for numbers in profile.routines
        if numbers.routine.key in before
    ]
    return Comparison(profile, tuple(parts), "thread" if len(chosen) == 1 else "")


def of_runs(
    profile: Profile, chosen: Sequence[Sequence[RoutineProfile]], labels: Sequence[str]
) -> Comparison:
    """A part for each run and each of the routines chosen in it. `labels`: what the runs are
    called; empty for the names that tell them apart."""
    names = list(labels) or run_labels(profile.runs)
    several = len({numbers.routine.name for found in chosen for numbers in found}) > 1
    parts = []
    for name, found in zip(names, chosen):
        routines = routine_labels([numbers.routine for numbers in found])
        for numbers, routine in zip(found, routines):
            parts.append(Part(numbers, f"{routine}, {name}" if several else name))
    return Comparison(profile, tuple(parts), "" if several else "profile")


def _prefixes(chosen: Sequence[RoutineProfile]) -> dict[object, str]:
    """What a label begins with, by the routine's key."""
    if len(chosen) == 1:
        return {chosen[0].routine.key: ""}
    labels = routine_labels([numbers.routine for numbers in chosen])
    return {numbers.routine.key: f"{label}, " for numbers, label in zip(chosen, labels)}
