"""The program-wide figures of the paper, for each routine and for whole programs."""

from __future__ import annotations

import numpy as np
import pytest
from builder import Builder, Table, with_end
from drawing import drawn, legend, panel, picture, points

from aprofplot import metrics
from aprofplot.commands.loading import load_profiles
from aprofplot.errors import AprofError

NAMES = ("main", "f", "g", "h")
ROUTINES = [(name, 1, 1, i) for i, name in enumerate(NAMES)]


@pytest.fixture
def four(tmp_path):
    """main has not returned. Richness of f, g, h: 2, 0, -1/2; input volumes of TRMS and RMS: 60
    and 12, 10 and 10, 20 and 20; induced (thread, external) of 10, 0; 2, 3; 0, 0."""

    def write(name="four", **more):
        tables = [
            Table(1, [], unfinished=1, extra_cost=100, induced=(30, 10)),
            Table(
                2,
                [(10, 1, 1, 1, 1), (20, 1, 1, 1, 1), (30, 1, 1, 1, 1)],
                rms=[(4, 3, 1, 1, 3)],
                induced=(10, 0),
            ),
            Table(3, [(10, 1, 5, 5, 5)], induced=(2, 3)),
            Table(4, [(10, 2, 1, 1, 2)], rms=[(9, 1, 1, 1, 1), (11, 1, 1, 1, 1)]),
        ]
        builder = Builder(routines=ROUTINES, tables=tables, **more)
        return builder.write(tmp_path / name)

    return write


@pytest.mark.parametrize(
    "figure, values, label",
    [
        ("richness", [2, 0, -0.5], "profile richness, at least"),
        ("volume", [80, 0, 0], "input volume beyond RMS (%), at least"),
        ("thread", [20, 100 / 6, 0], "thread-induced input (%), at least"),
        ("external", [30, 0, 0], "external input (%), at least"),
    ],
)
def test_share_of_the_routines_with_at_least(figure, values, label, four):
    axes = panel("--program", figure, four())
    (line,) = axes.get_lines()
    assert line.get_label() == "app (3 routines)"
    assert line.get_drawstyle() == "steps-pre"
    assert list(line.get_xdata()) == pytest.approx([0, 100 / 3, 200 / 3, 100])
    assert list(line.get_ydata()) == pytest.approx([values[0], *values])
    assert axes.get_ylabel() == label
    assert axes.get_xlim() == (0, 100)


def test_a_curve_for_each_program(four):
    paths = [four(name, command=f"./{name}") for name in ("one", "other")]
    axes = panel("--program=richness", *paths)
    assert legend(axes) == ["one (3 routines)", "other (3 routines)"]
    first, second = axes.get_lines()
    assert first.get_color() != second.get_color()
    assert first.get_linestyle() != second.get_linestyle()
    axes = panel("--program=richness", *paths, "--label=x", "--label=y")
    assert legend(axes) == ["x (3 routines)", "y (3 routines)"]


def test_many_routines_have_a_logarithmic_axis(tmp_path):
    routines = [(f"r{i}", 1, 1, i) for i in range(200)]
    points_of = [(s, 1, 1, 1, 1) for s in range(1, 301)]
    tables = [Table(1, points_of, rms=[(1, 300, 1, 1, 300)])]
    tables += [Table(i, [(1, 1, 1, 1, 1)]) for i in range(2, 201)]
    path = Builder(routines=routines, tables=tables).write(tmp_path / "p")
    axes = panel("--program=richness", path)
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "symlog")
    # The first routine's share is half a per cent: it is seen from half of that on.
    assert points(axes)["app (200 routines)"][:3] == [(0.25, 299), (0.5, 299), (1, 0)]
    assert axes.get_xlim() == (0.25, 100)
    assert panel("--program=richness", path, "--log=none").get_xscale() == "linear"
    assert panel("--program=thread", path).get_yscale() == "linear"


def bars(axes):
    """Of stairs: label, base and top of each."""
    return {
        patch.get_label(): list(zip(patch.get_data().baseline, patch.get_data().values))
        for patch in axes.patches
    }


class TestInduced:
    def test_bars_by_descending_share(self, four):
        axes = panel("--program=induced", four())
        found = bars(axes)
        assert list(found) == ["thread-induced", "external"]
        # g: 20 % and 30 %; f: 10 of 60; h has none and is left out
        assert found["thread-induced"] == [(0, 20), (0, pytest.approx(100 / 6))]
        assert found["external"] == [
            (20, 50),
            (pytest.approx(100 / 6), pytest.approx(100 / 6)),
        ]
        assert [label.get_text() for label in axes.get_xticklabels()] == ["g", "f"]
        assert axes.get_title() == "app: 2 of 3 routines with induced input"

    def test_a_panel_for_each_program(self, four, tmp_path):
        paths = [four(name, command=name) for name in ("a", "b", "c")]
        none = Builder(tables=[Table(2, [(1, 1, 1, 1, 1)])], command="d").write(tmp_path / "d")
        made = picture("--program=induced", *paths, none)
        titles = [axes.get_title() for axes in made.figure.axes if axes.get_visible()]
        assert [title.split(":")[0] for title in titles] == ["a", "b", "c"]
        assert made.remarks == ("d: no routine with induced input",)

    def test_many_routines_are_not_named(self, tmp_path):
        routines = [(f"r{i}", 1, 1, i) for i in range(25)]
        tables = [Table(i, [(10, 1, 1, 1, 1)], induced=(i % 10, 0)) for i in range(1, 26)]
        path = Builder(routines=routines, tables=tables).write(tmp_path / "p")
        assert panel("--program=induced", path).get_xlabel() == ""
        tables += [Table(i, [(10, 1, 1, 1, 1)], induced=(1, 0)) for i in range(26, 29)]
        routines += [(f"r{i}", 1, 1, i) for i in range(25, 28)]
        path = Builder(routines=routines, tables=tables).write(tmp_path / "p")
        axes = panel("--program=induced", path)
        assert axes.get_xlabel() == "routines, by induced share"
        assert len(bars(axes)["external"]) == 26


class TestSources:
    def test_each_induced_access_counts_once(self, four):
        # main, which called all others, has all of their input.
        path = four()
        text = path.read_text().replace("table 1 1 1 1 30 10 100 100", "table 1 1 1 1 30 10 100 90")
        path.write_text(with_end(text[: text.rindex("end ")]))
        assert counts(path) == [(30, 10)]
        thread, external = panel("--program=sources", path).containers
        assert [bar.get_height() for bar in thread] == [75]
        assert [(bar.get_y(), bar.get_height()) for bar in external] == [(75, 25)]

    def test_threads_and_routines_without_callers_add_up(self, tmp_path):
        def costs(routine, cost, thread, induced):
            table = Table(routine, [(1, 1, cost, cost, cost)], thread=thread, induced=induced)
            return table

        tables = [
            costs(1, 100, 1, (1, 2)),
            costs(2, 50, 1, (4, 0)),
            costs(1, 7, 2, (0, 8)),
        ]
        path = Builder(threads=("", ""), tables=tables).write(tmp_path / "p")
        assert counts(path) == [(5, 10)]

    def test_a_recursive_routine_is_not_asked(self, tmp_path):
        # The builder's inclusive costs are the points' sums: those of a recursion are less.
        recursive = Table(2, [(1, 9, 100, 100, 900)], induced=(90, 0), extra_cost=-800)
        calm = Table(1, [(1, 1, 100, 100, 100)], induced=(10, 5))
        path = Builder(tables=[calm, recursive]).write(tmp_path / "p")
        assert counts(path) == [(10, 5)]

    def test_programs_by_descending_thread_share(self, tmp_path):
        shares = {"none": (0, 0), "low": (1, 3), "high": (9, 1)}
        paths = [
            Builder(
                tables=[Table(2, [(9, 1, 1, 1, 1)], induced=induced)],
                command=f"./{name}",
            ).write(tmp_path / name)
            for name, induced in shares.items()
        ]
        axes = panel("--program=sources", *paths)
        names = [label.get_text() for label in axes.get_xticklabels()]
        assert names == ["high", "low", "none (none)"]
        thread, external = axes.containers
        assert [bar.get_height() for bar in thread] == [90, 25, 0]
        assert [bar.get_height() for bar in external] == [10, 75, 0]


def counts(path):
    return metrics.induced_of_program(load_profiles([str(path)], per_thread=True))


@pytest.mark.parametrize("figure", ["richness", "volume"])
def test_what_was_not_measured_is_said(figure, tmp_path):
    builder = Builder(tables=[Table(2, [(1, 1, 1, 1, 1)])], metrics=("trms",))
    with pytest.raises(AprofError, match="rms is not in this profile.*--input-metric=both"):
        drawn("--program", figure, builder.write(tmp_path / "p"))
    assert drawn("--program=thread", builder.write(tmp_path / "p"))


@pytest.mark.parametrize("figure", ["induced", "sources"])
def test_nothing_induced(figure, tmp_path):
    path = Builder(tables=[Table(2, [(1, 1, 1, 1, 1)])]).write(tmp_path / "p")
    with pytest.raises(AprofError, match="no .*induced"):
        drawn("--program", figure, path)


@pytest.mark.parametrize("figure", ["richness", "volume", "thread", "external"])
def test_nothing_returned(figure, tmp_path):
    path = Builder(tables=[Table(2, [], unfinished=1, extra_cost=1)]).write(tmp_path / "p")
    with pytest.raises(AprofError, match="no activation returned"):
        drawn("--program", figure, path)


def test_at_least_of_equal_values():
    share, value = metrics.at_least([0.0, 5.0, 5.0, 1.0])
    assert list(share) == [25, 50, 75, 100] and list(value) == [5, 5, 1, 0]
    assert len(metrics.at_least([])[0]) == 0 and isinstance(value, np.ndarray)
