"""Loops by name in aprof-plot, aprof-check and aprof-diff: FILE:LINE, ROUTINE/loop:LINE."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from builder import Builder, Table, write_records
from test_loops_read import EXECUTIONS, HEADER, LOOPS, TABLES

from aprofplot.commands import check as check_command
from aprofplot.commands import diff as diff_command
from aprofplot.commands import plot as plot_command
from aprofplot.commands import report as report_command
from aprofplot.commands.loading import load_profiles
from aprofplot.compare.budget import parse_line
from aprofplot.compare.verdict import judge
from aprofplot.figures.views import ProgressView
from aprofplot.findings.finding import source_of_loop
from aprofplot.findings.ranking import find_all
from aprofplot.loop_scopes import PROGRESS, as_routine, matching_loops, source_loops
from aprofplot.named_scopes import named_scopes

NO_LINES = LOOPS.replace(" 1 22 25 main", " 0 0 0 ").replace(" 1 12 13 contains", " 0 0 0 ")


@pytest.fixture
def whole(tmp_path):
    return write_records(tmp_path, HEADER + LOOPS + TABLES + EXECUTIONS)


def loops_of(path):
    return source_loops(load_profiles([path], False).loops)


def plot(*arguments):
    return plot_command.main(list(map(str, arguments)))


@pytest.mark.parametrize(
    "pattern, lines",
    [
        ("scan.c:12", [12]),
        ("me/scan.c:22", [22]),
        ("/home/me/scan.c:22", [22]),
        ("can.c:12", []),
        ("scan.c:13", []),
        ("contains/loop", [12]),
        ("contains/loop:12", [12]),
        ("main/loop:12", [12]),
        ("main/loop", [22, 12]),
        ("main/loop+0xe", [12]),
        ("other/loop", []),
    ],
)
def test_names(pattern, lines, whole):
    assert [of.loop.line for of in matching_loops(loops_of(whole), pattern)] == lines


# Of `contains`, which was inlined into main at line 23.
INLINED = "contains/loop:12"


@pytest.mark.parametrize(
    "pattern, name",
    [
        ("contains", INLINED),
        ("contains (scan.c:12)", INLINED),
        ("main (scan.c:23)", INLINED),
        ("scan.c:23", INLINED),
        ("contains (scan.c:22)", "main/loop:22"),
        ("scan.c:20", "main"),
        ("scan:scan.c:20", "main"),
        ("main (scan.c:20)", "main"),
        ("main", "main"),
    ],
)
def test_whatever_a_report_prints_is_a_name(pattern, name, whole, tmp_path, capsys):
    assert [of.routine.name for of in named_scopes(load_profiles([whole], False), pattern)] == [
        name
    ]
    assert plot(pattern, whole, "-o", tmp_path / "out.png") in (0, 3)
    assert report_command.main([whole, "--filter", pattern]) == 0
    assert "  main  " in capsys.readouterr().out
    (tmp_path / "budget").write_text(f"{pattern} cost at size 64 <= 1\n")
    check_command.main(["--budget", str(tmp_path / "budget"), whole])
    assert "no loop" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "pattern", ["Set::contains/loop", "lib::Set::contains/loop:12", "Set::contains"]
)
def test_inlined_functions_may_be_qualified(pattern, whole):
    """Debug information names them without their class."""
    profile = load_profiles([whole], False)
    assert [of.routine.name for of in named_scopes(profile, pattern)] == [INLINED]


def test_what_is_taken_instead_of_a_qualified_name_is_said(whole, tmp_path, capsys):
    (tmp_path / "budget").write_text("Cache::contains/loop <= n\n")
    check_command.main(["--budget", str(tmp_path / "budget"), whole])
    written = capsys.readouterr()
    assert "no loop" not in written.out
    assert "Cache::contains is not in the profile; contains is taken" in written.err


@pytest.mark.parametrize("pattern", ["Set::main/loop", "Set::size/loop", "Set::main"])
def test_qualified_names_of_what_is_not_inlined_are_none(pattern, whole):
    assert named_scopes(load_profiles([whole], False), pattern) == []


def test_places_of_findings_are_names(whole):
    profile = load_profiles([whole], False)
    (finding,) = find_all(profile, "bb")
    for name in (
        str(finding.at),
        finding.at.function,
        str(source_of_loop(finding.scope.loop.loop)),
    ):
        assert named_scopes(profile, name), name


@pytest.mark.parametrize("pattern", ["other.c:23", "scan.c:24", "scan.c:", ":20", "no (scan.c:21)"])
def test_what_no_report_prints_is_none(pattern, whole):
    assert named_scopes(load_profiles([whole], False), pattern) == []


def test_without_debug_information(tmp_path, capsys):
    path = write_records(
        tmp_path, HEADER + NO_LINES.replace("inlined 2 1 23 main\n", "") + TABLES + EXECUTIONS
    )
    names = [as_routine(of).routine.name for of in loops_of(path)]
    assert names == ["main/loop+0x4", "main/loop+0xe"]
    assert len(matching_loops(loops_of(path), "main+0xe")) == 1
    assert plot("scan.c:12", path) == 1
    assert "without debug information (-g) they are ROUTINE+0xOFFSET" in capsys.readouterr().err
    assert report_command.main([path]) == 0
    assert "loop at main+0xe" in capsys.readouterr().out


def test_a_part_before_the_entry(tmp_path):
    """As the linker may put a routine's unlikely code."""
    loops = NO_LINES.replace("inlined 2 1 23 main\n", "").replace(" 4110 ", " 4078 ")
    path = write_records(tmp_path, HEADER + loops + TABLES + EXECUTIONS)
    assert "main/loop-0x12" in [as_routine(of).routine.name for of in loops_of(path)]
    for name in ("main/loop-0x12", "main-0x12"):
        assert len(matching_loops(loops_of(path), name)) == 1


@pytest.fixture
def one_line(tmp_path):
    """Two loops in line 22, side by side."""
    loops = LOOPS.replace("inlined 2 1 23 main\n", "")
    loops = loops.replace("2 1 1 4110 natural 1 12 13 contains", "2 1 0 4110 natural 1 22 25 main")
    return write_records(tmp_path, HEADER + loops + TABLES + EXECUTIONS)


def test_parts_of_one_loop_are_one(one_line):
    """Peeled or unrolled: two loops of the machine code with one line, side by side."""
    (of,) = loops_of(one_line)
    assert (of.executions, of.iterations) == (65, 64 + 2080)


@pytest.mark.parametrize(
    "pattern, executions",
    [
        ("scan.c:22", [65]),
        ("scan.c:22#1", [1]),
        ("me/scan.c:22#2", [64]),
        ("main/loop:22#2", [64]),
        ("main/loop+0xe", [64]),
        ("scan.c:22#3", []),
        ("scan.c:22#0", []),
    ],
)
def test_each_of_two_loops_in_one_line_has_a_name(pattern, executions, one_line):
    loops = load_profiles([one_line], False).loops
    assert [of.executions for of in matching_loops(loops, pattern)] == executions


def test_a_loop_alone_in_its_line_is_the_first(whole):
    loops = load_profiles([whole], False).loops
    assert [of.loop.line for of in matching_loops(loops, "scan.c:12#1")] == [12]
    assert matching_loops(loops, "scan.c:12#2") == []


def test_commands_find_one_of_two_loops_in_one_line(one_line, tmp_path, capsys):
    name, picture, budget = "scan.c:22#2", tmp_path / "out.svg", tmp_path / "budget"
    assert plot(name, one_line, "--metric", "iterations", "-o", picture) == 0
    assert plot(name, "--with", "scan.c:22#1", one_line, "--per-thread", "-o", picture) == 0
    assert "main/loop:22#2" in capsys.readouterr().out + picture.read_text()
    budget.write_text(f"{name} iterations cost at size 64 <= 1  # a comment\n")
    assert check_command.main(["--budget", str(budget), str(one_line)]) == 1
    assert report_command.main([str(one_line), "--filter", name]) == 0
    out = capsys.readouterr().out
    assert "VIOLATED: scan.c:22#2 iterations cost at size 64 <= 1: " in out
    assert "loop #1 in main, 64 iterations" in out and "loop #2 in main, 2,080 iterations" in out
    assert diff_command.main(["--all", "--min-share", "0", str(one_line), str(one_line)]) == 0
    out = capsys.readouterr().out
    assert "main/loop:22#1" in out and "main/loop:22#2" in out
    assert report_command.main([str(one_line), "--format=json"]) == 0
    loops = json.loads(capsys.readouterr().out)["loops"]
    assert [loop["number_in_line"] for loop in loops] == [1, 2]


def test_those_of_one_line_are_suggested(one_line, tmp_path, capsys):
    assert plot("scan.c:22#3", one_line) == 1
    error = capsys.readouterr().err
    assert "there is no loop at scan.c:22#3; the nearest are:" in error
    assert "main/loop:22#1  (scan.c:22#1, main/loop+0x4)" in error
    assert "main/loop:22#2  (scan.c:22#2, main/loop+0xe)" in error
    (tmp_path / "budget").write_text("scan.c:22#3 <= n\n")
    check_command.main(["--budget", str(tmp_path / "budget"), str(one_line)])
    assert "no loop at scan.c:22#3 (there are scan.c:22#1, scan.c:22#2)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [["scan.c:12", "--metric=iterations"], ["main/loop:22", "--plot=progress"], ["contains/loop"],
     ["scan.c:12", "--with=main", "--per-thread"], ["main/loop", "--all", "--metric=iterations"]],
    ids=" ".join,
)  # fmt: skip
def test_pictures(options, whole, tmp_path):
    path = tmp_path / "out.png"
    assert plot(*options, whole, "-o", path) in (0, 3)
    assert path.stat().st_size > 5000


def test_progress_is_the_cost_of_each_iteration_and_of_all_before(whole):
    outer = loops_of(whole)[0]
    each, together = ProgressView("bb").curves(as_routine(outer).points[PROGRESS])
    assert each.y[:4].tolist() == [10, 11, 18.75, 33.75]
    assert together.x.tolist() == [1, 3, 7, 15, 31, 63, 64]
    assert together.y.tolist() == np.cumsum([10, 22, 75, 270, 1020, 3960, 165]).tolist()


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["scan.c:21"], "there is no loop at scan.c:21; the nearest are:\n  main/loop:22"),
        (["other.c:20"], "there is no loop at other.c:20"),
        (["contain"], "no routine matches 'contain'"),
        (["main", "--metric=iterations"], "main is not a loop: only loops have iterations"),
        (["scan.c:12", "--metric=argument:n"], "is a loop: only routines have arguments"),
        (["scan.c:12", "--plot=progress"], "has no inner loop and no call"),
    ],
)
def test_what_is_no_loop(arguments, said, whole, capsys):
    assert plot(*arguments, whole) == 1
    assert said in capsys.readouterr().err


def test_a_profile_without_loops(tmp_path, capsys):
    path = Builder(tables=[Table(2, [(1, 1, 1, 1, 1)])]).write(tmp_path / "p")
    assert plot("app.c:4", path) == 1
    assert "profile with --loops=yes" in capsys.readouterr().err


def many_sizes(path, inner_cost=lambda n: 2 * n, lines=LOOPS):
    """As `whole`, but the inner loop has executions of many sizes."""
    sizes = [2**k for k in range(1, 9)]
    rows = [
        f"{n} 1 0 0 0" + f" {inner_cost(n)} {inner_cost(n)} {inner_cost(n)} 1" * 2 for n in sizes
    ]
    total = sum(map(inner_cost, sizes))
    block = "\n".join([f"8 0", *rows])
    inner = f"loop-table 1 2 8 0 510 0 0 {total} {total}\npoints rms {block}\npoints iterations {block}\nprogress 0\n"
    outer = EXECUTIONS[: EXECUTIONS.index("loop-table 1 2")]
    path.mkdir()
    return write_records(path, HEADER + lines + TABLES + outer + inner)


def test_budgets_of_loops(tmp_path, capsys):
    budget = tmp_path / "budget"
    budget.write_text(
        "scan.c:12 <= n\nscan.c:12 iterations <= log n\ncontains/loop cost at size 64 <= 200\nscan.c:13 <= n\n"
    )
    assert check_command.main(["--budget", str(budget), many_sizes(tmp_path / "p")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[1] for line in lines[:4]] == ["ok", "VIOLATED", "ok", "cannot tell"]
    assert "bb over iterations, 8 sizes to 256" in lines[1]
    assert "no loop at scan.c:13 (there are scan.c:12, scan.c:22)" in lines[3]


def test_a_cost_of_a_progress_has_no_scatter_of_its_own(whole, tmp_path, capsys):
    """An iteration's cost at 24 is 64; iterations of one bin are taken to differ only where laws are found."""
    budget = tmp_path / "budget"
    budget.write_text("main/loop:22 progress cost at size 24 <= 56\n")
    assert check_command.main(["--budget", str(budget), whole]) == 1
    assert "VIOLATED" in capsys.readouterr().out


def test_budgets_of_progress(whole, tmp_path, capsys):
    """The k-th of 64 iterations costs 5 + 2.5 k; that of the inner loop is not known."""
    budget = tmp_path / "budget"
    budget.write_text(
        "scan.c:22 progress <= 1\nscan.c:22 progress <= n\nmain/loop:22 progress cost at size 24 <= 70\n"
        "contains/loop progress <= 1\nmain progress <= 1\n"
    )
    assert check_command.main(["--budget", str(budget), whole]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[1] for line in lines[:5]] == ["VIOLATED", "ok", "ok"] + [
        "cannot tell"
    ] * 2
    assert "bb over progress, 7 sizes to 64" in lines[0] and "63.7" not in lines[1]
    assert "no inner loop and no call" in lines[3] and "only loops have a progress" in lines[4]
    assert check_command.main(["--budget", str(budget), "--update", whole]) == 0
    # The most it may be, by 7 bins of which the first have few iterations.
    assert budget.read_text().splitlines()[0] == "scan.c:22 progress <= n^1.5"
    budget.write_text("scan.c:22 progress max <= 1\n")
    assert check_command.main(["--budget", str(budget), whole]) == 3
    assert "only the mean inclusive cost of an iteration" in capsys.readouterr().err


def test_a_budget_from_a_run_with_findings_says_so(tmp_path, capsys):
    points = "".join(
        f"{20 * n} 1 0 0 0 {'1000 1000 1000 1000000 ' * 2}".strip() + "\n" for n in range(1, 7)
    )
    called = f"thread 1 0 - main\ntable 1 1 6 0 0 0 6000 6000\npoints rms 6 0\n{points}callers 1\n0 6 0 6000 6000\n"
    path = write_records(tmp_path, HEADER + LOOPS + called + EXECUTIONS)
    budget = tmp_path / "budget"
    assert check_command.main(["--budget", str(budget), "--update", path]) == 0
    said = (
        "contains (scan.c:12), inlined into main: 98 % of the cost, grows as n^2 in its iterations"
    )
    out, err = capsys.readouterr()
    assert out.endswith("0 kept, 0 raised, 2 added\n")
    assert err == f"aprof-check: note: the new limits allow what is a finding: {said}\n"
    assert budget.read_text().splitlines()[-3:-1] == [f"# finding: {said}", "main <= 1"]
    assert check_command.main(["--budget", str(budget), "--update", path]) == 0
    assert capsys.readouterr().err == ""  # nothing is added


def test_loops_of_two_builds_are_matched_by_function_and_order(tmp_path, capsys):
    """Lines have moved, and the inner loop is quadratic now."""
    old = many_sizes(tmp_path / "old")
    moved = LOOPS.replace(" 22 25 main", " 32 35 main").replace(
        " 12 13 contains", " 15 17 contains"
    )
    new = many_sizes(tmp_path / "new", lambda n: n * n, moved)
    assert diff_command.main(["--format=json", old, new]) == 1
    changes = json.loads(capsys.readouterr().out)["changes"]
    found = {(c["old"]["name"], c["new"]["name"]): c["kind"] for c in changes}
    assert found["contains/loop:12", "contains/loop:15"] == "growth worse"
    assert found["main/loop:22", "main/loop:32"] == "unchanged"
    assert diff_command.main([old, new]) == 1
    out = capsys.readouterr().out.splitlines()
    assert "Growth got worse (1 loop)" in out
    assert out[-1] == (
        "1 routine and 2 loops on both sides: 1 changed, 2 unchanged within 5 % (--all shows them)"
    )


def functions_of(text):
    """Self costs by function, of a callgrind file."""
    names, costs = {}, {}
    for line in text.splitlines():
        found = re.match(r"c?fn=\((\d+)\)(?: (.*))?", line)
        if found:
            names.setdefault(found[1], found[2])
            at = names[found[1]] if line.startswith("fn") else at
            due = line.startswith("fn")
        elif re.fullmatch(r"\d+ \d+", line) and due:
            costs[at], due = int(line.split()[1]), False
    return costs


def test_loops_are_functions_of_callgrinds_format(whole, capsys):
    assert report_command.main(["--format=callgrind", whole]) == 0
    out = capsys.readouterr().out
    assert functions_of(out) == {
        "main": 100,
        "main'loop scan.c:22": 5900 - 4160,
        "main'loop scan.c:12": 4160,
    }
    assert "totals: 6000" in out
    calls = re.findall(r"cfn=\(\d+\) (.*)\ncalls=(\d+) (\d+)\n(\d+) (\d+)", out)
    assert ("main'loop scan.c:22", "1", "22", "20", "5900") in calls
    assert "\ncalls=64 12\n22 4160\n" in out  # of the inner one, by the outer


def test_loops_are_frames_of_stacks(tmp_path, capsys):
    context = TABLES[TABLES.index("table") : TABLES.index("callers")].replace(
        "table", "context 1 0"
    )
    path = write_records(
        tmp_path, HEADER + LOOPS + TABLES + f"contexts 1 0\n{context}" + EXECUTIONS
    )
    assert report_command.main(["--format=folded", path]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "main 100",
        "main;main'loop scan.c:22 1740",
        "main;main'loop scan.c:22;main'loop scan.c:12 4160",
    ]
    assert report_command.main(["--format=speedscope", path]) == 0
    made = json.loads(capsys.readouterr().out)
    names = [frame["name"] for frame in made["shared"]["frames"]]
    assert names == ["main", "main'loop scan.c:22", "main'loop scan.c:12"]
    assert made["profiles"][0]["endValue"] == 6000


def test_a_progress_has_no_span(whole, monkeypatch):
    profile = load_profiles([whole], False)
    monkeypatch.setattr(type(profile), "event_names", ("bb", "work", "span"))
    line = parse_line(1, "scan.c:22 progress cost span <= 1")
    verdict = judge(profile, line, 0.05)
    assert verdict.status == "cannot tell" and "a progress has no span" in verdict.message
