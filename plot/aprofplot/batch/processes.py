"""Runs one command with all that it starts: limits, CPU time, peak memory, and no process left.

The watching process adopts orphans (PR_SET_CHILD_SUBREAPER), so that daemons are measured and
ended too. CPU time is what the kernel counted for every process that was waited for: only that of
a process whose parent ignores SIGCHLD is lost.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

from aprofplot.batch.outcome import Usage

SAMPLE_S = 0.1  # between two looks at the tree's memory
GRACE_S = 10.0  # after SIGTERM, to write profiles
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_SIGNALS = {signal.SIGCHLD, signal.SIGINT, signal.SIGTERM}
Ended = Literal["itself", "timeout", "memory"]


class Interruption(Exception):
    """SIGINT or SIGTERM came; everything that was started has been ended."""


@dataclass(frozen=True)
class Limits:
    """Seconds by the clock, and bytes of resident memory of the whole tree; None: none."""

    timeout: float | None = None
    memory: int | None = None


@dataclass(frozen=True)
class Termination:
    """How a command ended. `code` as subprocess has it: negative for a signal."""

    code: int
    ended: Ended
    usage: Usage


def start_watching() -> None:
    """Before the first command of a process that watches: orphans become its children, and
    signals wait until it asks for them."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)


@dataclass
class WatchedProcess:
    """A command that runs. Its CPU time includes what it has waited for, and orphans."""

    process: subprocess.Popen[bytes]
    limits: Limits
    began: float = field(default_factory=time.monotonic)
    peak_tree: int = 0
    code: int | None = None
    _user: float = 0.0
    _system: float = 0.0
    _peak_process: int = 0
    _beside: dict[int, int | None] = field(default_factory=dict)  # codes of what is not measured

    def step(self) -> Ended | None:
        """Waits a moment for something to happen; says whether a limit was passed."""
        before = time.monotonic()
        self._sample()
        # Looking takes time where processes are many: at most a tenth of ours.
        pause = max(SAMPLE_S, 10 * (time.monotonic() - before))
        if self.limits.timeout is not None:
            pause = min(pause, max(0.0, self.began + self.limits.timeout - before))
        came = signal.sigtimedwait(_SIGNALS, pause)
        if came is not None and came.si_signo != signal.SIGCHLD:
            self.kill()
            raise Interruption
        self.reap()
        if self.code is not None:
            return "itself"
        if self.limits.memory is not None and self.peak_tree > self.limits.memory:
            return "memory"
        if self.limits.timeout is not None and time.monotonic() > self.began + self.limits.timeout:
            return "timeout"
        return None

    def reap(self) -> None:
        """Takes leave of whatever child has ended."""
        while True:
            try:
                pid, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid in self._beside:
                self._beside[pid] = os.waitstatus_to_exitcode(status)
                continue
            if pid == self.process.pid:
                self.code = os.waitstatus_to_exitcode(status)
                self.process.returncode = self.code
            self._user += used.ru_utime
            self._system += used.ru_stime
            self._peak_process = max(self._peak_process, used.ru_maxrss)

    def _sample(self) -> None:
        import psutil

        total = 0
        for process in psutil.Process().children():
            try:
                if process.pid not in self._beside:
                    tree = [process, *process.children(recursive=True)]
                    total += sum(member.memory_info().rss for member in tree)
            except psutil.Error:  # has ended meanwhile
                pass
        self.peak_tree = max(self.peak_tree, total)

    def beside(self, start_it: Callable[[], WatchedProcess]) -> int | Ended:
        """Runs another command meanwhile, whose time and memory are not counted; its code, or how
        the watched one ended before it did."""
        other = start_it().process
        self._beside[other.pid] = None
        while self._beside[other.pid] is None:
            ended = self.step()
            if ended is not None:
                return ended
        code = other.returncode = self._beside[other.pid]
        assert code is not None
        return code

    def terminate(self, grace: float) -> None:
        """Asks all to end, and ends them after `grace` seconds."""
        _signal_all(signal.SIGTERM)
        deadline = time.monotonic() + grace
        while self.code is None and time.monotonic() < deadline:
            signal.sigtimedwait({signal.SIGCHLD}, 0.1)
            self.reap()
        self.kill()

    def kill(self) -> None:
        """Ends whatever is left, now."""
        while True:
            self.reap()
            if not _signal_all(signal.SIGKILL):
                return
            signal.sigtimedwait({signal.SIGCHLD}, 0.05)

    def usage(self, wall: float) -> Usage:
        """Of all that has ended."""
        return Usage(
            round(wall, 3),
            round(self._user, 3),
            round(self._system, 3),
            self._peak_process,
            max(self.peak_tree // 1024, self._peak_process),
        )


def _signal_all(number: signal.Signals) -> bool:
    """Whether there was anyone left."""
    import psutil

    left = psutil.Process().children(recursive=True)
    for process in left:
        try:
            process.send_signal(number)
        except psutil.Error:
            pass
    return bool(left)


def start(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    streams: tuple[IO[bytes] | int, IO[bytes] | int, IO[bytes] | int],
    limits: Limits = Limits(),
) -> WatchedProcess:
    """Starts a command in a session of its own. OSError if it cannot be started."""
    libc = ctypes.CDLL(None)

    def in_child() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())

    stdin, stdout, stderr = streams
    process = subprocess.Popen(
        command,
        env=dict(environment),
        cwd=folder,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
        preexec_fn=in_child,
    )
    return WatchedProcess(process, limits)


def watch(watched: WatchedProcess, ended: Ended | None = None) -> Termination:
    """Until the command ends or a limit is passed, if none has; then ends whatever it left
    running."""
    while ended is None:
        ended = watched.step()
    wall = time.monotonic() - watched.began
    if ended == "timeout":
        watched.terminate(GRACE_S)
    watched.kill()
    assert watched.code is not None
    return Termination(watched.code, ended, watched.usage(wall))
