"""A table as text: slowdown, space, the slowest, what uses more memory than memcheck, failures."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from aprofbench.overhead_table import QUANTITIES, Quantity, Table, base_by_threads, over_threads
from aprofplot.names import counted
from aprofplot.reports.aligned import aligned

OURS = ("aprof-trms", "cilkshadow")
NOTHING = "-"
_WIDTH = 100
_TITLES = {"cpu": "Slowdown: CPU time", "memory": "Space: peak resident memory"}
_UNITS = {"cpu": "s", "memory": "MB"}


def table_lines(table: Table) -> Iterator[str]:
    """Table 1 of the paper, time and space one below the other."""
    for quantity in QUANTITIES:
        yield f"{_TITLES[quantity]}, as a multiple of {table.base}"
        yield ""
        yield from _block(table, quantity)
        yield ""
    yield from _slowest(table)
    yield from _larger(table)
    yield _repetitions(table)
    yield from failure_lines(table)


def _repetitions(table: Table) -> str:
    inputs = ", ".join(dict.fromkeys(row.input for row in table.rows))
    runs = {cell.runs - len(cell.failures) for row in table.rows for cell in row.cells.values()}
    least, most = min(runs, default=0), max(runs, default=0)
    of = counted(most, "run") if least == most else f"{least} to {counted(most, 'run')}"
    return f"Inputs: {inputs}. CPU time is the least, memory the most, of {of}"


def failure_lines(table: Table) -> Iterator[str]:
    """What failed, and why; nothing if all went well."""
    failures = table.failures()
    if failures:
        yield "Failed:"
        yield from (f"  {line}" for line in failures)


def _block(table: Table, quantity: Quantity) -> Iterator[str]:
    heads = ["", f"{table.base} {_UNITS[quantity]}", *table.tools]
    rows = [
        [
            row.program,
            _number(row.cells[table.base].of(quantity)) if table.base in row.cells else NOTHING,
            *(_ratio(row.ratio(quantity, tool, table.base)) for tool in table.tools),
        ]
        for row in table.rows
    ]
    rows.append(_means(table, quantity, table.base, "geometric mean"))
    for reference in table.references():
        rows.append(_means(table, quantity, reference, f"as a multiple of {reference}"))
    yield from aligned(heads, rows, words=(0,))


def _means(table: Table, quantity: Quantity, base: str, title: str) -> list[str]:
    return [title, "", *(_ratio(table.mean(quantity, tool, base)) for tool in table.tools)]


def _slowest(table: Table) -> Iterator[str]:
    for tool in OURS:
        slower = table.above("cpu", tool, "none")
        if slower:
            name, ratio = slower[0]
            yield f"Slowest under {tool}, as a multiple of none: {name} {_ratio(ratio)}"


def _larger(table: Table) -> Iterator[str]:
    for tool in OURS:
        if tool not in table.tools or "memcheck" not in table.tools:
            continue
        programs = table.above("memory", tool, "memcheck")
        listed = ", ".join(f"{name} {ratio:.2f}" for name, ratio in programs) or "none"
        yield from _wrapped(f"More memory under {tool} than under memcheck: {listed}")


def thread_lines(table: Table, threads: Sequence[int]) -> Iterator[str]:
    """Figure 14 of the paper as numbers: means of the programs that were run with all of `threads`,
    as a multiple of `none`."""
    base = base_by_threads(table)
    everywhere = over_threads(table, threads)
    programs = ", ".join(dict.fromkeys(row.program for row in everywhere.rows))
    for quantity in QUANTITIES:
        yield f"{_TITLES[quantity]} by number of threads, as a multiple of {base}"
        yield ""
        tools = [tool for tool in table.tools if tool != base]
        rows = [
            [
                tool,
                *(_ratio(everywhere.with_threads(n).mean(quantity, tool, base)) for n in threads),
            ]
            for tool in tools
        ]
        yield from aligned(["", *map(str, threads)], rows, words=(0,))
        yield ""
    yield from _wrapped(f"Geometric means of {programs}")
    yield _repetitions(everywhere)
    yield from failure_lines(everywhere)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent="  ")


def _number(value: float | None) -> str:
    if value is None:
        return NOTHING
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def _ratio(value: float | None) -> str:
    if value is None:
        return NOTHING
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"
