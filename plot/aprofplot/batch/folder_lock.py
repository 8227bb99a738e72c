"""Locks a batch's folder: one process may run a batch at a time."""

from __future__ import annotations

import fcntl
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from aprofplot.batch.plan import Batch
from aprofplot.errors import AprofError

STOP_S = 60  # for runs to end after an interruption


@contextmanager
def locked(batch: Batch) -> Iterator[IO[str]]:
    """AprofError if another runs the batch. The lock goes with its last holder, Snakemake included,
    however that ends. A Snakemake whose aprof-batch was killed is stopped."""
    try:
        batch.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"{batch.folder} cannot be the batch's folder: {error.strerror}"
        raise AprofError(what, "name another with -o") from error
    with open(batch.folder / ".lock", "a+") as lock:
        if not _take(lock) and not _take_from_abandoned(lock, batch):
            what = f"{batch.folder} is being run already"
            raise AprofError(what, "wait, or name another folder with -o")
        lock.truncate(0)
        yield lock


def share(lock: IO[str], snakemake: int) -> None:
    """Writes down that a child of this process holds the lock, too."""
    lock.truncate(0)
    lock.write(f"{snakemake} {os.getpid()}\n")
    lock.flush()


def _take(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False


def _take_from_abandoned(lock: IO[str], batch: Batch) -> bool:
    """Stops the Snakemake that holds the lock if nobody is there to take what it does."""
    import psutil

    try:
        lock.seek(0)
        child, parent = map(int, lock.read().split())
        holder = psutil.Process(child)
        if holder.ppid() == parent or str(batch.folder) not in holder.cmdline():
            return False
        os.killpg(child, signal.SIGINT)
    except (ValueError, OSError, psutil.Error):
        return False
    patience = time.monotonic() + STOP_S
    while not _take(lock):
        if time.monotonic() > patience:
            return False
        time.sleep(0.1)
    return True
