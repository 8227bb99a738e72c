"""Budgets as tests of pytest: profiles the program once, then each limit is a test of its own."""

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
LINES = (HERE / "distinct.budget").read_text().splitlines()


@pytest.fixture(scope="session")
def profile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("distinct")
    program, path = folder / "distinct", folder / "distinct.aprof"
    flags = ["-O2", "-g", *os.environ.get("CFLAGS", "").split()]
    subprocess.run(["gcc", *flags, HERE / "distinct.c", "-o", program, "-lpthread"], check=True)
    tool = ["valgrind", "--tool=aprof-trms", "--fair-sched=try", f"--aprof-out-file={path}"]
    subprocess.run([*tool, program], check=True)
    return path


@pytest.mark.parametrize("line", [line for line in LINES if line and not line.startswith("#")])
def test_budget(line, profile, tmp_path):
    budget = tmp_path / "budget"
    budget.write_text(line + "\n")
    command = ["aprof-check", "--budget", budget, profile]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
