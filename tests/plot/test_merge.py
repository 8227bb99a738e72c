"""Merging threads and profiles: sums add, extremes are those of all, nothing is lost."""

from __future__ import annotations

from collections import defaultdict

import pytest
from builder import Builder, Table
from hypothesis import given, settings
from hypothesis import strategies as st

from aprofplot.commands.loading import load_profiles
from aprofplot.errors import AprofError


def test_threads_of_one_profile(sample):
    profile = load_profiles([str(sample)], per_thread=False)
    work = next(r for r in profile.routines if r.routine.name == "work")
    assert (work.calls, len(work.threads)) == (5, 2)
    table = work.points["trms"]
    assert table.column("size").tolist() == [10, 20, 30]
    assert table.column("calls").tolist() == [3, 1, 1]
    assert table.column("bb.min").tolist() == [4, 9, 40]
    assert table.column("bb.max").tolist() == [7, 9, 40]
    assert table.column("bb.sum").tolist() == [16, 9, 40]
    assert (work.induced_thread, work.induced_external) == (3, 4)
    apart = load_profiles([str(sample)], per_thread=True)
    assert [r.routine.name for r in apart.routines] == ["main", "work", "work"]


POINTS = st.dictionaries(
    st.integers(0, 50),
    st.lists(st.integers(1, 2**60), min_size=1, max_size=4),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60)
@given(runs=st.lists(POINTS, min_size=1, max_size=4))
def test_several_profiles(tmp_path, runs):
    paths = []
    together = defaultdict(list)
    for number, costs_of in enumerate(runs):
        points = [(s, len(c), min(c), max(c), sum(c)) for s, c in sorted(costs_of.items())]
        path = Builder(tables=[Table(2, points)], pid=number).write(tmp_path / str(number))
        paths.append(str(path))
        for size, costs in costs_of.items():
            together[size] += costs
    profile = load_profiles(paths, per_thread=False)
    assert len(profile.runs) == len(runs)
    (work,) = profile.routines
    table = work.points["trms"]
    sizes = sorted(together)
    assert table.column("size").tolist() == sizes
    assert table.column("calls").tolist() == [len(together[s]) for s in sizes]
    assert table.column("bb.min").tolist() == [min(together[s]) for s in sizes]
    assert table.column("bb.max").tolist() == [max(together[s]) for s in sizes]
    assert table.column("bb.sum").tolist() == [sum(together[s]) for s in sizes]
    assert work.cost["bb"].inclusive == sum(map(sum, together.values()))


def test_common_events_are_kept(tmp_path):
    one = Builder(tables=[Table(2, [(1, 1, 2, 2, 2)])], events=("bb", "instr"))
    two = Builder(tables=[Table(2, [(1, 1, 3, 3, 3)])])
    paths = [str(one.write(tmp_path / "1")), str(two.write(tmp_path / "2"))]
    profile = load_profiles(paths, per_thread=False)
    assert profile.event_names == ("bb",)
    assert profile.routines[0].points["rms"].column("bb.sum").tolist() == [5]


def test_units_must_agree(tmp_path):
    table = [Table(2, [(1, 1, 2, 2, 2)])]
    paths = [
        str(Builder(tables=table).write(tmp_path / "1")),
        str(Builder(tables=table, cell_bytes=8).write(tmp_path / "2")),
    ]
    with pytest.raises(AprofError, match="cells of 4 bytes and in cells of 8 bytes"):
        load_profiles(paths, per_thread=False)


def test_same_name_elsewhere_is_another_routine(tmp_path):
    builder = Builder(
        routines=[("helper", 1, 1, 1), ("helper", 1, 2, 1)],
        files=["/src/one.c", "/src/two.c"],
        tables=[Table(1, [(1, 1, 1, 1, 1)]), Table(2, [(1, 1, 1, 1, 1)])],
    )
    profile = load_profiles([str(builder.write(tmp_path / "p"))], per_thread=False)
    assert len(profile.routines) == 2


def test_same_name_without_file_is_told_apart_by_address(tmp_path):
    builder = Builder(
        routines=[("helper", 1, 0, 0), ("helper", 1, 0, 0)],
        tables=[Table(1, [(1, 1, 1, 1, 1)]), Table(2, [(1, 1, 1, 1, 1)])],
    )
    paths = [str(builder.write(tmp_path / name)) for name in ("p", "q")]
    profile = load_profiles(paths, per_thread=False)
    assert [routine.calls for routine in profile.routines] == [2, 2]
