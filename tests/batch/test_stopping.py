"""Interruptions: a batch stops cleanly, leaves no process, and can be continued."""

from __future__ import annotations

import os
import signal
import time

from aprofplot.batch.folder_lock import locked
from aprofplot.batch.plan import Batch


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_an_interrupted_batch_goes_on(bench):
    # `second` is at work until there is a file `go`, and fails until there is one `well`.
    bench.suite(
        f"""
    tools = ["native"]
    [programs.first]
    command = "true"
    [programs.second]
    command = ["sh", "-c", "sleep 62.5 & touch started; test -e go || wait; test -e well"]
    folder = "{bench.folder}"
    """
    )
    runs = bench.folder / "suite.batch/runs"
    process = bench.start("run", "suite.toml", "-j2")
    wait_for(lambda: ["sleep", "62.5"] in bench.processes())
    wait_for((bench.folder / "started").exists)
    wait_for((runs / "first/default-t1-r1-native/result.json").exists)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; the same command continues" in said
    assert ["sleep", "62.5"] not in bench.processes()
    assert not (runs / "second/default-t1-r1-native/result.json").exists()
    assert bench.do("status", "suite.batch").returncode == 1
    before = bench.result("first/default-t1-r1-native")
    (bench.folder / "go").touch()
    again = bench.do("run", "suite.toml")
    assert again.returncode == 1
    assert "1 run to do, 1 done already" in again.stderr
    assert bench.result("first/default-t1-r1-native") == before
    (bench.folder / "well").touch()
    retried = bench.do("run", "suite.toml", "--retry")
    assert retried.returncode == 0 and "1 run to do, 1 done already" in retried.stderr


def test_one_in_the_background_stops_and_starts_no_more(bench):
    bench.suite(
        f"""
    tools = ["native"]
    [programs.p]
    inputs = [1, 2]
    command = ["sh", "-c", "touch started.{{input}}; exec sleep 63.5"]
    folder = "{bench.folder}"
    """
    )
    process = bench.start("run", "suite.toml", background=True)
    wait_for(lambda: any(bench.folder.glob("started.*")))
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert len(list(bench.folder.glob("started.*"))) == 1
    status = bench.do("status", "suite.batch")
    assert status.returncode == 1
    first, *table = status.stdout.splitlines()
    assert first.startswith("2 runs, 1 failed, 1 not run yet: ")
    assert table[1].startswith("p/") and "  no result  " in table[1]
    assert ["sleep", "63.5"] not in bench.processes()


def test_a_killed_batch_goes_on(bench):
    # It is at work until there is a file `go`; who kills aprof-batch leaves Snakemake behind.
    bench.suite(
        f"""
    tools = ["native"]
    [programs.p]
    command = ["sh", "-c", "touch started; test -e go || sleep 61.5"]
    folder = "{bench.folder}"
    """
    )
    process = bench.start("run", "suite.toml")
    wait_for((bench.folder / "started").exists)
    process.kill()
    process.wait()
    (bench.folder / "go").touch()
    again = bench.do("run", "suite.toml")
    assert again.returncode == 0, again.stderr
    assert "1 run to do, 0 done already" in again.stderr
    assert ["sleep", "61.5"] not in bench.processes()


def test_only_one_runs_a_batch(bench):
    bench.suite("[programs.p]\ncommand = 'true'\ntools = ['native']")
    with locked(Batch(bench.folder / "suite.batch")):
        refused = bench.do("run", "suite.toml")
    assert refused.returncode == 2 and "is being run already" in refused.stderr
