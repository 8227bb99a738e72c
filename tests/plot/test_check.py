"""aprof-check from the user's side: verdicts, messages, exit statuses, JUnit, --update."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from builder import SOURCE, Builder, Table

from aprofplot.commands import check as check_command
from aprofplot.commands.loading import load_profiles
from aprofplot.compare.budget import parse_line
from aprofplot.compare.verdict import judge

SIZES = range(10, 410, 10)
ROUTINES = [
    ("main", 1, 1, 10),
    ("work", 1, 1, 3),
    ("work_more", 1, 1, 7),
    ("last", 1, 1, 9),
]


def points(cost, sizes=SIZES):
    """Called once on each size."""
    return [(n, 1, *[int(cost(n))] * 3) for n in sizes]


def linear(n):
    return 20 * n


def profile(path, *curves, routines=ROUTINES, **more):
    """work, work_more and last have these points."""
    tables = [Table(i, curve) for i, curve in enumerate(curves, 2)]
    return Builder(routines=routines, tables=tables, **more).write(path)


def check(budget, *arguments):
    return check_command.main(["--budget", str(budget), *(str(a) for a in arguments)])


@pytest.fixture
def verdict(tmp_path, capsys):
    """verdict(line, profile...): exit status, and its message after the line's own text."""

    def one(line, *profiles):
        budget = tmp_path / "budget"
        budget.write_text(f"# one\n\n{line}\n")
        status = check(budget, *profiles)
        message, summary = capsys.readouterr().out.splitlines()
        words = {0: "ok", 1: "VIOLATED", 2: "cannot tell"}
        start = f"{budget}:3: {words[status]}: {line}: "
        assert message.startswith(start)
        assert summary == f"1 {words[status].lower()}"
        return status, message.removeprefix(start)

    return one


@pytest.mark.parametrize(
    "cost, holds, breaks",
    [
        (lambda n: 500, ["1", "log n"], []),
        (lambda n: 100 * math.log2(n), ["log n", "sqrt n", "n"], ["1"]),
        (
            linear,
            ["n", "n log n", "n^1.5", "n^2", "2^n"],
            ["1", "log n", "sqrt n", "n^0.9"],
        ),
        (lambda n: 9 * n * math.log2(n), ["n log n", "n^1.5"], ["n", "sqrt n"]),
        (lambda n: n * n + 50, ["n^2", "n^3", "n^2 log n"], ["n", "n log n", "n^1.5"]),
    ],
    ids=["1", "log n", "n", "n log n", "n^2"],
)
def test_growth(cost, holds, breaks, tmp_path, verdict):
    one = profile(tmp_path / "p", points(cost))
    assert [law for law in holds + breaks if verdict(f"work <= {law}", one)[0] == 0] == holds


def test_what_was_measured_is_said(tmp_path, verdict):
    one = profile(tmp_path / "p", points(linear))
    said = "20 n (bb over trms, 40 sizes to 400; confidence "
    status, message = verdict("work <= 1", one)
    assert (status, message[: len(said)]) == (1, said)


def test_growth_that_does_not_show_holds(tmp_path, verdict):
    """n^2 grows the cost by 1 % in all."""
    one = profile(tmp_path / "p", points(lambda n: 10_000_000 + n * n))
    assert verdict("work <= 1", one)[0] == 0


def test_a_cost_that_falls_holds_although_no_law_describes_it(tmp_path, verdict):
    one = profile(tmp_path / "p", points(lambda n: 1_000_000 / n))
    status, message = verdict("work <= 1", one)
    assert status == 0 and message.endswith("though the cost falls as the input grows")


def test_tolerance_of_growth(tmp_path, verdict, capsys):
    """From 63, the middle of the sizes, to 400 the cost is three times as high."""
    one = profile(tmp_path / "p", points(lambda n: 1000 + 10 * n))
    assert verdict("work <= 1", one)[0] == 1
    assert check(tmp_path / "budget", "--tolerance=300%", one) == 0
    assert "within tolerance" in capsys.readouterr().out


def test_thin_data_cannot_be_told(tmp_path, verdict):
    one = profile(tmp_path / "p", points(linear, sizes=(10, 20, 30)))
    status, message = verdict("work <= n", one)
    assert (status, message.partition(" (")[0]) == (2, "3 distinct sizes; 5 needed")


@pytest.mark.parametrize("law, status", [("n", 1), ("n log n", 1), ("n^3", 0), ("n^2 log n", 2)])
def test_a_tie_is_decided_where_all_laws_agree(law, status, tmp_path, verdict):
    """Six noisy sizes may follow anything from n^2 log n to n^3, and n^2 is possible."""
    costs = {10: 335, 20: 2380, 30: 5760, 40: 15004, 50: 24174, 60: 41457}
    one = profile(tmp_path / "p", points(costs.__getitem__, sizes=costs))
    found, message = verdict(f"work <= {law}", one)
    assert found == status
    assert "anything from n^2 log n to n^3 explains the cost" in message


@pytest.mark.parametrize("law, status", [("n log n", 1), ("n^3", 0)])
def test_a_law_that_is_not_sure_is_decided_where_all_laws_agree(law, status, tmp_path, verdict):
    costs = {10: 417, 20: 2598, 30: 6753, 40: 16894, 50: 20796, 60: 49750}
    one = profile(tmp_path / "p", points(costs.__getitem__, sizes=costs))
    found, message = verdict(f"work <= {law}", one)
    assert found == status
    assert float(message.partition("confidence ")[2][:4]) < 0.5


@pytest.mark.parametrize("law, status", [("n", 1), ("n log n", 1), ("n^1.5", 2), ("n^3", 2)])
def test_a_slope_that_is_certainly_above_decides_against_unlikely_laws(
    law, status, tmp_path, verdict
):
    """Near ties go from n^1.5 to n^3; n has a weight of 0.005."""
    costs = {33: 570, 37: 784, 43: 1325, 50: 2216, 61: 5271, 76: 9431, 98: 18450, 142: 34277}
    one = profile(tmp_path / "p", points(costs.__getitem__, sizes=costs))
    found, message = verdict(f"work <= {law}", one)
    assert found == status
    assert message.startswith("at least n^3.07 (") == (found == 1)


def test_a_slope_that_is_certainly_above_does_not_decide_against_a_likely_law(tmp_path, verdict):
    """60 (n - 8), with 5 % of noise: the slope is at least 1.3."""
    costs = {9: 76, 37: 1754, 65: 3412, 92: 4778, 120: 5952, 148: 8290, 176: 9776, 203: 12363}
    one = profile(tmp_path / "p", points(costs.__getitem__, sizes=costs))
    assert verdict("work <= n", one)[0] == 2


def test_a_slope_decides_only_beyond_the_tolerance_by_the_likely_laws(tmp_path, verdict):
    """By 58.7 n - 453 the cost grows 28 % more than n^0.95 over the upper half of the sizes."""
    costs = {9: 76, 37: 1754, 65: 3412, 92: 4778, 120: 5952, 148: 8290, 176: 9776, 203: 12363}
    one = profile(tmp_path / "p", points(costs.__getitem__, sizes=costs))
    assert verdict("work <= n^0.95", one)[0] == 1
    budget = tmp_path / "budget"
    assert check(budget, "--tolerance=25%", one) == 1
    assert check(budget, "--tolerance=30%", one) == 2


def test_no_near_tie_is_forgotten(tmp_path, verdict):
    """n^0.175 is a near tie of sqrt n. By weight, it comes after three other laws."""
    costs = {12: 1214, 32: 1374, 45: 1489, 62: 1609, 69: 1621, 70: 1645, 71: 1667}
    one = profile(tmp_path / "p", points(costs.__getitem__, sizes=costs))
    status, message = verdict("work <= n^0.25", one)
    assert status == 0
    assert message.endswith("but n^0.175 cannot be ruled out")


def test_cost_at_size(tmp_path, verdict):
    one = profile(tmp_path / "p", points(linear))
    assert verdict("work cost at size 100 <= 2000", one) == (0, "2,000 bb, at 100 trms")
    status, message = verdict("work cost at size 100 <= 1000", one)
    assert (status, message) == (1, "2,000 bb, at 100 trms: 2.00 times the limit")
    between = verdict("work cost at size 105 <= 2e6", one)[1]
    assert between == "2,100 bb, at a size between 100 and 110 trms"
    assert verdict("work cost at size 100 <= 1950", one)[1].endswith("within tolerance and scatter")


@pytest.mark.parametrize("size", [9, 401, 4000])
def test_cost_beyond_the_sizes_cannot_be_told(size, tmp_path, verdict):
    one = profile(tmp_path / "p", points(linear))
    status, message = verdict(f"work cost at size {size} <= 1", one)
    assert status == 2
    assert message == f"no points near size {size:,}: 40 sizes from 10 to 400 trms"


def test_cost_across_a_gap_cannot_be_told(tmp_path, verdict):
    one = profile(tmp_path / "p", points(linear, sizes=(10, 1000)))
    assert verdict("work cost at size 100 <= 1", one)[0] == 2


def test_metric_event_statistic(tmp_path, verdict):
    """20 n by TRMS, constant by RMS; instr is twice bb; at 50 one activation costs 5000."""
    curve = [p if p[0] != 50 else (50, 2, 1000, 5000, 6000) for p in points(linear)]
    flat = [(n, 1, 600, 600, 600) for n in range(10, 51)]
    tables = [Table(2, curve, rms=flat)]
    both = Builder(ROUTINES, tables=tables, events=("bb", "instr")).write(tmp_path / "p")
    assert verdict("work <= 1", both)[0] == 1
    assert verdict("work rms <= 1", both)[0] == 0
    assert verdict("work cost at size 100 instr <= 4000", both)[1].startswith("4,000 instr")
    for statistic, cost in (("mean", "3,000"), ("max", "5,000"), ("min", "1,000")):
        assert verdict(f"work {statistic} cost at size 50 <= 1e9", both)[1].startswith(cost)
    bare = profile(tmp_path / "r", points(linear), metrics=("rms",))
    said = "trms was not measured: profile with --input-metric=both"
    assert verdict("work trms <= n", bare) == (2, said)
    assert verdict("work <= n", bare)[0] == 0
    assert verdict("work instr <= n", bare)[1] == "instr was not measured: profile with --cost=both"


def test_parallelism_that_was_not_measured(tmp_path, verdict):
    one = profile(tmp_path / "p", points(linear))
    said = f"no work-span data in {one}: profile with --work-span=yes"
    assert verdict("work parallelism >= 8", one) == (2, said)


def test_globs_and_objects(tmp_path, verdict):
    """All that a glob fits must hold; the worst is said."""
    one = profile(tmp_path / "p", points(linear), points(lambda n: n * n))
    assert verdict("app:work <= n", one)[0] == 0
    status, message = verdict("app.c:work* <= n", one)
    assert status == 1
    assert message.startswith("1 of 2 routines, as work_more: n^2")
    status, message = verdict("work* <= n^2", one)
    assert (status, message.partition(":")[0]) == (0, "2 of 2 routines, as work")


def test_names_as_people_write_them(tmp_path, verdict):
    """Of a function copied by the compiler, all clones must hold; qualifiers may be left out."""
    names = ["bubble(int*)", "bubble(int*) [clone .constprop.0]", "shop::render[abi:cxx11](int)"]
    routines = [("main", 1, 1, 10), *((name, 1, 1, i) for i, name in enumerate(names, 1))]
    curves = [points(linear), points(lambda n: n * n), points(linear)]
    one = profile(tmp_path / "p", *curves, routines=routines)
    status, message = verdict("bubble <= n", one)
    assert (status, message.partition(":")[0]) == (
        1,
        "1 of 2 routines, as bubble(int*) [clone .constprop.0]",
    )
    assert verdict("render <= n", one)[0] == 0
    assert verdict("shop::render <= 1", one)[0] == 1


def test_unknown_routines_cannot_be_told(tmp_path, verdict):
    one = profile(tmp_path / "p", points(linear))
    assert verdict("wrok <= n", one) == (
        2,
        "no routine matches 'wrok' (there are work)",
    )


def test_violated_wins_over_cannot_tell(tmp_path, capsys):
    (tmp_path / "b").write_text("none <= n\nwork <= 1\nwork <= n\n")
    one = profile(tmp_path / "p", points(linear))
    assert check(tmp_path / "b", one) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "1 ok, 1 violated, 1 cannot tell"
    assert check(tmp_path / "b", "-q", one) == 1
    out = capsys.readouterr().out
    assert [line.split(": ")[1] for line in out.splitlines()[:-1]] == [
        "cannot tell",
        "VIOLATED",
    ]


def noisy(seed, law, noise):
    """Another run: sizes and costs vary."""
    source = random.Random(seed)
    sizes = sorted(source.sample(range(10, 1000), 40))
    return points(lambda n: max(law(n) * math.exp(source.gauss(0, noise)), 1), sizes)


@pytest.mark.parametrize(
    "line, law, noise, status",
    [
        ("work <= n", linear, 0.1, "ok"),
        ("work <= n log n", lambda n: 9 * n * math.log2(n), 0.1, "ok"),
        ("work <= log n", lambda n: 200 * math.log2(n), 0.1, "ok"),
        ("work <= 1", lambda n: 5000, 0.1, "ok"),
        ("work <= n", lambda n: n * n, 0.3, "violated"),
        ("work cost at size 500 <= 10000", linear, 0.1, "ok"),
        ("work cost at size 500 <= 5000", linear, 0.1, "violated"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_verdicts_do_not_flap(line, law, noise, status, tmp_path):
    """Limits that are what the program does, under 20 draws of noise; and what is clearly worse."""
    found = set()
    for seed in range(20):
        path = profile(tmp_path / f"{seed}", noisy(seed, law, noise))
        found.add(judge(load_profiles([str(path)], False), parse_line(1, line), 0.05).status)
    assert found == {status}


def test_junit(tmp_path, capsys):
    (tmp_path / "b").write_text("none<a&b> <= n\nwork <= 1 # why\nwork <= n\n")
    one = profile(tmp_path / "p", points(linear))
    assert check(tmp_path / "b", "--junit", tmp_path / "j.xml", one) == 1
    suites = ElementTree.parse(tmp_path / "j.xml").getroot()
    (suite,) = suites
    for element in (suites, suite):
        counts = {name: element.get(name) for name in ("tests", "failures", "errors")}
        assert counts == {"tests": "3", "failures": "1", "errors": "1"}
    assert [case.get("name") for case in suite] == [
        "none<a&b> <= n",
        "work <= 1",
        "work <= n",
    ]
    assert [case.get("line") for case in suite] == ["1", "2", "3"]
    assert [[child.tag for child in case] for case in suite] == [
        ["error"],
        ["failure"],
        ["system-out"],
    ]
    assert suite[1][0].get("message").startswith("20 n (bb over trms")


class TestUpdate:
    def test_a_clone_goes_by_its_function(self, tmp_path, capsys):
        """Its number is another one in the next build."""
        routines = [("main", 1, 1, 10), ("bubble.constprop.0", 1, 1, 3)]
        one = profile(tmp_path / "p", points(linear), routines=routines)
        assert check(tmp_path / "b", "--update", one) == 0
        assert "\nbubble <= n\n" in (tmp_path / "b").read_text()
        routines[1] = ("bubble.isra.3", 1, 1, 3)
        assert (
            check(tmp_path / "b", profile(tmp_path / "q", points(linear), routines=routines)) == 0
        )

    def test_a_new_budget_holds(self, tmp_path, capsys):
        routines = [
            ("main", 1, 1, 1),
            ("f(int) rms", 1, 1, 3),
            ("g # <= n", 1, 1, 7),
            ("h", 1, 1, 9),
        ]
        curves = [points(linear), points(lambda n: n * n), points(linear)]
        one = profile(tmp_path / "p", *curves, routines=routines)
        assert check(tmp_path / "b", "--update", one) == 0
        assert capsys.readouterr().out == f"{tmp_path / 'b'}: 0 kept, 0 raised, 6 added\n"
        lines = [l for l in (tmp_path / "b").read_text().splitlines() if l and l[0] != "#"]
        assert lines[0] == '"g # <= n" <= n^2'
        assert lines[1] == '"g # <= n" cost at size 200 <= 50000'
        assert lines[3] == '"f(int) rms" cost at size 200 <= 5000'
        assert check(tmp_path / "b", one) == 0

    def test_what_holds_stays(self, tmp_path, capsys):
        text = "# mine\n\nwork   <= n^2   # intended\nwork cost at size 100 <= 3e3\nold_one <= n\n"
        (tmp_path / "b").write_text(text)
        one = profile(tmp_path / "p", points(linear), points(linear))
        assert check(tmp_path / "b", "--update", one) == 0
        assert "3 kept, 0 raised, 2 added" in capsys.readouterr().out
        added = "work_more <= n\nwork_more cost at size 200 <= 5000\n"
        assert (tmp_path / "b").read_text() == text + added

    def test_what_is_violated_is_raised(self, tmp_path, capsys):
        text = "work <= n  # intended\n  work cost at size 100 <= 3e3#1\n# end\n"
        text = text.replace("3e3#1", "3e3 #1")
        (tmp_path / "b").write_text(text)
        one = profile(tmp_path / "p", points(lambda n: n * n))
        assert check(tmp_path / "b", "--update", one) == 0
        assert "0 kept, 2 raised (lines 1, 2), 0 added" in capsys.readouterr().out
        raised = text.replace("<= n ", "<= n^2 ").replace("3e3", "13000")
        assert (tmp_path / "b").read_text() == raised
        assert check(tmp_path / "b", one) == 0

    def test_nothing_to_write(self, tmp_path, capsys):
        one = profile(tmp_path / "p", points(linear, sizes=(1, 2)))
        assert check(tmp_path / "b", "--update", one) == 3
        assert "no routine's growth can be told" in capsys.readouterr().err
        assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    "text, message",
    [
        (
            None,
            "budget: cannot be read: No such file or directory; aprof-check --update",
        ),
        ("# nothing\n", "budget: it has no limits; write some, or use --update"),
        ('"work <= n\n', 'budget:1: a quote is not closed; write "ROUTINE"'),
        ("work <= n\nwork < n\n", "budget:2: it has no limit; write ROUTINE <= LAW"),
    ],
)
def test_bad_budgets(text, message, tmp_path, capsys):
    if text is not None:
        (tmp_path / "budget").write_text(text)
    assert check(tmp_path / "budget", profile(tmp_path / "p", points(linear))) == 3
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_bad_profiles_and_outputs(tmp_path, capsys):
    (tmp_path / "b").write_text("work <= n\n")
    one = profile(tmp_path / "p", points(linear))
    assert check(tmp_path / "b", tmp_path / "missing") == 3
    assert check(tmp_path / "b", "--junit", tmp_path / "no" / "j", one) == 3
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize(
    "arguments", ["", "p", "--budget b", "--budget b p -x", "--budget b p --update --junit j"]
)
def test_bad_command_line(arguments, capsys):
    with pytest.raises(SystemExit) as exit_:
        check_command.main(arguments.split())
    assert exit_.value.code == 3
    assert "aprof-check: error: " in capsys.readouterr().err


@pytest.mark.parametrize("name, module", [("aprof-check", "check"), ("aprof-diff", "diff")])
def test_a_missing_python_module_is_no_verdict(name, module, tmp_path):
    text = (SOURCE / "plot" / f"{name}.in").read_text()
    (tmp_path / "numpy.py").write_text("raise ModuleNotFoundError('none', name='numpy')")
    command = tmp_path / name
    command.write_text(
        text.replace("@PYTHON@", sys.executable).replace("@aprof_pythondir@", str(SOURCE / "plot"))
    )
    command.chmod(0o755)
    arguments = ["--budget", "b", "p"] if module == "check" else ["o", "n"]
    variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([command, *arguments], env=variables, capture_output=True, text=True)
    assert done.returncode == 3
    assert done.stderr.startswith(f"{name}: Python module numpy is missing")


def test_the_verdict_does_not_depend_on_who_reads(tmp_path):
    """`| head` does not make a violation good."""
    (tmp_path / "b").write_text("work cost at size 100 <= 1\n" * 2000)
    profile(tmp_path / "p", points(linear))
    command = f"'{sys.executable}' -m aprofplot.commands.check --budget b p"
    script = f"{{ {command}; echo $? >status; }} | true"
    variables = {**os.environ, "PYTHONPATH": str(SOURCE / "plot")}
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, env=variables, capture_output=True)
    assert (done.stderr, (tmp_path / "status").read_text()) == (b"", "1\n")


@pytest.mark.parametrize("kept", ["b", "p"])
def test_junit_is_not_written_over_what_is_read(kept, tmp_path, capsys):
    Builder(tables=[Table(2, [(1, 1, 1, 1, 1)])]).write(tmp_path / "p")
    (tmp_path / "b").write_text("work <= n\n")
    before = (tmp_path / kept).read_bytes()
    files = [str(tmp_path / name) for name in ("b", kept, "p")]
    assert check_command.main(["--budget", files[0], "--junit", files[1], files[2]]) == 3
    assert "is an input and would be overwritten" in capsys.readouterr().err
    assert (tmp_path / kept).read_bytes() == before


def test_one_size_is_one_size(tmp_path, verdict):
    path = Builder(tables=[Table(2, [(1, 1, 1, 1, 1)])]).write(tmp_path / "p")
    assert verdict("work <= n", path)[1].endswith("(bb over trms, 1 size to 1)")


def test_permissions_stay(tmp_path, capsys):
    path = Builder(tables=[Table(2, [(n, 1, n, n, n) for n in range(1, 40)])]).write(tmp_path / "p")
    budget = tmp_path / "b"
    budget.write_text("")
    budget.chmod(0o640)
    assert check_command.main(["--budget", str(budget), "--update", str(path)]) == 0
    assert budget.stat().st_mode & 0o777 == 0o640 and "work <= n" in budget.read_text()
