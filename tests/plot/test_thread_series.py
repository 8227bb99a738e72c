"""--per-thread: every thread's points are there, and the legend says whose they are."""

from __future__ import annotations

from builder import Builder, Table
from drawing import all_points, drawn, legend, panel


def test_threads_of_several_runs_have_their_process(tmp_path):
    for pid in (7, 8):
        Builder(tables=[Table(2, [(1, 1, pid, pid, pid)])], pid=pid).write(tmp_path / str(pid))
    (axes,) = drawn("work", tmp_path / "7", tmp_path / "8", "--per-thread").axes
    assert legend(axes) == ["thread 7:1", "thread 8:1"]


def test_overlay_says_which_metric(tmp_path):
    tables = [Table(2, [(1, 1, 1, 1, 1)], thread=i) for i in (1, 2)]
    path = Builder(threads=("", "w"), tables=tables).write(tmp_path / "p")
    (axes,) = drawn("work", path, "--per-thread", "--overlay").axes
    assert legend(axes) == [
        "TRMS, thread 1",
        "TRMS, thread 2 w",
        "RMS, thread 1",
        "RMS, thread 2 w",
    ]


def test_many_threads_are_all_drawn_and_the_costliest_named(tmp_path):
    tables = [Table(2, [(i, 1, i, i, i)], thread=i) for i in range(1, 65)]
    threads = tuple(f"w{i}" for i in range(1, 65))
    path = Builder(threads=threads, tables=tables).write(tmp_path / "p")
    axes = panel("work", path, "--per-thread")
    assert sorted(all_points(axes)) == [(i, i) for i in range(1, 65)]
    assert legend(axes) == [
        *(f"thread {i} w{i}" for i in range(58, 65)),
        "57 other threads",
    ]
    assert len({line.get_color() for line in axes.get_lines()}) == 8
    assert len({line.get_marker() for line in axes.get_lines()[:7]}) == 7
    assert axes.get_position().height > 0.5


def test_threads_of_several_routines(tmp_path):
    tables = [Table(r, [(r, 1, t, t, t)], thread=t) for t in (1, 2) for r in (1, 2)]
    path = Builder(threads=("", "w"), tables=tables).write(tmp_path / "p")
    assert legend(panel("main", path, "--with=work", "--per-thread")) == [
        "main, thread 1",
        "work, thread 1",
        "main, thread 2 w",
        "work, thread 2 w",
    ]
