"""bench/compare: slowdown and memory of programs under Valgrind's tools and ours."""

from __future__ import annotations

import argparse
from pathlib import Path

from aprofbench import suite_runs
from aprofbench.document import put
from aprofbench.overhead_table import Table, make_table
from aprofbench.table_csv import write_table
from aprofbench.table_text import table_lines, thread_lines

_DESCRIPTION = """\
Runs a suite natively and under Valgrind's tools and ours, in turn, and prints Table 1 of the paper: CPU
time (user and system of all of a program's processes) and peak resident memory as multiples of native
runs, geometric means, and these as multiples of none's and memcheck's. With several numbers of threads
it prints Figure 14: the means by number of threads, as multiples of none's.

The least CPU time and the greatest peak of the repetitions count. A failed run is a `-` and a line with
the reason. Runs under the same build of the tool are not repeated: after Ctrl-C, the same command
continues. To run everything again, name another folder."""
_EPILOG = """\
suites: programs (Debian's, kernels, extremes), cilk (for cilkshadow), or a file as of aprof-batch
FOLDER has table.txt, the same unrounded in table.csv, the picture in table.png, and a line for each
run in measures.csv

examples:
  bench/compare
  bench/compare --inputs small --repetitions 1 --tools native,none,aprof-trms --programs gzip,stencil
  bench/compare --inputs small --threads 1,2,4,8,16 -o threads.batch
  bench/compare cilk
  bench/compare --no-runs --document docs/performance.md --figure docs/images/slowdown.png

exit status: 0 all runs went well, 1 some failed or were not run, 2 bad suite or command line"""


def main(argv: list[str]) -> int:
    """Returns the exit status."""
    return suite_runs.command(_compare, argv)


def _compare(argv: list[str]) -> int:
    arguments = _parser().parse_args(argv)
    suite = suite_runs.load(arguments.suite)
    batch, measures = suite_runs.measure_suite(suite, arguments)
    table = make_table(measures)
    threads = arguments.threads if len(arguments.threads) > 1 else []
    lines = list(thread_lines(table, threads) if threads else table_lines(table))
    print("\n".join(lines))
    (batch.folder / "table.txt").write_text("\n".join(lines) + "\n")
    with open(batch.folder / "table.csv", "w") as file:
        write_table(table, threads, file)
    for picture in filter(None, (batch.folder / "table.png", arguments.figure)):
        _draw(table, threads, Path(picture))
    if arguments.document:
        name = f"bench/compare {suite.name}" + (" by threads" if threads else "")
        put(Path(arguments.document), name, lines)
    return 1 if any(measure.failure for measure in measures) else 0


def _draw(table: Table, threads: list[int], path: Path) -> None:
    from aprofbench.table_figures import draw_table, draw_threads

    if threads:
        draw_threads(table, threads, path)
    else:
        draw_table(table, path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench/compare",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("suite", nargs="?", default="programs", metavar="SUITE", help="[programs]")
    suite_runs.add_selection(parser)
    parser.add_argument("--figure", metavar="FILE", help="also write the picture to FILE")
    parser.add_argument("--document", metavar="PAGE", help="also put the table into a page of docs")
    return parser
