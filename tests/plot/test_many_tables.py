"""Many tables and many profiles: reading and adding up in batches changes no number."""

from __future__ import annotations

import tracemalloc
from collections import defaultdict
from pathlib import Path

import pytest
from builder import Builder, Context, Table, with_end
from hypothesis import given, settings
from hypothesis import strategies as st

from aprofplot.commands.loading import load_profiles
from aprofplot.errors import ProfileError
from aprofplot.merge import merge_threads
from aprofplot.model import RoutineProfile, ThreadKey
from aprofplot.read.profile_reader import read_merged, read_profile

THREADS = ("", "one", "two", "three")
# Namesakes are told apart by their addresses only, with a source file (as of macros) or without.
ROUTINES = [
    ("main", 1, 1, 1),
    ("twin", 1, 1, 3),
    ("twin", 1, 1, 7),
    ("stub", 1, 0, 0),
    ("stub", 1, 0, 0),
]

COSTS = st.lists(
    st.sampled_from([1, 7, 2**31, 2**61, 2**62 + 1, 2**63 + 5]),
    min_size=1,
    max_size=3,
)
POINTS = st.dictionaries(st.integers(0, 9), COSTS, max_size=4)
TABLES = st.dictionaries(st.tuples(st.integers(1, 4), st.integers(1, 5)), POINTS, max_size=12)


def shared_out(table: Table):
    """Callers of a routine: all that it may have, by turns; none has no cost in outermost calls."""
    callers = [caller for caller in range(6) if (caller + table.routine) % 2][: table.calls]
    rest = table.calls - len(callers) + 1
    last = len(callers) - 1
    return [
        (
            caller,
            rest if i == last else 1,
            table.unfinished if i == last else 0,
            table.cost + caller if table.cost < 2**63 else table.cost,
            table.cost if i == last else 0,
        )
        for i, caller in enumerate(callers)
    ]


def contexts_of(tables):
    """A context for each table, below those before it in its thread; the third of each thread is a
    merged one, and what follows is below the first again."""
    contexts, above, in_thread = [], 0, 0
    for place, table in enumerate(tables, 1):
        if place == 1 or table.thread != tables[place - 2].thread:
            above, first, in_thread = 0, place, 0
        in_thread += 1
        contexts.append(Context(None if in_thread == 3 else above, table))
        above = first if in_thread == 3 else place
    return contexts


def profile_of(tables, **more) -> Builder:
    made = [
        Table(
            routine,
            [(s, len(c), min(c), max(c), sum(c)) for s, c in sorted(points.items())],
            thread=thread,
            unfinished=1,
            precision=precision,
        )
        for precision, ((thread, routine), points) in enumerate(sorted(tables.items()))
    ]
    for table in made:
        table.callers = shared_out(table)
    contexts = contexts_of(made)
    if (
        sum(table.cost for table in made) >= 2**64
    ):  # then a path would cost more than 64 bits hold
        contexts = [Context(0, table) for table in made]
    return Builder(routines=ROUTINES, threads=THREADS, tables=made, contexts=contexts, **more)


def plain(routine: RoutineProfile):
    """All that is in it, as values that compare."""
    points = {m: (t.precision, t.columns, t.rows.tolist()) for m, t in routine.points.items()}
    numbers = (
        routine.calls,
        routine.unfinished,
        routine.induced_thread,
        routine.induced_external,
    )
    return routine.routine, routine.threads, numbers, dict(routine.cost), points


def all_of(profile):
    """A profile's numbers, as values that compare."""
    routines = [plain(routine) for routine in profile.routines]
    calls = [
        (
            e.caller,
            e.callee,
            e.threads,
            e.calls,
            e.unfinished,
            dict(e.cost),
            dict(e.outermost),
        )
        for e in profile.calls
    ]
    return (
        routines,
        calls,
        [(c.parent, c.merged, plain(c.profile)) for c in profile.contexts],
    )


def small(tables):
    """Without sums beyond 64 bits, which no profile has."""
    return all(sum(sum(c) for c in points.values()) < 2**64 for points in tables.values())


@settings(max_examples=150)
@given(
    tables=TABLES.filter(small),
    batch=st.sampled_from([1, 200, 1 << 22]),
    kept=st.sampled_from([0, 5]),
)
def test_threads_added_up_while_reading(tmp_path, tables, batch, kept):
    path = str(profile_of(tables).write(tmp_path / "p"))
    apart = read_profile(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aprofplot.read.point_batch._BYTES", batch)
        patch.setattr("aprofplot.read.thread_sums._POINTS", kept)
        patch.setattr("aprofplot.read.call_sums._EDGES", kept)
        assert all_of(read_profile(path)) == all_of(apart)
        told: list[tuple[int, int]] = []
        merged = read_merged(path, lambda *done: told.append(done))
        lines = Path(path).read_bytes().count(b"\n")
        assert all(0 < done < of == lines for done, of in told)
        assert len(told) >= (len(tables) if batch == 1 else bool(tables))
    assert all_of(merged) == all_of(merge_threads(apart))
    assert len(apart.contexts) == len(tables)
    called = defaultdict(int)
    for edge in apart.calls:
        called[edge.callee.line, edge.callee.address, edge.threads[0].id] += edge.calls
    for routine in apart.routines:
        key = (routine.routine.line, routine.routine.address, routine.threads[0].id)
        by_none = routine.routine.address // 4096 % 2  # shared_out: each second may have caller 0
        assert called[key] == routine.calls if not by_none else called[key] < routine.calls
    assert [(r.threads[0].id, r.routine.line) for r in apart.routines] == [
        (thread, ROUTINES[routine - 1][3]) for thread, routine in sorted(tables)
    ]
    due = defaultdict(list)
    for (_, routine), points in tables.items():
        for size, costs in points.items():
            due[routine, size] += costs
    found = {}
    for routine in merged.routines:
        table = routine.points["trms"]
        for size, calls, least, most, total in zip(
            *(
                table.column(name).tolist()
                for name in ("size", "calls", "bb.min", "bb.max", "bb.sum")
            )
        ):
            number = routine.routine.address // 4096
            found[number, size] = (calls, least, most, total)
    assert found == {key: (len(c), min(c), max(c), sum(c)) for key, c in due.items()}


@settings(max_examples=50)
@given(
    runs=st.lists(TABLES.filter(small), min_size=1, max_size=4),
    per_thread=st.booleans(),
)
def test_profiles_added_up_one_by_one(tmp_path, runs, per_thread):
    builders = [profile_of(tables, pid=pid) for pid, tables in enumerate(runs)]
    paths = [str(b.write(tmp_path / str(b.pid))) for b in builders]
    at_once = load_profiles(paths, per_thread)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aprofplot.profile_sum._POINTS", 0)
        one_by_one = load_profiles(paths, per_thread)
    assert [run.pid for run in one_by_one.runs] == list(range(len(runs)))
    assert all_of(one_by_one) == all_of(at_once)
    calls = sum(len(c) for tables in runs for points in tables.values() for c in points.values())
    assert sum(r.calls - r.unfinished for r in at_once.routines) == calls


@pytest.mark.parametrize("load", [read_profile, read_merged])
def test_an_error_in_a_later_batch_names_its_line(load, tmp_path, monkeypatch):
    monkeypatch.setattr("aprofplot.read.point_batch._BYTES", 100)
    names = [(f"f{i}", 1, 1, i) for i in range(1, 50)]
    tables = [Table(i, [(1, 1, 2, 2, 2), (5, 1, 2, 2, 2)]) for i in range(1, 50)]
    lines = Builder(routines=names, tables=tables).text().splitlines()[:-1]
    at = next(i for i, line in enumerate(lines) if line.startswith("table 1 40 "))
    for offset, changed, says in [
        (
            0,
            "table 1 39 2 0 0 0 4 4",
            "tables are not in the order of thread and routine",
        ),
        (0, "table 1 99 2 0 0 0 4 4", "routine '99' is used before it is defined"),
        (0, "table 7 40 2 0 0 0 4 4", "thread 7 is used before it is defined"),
        (0, "table 1 40 2 0 0 0 4", "'table' with 7 fields where 8 were expected"),
        (0, "table 1 40 2 0 0 0 4 4x", "number of a table is '4x', not a number"),
        (0, f"table 1 40 2 0 0 0 4 {2**64}", "more than 64 bits hold"),
        (1, "points rms 2 0", "'points rms' where 'points trms' were expected"),
        (1, "points  trms 2 0", "'points' with"),
        (3, lines[at + 3] + " ", "is not all numbers"),
        (3, lines[at + 3].replace("5", "1", 1), "input sizes do not ascend"),
        (1, "points trms 1 0", None),
    ]:
        broken = list(lines)
        broken[at + offset] = changed
        (tmp_path / "p").write_text(with_end("\n".join(broken) + "\n"))
        with pytest.raises(ProfileError) as raised:
            load(str(tmp_path / "p"))
        line = at + offset + 1 if says else at + 4  # a point where a record is due
        assert f"/p:{line}: " in str(raised.value), str(raised.value)
        assert (says or "unknown or misplaced record '5'") in str(raised.value)


def peak_of(paths, per_thread=False):
    tracemalloc.start()
    profile = load_profiles(paths, per_thread)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak, profile


def test_memory_is_that_of_the_sum_and_not_of_all_profiles(tmp_path, monkeypatch):
    monkeypatch.setattr("aprofplot.profile_sum._POINTS", 10_000)
    points = [(size, 1, size, size, size) for size in range(5000)]
    paths = [
        str(Builder(tables=[Table(2, points)], pid=pid).write(tmp_path / str(pid)))
        for pid in range(24)
    ]
    few, _ = peak_of(paths[:4])
    many, profile = peak_of(paths)
    (work,) = profile.routines
    assert work.calls == 24 * 5000
    assert many < 1.5 * few


def test_a_routine_of_one_profile_does_not_keep_all_of_it(tmp_path, monkeypatch):
    """Arrays of a profile are read as one: a part must not keep the whole in memory."""
    monkeypatch.setattr("aprofplot.profile_sum._POINTS", 0)
    paths = []
    for pid in range(3):
        routines = [("main", 1, 1, 1), (f"only_{pid}", 1, 1, 2)]
        tables = [
            Table(1, [(s, 1, 1, 1, 1) for s in range(50)]),
            Table(2, [(1, 1, 1, 1, 1)]),
        ]
        paths.append(
            str(Builder(routines=routines, tables=tables, pid=pid).write(tmp_path / str(pid)))
        )
    for routine in load_profiles(paths, per_thread=False).routines:
        for table in routine.points.values():
            assert table.rows.base is None or table.rows.base.size == table.rows.size


def test_threads_of_a_profile_are_found_by_key(tmp_path):
    one, two = (profile_of({}, pid=pid).write(tmp_path / str(pid)) for pid in (1, 2))
    profile = load_profiles([str(one), str(two)], per_thread=True)
    assert profile.thread(ThreadKey(1, 3)).name == "two"
    with pytest.raises(KeyError):
        profile.thread(ThreadKey(2, 1))
