"""Stacks of routines and their loops, from calling contexts: folded lines and speedscope's JSON.

Weights are self costs of one event: those of a thread's stacks add up to what its routines cost.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from aprofplot.errors import AprofError
from aprofplot.model import Context, Profile, Routine, ThreadKey
from aprofplot.names import printable, unicode
from aprofplot.reports.loop_frames import contexts_with_loops

Threads = tuple[ThreadKey, ...]

# Below it is what has no context of its own, beyond --max-contexts.
MERGED = Routine("(merged contexts)", "", "", 0, 0)

# flamegraph.pl takes a stack that ends in a number for one with two weights, of two profiles.
_NUMBER_AT_END = re.compile(r"\s(\d+(?:\.\d*)?)$")

SPEEDSCOPE_SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def check_contexts(profile: Profile) -> None:
    """AprofError if the profile has no calling contexts."""
    if not profile.contexts:
        raise AprofError(
            f"no calling contexts in {', '.join(run.path for run in profile.runs)}",
            "profile again with --contexts=yes",
        )


def write_folded(out: TextIO, profile: Profile, event: str, per_thread: bool) -> None:
    """A line for each stack with a cost of its own, in order: the routines, outermost first,
    joined by `;`, a space and the weight. `per_thread`: the thread is the outermost frame.
    """
    check_contexts(profile)
    weights: Counter[str] = Counter()
    contexts = contexts_with_loops(profile)
    for context in contexts:
        weight = context.profile.cost[event].own
        if weight:
            frames = [_frame(routine.name) for routine in _routines(contexts, context)]
            if per_thread:
                frames.insert(0, _one_frame(thread_name(profile, context.profile.threads)))
            weights[";".join(frames)] += weight
    for stack in sorted(weights):
        out.write(f"{stack} {weights[stack]}\n")


def _frame(name: str) -> str:
    """The name of a routine, of which a number at its end is part, wherever it is on a stack."""
    return _NUMBER_AT_END.sub(r"\\x20\1", _one_frame(name))


def _one_frame(name: str) -> str:
    """A name that ends neither its frame nor its line."""
    return printable(name).replace(";", r"\x3b")


def _routines(contexts: Sequence[Context], context: Context) -> list[Routine]:
    """The routines that are pending in `context`, outermost first."""
    routines = [context.profile.routine]
    while context.parent >= 0:
        context = contexts[context.parent]
        routines.append(context.profile.routine)
    routines += [MERGED] if context.merged else []
    return routines[::-1]


def thread_name(profile: Profile, threads: Threads) -> str:
    """What people know a thread by; with its process where there are several."""
    names = []
    for key in threads:
        pid = f"pid {profile.runs[key.run].pid} " if len(profile.runs) > 1 else ""
        names.append(f"{pid}thread {key.id} {profile.thread(key).name}".strip())
    return ", ".join(names)


def write_speedscope(out: TextIO, profile: Profile, event: str) -> None:
    """One JSON object with a profile for each thread, which must not be merged. A context's self
    cost comes before its callees'; these in the order of the profile."""
    check_contexts(profile)
    unit = next(e.unit for e in profile.events if e.name == event)
    frames = _Frames()
    contexts = contexts_with_loops(profile)
    children = _children(contexts)
    of_thread: dict[Threads, list[int]] = {}
    for root in children.get(-1, ()):
        of_thread.setdefault(contexts[root].profile.threads, []).append(root)
    profiles: list[dict[str, Any]] = []
    for threads in sorted(of_thread):
        events, end = _walk(contexts, children, of_thread[threads], event, frames.number)
        name = unicode(f"{thread_name(profile, threads)} ({unit})")
        entry = {
            "type": "evented",
            "name": name,
            "unit": "none",
            "startValue": 0,
            "endValue": end,
        }
        profiles.append({**entry, "events": events})
    report = {
        "$schema": SPEEDSCOPE_SCHEMA,
        "exporter": profile.runs[0].creator.replace(" ", "@"),
        "name": unicode("; ".join(dict.fromkeys(run.command for run in profile.runs))),
        "activeProfileIndex": 0,
        "shared": {"frames": frames.listed},
        "profiles": profiles,
    }
    json.dump(report, out)
    out.write("\n")


class _Frames:
    """The routines that stacks refer to by number."""

    def __init__(self) -> None:
        self.listed: list[dict[str, Any]] = []
        self._numbers: dict[Routine, int] = {}

    def number(self, routine: Routine) -> int:
        if routine not in self._numbers:
            self._numbers[routine] = len(self.listed)
            frame: dict[str, Any] = {"name": unicode(routine.name)}
            frame |= {"file": unicode(routine.file)} if routine.file else {}
            frame |= {"line": routine.line} if routine.line else {}
            self.listed.append(frame)
        return self._numbers[routine]


def _children(contexts: Sequence[Context]) -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for index, context in enumerate(contexts):
        children.setdefault(context.parent, []).append(index)
    return children


def _walk(
    contexts: Sequence[Context],
    children: dict[int, list[int]],
    roots: Sequence[int],
    event: str,
    frame: Callable[[Routine], int],
) -> tuple[list[dict[str, Any]], int]:
    """Opened and closed frames under `roots`, at the cost so far, and all their cost. Not
    recursive: contexts may be many thousand deep."""
    events: list[dict[str, Any]] = []
    now = 0
    waiting = [(root, False) for root in reversed(roots)]
    while waiting:
        index, opened = waiting.pop()
        context = contexts[index]
        numbers = [frame(MERGED)] if context.merged else []
        numbers.append(frame(context.profile.routine))
        for number in reversed(numbers) if opened else numbers:
            events.append({"type": "C" if opened else "O", "frame": number, "at": now})
        if not opened:
            now += context.profile.cost[event].own
            waiting.append((index, True))
            waiting += [(child, False) for child in reversed(children.get(index, ()))]
    return events, now
