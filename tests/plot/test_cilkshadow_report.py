"""cilkshadow-report: the table, Cilkprof's CSV, JSON by its schema, the page."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from types import SimpleNamespace

import jsonschema
import pytest
from builder import SOURCE
from rich.cells import cell_len
from work_span_builder import NONE, Site, WorkSpan, quicksort

from aprofplot.commands import cilkshadow_report
from aprofplot.commands.processors_option import costs_asked
from aprofplot.processors.timeline import Interval
from aprofplot.read.work_span_reader import read_work_span
from aprofplot.reports.work_span import schedule_data
from aprofplot.reports.work_span.page import page_data
from aprofplot.work_span.listing import SORTS
from aprofplot.work_span.model import OVERHEAD_KINDS

SCHEMA = json.loads((SOURCE / "docs/schema/cilkshadow-report.schema.json").read_text())
CHECK = jsonschema.Draft202012Validator(SCHEMA)


@pytest.fixture
def report(tmp_path, capsys):
    """The output for a profile and options."""

    def run(made, *options):
        path = made.write(tmp_path / "cilkshadow.out.4711")
        assert cilkshadow_report.main([str(path), *options]) == 0
        return capsys.readouterr().out

    return run


def failure(capsys, *arguments):
    """Exit status and message."""
    try:
        status = cilkshadow_report.main([str(argument) for argument in arguments])
    except SystemExit as exit_:
        status = exit_.code
    out, error = capsys.readouterr()
    assert out == ""
    return status, error


def rows(text):
    """The call sites of the plain table, by their place."""
    return re.findall(r"quicksort\.c:(\d+)\s*$", text, re.MULTILINE)


def test_totals_in_cilkview_s_manner(report):
    made = quicksort()
    made.totals = {"overhead": 100, "burdened-span": 2 * 141_902_781, "syncs": 3}
    text = report(made)
    assert text.startswith("./quicksort 1000000  (pid 4711, 1 thread, ")
    found = dict(re.findall(r"^  ([a-z][a-z -]*?) {2,}([\d.,]+)", text, re.MULTILINE))
    assert found == {
        "work": "790,518,160",
        "span": "141,902,781",
        "parallelism": "5.6",
        "burdened span": "283,805,562",
        "burdened parallelism": "2.8",
        "lock-serialised span": "141,902,781",
        "lock-serialised parallelism": "5.6",
        "spawns": "2,000",
        "syncs": "3",
        "run-time library": "100",
    }


def test_the_bottleneck_comes_first(report):
    text = report(quicksort())
    assert rows(text) == ["20", "22", "21", "31", "30"]
    (line,) = [line for line in text.splitlines() if line.endswith("quicksort.c:20")]
    assert re.split(r"  +", line.strip()) == [
        "100.0", "141,891,291", "20", "1.0", "408,150,528", "51.6", "408,150,528", "1.0", "4,000",
        "0", "quicksort -> partition", "quicksort.c:20",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "sort, order",
    [
        ("on_work.top_site.work", ["30", "31", "22", "21", "20"]),
        ("on_work.top_site.parallelism", ["21", "22", "31", "30", "20"]),
        ("on_work.local.count", ["20", "22", "21", "30", "31"]),
        ("on_span.top_caller.span", ["30", "31", "20", "22", "21"]),
        ("spawned", ["21", "30", "31", "22", "20"]),
        ("name", ["30", "31", "20", "21", "22"]),
        ("place", ["20", "21", "22", "31", "30"]),
    ],
)
def test_sort(sort, order, report):
    assert rows(report(quicksort(), f"--sort={sort}")) == order


def test_every_measure_sorts_and_is_seen(report):
    assert len(SORTS) == 24 + 3
    for sort in SORTS:
        assert len(rows(report(quicksort(), "--sort", sort))) == 5
    assert "on_span.top_caller.work" in report(quicksort(), "--sort=on_span.top_caller.work")


@pytest.mark.parametrize(
    "pattern, found",
    [
        ("partition", ["20"]),
        ("quicksort.c:22", ["22"]),
        ("/src/quicksort.c:22", ["22"]),
        ("main -> quicksort", ["31"]),
        ("* -> quicksort", ["22", "21", "31"]),
        ("qui*", ["22", "21", "31"]),
        ("quicksort@0x3ec", ["22"]),
        ("quicksort.c", ["20", "22", "21", "31", "30"]),
    ],
)
def test_filter(pattern, found, report):
    assert rows(report(quicksort(), f"--filter={pattern}")) == found


def test_a_filter_that_fits_nothing(tmp_path, capsys):
    path = quicksort().write(tmp_path / "p")
    status, error = failure(capsys, path, "--filter=partitoin")
    assert status == 1
    assert "no call site matches 'partitoin'; did you mean a call of:\n  partition\n" in error


def test_a_line_without_calls(tmp_path, capsys):
    path = quicksort().write(tmp_path / "p")
    status, error = failure(capsys, path, "--filter=quicksort.c:29")
    assert status == 1
    assert "no call site matches 'quicksort.c:29'; the calls nearest to it are:\n" in error
    assert re.findall(r"\(quicksort\.c:(\d+)\)", error) == ["31", "22", "21", "20"]


def test_top(report):
    text = report(quicksort(), "--top=2")
    assert rows(text) == ["20", "22"]
    assert "3 more call sites: --top=5 shows all" in text
    assert len(rows(report(quicksort(), "--top=0"))) == 5


def test_source_lines(tmp_path, report):
    (tmp_path / "quicksort.c").write_text("\n" * 19 + "  int *middle =  partition(a, n);\n")
    text = report(quicksort(), f"--source-path={tmp_path}")
    assert "quicksort.c:20  int *middle = partition(a, n);\n" in text


def test_warnings_and_locks(report):
    made = quicksort()
    made.notes = ["unseen-synchronisation 3 waits without a known partner"]
    made.locks = ["7 79051816 3 mutex queue"]
    text = report(made)
    assert text.index("warning: 3 waits without a known partner\n") < text.index(
        "The measured parallelism is"
    )
    assert re.search(
        r"^ *79,051,816 +10\.0 +7  mutex queue \(first taken by partition\)$",
        text,
        re.M,
    )


def test_regions(tmp_path, report):
    made = quicksort()
    made.regions = ["3 400 100 160 sort, again", "1 50 0 0 =x"]
    lines = [line.split() for line in report(made).splitlines()[-3:]]
    assert lines[0] == "work span parallelism burdened times region".split()
    assert lines[1] == ["400", "100", "4.0", "2.5", "3", "sort,", "again"]
    found = json.loads(report(made, "--format=json"))
    CHECK.validate(found)
    assert found["regions"][0]["burdened_parallelism"] == 2.5
    assert found["regions"][1]["parallelism"] is None
    rows = list(csv.reader(report(made, "--format=cilkscale").splitlines()))
    assert rows[0][:3] == ["tag", "work (instructions)", "span (instructions)"]
    assert rows[1] == ["sort, again", "400", "100", "4.0000", "160", "2.5000"]
    assert rows[2] == ["'=x", "50", "0", "", "0", ""]
    assert rows[3][:2] == ["", "790518160"] and len(rows) == 4
    profile = read_work_span(str(made.write(tmp_path / "p")))
    assert page_data(profile, [])[0]["regions"][0] == ["sort, again", 400, 100, 160, 3]


def test_patterns_of_toggle_collect_are_a_list(tmp_path, report):
    made = quicksort()
    made.options = ("work bb", "toggle-collect f(int, char)", "toggle-collect g*", "burden 1")
    found = json.loads(report(made, "--format=json"))
    CHECK.validate(found)
    patterns = ["f(int, char)", "g*"]
    assert found["options"] == {"work": "bb", "toggle-collect": patterns, "burden": "1"}
    run = page_data(read_work_span(str(made.write(tmp_path / "p"))), [])[0]["run"]
    assert [value for name, value in run if name == "--toggle-collect"] == patterns


def test_the_greatest_locks_and_regions_are_listed(report):
    made = quicksort()
    made.locks = [f"1 {held} 0 mutex lock_{held}" for held in range(11)]
    made.regions = [f"1 {work} 1 1 region_{work}" for work in range(300)]
    text = report(made)
    assert re.findall(r"region_(\d+)", text) == [str(work) for work in range(299, 289, -1)]
    assert re.findall(r"lock_(\d+)", text) == [str(held) for held in range(10, 0, -1)]
    assert re.findall(r"^\d+ more.*", text, re.MULTILINE) == [
        "1 more lock: --format=json has all",
        "290 more regions: --format=json has all",
    ]


@pytest.mark.parametrize("width", [20, 40, 60, 90, 130])
def test_width(width, report):
    text = report(quicksort(), f"--width={width}")
    assert max(map(cell_len, text.splitlines())) <= width
    assert "call site" in text and "\x1b" not in text


def test_narrow_tables_keep_what_sorts(report):
    text = report(quicksort(), "--width=34", "--sort=spawned")
    (heads,) = [line for line in text.splitlines() if "call site" in line]
    assert re.split(r"  +", heads.strip()) == ["spawned", "call site"]


def test_color(report):
    assert re.search(r"\x1b\[1m +100\.0", report(quicksort(), "--color=always"))


def test_csv_has_cilkprof_s_columns(report):
    heads, *found = csv.reader(io.StringIO(report(quicksort(), "--format=csv")))
    assert len(heads) == 28
    assert heads[:8] == [
        "file", "line", "call_site", "function_type",
        "work_on_work", "span_on_work", "parallelism_on_work", "count_on_work",
    ]  # fmt: skip
    assert heads[12:16] == [f"local_{v}_on_work" for v in ("work", "span", "parallelism", "count")]
    assert heads[16:20] == [f"{v}_on_span" for v in ("work", "span", "parallelism", "count")]
    kinds = {row[2]: row[3] for row in found}
    assert kinds == {
        "quicksort -> partition": "call",
        "quicksort -> quicksort": "spawn",
        "main -> quicksort": "call",
        "main": "main",
    }
    assert found[0][:8] == [
        "/src/quicksort.c", "20", "quicksort -> partition", "call",
        "408150528", "408150528", "1.0000", "4000",
    ]  # fmt: skip
    assert found[0][8:12] == ["22000000", "22000000", "1.0000", "1"]
    by_line = {row[1]: row for row in found}
    assert by_line[""][2:5] == ["main", "main", "790518160"] and by_line[""][0] == ""
    assert by_line["21"][24:] == ["4340", "3823", "1.1352", "9"]


def test_csv_of_what_is_not_on_the_span(report):
    site = Site(0, 1, 0, ((1, 5, 5),) * 3, (NONE,) * 3)
    heads, row = csv.reader(io.StringIO(report(WorkSpan(sites=[site]), "--format=csv")))
    assert row[16:20] == ["0", "0", "", "0"]


def test_json(report):
    found = json.loads(report(quicksort(), "--format=json"))
    CHECK.validate(found)
    assert found["parallelism"] == 790_518_160 / 141_902_781
    first = found["call_sites"][0]
    assert (first["file"], first["line"]) == ("/src/quicksort.c", 20)
    assert (first["caller"], first["callee"]) == ("quicksort", "partition")
    assert first["on_work"]["count"] == 4000
    assert first["on_work"]["top_caller"] == {
        "count": 1, "work": 22_000_000, "span": 22_000_000, "parallelism": 1.0,
    }  # fmt: skip
    assert first["on_span"]["local"]["span"] == 141_891_291
    last = found["call_sites"][-1]
    assert (last["caller"], last["file"], last["line"]) == (None, None, None)


LOOPS = (
    "loop 1 1 0 8200 natural 1 35 0 main",
    "executions 1 10 1 950 95 1 950 95 1 15 15 1 95 95 1 95 95 1 15 15",
    "loop 2 1 1 8210 natural 1 5 8 f(int)",
    "inlined 2 1 36 void g<int>()",
    "inlined 2 1 38 main",
    "executions 2 35 10 900 80 1 900 80 10 900 80 10 80 80 1 80 80 10 80 80",
    "loop-spread 1 950 0 0 0",
    "loop-spread 2 300 32 800 100",
    "loop 3 1 0 4106 natural 0 0 0 ",
    "executions 3 4 1 20 20 1 20 20 1 20 20 0 0 0 0 0 0 0 0 0",
)


def with_loops():
    """main, with 1000 of work and 100 of span: 80 in a loop that was inlined, 15 in that around it."""
    main = (((1, 1000, 100),) * 3,) * 2
    return WorkSpan(sites=[Site(0, 1, 0, *main)], totals={"spawns": 9}, loops=LOOPS)


def test_loops_as_json(report):
    found = json.loads(report(with_loops(), "--format=json"))
    CHECK.validate(found)
    (sentence,) = [sentence for sentence in found["advice"] if "loop" in sentence]
    whole = "loop of f (quicksort.c:5), inlined into g<int>, main"  # it is parallel
    assert sentence.startswith(f"The {whole}, without what it calls, holds 80 % of the span; ")
    inner, outer, nameless = found["loops"]
    measures = {path: inner.pop(path) for path in ("on_work", "on_span")}
    assert inner == {
        "function": "f(int)",
        "file": "/src/quicksort.c",
        "line": 5,
        "last_line": 8,
        "routine": "main",
        "address": 8210,
        "inlined": [
            {"function": "void g<int>()", "file": "/src/quicksort.c", "line": 36},
            {"function": "main", "file": "/src/quicksort.c", "line": 38},
        ],
        "executions": 10,
        "iterations": 35,
        "largest_work": 300,
        "parallel_iterations": {"count": 32, "work": 800, "largest_work": 100},
    }
    assert outer["parallel_iterations"] is None and nameless["largest_work"] is None
    assert measures["on_work"]["parallelism"] == 900 / 80
    assert measures["on_span"]["local"] == {
        "count": 10, "work": 80, "span": 80, "parallelism": 1.0,
    }  # fmt: skip
    assert (outer["line"], outer["last_line"]) == (35, None)
    assert [nameless[name] for name in ("function", "file", "line", "inlined")] == [None] * 3 + [[]]
    spoiled = found | {"loops": [inner]}
    assert not CHECK.is_valid(spoiled)


def test_loops_as_text(report):
    text = report(with_loops())
    *_, table, parallel = text.split("\n\n")
    heads, *found = table.splitlines()
    assert re.search(r"^% of span  local span on span .*  loop +where$", heads)
    assert [re.split(r"  +", line.strip()) for line in found] == [
        ["80.0", "80", "900", "80", "11.2", "10", "35", "3.5", "90", "300",
         "loop of f, inlined into g<int>, main", "quicksort.c:5"],
        ["15.0", "15", "950", "95", "10.0", "1", "10", "10.0", "950", "950",
         "loop of main", "quicksort.c:35"],
        ["0.0", "0", "20", "20", "1.0", "1", "4", "4.0", "20", "loop of main", "main+0xa"],
    ]  # fmt: skip
    heads, row = (re.split(r"  +", line.strip()) for line in parallel.splitlines())
    assert heads == ["executions", "parallel iterations", "mean work", "largest", "largest/mean",
                     "loop", "where"]  # fmt: skip
    assert row == ["10", "32", "25", "100", "4.00", "loop of f", "quicksort.c:5"]
    assert "2 more loops: --top=3 shows all" in report(with_loops(), "--top=1")
    narrow = report(with_loops(), "--width=60", "--top=2")
    assert max(map(cell_len, narrow.splitlines())) <= 60
    assert re.search(r"^ +80\.0 .* loop of f", narrow, re.M) and "\n1 more loop: --top=3" in narrow
    assert not re.search(r"  loop +where", report(quicksort()))


def test_loops_of_the_page(tmp_path):
    profile = read_work_span(str(with_loops().write(tmp_path / "p")))
    name = "loop of f (quicksort.c:5), inlined into g<int>, main"
    page = page_data(profile, [])[0]
    assert page["loops"][0] == [name, 80, 900, 80, 10, 35]
    assert page["parallel_loops"] == [["f (quicksort.c:5)", 10, 32, 800, 100]]


_TASK = "tbb::detail::d1::start_for<R, each(int)::{lambda(int)#1}, P>::execute(E&)"
_NUMBERS = "6 4 90 90 4 90 90 4 90 90 0 0 0 0 0 0 0 0 0"


def test_copies_of_a_parallel_loop_are_one_row(report):
    """A body that is inlined into oneTBB's task twice, and an OpenMP loop whose iterations were only counted."""
    made = WorkSpan(
        [("main", 1), (_TASK, 1), (".omp_outlined._debug__.3", 1)],
        [
            Site(0, 1, 0, *(((1, 1000, 100),) * 3,) * 2),
            Site(1, 2, 4, *(((1, 300, 100),) * 3,) * 2),
            Site(1, 3, 9, *(((1, 300, 100),) * 3,) * 2),
        ],
        loops=(
            "loop 1 2 0 4112 natural 2 207 209 operator()",
            f"executions 1 {_NUMBERS}",
            "loop-spread 1 50 6 60 12 4",
            "loop-body 1 1 21",
            "loop 2 2 0 4212 natural 2 207 209 operator()",
            f"executions 2 {_NUMBERS}",
            "loop-spread 2 50 4 40 18 4",
            "loop 3 3 0 4312 natural 1 9 9 .omp_outlined._debug__.3",
            f"executions 3 {_NUMBERS}",
            "loop-spread 3 50 8 16 0 2",
            "loop 4 3 0 4412 natural 1 10 10 .omp_outlined._debug__.3",
            f"executions 4 {_NUMBERS}",
            "loop-spread 4 50 3 16 0 2",  # repeats a compare-and-swap: left out
        ),
        version=8,
    )
    made.files = ["/src/quicksort.c", "/usr/include/oneapi/tbb/parallel_for.h"]
    found = json.loads(report(made, "--format=json"))
    CHECK.validate(found)
    place = {"file": "/src/quicksort.c"}
    assert found["parallel_loops"] == [
        {"function": "each::{lambda#1}", **place, "line": 21, "executions": 8, "iterations": 10,
         "work": 100, "largest_work": 18},
        {"function": "main", **place, "line": 9, "executions": 2, "iterations": 8, "work": 16,
         "largest_work": None},
    ]  # fmt: skip
    *_, rows = report(made).split("\n\n")
    assert [re.split(r"  +", line.strip()) for line in rows.splitlines()[1:]] == [
        ["8", "10", "10", "18", "1.80", "loop of each::{lambda#1}", "quicksort.c:21"],
        ["2", "8", "2", "loop of main", "quicksort.c:9"],
    ]


def test_json_of_everything_and_of_nothing(report):
    made = quicksort()
    made.notes = ["odd 1 a note"]
    made.locks = ["1 2 0 mutex a", "1 2 1 rwlock b"]
    found = json.loads(report(made, "--format=json"))
    CHECK.validate(found)
    assert [lock["routine"] for lock in found["locks"]] == [None, "main"]
    assert found["notes"] == [{"kind": "odd", "count": 1, "text": "a note"}]
    empty = json.loads(report(WorkSpan(), "--format=json"))
    CHECK.validate(empty)
    assert (empty["parallelism"], empty["loops"], empty["call_sites"]) == (None, [], [])


def test_the_schema_refuses_what_it_does_not_say(report):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    found = json.loads(report(quicksort(), "--format=json"))
    for spoil in (
        lambda r: r.update(version=2),
        lambda r: r["call_sites"][0].pop("caller"),
        lambda r: r["call_sites"][0]["on_work"].pop("top_caller"),
        lambda r: r["call_sites"][0]["on_span"]["local"].update(span=1.5),
        lambda r: r.update(more=1),
    ):
        spoiled = json.loads(json.dumps(found))
        spoil(spoiled)
        assert not CHECK.is_valid(spoiled)


def test_the_manual_s_example():
    manual = (SOURCE / "docs/manual/cilkshadow-report.md").read_text()
    start = manual.index('    {"format"')
    CHECK.validate(json.loads(manual[start : manual.index("\n\n", start)]))


def test_the_page_is_one_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    quicksort().write(tmp_path / "cilkshadow.out.4711")
    assert cilkshadow_report.main(["--format=html"]) == 0
    out, error = capsys.readouterr()
    assert out == "cilkshadow-report.html\n"
    assert error == "cilkshadow-report: reading cilkshadow.out.4711\n"
    page = (tmp_path / "cilkshadow-report.html").read_text()
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert "default-src 'none'" in page


def test_names_that_end_a_script_are_text(report):
    evil = "</script><img src=x onerror=alert(1)>"
    text = report(WorkSpan([(evil, 1)], [Site(0, 1, 0, ((1, 5, 5),) * 3)]), "--format=html", "-o-")
    assert evil not in text and "<img" not in text


def test_no_profile(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, error = failure(capsys)
    assert status == 1
    assert (
        "no cilkshadow.out.* in the current folder; make one with valgrind --tool=cilksh" in error
    )


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["a", "b"], "one profile at a time"),
        (
            ["a", "--format=html", "--sort=name"],
            "--format=html always covers the whole run: leave --sort out",
        ),
        (["a", "--source-path=nowhere"], "--source-path=nowhere: no such folder"),
        (["a", "--sort=on_span.work"], "argument --sort: invalid choice"),
        (["a", "--top=-1"], "argument --top: '-1' is not a number from 0 on"),
    ],
)
def test_bad_command_lines(arguments, says, capsys):
    status, error = failure(capsys, *arguments)
    assert status == 2
    assert says in error


def test_the_newest_profile_is_taken(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for age, name in (
        (20, "cilkshadow.out.1"),
        (10, "cilkshadow.out.2"),
        (1, "cilkshadow.out.3.png"),
    ):
        path = quicksort().write(tmp_path / name)
        os.utime(path, (10_000 - age,) * 2)
    assert cilkshadow_report.main(["--format=json"]) == 0
    assert capsys.readouterr().err == "cilkshadow-report: reading cilkshadow.out.2\n"


LEAF = ((1, 100, 100),) * 3
DAG = ("dag 0 3", "path 1 0 1", "strand 1 40 0 0 - 1:40:5 -", "strand 1 30 0 0 1 1:30:0 -")


NO_OVERHEAD = dict.fromkeys(OVERHEAD_KINDS, 0)


def with_dag(*options):
    dag = (*DAG, "strand 2 30 0 0 1 1:30:5 -")
    return WorkSpan(sites=[Site(0, 1, 0, LEAF)], dag=dag, **dict(options))


def test_processors_as_text(report):
    text = report(with_dag(), "--processors=2,1,4,2")
    found = re.findall(r"^(\d+)  +(\d+)  +([\d.]+)  +[\d.]+ %", text, re.MULTILINE)
    assert found == [("1", "110", "1.00"), ("2", "80", "1.38"), ("4", "80", "1.38")]
    assert re.search(r"1\. serial phase: main( \(.*:.*\))? runs alone", text)
    assert re.search(
        r"^ *31\.2 % +65\.6 % .* 3\.1 % +0\.0 % +main +refine the grain", text, re.MULTILINE
    )


def test_what_calls_a_routine_is_told_once_whatever_its_loops(report):
    loops = []
    for number, line in ((1, 20), (2, 22)):
        loops.append(f"loop {number} 2 0 {8200 + number} natural 1 {line} {line} quicksort")
        loops.append(f"executions {number} 1" + " 1 40 40" * 6)
    paths = ("path 1 0 1", "path 2 1 2", "loop-path 3 2 1", "loop-path 4 2 2")
    main, called = ((1, 100, 100), (1, 100, 100), (1, 0, 0)), ((1, 100, 100),) * 3
    made = WorkSpan(
        sites=[Site(0, 1, 0, main), Site(1, 2, 31, called)],
        loops=loops,
        dag=["dag 0 1", *paths, "strand 1 100 0 0 - 2:20:0,3:40:0,4:40:0 -"],
    )
    bottom_up = report(made, "--processors=2").partition("routines, exclusive")[2]
    assert re.findall(r"^ *([\d.]+) %.*  < (.*)$", bottom_up, re.MULTILINE) == [("50.0", "main")]


def test_processors_as_json(report):
    found = json.loads(report(with_dag(), "--format=json", "--processors=1,3"))
    CHECK.validate(found)
    one, three = found["processors"]
    assert (one["P"], one["time"], one["work"], one["idleness"], one["overhead"]) == (
        1,
        110,
        100,
        0,
        10,
    )
    assert three["work"] + three["idleness"] + three["overhead"] == 3 * three["time"] == 240
    assert found["findings"][0]["path"] == [
        {"function": "main", "file": "/src/quicksort.c", "line": 30}
    ]
    assert one["overhead_by_kind"] == {**NO_OVERHEAD, "unknown": 10}
    # All on its path is divided evenly: 110 among 3.
    assert found["findings"][0]["gain"] == {
        "1": 1.0,
        "3": pytest.approx(80 / 37),
    }


def test_overhead_by_kind(report):
    """What the scheduler takes is scheduling: here it steals one strand of two, for 7."""
    strands = (
        *DAG[:2],
        "strand 1 40 0 0 - 1:40:1:2:3:4:5:6 - -",
        *(2 * (DAG[3].replace(":0 -", " - -"),)),
    )
    made = WorkSpan(
        sites=[Site(0, 1, 0, LEAF)], dag=strands, version=4, options=("work instr", "burden 7")
    )
    schedule = ("--processors=2", "--scheduler=work-stealing")
    found = json.loads(report(made, "--format=json", *schedule))
    CHECK.validate(found)
    on = found["processors"][0]
    kinds = {**NO_OVERHEAD, "scheduling": 8, "synchronisation": 2, "waiting": 3}
    kinds |= {"spinning": 4, "allocation": 5, "linking": 6}
    assert on["overhead_by_kind"] == kinds and on["overhead"] == 28 == sum(kinds.values())
    assert on["work"] + on["idleness"] + on["overhead"] == 2 * on["time"]
    assert (
        on["paths"][-1]["overhead_by_kind"]
        == on["paths"][0]["inclusive"]["overhead_by_kind"]
        == kinds
    )
    text = report(made, *schedule)
    shares = [f"{100 * kinds[kind] / 2 / on['time']:.1f} %" for kind in list(kinds)[:6]]
    assert re.search(r"^ *" + " +".join(shares) + r" +\(all\)$", text, re.MULTILINE)
    assert re.search(r"^ *" + " +".join(shares) + r" +main", text, re.MULTILINE)


def test_findings_are_of_as_many_processors_as_threads(report):
    for threads, expected in ((1, 8), (3, 3)):
        found = json.loads(report(with_dag(("threads", threads)), "--format=json"))
        assert [on["P"] for on in found["processors"]] == [expected]
        page = report(with_dag(("threads", threads)), "--format=html", "-o", "-")
        assert set(re.findall(r"On (\d+) processors it would", page)) == {str(expected)}
        text = report(with_dag(("threads", threads)))
        assert f"On {expected} processors it would run 1.4 times as fast as on one" in text


def test_threads_without_work_are_no_processors(report):
    """None of two lives; no kind of overhead has any of the effort, which is none, either."""
    nothing = ((1, 0, 0),) * 3
    dag = ("dag 0 2", DAG[1], "strand 1 0 0 0 - - -", "strand 2 0 0 0 1 - -")
    made = WorkSpan(sites=[Site(0, 1, 0, nothing)], dag=dag, threads=2)
    found = json.loads(report(made, "--format=json"))
    CHECK.validate(found)
    assert [on["P"] for on in found["processors"]] == [8]
    assert "On 8 processors it would run" in report(made)
    assert "overhead by kind" not in report(made, "--processors=2")


@pytest.mark.parametrize("value", ["0", "1000000", "two", "2,", "-1", "1.5", "²"])
def test_a_bad_number_of_processors(value, tmp_path, capsys):
    path = with_dag().write(tmp_path / "profile")
    status, error = failure(capsys, f"--processors={value}", path)
    assert status == 2
    assert error.splitlines()[-1].endswith("is not a number from 1 to 1024")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("work instr",), "the profile has no dag"),
        (("work instr", "dag yes"), "the dag had too many strands"),
    ],
)
@pytest.mark.parametrize("format_", ["text", "json"])
def test_processors_need_a_dag(options, says, format_, tmp_path, capsys):
    path = WorkSpan(sites=[Site(0, 1, 0, LEAF)], options=options).write(tmp_path / "profile")
    status, error = failure(capsys, "--processors=4", f"--format={format_}", path)
    assert status == 1
    assert says in error and len(error.splitlines()) == 1


@pytest.mark.parametrize("format_", ["csv"])
def test_formats_without_schedules(format_, tmp_path, capsys):
    path = with_dag().write(tmp_path / "profile")
    status, error = failure(capsys, "--processors=4", f"--format={format_}", path)
    assert status == 2 and "leave --processors out" in error


def test_what_if(report, tmp_path, capsys):
    text = report(with_dag(), "--processors=1,2", "--what-if=main x2")
    assert re.findall(r"^(\d+) +(\d+) +(\d+) +([\d.]+)$", text, re.MULTILINE) == [
        ("1", "110", "60", "1.83"),
        ("2", "80", "45", "1.78"),
    ]
    found = json.loads(report(with_dag(), "--format=json", "--processors=2", "--what-if=main x2"))
    CHECK.validate(found)
    assert found["what_if"] == [{"P": 2, "time": 45, "gain": 80 / 45}]
    status, error = failure(capsys, "--what-if=main x2", tmp_path / "cilkshadow.out.4711")
    assert status == 2 and "--what-if needs --processors" in error


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ["--format=html", "--what-if=main x2"],
            "--what-if is for --format=text or json or chrome",
        ),
        (["--format=html", "--advise"], "--advise is for --format=text or json"),
        (["--format=chrome-trace", "--advise"], "--advise is for --format=text or json"),
        (
            ["--what-if=main x2", "--advise"],
            "--what-if and --advise together are for --format=json",
        ),
    ],
)
def test_no_option_is_ignored(options, says, tmp_path, capsys):
    path = with_dag().write(tmp_path / "profile")
    status, error = failure(capsys, "--processors=2", *options, path)
    assert status == 2 and says in error


def test_advice_as_text_and_json(report):
    found = json.loads(report(with_dag(), "--format=json", "--processors=2", "--advise"))
    CHECK.validate(found)
    assert found["changes"] == []  # main is the whole program
    assert "none of those tried" in report(with_dag(), "--processors=2", "--advise")


def test_schedules_of_the_page(tmp_path):
    profile = read_work_span(str(with_dag().write(tmp_path / "p")))
    data, _ = page_data(profile, [], costs_asked(profile, [1, 4, 8]), 4)
    assert [row[:2] for row in data["schedules"]] == [[1, 110], [4, 80], [8, 80]]
    assert data["shown"] == 4
    (idle,) = data["idle"]
    assert idle[0] == "main" and sum(idle[1:3]) + idle[4] == pytest.approx(100)
    assert page_data(profile, [])[0]["schedules"] == []
    timeline = data["timeline"]
    assert (timeline["processors"], timeline["time"]) == (4, 80)
    spans = [spans[i : i + 3] for _, _, spans in timeline["bars"] for i in range(0, len(spans), 3)]
    assert sum(end - begin for _, begin, end in spans) == 110  # what runs
    critical = timeline["critical"]
    assert sum(critical[2::3]) - sum(critical[1::3]) == 80
    wide, _ = page_data(profile, [], costs_asked(profile, [500]), 500)
    assert wide["timeline"] is None


def test_the_page_of_a_long_schedule_stays_small(monkeypatch):
    """Where each part of the time is another function's, and the time is just no multiple of the parts."""
    processors, time = 13, 2999
    made = [
        Interval(row, at, at + 1, "abcdefghi"[at % 9], 0, at % 3 == 0)
        for row in range(processors)
        for at in range(time)
    ]
    monkeypatch.setattr(schedule_data, "timeline", lambda costs: made)
    found = schedule_data._timeline(SimpleNamespace(processors=processors, time=time))
    spans = [spans for _, _, spans in found["bars"]]
    assert len(spans) == 8 and 15_000 < sum(map(len, spans)) // 3 <= 20_000
    assert len(found["critical"]) // 3 <= 20_000


def test_serial_helpers_of_a_program_that_scales_are_listed(report):
    """Each of three keeps the other processor idle for 0.4 % of the effort; all idleness is 1.2 %."""
    names = ("main", "quicksort", "fill", "sum")
    paths = [f"path {number} {min(number - 1, 1)} {number}" for number in (1, 2, 3, 4)]
    serial = [
        f"strand 1 80 0 0 {before} {path}:80:0 -" for before, path in (("1,2", 3), (3, 4), (4, 1))
    ]
    dag = ["dag 0 5", *paths, *["strand 1 9900 0 0 - 2:9900:0 -"] * 2, *serial]
    main = ((1, 20_040, 10_140), (1, 20_040, 10_140), (1, 80, 80))
    helpers = [Site(1, callee, 30 + callee, ((1, 80, 80),) * 3) for callee in (3, 4)]
    sites = [Site(0, 1, 0, main), Site(1, 2, 31, ((2, 19_800, 9900),) * 3), *helpers]
    made = WorkSpan(routines=[(name, 1) for name in names], sites=sites, dag=dag)
    routines = report(made, "--processors=2").partition("routines, exclusive")[2]
    found = re.findall(r" %  (\w+)$", routines, re.MULTILINE)
    assert (sorted(found[:3]), found[3:]) == (["fill", "main", "sum"], ["quicksort"])
