"""Runs a batch on a Slurm cluster: submits each run as a job, and asks for the job's state.

As a program, `slurm.py JOB`, it tells Snakemake the state of a job: running, success or failed.
That needs no accounting: slurmctld is asked, and a job that it has forgotten has ended long ago.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Sequence

from aprofplot.batch.processes import GRACE_S

# Of Snakemake and of what watches the run, beside the run itself.
OWN_MEMORY_MB = 500
OWN_S = 60
_RUNNING = {
    "PENDING",
    "CONFIGURING",
    "RUNNING",
    "COMPLETING",
    "SUSPENDED",
    "STOPPED",
    "REQUEUED",
    "REQUEUE_HOLD",
    "RESIZING",
    "STAGE_OUT",
    "SIGNALING",
}


def limits(cores: int, timeout: float | None, memory: int | None) -> str:
    """sbatch's options for a run: ours end it first, the cluster's are a second line."""
    options = [f"--cpus-per-task={cores}"]
    if timeout is not None:
        options.append(f"--time={math.ceil((timeout + GRACE_S + OWN_S) / 60)}")
    if memory is not None:
        options.append(f"--mem={math.ceil(memory / 2**20) + OWN_MEMORY_MB}M")
    return " ".join(options)


def state(job: str) -> str:
    """`running`, `success` or `failed`; while slurmctld does not answer, `running`."""
    command = ["scontrol", "--oneliner", "show", "job", job]
    asked = subprocess.run(command, capture_output=True, text=True)
    if asked.returncode != 0:
        return "failed" if "Invalid job id" in asked.stderr + asked.stdout else "running"
    fields = dict(word.partition("=")[::2] for word in asked.stdout.split())
    found = fields.get("JobState", "")
    if found in _RUNNING:
        return "running"
    return "success" if found == "COMPLETED" else "failed"


def main(argv: Sequence[str]) -> int:
    """Prints the state of one job."""
    print(state(argv[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
