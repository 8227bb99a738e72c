"""A table as CSV, unrounded: a line for each number of table_text."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import TextIO

from aprofbench.overhead_table import QUANTITIES, Quantity, Table, base_by_threads, over_threads

Line = Sequence[str | int | float | None]


def write_table(table: Table, threads: Sequence[int], file: TextIO) -> None:
    """Table 1, or with several numbers of threads Figure 14. Of `base` the column has seconds or MB
    (cpu, memory), of the other tools ratios to it; empty: a run failed, or there was none."""
    lines = _by_threads(table, threads) if threads else _by_program(table)
    csv.writer(file, lineterminator="\n").writerows(lines)


def _by_program(table: Table) -> Iterator[Line]:
    yield ["quantity", "program", "input", "threads", table.base, *table.tools]
    for quantity in QUANTITIES:
        for row in table.rows:
            value = row.cells[table.base].of(quantity) if table.base in row.cells else None
            ratios = [row.ratio(quantity, tool, table.base) for tool in table.tools]
            yield [quantity, row.program, row.input, row.threads, value, *ratios]
        yield _means(table, quantity, table.base, "geometric mean")
        for reference in table.references():
            yield _means(table, quantity, reference, f"as a multiple of {reference}")


def _means(table: Table, quantity: Quantity, base: str, title: str) -> Line:
    means = [table.mean(quantity, tool, base) for tool in table.tools]
    return [quantity, title, None, None, None, *means]


def _by_threads(table: Table, threads: Sequence[int]) -> Iterator[Line]:
    base = base_by_threads(table)
    everywhere = over_threads(table, threads)
    yield ["quantity", "tool", *threads]
    for quantity in QUANTITIES:
        for tool in table.tools:
            if tool != base:
                means = [everywhere.with_threads(n).mean(quantity, tool, base) for n in threads]
                yield [quantity, tool, *means]
