"""Profiles with source lines (format version 4): read, refused where they are damaged, reported."""

from __future__ import annotations

import json

import jsonschema
import pytest
from builder import SOURCE, write_records

from aprofplot.commands.loading import load_profiles
from aprofplot.commands.report import main
from aprofplot.errors import ProfileError
from aprofplot.read.profile_reader import read_merged, read_profile

HEADER = """\
aprof-trms-profile 4
creator aprof-trms 0.1.0
valgrind 3.19.0
command ./scan
pid 7
reason exit
option lines yes
fair-sched no
renumberings 0
uncounted bb 0
event bb guest basic blocks
metric rms cells of 4 bytes
columns size calls thread external bb.min bb.max bb.sum bb.sumsq bb.self.min bb.self.max bb.self.sum bb.self.sumsq
object 1 /home/me/scan
file 1 /home/me/scan.c
file 2 /home/me/scan.h
routine 1 1 1 20 4096 main
routine 2 1 1 10 4000 scan
"""
NAMES = """\
function 3 swap
thread 1 0 - main
thread 2 1 1 reader
"""


def table(thread, routine, cost):
    return f"""\
table {thread} {routine} 1 0 0 0 {cost} {cost}
points rms 1 0
9 1 0 0 {cost} {cost} {cost} {cost * cost} {cost} {cost} {cost} {cost * cost}
callers 1
0 1 0 {cost} {cost}
"""


TABLES = table(1, 1, 8) + table(1, 2, 30) + table(2, 2, 10)
LINES = """\
lines 5
1 0 0 0 0 1
1 1 21 0 40 7
2 1 11 0 90 20
2 1 12 0 60 15
2 2 5 3 10 5
"""


@pytest.fixture
def whole(tmp_path):
    return write_records(tmp_path, HEADER + NAMES + TABLES + LINES)


@pytest.mark.parametrize("read", [read_profile, read_merged])
def test_lines_and_their_costs(whole, read):
    lines = [
        (of.routine.name, *of[1:4], of.cost["instr"], of.cost["bb"]) for of in read(whole).lines
    ]
    assert lines == [
        ("main", "", 0, "main", 0, 1),
        ("main", "/home/me/scan.c", 21, "main", 40, 7),
        ("scan", "/home/me/scan.c", 11, "scan", 90, 20),
        ("scan", "/home/me/scan.c", 12, "scan", 60, 15),
        ("scan", "/home/me/scan.h", 5, "swap", 10, 5),
    ]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (
            "2 1 11 0 90 20",
            "2 1 11 0 90 21",
            "the lines of scan add up to 41 bb, but its self cost is 40",
        ),
        ("1 0 0 0 0 1\n", "", "the lines of main add up to 7 bb, but its self cost is 8"),
        ("2 1 11", "2 1 13", "the lines are not in ascending order"),
        ("2 1 12", "2 1 11", "the lines are not in ascending order"),
        ("2 2 5 3", "2 2 5 4", "function 4 is used before it is defined"),
        ("2 2 5 3", "2 9 5 3", "file 9 is used before it is defined"),
        ("2 2 5 3", "7 2 5 3", "routine 7 is used before it is defined"),
        ("2 2 5 3 10 5", "2 2 5 3 10", "a line that is not 6 numbers"),
        ("lines 5", "lines 6", "6 lines announced, more than are left"),
        ("lines 4", "lines 3", "unknown or misplaced record '2'"),
        ("lines 5\n", "", "the profile has no 'lines' record"),
        ("function 3 swap", "function 0 swap", "id 0 is not positive"),
    ],
)
@pytest.mark.parametrize("read", [read_profile, read_merged])
def test_damage_is_named(tmp_path, read, old, new, what):
    text = HEADER + NAMES + TABLES + LINES
    if "lines 4" in old:
        text, new = text.replace("lines 5", "lines 4"), "lines 4"
    elif new == "" and old.startswith("1 0"):
        text = text.replace("lines 5", "lines 4")
    assert old in text
    with pytest.raises(ProfileError, match=what):
        read(write_records(tmp_path, text.replace(old, new)))


def test_lines_of_several_runs_add_up(tmp_path):
    paths = [
        write_records(tmp_path, HEADER + NAMES + TABLES + LINES, f"aprof.out.{n}") for n in (7, 8)
    ]
    lines = load_profiles(paths, False, calls_per_thread=False).lines
    assert len(lines) == 5
    assert [of.cost for of in lines if of.line == 11] == [{"instr": 180, "bb": 40}]


def test_runs_of_which_one_has_no_lines_have_none(tmp_path):
    """Sums would lack what the other run executed."""
    without = (HEADER + TABLES).replace("profile 4", "profile 2").replace("option lines yes\n", "")
    without = without.replace("table 1 1 1", "thread 1 0 - \nthread 2 1 - \ntable 1 1 1", 1)
    paths = [
        write_records(tmp_path, HEADER + NAMES + TABLES + LINES),
        write_records(tmp_path, without, "aprof.out.8"),
    ]
    assert load_profiles(paths, False, calls_per_thread=False).lines == ()


def test_the_json_report_has_lines_by_routine(whole, capsys):
    assert main(["--format=json", whole]) == 0
    report = json.loads(capsys.readouterr().out)
    schema = json.loads((SOURCE / "docs" / "schema" / "aprof-report.schema.json").read_text())
    jsonschema.validate(report, schema)
    (scan,) = [routine for routine in report["routines"] if routine["name"] == "scan"]
    assert [line["cost"]["instr"] for line in scan["lines"]] == [90, 60, 10]
    assert scan["lines"][2]["function"] == "swap"
    assert sum(line["cost"]["bb"] for line in scan["lines"]) == scan["cost"]["bb"]["self"]
    assert main(["--format=json", "--per-thread", whole]) == 0
    assert "lines" not in json.loads(capsys.readouterr().out)["routines"][0]


def test_the_table_of_lines(whole, capsys):
    assert main(["--lines", "--top=2", whole]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "instr  bb  instr %  line",
        "   90  20     45.0  /home/me/scan.c:11  scan",
        "   60  15     30.0  /home/me/scan.c:12  scan",
        "2 more lines: --top=4 shows all",
        "2.1 % of bb is in code without line information",
    ]
    assert main(["--lines", "--filter=scan", "--top=0", whole]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "   10   5      6.2  /home/me/scan.h:5  swap, inlined into scan"


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--format=json"], "--lines is for --format=text"),
        (["--sort=self"], "leave --sort out"),
        (["--per-thread"], "leave --per-thread out"),
    ],
)
def test_lines_with_other_options(whole, capsys, options, what):
    with pytest.raises(SystemExit) as exit_:
        main(["--lines", *options, whole])
    assert exit_.value.code == 2 and what in capsys.readouterr().err


def test_a_profile_of_version_3_without_loops(tmp_path):
    """It has notes."""
    noted = (HEADER + NAMES + TABLES).replace("profile 4", "profile 3")
    noted = noted.replace("fair-sched", "note io-uring 1 use of it\nfair-sched")
    profile = read_profile(write_records(tmp_path, noted))
    assert profile.lines == profile.loops == () and len(profile.runs[0].notes) == 1


def test_a_profile_without_lines(tmp_path, capsys):
    old = (
        (HEADER + NAMES + TABLES).replace("profile 4", "profile 2").replace("function 3 swap\n", "")
    )
    assert main(["--lines", write_records(tmp_path, old)]) == 1
    assert "no costs of source lines" in capsys.readouterr().err
