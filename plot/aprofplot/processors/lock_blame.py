"""Contended locks: their holders, and where they are acquired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from aprofplot.names import printable
from aprofplot.processors.blame import Blame
from aprofplot.processors.changes import without_locks
from aprofplot.processors.charges import Costs
from aprofplot.processors.forks import common_path, is_caller
from aprofplot.processors.user_code import Frame, UserCode, plain_name
from aprofplot.work_span.model import Lock, LockPlace

_ALSO = 0.2  # of what the first executes under a lock: from which another function is told, too


def lock_blame(costs: Costs, code: UserCode, locks: Sequence[Lock]) -> Iterator[Blame]:
    """Of each lock, whatever holds it."""
    holders: dict[int, Counter[int]] = {}
    for (strand, number), waits in costs.schedule.lock_waits.items():
        path = code.innermost(_critical_section(costs, strand))
        holders.setdefault(number, Counter())[path] += waits
    for number, by_path in holders.items():
        lock = locks[number - 1] if number <= len(locks) else None
        kind, name = ("lock", "") if lock is None else (lock.kind, printable(lock.name))
        held_at = _held_at(lock.places) if lock is not None else []
        at = held_at[0][0] if held_at else None
        sentence = (
            f"processors wait for the {kind} {name}".rstrip()
            + ", which {name} holds{place}"
            + _also(held_at or _functions(code, by_path))
            + ", for {share} of their time. Hold it for less, or divide what it guards"
        )
        yield Blame(
            "lock",
            by_path.total(),
            _held_on(costs, code, by_path, at),
            sentence,
            without_locks,
            frozenset([number]),
            name or None,
            at,
        )


def _critical_section(costs: Costs, holder: int) -> int:
    """The path of all that the strand executes; that before it, if it executes nothing."""
    strand = costs.dag.strands[holder]
    while strand.before and not any(part.work for part in strand.parts):
        strand = costs.dag.strands[strand.before[0]]
    paths = [part.path for part in strand.parts if part.work]
    path = paths[0] if paths else 0
    for other in paths:
        path = common_path(costs.dag, path, other)
    return path


def _held_on(costs: Costs, code: UserCode, by_path: Counter[int], at: Frame | None) -> int:
    """The path on which most is waited for the lock: of those that end where it is acquired, if there are any;
    or one that goes on to there."""
    there = [path for path in by_path if at is not None and code.function(path) == at.function]
    most = max(there or by_path, key=by_path.__getitem__)
    if there or at is None:
        return most
    below = (
        path for path in range(most, len(costs.dag.paths)) if code.function(path) == at.function
    )
    return next((path for path in below if is_caller(costs.dag, most, path)), most)


def _held_at(places: Sequence[LockPlace]) -> list[tuple[Frame, int]]:
    """The functions that acquire it, with what they execute under it, the most first."""
    frames: dict[str, Frame] = {}
    held: Counter[str] = Counter()
    for place in sorted(places, key=lambda place: -place.held):
        function = plain_name(place.function or place.routine.name)
        frame = Frame(function, place.file, place.line, object=place.routine.object)
        frames.setdefault(function, frame)
        held[function] += place.held
    return [(frames[function], amount) for function, amount in held.most_common()]


def _functions(code: UserCode, by_path: Counter[int]) -> list[tuple[Frame, int]]:
    held: Counter[Frame] = Counter()
    for path, amount in by_path.items():
        for frame in code.frames(path)[-1:]:
            held[frame] += amount
    return held.most_common()


def _also(held_at: Sequence[tuple[Frame, int]]) -> str:
    """The others, if there are any, in brackets."""
    also = [frame.function for frame, held in held_at[1:] if held >= _ALSO * held_at[0][1]]
    if len(also) < 2:
        return "".join(f" (so does {function})" for function in also)
    return f" (so do {', '.join(also[:-1])} and {also[-1]})"
