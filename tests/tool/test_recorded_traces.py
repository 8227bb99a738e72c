"""The profile of a real run against the oracle: the run's events, replayed through the definitions,
must give every number of every table."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import pytest

from running import BUILD

INFINITE = 1 << 64
SQL = """
create table t(a integer primary key, b);
with recursive r(x) as (select 1 union all select x + 1 from r where x < 50)
insert into t select x, x * 7 % 50 from r;
select sum(t.a) from t join t u on t.a = u.b where u.a < 20;
"""


@dataclass
class Statistics:
    least: int = INFINITE
    greatest: int = 0
    sum: int = 0
    sum_of_squares: int = 0

    def add(self, cost):
        self.least = min(self.least, cost)
        self.greatest = max(self.greatest, cost)
        self.sum += cost
        self.sum_of_squares += cost * cost

    def columns(self):
        return [self.least, self.greatest, self.sum, self.sum_of_squares]


@dataclass
class Point:
    calls: int = 0
    by_thread: int = 0
    external: int = 0
    inclusive: Statistics = field(default_factory=Statistics)
    self: Statistics = field(default_factory=Statistics)

    def columns(self):
        return [
            self.calls,
            self.by_thread,
            self.external,
            *self.inclusive.columns(),
            *self.self.columns(),
        ]


def replayed(trace, separate_threads):
    """What the profile must hold: tables and points by (thread, routine), the uncounted cost, call
    edges by (thread, callee, caller), and contexts by (thread, path)."""
    tables: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    points: defaultdict[tuple[int, int, str, int], Point] = defaultdict(Point)
    edges: defaultdict[tuple[int, int, int], Counter[str]] = defaultdict(Counter)
    contexts: defaultdict[tuple[int, tuple[int, ...]], Counter[str]] = defaultdict(Counter)
    with subprocess.Popen(
        [BUILD / "tests" / "replay-trace", trace], stdout=subprocess.PIPE
    ) as replay:
        assert replay.stdout is not None
        for line in replay.stdout:
            if line.startswith(b"uncounted"):
                uncounted = int(line.split()[1])
                continue
            *numbers, path = line.decode().split()
            (
                thread,
                routine,
                returned,
                outermost,
                rms,
                trms,
                by_thread,
                external,
                inclusive,
                own,
                caller,
            ) = map(int, numbers)
            thread = thread if separate_threads else 1
            table = tables[thread, routine]
            table["calls"] += 1
            table["unfinished"] += not returned
            table["by_thread"] += by_thread
            table["external"] += external
            table["inclusive"] += inclusive if outermost else 0
            table["self"] += own
            edge = edges[thread, routine, caller]
            edge.update(calls=1, unfinished=not returned, inclusive=inclusive)
            edge["outermost"] += inclusive if outermost else 0
            context = contexts[thread, tuple(map(int, path.split(">")))]
            context.update(calls=1, unfinished=not returned, by_thread=by_thread)
            context.update(external=external, self=own)
            if not returned:
                continue
            for metric, size in (("rms", rms), ("trms", trms)):
                point = points[thread, routine, metric, size]
                point.calls += 1
                point.by_thread += by_thread
                point.external += external
                point.inclusive.add(inclusive)
                point.self.add(own)
    assert replay.returncode == 0
    columns = ("calls", "unfinished", "by_thread", "external", "inclusive", "self")
    of_context = (*columns[:4], "self")
    of_edge = ("calls", "unfinished", "inclusive", "outermost")
    return (
        {key: [table[column] for column in columns] for key, table in tables.items()},
        {key: point.columns() for key, point in points.items()},
        uncounted,
        {key: [edge[column] for column in of_edge] for key, edge in edges.items()},
        {key: [c[column] for column in of_context] for key, c in contexts.items()},
    )


def profiled(path):
    """The same from the profile, read line by line."""
    tables = {}
    points = {}
    edges = {}
    contexts = {}
    paths = {"0": ()}
    uncounted = None
    children = None  # of points: a column that the oracle does not have
    for line in path.read_text().splitlines():
        words = line.split(" ")
        if words[0] == "uncounted":
            uncounted = int(words[2])
        elif words[0] == "columns":
            children = words.index("children") - 1 if "children" in words else None
        elif words[0] == "loops":  # nor their tables
            within = "loops"
        elif words[0] == "table":
            thread, routine, *columns = map(int, words[1:])
            tables[thread, routine] = columns
            within = "table"
        elif words[0] == "context":
            number, parent, *numbers = words[1:]
            thread, routine, *columns = map(int, numbers)
            paths[number] = (*paths[parent], routine)
            contexts[thread, paths[number]] = columns[:4] + columns[5:]
            within = "context"
        elif words[0] == "points" and within != "loops":
            metric = words[1]
            assert words[3] == "0", "points were merged"
        elif words[0] == "callers":
            within = "callers"
        elif words[0].isdigit() and within == "callers":
            caller, *columns = map(int, words)
            edges[thread, routine, caller] = columns
        elif words[0].isdigit() and within == "table":
            size, *columns = map(int, words)
            if children is not None:
                del columns[children - 1]
            points[thread, routine, metric, size] = columns
    return tables, points, uncounted, edges, contexts


def check(profile, tmp_path, command, *options, **process):
    run = profile(
        command,
        f"--trace-file={tmp_path}/trace.%p",
        "--contexts=yes",
        *options,
        **process,
    )
    (trace,) = tmp_path.glob("trace.*")  # a forked child has none
    (path,) = [path for path in run.paths if path.suffix == trace.suffix]
    separate_threads = "--separate-threads=no" not in options
    expected, measured = replayed(trace, separate_threads), profiled(path)
    trace.unlink()
    for which in (0, 1, 3, 4):
        assert measured[which].keys() == expected[which].keys()
        wrong = [key for key in measured[which] if measured[which][key] != expected[which][key]]
        assert not wrong, [(key, measured[which][key], expected[which][key]) for key in wrong[:5]]
    assert measured[2] == expected[2]
    return run


@pytest.mark.parametrize(
    "source, options",
    [
        ("scan.c", ["--memory-resolution=1", "--counter-limit=1000"]),
        ("scan.c", ["--memory-resolution=8", "--cost=instr"]),
        ("producer_consumer.c", ["--memory-resolution=2", "--counter-limit=10"]),
        ("token_ring.c", ["--counter-limit=1000"]),
        ("coroutines.c", ["--memory-resolution=1", "--counter-limit=300"]),
        ("control_flow.c", ["--memory-resolution=16", "--counter-limit=1000"]),
        ("file_reader.c", ["--memory-resolution=4", "--cost=instr"]),
        ("exceptions.cpp", ["--memory-resolution=8", "--counter-limit=100"]),
        ("scan.c", ["--toggle-collect=fill*"]),
        ("scan.c", ["--toggle-collect=s*"]),
        ("producer_consumer.c", ["--separate-threads=no"]),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_our_programs(source, options, compile, profile, tmp_path):
    check(profile, tmp_path, [compile(source)], *options)


def test_threads(compile, profile, tmp_path):
    run = check(
        profile,
        tmp_path,
        [compile("many_threads.c"), "60", "20"],
        "--counter-limit=2000",
    )
    assert run.routine("body")["threads"] == 60


def test_openmp(compile, profile, tmp_path):
    run = check(profile, tmp_path, [compile("openmp.c", "-fopenmp")])
    assert run.routine("sum_share")["induced"]["thread"] == 3000


@pytest.mark.parametrize(
    "command, options",
    [
        (["gzip", "-nc1", "TEXT"], ["--counter-limit=5000"]),
        (["xz", "-T2", "--block-size=6000", "-c0", "TEXT"], ["--memory-resolution=8"]),
        (["sqlite3", ":memory:", SQL], ["--cost=instr", "--counter-limit=100000"]),
        (
            ["bash", "-c", "for i in {1..20}; do s+=$((i * i)); done; (echo $s); wait"],
            [],
        ),
    ],
    ids=["gzip", "xz", "sqlite3", "bash"],
)
def test_real_programs(command, options, profile, tmp_path):
    text = tmp_path / "text"
    text.write_text("".join(f"line {i * i % 7919} of {i}\n" for i in range(1000)))
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} not installed")
    check(
        profile,
        tmp_path,
        [text if word == "TEXT" else word for word in command],
        *options,
    )


# Without a trace, what lies side by side in a block, or in a string operation, is told as one.
@pytest.mark.parametrize(
    "command",
    [["gzip", "-nc1", __file__], ["xz", "-kc0", __file__], ["sqlite3", ":memory:", SQL]],
    ids=lambda command: command[0],
)
def test_a_trace_changes_nothing(command, profile, tmp_path):
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} not installed")
    options = [[], [f"--trace-file={tmp_path}/trace"]]
    plain, traced = [profile(command, "--contexts=yes", *more) for more in options]
    assert profiled(plain.paths[0]) == profiled(traced.paths[0])
