"""Divides work among processes, one for each processor that this one may use. As they are forked, they share
what is loaded already."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from typing import Any, TypeVar

from aprofplot.errors import AprofError

S = TypeVar("S")
R = TypeVar("R")

_WORTH_A_SHARE = 4000  # points: some 0.2 s. Processes start in 0.05 s
_MOST_SHARES = 4  # for each process: results come so often
_IN_A_BLOCK = 32  # results that are sent at once
_WORTH_A_PROCESS = 256  # numbers: some 0.1 s
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


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
    context = get_context("fork")
    processes = min(processors, len(parts))
    with ProcessPoolExecutor(processes, context, _begin, (os.getpid(),)) as pool:
        coming = {pool.submit(solve, [subjects[i] for i in part]): part for part in parts}
        try:
            for done in as_completed(coming):
                yield coming[done], done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def in_order(make: Callable[[int], R], count: int) -> Iterator[R]:
    """What `make` has of 0, 1, ... `count` - 1, one after the other. Changes that `make` makes may be lost, and
    its errors are RuntimeErrors. AprofError if a process is killed."""
    blocks = [range(i, min(i + _IN_A_BLOCK, count)) for i in range(0, count, _IN_A_BLOCK)]
    processes = min(len(os.sched_getaffinity(0)), count // _WORTH_A_PROCESS)
    senders = _senders(make, [blocks[i::processes] for i in range(processes)])
    if not senders:
        yield from map(make, range(count))
        return
    try:
        for number in range(len(blocks)):
            yield from _received(senders[number % processes][1])
    finally:
        _stop(senders)


_Sender = tuple[ForkProcess, Connection]


def _senders(make: Callable[[int], R], blocks: Sequence[Sequence[Sequence[int]]]) -> list[_Sender]:
    """A process for each list of blocks; none if there is one, or if they cannot be started."""
    context = get_context("fork")
    senders: list[_Sender] = []
    if len(blocks) < 2:
        return senders
    try:
        for of_it in blocks:
            reader, writer = context.Pipe(duplex=False)
            arguments = make, of_it, writer, os.getpid()
            process = context.Process(target=_send, args=arguments, daemon=True)
            with writer:
                process.start()
            senders.append((process, reader))
    except OSError:  # of processes or memory there are no more
        _stop(senders)
        return []
    return senders


def _stop(senders: Sequence[_Sender]) -> None:
    for process, reader in senders:
        reader.close()
        process.terminate()
        process.join()


class _Failure(str):
    """The traceback of an error in another process."""


def _send(
    make: Callable[[int], R], blocks: Sequence[Sequence[int]], writer: Connection, parent: int
) -> None:
    """In another process: the results of each block."""
    _begin(parent)
    try:
        for block in blocks:
            writer.send([make(number) for number in block])
    except Exception:
        writer.send(_Failure(traceback.format_exc()))


def _received(reader: Connection) -> Any:
    """The results of a block."""
    try:
        results = reader.recv()
    except EOFError:
        todo = "is there enough memory?"
        raise AprofError("a process of this command was killed", todo) from None
    if isinstance(results, _Failure):
        raise RuntimeError(results)
    return results


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


def _begin(parent: int) -> None:
    """Leaves interrupts to the process that started this one, which is interrupted, too, and ends with it, however
    it ends; leaves what that has in memory alone: the garbage collector would look through it again and again.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended before that
        os._exit(1)
    gc.freeze()
