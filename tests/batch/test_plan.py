"""Which runs of a batch are repeated, and where earlier results go; nothing is run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aprofplot.batch.outcome import Result
from aprofplot.batch.plan import RESULT, Batch, limit_detail, make_plan
from aprofplot.batch.runs import Selection, expand
from aprofplot.batch.suite_file import load


@pytest.fixture
def planned(tmp_path):
    """A batch of three runs: one that went well, one that failed, one that took too long."""
    path = tmp_path / "s.toml"
    path.write_text(
        """
    tools = ["native"]
    timeout = 9
    [programs.p]
    setup = "true"
    command = "p {input}"
    inputs = ["well", "badly", "slowly"]
    """
    )
    runs = expand(load(str(path), {}), Selection())
    batch = Batch(tmp_path / "s.batch")
    batch.folder.mkdir()
    assert plan(batch, runs) == ["well", "badly", "slowly"]
    setup = batch.setup_folder("programs/p") / RESULT
    Result("", "ok").write(setup)
    ends = {"well": "ok", "badly": "failed", "slowly": "timeout"}
    for run in runs:
        outcome = ends[run.input]
        detail = limit_detail("timeout", 9) if outcome == "timeout" else ""
        result = Result(run.fingerprint, outcome, detail=detail)
        result.write(batch.run_folder(run.id) / RESULT)
    return batch, runs


def plan(batch, runs, force=False, retry=False):
    """The inputs that are to be run."""
    return [run.input for run in make_plan(batch, "s", runs, force, retry).pending]


def test_nothing_is_run_twice(planned):
    batch, runs = planned
    assert plan(batch, runs) == []
    assert not (batch.folder / "replaced").exists()


def test_force_and_retry(planned):
    batch, runs = planned
    assert plan(batch, runs, retry=True) == ["badly", "slowly"]
    assert plan(batch, runs, force=True) == ["well", "badly", "slowly"]
    kept = sorted(path.parent.name for path in batch.folder.glob("replaced/*/p/*/result.json"))
    assert [name.split("-")[0] for name in kept] == ["badly", "slowly", "well"]


def test_another_limit_concerns_what_went_over_it(planned):
    batch, runs = planned
    assert plan(batch, [replace(run, timeout=10) for run in runs]) == ["slowly"]


def test_what_changed_is_run_again(planned):
    batch, runs = planned
    changed = [replace(run, environment={"A": run.input[:3]}) for run in runs[:1]]
    assert plan(batch, changed + runs[1:]) == ["well"]
    other_setup = [replace(run, setups=(("programs/p", "false"),)) for run in runs]
    assert plan(batch, other_setup) == ["well", "badly", "slowly"]
    assert not (batch.setup_folder("programs/p") / RESULT).exists()


def test_a_setup_that_is_run_again_has_its_runs_run_again(planned):
    batch, runs = planned
    (batch.setup_folder("programs/p") / RESULT).unlink()
    assert plan(batch, runs) == ["well", "badly", "slowly"]
