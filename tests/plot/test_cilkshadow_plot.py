"""cilkshadow-plot: the bounds that it draws, of programs and of call sites."""

from __future__ import annotations

import numpy as np
import pytest
from work_span_builder import COLUMNS, Site, WorkSpan, quicksort

from aprofplot.commands import cilkshadow_plot
from aprofplot.commands.plot_schedules import draw_timeline, draw_what_if
from aprofplot.figures import speedup_plot, styles, timeline_plot
from aprofplot.read.work_span_reader import BURDENED, read_work_span
from aprofplot.work_span.metrics import (
    Speedup,
    ceiling,
    processor_counts,
    processors_worth_showing,
    program_speedup,
    site_speedup,
)
from builder import with_end


def simple(tmp_path, name="p", **totals):
    """1000 of work, a span of 100; main calls quicksort: 800 and 50."""
    called = ((1, 800, 50),) * 3
    top = (1, 1000, 100)
    sites = [Site(0, 1, 0, (top, top, (1, 200, 50))), Site(1, 2, 31, called)]
    made = WorkSpan(sites=sites, totals={"burdened-span": 200, "serialised-span": 250, **totals})
    return made.write(tmp_path / name)


def lines(figure):
    """What each line shows, by label."""
    (axes,) = figure.axes
    return {line.get_label(): np.array(line.get_data()) for line in axes.get_lines()}


def drawn(paths, *sites, most=16, log=False):
    profiles = [read_work_span(str(path)) for path in paths]
    subjects = cilkshadow_plot.subjects_of(profiles, sites)
    with styles.applied(styles.find_style("screen")):
        figure = speedup_plot.plot_speedup(subjects, most, log, "")
        figure.draw_without_rendering()
    return figure


def at(curve, processors):
    x, y = curve
    return y[list(x).index(processors)]


def test_the_bounds(tmp_path):
    found = lines(drawn([simple(tmp_path)]))
    assert set(found) == {
        "perfect linear",
        "quicksort: work/span bound",
        "quicksort: burdened-dag estimate",
        "quicksort: bound with locks in this run's order",
    }
    assert at(found["perfect linear"], 16) == 16
    span = found["quicksort: work/span bound"]
    assert [at(span, p) for p in (1, 8, 10, 16)] == [1, 8, 10, 10]
    burdened = found["quicksort: burdened-dag estimate"]
    assert [at(burdened, p) for p in (1, 10)] == pytest.approx([1000 / 1340, 1000 / 440])
    locks = found["quicksort: bound with locks in this run's order"]
    assert [at(locks, p) for p in (3, 4, 16)] == [3, 4, 4]


def test_locks_that_cost_nothing_are_not_drawn(tmp_path):
    found = lines(drawn([simple(tmp_path, **{"serialised-span": 100})]))
    assert not any("locks" in label for label in found)


def test_bounds_bend_where_the_parallelism_is(tmp_path):
    bound = lines(drawn([simple(tmp_path, work=1050)]))["quicksort: work/span bound"]
    assert at(bound, 10.5) == 10.5 and at(bound, 11) == 10.5


def test_a_call_site(tmp_path):
    found = lines(drawn([simple(tmp_path)], "quicksort.c:31"))
    name = "main -> quicksort (quicksort.c:31)"
    assert at(found[f"{name}: work/span bound"], 16) == 16
    estimate = found[f"{name}: burdened-dag estimate, burden as in the whole program"]
    assert at(estimate, 1) == pytest.approx(800 / (800 + 1.7 * 50 * 2))


def test_a_site_s_own_burdened_span(tmp_path):
    text = simple(tmp_path).read_text()
    body = text[: text.rindex("end ")]
    body = body.replace(" ".join(COLUMNS), f"{' '.join(COLUMNS)} {BURDENED}")
    rows = [f"{row} 70" if row.startswith("site ") else row for row in body.splitlines()]
    (tmp_path / "p").write_text(with_end("\n".join(rows) + "\n"))
    profile = read_work_span(str(tmp_path / "p"))
    speedup = site_speedup(profile, profile.sites[1])
    assert (speedup.burdened_span, speedup.estimated) == (70, False)


def test_several_in_one_picture(tmp_path):
    paths = [simple(tmp_path, "before"), simple(tmp_path, "after", work=2000)]
    figure = drawn(paths)
    (axes,) = figure.axes
    entries = [text.get_text() for text in axes.get_legend().get_texts()]
    assert entries == [
        "before: parallelism 10.0",
        "after: parallelism 20.0",
        "perfect linear",
        "work/span bound",
        "bound with locks in this run's order",
        "burdened-dag estimate",
    ]
    both = cilkshadow_plot.subjects_of([read_work_span(str(p)) for p in paths], ["main"])
    assert [subject.name for subject in both] == [
        "main (quicksort.c:30), before",
        "main (quicksort.c:30), after",
    ]


def test_a_site_named_twice_is_drawn_once(tmp_path):
    profile = read_work_span(str(quicksort().write(tmp_path / "p")))
    chosen = cilkshadow_plot.subjects_of([profile], ["partition", "quicksort.c:20", "main"])
    assert len(chosen) == 2


def test_logarithmic_axes_are_to_base_2(tmp_path):
    (axes,) = drawn([simple(tmp_path)], most=256, log=True).axes
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert list(axes.get_xticks())[:4] != [1, 10, 100]
    assert {1, 2, 64, 256} <= set(axes.get_xticks())


@pytest.mark.parametrize(
    "parallelism, most", [(1, 16), (5.6, 16), (9, 32), (100, 256), (1e6, 1024)]
)
def test_processors_shown(parallelism, most):
    assert processors_worth_showing([Speedup(int(parallelism * 1000), 1000, 1000)]) == most


def test_processor_counts():
    assert processor_counts(16).tolist() == list(range(1, 17))
    many = processor_counts(1 << 20)
    assert (many[0], many[-1], len(many) <= 512) == (1, 1 << 20, True)


def test_nothing_measured_has_no_bound():
    nothing = Speedup(0, 0, 0)
    assert nothing.parallelism == 1
    assert nothing.burdened_bound(np.ones(2)).tolist() == [0, 0]


def test_ceiling(tmp_path):
    profile = read_work_span(str(simple(tmp_path)))
    assert ceiling(profile, 50) == 20
    assert ceiling(profile, 100) is None
    assert program_speedup(profile).parallelism == 10


def test_files(tmp_path, capsys, monkeypatch):
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    simple(tmp_path, "cilkshadow.out.1")
    assert cilkshadow_plot.main(["-o", "a.svg"]) == 0
    assert cilkshadow_plot.main(["--style=paper", "--processors=2000", "--site=main"]) == 0
    out, error = capsys.readouterr()
    assert out == "a.svg\nspeedup.pdf\n"
    assert "main (quicksort.c:30): burdened span estimated" in error
    assert (tmp_path / "a.svg").stat().st_size > 5000


@pytest.mark.parametrize(
    "options, says, status",
    [
        (["--site=nothing"], "no call site matches 'nothing'", 1),
        (["--site=quicksort"], "'quicksort' could be any of 3 call sites", 1),
        (["-o", "a.txt"], "unknown kind of picture", 2),
        (["--style=none"], "--style=none: no such style", 2),
        (["--processors=1"], "'1' is not a number from 2 to 1048576", 2),
    ],
)
def test_what_cannot_be_drawn(options, says, status, tmp_path, capsys):
    path = quicksort().write(tmp_path / "p")
    try:
        assert cilkshadow_plot.main([str(path), *options]) == status
    except SystemExit as exit_:
        assert exit_.code == status
    assert says in capsys.readouterr().err


def test_an_empty_profile(tmp_path, capsys):
    assert cilkshadow_plot.main([str(WorkSpan().write(tmp_path / "p"))]) == 1
    assert "the program executed none of its own code" in capsys.readouterr().err


LEAF = ((1, 120, 120),) * 3
FORKED = (
    "dag 0 3",
    "path 1 0 1",
    "strand 1 40 0 0 - 1:40:0 -",
    *["strand 1 40 0 0 1 1:40:0 -"] * 2,
)


def with_dag(path):
    return WorkSpan(sites=[Site(0, 1, 0, LEAF)], dag=FORKED).write(path)


def test_schedules_are_drawn(tmp_path, monkeypatch, capsys):
    with_dag(tmp_path / "cilkshadow.out.1")
    monkeypatch.chdir(tmp_path)
    assert cilkshadow_plot.main(["--timeline", "-P", "2"]) == 0
    assert cilkshadow_plot.main(["--what-if", "main x2", "-P", "4", "--scheduler=threads"]) == 0
    assert capsys.readouterr().out.split() == ["timeline.png", "what-if.png"]
    assert (tmp_path / "timeline.png").exists() and (tmp_path / "what-if.png").exists()


def arguments(*options):
    return cilkshadow_plot.parser().parse_args(options)


def test_simulated_speedups_on_many_processors_have_logarithmic_axes(tmp_path):
    profile = read_work_span(str(with_dag(tmp_path / "p")))
    for processors, scale in (("64", "linear"), ("128", "log")):
        asked = arguments("--what-if", "main x2", "-P", processors)
        (axes,) = draw_what_if(profile, asked, False).axes
        assert axes.get_xscale() == axes.get_yscale() == scale


def test_a_schedule_after_a_change_is_compared_with_the_changed_program(tmp_path, monkeypatch):
    monkeypatch.setattr(timeline_plot, "plot_timeline", lambda *drawn: drawn[-1])
    profile = read_work_span(str(with_dag(tmp_path / "p")))
    assert draw_timeline(profile, arguments("-P", "2"), True).endswith(
        " on 2 processors: 1.50 times as fast as on one"
    )
    assert draw_timeline(profile, arguments("-P", "2", "--what-if", "main x2"), True).endswith(
        ", if main x2: 1.50 times as fast as the changed program on one"
    )


def test_speedups_as_they_are_and_after_a_change():
    curves = {"as it is": [1.0, 1.5, 1.5], "main x2": [2.0, 3.0, 3.0]}
    with styles.applied(styles.find_style("screen")):
        (axes,) = speedup_plot.plot_simulated([1, 2, 3], curves, False, "").axes
    assert [list(line.get_ydata()) for line in axes.get_lines()] == [[1, 2, 3], *curves.values()]
    assert axes.get_ylim()[1] > 3


@pytest.mark.parametrize(
    ("options", "says", "status"),
    [
        (["--timeline"], "the profile has no dag", 1),
        (["--scheduler=greedy"], "--scheduler is for --timeline and --what-if", 2),
        (["--timeline", "--site=main"], "leave --site out", 2),
        (["--timeline", "-P", "1000000"], "at most 1024 are simulated", 2),
        (["--timeline", "--log=xy"], "--log is for speedups", 2),
        (["--timeline", "other.out"], "--timeline takes one profile", 2),
        (["--what-if=burden 5"], "is for --scheduler=work-stealing", 2),
    ],
)
def test_schedules_that_cannot_be(options, says, status, tmp_path, capsys):
    profile = str(simple(tmp_path))
    try:
        assert cilkshadow_plot.main([profile, *options]) == status
    except SystemExit as end:
        assert end.code == status
    assert says in capsys.readouterr().err
