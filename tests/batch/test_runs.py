"""One batch with every way that a run can end, then the same again, as a user sees it."""

from __future__ import annotations

import json
import shutil

import pytest


SUITE = """
tools = ["native"]
timeout = "60s"

[programs.sum]
tools = ["native", "aprof-trms"]
setup = "gcc -g -O1 -o {setup}/sum {suite}/sum.c"
command = "{setup}/sum {numbers}"
inputs = {few = {numbers = 50}, many = {numbers = 300}}
repetitions = 2

[programs.fails]
command = ["sh", "-c", "echo first >&2; echo 'the last line' >&2; exit {input}"]
inputs = [3, 4]
status = [0, 4]

[programs.slow]
command = ["sh", "-c", "echo still at work; sleep 61 & sleep 62"]
timeout = "1s"

[programs.large]
command = ["python3", "-c", "x = b'.' * 200_000_000; import time; time.sleep(63)"]
memory = "100M"

[programs.killed]
command = ["sh", "-c", "kill -SEGV $$"]

[programs.unready]
setup = "echo no input to be had; exit 5"
command = "true"

[programs.absent]
command = "no-such-program-anywhere"
packages = ["absent-package"]

[programs.surroundings]
command = ["sh", "-c", "cat; pwd; echo $COLOUR $PYTHONPATH; echo $0 $1", "{words}"]
inputs.both.words = ["two", "{threads} words"]
environment = {COLOUR = "green {threads}"}
threads = [2]
stdin = "note"
prepare = "echo prepared in $PWD >note"

[programs.server]
command = ["sh", "-c", "sleep 0.3; touch up; while ! test -e down; do sleep 0.1; done"]
ready = "test -e up"
client = "test -e up && echo used >{run}/used"
stop = "touch down"

[programs.misused]
command = ["sleep", "64"]
client = "exit 6"
"""


SUM = """
#include <stdlib.h>
volatile int numbers[1000];
static volatile int result;
static __attribute__((noinline)) void sum(int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += numbers[i];
  result = total;
}
int main(int argc, char** argv) {
  sum(atoi(argv[argc - 1]));
  return 0;
}
"""


@pytest.fixture(scope="module")
def first(module_bench):
    module_bench.suite(SUITE)
    (module_bench.folder / "sum.c").write_text(SUM)
    module_bench.environment.pop("PYTHONPATH", None)
    return module_bench, module_bench.run()


@pytest.fixture
def put_back(first, tmp_path):
    """The first batch, for a test that goes on with it; others find it as it was."""
    folder = first[0].folder
    kept = shutil.copytree(folder, tmp_path / "kept", symlinks=True)
    yield first
    shutil.rmtree(folder)
    shutil.move(kept, folder)


def outcome(bench, run):
    result = bench.result(run)
    return result["outcome"], result["status"], result["signal"]


def test_each_end_of_a_run_is_told_apart(first):
    bench, _ = first
    ends = {
        "sum/few-t1-r2-aprof-trms": ("ok", 0, None),
        "fails/3-t1-r1-native": ("failed", 3, None),
        "fails/4-t1-r1-native": ("ok", 4, None),
        "slow/default-t1-r1-native": ("timeout", None, None),
        "large/default-t1-r1-native": ("memory", None, None),
        "killed/default-t1-r1-native": ("signal", None, "SIGSEGV"),
        "unready/default-t1-r1-native": ("setup", None, None),
        "server/default-t1-r1-native": ("ok", 0, None),
    }
    assert {run: outcome(bench, run) for run in ends} == ends
    misused = bench.result("misused/default-t1-r1-native")
    assert misused["outcome"] in ("failed", "signal")  # what SIGTERM did to the server
    assert (bench.folder / "suite.batch/runs/server/default-t1-r1-native/used").is_file()


def test_failures_end_in_a_table_and_in_the_exit_status(first):
    bench, result = first
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "18 runs, 7 failed"
    table = {line.split()[0]: line for line in lines[2:9]}
    runs = str(bench.folder / "suite.batch/runs")
    assert (
        table["absent"].split("  ", 1)[1].split()
        == "missing needs no-such-program-anywhere".split()
    )
    fails = table["fails/3-t1-r1-native"]
    assert "status 3" in fails and "the last line" in fails
    assert f" {runs}/fails/3-t1-r1-native " in fails
    assert "signal SIGSEGV" in table["killed/default-t1-r1-native"]
    assert "no input to be had" in table["unready/default-t1-r1-native"]
    assert table["slow/default-t1-r1-native"].endswith(" over 1 s; still at work")
    assert "apt-get install --yes absent-package" in result.stderr
    assert bench.do("status", "suite.batch").stdout == result.stdout


def test_progress_is_a_line_per_run_without_a_terminal(first):
    _, result = first
    lines = [line for line in result.stderr.splitlines() if line.startswith("[")]
    assert len(lines) == 17
    assert lines[-1].startswith("[17/17] ") and " left" not in lines[-1]
    assert all(" left" in line for line in lines[:-1])


def test_nothing_that_a_run_started_is_left(first):
    bench, _ = first
    left = bench.processes()
    assert not any(["sleep", str(n)] in left for n in (61, 62, 63, 64))


def test_what_a_run_is_given(first):
    bench, _ = first
    folder = bench.folder / "suite.batch/runs/surroundings/both-t2-r1-native"
    lines = (folder / "stdout").read_text().splitlines()
    work = str(folder / "work")
    assert lines == [f"prepared in {work}", work, "green 2", "two 2 words"]
    assert "env 'COLOUR=green 2' sh -c" in (folder / "command").read_text()


def test_a_command_to_type_has_what_concerns_valgrind(bench):
    bench.environment["VALGRIND_OPTS"] = "--quiet"
    bench.suite("[programs.p]\ncommand = 'true'\ntools = ['native']")
    assert bench.do("run", "suite.toml").returncode == 0
    command = bench.folder / "suite.batch/runs/p/default-t1-r1-native/command"
    assert command.read_text().endswith(" && env VALGRIND_OPTS=--quiet true\n")


def test_memory_and_time_are_measured(first):
    bench, _ = first
    usage = bench.result("large/default-t1-r1-native")["usage"]
    assert 100 * 1024 < usage["peak_tree_kb"] < 400 * 1024
    usage = bench.result("slow/default-t1-r1-native")["usage"]
    assert usage["wall_s"] >= 1


def test_the_database_has_the_points_of_all_inputs_as_one_cost_function(first):
    bench, _ = first
    rows = bench.query(
        "select size, sum(calls) as calls, count(distinct run) as runs from points p "
        "join routines n on n.id = p.routine join runs r on r.id = p.run "
        "where n.name = 'sum' and metric = 'trms' group by size order by size"
    )
    assert [(row["size"], row["runs"]) for row in rows] == [(50, 2), (300, 2)]
    merged = bench.query(
        "select size, calls, min, max, sum from cost_functions "
        "where name = 'sum' and metric = 'trms' and program = 'sum' order by size"
    )
    assert [row["size"] for row in merged] == [row["size"] for row in rows]
    assert all(row["calls"] == 2 and row["min"] == row["max"] for row in merged)
    assert all(row["sum"] == 2 * row["max"] for row in merged)
    report = json.loads((bench.folder / "suite.batch/reports/sum.json").read_text())
    (routine,) = [r for r in report["routines"] if r["name"] == "sum"]
    assert [point["size"] for point in routine["points"]["trms"]] == [row["size"] for row in rows]
    costs = [point["cost"]["bb"]["sum"] for point in routine["points"]["trms"]]
    assert costs == [row["sum"] for row in merged]


def test_runs_and_times_are_in_the_database(first):
    bench, _ = first
    rows = bench.query("select name, outcome, status from runs where program = 'fails'")
    assert [(row["outcome"], row["status"]) for row in rows] == [
        ("failed", 3),
        ("ok", 4),
    ]
    (row,) = bench.query("select runs from times where tool = 'native' and input = 'many'")
    assert row == {"runs": 2}
    times = (bench.folder / "suite.batch/reports/times.txt").read_text().splitlines()
    assert len([line for line in times if line.startswith("sum ")]) == 4
    failing = bench.do("query", "suite.batch", "select nonesuch from runs")
    assert failing.returncode == 2 and "no such column" in failing.stderr
    assert "threads, units, routines" in failing.stderr and "cost_functions" in failing.stderr
    refused = bench.do("query", "suite.batch", "delete from runs")
    assert refused.returncode == 2 and "readonly" in refused.stderr


def test_profiles_are_listed_for_other_commands(first):
    bench, _ = first
    listed = bench.do("profiles", "suite.batch", "sum").stdout.split()
    assert len(listed) == 4 and all("/aprof.out." in path for path in listed)
    unknown = bench.do("profiles", "suite.batch", "sun")
    assert unknown.returncode == 2 and unknown.stdout == ""
    assert "has no program sun; it has " in unknown.stderr


def test_again_runs_what_changed_and_keeps_what_was(put_back):
    bench, _ = put_back
    folder = bench.folder / "suite.batch"
    before = (folder / "runs/sum/few-t1-r1-native/result.json").stat().st_mtime_ns
    bench.suite(
        SUITE.replace("exit {input}", "exit 0")
        .replace('timeout = "60s"', 'timeout = "50s"')  # no run went over it
        .replace("exit 5", "exit 0")
    )
    result = bench.run("--programs=sum,fails,unready")
    assert result.returncode == 0, result.stderr
    assert "3 runs to do, 8 done already" in result.stderr
    assert (folder / "runs/sum/few-t1-r1-native/result.json").stat().st_mtime_ns == before
    assert bench.result("fails/3-t1-r1-native")["outcome"] == "ok"
    (replaced,) = (folder / "replaced").iterdir()
    assert json.loads((replaced / "fails/3-t1-r1-native/result.json").read_text())["status"] == 3
    status = bench.do("status", "suite.batch")
    assert status.returncode == 0 and status.stdout.startswith("11 runs, all well\n")
    (row,) = bench.query(
        "select count(*) as n from runs where outcome = 'ok' and program = 'fails'"
    )
    assert row == {"n": 2}
