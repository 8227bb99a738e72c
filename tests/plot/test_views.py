"""Each kind of plot shows the numbers of its name."""

from __future__ import annotations

import numpy as np
import pytest
from builder import Builder, Table
from drawing import panel, picture, points
from hypothesis import given
from hypothesis import strategies as st

from aprofplot import metrics
from aprofplot.model import PointTable, column_names
from aprofplot.point_merge import with_sizes


def write(tmp_path, points_of_work, **more):
    return Builder(tables=[Table(2, points_of_work, **more)]).write(tmp_path / "p")


def table(*rows):
    """A table of (size, calls, sum of costs)."""
    size, calls, total = np.array(rows, dtype=object).T
    zero = 0 * size
    mean = total // calls
    costs = [mean, mean, total, calls * mean * mean]
    return PointTable(0, column_names(("bb",)), np.array([size, calls, zero, zero, *costs, *costs]))


def test_range(sample):
    axes = panel("work", sample, "--plot=range")
    assert points(axes) == {
        "worst case": [(10, 7), (20, 9), (30, 40)],
        "mean": [(10, pytest.approx(16 / 3)), (20, 9), (30, 40)],
        "best case": [(10, 4), (20, 9), (30, 40)],
    }
    assert axes.get_ylabel() == "cost (guest basic blocks)"
    assert len({line.get_marker() for line in axes.get_lines()}) == 3


def test_total(sample):
    axes = panel("work", sample, "--plot=total")
    assert points(axes)["TRMS"] == [(10, 16), (20, 9), (30, 40)]
    assert axes.get_ylabel() == "cost (guest basic blocks), total"


@pytest.mark.parametrize(
    "metric, expected, left_out",
    [("external", [(6, 8), (30, 9)], "other threads"), ("thread", [(8, 8), (30, 9)], "outside")],
)
def test_a_part_of_the_input(tmp_path, metric, expected, left_out):
    """Of two activations of size 10, what others brought is known together: 8 and 4 cells."""
    rows = [(10, 2, 7, 8, 15), (30, 1, 9, 9, 9)]
    tables = [Table(1, rows, induced=(8, 4))]
    profile = Builder(routines=[("work", 1, 1, 7)], tables=tables).write(tmp_path / "profile")
    axes = panel("work", f"--metric={metric}", profile)
    assert points(axes)[metric] == expected
    assert f"TRMS without input from {left_out}" in axes.get_xlabel()


def test_points_that_come_to_have_one_size_are_merged():
    merged = with_sizes(table((6, 1, 9), (8, 1, 5), (10, 2, 16)), np.array([6, 8, 6], dtype=object))
    sums = [
        merged.column(name).tolist() for name in ("size", "calls", "bb.min", "bb.max", "bb.sum")
    ]
    assert sums == [[6, 8], [3, 1], [8, 5], [9, 5], [25, 5]]


class TestVariance:
    def test_of_the_activations_of_a_size(self, sample):
        # Of size 10 there are 3: sum 12 + 4, sum of squares 12^2 + 4^2.
        axes = panel("work", sample, "--plot=variance")
        variance = 160 / 3 - (16 / 3) ** 2
        assert points(axes)["TRMS"] == [(10, pytest.approx(variance)), (20, 0), (30, 0)]
        assert axes.get_ylabel() == "variance of cost (guest basic blocks, squared)"

    def test_of_huge_costs_is_exact(self):
        huge = table((1, 2, 2 * 10**18))
        huge.rows[[7, 11]] = 2 * 10**36 + 2  # costs 10^18 - 1 and 10^18 + 1
        assert metrics.variance_of_points(huge, "bb", False).tolist() == [1.0]


class TestAmortized:
    def test_cheap_ones_pay_for_the_expensive_one(self, tmp_path):
        path = write(tmp_path, [(1, 100, 1, 1, 100), (2, 100, 2, 2, 200), (900, 1, 90, 90, 90)])
        made = picture("work", path, "--plot=amortized")
        assert points(made.figure.axes[0]) == {
            "amortized": [(1, pytest.approx(1.3)), (2, pytest.approx(2.6))],
            "mean cost of what is prepaid": [(900, 90)],
        }
        assert made.figure.axes[0].get_ylabel() == "amortized cost (guest basic blocks)"
        assert "α = 0.3" in made.remarks

    def test_alpha_as_given(self, tmp_path):
        path = write(tmp_path, [(1, 100, 1, 1, 100), (2, 100, 2, 2, 200), (900, 1, 90, 90, 90)])
        for alpha, charges in (("2.9", [(1, 3.9)]), ("2.8", [(1, 3.8), (2, 7.6)])):
            drawn = points(panel("work", path, "--plot=amortized", "--alpha", alpha))
            assert drawn["amortized"] == [(x, pytest.approx(y)) for x, y in charges]

    def test_without_alpha_every_size_pays_for_itself(self, tmp_path):
        path = write(tmp_path, [(1, 1, 3, 3, 3), (2, 1, 4, 4, 4)])
        drawn = points(panel("work", path, "--plot=amortized", "--alpha=0"))
        assert list(drawn.values()) == [[(1, 3), (2, 4)]]

    costs = st.tuples(st.integers(1, 10**6), st.integers(0, 10**9))

    @given(st.lists(costs, min_size=1, max_size=30))
    def test_charges_add_up_to_the_cost(self, rows):
        points = table(*((i, calls, calls * cost) for i, (calls, cost) in enumerate(rows)))
        paid = metrics.amortize(points, "bb", False)
        total = metrics.cost_of_points(points, "bb", False, "total")
        charged = paid.charges * metrics.calls_of_points(points)
        assert charged.sum() == pytest.approx(total.sum())
        assert 0 <= paid.alpha <= 2
        mean = metrics.cost_of_points(points, "bb", False, "mean")
        assert paid.charges.max() <= mean.max()

    @given(st.lists(costs, min_size=1, max_size=30), st.floats(0, 5))
    def test_any_alpha_is_enough(self, rows, alpha):
        points = table(*((i, calls, calls * cost) for i, (calls, cost) in enumerate(rows)))
        paid = metrics.amortize(points, "bb", False, alpha)
        total = metrics.cost_of_points(points, "bb", False, "total")
        charged = paid.charges * metrics.calls_of_points(points)
        assert charged.sum() >= total.sum() * (1 - 1e-9)


class TestBound:
    @pytest.mark.parametrize(
        "model, ratios",
        [
            ("1", [8, 64, 1024]),
            ("n", [2, 4, 4]),
            ("n log n", [1, 1, 0.5]),
            ("nlogn", [1, 1, 0.5]),
            ("sqrt n", [4, 16, 64]),
            ("n^2", [0.5, 0.25, 1 / 64]),
            ("n²", [0.5, 0.25, 1 / 64]),
            ("N^0.5", [4, 16, 64]),
            ("n**1.5", [1, 1, 0.25]),
            ("log^2 n", [2, 4, 16]),
        ],
    )
    def test_ratios(self, model, ratios, tmp_path):
        path = write(tmp_path, [(s, 1, c, c, c) for s, c in ((4, 8), (16, 64), (256, 1024))])
        axes = panel("work", path, "--bound", model)
        assert [y for _, y in points(axes)["TRMS"]] == pytest.approx(ratios)

    def test_label_and_statistic(self, sample):
        axes = panel("work", sample, "--bound=n log n", "--y=min")
        assert axes.get_ylabel() == "cost (guest basic blocks) / (n log n), best case"
        assert points(panel("work", sample, "--bound=n", "--y=min"))["TRMS"][0] == (
            10,
            pytest.approx(0.4),
        )

    def test_sizes_without_a_ratio_are_left_out_and_said(self, tmp_path):
        path = write(tmp_path, [(s, 1, 8, 8, 8) for s in (0, 1, 2, 4, 5000)])
        made = picture("work", path, "--bound=log n")
        assert [x for x, _ in points(made.figure.axes[0])["TRMS"]] == [2, 4, 5000]
        assert "2 sizes left out, where log n is 0 or too large" in made.remarks
        made = picture("work", path, "--bound=2^n")
        assert [x for x, _ in points(made.figure.axes[0])["TRMS"]] == [0, 1, 2, 4]


def test_induced(tmp_path):
    # 5 activations of size 10; the builder's first point has all induced accesses.
    path = write(tmp_path, [(10, 5, 1, 1, 5), (20, 1, 1, 1, 1)], induced=(20, 5))
    axes = panel("work", path, "--plot=induced")
    assert points(axes) == {
        "from other threads": [(10, 40), (20, 0)],
        "external": [(10, 10), (20, 0)],
    }
    assert axes.get_ylim() == (0, 104)
    assert axes.get_ylabel() == "share of the input (%)"


def test_induced_of_nothing_is_nothing(tmp_path):
    axes = panel("work", write(tmp_path, [(0, 5, 1, 1, 5)]), "--plot=induced")
    assert list(points(axes).values()) == [[(0, 0)], [(0, 0)]]


@pytest.mark.parametrize(
    "options",
    [[f"--plot={kind}"] for kind in ("range", "total", "workload", "variance", "amortized")]
    + [["--plot=induced"], ["--bound=1"], ["--fit"], ["--overlay"], ["--log=xy"]],
    ids=" ".join,
)
@pytest.mark.parametrize(
    "data",
    [
        [(0, 1, 0, 0, 0)],
        [(0, 1, 0, 0, 0), (1, 1, 0, 0, 0)],
        [(i, 1, i % 7, i % 7, i % 7) for i in range(10000)],
        [((i + 1) * 2**59, 3, 2**58, 2**59, 2**60) for i in range(6)],
    ],
    ids=["one zero", "two sizes", "10000 points", "huge"],
)
def test_any_data_can_be_drawn(options, data, tmp_path):
    axes = panel("work", write(tmp_path, data), *options)
    marks = axes.get_lines()[0].get_xdata()
    assert len(marks) <= len(data)
    if options[0] not in ("--plot=amortized",):
        assert len(marks) == len(data)
