"""Runs programs natively and under the freshly built aprof-trms, and reads what it measured."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("APROF_BUILDDIR", TESTS.parent / "build"))
VG_IN_PLACE = os.environ.get("VG_IN_PLACE", str(BUILD / "vg-in-place"))
COMPILERS = {".c": "gcc", ".cpp": "g++", ".f90": "gfortran"}

Command = Sequence[str | Path]


def run(command: Command, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Runs to the end; standard input is empty."""
    return subprocess.run(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=600,
        **options,
    )


@dataclass(frozen=True)
class Profiled:
    """A program's run under the tool. `paths`: its profiles, one per process."""

    process: subprocess.CompletedProcess[bytes]
    paths: list[Path]

    def report(self, *options: str) -> dict[str, Any]:
        """What `aprof-report --format=json` says."""
        command = [BUILD / "plot" / "aprof-report", "--format=json", *options, *self.paths]
        result = run(command)
        assert result.returncode == 0, result.stderr.decode()
        report: dict[str, Any] = json.loads(result.stdout)
        return report

    def routine(self, name: str) -> dict[str, Any]:
        """The one routine of that name."""
        found = [r for r in self.report()["routines"] if r["name"] == name]
        assert len(found) == 1, f"{len(found)} routines are called {name}"
        return dict(found[0])

    def lines(self, keyword: str) -> list[list[str]]:
        """The fields of the records with that keyword, of all profiles."""
        return [
            line.split(" ")[1:]
            for path in self.paths
            for line in path.read_text().splitlines()
            if line.split(" ")[0] == keyword
        ]


def sizes(routine: dict[str, Any], metric: str) -> list[int]:
    """The distinct input sizes of a routine, ascending."""
    return [point["size"] for point in routine["points"][metric]]


@pytest.fixture(scope="session")
def compile(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """compile(source, *flags or further sources): path of the program made from tests/programs/source."""
    made: dict[tuple[str, ...], Path] = {}

    def compile_once(source: str, *more: str | Path) -> Path:
        flags = [str(flag) for flag in more]
        key = (source, *flags)
        if key not in made:
            program = tmp_path_factory.mktemp("programs") / Path(source).stem
            compiler = COMPILERS[Path(source).suffix]
            options = flags if any(f.startswith("-O") for f in flags) else ["-O2", *flags]
            command = [compiler, "-g", *options, TESTS / "programs" / source, "-o", program]
            result = run([*command, "-lpthread"])
            assert result.returncode == 0, result.stderr.decode()
            made[key] = program
        return made[key]

    return compile_once


@pytest.fixture
def profile(tmp_path: Path) -> Callable[..., Profiled]:
    """profile(command, *tool options, sanity=True, **for the process): runs under aprof-trms."""
    runs = 0

    def profile_once(command: Command, *options: str, **process: Any) -> Profiled:
        nonlocal runs
        runs += 1
        pattern = tmp_path / f"aprof.{runs}.%p"
        tool = [VG_IN_PLACE, "-q", "--tool=aprof-trms", "--sanity=yes", "--fair-sched=try"]
        result = run([*tool, f"--aprof-out-file={pattern}", *options, *command], **process)
        return Profiled(result, sorted(tmp_path.glob(f"aprof.{runs}.*")))

    return profile_once
