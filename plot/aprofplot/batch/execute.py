"""One run or one setup, from its folder's run.json or setup.json to its result.json.

Snakemake starts this, locally or on a node of a cluster. A run that fails is a result like any
other; the exit status is that of the executing itself.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from aprofplot.batch.last_words import last_line, last_words
from aprofplot.batch.outcome import Outcome, Result, Usage, read_result
from aprofplot.batch.plan import RESULT, SETUP_SPEC, SPEC, Batch, limit_detail
from aprofplot.batch.processes import (
    Ended,
    Interruption,
    Limits,
    Termination,
    WatchedProcess,
    start,
    start_watching,
    watch,
)
from aprofplot.batch.runs import Run, from_json
from aprofplot.batch.suite import APROF, Server, fill_late, fill_shell

INTERRUPTED = 130
READY_S = 600  # for a server to become ready, where a run has no timeout
_MEASURED = Path(__file__).with_name("measured.py")


def main(argv: Sequence[str]) -> int:
    """`run ID` or `setup NAME`, in the batch's folder."""
    kind, name = argv
    batch = Batch(Path.cwd())
    start_watching()
    try:
        if kind == "setup":
            _set_up(batch, name)
        else:
            _Execution(batch, name).execute()
        return 0
    except Interruption:
        return INTERRUPTED


def _set_up(batch: Batch, name: str) -> None:
    """Runs a setup's script in its emptied folder."""
    folder = batch.setup_folder(name)
    script = json.loads((folder / SETUP_SPEC).read_text())["script"]
    for path in folder.iterdir():
        if path.name != SETUP_SPEC:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    script = fill_shell(script, {"setup": str(folder), "shared": str(batch.setup_folder("shared"))})
    with open(folder / "setup.log", "wb") as log:
        streams = (subprocess.DEVNULL, log, log)
        end = watch(start(["sh", "-eu", "-c", script], os.environ, folder, streams))
    outcome: Outcome = "ok" if end.code == 0 else "setup"
    last = last_line(folder / "setup.log")
    Result("", outcome, end.code, None, f"setup ended with {end.code}", last, end.usage).write(
        folder / RESULT
    )


class _Execution:
    """One run, and where its parts are."""

    def __init__(self, batch: Batch, name: str) -> None:
        self._batch = batch
        self._folder = batch.run_folder(name)
        self._work = self._folder / "work"
        self._run: Run = from_json(json.loads((self._folder / SPEC).read_text()))
        self._measured = self._folder / "measured"
        own_setup = f"programs/{self._run.program}"
        self._late = {
            "run": str(self._folder),
            "work": str(self._work),
            "shared": str(batch.setup_folder("shared")),
            "setup": str(batch.setup_folder(own_setup)),
            "tool": str(self._folder / "under-tool"),
        }
        self._environment = {
            **os.environ,
            **{key: self._fill(text) for key, text in self._run.environment.items()},
        }

    def _fill(self, text: str) -> str:
        return fill_late(text, self._late)

    def execute(self) -> None:
        """Leaves a result, whatever happens to the run."""
        self._empty()
        began = datetime.now().astimezone().isoformat(timespec="milliseconds")
        result = self._failed_setup() or self._executed()
        if result.outcome == "ok" and self._work.is_dir():
            shutil.rmtree(self._work, ignore_errors=True)
        fingerprint, host = self._run.fingerprint, socket.gethostname()
        last = "" if result.outcome == "ok" else last_words(self._folder)
        result = replace(
            result,
            fingerprint=fingerprint,
            host=host,
            started=began,
            last_error=result.last_error or last,
            profiles=self._profiles(),
        )
        result.write(self._folder / RESULT)

    def _empty(self) -> None:
        """What an interrupted try left behind goes."""
        for path in self._folder.iterdir():
            if path.name != SPEC:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        self._work.mkdir()

    def _failed_setup(self) -> Result | None:
        for name, _ in self._run.setups:
            folder = self._batch.setup_folder(name)
            result = read_result(folder / RESULT)
            if result is None or result.outcome != "ok":
                detail = f"its setup failed: see {folder / 'setup.log'}"
                return Result("", "setup", None, None, detail, last_line(folder / "setup.log"))
        return None

    def _executed(self) -> Result:
        with open(self._folder / "stderr", "ab") as stderr:
            if self._run.prepare:
                limits = Limits(self._run.timeout, self._run.memory)
                end = watch(self._shell(self._run.prepare, stderr.fileno(), limits))
                if end.code != 0 or end.ended != "itself":
                    return self._said("failed", f"prepare ended with {end.code}")
            try:
                return self._measure(stderr.fileno())
            except OSError as error:
                where = error.filename or shlex.join(self._command())
                return self._said("missing", f"{where} cannot be run: {error.strerror}")

    def _said(self, outcome: Outcome, what: str) -> Result:
        return Result("", outcome, detail=what, last_error=last_line(self._folder / "stderr"))

    @property
    def _wrapped(self) -> bool:
        return any("{tool}" in word for word in self._run.command)

    def _command(self) -> list[str]:
        """What is started: under the tool, or as it is where the command has `{tool}` in it."""
        run = self._run
        command = [self._fill(word) for word in run.command]
        if not self._wrapped:
            return [*self._under(), *command]
        files = [str(self._measured), str(self._folder / "stderr")]
        words = [sys.executable, "-I", str(_MEASURED), *files, *self._under()]
        wrapper = self._folder / "under-tool"
        wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        wrapper.chmod(0o755)
        return command

    def _under(self) -> list[str]:
        """Valgrind expands `%` in file names, also in those that only happen to have one."""
        late = {**self._late, "run": self._late["run"].replace("%", "%%")}
        return [fill_late(word, late) for word in self._run.under]

    def _measure(self, stderr: int) -> Result:
        run = self._run
        command = self._command()
        folder = Path(self._work, self._fill(run.folder))
        self._write_command(command, folder)
        stdin_path = Path(self._work, self._fill(run.stdin)) if run.stdin else Path(os.devnull)
        with open(stdin_path, "rb") as stdin, open(self._folder / "stdout", "wb") as stdout:
            limits = Limits(run.timeout, run.memory)
            watched = start(command, self._environment, folder, (stdin, stdout, stderr), limits)
            if run.server is None:
                return self._judge(watch(watched))
            return self._serve(watched, run.server, stderr)

    def _shell(self, script: str, stderr: int, limits: Limits = Limits()) -> WatchedProcess:
        """Starts a shell script in the work folder, its output in `stderr`."""
        words = ["sh", "-eu", "-c", fill_shell(script, self._late)]
        streams = (subprocess.DEVNULL, stderr, stderr)
        return start(words, self._environment, self._work, streams, limits)

    def _serve(self, watched: WatchedProcess, server: Server, stderr: int) -> Result:
        """Waits for the server, uses it, stops it; judges the client, then the server."""
        patience = time.monotonic() + READY_S
        ended: int | Ended = 0 if not server.ready else 1
        while ended != 0 and not isinstance(ended, str) and time.monotonic() < patience:
            ended = watched.beside(lambda: self._shell(server.ready, stderr))
            if isinstance(ended, int) and ended != 0:
                ended = watched.step() or ended
        if ended == 0:
            ended = watched.beside(lambda: self._shell(server.client, stderr))
        detail = ""
        if isinstance(ended, str):
            detail = f"the server ended, or went over a limit, before its client: {ended}"
        elif ended != 0:
            detail = f"its client ended with {ended}, or it never became ready"
        return self._stop(watched, server, stderr, ended, detail)

    def _stop(
        self,
        watched: WatchedProcess,
        server: Server,
        stderr: int,
        ended: int | Ended,
        detail: str,
    ) -> Result:
        early = ended if isinstance(ended, str) else None
        if early is None:
            stopped: int | Ended = 1
            if server.stop:
                stopped = watched.beside(lambda: self._shell(server.stop, stderr))
            if isinstance(stopped, int) and (stopped != 0 or not server.stop):
                watched.process.send_signal(signal.SIGTERM)
        result = self._judge(watch(watched, early))
        if detail and result.outcome == "ok":
            return replace(result, outcome="failed", status=None, detail=detail)
        return result

    def _write_command(self, command: Sequence[str], folder: Path) -> None:
        """For people: how to do it again by hand."""
        valgrinds = [key for key in ("VALGRIND_LIB", "VALGRIND_OPTS") if key in os.environ]
        set_here = {key: self._environment[key] for key in (*valgrinds, *self._run.environment)}
        words = ["env", *(f"{k}={v}" for k, v in set_here.items())] if set_here else []
        stdin = f" <{shlex.quote(self._fill(self._run.stdin))}" if self._run.stdin else ""
        text = f"cd {shlex.quote(str(folder))} && {shlex.join([*words, *command])}{stdin}\n"
        (self._folder / "command").write_text(text)

    def _judge(self, end: Termination) -> Result:
        """What it means that the command ended so."""
        usage, code = end.usage, end.code
        if self._measured.is_file():
            code, usage = self._from_wrapper(end)
        elif self._wrapped and end.ended == "itself":
            return Result("", "failed", code, detail="it never ran its program", usage=usage)
        if end.ended != "itself":
            limit = self._run.timeout if end.ended == "timeout" else self._run.memory
            return Result("", end.ended, detail=limit_detail(end.ended, limit), usage=usage)
        if code < 0:
            return Result("", "signal", None, signal.Signals(-code).name, usage=usage)
        if code not in self._run.expected:
            wanted = " or ".join(str(status) for status in self._run.expected)
            return Result("", "failed", code, detail=f"status {code}, not {wanted}", usage=usage)
        if self._run.tool == APROF and not any(map(self._recorded, self._profiles())):
            empty = "nothing was recorded: its region of interest was never entered"
            detail = empty if self._profiles() else "it left no profile"
            return Result("", "no profile", code, detail=detail, usage=usage)
        return Result("", "ok", code, usage=usage)

    def _from_wrapper(self, end: Termination) -> tuple[int, Usage]:
        """The first unexpected status of the programs that the wrapper ran, and what all used."""
        lines = [json.loads(line) for line in self._measured.read_text().splitlines()]
        bad = [line["code"] for line in lines if line["code"] not in self._run.expected]
        wall, user, system = (
            round(sum(line[key] for line in lines), 3) for key in ("wall_s", "user_s", "system_s")
        )
        peak = max(line["peak_process_kb"] for line in lines)
        code = bad[0] if bad else lines[0]["code"]
        return code, Usage(wall, user, system, peak, max(peak, end.usage.peak_tree_kb))

    def _profiles(self) -> tuple[str, ...]:
        return tuple(
            sorted(
                path.name
                for path in self._folder.glob("aprof.out.*")
                if not path.name.endswith(".part")
            )
        )

    def _recorded(self, profile: str) -> bool:
        """Whether it has a table: it has none if recording never began."""
        with open(self._folder / profile, "rb") as file:
            return any(line.startswith(b"table ") for line in file)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
