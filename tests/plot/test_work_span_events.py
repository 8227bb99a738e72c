"""Work and span as events of aprof-trms's profiles, and the parallelism derived from them."""

from __future__ import annotations

import numpy as np
import pytest
from builder import Builder, Table, with_end
from drawing import legend, panel, points

from aprofplot.commands import check, plot, report
from aprofplot.commands.loading import load_profiles
from aprofplot.fits.fitting import fit_table
from aprofplot.metrics import cost_of_points, parallelism_of_routine, total_cost

SIZES = list(range(16, 2000, 60))


def write(path, span, work=lambda n: 40 * n, calls=2):
    """work(n) and span(n) for each size n; of the routine `work`."""
    body = Builder(events=("instr", "work", "span")).text().partition("end ")[0].splitlines()
    totals = [calls * sum(of(n) for n in SIZES) for of in (work, work, span)]
    body.append(
        "table 1 2 {} 0 0 0 {}".format(calls * len(SIZES), " ".join(f"{t} {t}" for t in totals))
    )
    for metric in ("trms", "rms"):
        body.append(f"points {metric} {len(SIZES)} 0")
        for n in SIZES:
            costs = [of(n) for of in (work, work, span) for _ in range(2)]
            row = " ".join(f"{c} {c} {calls * c} {calls * c * c}" for c in costs)
            body.append(f"{n} {calls} 0 0 {row}")
    callers = " ".join(f"{t} {t}" for t in totals)
    body += ["callers 1", f"0 {calls * len(SIZES)} 0 {callers}"]
    path.write_text(with_end("\n".join(body) + "\n"))
    return path


@pytest.fixture
def path(tmp_path):
    return write(tmp_path / "aprof.out.1", lambda n: 10 * n)


def logarithmic(n):
    return int(1000 * np.log2(n))


def test_span_is_a_cost(path):
    axes = panel("work", "--cost=span", path)
    assert axes.get_ylabel() == "span (guest instructions), worst case"
    assert points(axes)["TRMS"][0] == (16, 160)
    assert panel("work", "--cost=work", path).get_ylabel().startswith("work (guest instructions)")


def test_parallelism_is_work_by_span(path):
    axes = panel("work", "--cost=parallelism", path)
    assert axes.get_ylabel() == "parallelism (work / span)"
    assert points(axes)["TRMS"] == [(n, 4) for n in SIZES]


def test_parallelism_of_a_size_is_of_the_sums(tmp_path):
    columns = [(10, 2, 1, 9, 10), (20, 2, 5, 5, 10)]
    made = Builder(events=("work", "span"), tables=[Table(2, columns)])
    (table, *_) = (
        load_profiles([str(made.write(tmp_path / "p"))], False).routines[0].points.values()
    )
    assert cost_of_points(table, "parallelism", False, "mean").tolist() == [0.5, 0.5]


def test_laws_of_the_span_and_of_the_parallelism(tmp_path):
    path = write(tmp_path / "p", logarithmic, lambda n: 1000 * n)
    (routine,) = load_profiles([str(path)], False).routines
    table = routine.points["trms"]
    assert fit_table(table, "work").model == "n"
    assert fit_table(table, "span").model == "log n"
    slope = fit_table(table, "parallelism").slope
    assert slope is not None and 0.7 < slope.value < 0.95  # n / log n


def test_the_fit_of_a_parallelism_is_drawn(tmp_path):
    path = write(tmp_path / "p", lambda n: 1000, lambda n: 1000 * n)
    entries = legend(panel("work", "--cost=parallelism", "--fit", path))
    assert [entry.split()[0] for entry in entries] == ["TRMS", "n"], entries


@pytest.mark.parametrize("option", ["--plot=total", "--self", "--y=max"])
def test_what_a_parallelism_has_not(option, path, capsys):
    with pytest.raises(SystemExit):
        plot.main(["work", "--cost=parallelism", option, str(path)])
    assert "--cost=parallelism is one number for each size" in capsys.readouterr().err


@pytest.mark.parametrize("event", ["work", "span", "parallelism"])
def test_what_was_not_measured(event, sample, capsys):
    assert plot.main(["work", f"--cost={event}", str(sample)]) == 1
    assert "profile again with --work-span=yes" in capsys.readouterr().err


def test_reports(path, capsys):
    assert report.main(["--cost=span", "--top=1", str(path)]) == 0
    assert f"{2 * 10 * sum(SIZES):,}" in capsys.readouterr().out
    assert report.main(["--format=json", str(path)]) == 0
    assert '"span": {"inclusive"' in capsys.readouterr().out
    assert report.main(["--cost=parallelism", str(path)]) == 2
    assert "work or span, or use aprof-plot --cost=parallelism" in capsys.readouterr().err


@pytest.mark.parametrize(
    "limit, status, says",
    [
        ("parallelism >= 4", 0, "ok: work parallelism >= 4: parallelism 4.00: work "),
        ("parallelism >= 4.1", 0, "below, within tolerance"),
        ("parallelism >= 8", 1, "0.50 times the limit"),
        ("cost span <= n", 0, "ok"),
        ("cost span <= log n", 1, "VIOLATED"),
        ("cost work cost at size 76 <= 3040", 0, "3,040 work"),
    ],
)
def test_budgets(limit, status, says, path, tmp_path, capsys):
    (tmp_path / "budget").write_text(f"work {limit}\n")
    assert check.main(["--budget", str(tmp_path / "budget"), str(path)]) == status
    assert says in capsys.readouterr().out


def test_a_budget_that_is_updated(path, tmp_path, capsys):
    budget = tmp_path / "budget"
    budget.write_text("work parallelism >= 8\nwork cost work cost at size 76 <= 10\n")
    assert check.main(["--update", "--budget", str(budget), str(path)]) == 0
    lines = "work parallelism >= 3.6\nwork cost work cost at size 76 <= 3800\n"
    assert budget.read_text() == lines
    said = f"{budget}: 0 kept, 1 raised (line 2), 1 lowered (line 1), 0 added\n"
    assert capsys.readouterr().out == said


@pytest.mark.parametrize("times, line", [(1, ""), (4, ">= 3.6"), (1700, ">= 1530")])
def test_a_new_budget_has_the_parallelism_of_what_is_parallel(times, line, tmp_path):
    path = write(tmp_path / "p", lambda n: 10 * n, lambda n: 10 * times * n)
    command = ["--budget", str(tmp_path / "budget"), str(path)]
    assert check.main(["--update", *command]) == 0
    lines = (tmp_path / "budget").read_text().splitlines()
    found = [of for of in lines if of.startswith("work parallelism")]
    assert found == ([f"work parallelism {line}"] if line else [])
    assert check.main(command) == 0


def test_parallelism_of_a_routine(path, sample):
    (routine,) = load_profiles([str(path)], False).routines
    assert parallelism_of_routine(routine) == 4
    assert parallelism_of_routine(load_profiles([str(sample)], False).routines[0]) is None


@pytest.mark.parametrize("power", [2, 3])
def test_span_may_be_polylogarithmic(tmp_path, power):
    path = write(tmp_path / "p", lambda n: int(50 * np.log2(n) ** power), lambda n: 1000 * n)
    (routine,) = load_profiles([str(path)], False).routines
    span = fit_table(routine.points["trms"], "span")
    assert (span.model, span.confidence > 0.9) == (f"log^{power} n", True)
    assert f"(log2 n)^{power}" in span.formula
    # Of other costs it is no law that anybody expects.
    assert not fit_table(routine.points["trms"], "work").model.startswith("log^")


def test_curve_is_as_smooth_as_its_axis(tmp_path):
    """Half of a logarithmic axis is below the root of the largest size."""
    path = write(tmp_path / "p", lambda n: 10 * n)
    for log, share in (("xy", 0.35), ("none", 0.05)):
        axes = panel("work", "--cost=span", "--fit", "--log", log, path)
        (line,) = (line for line in axes.lines if "10 n" in line.get_label())
        assert np.mean(line.get_xdata() < 120) == pytest.approx(share, abs=0.1)


def test_long_formula_is_broken_into_lines(tmp_path):
    path = write(tmp_path / "p", lambda n: 10 * n)
    label = "a label as long as people make them for a profile of theirs"
    axes = panel("work", "--fit", "--compare", "--label", label, "--label", "b", path, path)
    assert max(len(line) for text in legend(axes) for line in text.split("\n")) <= len(label)


@pytest.mark.parametrize("length", range(1, 60, 3))
def test_what_the_band_is_stays_in_one_line(length, tmp_path):
    path = write(tmp_path / "p", lambda n: 10 * n)
    axes = panel("work", "--fit", "--compare", "--label", "x" * length, "--label", "b", path, path)
    lines = [line for text in legend(axes) for line in text.split("\n")]
    assert [line.endswith("(R² 1.000, 95 % band)") for line in lines].count(True) == 2


def test_whole_span_is_that_of_what_is_called_once(tmp_path):
    """Calls in parallel add up to more than the program's span, and so do all threads."""
    tables = [Table(1, [(10, 1, 8, 8, 8)]), Table(2, [(10, 9, 6, 6, 54)])]
    tables += [Table(3, [(10, 1, 5, 5, 5)], thread=thread) for thread in (2, 3)]
    routines = [(name, 1, 1, 1) for name in ("main", "work", "thread")]
    made = str(
        Builder(routines, threads=("", "", ""), events=("work", "span"), tables=tables).write(
            tmp_path / "p"
        )
    )
    profile = load_profiles([made], False)
    longest = 2 * 8  # the second event's costs are twice the first's
    assert total_cost(profile, "work") == 8 + 54 + 5 + 5
    assert total_cost(profile, "span") == longest
    assert total_cost(load_profiles([made, made], False), "span") == 2 * longest
