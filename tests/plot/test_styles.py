"""--style: sizes, fonts and colours for screens, papers and dark pages, and users' own."""

from __future__ import annotations

import math
import re
import zlib

import matplotlib
import pytest
from builder import Builder, Table
from drawing import all_points, drawn, panel

from aprofplot.commands import plot as plot_command
from aprofplot.errors import AprofError


@pytest.fixture(autouse=True)
def no_display(monkeypatch):
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)


def test_a_paper_gets_a_column_without_title_in_serif(sample):
    figure = drawn("work", sample, "--style=paper")
    assert tuple(figure.get_size_inches()) == (3.33, 2.4)
    assert figure._suptitle is None and figure._supxlabel is None
    (axes,) = figure.axes
    assert axes.xaxis.label.get_fontfamily() == ["serif"]
    assert axes.xaxis.label.get_size() == 8
    assert drawn("work", sample, "--style=paper", "--title=T")._suptitle.get_text() == "T"


def test_a_paper_is_a_pdf_with_truetype_fonts(sample, monkeypatch, capsys):
    monkeypatch.chdir(sample.parent)
    assert plot_command.main(["work", str(sample), "--style=paper"]) == 0
    assert capsys.readouterr().out == "work.pdf\n"
    data = (sample.parent / "work.pdf").read_bytes()
    for stream in re.findall(rb"stream\n(.*?)endstream", data, re.DOTALL):
        try:
            data += zlib.decompress(stream)
        except zlib.error:
            continue
    assert b"STIXGeneral" in data
    assert b"/Type42" in data or b"/CIDFontType2" in data
    assert b"/Type3" not in data


def test_dark(sample):
    figure = drawn("work", sample, "--style=dark")
    assert (
        sum(figure.get_facecolor()[:3])
        < 0.6
        < 2
        < sum(matplotlib.colors.to_rgb(figure.axes[0].yaxis.label.get_color()))
    )


def test_two_panels_are_twice_as_wide(sample):
    for style, width in (("screen", 12.8), ("paper", 6.66)):
        figure = drawn("work", sample, "--metric=both", "--style", style)
        assert figure.get_figwidth() == pytest.approx(width)


def test_a_users_own(sample, tmp_path):
    own = tmp_path / "own.mplstyle"
    own.write_text('axes.prop_cycle: cycler("color", ["123456"])\nfigure.figsize: 3, 2\n')
    axes = panel("work", sample, "--style", own, "--per-thread")
    assert axes.get_lines()[0].get_color() == "#123456"
    assert tuple(axes.figure.get_size_inches()) == (3, 2)
    assert not axes.spines["top"].get_visible()  # the rest is that of the screen
    own.write_text('axes.prop_cycle: cycler("linestyle", ["-"])\n')
    assert panel("work", sample, "--style", own)


def test_one_that_matplotlib_knows(sample):
    axes = panel("work", sample, "--style=ggplot")
    assert matplotlib.colors.to_hex(axes.get_facecolor()) == "#e5e5e5"


def test_styles_end_with_the_picture(sample):
    before = matplotlib.rcParams.copy()
    drawn("work", sample, "--style=dark")
    assert matplotlib.rcParams == before


@pytest.mark.parametrize(
    "text, says",
    [
        ("figure.figsize: wide\n", "wide"),
        ("no.such.key: 1\n", "no.such.key"),
        ("\0", ""),
    ],
)
def test_a_broken_one_is_said(text, says, sample, tmp_path, capsys):
    own = tmp_path / "own.mplstyle"
    own.write_text(text)
    assert plot_command.main(["work", str(sample), "--style", str(own), "-o", "x.png"]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and str(own) in error and says in error


def test_an_unknown_one_is_said(sample):
    with pytest.raises(AprofError, match="--style=lovely.*screen, paper, dark"):
        drawn("work", sample, "--style=lovely")


@pytest.mark.parametrize("others", [0, 2])
@pytest.mark.parametrize("style", ["screen", "paper", "small"])
def test_the_legend_of_fits_covers_no_point(style, others, tmp_path):
    names = ["insertion_sort", "heap_sort", "qsort"]
    costs = (lambda n: n * n // 2 + 65, lambda n: 4.1 * n * math.log2(n), lambda n: 9 * n)
    tables = [
        Table(i, [(n, 1, *[int(cost(n))] * 3) for n in range(20, 1220, 20)])
        for i, cost in enumerate(costs, 1)
    ]
    path = Builder(routines=[(name, 1, 1, 1) for name in names], tables=tables)
    (tmp_path / "small").write_text("figure.figsize: 4, 3\n")
    if style == "small":
        style = tmp_path / "small"
    also = [f"--with={name}" for name in names[1 : 1 + others]]
    options = ("--fit", "--log=xy", "--style", style)
    axes = panel(names[0], path.write(tmp_path / "p"), *also, *options)
    place = axes.get_legend().get_window_extent()
    drawn_at = axes.transData.transform(all_points(axes))
    assert not [at for at in drawn_at if place.contains(*at)]
