"""Divides work among forks of this process, one for each processor that it may use. A fork shares what is
loaded already."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, TypeVar

S = TypeVar("S")
R = TypeVar("R")

_WORTH_A_SHARE = 4000  # points: some 0.2 s. Processes start in 0.05 s
_MOST_SHARES = 4  # for each process: results come so often
_IN_A_BLOCK = 32  # subjects that a fork takes after each other: what waits for a reader stays small
_WORTH_A_FORK = 256  # subjects: some 0.1 s


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
    with ProcessPoolExecutor(min(processors, len(parts)), get_context("fork"), _begin) as pool:
        coming = {pool.submit(solve, [subjects[i] for i in part]): part for part in parts}
        try:
            for done in as_completed(coming):
                yield coming[done], done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def in_order(make: Callable[[int], Iterable[R]], count: int) -> Iterator[R]:
    """What `make` has of 0, 1, ... `count` - 1, one after the other. What it changes is changed in a fork
    only, or not."""
    forks = min(len(os.sched_getaffinity(0)), count // _WORTH_A_FORK)
    if forks < 2:
        for number in range(count):
            yield from make(number)
        return
    blocks = [range(i, min(i + _IN_A_BLOCK, count)) for i in range(0, count, _IN_A_BLOCK)]
    context = get_context("fork")
    started = []
    readers: list[Connection] = []
    try:
        for first in range(forks):
            reader, writer = context.Pipe(duplex=False)
            process = context.Process(
                target=_send, args=(make, blocks[first::forks], writer), daemon=True
            )
            process.start()
            writer.close()
            started.append(process)
            readers.append(reader)
        for number in range(len(blocks)):
            yield from _received(readers[number % forks])
    finally:
        for reader, process in zip(readers, started):
            reader.close()
            process.terminate()
            process.join()


def _send(
    make: Callable[[int], Iterable[R]], blocks: Sequence[Sequence[int]], writer: Connection
) -> None:
    """In a fork: the results of each block, some at a time, and None at its end."""
    _begin()
    try:
        for block in blocks:
            results: list[R] = []
            for number in block:
                for result in make(number):
                    results.append(result)
                    if len(results) == _IN_A_BLOCK:
                        writer.send(results)
                        results = []
            writer.send(results)
            writer.send(None)
    except BrokenPipeError:
        pass  # nobody wants the rest
    except Exception as error:
        writer.send(error)


def _received(reader: Connection) -> Iterator[Any]:
    """The results of a block. EOFError if the fork was killed."""
    while (results := reader.recv()) is not None:
        if isinstance(results, Exception):
            raise results
        yield from results


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
