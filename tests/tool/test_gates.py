"""aprof-diff and aprof-check on real runs: a planted quadratic look-up is caught, by the examples
in docs/examples/budget, too; a harmless change is not, nor any of ten repeated runs."""

from __future__ import annotations

import os
import shutil
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from running import BUILD, TESTS, VG_IN_PLACE, report_command, run

EXAMPLES = TESTS.parent / "docs" / "examples" / "budget"
BUDGET = EXAMPLES / "distinct.budget"
RUNS = 10
# Verdicts on what is tight, and on what cannot be told: they must not depend on the run either.
MORE = """
count_distinct <= n
count_distinct <= sqrt n
count_distinct max <= n log n
count_distinct rms <= n log n
count_distinct cost at size 1500 <= 22500
work <= n
checksum cost at size 1000 <= 1003
"""


@pytest.fixture(scope="module")
def profiles(compile, module_profile):
    """By build: "" is good. The object is called `distinct` in all, in folders of their own."""
    found = {}
    for build in ("", "-DBUG", "-DHARMLESS"):
        taken = module_profile([compile(str(EXAMPLES / "distinct.c"), build or "-DGOOD")])
        assert taken.process.returncode == 0, taken.process.stderr
        (found[build],) = taken.paths
    return found


def test_the_planted_bug_is_found(profiles):
    done = report_command("aprof-diff", profiles[""], profiles["-DBUG"])
    assert done.returncode == 1, done.stdout.decode()
    # With the loop that it is in.
    worse = (
        done.stdout.decode()
        .partition("Growth got worse (1 routine and 1 loop)\n")[2]
        .splitlines()[1]
    )
    assert worse.split()[:3] in (["n", "->", "n^2"], ["n", "log", "n"])
    assert "count_distinct  distinct:distinct.c:" in worse
    done = report_command("aprof-check", "--budget", BUDGET, profiles["-DBUG"])
    assert done.returncode == 1, done.stdout.decode()
    violated = [line for line in done.stdout.decode().splitlines() if "VIOLATED" in line]
    assert [line.split(": ")[2] for line in violated] == [
        "count_distinct <= n log n",
        "count_distinct cost at size 1000 <= 20000",
    ]


def test_the_harmless_change_is_not(profiles):
    for options in ([], ["--min-share=0.1"]):
        done = report_command("aprof-diff", *options, profiles[""], profiles["-DHARMLESS"])
        assert done.returncode == 0, done.stdout.decode()
    done = report_command("aprof-check", "--budget", BUDGET, profiles["-DHARMLESS"])
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        b"4 ok",
    ), done.stdout.decode()


def test_ten_runs_agree(compile, profile, tmp_path):
    """Which thread takes which batch differs from run to run."""
    program = compile(str(EXAMPLES / "distinct.c"), "-DGOOD")
    taken = [profile([program]).paths[0] for _ in range(RUNS)]
    budget = tmp_path / "budget"
    budget.write_text(BUDGET.read_text() + MORE)
    verdicts = set()
    for one in taken:
        lines = report_command("aprof-check", "--budget", budget, one).stdout.decode().splitlines()
        verdicts.add(tuple(line.split(": ")[1] for line in lines[:-1]))
    expected = ["ok"] * 4 + ["ok", "VIOLATED", "ok", "ok", "ok", "cannot tell", "ok"]
    assert verdicts == {tuple(expected)}
    updated = tmp_path / "updated"
    assert report_command("aprof-check", "--budget", updated, "--update", taken[0]).returncode == 0
    for one in taken:
        done = report_command("aprof-check", "--budget", updated, one)
        assert done.returncode == 0, done.stdout.decode()
        done = report_command("aprof-diff", taken[0], one)
        assert done.returncode == 0, done.stdout.decode()


@pytest.fixture
def surroundings(tmp_path):
    """A copy of the examples, and an environment where `valgrind` and the commands are ours."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "valgrind").symlink_to(VG_IN_PLACE)
    for name in ("aprof-check", "aprof-diff"):
        (tools / name).symlink_to(BUILD / "plot" / name)
    folder = tmp_path / "project"
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder, {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}


BUILDS = pytest.mark.parametrize("bug", [False, True], ids=["good", "bug"])


@BUILDS
def test_ctest_example(bug, surroundings):
    folder, variables = surroundings
    for step in (
        ["cmake", "-B", "build", "-DCMAKE_C_FLAGS=" + "-DBUG" * bug],
        ["cmake", "--build", "build"],
    ):
        done = run(step, cwd=folder, env=variables)
        assert done.returncode == 0, done.stderr.decode()
    done = run(["ctest", "--test-dir", "build", "-V"], cwd=folder, env=variables)
    assert (done.returncode != 0) == bug, done.stdout.decode()
    assert (b"VIOLATED: count_distinct <= n log n" in done.stdout) == bug


@BUILDS
def test_pytest_example(bug, surroundings):
    folder, variables = surroundings
    variables = {**variables, "CFLAGS": "-DBUG" * bug}
    tests = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-q",
        "--rootdir=.",
    ]
    done = run([*tests, "."], cwd=folder, env=variables)
    summary = done.stdout.decode().splitlines()[-1]
    assert summary.startswith("2 failed, 2 passed" if bug else "4 passed"), done.stdout.decode()


@BUILDS
def test_ci_example(bug, surroundings, profiles):
    """Its script, as the CI's shell runs it: until a command fails."""
    folder, variables = surroundings
    lines = (folder / "gitlab-ci.yml").read_text().split("  script:\n")[1].splitlines()
    script = [line.removeprefix("    - ") for line in lines if line.startswith("    - ")]
    assert len(script) == 4
    shutil.copy(profiles[""], folder / "main.aprof")
    variables = {**variables, "CFLAGS": "-DBUG" * bug}
    done = run(["sh", "-ec", "\n".join(script)], cwd=folder, env=variables)
    assert done.returncode == int(bug), done.stdout.decode() + done.stderr.decode()
    suite = ElementTree.parse(folder / "budget.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2" if bug else "0")
    if bug:  # what the budget's failure kept from running
        done = run(["sh", "-ec", script[3]], cwd=folder, env=variables)
        assert done.returncode == 1
