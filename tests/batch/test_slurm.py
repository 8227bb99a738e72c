"""The same suite through Slurm: a real slurmctld, slurmd and munged on the loopback."""

from __future__ import annotations

import pytest
from slurm_cluster import Cluster, why_not


@pytest.fixture
def cluster(tmp_path_factory):
    reason = why_not()
    if reason:
        pytest.skip(reason)
    running = Cluster(tmp_path_factory.mktemp("slurm"))
    yield running
    running.stop()


def test_runs_are_jobs_of_slurm(bench, cluster):
    bench.suite(
        """
    [programs.seq]
    command = "seq {input}"
    inputs = [100]
    timeout = "60s"
    [programs.job]
    tools = ["native"]
    command = ["sh", "-c", "echo $SLURM_JOB_NAME; exit 7"]
    [programs.lost]
    tools = ["native"]
    command = ["sh", "-c", "scancel --signal=KILL --full $SLURM_JOB_ID; sleep 60"]
    """
    )
    # CI: Snakemake looks at its jobs every second instead of every ten.
    bench.environment = {**cluster.environment, "CI": "true"}
    result = bench.run("--slurm", "--sbatch=--job-name=from-suite")
    assert result.returncode == 1
    assert bench.result("seq/100-t1-r1-aprof-trms")["outcome"] == "ok"
    job = bench.folder / "suite.batch/runs/job/default-t1-r1-native"
    assert (job / "stdout").read_text() == "from-suite\n"
    assert bench.result("job/default-t1-r1-native")["status"] == 7
    table = {line.split()[0]: line for line in result.stdout.splitlines() if "/" in line}
    assert "  no result  " in table["lost/default-t1-r1-native"]
    assert len(list((bench.folder / "suite.batch/slurm").glob("*.log"))) == 3
    (row,) = bench.query("select count(*) as runs from runs where outcome = 'ok'")
    assert row == {"runs": 1}
