"""Programs of bench/programs, compiled, run, and reported on: the common part of bench/bottlenecks,
bench/found and bench/speedup."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aprofbench.suite_runs import BENCH, BUILT
from aprofplot.batch.suite import SuiteError

PROGRAMS = BENCH / "programs"
_SUFFIXES = (".c", ".cpp", ".f90", ".rs")
_NOTHING_MORE: Mapping[str, str] = {}


def sources(folder: str) -> list[Path]:
    """Those in a folder of PROGRAMS, by name."""
    return sorted(path for path in (PROGRAMS / folder).iterdir() if path.suffix in _SUFFIXES)


def chosen(known: Sequence[Path], names: Sequence[str]) -> list[Path]:
    """Those of these names, without ending; all if there are none. SuiteError if one is not known."""
    stems = [path.stem for path in known]
    for name in names:
        if name not in stems:
            raise SuiteError(f"no program is called {name}", f"choose of {', '.join(stems)}")
    return [path for path in known if not names or path.stem in names]


def compile_program(
    source: Path, program: Path, flags: Sequence[str], cc: str = "gcc", cxx: str = "g++"
) -> None:
    """With threads. SuiteError if it cannot be."""
    compiler = [cxx, "-std=c++20"] if source.suffix == ".cpp" else [cc]
    libraries = ["-lm", *(["-ltbb"] if "<tbb/" in source.read_text() else [])]
    output_of([*compiler, *flags, "-fopenmp", "-pthread", source, "-o", program, *libraries])


def report_on(
    command: Sequence[str | Path],
    profile: Path,
    tool_options: Sequence[str],
    report_options: Sequence[str],
    **environment: str,
) -> dict[str, Any]:
    """The report on a run of the command under cilkshadow, which writes `profile`. SuiteError if one fails."""
    tool = ["--tool=cilkshadow", "--fair-sched=try", f"--cilkshadow-out-file={profile}"]
    output_of([BUILT / "vg-in-place", "-q", *tool, *tool_options, *command], environment)
    report = BUILT / "plot" / "cilkshadow-report"
    found: dict[str, Any] = json.loads(
        output_of([report, *report_options, "--format=json", profile])
    )
    return found


def output_of(
    command: Sequence[str | Path],
    environment: Mapping[str, str] = _NOTHING_MORE,
    folder: Path | None = None,
) -> bytes:
    """What it prints, with that beside the rest of its environment, run in that folder. SuiteError if it cannot
    be run, or fails."""
    variables = {**os.environ, **environment}
    try:
        done = subprocess.run(command, capture_output=True, cwd=folder, env=variables)
    except OSError as error:
        what = f"{command[0]} cannot be run: {error.strerror}"
        raise SuiteError(what, "install it, or build it") from error
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip()
        raise SuiteError(f"{command[0]} failed with {done.returncode}", message)
    return done.stdout
