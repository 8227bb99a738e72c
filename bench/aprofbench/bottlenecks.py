"""bench/bottlenecks: tests cilkshadow-report's first finding on programs with a known bottleneck,
bench/programs/bottlenecks."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from aprofbench import suite_runs
from aprofbench.programs import chosen, compile_program, report_on, sources
from aprofplot.batch.suite import SuiteError

_THREADS = 4
_HEALTHY = "// HEALTHY: "
_HEADER = re.compile(r"// KIND ([\w |]+), NAMES ([\w|:]+): (.*)")
_EXTENT = 2  # lines between a marked one and a place that is still the same statement
_DESCRIPTION = """\
Compiles each program, runs it under cilkshadow on 4 threads, and compares the first finding with the comments
in its source: KIND is part of the finding's kind; NAMES is the function or lock to be named; a finding on the
line marked CULPRIT is right, too. Compiled with -DFIXED, the program must not have the finding. A HEALTHY one
must have no finding. Prints a row for each program, and how many are right."""
_EPILOG = """\
examples:
  bench/bottlenecks
  bench/bottlenecks --flags='-O3 -g' lock_cache serial_copy
  bench/bottlenecks --cc=clang --cxx=clang++

exit status: 0 all are right, 1 some are not, 2 bad command line, or a program that cannot be run"""


@dataclass(frozen=True)
class Bottleneck:
    """A program, and what is its bottleneck: a kind, and the names of functions or a lock; if it is healthy, none."""

    source: Path

    @cached_property
    def _header(self) -> tuple[str, ...]:
        first = self.source.read_text().partition("\n")[0]
        found = _HEADER.fullmatch(first)
        if found is None:
            raise SuiteError(f"{self.source}: line 1 says no KIND and NAMES", "add them")
        return found.groups()

    @property
    def is_healthy(self) -> bool:
        """Whether it has none."""
        return self.source.read_text().startswith(_HEALTHY)

    @property
    def kinds(self) -> list[str]:
        """Parts of kinds, any of which is right."""
        return self._header[0].split("|")

    def is_named_by(self, finding: dict[str, Any]) -> bool:
        """By its function, lock or place."""
        names = [re.split(r"::|[<(]", finding[key] or "") for key in ("function", "lock")]
        if {word for of in names for word in of} & set(re.split(r"::|\|", self._header[1])):
            return True
        lines = self.source.read_text().splitlines()
        marked = [number for number, line in enumerate(lines, 1) if "CULPRIT" in line]
        at = finding["line"] or -_EXTENT
        is_here = (finding["file"] or "").endswith(self.source.name)
        return is_here and any(abs(at - line) <= _EXTENT for line in marked)

    def is_found_by(self, finding: dict[str, Any]) -> bool:
        """In kind and place."""
        return any(kind in finding["kind"] for kind in self.kinds) and self.is_named_by(finding)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the reports say: `first` of the program as it is, `is_gone` of the repaired one, if there is one."""

    name: str
    first: str
    is_right: bool
    is_gone: bool | None

    def __str__(self) -> str:
        right = "right" if self.is_right else "WRONG"
        gone = {True: "gone", False: "STAYS", None: ""}[self.is_gone]
        return f"{self.name:20} {right} {gone:5} {self.first}"


def main(argv: list[str]) -> int:
    """Returns the exit status."""
    return suite_runs.command(_bottlenecks, argv)


def _bottlenecks(argv: list[str]) -> int:
    arguments = _parser().parse_args(argv)
    judged = []
    for source in chosen(sources("bottlenecks"), arguments.programs):
        with tempfile.TemporaryDirectory() as folder:
            judged.append(_judge(Bottleneck(source), Path(folder), arguments))
        print(judged[-1], flush=True)
    right = sum(of.is_right for of in judged)
    gone = [of.is_gone for of in judged if of.is_gone is not None]
    print(f"right: {right} of {len(judged)}; gone after the repair: {sum(gone)} of {len(gone)}")
    return 0 if right == len(judged) and all(gone) else 1


def _judge(bottleneck: Bottleneck, folder: Path, arguments: argparse.Namespace) -> Verdict:
    broken = _findings(bottleneck.source, [], folder, arguments)
    first = _told(broken[0]) if broken else "no finding"
    if bottleneck.is_healthy:
        return Verdict(bottleneck.source.stem, first, not broken, None)
    repaired = _findings(bottleneck.source, ["-DFIXED"], folder, arguments)
    is_right = bool(broken) and bottleneck.is_found_by(broken[0])
    is_gone = not any(bottleneck.is_found_by(finding) for finding in repaired)
    if not is_gone:
        first += f"; repaired: {_told(next(filter(bottleneck.is_found_by, repaired)))}"
    return Verdict(bottleneck.source.stem, first, is_right, is_gone)


def _told(finding: dict[str, Any]) -> str:
    of = finding["lock"] or finding["function"] or "?"
    return f"{finding['kind']}: {of}, line {finding['line']}, {max(finding['gain'].values()):.2f}"


def _findings(
    source: Path, defines: Sequence[str], folder: Path, arguments: argparse.Namespace
) -> list[dict[str, Any]]:
    program, profile = folder / "program", folder / "profile"
    include = f"-I{suite_runs.BENCH.parent / 'cilkshadow' / 'include'}"
    flags = [*arguments.flags.split(), "-w", include, *defines]
    compile_program(source, program, flags, arguments.cc, arguments.cxx)
    options = arguments.options.split()
    # On as many processors as there are threads.
    report = report_on([program], profile, options, [], OMP_NUM_THREADS=str(_THREADS))
    found: list[dict[str, Any]] = report.get("findings", [])  # none without a dag
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench/bottlenecks",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="[all]")
    parser.add_argument("--flags", default="-O2 -g", help="of the compilers [-O2 -g]")
    parser.add_argument("--cc", default="gcc", help="of C [gcc]")
    parser.add_argument("--cxx", default="g++", help="of C++ [g++]")
    parser.add_argument("--options", default="", help="of cilkshadow")
    return parser
