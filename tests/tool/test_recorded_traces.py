"""The profile of a real run against the oracle: the run's events, replayed through the definitions,
must give every number of every table."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

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
    children: int = 0
    inclusive: Statistics = field(default_factory=Statistics)
    self: Statistics = field(default_factory=Statistics)

    def columns(self):
        return [
            self.calls,
            self.by_thread,
            self.external,
            self.children,
            *self.inclusive.columns(),
            *self.self.columns(),
        ]


@dataclass
class Numbers:
    """What a profile must hold, each by what it is of: tables and points by (thread, routine), call
    edges by (thread, callee, caller), contexts by (thread, path), loops by (thread, loop)."""

    tables: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    points: dict[tuple[int, int, str, int], list[int]] = field(default_factory=dict)
    uncounted: int = 0
    edges: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)
    contexts: dict[tuple[int, tuple[int, ...]], list[int]] = field(default_factory=dict)
    loops: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    loop_points: dict[tuple[int, int, str, int], list[int]] = field(default_factory=dict)
    progress: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)


class Points:
    """Of routines or loops, by (thread, its number, metric, size)."""

    def __init__(self) -> None:
        self._points: defaultdict[tuple[int, int, str, int], Point] = defaultdict(Point)

    def add(self, thread, of, sizes, by_thread, external, inclusive, own, children):
        for metric, size in sizes.items():
            point = self._points[thread, of, metric, size]
            point.calls += 1
            point.by_thread += by_thread
            point.external += external
            point.children += children
            point.inclusive.add(inclusive)
            point.self.add(own)

    def columns(self):
        return {key: point.columns() for key, point in self._points.items()}


def totals(counter, *columns):
    """By key the values of a Counter, in that order."""
    return {key: [of[column] for column in columns] for key, of in counter.items()}


def replayed(trace, separate_threads):
    """The profile's numbers by the oracle."""
    tables: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    points, loop_points = Points(), Points()
    edges: defaultdict[tuple[int, int, int], Counter[str]] = defaultdict(Counter)
    contexts: defaultdict[tuple[int, tuple[int, ...]], Counter[str]] = defaultdict(Counter)
    loops: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    progress: defaultdict[tuple[int, int, int], Counter[str]] = defaultdict(Counter)
    for words in replay(trace):
        if words[0] == "uncounted":
            uncounted = int(words[1])
            continue
        is_loop = words[0] == "loop"
        numbers = list(map(int, words[1:] if words[0].isalpha() else words[:-1]))
        thread = numbers[0] if separate_threads else 1
        if words[0] == "octave":
            _, loop, last, iterations, rms, new, cost = numbers
            octave = progress[thread, loop, 1 << last.bit_length() - 1]
            octave.update(iterations=iterations, rms=rms, new=new, cost=cost)
            continue
        _, of, returned, outermost, rms, trms, *rest = numbers
        by_thread, external, inclusive, own, children, further = rest
        table = loops[thread, of] if is_loop else tables[thread, of]
        table.update(calls=1, unfinished=not returned, by_thread=by_thread, external=external)
        table.update(inclusive=inclusive if outermost else 0, self=own)
        sizes = {"rms": rms, "trms": trms}
        if is_loop:
            table["iterations"] += further
            sizes["iterations"] = further
        else:
            edge = edges[thread, of, further]
            edge.update(calls=1, unfinished=not returned, inclusive=inclusive)
            edge["outermost"] += inclusive if outermost else 0
            context = contexts[thread, tuple(map(int, words[-1].split(">")))]
            context.update(calls=1, unfinished=not returned, by_thread=by_thread)
            context.update(external=external, self=own)
        if returned:
            table_points = loop_points if is_loop else points
            table_points.add(thread, of, sizes, by_thread, external, inclusive, own, children)
    counted = ("calls", "unfinished", "by_thread", "external")
    return Numbers(
        totals(tables, *counted, "inclusive", "self"),
        points.columns(),
        uncounted,
        totals(edges, "calls", "unfinished", "inclusive", "outermost"),
        totals(contexts, *counted, "self"),
        totals(loops, "calls", "unfinished", "iterations", *counted[2:], "inclusive", "self"),
        loop_points.columns(),
        totals(progress, "iterations", "rms", "new", "cost"),
    )


def replay(trace: Path) -> Iterator[list[str]]:
    """The words of each line that replay-trace writes."""
    command = [BUILD / "tests" / "replay-trace", trace]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield line.split()
    assert process.returncode == 0


def profiled(path):
    """The same from the profile, read line by line."""
    found = Numbers()
    paths = {"0": ()}
    for line in path.read_text().splitlines():
        words = line.split(" ")
        if words[0] == "uncounted":
            found.uncounted = int(words[2])
        elif words[0] in ("table", "loop-table"):
            within = words[0]
            thread, of, *columns = map(int, words[1:])
            (found.tables if within == "table" else found.loops)[thread, of] = columns
        elif words[0] == "context":
            number, parent, *numbers = words[1:]
            thread, routine, *columns = map(int, numbers)
            paths[number] = (*paths[parent], routine)
            found.contexts[thread, paths[number]] = columns[:4] + columns[5:]
            within = "context"
        elif words[0] == "context-loops":
            break  # traces have no such numbers; readers check that they add up to those of loops
        elif words[0] == "points":
            metric = words[1]
            assert words[3] == "0", "points were merged"
            if within == "progress":
                within = "loop-table"
        elif words[0] in ("callers", "progress", "lines", "loops", "contexts"):
            within = words[0]
        elif words[0].isdigit():
            first, *columns = map(int, words)
            if within == "callers":
                found.edges[thread, of, first] = columns
            elif within == "table":
                found.points[thread, of, metric, first] = columns
            elif within == "loop-table":
                found.loop_points[thread, of, metric, first] = columns
            elif within == "progress":
                found.progress[thread, of, first] = columns
    return found


def check(profile, tmp_path, command, *options, **process):
    run = profile(
        command,
        f"--trace-file={tmp_path}/trace.%p",
        "--arguments=no",  # no trace has them
        "--contexts=yes",
        *options,
        **process,
    )
    (trace,) = tmp_path.glob("trace.*")  # a forked child has none
    (path,) = [path for path in run.paths if path.suffix == trace.suffix]
    separate_threads = "--separate-threads=no" not in options
    expected, measured = replayed(trace, separate_threads), profiled(path)
    trace.unlink()
    for part, due in vars(expected).items():
        if isinstance(due, int):
            assert getattr(measured, part) == due
            continue
        found = getattr(measured, part)
        assert found.keys() == due.keys(), (part, found.keys() ^ due.keys())
        wrong = [(key, found[key], due[key]) for key in found if found[key] != due[key]]
        assert not wrong, (part, wrong[:5])
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
    plain, traced = [profile(command, "--contexts=yes", *more).paths[0] for more in options]
    assert profiled(plain).loops and profiled(plain) == profiled(traced)
