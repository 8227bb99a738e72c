"""bench/compare on a small suite: measurements, kept results, failures."""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path
from subprocess import PIPE

import pytest
from aprofbench.interleaved import in_turns, with_peaks

from aprofplot.batch.runs import Selection, expand
from aprofplot.batch.suite_file import load

BUILD = Path(os.environ.get("APROF_BUILDDIR", Path(__file__).resolve().parent.parent.parent))
SUITE = """
tools = ["native"]
repetitions = 2
[programs]
small.command = "true"
slow.command = ["sh", "-c", "while test -e {suite}/slow; do sleep 0.1; done"]
large.command = ["/usr/bin/python3", "-I", "-c", "bytearray(50 << 20)"]
broken.command = ["sh", "-c", "echo no luck >&2; exit 3"]
threaded.command = ["/usr/bin/python3", "-I", "-c", "bytearray({threads} << 24)"]
absent.command = "no-such-program"
absent.packages = ["no-such-package"]
"""


@pytest.fixture
def compare(tmp_path):
    suite = tmp_path / "suite.toml"
    suite.write_text(SUITE)

    def run(*options):
        return subprocess.run([*run.command, *options], capture_output=True, text=True)

    run.folder = tmp_path / "batch"
    run.command = [BUILD / "bench" / "compare", suite, "-o", run.folder]
    return run


def test_a_suite(compare):
    result = compare()
    assert result.returncode == 1
    assert "broken under native, 2 of 2: status 3: no luck" in result.stdout
    assert "absent is skipped: no-such-program not installed" in result.stderr
    assert "apt-get install --yes no-such-package" in result.stderr
    with open(compare.folder / "measures.csv") as file:
        rows = list(csv.DictReader(file))
    assert [row["program"] for row in rows] == [
        name for name in ("small", "slow", "large", "broken", "threaded") for _ in range(2)
    ]
    small, _, large, broken, _ = rows[::2]
    assert float(small["memory"]) < 8  # not that of the Python that started it
    assert 50 < float(large["memory"]) < 80
    assert broken["cpu"] == "" and broken["failure"] == "status 3: no luck"
    assert (compare.folder / "table.txt").read_text() == result.stdout
    assert (compare.folder / "table.png").read_bytes().startswith(b"\x89PNG")
    with open(compare.folder / "table.csv") as file:
        table = list(csv.DictReader(file))
    assert [row["quantity"] for row in table] == 6 * ["cpu"] + 6 * ["memory"]
    by_program = {row["program"]: row for row in table if row["quantity"] == "memory"}
    assert list(by_program)[-1] == "geometric mean"
    peaks = [float(row["memory"]) for row in rows if row["program"] == "large"]
    assert float(by_program["large"]["native"]) == max(peaks)
    assert by_program["broken"]["native"] == ""


def test_nothing_is_run_twice(compare):
    assert compare("--programs=small").returncode == 0
    assert "2 runs to do, 2 done already" in compare("--programs=small,large").stderr
    assert "0 runs to do, 4 done already" in compare("--programs=small,large").stderr


def test_nothing_is_run_if_only_asked_to_show(compare):
    result = compare("--programs=small", "--no-runs")
    assert result.returncode == 1
    assert "not run: 2 of all runs" in result.stdout


def test_an_interrupted_comparison_shows_what_it_has_and_goes_on(compare, tmp_path):
    (tmp_path / "slow").touch()
    chosen = ["--programs=small,slow", "--repetitions=1"]
    process = subprocess.Popen([*compare.command, *chosen], stdout=PIPE, stderr=PIPE, text=True)
    while "small" not in process.stderr.readline():
        pass
    process.terminate()
    text, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "the same command goes on" in said and "not run: 1 of all runs" in text
    (tmp_path / "slow").unlink()
    again = compare(*chosen)
    assert again.returncode == 0 and "1 run to do, 1 done already" in again.stderr


def test_a_bad_command_line_is_one_line(compare):
    result = compare("--programs=nothing")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1 and "no program nothing" in result.stderr


def test_by_threads_only_programs_that_have_any_are_run(compare):
    result = compare("--threads=1,4", "--repetitions=1")
    assert result.returncode == 0 and "Geometric means of threaded\n" in result.stdout
    with open(compare.folder / "measures.csv") as file:
        memory = {row["program"] + row["threads"]: row["memory"] for row in csv.DictReader(file)}
    assert set(memory) == {"threaded1", "threaded4"}
    assert 40 < float(memory["threaded4"]) - float(memory["threaded1"]) < 56
    assert (compare.folder / "table.csv").read_text() == "quantity,tool,1,4\n"


def runs(tmp_path):
    (tmp_path / "suite.toml").write_text(SUITE)
    suite = load(str(tmp_path / "suite.toml"), {})
    return expand(suite, Selection(programs=["small", "large"], tools=["none", "aprof-trms"]))


def test_tools_take_turns_within_a_repetition(tmp_path):
    order = [(run.repetition, run.program, run.tool) for run in in_turns(runs(tmp_path))]
    assert order == [
        (repetition, program, tool)
        for repetition in (1, 2)
        for program in ("small", "large")
        for tool in ("none", "aprof-trms")
    ]


def test_a_tool_that_was_built_anew_is_measured_again(tmp_path):
    def fingerprints():
        found = with_peaks(runs(tmp_path), tmp_path)
        return {run.id: run.fingerprint for run in found}

    tool = tmp_path / "aprof" / "aprof-trms-amd64-linux"
    tool.parent.mkdir()
    tool.write_text("old")
    before = fingerprints()
    assert fingerprints() == before
    tool.write_text("new")
    after = fingerprints()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {name for name in before if name.endswith("aprof-trms")}
