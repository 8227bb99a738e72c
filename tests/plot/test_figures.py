"""The numbers that pictures show are those of the profile."""

from __future__ import annotations

import numpy as np
import pytest
from builder import Builder, Table
from drawing import drawn, panel, picture, points
from matplotlib.figure import Figure

from aprofplot.figures.scales import set_scale
from aprofplot.names import base_name, fold_templates, shorten


def test_worst_case_cost(sample):
    axes = panel("work", sample)
    assert points(axes) == {"TRMS": [(10, 7), (20, 9), (30, 40)]}
    assert axes.get_xlabel() == "input size (TRMS, cells of 4 bytes)"
    assert axes.get_ylabel() == "cost (guest basic blocks), worst case"
    assert "too few" in axes.get_title()


@pytest.mark.parametrize(
    "statistic, values",
    [("min", [4, 9, 40]), ("mean", [16 / 3, 9, 40]), ("total", [16, 9, 40])],
)
def test_statistics(sample, statistic, values):
    axes = panel("work", sample, "--y", statistic)
    assert [y for _, y in points(axes)["TRMS"]] == pytest.approx(values)


def test_workload(sample):
    axes = panel("work", sample, "--plot=workload")
    assert points(axes)["TRMS"] == [(10, 3), (20, 1), (30, 1)]
    assert axes.get_ylabel() == "activations"


def test_both_metrics_share_a_scale(sample):
    rms, trms = drawn("work", sample, "--metric=both").axes
    assert points(rms)["RMS"] == [(8, 9), (10, 4), (30, 40)]
    assert points(trms)["TRMS"][-1] == (30, 40)
    assert rms.get_ylim() == trms.get_ylim()


def test_overlay(sample):
    assert set(points(panel("work", sample, "--overlay"))) == {"TRMS", "RMS"}


def test_per_thread(sample):
    assert points(panel("work", sample, "--per-thread")) == {
        "thread 1": [(10, 7), (20, 9)],
        "thread 2 worker": [(10, 4), (30, 40)],
    }


def test_title_and_run(sample):
    figure = drawn("work", sample)
    assert figure._suptitle.get_text() == "work"
    assert figure._supxlabel.get_text() == "app:app.c:3   ·   ./app 1"
    figure = drawn("work", sample, "--title=a $title$")
    assert figure._suptitle.get_text() == r"a \$title\$"
    assert figure._supxlabel is None
    assert drawn("work", sample, "--title=")._suptitle is None


class TestScales:
    @pytest.fixture
    def scales(self, tmp_path):
        def find(points, *options):
            path = Builder(tables=[Table(2, points)]).write(tmp_path / "p")
            axes = panel("work", path, *options)
            return axes.get_xscale(), axes.get_yscale()

        return find

    WIDE = [(10**k, 1, 10**k, 10**k, 10**k) for k in range(6)]

    def test_a_cost_has_both_or_none(self, scales):
        assert scales(self.WIDE) == ("log", "log")
        assert scales([(s, 1, 5, 5, 5) for s, *_ in self.WIDE]) == ("linear", "linear")
        assert scales(self.WIDE[:3]) == ("linear", "linear")

    def test_other_plots_have_each_its_own(self, scales):
        assert scales(self.WIDE, "--plot=workload") == ("log", "linear")
        assert scales(self.WIDE, "--bound=n") == ("log", "linear")
        assert scales(self.WIDE, "--plot=induced") == ("log", "linear")

    def test_zero_has_a_place(self, scales):
        assert scales([(0, 1, 0, 0, 0), *self.WIDE]) == ("symlog", "symlog")
        assert scales([(0, 1, 0, 0, 0), *self.WIDE[:2]]) == ("linear", "linear")

    def test_as_asked_for(self, scales):
        assert scales(self.WIDE[:3], "--log=x") == ("log", "linear")
        assert scales(self.WIDE, "--log=none") == ("linear", "linear")


def test_merged_points_are_said(tmp_path):
    merged = [(i, 1, i, i, i) for i in range(1, 9)]
    path = Builder(tables=[Table(2, merged, precision=7)]).write(tmp_path / "p")
    made = picture("work", path)
    assert "merged to 7 binary digits" in made.figure.axes[0].get_title()
    assert "merged to 7 binary digits" in made.remarks[0]


@pytest.mark.parametrize(
    "name, base, folded",
    [
        ("f", "f", "f"),
        ("f(int)", "f", "f(int)"),
        ("a::f<b<c>, 3>(d)", "a::f<b<c>, 3>", "a::f<...>(d)"),
        ("(anonymous namespace)::f(int)", "(anonymous namespace)::f", None),
        ("operator()(int)", "operator()", None),
        ("a::operator<(a const&)", "a::operator<", None),
        ("a::operator->(b)", "a::operator->", "a::operator->(b)"),
        ("operator<< <char>(b)", "operator<< <char>", "operator<< <...>(b)"),
    ],
)
def test_names(name, base, folded):
    assert base_name(name) == base
    if folded is not None:
        assert fold_templates(name) == folded


def test_long_names_fit():
    long = "std::vector<" + "very_long_type, " * 20 + ">::push_back(int)"
    assert shorten(long, 60) == "std::vector<...>::push_back"
    assert len(shorten("x" * 500, 60)) == 60


def test_0_is_apart_from_the_least_decade():
    axes = Figure().add_subplot()
    set_scale(axes, "y", np.array([0, 0.83, 9000]), log=True)
    zero, first, second = axes.transData.transform([(0, 0), (0, 0.1), (0, 1)])[:, 1]
    assert first - zero > 0.4 * (second - first)
