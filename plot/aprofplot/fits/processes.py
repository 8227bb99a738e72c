"""Divides many fits among processes, one for each processor that this one may use."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import TypeVar

S = TypeVar("S")
R = TypeVar("R")

_WORTH_A_SHARE = 4000  # points: some 0.2 s. Processes start in 0.05 s
_MOST_SHARES = 4  # for each process: results come so often


def in_shares(
    subjects: Sequence[S], weight: Callable[[S], int], solve: Callable[[Sequence[S]], list[R]]
) -> Iterator[tuple[list[int], list[R]]]:
    """The results of `solve` for shares of the subjects, with the subjects' numbers, as they come. `weight`
    is a subject's number of points: those of about as many are in one share, the heaviest first."""
    order = sorted(range(len(subjects)), key=lambda i: -weight(subjects[i]))
    total = sum(map(weight, subjects))
    processors = len(os.sched_getaffinity(0))
    shares = max(1, min(total // _WORTH_A_SHARE, processors * _MOST_SHARES))
    parts = list(_divided(order, [weight(subjects[i]) for i in order], max(total / shares, 1)))
    if processors == 1 or len(parts) < 2:
        for part in parts:
            yield part, solve([subjects[i] for i in part])
        return
    # A fork shares what is loaded already.
    with ProcessPoolExecutor(min(processors, len(parts)), get_context("fork"), _begin) as pool:
        coming = {pool.submit(solve, [subjects[i] for i in part]): part for part in parts}
        try:
            for done in as_completed(coming):
                yield coming[done], done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _divided(order: Sequence[int], weights: Sequence[int], most: float) -> Iterator[list[int]]:
    """`order` in pieces of about the weight `most`."""
    part: list[int] = []
    filled = 0
    for number, weight in zip(order, weights):
        part.append(number)
        filled += weight
        if filled >= most:
            yield part
            part, filled = [], 0
    if part:
        yield part


def _begin() -> None:
    """Leaves interrupts to the process that started this one, which is interrupted, too; and what that has in
    memory, alone: the garbage collector would look through it again and again."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
