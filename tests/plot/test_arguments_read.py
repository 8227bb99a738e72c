"""Profiles with arguments (format version 5): read, refused where they are damaged, told, drawn and limited."""

from __future__ import annotations

import csv
import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from io import StringIO

import jsonschema
import pytest
from builder import SOURCE, write_records

from aprofplot.batch import database
from aprofplot.batch.cost_functions import fit_program
from aprofplot.commands.check import main as check
from aprofplot.commands.loading import load_profiles
from aprofplot.commands.plot import main as plot
from aprofplot.commands.report import main
from aprofplot.errors import ProfileError
from aprofplot.findings.ranking import find_all
from aprofplot.fits.growth import best_known
from aprofplot.fits.fitting import fit_routines
from aprofplot.merge import merge_threads
from aprofplot.model import RoutineProfile, argument_metric
from aprofplot.read.profile_reader import read_merged, read_profile
from aprofplot.reports.html.data import page_data
from aprofplot.reports.html.thread_rows import ThreadRows

HEADER = """\
aprof-trms-profile 5
creator aprof-trms 0.1.0
valgrind 3.19.0
command ./fib
pid 7
reason exit
option arguments auto
fair-sched no
renumberings 0
uncounted bb 0
event bb guest basic blocks
metric rms cells of 4 bytes
columns size calls thread external bb.min bb.max bb.sum bb.sumsq bb.self.min bb.self.max bb.self.sum bb.self.sumsq
object 1 /home/me/fib
file 1 /home/me/fib.c
routine 1 1 1 20 4096 main
routine 2 1 1 10 4000 fib
thread 1 0 - main
"""


def fibs(cost) -> list[tuple[int, int, int]]:
    """Value, calls and cost of each call, of fib(1) to fib(18)."""
    return [(n, 2, round(cost(n))) for n in range(1, 19)]


def points(rows) -> str:
    return "".join(f"{n} {c} 0 0 {k} {k} {c * k} {c * k * k} 4 4 {4 * c} {16 * c}\n" for n, c, k in rows)  # fmt: skip


def tables(rows) -> str:
    calls, total = sum(c for _, c, _ in rows), sum(c * k for _, c, k in rows)
    squares = sum(c * k * k for _, c, k in rows)
    least, most = min(k for *_, k in rows), max(k for *_, k in rows)
    return f"""\
table 1 1 1 0 0 0 {total + 9} 9
points rms 1 0
1 1 0 0 {total + 9} {total + 9} {total + 9} {(total + 9) ** 2} 9 9 9 81
callers 1
0 1 0 {total + 9} {total + 9}
table 1 2 {calls} 0 0 0 {total} {4 * calls}
points rms 1 0
2 {calls} 0 0 {least} {most} {total} {squares} 4 4 {4 * calls} {16 * calls}
callers 1
1 {calls} 0 {total} {total}
"""


def argument(rows, name="n") -> str:
    calls = sum(c for _, c, _ in rows)
    return f"argument 1 2 {calls} {name}\npoints argument {len(rows)} 0\n{points(rows)}"


ROWS = fibs(lambda n: 5 * 1.618**n + 3)
WHOLE = HEADER + tables(ROWS) + "arguments 1\n" + argument(ROWS)


def fib_of(profile) -> RoutineProfile:
    return next(of for of in profile.routines if of.routine.name == "fib")


@pytest.mark.parametrize("read", [read_profile, read_merged])
def test_points_are_those_of_the_file(tmp_path, read):
    table = fib_of(read(write_records(tmp_path, WHOLE))).points["argument:n"]
    assert table.column("size").tolist() == list(range(1, 19))
    assert table.column("bb.max").tolist() == [cost for *_, cost in ROWS]


@pytest.mark.parametrize(
    "old, new, what",
    [
        ("arguments 1", "arguments 2", "the profile ends where 'argument' was expected"),
        ("arguments 1", "arguments 0", "unknown or misplaced record 'argument'"),
        ("arguments 1\n", "", "the profile has no 'arguments' record"),
        ("argument 1 2 36 n", "argument 1 2 37 n", "36 calls where 37 activations finished"),
        ("argument 1 2 36 n", "argument 2 2 36 n", "thread '2' is used before it is defined"),
        ("argument 1 2 36 n", "argument 1 3 36 n", "routine '3' is used before it is defined"),
        ("argument 1 2 36 n", "argument 1 2", "'argument' with too few fields"),
        ("points argument 18", "points rms 18", "points 'rms' where 'argument' were expected"),
        ("points argument 18", "points argument 17", "unknown or misplaced|calls where"),
        ("profile 5", "profile 4", "no 'lines' record"),
    ],
)
@pytest.mark.parametrize("read", [read_profile, read_merged])
def test_damage_is_named(tmp_path, read, old, new, what):
    assert old in WHOLE
    with pytest.raises(ProfileError, match=what):
        read(write_records(tmp_path, WHOLE.replace(old, new)))


def test_values_that_few_calls_have_are_left_out(tmp_path):
    """The others have negative ones, or are of copies without the argument."""
    most, few = ROWS[1:], ROWS[2:]
    for rows, kept in ((most, True), (few, False)):
        text = HEADER + tables(ROWS) + "arguments 1\n" + argument(rows)
        read = read_merged(write_records(tmp_path, text))
        assert ("argument:n" in fib_of(read).points) == kept


@pytest.mark.parametrize("known, kept", [(1, False), (20, True)])
def test_threads_are_judged_together(tmp_path, known, kept):
    """One thread has the argument in few of its calls or in none; what counts is the share in all threads."""
    text = HEADER + "thread 2 1 - worker\nthread 3 1 - idle\n"
    rows = [(n, known * c, cost) for n, c, cost in ROWS]
    text += tables(rows)
    for thread in (2, 3):
        text += tables([(1, 4, 16)]).partition("table 1 2")[2].join([f"table {thread} 2", ""])
    few = argument([(1, 1, 16)]).replace("argument 1 2", "argument 2 2")
    path = write_records(tmp_path, text + "arguments 2\n" + argument(rows) + few)
    apart = read_profile(path)
    tables_apart = [
        of.points.get("argument:n") for of in apart.routines if of.routine.name == "fib"
    ]
    assert [None if of is None else int(of.column("calls").sum()) for of in tables_apart] == [
        36 * known,
        1,
        None,
    ]
    for merged in (merge_threads(apart), read_merged(path)):
        of = fib_of(merged).points.get("argument:n")
        assert (of is not None) == kept
        assert of is None or of.column("calls").sum() == 36 * known + 1


@pytest.mark.parametrize("name", ["n", ""])
def test_runs_add_up_but_not_with_one_that_has_none(tmp_path, name):
    text = HEADER + tables(ROWS) + "arguments 1\n" + argument(ROWS, name)
    paths = [write_records(tmp_path, text, f"aprof.out.{n}") for n in (7, 8)]
    metric = argument_metric(name)
    table = fib_of(load_profiles(paths, False, calls_per_thread=False)).points[metric]
    assert table.column("calls").tolist() == [4] * 18
    without = HEADER + tables(ROWS) + "arguments 0\n"
    paths.append(write_records(tmp_path, without, "aprof.out.9"))
    assert metric not in fib_of(load_profiles(paths, False, calls_per_thread=False)).points


def test_reports_tell_the_law(tmp_path, capsys):
    path = write_records(tmp_path, WHOLE)
    assert main(["--filter=fib", path]) == 0
    assert "1.62^n in n" in capsys.readouterr().out
    assert main(["--format=json", path]) == 0
    report = json.loads(capsys.readouterr().out)
    schema = json.loads((SOURCE / "docs/schema/aprof-report.schema.json").read_text())
    jsonschema.validate(report, schema)
    fib = next(of for of in report["routines"] if of["name"] == "fib")
    assert fib["fit"]["arguments"]["n"]["model"] == "c^n"
    assert len(fib["points"]["arguments"]["n"]) == 18
    growth = fib["growth"]
    assert (growth["law"], growth["in"]) == ("c^n", "argument:n")
    assert growth["sentence"] == "grows as 1.62^n in its argument n"
    for form in ("csv", "html", "callgrind"):
        assert main([f"--format={form}", "-o", str(tmp_path / form), path]) == 0
    capsys.readouterr()
    assert main(["--format=csv", "--rows=routines", path]) == 0
    heads, *rows = csv.reader(StringIO(capsys.readouterr().out))
    assert len(rows) == 2 and {len(row) for row in rows} == {len(heads)}


@pytest.mark.parametrize("known", [False, True])
def test_a_cost_that_varies_is_told_in_the_argument_if_one_tells_it(tmp_path, known):
    text = WHOLE if known else HEADER + tables(ROWS) + "arguments 0\n"
    findings = find_all(read_merged(write_records(tmp_path, text)), "bb")
    assert [(of.kind, of.place.routine.name) for of in findings] == (
        [("growth" if known else "unexplained", "fib")]
    )


def test_the_page_tells_the_law_as_the_table_does(tmp_path):
    rows = ThreadRows()
    profile = load_profiles([write_records(tmp_path, WHOLE)], False, each=rows.add)
    routines = page_data(profile, rows, ()).summary["routines"]
    index = routines["name"].index("fib")
    (by_metric,) = routines["metric"]
    assert by_metric["growth"][0][index] == "1.62^n in n"
    assert by_metric["class"][0][index] == "c^n"
    assert by_metric["rank"][0][index] > 3 and by_metric["confidence"][0][index] > 0.8


@pytest.mark.parametrize(
    "cost, model, name",
    [
        (lambda n: 7 + 4 * n, "n", "n"),
        (lambda n: 3 * n * n, "n^2", "n^2"),
        (lambda n: 6 * 2**n - 4, "2^n", "2^n"),
        (lambda n: 40 * 1.3**n, "c^n", "1.3^n"),
        (lambda n: 4 * 3**n, "c^n", "3^n"),
    ],
)
def test_laws(tmp_path, cost, model, name):
    rows = fibs(cost)
    fib = fib_of(read_merged(write_records(tmp_path, HEADER + tables(rows) + "arguments 1\n" + argument(rows))))  # fmt: skip
    fit, known = best_known(fib.points, fit_routines([fib], "bb")[0], "bb")
    assert (fit.model, fit.name, known.grows_in) == (model, name, "argument:n")
    assert fit.confidence > 0.8


def test_each_argument_is_charged_for(tmp_path):
    """What is said of one of four is less sure than of one alone."""
    several = "".join(argument(ROWS, name) for name in "abcn")
    sure = []
    for count, text in ((1, argument(ROWS)), (4, several)):
        text = HEADER + tables(ROWS) + f"arguments {count}\n" + text
        fib = fib_of(read_merged(write_records(tmp_path, text)))
        sure.append(best_known(fib.points, fit_routines([fib], "bb")[0], "bb")[1].confidence)
    assert sure[1] < sure[0] or sure == [1.0, 1.0]


def test_an_argument_that_scatters_explains_nothing(tmp_path):
    """Most of the cost's variance is between calls of one value."""
    rows = [(n, 200, 100 + n) for n in range(1, 19)]
    wide = "".join(f"{n} 200 0 0 1 4000 {200 * (100 + n)} {200 * 900_000} 4 4 800 3200\n" for n, _, _ in rows)  # fmt: skip
    text = HEADER + tables(rows) + f"arguments 1\nargument 1 2 3600 n\npoints argument 18 0\n{wide}"
    fib = fib_of(read_merged(write_records(tmp_path, text)))
    assert best_known(fib.points, fit_routines([fib], "bb")[0], "bb")[1].grows_in != "argument:n"


def test_plots_and_budgets(tmp_path, capsys):
    path, picture, budget = write_records(tmp_path, WHOLE), tmp_path / "fib.svg", tmp_path / "b"
    assert plot(["fib", "--metric=argument:n", "--fit", "-o", str(picture), path]) == 0
    text = picture.read_text()
    assert "value of the argument n" in text and "1.618^n" in text
    assert plot(["fib", "--metric=argument:m", "-o", str(picture), path]) == 1
    assert "plot --metric argument:n" in capsys.readouterr().err
    both = ["fib", "--with=main", "--metric=argument:n", "-o", str(picture), path]
    assert plot(both) == 0
    assert "left out 1 routine that has no points by argument n\n" in capsys.readouterr().err
    for line, status in (
        ("fib argument n <= 2^n", 0),
        ("fib argument n <= 1.7^n", 0),
        ("fib argument n <= 1.5^n", 1),
        ("fib argument n <= n^3", 1),
        ("fib argument m <= n", 2),
        ("main argument n <= n", 2),
    ):
        budget.write_text(line + "\n")
        assert check(["--budget", str(budget), path]) == status, line
    out = capsys.readouterr().out
    assert "no argument m is known in nearly all of its calls (there are n)" in out
    assert "argument n was not measured: profile with --arguments=yes, and compile with -g" in out


def test_a_batch_fits_the_law(tmp_path):
    """Of a name that is no UTF-8, too."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(Path(database.__file__).with_name("database.sql").read_text())
    connection.execute("INSERT INTO runs VALUES (1, 'r', 'fib', '', 1, 1, '', '', 'ok', 0, NULL, '', '', 0, 0, 0, 0, 0, '', '', '')")  # fmt: skip
    profile = read_merged(write_records(tmp_path, WHOLE))
    renamed = {"argument:n\udcff": fib_of(profile).points["argument:n"]}
    routines = (replace(fib_of(profile), points=renamed),)
    database._add_profile(connection, 1, replace(profile, routines=routines))
    fit_program(connection, "fib")
    assert list(connection.execute("SELECT metric, model FROM fits")) == [
        ("argument:n\\xff", "c^n")
    ]
