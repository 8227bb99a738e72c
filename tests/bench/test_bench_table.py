"""The arithmetic of bench/compare's tables, on made-up measures."""

from __future__ import annotations

import csv
import io

import pytest
from aprofbench.measures import Measure, write_csv
from aprofbench.overhead_table import Table, geometric_mean, make_table
from aprofbench.table_csv import write_table
from aprofbench.table_text import table_lines, thread_lines


def measures(program, tool, *runs, threads=4):
    """Runs are (CPU s, MB), a tenth of the CPU time the system's, or the reason of a failure."""
    return [
        Measure(program, "normal", threads, number, tool, None, None, None, run)
        if isinstance(run, str)
        else Measure(program, "normal", threads, number, tool, run[0], run[0] / 10, run[1])
        for number, run in enumerate(runs, 1)
    ]


@pytest.fixture
def table() -> Table:
    return make_table(
        [
            *measures("gzip", "native", (1.0, 10.0)),
            *measures("gzip", "none", (4.0, 20.0)),
            *measures("gzip", "memcheck", (8.0, 40.0)),
            *measures("gzip", "aprof-trms", (6.0, 50.0)),
            *measures("xz", "native", (2.0, 100.0)),
            *measures("xz", "none", (2.0, 100.0)),
            *measures("xz", "memcheck", "timeout: over 600 s"),
            *measures("xz", "aprof-trms", (12.0, 200.0)),
        ]
    )


def rows(table):
    """The cells of each line of the text, by what it begins with; time first, then space."""
    found: dict[str, list[list[str]]] = {}
    for line in table_lines(table):
        words = line.split("  ")
        found.setdefault(words[0].strip(), []).append([w.strip() for w in words[1:] if w.strip()])
    return found


def test_geometric_mean():
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4)
    assert geometric_mean([2.0, None, 8.0]) == pytest.approx(4)
    assert geometric_mean([None]) is None
    assert geometric_mean([]) is None


def test_least_time_and_greatest_peak_count():
    table = make_table(measures("gzip", "none", (3.0, 20.0), (2.0, 21.0), (9.0, 19.0)))
    cell = table.rows[0].cells["none"]
    assert (cell.cpu, cell.memory, cell.runs, cell.failures) == (2.0, 21.0, 3, ())
    assert (cell.of("system"), cell.of("user")) == (0.2, 1.8)


def test_least_times_may_be_of_different_runs():
    runs = [
        Measure("gzip", "normal", 4, n, "none", 3.0, system, 9.0)
        for n, system in ((1, 0.5), (2, 2.0))
    ]
    runs.append(Measure("gzip", "normal", 4, 3, "none", 2.75, 1.5, 9.0))
    cell = make_table(runs).rows[0].cells["none"]
    assert [cell.of(time) for time in ("cpu", "user", "system")] == [2.75, 1.0, 0.5]


def test_slowdown_and_space_of_programs(table):
    assert table.base == "native" and table.tools == ("none", "memcheck", "aprof-trms")
    gzip, xz = table.rows
    assert gzip.ratio("cpu", "aprof-trms", "native") == 6
    assert gzip.ratio("memory", "aprof-trms", "native") == 5
    assert gzip.ratio("cpu", "aprof-trms", "memcheck") == 0.75
    assert xz.ratio("cpu", "memcheck", "native") is None
    assert xz.ratio("cpu", "helgrind", "native") is None


def test_means_are_of_programs_that_ran_under_both(table):
    assert table.mean("cpu", "aprof-trms", "native") == pytest.approx(6)
    assert table.mean("cpu", "aprof-trms", "none") == pytest.approx((1.5 * 6) ** 0.5)
    assert table.mean("cpu", "aprof-trms", "memcheck") == pytest.approx(0.75)  # gzip alone
    assert table.mean("memory", "aprof-trms", "none") == pytest.approx((2.5 * 2) ** 0.5)


def test_text(table):
    found = rows(table)
    assert found["gzip"] == [["1.00", "4.00", "8.00", "6.00"], ["10", "2.00", "4.00", "5.00"]]
    assert found["xz"] == [["2.00", "1.00", "-", "6.00"], ["100", "1.00", "-", "2.00"]]
    assert found["geometric mean"] == [["2.00", "8.00", "6.00"], ["1.41", "4.00", "3.16"]]
    assert found["as a multiple of none"][0] == ["1.00", "2.00", "3.00"]
    assert found["as a multiple of memcheck"][0] == ["0.50", "1.00", "0.75"]


def test_what_failed_is_told_and_so_is_what_is_slowest_and_what_uses_more_memory(table):
    lines = list(table_lines(table))
    assert lines[-3:] == [
        "Inputs: normal. CPU time is the least, memory the most, of 0 to 1 run",
        "Failed:",
        "  xz under memcheck, 1 of 1: timeout: over 600 s",
    ]
    assert "Slowest under aprof-trms, as a multiple of none: xz 6.00" in lines
    assert "More memory under aprof-trms than under memcheck: gzip 1.25" in lines


def test_a_repetition_that_fails_does_not_hide():
    table = make_table(
        [
            *measures("gzip", "none", (3.0, 20.0), "signal SIGSEGV"),
            *measures("xz", "none", "not run"),
        ]
    )
    assert table.rows[0].cells["none"].cpu == 3.0
    assert table.failures() == ["gzip under none, 1 of 2: signal SIGSEGV", "not run: 1 of all runs"]


def test_without_native_runs_none_is_the_base():
    found = make_table(
        [*measures("gzip", "none", (4.0, 20.0)), *measures("gzip", "cilkshadow", (5.0, 30.0))]
    )
    assert found.base == "none" and found.mean("cpu", "cilkshadow", "none") == 1.25


def test_by_threads_only_programs_that_ran_with_all():
    found = make_table(
        [
            *measures("xz", "none", (1.0, 10.0), threads=1),
            *measures("xz", "aprof-trms", (2.0, 40.0), threads=1),
            *measures("xz", "none", (1.0, 10.0), threads=8),
            *measures("xz", "aprof-trms", (3.0, 50.0), threads=8),
            *measures("gzip", "none", (1.0, 10.0), threads=1),
            *measures("gzip", "aprof-trms", (9.0, 90.0), threads=1),
        ]
    )
    lines = [line.split() for line in thread_lines(found, [1, 8])]
    assert [words for words in lines if words[:1] == ["aprof-trms"]] == [
        ["aprof-trms", "2.00", "3.00"],
        ["aprof-trms", "4.00", "5.00"],
    ]
    assert ["Geometric", "means", "of", "xz"] in lines


def test_csv_has_a_line_for_each_run():
    out = io.StringIO()
    write_csv(measures("gzip", "none", (1.5, 20.0), "timeout: over 1 s"), out)
    assert out.getvalue().splitlines() == [
        "program,input,threads,repetition,tool,cpu,system,memory,failure",
        "gzip,normal,4,1,none,1.5,0.15,20.0,",
        "gzip,normal,4,2,none,,,,timeout: over 1 s",
    ]


def lines_of_csv(table, threads=()):
    file = io.StringIO()
    write_table(table, threads, file)
    file.seek(0)
    return list(csv.reader(file))


def test_the_csv_has_what_the_text_has_unrounded(table):
    head, *lines = lines_of_csv(table)
    assert head == "quantity program input threads native none memcheck aprof-trms".split()
    cpu = {line[1]: line[2:] for line in lines if line[0] == "cpu"}
    assert cpu["gzip"] == ["normal", "4", "1.0", "4.0", "8.0", "6.0"]
    assert cpu["xz"] == ["normal", "4", "2.0", "1.0", "", "6.0"]
    assert [float(mean) for mean in cpu["geometric mean"][3:]] == pytest.approx([2, 8, 6])
    assert [float(mean) for mean in cpu["as a multiple of none"][3:]] == pytest.approx([1, 2, 3])
    of_memcheck = cpu["as a multiple of memcheck"][3:]
    assert [float(mean) for mean in of_memcheck] == pytest.approx([0.5, 1, 0.75])
    memory = {line[1]: line[2:] for line in lines if line[0] == "memory"}
    assert memory["gzip"] == ["normal", "4", "10.0", "2.0", "4.0", "5.0"]
    assert len(lines) == len(cpu) + len(memory) == 10


def test_the_csv_by_threads():
    table = make_table(
        [
            *measures("xz", "none", (2.0, 10.0), threads=1),
            *measures("xz", "none", (4.0, 20.0), threads=8),
            *measures("xz", "aprof-trms", (6.0, 30.0), threads=1),
            *measures("xz", "aprof-trms", (8.0, 80.0), threads=8),
            *measures("gzip", "none", (1.0, 1.0), threads=1),
            *measures("gzip", "aprof-trms", (9.0, 9.0), threads=1),
        ]
    )
    assert lines_of_csv(table, [1, 8]) == [
        ["quantity", "tool", "1", "8"],
        ["cpu", "aprof-trms", "3.0000000000000004", "2.0"],
        ["memory", "aprof-trms", "3.0000000000000004", "4.0"],
    ]
