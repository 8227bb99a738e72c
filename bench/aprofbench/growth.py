"""bench/growth: how time and memory grow with work, threads, touched memory, depth, distinct sizes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from aprofbench import suite_runs
from aprofbench.document import put
from aprofbench.exponents import Growth, growth
from aprofbench.overhead_table import Quantity, Row, Table, make_table
from aprofbench.table_text import failure_lines
from aprofplot.reports.aligned import aligned

MEASURED: tuple[Quantity, ...] = ("user", "system", "memory")
_HEADS = {"user": "user s", "system": "system s", "memory": "MB"}
_NAMES = {"user": "user time", "system": "system time", "memory": "memory"}
_WHAT = {
    "work": "thousands of calls",
    "threads": "threads alive at once, work fixed",
    "memory": "MB stored, then read 8 times",
    "depth": "depth of recursion, number of calls fixed",
    "sizes": "distinct input sizes, number of calls fixed",
}
_DESCRIPTION = """\
Runs a program in which one thing at a time grows: work, threads, touched memory, depth of calls, distinct
input sizes. Prints user and system time, each the least of the repetitions, and the peak of memory after
the program's start, for each size. A tool's cost above --tool=none, whose own costs grow, too, is
start + c * size ** e. The exponent e is printed for all sizes that stand out from the start and from noise,
and for the three largest. Runs and results are kept as by bench/compare."""
_EPILOG = """\
FOLDER has table.txt, a line for each run in measures.csv, and table.png

examples:
  bench/growth
  bench/growth --programs depth,sizes --repetitions 1
  bench/growth --no-runs --document docs/performance.md --figure docs/images/growth.png

exit status: 0 all runs went well, 1 some failed or were not run, 2 bad command line"""


def main(argv: list[str]) -> int:
    """Returns the exit status."""
    return suite_runs.command(_grow, argv)


def _grow(argv: list[str]) -> int:
    arguments = _parser().parse_args(argv)
    suite = suite_runs.load("growth")
    batch, measures = suite_runs.measure_suite(suite, arguments)
    table = make_table(measures)
    lines = list(growth_lines(table))
    print("\n".join(lines))
    (batch.folder / "table.txt").write_text("\n".join(lines) + "\n")
    for picture in filter(None, (batch.folder / "table.png", arguments.figure)):
        from aprofbench.growth_figure import draw_growth

        draw_growth(table, Path(picture))
    if arguments.document:
        put(Path(arguments.document), "bench/growth", lines)
    return 1 if any(measure.failure for measure in measures) else 0


def kinds(table: Table) -> dict[str, list[Row]]:
    """The rows of each thing that grows, by size."""
    found: dict[str, list[Row]] = {}
    for row in sorted(table.rows, key=lambda row: int(row.input)):
        found.setdefault(row.program, []).append(row)
    return {name: found[name] for name in _WHAT if name in found}


def costs(rows: list[Row], tool: str, quantity: Quantity) -> dict[int, float]:
    """By size; those that failed are not there."""
    values = ((int(row.input), row.cells[tool].of(quantity)) for row in rows if tool in row.cells)
    return {size: value for size, value in values if value is not None}


def beyond(rows: list[Row], tool: str, base: str, quantity: Quantity) -> Growth:
    """How what `tool` costs more than `base` grows."""
    of_tool, of_base = costs(rows, tool, quantity), costs(rows, base, quantity)
    more = {size: of_tool[size] - of_base[size] for size in of_tool if size in of_base}
    if quantity == "memory":
        return growth(more, of_tool.get(0, 0.0))
    return growth(more, costs(rows, tool, "cpu").get(0, 0.0), of_base)


def growth_lines(table: Table) -> Iterator[str]:
    """A table for each thing that grows, the exponents below; then what failed."""
    tools = (table.base, *table.tools)
    columns = [(tool, quantity) for quantity in MEASURED for tool in tools]
    for name, rows in kinds(table).items():
        of = {column: costs(rows, *column) for column in columns}
        cells = [
            [row.input, *(_number(of[column].get(int(row.input))) for column in columns)]
            for row in rows
        ]
        yield f"{name}: {_WHAT[name]}"
        yield ""
        heads = ["", *(f"{tool} {_HEADS[quantity]}" for tool, quantity in columns)]
        yield from aligned(heads, cells, words=(0,))
        for tool in table.tools:
            yield f"{tool} beyond {table.base}:"
            for quantity in MEASURED:
                found = beyond(rows, tool, table.base, quantity)
                yield f"  {_NAMES[quantity]} {_told(found)}"
        yield ""
    yield from failure_lines(table)


def _told(found: Growth) -> str:
    if found.exponent is None or found.end is None:
        return found.verdict()
    return f"{found.verdict()} (exponent {found.exponent:.2f}, at the end {found.end:.2f})"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench/growth",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    suite_runs.add_selection(parser)
    parser.add_argument("--figure", metavar="FILE", help="also write the picture to FILE")
    parser.add_argument(
        "--document", metavar="PAGE", help="also put the tables into a page of docs"
    )
    return parser
