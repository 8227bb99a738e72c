"""Fits of routines whose complexity is known. What theory says is in terms of the input that was
measured: a lookup in a tree of n nodes reads log n of them, so its cost grows as its input."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from running import run as run_natively
from running import sizes

SQLITE = "-l:libsqlite3.so.0"  # what the package sqlite3 brings: no headers are needed
# glibc clears large blocks by `rep stosb`, each round of which is a basic block: buckets would cost
# more than the insertions.
NO_REP = {**os.environ, "GLIBC_TUNABLES": "glibc.cpu.x86_rep_stosb_threshold=100000000"}


@pytest.fixture(scope="module")
def c_routines(compile, module_profile):
    return module_profile([compile("known_costs.c")])


@pytest.fixture(scope="module")
def cpp_routines(compile, module_profile):
    return module_profile([compile("known_costs.cpp")], env=NO_REP)


def fit(run, name, metric="trms"):
    (routine,) = [r for r in run.fitted_report()["routines"] if r["name"].split("(")[0] == name]
    return routine["fit"][metric]


@pytest.mark.parametrize(
    "name, law",
    [
        ("bubble_sort", "n^2"),
        ("binary_search", "n"),
        ("multiply_naive", "n^1.5"),
        ("multiply_blocked", "n^1.5"),
        ("sort_with_qsort", "n log n"),
        ("copy_with_memcpy", "n"),
    ],
)
def test_c(name, law, c_routines):
    for metric in ("trms", "rms"):
        found = fit(c_routines, name, metric)
        assert found["model"] == law, found
        assert found["confidence"] > 0.8, found
        assert found["r2"] > 0.98, found


@pytest.mark.parametrize(
    "name, law",
    [
        ("sort_vector", "n log n"),
        ("fill_map", "n log n"),
        ("insert_in_map", "n"),
        ("fill_hash", "n"),
        ("insert_in_hash", "n"),
    ],
)
def test_cpp(name, law, cpp_routines):
    for metric in ("trms", "rms"):
        found = fit(cpp_routines, name, metric)
        assert found["model"] == law, found
        assert found["confidence"] > 0.8, found
        assert found["r2"] > 0.98, found


def tables_sql():
    """Tables of 200 to 20000 rows with an index, and the numbers of their rows."""
    statements, counts = [], []
    rows = 200
    while rows <= 20000:
        table = f"t{len(counts)}"
        statements.append(
            f"create table {table}(a integer primary key, b integer);"
            f"with recursive r(x) as (select 1 union all select x + 1 from r where x < {rows}) "
            f"insert into {table} select x, (x * 7919) % 1000003 from r;"
            f"create index of_{table} on {table}(b);"
        )
        counts.append(rows)
        rows += rows * 3 // 10
    return "".join(statements), counts


def test_sqlite_lookup_is_linear_in_what_it_reads_the_scan_in_the_table(compile, profile):
    """Both cost as much as they read, but of 20000 rows the lookup reads a path of the tree and,
    at each page, the keys that a binary search compares."""
    # The libraries stand before what needs them.
    run = profile([compile("sqlite_queries.c", "-Wl,--no-as-needed", SQLITE)])
    for name in ("look_up", "scan"):
        for metric in ("trms", "rms"):
            found = fit(run, name, metric)
            assert (found["model"], "break" in found) == ("n", False), found
            assert found["confidence"] > 0.7 and found["r2"] > 0.98, found
    lookup, scan = (sizes(run.routine(name), "trms") for name in ("look_up", "scan"))
    assert 4 * min(lookup) < max(lookup) < 10 * min(lookup)
    assert max(scan) > 500 * max(lookup)


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="sqlite3 not installed")
def test_steps_of_sqlite_are_linear_and_lookups_alone_too_narrow(profile):
    # Its path is input of the first step: in a folder of one length, whatever runs the tests.
    with tempfile.TemporaryDirectory() as folder:
        check_steps_of_sqlite(profile, Path(folder) / "tables")


def check_steps_of_sqlite(profile, database):
    create, counts = tables_sql()
    assert run_natively(["sqlite3", database, create]).returncode == 0
    scans = [f"select sum(b) from t{i} not indexed where b > 7;" for i in range(len(counts))]
    lookups = [f"select a from t{i} where b = 7919;" for i in range(len(counts))]
    scan = profile(["sqlite3", "-readonly", database, "".join(scans)])
    lookup = profile(["sqlite3", "-readonly", database, "".join(lookups)])
    found = fit(scan, "sqlite3_step")
    assert (found["model"], found["confidence"] > 0.9) == ("n", True), found
    # Steps that only end a statement read a hundred cells and are a branch of their own.
    assert found["break"]["at"] < 2000
    # A hundred times the rows are two or three times the cells, too few to speak of growth.
    found = fit(lookup, "sqlite3_step")
    assert found["model"] == "cannot tell"
    assert found["reason"].endswith("a factor of 4 needed"), found
    largest = [max(sizes(r.routine("sqlite3_step"), "trms")) for r in (scan, lookup)]
    assert largest[0] > 50 * largest[1]
