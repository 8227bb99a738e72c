"""bench/speedup: what cilkshadow-report predicts for two processors, beside what two processors do."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aprofbench import suite_runs
from aprofplot.batch.suite import SuiteError
from aprofplot.reports.aligned import aligned

_PROGRAMS = suite_runs.BENCH / "programs" / "speedup"
_PROFILED = 10  # the size for cilkshadow: the shape of the dag is the same
_CLOSE = 0.15
_DESCRIPTION = """\
Runs compute-bound programs of two threads (some of four) natively on one and on two processors, in turn, and takes the
least of the times on each. Predicts the same speedup from one run under cilkshadow, by a greedy scheduler. Prints a
row for each program, and how many are within 15 %. A machine that is not quiet makes the run on two slower, but for
--realtime."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A program's speedup on two processors."""

    program: str
    predicted: float
    measured: float

    @property
    def error(self) -> float:
        """Of what is predicted, as a share of what is measured."""
        return self.predicted / self.measured - 1

    @property
    def is_close(self) -> bool:
        """Whether it is within 15 %."""
        return abs(self.error) <= _CLOSE


def main(argv: list[str]) -> int:
    """Returns the exit status."""
    return suite_runs.command(_speedup, argv)


def _speedup(argv: list[str]) -> int:
    arguments = _parser().parse_args(argv)
    processors = sorted(os.sched_getaffinity(0))[:2]
    if len(processors) < 2:
        raise SuiteError("there is one processor", "run it where there are two")
    with tempfile.TemporaryDirectory() as folder:
        programs = [
            _compiled(source, Path(folder))
            for source in sorted(_PROGRAMS.iterdir())
            if source.suffix in (".c", ".cpp")
        ]
        predicted = {program: _predicted(program) for program in programs}
        measured = _measured(programs, processors, arguments)
    found = [Comparison(p.name, predicted[p], measured[p]) for p in programs]
    print("\n".join(lines(found)))
    return 0


def lines(found: Sequence[Comparison]) -> list[str]:
    """A row for each, and how many are close."""
    rows = [
        [of.program, f"{of.predicted:.2f}", f"{of.measured:.2f}", f"{100 * of.error:+.0f} %"]
        for of in found
    ]
    close = sum(of.is_close for of in found)
    return [
        *aligned(["", "predicted", "measured", "error"], rows, words=(0,)),
        f"{close} of {len(found)} are within {_CLOSE:.0%}",
    ]


def _compiled(source: Path, folder: Path) -> Path:
    compiler = ["g++", "-std=c++20"] if source.suffix == ".cpp" else ["gcc"]
    libraries = ["-ltbb"] if "<tbb/" in source.read_text() else []
    program = folder / source.stem
    flags = ["-O2", "-g", "-fopenmp", "-pthread"]
    _run([*compiler, *flags, source, "-o", program, *libraries])
    return program


def _predicted(program: Path) -> float:
    profile = program.with_suffix(".out")
    tool = ["--tool=cilkshadow", "--fair-sched=try", f"--cilkshadow-out-file={profile}"]
    _run([suite_runs.BUILT / "vg-in-place", "-q", *tool, program, str(_PROFILED)])
    report = suite_runs.BUILT / "plot" / "cilkshadow-report"
    text = _run([report, "--processors=2", "--format=json", profile])
    return float(json.loads(text)["processors"][0]["speedup"])


def _measured(
    programs: Sequence[Path], processors: Sequence[int], arguments: argparse.Namespace
) -> Mapping[Path, float]:
    """Times on one and on two in turn, so that what else runs there is no matter of when."""
    least: dict[tuple[Path, int], float] = {}
    before = ["chrt", "--rr", "1"] if arguments.realtime else []
    for _ in range(arguments.repetitions):
        for program in programs:
            for count in (1, 2):
                cores = ",".join(map(str, processors[:count]))
                on = [*before, "taskset", "--cpu-list", cores]
                taken = _time([*on, program, str(arguments.size)])
                least[program, count] = min(taken, least.get((program, count), taken))
    return {program: least[program, 1] / least[program, 2] for program in programs}


def _time(command: Sequence[str | Path]) -> float:
    begin = time.perf_counter()
    _run(command)
    return time.perf_counter() - begin


def _run(command: Sequence[str | Path]) -> bytes:
    # Threads that wait in a loop would take the only processor.
    environment = dict(os.environ, OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive")
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip()
        raise SuiteError(f"{command[0]} failed with {done.returncode}", message)
    return done.stdout


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench/speedup", description=_DESCRIPTION)
    parser.add_argument(
        "--repetitions", type=suite_runs.positive, default=15, metavar="N", help="[15]"
    )
    parser.add_argument(
        "--size", type=suite_runs.positive, default=1000, metavar="N", help="of native runs [1000]"
    )
    parser.add_argument(
        "--realtime",
        action="store_true",
        help="run before all else that wants the processors, as root",
    )
    return parser
