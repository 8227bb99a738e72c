"""--format=callgrind: what callgrind_annotate makes of it is what the profile says."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from builder import Builder, Table
from calling import edge, numbers, profile, recursive, routine

from aprofplot.commands import report as report_command
from aprofplot.reports.call_costs import calls_that_count_once
from aprofplot.reports.callgrind import write_callgrind

POINTS = [(1, 1, 2, 2, 2), (2, 1, 4, 4, 4)]


@pytest.fixture
def annotated(tmp_path):
    """Costs by `file:function`, and PROGRAM TOTALS, as callgrind_annotate prints them."""
    if shutil.which("callgrind_annotate") is None:
        pytest.skip("no callgrind_annotate here")

    def annotate(path, *options):
        command = [
            "callgrind_annotate",
            "--threshold=100",
            "--auto=no",
            *options,
            str(path),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        costs = {}
        for line in done.stdout.splitlines():
            found = re.match(r" *((?:[\d,]+ \( *[\d.]+%\) +)+) *(\S.*?)(?: \[.*\])?$", line)
            if found:
                *_, name = found[2].split("/")
                events = re.findall(r"([\d,]+) \(", found[1])
                costs[name] = [int(cost.replace(",", "")) for cost in events]
        return costs

    return annotate


@pytest.fixture
def written(tmp_path):
    def write(of):
        path = tmp_path / "callgrind.out.100"
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as out:
            write_callgrind(out, of)
        return path

    return write


def test_the_whole_file(written):
    main, work = routine("main"), routine("work", file="", object="/lib/x.so")
    calls = [edge(main, work, 3, 99, outermost=54)]
    of = profile([numbers(main, 6, 60), numbers(work, 54, calls=3)], calls, uncounted=5)
    assert (
        written(of).read_text()
        == """\
# callgrind format
version: 1
creator: aprof-trms 0.1.0
pid: 100
cmd: ./app 1
desc: Event bb: guest basic blocks
positions: line
events: bb
summary: 65

ob=(1) /bin/app
fl=(2) /src/app.c
fn=(3) main
7 6
cob=(4) /lib/x.so
cfi=(5) ???
cfn=(6) work
calls=3 0
7 54

ob=(4)
fl=(5)
fn=(6)
0 54

ob=(7) ???
fl=(5)
fn=(8) (uncounted)
0 5

totals: 65
"""
    )


def test_self_costs_and_totals(annotated, tmp_path, capsys):
    """The builder's profiles have 5 uncounted blocks and twice as many instructions."""
    routines = [
        ("main", 1, 1, 10),
        ("f(int)", 1, 1, 3),
        ("f(int)", 2, 0, 0),
        ("(anon)::g", 1, 2, 1),
    ]
    tables = [Table(i, POINTS) for i in range(1, 5)]
    builder = Builder(
        routines=routines,
        objects=["/bin/app", "/lib/x.so"],
        files=["/src/app.c", "/src/g.c"],
        tables=[*tables, Table(1, POINTS, thread=2)],
        events=("bb", "instr"),
        threads=("", ""),
    )
    source = builder.write(tmp_path / "p")
    path = tmp_path / "callgrind.out.1"
    arguments = ["--format=callgrind", "-o", str(path), str(source), str(source)]
    assert report_command.main(arguments) == 0
    assert capsys.readouterr().out == f"{path}\n"
    assert annotated(path) == {
        "PROGRAM TOTALS": [70, 130],
        "app.c:main": [24, 48],
        "app.c:f(int)": [12, 24],
        "???:f(int)": [12, 24],
        "g.c:(anon)::g": [12, 24],
        "???:(uncounted)": [10, 10],
    }


def test_inclusive_costs_are_the_profile_s(annotated, written):
    of = recursive()
    path = written(of)
    found = annotated(path, "--inclusive=yes")
    expected = {f"app.c:{r.routine.name}": [r.cost["bb"].inclusive] for r in of.routines}
    assert found == {**expected, "???:(uncounted)": [19], "PROGRAM TOTALS": [180]}


def test_threads_and_runs_are_together():
    a, b = routine("a"), routine("b")
    calls = [edge(a, b, 1, 4), edge(a, b, 2, 5, thread=2)]
    routines = [
        numbers(a, 1, 10),
        numbers(b, 4, calls=1),
        numbers(b, 5, thread=2, calls=2),
    ]
    (found,) = calls_that_count_once(profile(routines, calls, threads=("", "")))
    assert (found.calls, found.outermost, len(found.threads)) == (3, {"bb": 9}, 2)


def test_a_thread_s_first_routine_may_call_itself(annotated, written):
    """Readers would take its inclusive cost for that of its own calls."""
    first = routine("first")
    of = profile([numbers(first, 50, calls=3)], [edge(first, first, 2, 30, outermost=0)])
    found = [(e.caller.name, e.calls, e.outermost) for e in calls_that_count_once(of)]
    assert found == [("first", 2, {"bb": 0}), ("(no caller)", 1, {"bb": 50})]
    assert annotated(written(of), "--inclusive=yes")["app.c:first"] == [50]


def calls_of(text):
    """(caller, callee, calls, cost) of each call."""
    names = dict(re.findall(r"^c?fn=\((\d+)\) (.*)$", text, re.M))
    function = r"^fn=\((\d+)\)|^cfn=\((\d+)\).*\ncalls=(\d+) \d+\n\d+ (\d+)"
    caller, found = "", []
    for own, callee, calls, cost in re.findall(function, text, re.M):
        caller = names[own] if own else caller
        found += [(caller, names[callee], int(calls), int(cost))] if callee else []
    return found


def test_calls_within_others_of_their_callee_close_no_cycle(annotated, written):
    """gprof2dot shares what a function costs among its callers by the cost of the calls, and stops at
    two of one cycle that cost nothing."""
    path = written(recursive())
    assert calls_of(path.read_text()) == [
        ("even", "odd", 2, 45),
        ("fib", "fib'2", 8, 0),
        ("main", "even", 1, 60),
        ("main", "fib", 1, 90),
        ("odd", "even'2", 1, 0),
        ("odd", "leaf", 1, 5),
        ("start", "main", 1, 160),
    ]
    functions = re.findall(r"^fn=\(\d+\) ?(.*)\n(.*)$", path.read_text(), re.M)
    assert len(functions) == 9 and sum(cost == "7 0" for _, cost in functions) == 2


def test_a_call_that_cost_nothing_at_all_is_a_call(written):
    """As one that had just begun when the profile was dumped."""
    a, b = routine("a"), routine("b")
    of = profile([numbers(a, 3), numbers(b, 0)], [edge(a, b, 1, 0)])
    assert calls_of(written(of).read_text()) == [("a", "b", 1, 0)]


def test_deeper_calls_of_namesakes(written):
    twins = [routine("twin", file="", address=address) for address in (16, 255)]
    calls = [edge(twins[1], twins[1], 3, 9, outermost=0)]
    text = written(profile([numbers(twin, 3) for twin in twins], calls)).read_text()
    assert calls_of(text)[0] == ("twin@0xff", "twin@0xff'2", 3, 0)


def test_the_header_has_what_callgrind_s_own_has(written):
    """Qt Creator ends its header at a line that it does not know, as `event:`, and then knows of no
    events."""
    header = written(recursive()).read_text().partition("\n\n")[0]
    keys = {line.partition(":")[0] for line in header.splitlines()[1:]}
    assert keys == {"version", "creator", "pid", "cmd", "desc", "positions", "events", "summary"}


def test_names_are_text(annotated, written):
    """gprof2dot dies of bytes that are no UTF-8."""
    latin = b"gr\xf6\xdfe".decode("utf-8", "surrogateescape")
    path = written(profile([numbers(routine(latin, file=f"/{latin}.c", object=latin), 3)]))
    text = path.read_bytes().decode("utf-8")
    assert all(f" {part}\n" in text for part in (r"gr\xf6\xdfe", r"/gr\xf6\xdfe.c"))
    assert annotated(path)[r"gr\xf6\xdfe.c:gr\xf6\xdfe"] == [3]


def test_namesakes_are_told_apart_by_their_address(written):
    twins = [routine("twin", file="", address=address) for address in (16, 255)]
    text = written(profile([numbers(twin, 3) for twin in twins])).read_text()
    assert re.findall(r"fn=\(\d+\) (.*)", text) == ["twin@0x10", "twin@0xff"]


@pytest.mark.parametrize(
    "name", ["(1) f", "a\nfn=(1) b", "calls=1 2", " ", "関数", "f 12", "f;g", "+1", "# f"]
)
def test_no_name_can_break_a_line(name, annotated, written):
    of = profile([numbers(routine(name), 3), numbers(routine("main"), 4)])
    assert annotated(written(of))["PROGRAM TOTALS"] == [7]
    lines = written(of).read_text().split("\n")
    assert sum(line.startswith("fn=") for line in lines) == 2


def test_profiles_without_cost(annotated, written):
    assert "summary: 0\n" in written(profile([])).read_text()


def test_merged_runs_are_said(written):
    of = recursive()
    other = replace(of.runs[0], command="./app 2", pid=101)
    text = written(replace(of, runs=(*of.runs, other))).read_text()
    assert "desc: Merged with: ./app 2 (pid 101)\n" in text
    assert "summary: 199\n" in text


def test_options_without_a_meaning_here(sample, capsys):
    for option in ("--sort=self", "--filter=main", "--per-thread", "--rows=routines"):
        with pytest.raises(SystemExit) as exit_:
            report_command.main(["--format=callgrind", option, str(sample)])
        assert exit_.value.code == 2
        assert option.partition("=")[0] in capsys.readouterr().err
