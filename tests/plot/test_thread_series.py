"""--per-thread: every thread's points are there, and the legend says whose they are."""

from __future__ import annotations

from builder import Builder, Table

from aprofplot.commands.running import load_profiles
from aprofplot.figures.routine_plot import Options, plot_routine


def labels(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def draw(paths, **options):
    profile = load_profiles([str(path) for path in paths], per_thread=True)
    return plot_routine(
        profile, list(profile.routines), Options(**{"metrics": ("trms",), **options})
    )


def points(axes):
    return sorted((x, y) for line in axes.get_lines() for x, y in zip(*line.get_data()))


def test_threads_of_several_runs_have_their_process(tmp_path):
    for pid in (7, 8):
        Builder(tables=[Table(2, [(1, 1, pid, pid, pid)])], pid=pid).write(tmp_path / str(pid))
    (axes,) = draw([tmp_path / "7", tmp_path / "8"]).axes
    assert labels(axes) == ["thread 7:1", "thread 8:1"]


def test_overlay_says_which_metric(tmp_path):
    tables = [Table(2, [(1, 1, 1, 1, 1)], thread=i) for i in (1, 2)]
    path = Builder(threads=("", "w"), tables=tables).write(tmp_path / "p")
    (axes,) = draw([path], metrics=("trms", "rms"), overlay=True).axes
    assert labels(axes) == [
        "TRMS, thread 1",
        "TRMS, thread 2 w",
        "RMS, thread 1",
        "RMS, thread 2 w",
    ]


def test_many_threads_are_all_drawn_and_the_costliest_named(tmp_path):
    tables = [Table(2, [(i, 1, i, i, i)], thread=i) for i in range(1, 65)]
    threads = tuple(f"w{i}" for i in range(1, 65))
    path = Builder(threads=threads, tables=tables).write(tmp_path / "p")
    figure = draw([path])
    (axes,) = figure.axes
    assert points(axes) == [(i, i) for i in range(1, 65)]
    assert labels(axes) == [*(f"thread {i} w{i}" for i in range(58, 65)), "57 other threads"]
    colours = {line.get_color() for line in axes.get_lines()}
    assert len(colours) == 8
    figure.draw_without_rendering()
    assert axes.get_position().height > 0.5
