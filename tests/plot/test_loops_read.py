"""Profiles with loops (format versions 3 and 7): read, refused where they are damaged, reported."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
from builder import SOURCE, with_loops, write_records

from aprofplot.commands.loading import load_profiles
from aprofplot.commands.report import main
from aprofplot.errors import ProfileError
from aprofplot.findings.iterations import growth_in_iterations
from aprofplot.findings.ranking import find_all
from aprofplot.findings.read_again import left_to_the_last
from aprofplot.merge import join_profiles, merge_threads
from aprofplot.metrics import read_again
from aprofplot.model import ITERATIONS, CostTotal, PointTable, ProgressBin, ThreadKey, column_names
from aprofplot.read import number_rows, point_blocks
from aprofplot.read.profile_reader import read_merged, read_profile
from aprofplot.reports.finding_text import why_none
from aprofplot.reports.html.data import page_data
from aprofplot.reports.html.thread_rows import ThreadRows
from aprofplot.reports.loop_frames import contexts_with_loops, loop_frames
from aprofplot.reports.stacks import write_speedscope
from aprofplot.reports.loop_json import loop_entries

HEADER = with_loops(3, "scan") + "routine 1 1 1 20 4096 main\n"
LOOPS = """\
loop 1 1 0 4100 natural 1 22 25 main
loop 2 1 1 4110 natural 1 12 13 contains
inlined 2 1 23 main
"""
TABLES = """\
thread 1 0 - main
table 1 1 1 0 0 0 6000 6000
points rms 1 0
100 1 0 0 0 6000 6000 6000 36000000 6000 6000 6000 36000000
callers 1
0 1 0 6000 6000
"""
EXITED = """\
thread 1 0 - main
table 1 1 1 1 0 0 6000 6000
points rms 0 0
callers 1
0 1 1 6000 6000
"""
PROGRESS = """\
1 1 1 1 10
2 2 5 2 22
4 4 22 4 75
8 8 92 8 270
16 16 376 16 1020
32 32 1520 32 3960
64 1 64 1 165
"""
# The k-th of 64 iterations scans k cells, and costs some 5 + 2.5 k.
EXECUTIONS = f"""\
loops 2
loop-table 1 1 1 0 64 0 0 5900 5900
points rms 1 0
100 1 0 0 2080 5900 5900 5900 34810000 5900 5900 5900 34810000
points iterations 1 0
64 1 0 0 2080 5900 5900 5900 34810000 5900 5900 5900 34810000
progress 7
{PROGRESS}loop-table 1 2 64 0 2080 0 0 4160 4160
points rms 2 0
1 32 0 0 0 2 2 64 128 2 2 64 128
64 32 0 0 0 128 128 4096 524288 128 128 4096 524288
points iterations 2 0
1 32 0 0 0 2 2 64 128 2 2 64 128
64 32 0 0 0 128 128 4096 524288 128 128 4096 524288
progress 0
"""


@pytest.fixture
def whole(tmp_path):
    return write_records(tmp_path, HEADER + LOOPS + TABLES + EXECUTIONS)


@pytest.mark.parametrize("read", [read_profile, read_merged])
def test_loops_and_their_numbers(whole, read):
    profile = read(whole)
    outer, inner = profile.loops
    assert (outer.loop.line, outer.loop.last_line, outer.loop.function) == (22, 25, "main")
    assert inner.loop.parent is outer.loop and outer.loop.parent is None
    assert inner.loop.inlined == (("main", "/home/me/scan.c", 23),)
    assert (outer.executions, outer.iterations, outer.cost["bb"].inclusive) == (1, 64, 5900)
    assert [of.first for of in outer.progress] == [1, 2, 4, 8, 16, 32, 64]
    assert outer.progress[4].rms == 376 and outer.progress[4].cost == {"bb": 1020}
    assert read_again(outer.points["rms"]) == pytest.approx(20.8)
    assert inner.points["iterations"].column("size").tolist() == [1, 64]


CONTEXTS = """\
thread 1 0 - main
table 1 1 2 0 0 0 12000 12000
points rms 1 0
100 2 0 0 0 6000 6000 12000 72000000 6000 6000 12000 72000000
callers 2
0 1 0 6000 6000
2 1 0 6000 6000
table 1 2 1 0 0 0 6000 0
points rms 1 0
10 1 0 0 0 6000 6000 6000 36000000 0 0 0 0
callers 1
0 1 0 6000 6000
contexts 3 0
context 1 0 1 1 1 0 0 0 6000 6000
points rms 1 0
100 1 0 0 0 6000 6000 6000 36000000 6000 6000 6000 36000000
context 2 0 1 2 1 0 0 0 6000 0
points rms 1 0
10 1 0 0 0 6000 6000 6000 36000000 0 0 0 0
context 3 2 1 1 1 0 0 0 6000 6000
points rms 1 0
100 1 0 0 0 6000 6000 6000 36000000 6000 6000 6000 36000000
"""
INNER = """\
points rms 1 0
1 32 0 0 0 2 2 64 128 2 2 64 128
points iterations 1 0
1 32 0 0 0 2 2 64 128 2 2 64 128
progress 0
"""
IN_CONTEXTS = f"""\
{EXECUTIONS}context-loops 3
{EXECUTIONS[8:EXECUTIONS.index("loop-table 1 2")].replace("loop-table", "context-loop")}\
context-loop 1 2 32 0 32 0 0 64 64
{INNER}context-loop 3 2 32 0 2048 0 0 4096 4096
{INNER.replace("1 32 0 0 0 2 2 64 128 2 2 64 128", "64 32 0 0 0 128 128 4096 524288 128 128 4096 524288")}"""
OF_TWO = with_loops(7, "scan") + "routine 1 1 1 20 4096 main\nroutine 2 1 1 40 8192 again\n"


def with_a_copy() -> str:
    """As it is, but that the second context ran a copy of the inner loop, which stands behind it."""
    inner = LOOPS[LOOPS.index("loop 2 ") :]
    copy = inner.replace("loop 2 1 1 4110", "loop 3 1 1 4126").replace("inlined 2", "inlined 3")
    of_outer, _ = EXECUTIONS.split("loop-table 1 2")
    first, second = IN_CONTEXTS[IN_CONTEXTS.index("context-loop 1 2 ") :].split("context-loop 3 2")
    first = first.replace("context-loop 1 2", "loop-table 1 2")
    tables = f"{of_outer.replace('loops 2', 'loops 3')}{first}loop-table 1 3{second}"
    in_contexts = IN_CONTEXTS[len(EXECUTIONS) :].replace("context-loop 3 2", "context-loop 3 3")
    return OF_TWO + LOOPS + copy + CONTEXTS + tables + in_contexts


def test_a_context_that_ran_another_copy_of_a_loop_only_has_that_loop_on_the_page(tmp_path):
    rows = ThreadRows()
    path = write_records(tmp_path, with_a_copy())
    summary = page_data(load_profiles([path], False, each=rows.add), rows, []).summary
    assert summary["loops"]["place"] == ["scan.c:22", "scan.c:12"]
    found = summary["contexts"]["loops"]
    assert found["loop"] == [0, 1, 1] and found["executions"] == [1, 32, 32]


@pytest.mark.parametrize("read", [read_profile, read_merged])
def test_copies_of_a_loop_are_one_function_in_all_contexts(read, tmp_path):
    profile = read(write_records(tmp_path, with_a_copy()))
    routines = [of.profile.routine for of in contexts_with_loops(profile)]
    inner = [of for of in routines if of.name == "main'loop scan.c:12"]
    assert len(inner) == 2 and {of.address for of in inner} == {4110}
    out = io.StringIO()
    write_speedscope(out, profile, "bb")
    names = [frame["name"] for frame in json.loads(out.getvalue())["shared"]["frames"]]
    assert names.count("main'loop scan.c:12") == 1


def test_copies_that_ran_in_different_threads_are_one_frame_in_the_loop_around_them(tmp_path):
    outer, inner, copy = read_merged(write_records(tmp_path, with_a_copy())).loops
    both = (*copy.threads, ThreadKey(0, 2))
    frames = loop_frames([replace(outer, threads=both), inner, replace(copy, threads=both)])
    assert [(of.of.executions, of.caller) for of in frames] == [(1, None), (64, 0)]


@pytest.mark.parametrize("read", [read_profile, read_merged])
def test_loops_in_contexts(read, tmp_path):
    profile = read(write_records(tmp_path, OF_TWO + LOOPS + CONTEXTS + IN_CONTEXTS))
    found = [
        (place, of.loop.line, of.executions, of.iterations)
        for place, context in enumerate(profile.contexts)
        for of in context.loops
    ]
    assert found == [(0, 22, 1, 64), (0, 12, 32, 32), (2, 12, 32, 2048)]
    stacks = [
        (of.profile.routine.name, of.parent, of.profile.calls, of.profile.cost["bb"].own)
        for of in contexts_with_loops(profile)
    ]
    assert stacks[0] == ("main", -1, 1, 100) and stacks[2] == ("main", 1, 1, 6000 - 4096)
    assert stacks[3:] == [
        ("main'loop scan.c:22", 0, 1, 5900 - 64),
        ("main'loop scan.c:12", 3, 32, 64),
        ("main'loop scan.c:12", 2, 32, 4096),
    ]


def test_loops_in_contexts_of_several_profiles_add_up(tmp_path):
    path = write_records(tmp_path, OF_TWO + LOOPS + CONTEXTS + IN_CONTEXTS)
    merged = merge_threads(join_profiles([read_profile(path), read_profile(path)]))
    last = merged.contexts[2].loops[0]
    assert (last.executions, last.iterations, last.cost["bb"].own) == (64, 4096, 8192)


@pytest.mark.parametrize("newer_first", [False, True])
def test_loops_in_contexts_are_left_out_unless_each_profile_tells_them(newer_first, tmp_path):
    """Version 6 has contexts and loops, but not which ran in which."""
    texts = [OF_TWO.replace("profile 7", "profile 6") + LOOPS + CONTEXTS + EXECUTIONS]
    texts.insert(0 if newer_first else 1, OF_TWO + LOOPS + CONTEXTS + IN_CONTEXTS)
    (tmp_path / "first").mkdir()
    folders = [tmp_path / "first", tmp_path]
    paths = [write_records(folder, text) for folder, text in zip(folders, texts)]
    profile = load_profiles(paths, False)
    assert [of.executions for of in profile.loops] == [2, 128]
    assert [of.loops for of in profile.contexts] == [(), (), ()]
    once = load_profiles([paths[0 if newer_first else 1]], False)
    assert [len(of.loops) for of in once.contexts] == [2, 0, 1]


def test_profiles_without_contexts_or_loops_leave_those_of_others(tmp_path):
    texts = (
        OF_TWO + LOOPS + CONTEXTS + IN_CONTEXTS,
        HEADER.replace("profile 3", "profile 6") + LOOPS + TABLES + EXECUTIONS,
    )
    paths = []
    for number, text in enumerate(texts):
        (tmp_path / str(number)).mkdir()
        paths.append(write_records(tmp_path / str(number), text))
    assert [len(of.loops) for of in load_profiles(paths, False).contexts] == [2, 0, 1]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("32 0 2048 0 0", "32 0 2047 0 0"), "loops of contexts do not add up"),
        (("32 0 2048 0 0", "32 0 2048 1 0"), "loops of contexts do not add up"),
        (("32 0 2048 0 0", "32 0 2048 0 1"), "loops of contexts do not add up"),
        (("0 4096 4096\n", "0 4097 4096\n"), "loops of contexts do not add up"),
        (("context-loop 1 2", "context-loop 1 1"), "context 1 and loop 1 do not ascend"),
        (("context-loop 3", "context-loop 1"), "context 1 and loop 2 do not ascend"),
        (("context-loop 3", "context-loop 2"), "a loop of another routine"),
        (("context-loop 3", "context-loop 4"), "context 4 is used before it is defined"),
        (("context-loops 3", "context-loops 2"), "unknown or misplaced record"),
        (("context-loops 3\n", ""), "no 'context-loops' record"),
    ],
)
def test_damaged_loops_in_contexts_are_refused(change, why, tmp_path):
    damaged = (OF_TWO + LOOPS + CONTEXTS + IN_CONTEXTS).replace(*change)
    with pytest.raises(ProfileError, match=why):
        read_merged(write_records(tmp_path, damaged))


def numbers_of(profile):
    return [
        (of, {metric: table.rows.tolist() for metric, table in of.points.items()}, of.progress)
        for of in profile.loops
    ]


@pytest.mark.parametrize("together", [1, 60, 400])
def test_lines_that_are_read_together_change_nothing(together, whole, tmp_path, monkeypatch):
    """Nor which line is said to be wrong."""
    expected = [repr(numbers[1:]) for numbers in numbers_of(read_merged(whole))]
    monkeypatch.setattr(number_rows, "_BYTES", together)
    monkeypatch.setattr(point_blocks, "_CHECKED_TOGETHER", max(1, together // 50))
    assert [repr(numbers[1:]) for numbers in numbers_of(read_merged(whole))] == expected
    wide = EXECUTIONS.replace(" 34810000", f" {2**100}")
    profile = read_merged(write_records(tmp_path, HEADER + LOOPS + TABLES + wide))
    assert profile.loops[0].points["rms"].column("bb.sumsq").tolist() == [2**100]
    lines = (HEADER + LOOPS + TABLES + EXECUTIONS).splitlines()
    last = len(lines) - 1  # "progress 0", from 0
    for at, text, why in (
        (last - 1, "1 32 0 0 0 128 128 4096 524288 128 128 4096 524288", "sizes do not ascend"),
        (last - 4, "64 31 0 0 0 128 128 4096 524288 128 128 4096 524288", "have 63 calls"),
        (last - 5, "1 32 0 0 0 3 2 64 128 2 2 64 128", "not minimum <= maximum"),
        (last - 5, "1 32 0 0 0 2 2 64 128 2 2 64", "not 13 numbers"),
    ):
        damaged = "\n".join([*lines[:at], text, *lines[at + 1 :]]) + "\n"
        block = at - 1 if "calls" in why else at + 1  # its record's line
        with pytest.raises(ProfileError, match=rf":{block}: .*{why}"):
            read_merged(write_records(tmp_path, damaged))


def test_the_scan_is_a_finding(whole):
    (finding,) = find_all(read_merged(whole), "bb")
    assert (finding.kind, str(finding.at)) == ("read-again", "contains (scan.c:12)")
    growth = finding.growth
    assert (growth.law, growth.grows_in) == ("n^2", "iterations")
    assert growth.low == pytest.approx(2) and growth.high == pytest.approx(2)
    assert finding.lines[0] == (
        "contains (scan.c:12), inlined into main: 98 % of the cost, grows as n^2 in its iterations"
    )
    assert finding.lines[1].endswith("; ten times the iterations would cost 100 times as much")
    assert (
        "main (scan.c:22)" in finding.sentence and "reads 32 cells on average" in finding.sentence
    )
    assert "100 cells of input" in finding.sentence


def test_a_cost_that_grows_slower_than_the_cells_may_yet_grow_as_they(whole):
    """The k-th iteration costs k^0.5 times 40, as vector instructions may, and reads k cells."""
    loop = read_merged(whole).loops[0]
    bins = [
        ProgressBin(k, k, round(1.5 * k * k), 0, {"bb": round(k * 40 * (1.5 * k) ** 0.5)})
        for k in (2**i for i in range(12))
    ]
    growth = growth_in_iterations(replace(loop, progress=tuple(bins)), "bb")
    assert (growth.low, growth.high) == pytest.approx((1.5, 2), abs=0.01)
    assert growth.law == ""


def test_the_first_iterations_may_cost_more(whole):
    """The k-th costs 4 k + 7; the first ones more, as those of a loop that appends to a vector."""
    loop = read_merged(whole).loops[0]
    costs = [65, 197, 194, 496, 1_678, 6_349, 24_922, 98_937, 394_362, 1_575_074]
    bins = [
        ProgressBin(k, k, 6 * k * k, 5, {"bb": cost})
        for k, cost in zip((2**i for i in range(10)), costs)
    ]
    lengths = loop.points[ITERATIONS]
    longer = replace(lengths, rows=lengths.rows.copy())
    longer.column("size")[:] = 1_023
    loop = replace(loop, points={**loop.points, ITERATIONS: longer}, progress=tuple(bins))
    growth = growth_in_iterations(loop, "bb")
    assert growth.law == "n^2"


def test_what_was_not_measured_is_not_drained(whole):
    of = max(read_merged(whole).loops, key=lambda loop: len(loop.progress))
    bins = len(of.progress)
    middles = np.array([(one.first + one.last(of.longest)) / 2 for one in of.progress])
    assert left_to_the_last(of, np.zeros(bins)) == 1.0
    assert left_to_the_last(of, 2 - middles / of.longest) == pytest.approx(0.5)


def test_what_accumulates_without_reading_is_a_finding(tmp_path):
    """The k-th iteration costs k, as before, but reads 1 cell, which is new."""
    bins = [line.split() for line in PROGRESS.splitlines()]
    registers = "".join(f"{first} {n} {n} {n} {cost}\n" for first, n, _, _, cost in bins)
    text = EXECUTIONS.replace(PROGRESS, registers).replace("2080 5900", "64 5900")
    (finding,) = find_all(
        read_merged(write_records(tmp_path, HEADER + LOOPS + TABLES + text)), "bb"
    )
    assert (finding.kind, str(finding.at)) == ("progress", "contains (scan.c:12)")
    assert finding.growth.low == pytest.approx(2)


def test_loops_of_several_profiles_nest_by_what_they_are(tmp_path):
    """The inner loop runs in the second only, where another object stands for the outer one."""
    (tmp_path / "one").mkdir()
    outer_only = EXECUTIONS[: EXECUTIONS.index("loop-table 1 2")].replace("loops 2", "loops 1")
    outer_only = outer_only.replace("5900", "100").replace("34810000", "10000")  # cheap there
    paths = [
        write_records(tmp_path / "one", HEADER + LOOPS + TABLES + outer_only),
        write_records(tmp_path, HEADER + LOOPS + TABLES + EXECUTIONS),
    ]
    profile = load_profiles(paths, False)
    outer, inner = profile.loops
    assert (outer.executions, inner.executions) == (2, 64)
    (finding,) = find_all(profile, "bb")
    assert str(finding.at) == "contains (scan.c:12)"
    entries = [entry for _, entry in loop_entries(profile, lambda routine: 0)]
    assert [entry["parent"] for entry in entries] == [None, 0]


def test_a_deep_nest_is_read(tmp_path):
    deep = "".join(
        f"loop {n} 1 {n + 1 if n < 5000 else 0} {4096 + n} natural 1 22 25 main\n"
        for n in range(1, 5001)
    )
    first = read_profile(write_records(tmp_path, HEADER + deep + TABLES + EXECUTIONS)).loops[0].loop
    depth = 0
    while first is not None:
        first, depth = first.parent, depth + 1
    assert depth == 5000


def test_loops_around_each_other_are_refused(tmp_path):
    ring = LOOPS.replace("loop 1 1 0", "loop 1 1 2")
    with pytest.raises(ProfileError, match="the parent of loop [12] is not a loop around it"):
        read_profile(write_records(tmp_path, HEADER + ring + TABLES + EXECUTIONS))


def read_once():
    """The loops of a profile whose iterations read what none before them has."""
    bins = [line.split() for line in PROGRESS.splitlines()]
    new = "".join(f"{first} {n} {rms} {rms} {cost}\n" for first, n, rms, _, cost in bins)
    return EXECUTIONS.replace("2080 5900", "100 5900").replace(PROGRESS, new)


def test_what_is_read_but_once_is_none(tmp_path):
    path = write_records(tmp_path, HEADER + LOOPS + TABLES + read_once())
    assert find_all(read_merged(path), "bb") == []


def test_the_json_is_as_the_schema_says(whole, capsys):
    assert main(["--format=json", whole]) == 0
    report = json.loads(capsys.readouterr().out)
    schema = json.loads((SOURCE / "docs/schema/aprof-report.schema.json").read_text())
    jsonschema.validate(report, schema)
    assert [finding["function"] for finding in report["findings"]] == ["contains"]
    outer, inner = report["loops"]
    assert inner["parent"] == outer["id"] and report["findings"][0]["loop"] == inner["id"]
    # The inner one's iterations have no sizes.
    assert (outer["read_again"], inner["read_again"]) == (pytest.approx(20.8), None)


NOTHING = (
    "nothing with 5 % of the cost is seen to grow faster than its input; what costs most has fewer than 5 input "
    "sizes: give one run inputs of several sizes, or report the profiles of several runs together"
)


def table_of_sizes(count):
    costs = 2 * column_names(("bb",))[4:8]
    assert len(column_names(("bb",))) == 4 + len(costs)
    ones = np.ones((len(costs) + 3, count), dtype=np.int64)
    return PointTable(0, column_names(("bb",)), np.vstack([np.arange(1, count + 1), ones]))


@pytest.mark.parametrize("cost, count, few", [(5, 4, True), (5, 5, False), (4, 5, True)])
def test_what_has_few_sizes(tmp_path, cost, count, few):
    """A routine with `cost` percent of it, beside main with one size."""
    profile = read_merged(write_records(tmp_path, HEADER + LOOPS + TABLES + read_once()))
    (main_routine,) = profile.routines
    whole = main_routine.cost["bb"].inclusive
    other = replace(
        main_routine,
        routine=replace(main_routine.routine, name="other"),
        cost={"bb": CostTotal(whole * cost // 100, 0)},
        points={"rms": table_of_sizes(count)},
    )
    profile = replace(profile, routines=(main_routine, other))
    loops = tuple(replace(of, points={}) for of in profile.loops)
    said = why_none(replace(profile, loops=loops), "bb")
    assert any("fewer than 5 input sizes" in line for line in said) == few


@pytest.mark.parametrize(
    "body, why",
    [
        (
            HEADER.replace("loops yes", "loops no") + TABLES + "loops 0\n",
            "the profile has no loops, run with --loops=yes",
        ),
        (HEADER + TABLES + "loops 0\n", "no loop was run"),
        (
            HEADER + LOOPS + TABLES + read_once(),
            NOTHING,
        ),
        (
            HEADER + LOOPS + EXITED + read_once(),
            NOTHING,
        ),
    ],
    ids=["no loops", "none was run", "nothing found", "main calls exit behind its loops"],
)
def test_without_findings_every_report_says_why(body, why, tmp_path, capsys):
    note = "note io-uring 3 completions of io_uring were not followed"
    path = write_records(tmp_path, body.replace("fair-sched", f"{note}\nfair-sched"))
    assert main(["--format=json", path]) == 0
    report = json.loads(capsys.readouterr().out)
    schema = json.loads((SOURCE / "docs/schema/aprof-report.schema.json").read_text())
    jsonschema.validate(report, schema)
    assert (report["findings"], report["no_findings"]) == ([], why)
    assert report["runs"][0]["notes"] == [f"{note.removeprefix('note io-uring ')}."]
    assert main([path]) == 0
    first, *more = why.split("; ")
    assert "\n".join([f"no findings: {first}", *more, ""]) in capsys.readouterr().out
    rows = ThreadRows()
    summary = page_data(load_profiles([path], False, each=rows.add), rows, []).summary
    assert (summary["findings"], summary["noFindings"]) == ([], [first, *more])
    assert summary["runs"][0]["notes"] == report["runs"][0]["notes"]


def test_a_card_has_the_callers_up_to_main(tmp_path):
    start = "routine 2 1 0 0 8192 _start\n"
    called = TABLES.replace("\n0 1 0 6000", "\n2 1 0 6000")
    called += (
        "table 1 2 1 0 0 0 6000 0\npoints rms 1 0\n0 1 0 0 0 6000 6000 6000 36000000 0 0 0 0\n"
    )
    called += "callers 1\n0 1 0 6000 6000\n"
    path = write_records(tmp_path, HEADER + start + LOOPS + called + EXECUTIONS)
    rows = ThreadRows()
    summary = page_data(load_profiles([path], False, each=rows.add), rows, []).summary
    (card,), names = summary["findings"], summary["routines"]["name"]
    assert "_start" in names and [names[routine] for routine in card["path"]] == ["main"]


def test_rounds_that_share_a_header_with_what_they_repeat_are_found_by_their_input(tmp_path):
    """As one loop they have n^2 iterations on n cells, each of which costs the same."""

    def points(size):
        rows = [(size(n), 5 * n * n) for n in range(100, 1100, 100)]
        costs = [" ".join([f"{cost} {cost} {cost} {cost * cost}"] * 2) for _, cost in rows]
        return [f"{value} 1 0 0 0 {cost}" for (value, _), cost in zip(rows, costs)]

    whole = sum(5 * n * n for n in range(100, 1100, 100))
    iterations = sum(n * n for n in range(100, 1100, 100))
    executions = ["loops 1", f"loop-table 1 1 10 0 {iterations} 0 0 {whole} {whole}"]
    executions += ["points rms 10 0", *points(lambda n: n)]
    executions += ["points iterations 10 0", *points(lambda n: n * n), "progress 0", ""]
    of_main = TABLES.replace("36000000", str(whole**2)).replace("6000", str(whole))
    text = HEADER + LOOPS.splitlines(keepends=True)[0] + of_main + "\n".join(executions)
    (finding,) = find_all(read_merged(write_records(tmp_path, text)), "bb")
    assert (finding.kind, str(finding.at)) == ("growth", "main (scan.c:22)")
    assert (finding.growth.law, finding.growth.grows_in) == ("n^2", "rms")
    assert "the loop at main (scan.c:22) had 100 to 1,000 cells of input, and the" in finding.why


@pytest.mark.parametrize(
    "longest, iterations",
    [(10, "run the same number of"), (11, "run about the same number of"), (400, "")],
)
def test_a_loop_whose_cost_no_size_tells_is_said_to_be_unexplained(tmp_path, longest, iterations):
    """Its 20 executions read 5 cells in 10 iterations each, but one in 11, or in 400."""
    costs = "10 900 5900 4000000 10 900 5900 4000000"
    of_one = "900 900 900 810000 900 900 900 810000"
    others = "10 500 5000 3190000 10 500 5000 3190000"
    lengths = f"points iterations 1 0\n10 20 0 0 100 {costs}\n"
    if longest > 10:
        lengths = f"points iterations 2 0\n10 19 0 0 95 {others}\n{longest} 1 0 0 5 {of_one}\n"
    executions = f"loop-table 1 1 20 0 {190 + longest} 0 0 5900 5900\n"
    executions += f"points rms 1 0\n5 20 0 0 100 {costs}\n{lengths}progress 0\n"
    loop = LOOPS.splitlines(keepends=True)[0]
    text = HEADER + loop + TABLES + "loops 1\n" + executions
    found = find_all(read_merged(write_records(tmp_path, text)), "bb")
    assert [(of.kind, str(of.at)) for of in found] == (
        [("unexplained", "main (scan.c:22)")] if iterations else []
    )
    if found:
        assert found[0].growth.size_unknown and found[0].evidence == {
            "executions": 20,
            "varies": 90,
        }
        assert found[0].lines[0].endswith("98 % of the cost, size unknown: cost varies 90-fold")
        assert (
            "of 20 executions of the loop at main (scan.c:22) the dearest costs 90" in found[0].why
        )
        assert f" read the same number of cells and {iterations} iterations: " in found[0].why


def test_a_call_is_told_where_it_is_inlined(tmp_path):
    """The loop in main calls a library's routine in a function that a header's is inlined into."""
    names = """\
object 2 /usr/lib/libc.so.6
file 2 /usr/include/c++/12/bits/stl_vector.h
routine 2 2 0 0 8192 memmove
"""
    alone = EXECUTIONS[: EXECUTIONS.index("loop-table 1 2")].replace("loops 2", "loops 1")
    alone = alone.replace(" 5900 5900\npoints rms", " 5900 900\npoints rms")
    called = "table 1 2 64 0 0 0 5000 5000\npoints rms 1 0\n100 64 0 0 0 70 90 5000 400000 70 90 5000 400000\n"
    called += "callers 1\n1 64 0 5000 5000\n"
    loop = LOOPS.splitlines(keepends=True)[0]

    def found(*calls):
        text = HEADER + names + loop + "".join(f"loop-call 1 2 {call}\n" for call in calls)
        text = (text + TABLES.replace("6000 6000\npoints", "6000 1000\npoints")) + called + alone
        (finding,) = find_all(read_merged(write_records(tmp_path, text)), "bb")
        return finding

    whole = found("2 1500 erase", "1 9 pop", "1 24 main")
    assert (str(whole.at), whole.at.into) == ("pop (scan.c:9)", "main")
    assert (
        "the loop at main (scan.c:22) runs pop (scan.c:9), which calls memmove, and"
        in whole.lines[1]
    )
    for calls in ((), ("2 1500 erase", "1 24 main"), ("1 24 main",)):
        of = found(*calls)
        assert str(of.at) == "main (scan.c:22)" and "main (scan.c:22) calls memmove" in of.lines[1]


MOVES = ("2 1 9 pop", "2 1 24 main")
ALLOCATES = ("3 1 60 refill", "3 1 23 main")


@pytest.mark.parametrize(
    "calls, of_loop, moved, allocated, place, does",
    [
        # All that is moved is moved outside of the loop, but for 500.
        (MOVES, 5400, 50500, 0, "main (scan.c:22)", ""),
        # The loop moves; what it allocates costs more, but most of it before.
        (
            MOVES + ALLOCATES,
            900,
            4900,
            20100,
            "pop (scan.c:9)",
            "pop (scan.c:9), which calls memmove,",
        ),
        # Neither has most of the loop's cost, but both have.
        (
            MOVES + ("3 1 30 pop", "3 1 24 main"),
            900,
            2500,
            2500,
            "pop (scan.c:9)",
            "runs pop (scan.c:9)",
        ),
        (MOVES + ALLOCATES, 900, 2500, 2500, "main (scan.c:22)", ""),
    ],
    ids=["outside", "of two", "both in pop", "both"],
)
def test_a_call_that_is_blamed_is_the_one_that_costs_the_loop(
    calls, of_loop, moved, allocated, place, does, tmp_path
):
    """Costs of calls are known of the whole routine only."""
    names = (
        "object 2 /usr/lib/libc.so.6\nroutine 2 2 0 0 8192 memmove\nroutine 3 2 0 0 9192 malloc\n"
    )
    alone = EXECUTIONS[: EXECUTIONS.index("loop-table 1 2")].replace("loops 2", "loops 1")
    alone = alone.replace(" 5900 5900\npoints rms", f" 5900 {of_loop}\npoints rms")
    whole = 1000 + of_loop + moved + allocated
    text = HEADER + names + LOOPS.splitlines(keepends=True)[0]
    text += "".join(f"loop-call 1 {call}\n" for call in calls)
    text += TABLES.replace("36000000", str(whole**2)).replace("6000", str(whole))
    text = text.replace(f"{whole} {whole}\npoints", f"{whole} {1000 + of_loop}\npoints", 1)
    for routine, cost in ((2, moved), (3, allocated)):
        costs = f"1 {cost} {cost} {cost**2}"
        text += f"table 1 {routine} 64 0 0 0 {cost} {cost}\npoints rms 1 0\n" * bool(cost)
        text += f"100 64 0 0 0 {costs} {costs}\ncallers 1\n1 64 0 {cost} {cost}\n" * bool(cost)
    (finding,) = find_all(read_merged(write_records(tmp_path, text + alone)), "bb")
    assert str(finding.at) == place and does in finding.lines[1]


def test_text_and_page_tell_one_growth(whole, capsys):
    rows = ThreadRows()
    profile = load_profiles([whole], False, each=rows.add)
    summary = page_data(profile, rows, []).summary
    assert main([whole]) == 0
    table = [line for line in capsys.readouterr().out.splitlines() if "loop in" in line]
    of_routine = summary["routines"]["metric"][0]["growth"][0]
    assert of_routine == ["cannot tell"]
    for line, growth in zip(table[-2:], summary["loops"]["growth"]):
        assert growth and f"  {growth}  " in line


def test_the_table_has_loops_below_their_routine(whole, capsys):
    assert main([whole]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[3].startswith("1. contains (scan.c:12), inlined into main: 98 %")
    table = [line for line in lines if "scan.c" in line][3:]
    assert ["loop in" in line for line in table] == [False, True, True]
    assert "loop in contains, inlined into main, 2,080 iterations" in table[2]


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("loops 2", "loops 3", "the profile ends where 'loop-table' was expected"),
        ("loops 2", "loops 1", "unknown or misplaced record 'loop-table'"),
        ("loop-table 1 2 64", "loop-table 1 9 64", "loop 9 is used before it is defined"),
        ("loop-table 1 2 64", "loop-table 4 2 64", "thread 4 is used before it is defined"),
        ("loop-table 1 2 64 0", "loop-table 1 2 64 65", "64 executions, 65 of them unfinished"),
        ("loop 2 1 1", "loop 2 1 2", "the parent of loop 2 is not a loop around it"),
        ("loop 2 1 1", "loop 2 5 1", "routine .5. is used before it is defined"),
        ("natural 1 12", "endless 1 12", "loop 2 is 'endless'"),
        ("inlined 2 1", "inlined 8 1", "loop 8 is used before it is defined"),
        ("inlined 2 1 23 main", "loop-call 2 3 1 23 main", "routine '3' is used before"),
        ("inlined 2 1 23 main", "loop-call 3 1 1 23 main", "loop 3 is used before it is defined"),
        ("points iterations 1", "points trms 1", "points 'trms' where 'iterations'"),
        ("progress 7", "progress 70", "70 lines announced"),
        ("2 2 5 2 22", "3 2 5 2 22", "powers of two"),
        ("2 2 5 2 22", "2 2 5 22", "is not 5 numbers"),
        ("2 2 5 2 22", "2 2 x 2 22", "is not 5 numbers"),
        ("2 2 5 2 22", "2 0 5 2 22", "a bin of a progress without iterations"),
        ("\nloops 2\n", "\n", "the profile has no 'loops' record"),
    ],
)
def test_damage_is_named(tmp_path, old, new, said):
    text = HEADER + LOOPS + TABLES + EXECUTIONS
    assert old in text
    with pytest.raises(ProfileError) as refused:
        read_profile(write_records(tmp_path, text.replace(old, new)))
    assert re.search(said, str(refused.value))
