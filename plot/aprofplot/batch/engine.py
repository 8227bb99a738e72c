"""Snakemake, which runs what a plan says is missing: locally, or on a cluster."""

from __future__ import annotations

import importlib.util
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from aprofplot.batch import slurm
from aprofplot.batch.folder_lock import STOP_S, share
from aprofplot.batch.outcome import Result, write_json
from aprofplot.batch.plan import Batch, Plan
from aprofplot.batch.runs import Run
from aprofplot.batch.suite import NATIVE
from aprofplot.errors import AprofError

_PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Executor:
    """On this machine, `jobs` at a time, or through Slurm or another cluster that a Snakemake
    profile knows. `sbatch`: more options for Slurm."""

    jobs: int
    slurm: bool = False
    sbatch: tuple[str, ...] = ()
    profile: str | None = None


def check_modules() -> None:
    """AprofError if one that runs need is not installed."""
    for module, package in ("snakemake", "snakemake"), ("psutil", "python3-psutil"):
        if importlib.util.find_spec(module) is None:
            what = f"{sys.executable} has no module {module}"
            raise AprofError(what, f"install it (Debian: apt-get install {package})")


def run_pending(
    batch: Batch,
    plan: Plan,
    executor: Executor,
    lock: IO[str],
    ended: Callable[[Run, Result], None],
) -> bool:
    """Runs all that is pending; calls `ended` for each as it ends. False: Snakemake gave up on
    some, which have no result. On KeyboardInterrupt all runs are stopped first."""
    write_json(batch.folder / "plan.json", _config(plan))
    with open(batch.log, "ab") as log:
        snakemake = subprocess.Popen(
            _command(batch, executor),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            # A shell has what it starts in the background ignore SIGINT, by which we stop it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            pass_fds=[lock.fileno()],
        )
        share(lock, snakemake.pid)
        try:
            waiting = list(plan.pending)
            while waiting:
                over = snakemake.poll() is not None
                waiting = [run for run in waiting if not _has_ended(batch, run, ended)]
                if over:
                    break
                time.sleep(0.1 + len(waiting) / 5000)
            snakemake.wait()
        except KeyboardInterrupt:
            _stop(snakemake)
            raise
    return not waiting


def _has_ended(batch: Batch, run: Run, ended: Callable[[Run, Result], None]) -> bool:
    result = batch.result(run.id)
    if result is None:
        return False
    ended(run, result)
    return True


def _stop(snakemake: subprocess.Popen[bytes]) -> None:
    """Ends Snakemake and what it has started; those end their runs. Patiently, for a second Ctrl-C
    must not leave runs behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        os.killpg(snakemake.pid, signal.SIGINT)
        snakemake.wait(timeout=STOP_S)
    except ProcessLookupError:
        pass
    except subprocess.TimeoutExpired:
        os.killpg(snakemake.pid, signal.SIGKILL)
        snakemake.wait()


def _config(plan: Plan) -> dict[str, object]:
    pending = plan.pending
    setups = {name: script for run in pending for name, script in run.setups}
    return {
        "execute": module_command("aprofplot.batch.execute"),
        "runs": {
            run.id: {
                "cores": _cores(run),
                "setups": [name for name, _ in run.setups],
                "sbatch": slurm.limits(_cores(run), run.timeout, run.memory),
            }
            for run in pending
        },
        "setups": {
            name: {
                "setups": ["shared"] if name != "shared" and "shared" in setups else [],
                "sbatch": slurm.limits(1, None, None),
            }
            for name in setups
        },
    }


def _cores(run: Run) -> int:
    """Valgrind runs one thread at a time."""
    return run.threads if run.tool == NATIVE else 1


def module_command(module: str) -> str:
    """The command, for a shell, that runs a module of this package. Not through the environment:
    that is the measured programs' own."""
    code = (
        f"import sys; sys.path.insert(0, {str(_PACKAGE.parent)!r}); "
        f"from {module} import main; sys.exit(main(sys.argv[1:]))"
    )
    return shlex.join([sys.executable, "-c", code])


def _command(batch: Batch, executor: Executor) -> list[str]:
    words = [
        sys.executable,
        "-m",
        "snakemake",
        "--snakefile",
        str(_PACKAGE / "batch/Snakefile"),
    ]
    words += [
        "--directory",
        str(batch.folder),
        "--configfile",
        str(batch.folder / "plan.json"),
    ]
    # Our own lock, which cannot be left behind, in place of Snakemake's.
    words += [
        "--nolock",
        "--keep-going",
        "--rerun-incomplete",
        "--rerun-triggers",
        "mtime",
    ]
    words += ["--scheduler", "greedy", "--nocolor", "--jobs", str(executor.jobs)]
    if executor.profile is not None:
        return [*words, "--profile", executor.profile]
    return [*words, *_slurm(batch, executor)] if executor.slurm else words


def _slurm(batch: Batch, executor: Executor) -> Sequence[str]:
    logs = batch.folder / "slurm"
    logs.mkdir(exist_ok=True)
    submit = ["sbatch", "--parsable", f"--output={logs}/%j.log", *executor.sbatch]
    words = ["--cluster", _braced(shlex.join(submit)) + " {resources.sbatch}"]
    words += [
        "--cluster-status",
        module_command("aprofplot.batch.slurm"),
        "--cluster-cancel",
        "scancel",
    ]
    return [*words, "--latency-wait", "60"]


def _braced(text: str) -> str:
    """As Snakemake must be told a brace."""
    return text.replace("{", "{{").replace("}", "}}")


def log_tail(batch: Batch, lines: int = 8) -> str:
    """The end of what Snakemake said."""
    try:
        return "\n".join(batch.log.read_text(errors="replace").splitlines()[-lines:])
    except OSError:
        return ""
