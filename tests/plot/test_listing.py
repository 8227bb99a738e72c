"""aprof-report's --sort, --filter, --rows and -o."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from dataclasses import replace

import pytest
from builder import Builder, Table

from aprofplot.commands import report as report_command
from aprofplot.read.profile_reader import read_profile
from aprofplot.reports.listing import SORTS, make_listing

SIZES = range(10, 210, 10)


@pytest.fixture
def source(tmp_path):
    """Five routines, no two of which any order but growth takes for equal."""
    routines = [
        ("main", 1, 1, 10),
        ("ns::square<int>(int)", 1, 1, 3),
        ("copy", 2, 2, 3),
        ("memcpy", 3, 0, 0),
        ("once", 1, 1, 40),
    ]
    tables = [
        Table(1, [], unfinished=1, extra_cost=10**7),
        Table(2, [(n, 1, n * n, n * n, n * n) for n in SIZES]),
        Table(3, [(n, 2, 7 * n, 7 * n, 14 * n) for n in (*SIZES, 500)], induced=(90, 1)),
        Table(
            4,
            [(n, 9, 2 * n, 2 * n, 18 * n) for n in (1, 9, 50, 200, 650)],
            induced=(1, 90),
        ),
        Table(5, [(1, 1, 1, 1, 1)]),
    ]
    builder = Builder(
        routines=routines,
        objects=["/bin/app", "/usr/lib/libcopy.so.1", "/lib/libc.so.6"],
        files=["/src/app.c", "/src/copy.cc"],
        tables=tables,
    )
    return builder.write(tmp_path / "aprof.out.100")


def test_what_is_gone_is_not_taken_for_another(source):
    """Rows of loops are routines that nobody keeps, so that the next may have the place of the last."""
    profile = read_profile(str(source))
    listing = make_listing(profile, "bb", False, "cost", [])
    of = {routine.routine.name: routine for routine in profile.routines}
    for name in ("ns::square<int>(int)", "copy", "memcpy") * 5:
        passing = replace(of[name])
        assert listing.growth(passing).model == ("n^2" if "square" in name else "n"), name
        del passing


@pytest.fixture
def names(source, capsys):
    """The routines of the JSON report, in its order."""

    def listed(*options):
        assert report_command.main(["--format=json", *options, str(source)]) == 0
        return [r["name"].split("(")[0] for r in json.loads(capsys.readouterr().out)["routines"]]

    return listed


SQUARE = "ns::square<int>"
ORDERS = {
    "cost": ["main", SQUARE, "copy", "memcpy", "once"],
    "self": ["main", SQUARE, "copy", "memcpy", "once"],
    "calls": ["memcpy", "copy", SQUARE, "main", "once"],
    "growth": [SQUARE, "copy", "memcpy", "main", "once"],
    "sizes": ["copy", SQUARE, "memcpy", "once", "main"],
    "largest": ["memcpy", "copy", SQUARE, "once", "main"],
    "thread": ["copy", "memcpy", "main", SQUARE, "once"],
    "external": ["memcpy", "copy", "main", SQUARE, "once"],
    "name": ["copy", "main", "memcpy", SQUARE, "once"],
}


@pytest.mark.parametrize("sort", SORTS)
def test_orders(sort, names):
    assert names(f"--sort={sort}") == ORDERS[sort]


@pytest.mark.parametrize("entry", ["_start", "app+0x1050"])
def test_a_table_for_people_begins_with_the_program(entry, tmp_path, capsys):
    """In a stripped one the entry is known by what it calls."""
    names = ["_dl_start", entry, "__libc_start_main", "main", "copy"]
    objects = ["/bin/app", "/lib64/ld-linux-x86-64.so.2", "/lib/libc.so.6"]
    routines = [(name, elf, 0, 0) for name, elf in zip(names, (2, 1, 3, 1, 1))]
    callers = (0, 0, 2, 3, 4)
    tables = [
        Table(n, [(1, 1, 500 - n, 500 - n, 500 - n)], callers=[(caller, 1, 0, 500 - n, 500 - n)])
        for n, caller in enumerate(callers, 1)
    ]
    path = str(Builder(routines=routines, tables=tables, objects=objects).write(tmp_path / "p"))

    def listed(*options):
        assert report_command.main([*options, path]) == 0
        lines = capsys.readouterr().out.splitlines()
        found = [name for line in lines for name in names if f"  {name}  " in line]
        return found, any("come last" in line for line in lines)

    assert listed() == (["main", "copy", *names[:3]], True)
    assert listed("--per-thread") == (["main", "copy", *names[:3]], True)
    assert listed("--sort=cost") == (names, False)
    assert listed("--filter=_*") == ([name for name in names if name.startswith("_")], False)


def test_a_growth_in_doubt_says_so_and_comes_after_what_is_known(tmp_path, capsys):
    """Without its first size it is rather sqrt n."""
    costs = {48: 87, 145: 767, 152: 862, 158: 851, 173: 956, 176: 857, 179: 963, 183: 939}
    costs |= {190: 1012, 196: 1034}
    hangs = [(n, 1, cost, cost, cost) for n, cost in costs.items()]
    constant = [(n, 1, 7, 7, 7) for n in SIZES]
    routines = [("main", 1, 1, 1), ("hangs", 1, 1, 2), ("constant", 1, 1, 3)]
    tables = [Table(1, [], unfinished=1), Table(2, hangs), Table(3, constant)]
    path = Builder(routines=routines, tables=tables).write(tmp_path / "p")
    assert report_command.main(["--sort=growth", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [re.split(" {2,}", line)[-3:-1] for line in lines if line.endswith((".c:2", ".c:3"))]
    assert rows == [["1", "constant"], ["log n?", "hangs"]]


def test_every_format_that_lists_is_in_that_order(source, capsys):
    for form in (["csv", "--rows=routines"], ["text"]):
        assert (
            report_command.main([f"--format={form[0]}", *form[1:], "--sort=name", str(source)]) == 0
        )
        out = capsys.readouterr().out
        found = [out.index(name) for name in ("copy,", "once,")] if form[1:] else []
        found = found or [out.index(f"  {name}  ") for name in ("copy", "main", "memcpy", "once")]
        assert found == sorted(found)


@pytest.mark.parametrize(
    "patterns, expected",
    [
        (["copy"], ["copy"]),
        (["m*cpy"], ["memcpy"]),
        (["*c*py"], ["copy", "memcpy"]),
        (["*cpy", "lib*copy*"], ["copy", "memcpy"]),
        (["ns::square"], [SQUARE]),
        (["libc.so.6"], ["memcpy"]),
        (["/usr/lib/*"], ["copy"]),
        (["app.c"], ["main", SQUARE, "once"]),
        (["app:*"], ["main", SQUARE, "once"]),
        (["copy.cc:c*"], ["copy"]),
        (["square"], [SQUARE]),
        (["app.c:square"], [SQUARE]),
        (["libc.so.6", "main"], ["main", "memcpy"]),
    ],
    ids=" ".join,
)
def test_filters(patterns, expected, names):
    assert names(*(f"--filter={pattern}" for pattern in patterns)) == expected


def test_a_glob_of_an_object_is_not_just_its_code_without_symbols(tmp_path, capsys):
    routines = [("libx.so.6+0x10", 1, 0, 0), ("f", 1, 0, 0), ("main", 2, 0, 0)]
    tables = [Table(i, [(1, 1, 2, 2, 2)]) for i in (1, 2, 3)]
    builder = Builder(routines=routines, objects=["/lib/libx.so.6", "/bin/app"], tables=tables)
    path = builder.write(tmp_path / "p")
    assert report_command.main(["--filter=libx*", "--format=json", str(path)]) == 0
    names = {r["name"] for r in json.loads(capsys.readouterr().out)["routines"]}
    assert names == {"libx.so.6+0x10", "f"}


def test_shares_are_of_the_whole_run_whatever_is_listed(source, capsys):
    assert (
        report_command.main(["--filter=main", "--format=csv", "--rows=routines", str(source)]) == 0
    )
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert row["bb_percent"] == "96.7138"


def test_a_filter_that_fits_nothing(source, capsys):
    assert report_command.main(["--filter=main", "--filter=memcopy", str(source)]) == 1
    error = capsys.readouterr().err
    assert "no routine, object or file is called 'memcopy'" in error and "memcpy" in error


def test_a_row_for_each_routine(source, capsys):
    assert report_command.main(["--format=csv", "--rows=routines", str(source)]) == 0
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    copy = rows["copy"]
    expected = {
        "object": "/usr/lib/libcopy.so.1",
        "line": "3",
        "threads": "1",
        "calls": "42",
        "unfinished": "0",
        "bb": "36400",
        "bb_self": "36400",
        "thread_induced": "90",
        "external": "1",
        "thread_percent": "1.7308",
        "trms_sizes": "21",
        "trms_largest": "500",
        "trms_input": "5200",
        "trms_growth": "n",
        "rms_sizes": "21",
    }
    assert {key: copy[key] for key in expected} == expected
    once = rows["once"]
    assert (once["trms_growth"], once["trms_formula"], once["trms_r2"]) == (
        "cannot tell",
        "",
        "",
    )


def test_a_row_for_each_routine_and_thread(sample, capsys):
    options = ["--format=csv", "--rows=routines", "--per-thread"]
    assert report_command.main([*options, str(sample)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    found = [(row["name"], row["pid"], row["thread"], row["thread_name"]) for row in rows]
    assert found == [
        ("main", "100", "1", ""),
        ("work", "100", "2", "worker"),
        ("work", "100", "1", ""),
    ]


def test_the_event_that_sorts(tmp_path, capsys):
    path = Builder(tables=[Table(2, [(1, 1, 2, 2, 2)])], events=("bb", "instr")).write(
        tmp_path / "p"
    )
    assert report_command.main(["--cost=instr", str(path)]) == 0
    assert report_command.main(["--cost=span", str(path)]) == 1
    assert f"cost span is not in {path}, which has bb, instr" in capsys.readouterr().err
    assert report_command.main(["--cost=time", str(path)]) == 2
    assert "--cost=time: no such cost; choose bb, instr" in capsys.readouterr().err


class TestOutput:
    def test_a_file(self, source, tmp_path, capsys):
        path = tmp_path / "report.json"
        path.write_text("old")
        link = tmp_path / "link.json"
        link.symlink_to(path)
        assert report_command.main(["--format=json", "-o", str(link), str(source)]) == 0
        assert capsys.readouterr().out == f"{link}\n"
        assert link.is_symlink() and json.loads(path.read_text())["format"] == "aprof-report"
        assert not list(tmp_path.glob("*.part"))

    def test_standard_output(self, source, capsys):
        assert report_command.main(["--format=json", "-o", "-", str(source)]) == 0
        assert json.loads(capsys.readouterr().out)["version"] == 1

    def test_a_device(self, source, capsys):
        assert report_command.main(["-o", "/dev/null", str(source)]) == 0
        assert not os.path.isfile("/dev/null")

    def test_the_profile_itself_is_kept(self, source, capsys):
        before = source.read_bytes()
        assert report_command.main(["-o", str(source), str(source)]) == 1
        assert "is an input and would be overwritten" in capsys.readouterr().err
        assert source.read_bytes() == before

    @pytest.mark.parametrize("output", ["nowhere/x.csv", ".", "/dev/full"])
    def test_what_cannot_be_written(self, output, source, capsys, monkeypatch):
        monkeypatch.chdir(source.parent)
        assert report_command.main(["--format=csv", "-o", output, str(source)]) == 1
        error = capsys.readouterr().err
        assert error.startswith(f"aprof-report: {output}: cannot be written: ")
        assert error.count("\n") == 1

    def test_what_was_there_stays_until_the_new_is_whole(self, source, tmp_path, capsys):
        path = tmp_path / "stacks.folded"
        path.write_text("old")
        assert report_command.main(["--format=folded", "-o", str(path), str(source)]) == 1
        assert path.read_text() == "old"
        assert [p.name for p in tmp_path.glob("stacks*")] == ["stacks.folded"]


@pytest.mark.parametrize(
    "options",
    [
        ["--rows=routines"],
        ["--format=json", "--rows=points"],
        ["--format=text", "--no-fits"],
        ["--sort=size"],
        ["--color=yes"],
    ],
    ids=" ".join,
)
def test_bad_command_lines(options, source):
    with pytest.raises(SystemExit) as exit_:
        report_command.main([*options, str(source)])
    assert exit_.value.code == 2
