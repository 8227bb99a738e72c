"""bench/speedup: the speedup on two processors, predicted by cilkshadow-report and measured."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aprofbench import suite_runs
from aprofbench.programs import compile_program, output_of, report_on, sources
from aprofplot.batch.suite import SuiteError
from aprofplot.reports.aligned import aligned

_PROFILED = 10  # the size for cilkshadow: the shape of the dag is the same
_CLOSE = 0.15
# Threads that wait in a loop would take the only processor.
_ENVIRONMENT = {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}
_DESCRIPTION = """\
Runs compute-bound programs with two threads (some with four) natively on one and on two processors, in turn, and
takes the least time on each. Predicts the same speedup from one run under cilkshadow, with a greedy scheduler. Prints
a row for each program, and how many are within 15 %. On a busy machine the runs on two processors are slower; use
--realtime there."""
_EPILOG = """\
exit status: 0 all were run, 2 bad command line, or a program cannot be compiled or run"""


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
        programs = [_compiled(source, Path(folder)) for source in sources("speedup")]
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
    program = folder / source.stem
    compile_program(source, program, ["-O2", "-g"])
    return program


def _predicted(program: Path) -> float:
    profile = program.with_suffix(".out")
    options = ["--processors=2"]
    report = report_on([program, str(_PROFILED)], profile, [], options, **_ENVIRONMENT)
    try:
        return float(report["processors"][0]["speedup"])
    except (KeyError, IndexError) as error:
        todo = f"see what vg-in-place --tool=cilkshadow says of a run of {program.name}"
        raise SuiteError(f"{program.name}: its profile has no dag", todo) from error


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
    output_of(command, _ENVIRONMENT)
    return time.perf_counter() - begin


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench/speedup",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--repetitions", type=suite_runs.positive, default=15, metavar="N", help="[15]"
    )
    parser.add_argument(
        "--size", type=suite_runs.positive, default=1000, metavar="N", help="of native runs [1000]"
    )
    parser.add_argument(
        "--realtime",
        action="store_true",
        help="run at real-time priority, as root",
    )
    return parser
