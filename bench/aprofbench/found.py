"""bench/found: aprof-report's findings in programs with one algorithmic fault each, and in healthy
ones."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aprofbench import suite_runs
from aprofbench.programs import chosen, output_of, sources
from aprofplot.commands.loading import load_profiles
from aprofplot.findings.finding import Finding
from aprofplot.findings.ranking import find_all
from aprofplot.names import called_name
from aprofplot.reports.aligned import aligned

_COMPILERS = {".c": "gcc", ".cpp": "g++", ".f90": "gfortran", ".rs": "rustc"}
_FIRST = 3  # findings among which a fault is to be
_NEAR = 40  # lines of a loop, at most, that is named by its line
_SIZES = re.compile(r"= \d+; (\w+) <= (\d+); \1 \+= \d+\)")
_SENTENCE = 90
_DESCRIPTION = """\
Compiles each program of bench/programs/culprits, with and without its fault, and of bench/programs/healthy, runs it
once under aprof-trms with its defaults, and prints the rank of the fault among the findings, the number of findings
and the first one. The fault is on the line marked CULPRIT, or in one of the functions in the program's second line.
Repaired and healthy programs should have no findings."""
_EPILOG = """\
examples:
  bench/found
  bench/found --flags='-O3 -g' --cxx=clang++ --cc=clang list_index leader_board
  bench/found --one-size

exit status: 0 each fault is among the first three findings, and nothing is found in repaired and healthy programs;
1 not so; 2 bad command line, or a program cannot be compiled or run"""


@dataclass(frozen=True)
class _Case:
    """A program to run: `variant` is "", "repaired" or "healthy"."""

    source: Path
    variant: str

    @property
    def flags(self) -> list[str]:
        """What the variant is compiled with."""
        if self.variant != "repaired":
            return []
        return ["--cfg", "REPAIRED"] if self.source.suffix == ".rs" else ["-DREPAIRED"]


@dataclass(frozen=True)
class _Found:
    """The findings of a case; `rank` is that of its fault, 0 if it is not among them."""

    case: _Case
    rank: int
    findings: Sequence[Finding]

    @property
    def is_right(self) -> bool:
        """Whether the fault is among the first, or nothing is found where there is none."""
        return not self.findings if self.case.variant else 1 <= self.rank <= _FIRST


def main(argv: list[str]) -> int:
    """Returns the exit status."""
    return suite_runs.command(_find_all, argv)


def _find_all(argv: list[str]) -> int:
    arguments = _parser().parse_args(argv)
    found = [_find(case, arguments) for case in _cases(arguments.names)]
    print("\n".join(_lines(found)))
    return 0 if all(each.is_right for each in found) else 1


def _cases(names: Sequence[str]) -> list[_Case]:
    """All, or those of the programs of these names."""
    culprits, healthy = sources("culprits"), sources("healthy")
    of = chosen([*culprits, *healthy], names)
    listed = [_Case(path, variant) for path in culprits for variant in ("", "repaired")]
    listed += [_Case(path, "healthy") for path in healthy]
    return [case for case in listed if case.source in of]


def _find(case: _Case, arguments: argparse.Namespace) -> _Found:
    with tempfile.TemporaryDirectory() as folder:
        profile = _profile(case, arguments, Path(folder))
        loaded = load_profiles([profile], per_thread=False)
    findings = find_all(loaded, loaded.event_names[0])
    return _Found(case, _rank_of_fault(case.source, findings), findings)


def _profile(case: _Case, arguments: argparse.Namespace, folder: Path) -> str:
    source = case.source
    if arguments.one_size:
        source = folder / case.source.name
        source.write_text(_SIZES.sub(r"= \2; \1 <= \2; \1++)", case.source.read_text()))
    compiler = {".c": arguments.cc, ".cpp": arguments.cxx}.get(
        source.suffix, _COMPILERS[source.suffix]
    )
    command = [compiler, *_compiler_flags(source.suffix, arguments.flags.split()), *case.flags]
    libraries = [] if source.suffix == ".rs" else ["-lm", "-lpthread"]
    # gfortran writes modules where it is.
    output_of([*command, source, "-o", folder / "app", *libraries], folder=folder)
    profile = folder / "profile"
    tool = ["-q", "--tool=aprof-trms", f"--aprof-out-file={profile}"]
    output_of([suite_runs.BUILT / "vg-in-place", *tool, folder / "app"], folder=folder)
    return str(profile)


def _compiler_flags(suffix: str, flags: Sequence[str]) -> list[str]:
    """Of C's, what the compiler of a language is given."""
    if suffix == ".rs":
        level = next((flag[2:] for flag in flags if flag.startswith("-O")), "0")
        return ["-g", "-C", f"opt-level={level}"]
    return [*flags, *{".cpp": ["-std=c++17"], ".f90": ["-cpp"]}.get(suffix, [])]


def _rank_of_fault(source: Path, findings: Sequence[Finding]) -> int:
    """By its functions, or by a loop that has the marked line; 0 if it is not among the findings."""
    text = source.read_text()
    said = re.search(r"culprit: (.*)", text)
    functions = set(re.split(r",\s*", said[1])) if said else set()
    marked = [number for number, line in enumerate(text.splitlines(), 1) if "CULPRIT" in line]
    for rank, finding in enumerate(findings, 1):
        at = finding.at
        # gfortran's functions of modules are __MODULE_MOD_FUNCTION.
        if called_name(at.function).split("_MOD_")[-1] in functions:
            return rank
        if Path(at.file).name == source.name and at.last_line - at.line < _NEAR:
            if any(at.line <= line <= at.last_line for line in marked):
                return rank
    return 0


def _lines(found: Sequence[_Found]) -> Iterator[str]:
    """A row for each, and what is right of all."""
    rows = [
        [
            each.case.source.name,
            each.case.variant,
            str(each.rank) if not each.case.variant else "",
            str(len(each.findings)),
            "" if each.is_right else "WRONG",
            each.findings[0].lines[0][:_SENTENCE] if each.findings else "",
        ]
        for each in found
    ]
    heads = ["program", "variant", "rank", "findings", "", "first"]
    yield from aligned(heads, rows, words=(0, 1, 4, 5))
    for variant, what in (("", "faults first"), ("repaired", "repaired"), ("healthy", "healthy")):
        of = [each for each in found if each.case.variant == variant]
        right = sum(each.rank == 1 if not variant else not each.findings for each in of)
        among = (
            f", {sum(each.is_right for each in of)} among the first {_FIRST}"
            if not variant
            else " without finding"
        )
        if of:
            yield f"{what}: {right} of {len(of)}{among}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench/found",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names", nargs="*", metavar="PROGRAM", help="without folder and ending; default: all"
    )
    parser.add_argument("--flags", default="-O2 -g", help="of the compilers (default: %(default)s)")
    parser.add_argument("--cc", default="gcc", help="of C (default: %(default)s)")
    parser.add_argument("--cxx", default="g++", help="of C++ (default: %(default)s)")
    parser.add_argument(
        "--one-size", action="store_true", help="run loops over sizes for the largest only"
    )
    return parser
