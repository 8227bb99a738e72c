"""The numbers that pictures show are those of the profile."""

from __future__ import annotations

import pytest
from builder import Builder, Table

from aprofplot.commands.running import load_profiles
from aprofplot.figures.routine_plot import Options, plot_routine
from aprofplot.names import base_name, fold_templates, shorten


@pytest.fixture
def drawn(sample):
    def draw(per_thread=False, **options):
        profile = load_profiles([str(sample)], per_thread)
        parts = [r for r in profile.routines if r.routine.name == "work"]
        figure = plot_routine(profile, parts, Options(**{"metrics": ("trms",), **options}))
        return [
            {line.get_label(): list(zip(*line.get_data())) for line in axes.get_lines()}
            for axes in figure.axes
        ], figure

    return draw


def test_worst_case_cost(drawn):
    (panel,), figure = drawn()
    assert panel == {"TRMS": [(10, 7), (20, 9), (30, 40)]}
    (axes,) = figure.axes
    assert axes.get_xlabel() == "input size (TRMS, cells of 4 bytes)"
    assert axes.get_ylabel() == "cost (guest basic blocks), worst case"
    assert "too few" in axes.get_title()


@pytest.mark.parametrize(
    "statistic, values",
    [("min", [4, 9, 40]), ("mean", [16 / 3, 9, 40]), ("total", [16, 9, 40])],
)
def test_statistics(drawn, statistic, values):
    (panel,), _ = drawn(statistic=statistic)
    assert [y for _, y in panel["TRMS"]] == pytest.approx(values)


def test_workload(drawn):
    (panel,), figure = drawn(workload=True)
    assert panel["TRMS"] == [(10, 3), (20, 1), (30, 1)]
    assert figure.axes[0].get_ylabel() == "activations"


def test_both_metrics_share_a_scale(drawn):
    (rms, trms), figure = drawn(metrics=("rms", "trms"))
    assert rms["RMS"] == [(8, 9), (10, 4), (30, 40)]
    assert trms["TRMS"][-1] == (30, 40)
    assert figure.axes[0].get_ylim() == figure.axes[1].get_ylim()


def test_overlay(drawn):
    (panel,), _ = drawn(metrics=("trms", "rms"), overlay=True)
    assert set(panel) == {"TRMS", "RMS"}


def test_per_thread(drawn):
    (panel,), _ = drawn(per_thread=True)
    assert panel == {"thread 1": [(10, 7), (20, 9)], "thread 2 worker": [(10, 4), (30, 40)]}


def test_logarithmic_axes(drawn, tmp_path):
    _, figure = drawn(log="x")
    assert (figure.axes[0].get_xscale(), figure.axes[0].get_yscale()) == ("log", "linear")
    wide = [(10**k, 1, 10**k, 10**k, 10**k) for k in range(6)]
    for points, scale in ((wide, "log"), ([(0, 1, 1, 1, 1), *wide[1:]], "linear")):
        path = Builder(tables=[Table(2, points)]).write(tmp_path / "p")
        profile = load_profiles([str(path)], per_thread=False)
        figure = plot_routine(profile, list(profile.routines), Options(metrics=("trms",)))
        assert figure.axes[0].get_xscale() == figure.axes[0].get_yscale() == scale


def test_merged_points_are_said(tmp_path):
    points = [(i, 1, i, i, i) for i in range(1, 9)]
    path = Builder(tables=[Table(2, points, precision=7)]).write(tmp_path / "p")
    profile = load_profiles([str(path)], per_thread=False)
    figure = plot_routine(profile, list(profile.routines), Options(metrics=("trms",)))
    assert "merged to 7 binary digits" in figure.axes[0].get_title()


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
