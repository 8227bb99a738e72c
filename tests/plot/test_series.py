"""Several routines or profiles in one picture, and the fitted curves of each series."""

from __future__ import annotations

import pytest
from builder import Builder, Table
from drawing import all_points, drawn, legend, panel, picture, points

from aprofplot.commands.loading import load_profiles
from aprofplot.errors import AprofError, SelectionError
from aprofplot.fits.fitting import fit_table
from aprofplot.selection import select

LINE = [(s, 1, 3 * s, 3 * s, 3 * s) for s in range(10, 200, 10)]
SQUARE = [(s, 1, s * s, s * s, s * s) for s in range(10, 200, 10)]


def write(path, *tables, **more):
    return Builder(tables=tables, **more).write(path)


@pytest.fixture
def two(tmp_path):
    return write(tmp_path / "two", Table(1, SQUARE), Table(2, LINE))


class TestRoutines:
    def test_each_has_its_points_and_look(self, two):
        axes = panel("work", two, "--with=main")
        assert list(points(axes)) == legend(axes) == ["work", "main"]
        assert points(axes)["work"][0] == (10, 30) and points(axes)["main"][0] == (
            10,
            100,
        )
        work, main = axes.get_lines()
        assert work.get_color() != main.get_color() and work.get_marker() != main.get_marker()

    def test_one_given_twice_is_drawn_once(self, two):
        assert list(points(panel("work", two, "--with=work", "--with=w?rk"))) == ["TRMS"]

    def test_all_that_a_glob_fits(self, two):
        assert legend(panel("*", two, "--all")) == ["main", "work"]
        with pytest.raises(SelectionError, match="any of 2 routines"):
            panel("*", two)

    def test_the_costliest_that_a_glob_fits_comes_first_and_names_the_picture(self, tmp_path):
        path = write(tmp_path / "p", Table(1, LINE), Table(2, SQUARE))
        made = picture("*", path, "--all")
        assert legend(made.figure.axes[0]) == ["work", "main"]
        assert made.figure._suptitle.get_text() == "work and 1 more routine"
        assert made.name == "work"
        axes = panel("*", path, path, "--all", "--compare", "--label=a", "--label=b")
        assert legend(axes) == ["work, a", "main, a", "work, b", "main, b"]

    def test_namesakes_are_told_apart(self, tmp_path):
        routines = [("f", 1, 1, 1), ("f", 1, 2, 1), ("g", 2, 0, 0), ("g", 2, 0, 0)]
        path = write(
            tmp_path / "p",
            *(Table(i, LINE) for i in range(1, 5)),
            routines=routines,
            files=("/a.c", "/b.c"),
            objects=("/bin/app", "/lib/x.so"),
        )
        names = ["f (app:a.c)", "f (app:b.c)", "g@0x3000", "g@0x4000"]
        assert legend(panel("*", path, "--all")) == names

    def test_names_that_begin_with_an_underscore_are_in_the_legend(self, tmp_path):
        routines = [("_start", 1, 1, 1), ("_dl_start", 1, 1, 2)]
        path = write(tmp_path / "p", Table(1, SQUARE), Table(2, LINE), routines=routines)
        axes = panel("*", path, "--all", "--fit")
        assert legend(axes)[:2] == ["_start", "_dl_start"]
        assert [label.split(":")[0] for label in legend(axes)[2:]] == ["_start", "_dl_start"]
        labels = ("--compare", "--label=_old", "--label=_new")
        assert legend(panel("_start", path, path, *labels)) == ["_old", "_new"]

    def test_forty_routines(self, tmp_path):
        routines = [(f"r{i:02}", 1, 1, i) for i in range(1, 41)]
        tables = [Table(i, [(i, 1, i, i, i)]) for i in range(1, 41)]
        path = write(tmp_path / "p", *tables, routines=routines)
        others = [argument for i in range(2, 41) for argument in ("--with", f"r{i:02}")]
        axes = panel("r01", path, *others)
        assert sorted(all_points(axes)) == [(i, i) for i in range(1, 41)]
        assert legend(axes) == [*(f"r{i}" for i in range(34, 41)), "33 other routines"]

    def test_those_without_points_are_left_out_and_said(self, sample):
        made = picture("work", sample, "--with=main")
        assert made.remarks[0] == "left out 1 routine of which no activation returned"
        assert list(points(made.figure.axes[0])) == ["TRMS"]

    def test_thin_ones_are_counted(self, tmp_path):
        path = write(tmp_path / "p", Table(1, SQUARE), Table(2, LINE[:3]))
        (remark,) = picture("work", path, "--with=main").remarks
        assert remark.startswith("1 of 2 have fewer than 5 distinct sizes")

    def test_a_legend_of_colours_and_markers(self, tmp_path):
        routines = [(f"r{i}", 1, 1, i) for i in range(1, 4)]
        tables = [Table(i, LINE) for i in range(1, 4)]
        path = write(tmp_path / "p", *tables, routines=routines)
        found = ["r1", "r2", "r3", "worst case", "mean", "best case"]
        assert legend(panel("*", path, "--all", "--plot=range")) == found

    def test_a_long_legend_takes_no_place_from_the_panel(self, tmp_path):
        routines = [(f"r{i}_{'x' * 30}", 1, 1, i) for i in range(7)]
        path = write(tmp_path / "p", *(Table(i, LINE) for i in range(1, 8)), routines=routines)
        few, many = (drawn("*", path, "--all", "--overlay", *m) for m in ([], ["--style=paper"]))
        for figure, width in ((few, 6.4), (many, 3.33)):
            (axes,) = figure.axes
            assert len(legend(axes)) == 14
            assert axes.get_position().width * figure.get_figwidth() > 0.7 * width

    def test_title(self, two):
        assert drawn("work", two, "--with=main")._suptitle.get_text() == "work and 1 more routine"


class TestCompare:
    @pytest.fixture
    def old_and_new(self, tmp_path):
        old = write(tmp_path / "old", Table(2, LINE), objects=("/old/app",), pid=1)
        new = write(tmp_path / "new", Table(2, SQUARE), objects=("/new/app",), pid=2)
        return old, new

    def test_profiles_are_not_merged(self, old_and_new):
        axes = panel("work", *old_and_new, "--compare")
        assert legend(axes) == ["old", "new"]
        assert points(axes)["old"][0] == (10, 30) and points(axes)["new"][0] == (
            10,
            100,
        )

    def test_programs_give_the_names_if_they_differ(self, tmp_path):
        paths = [
            write(tmp_path / name, Table(2, LINE), command=f"'/bin/{name}' -x")
            for name in ("one", "other")
        ]
        assert legend(panel("work", *paths, "--compare")) == ["one", "other"]

    def test_equal_file_names_have_their_folders(self, tmp_path):
        paths = []
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
            paths.append(write(tmp_path / name / "p", Table(2, LINE)))
        labels = legend(panel("work", *paths, "--compare"))
        assert len(set(labels)) == 2 and all(label.endswith("/p") for label in labels)

    def test_labels(self, old_and_new):
        labels = ("--label=before $1$", "--label=after")
        axes = panel("work", *old_and_new, "--compare", *labels)
        assert legend(axes) == [r"before \$1\$", "after"]
        with pytest.raises(AprofError, match="1 --label for 2 profiles"):
            panel("work", *old_and_new, "--compare", "--label=x")

    def test_a_profile_without_the_routine_is_said(self, old_and_new, tmp_path):
        other = write(tmp_path / "other", Table(1, LINE), routines=(("main", 1, 1, 1),))
        made = picture("work", *old_and_new, other, "--compare")
        assert legend(made.figure.axes[0]) == ["old", "new"]
        assert f"{other}: no routine matches 'work'" in made.remarks
        with pytest.raises(SelectionError, match="no routine matches 'wrk'.*did you mean"):
            panel("wrk", *old_and_new, "--compare")

    def test_several_routines(self, tmp_path):
        paths = [write(tmp_path / n, Table(1, SQUARE), Table(2, LINE)) for n in ("a", "b")]
        found = ["work, a", "main, a", "work, b", "main, b"]
        assert legend(panel("work", *paths, "--with=main", "--compare")) == found

    def test_a_glob_that_fits_several_of_a_profile(self, sample, two):
        with pytest.raises(SelectionError, match="any of 2 routines"):
            panel("*", sample, two, "--compare")
        found = ["work, aprof.out.100", "main, two", "work, two"]
        assert legend(panel("*", sample, two, "--compare", "--all")) == found

    def test_more_pairs_than_colours(self, tmp_path):
        paths = [write(tmp_path / f"p{i}", Table(1, LINE), Table(2, LINE)) for i in range(5)]
        assert legend(panel("*", *paths, "--compare", "--all"))[-1] == "3 others"
        assert legend(panel("*", *paths[:4], "--per-thread", "--all"))[-1] == "1 other"

    def test_threads_of_a_profile_are_merged(self, sample, two):
        made = panel("work", sample, two, "--compare")
        assert points(made)["aprof.out.100"] == [(10, 7), (20, 9), (30, 40)]


class TestFit:
    def test_the_line_is_the_fit(self, two):
        axes = panel("main", two, "--fit")
        marks, line = axes.get_lines()
        work = select(load_profiles([str(two)], False).routines, "main")
        fit = fit_table(work.points["trms"], "bb", False, "max")
        assert (line.get_xdata()[0], line.get_xdata()[-1]) == (10, 190)
        assert list(line.get_ydata()) == list(fit.predict(line.get_xdata()))
        assert line.get_ydata()[-1] == pytest.approx(190**2, rel=0.05)
        assert line.get_label().startswith(fit.formula)
        assert "95 % band" in line.get_label()
        (band,) = axes.collections
        low, high = fit.band(line.get_xdata())
        drawn_band = band.get_paths()[0].vertices[:, 1]
        assert drawn_band.max() == pytest.approx(high.max())
        assert drawn_band.min() == pytest.approx(max(low.min(), 0))

    def test_of_several_series_each_has_its_own(self, two):
        labels = legend(panel("work", two, "--with=main", "--fit"))
        assert labels[:2] == ["work", "main"]
        assert labels[2].startswith("work: ") and labels[3].startswith("main: ")

    def test_cannot_tell_is_said(self, sample):
        made = picture("work", sample, "--fit")
        assert list(points(made.figure.axes[0])) == ["TRMS"]
        said = "growth: cannot tell (3 distinct sizes; 5 needed)"
        assert said in made.remarks and said in made.figure.axes[0].get_title()

    def test_a_band_does_not_stretch_the_axes(self, two):
        for log in ("--log=xy", "--log=none"):
            without, with_fit = (panel("main", two, log, *fit) for fit in ([], ["--fit"]))
            assert without.get_ylim() == with_fit.get_ylim()
