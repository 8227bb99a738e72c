"""Runs programs natively and under the freshly built aprof-trms, and reads their profiles."""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("APROF_BUILDDIR", TESTS.parent))
VG_IN_PLACE = os.environ.get("VG_IN_PLACE", str(BUILD / "vg-in-place"))
COMPILERS = {".c": "gcc", ".cpp": "g++", ".f90": "gfortran"}

Command = Sequence[str | Path]


def run(command: Command, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Runs to the end; standard input is empty."""
    return subprocess.run(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=600,
        **options,
    )


def report_command(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """As run() of a command of plot/, but in this process, which has imported numpy and scipy."""
    module = name.removeprefix("aprof-").replace("-", "_")
    main = importlib.import_module(f"aprofplot.commands.{module}").main
    words = [str(word) for word in arguments]
    out, error = io.BytesIO(), io.BytesIO()
    with (
        io.TextIOWrapper(out, "utf-8") as out_text,
        io.TextIOWrapper(error, "utf-8") as error_text,
        contextlib.redirect_stdout(out_text),
        contextlib.redirect_stderr(error_text),
    ):
        status = main(words)
        out_text.flush()
        error_text.flush()
        return subprocess.CompletedProcess([name, *words], status, out.getvalue(), error.getvalue())


@dataclass(frozen=True)
class Profiled:
    """A program's run under the tool. `paths`: its profiles, one per process."""

    process: subprocess.CompletedProcess[bytes]
    paths: list[Path]

    @functools.cached_property
    def _reports(self) -> dict[tuple[str, ...], dict[str, Any]]:
        return {}

    def report(self, *options: str) -> dict[str, Any]:
        """What was measured, by `aprof-report --format=json`, asked once."""
        return self.fitted_report("--no-fits", *options)

    def fitted_report(self, *options: str) -> dict[str, Any]:
        """The same with laws, growth and findings, which take most of the time."""
        if options not in self._reports:
            self._reports[options] = self._report(*options)
        return self._reports[options]

    def _report(self, *options: str) -> dict[str, Any]:
        result = report_command("aprof-report", "--format=json", *options, *self.paths)
        assert result.returncode == 0, result.stderr.decode()
        report: dict[str, Any] = json.loads(result.stdout)
        return report

    def routine(self, name: str) -> dict[str, Any]:
        """The one routine of that name."""
        found = [r for r in self.report()["routines"] if r["name"] == name]
        assert len(found) == 1, f"{len(found)} routines are called {name}"
        return dict(found[0])

    def lines(self, keyword: str) -> list[list[str]]:
        """The fields of the records with that keyword, of all profiles."""
        return [
            line.split(" ")[1:]
            for path in self.paths
            for line in path.read_text().splitlines()
            if line.split(" ")[0] == keyword
        ]


def by_descent(runs: Mapping[int, Sequence[Profiled]]) -> list[int]:
    """Processes by their numbers, each after the one that made it; `runs`: the profiles of each. A child's number
    is less than its parent's where numbers have begun anew."""
    parents = {
        process: int(value)
        for process, profiles in runs.items()
        for name, value, *_ in profiles[0].lines("option")
        if name == "parent"
    }

    def ancestors(process: int) -> int:
        return 1 + ancestors(parents[process]) if process in parents else 0

    return sorted(runs, key=lambda process: (ancestors(process), process))


def sizes(routine: dict[str, Any], metric: str) -> list[int]:
    """The distinct input sizes of a routine, ascending."""
    return [point["size"] for point in routine["points"][metric]]


def calls(run: Profiled, name: str) -> int:
    """Activations of the one routine of that name."""
    return int(run.routine(name)["calls"])


def finished(run: Profiled, name: str) -> int:
    """The same, all of which must have returned."""
    assert run.routine(name)["unfinished"] == 0
    return calls(run, name)


def inclusive(run: Profiled, name: str) -> int:
    """Inclusive cost of the one routine of that name, in basic blocks."""
    return int(run.routine(name)["cost"]["bb"]["inclusive"])


def names(run: Profiled) -> set[str]:
    """Of all routines."""
    return {routine["name"] for routine in run.report()["routines"]}


def check_totals(run: Profiled) -> None:
    """No routine has more than 100 % of the cost, nor more by itself than with its callees; nor
    calls that are not by someone."""
    routines = run.report()["routines"]
    total = sum(routine["cost"]["bb"]["self"] for routine in routines)
    for routine in routines:
        costs = routine["cost"]["bb"]
        assert costs["self"] <= costs["inclusive"] <= total, routine["name"]
    check_calls(run)


@dataclass
class Edge:
    """Calls of one routine by another, in the first cost event."""

    calls: int = 0
    unfinished: int = 0
    inclusive: int = 0
    outermost: int = 0


@dataclass
class ContextNumbers:
    """Calls in one calling context, in the first cost event."""

    calls: int = 0
    unfinished: int = 0
    inclusive: int = 0
    own: int = 0


def _names(lines: Sequence[str]) -> dict[str, str]:
    fields = [line.split(" ", 6) for line in lines if line.startswith("routine ")]
    return {"0": "", **{words[1]: words[6] for words in fields}}


def edges(run: Profiled) -> dict[tuple[str, str], Edge]:
    """By the names of caller and callee, over all threads; the caller of roots is ''."""
    found: dict[tuple[str, str], Edge] = {}
    for path in run.paths:
        lines = path.read_text().splitlines()
        names = _names(lines)
        for at, line in enumerate(lines):
            words = line.split(" ")
            if words[0] == "table":
                callee = words[2]
            elif words[0] == "callers":
                for row in lines[at + 1 : at + 1 + int(words[1])]:
                    caller, calls, unfinished, inclusive, outermost, *_ = row.split(" ")
                    edge = found.setdefault((names[caller], names[callee]), Edge())
                    edge.calls += int(calls)
                    edge.unfinished += int(unfinished)
                    edge.inclusive += int(inclusive)
                    edge.outermost += int(outermost)
    return found


def contexts(run: Profiled) -> dict[tuple[str, ...], ContextNumbers]:
    """By the names of the routines on the path, over all threads; '-' begins that of merged ones."""
    found: dict[tuple[str, ...], ContextNumbers] = {}
    for path in run.paths:
        lines = path.read_text().splitlines()
        names = _names(lines)
        known: dict[str, tuple[str, ...]] = {"0": (), "-": ("-",)}
        for line in lines:
            if not line.startswith("context "):
                continue
            (
                _,
                number,
                parent,
                _,
                routine,
                calls,
                unfinished,
                _,
                _,
                inclusive,
                own,
                *_,
            ) = line.split(" ")
            known[number] = (*known[parent], names[routine])
            context = found.setdefault(known[number], ContextNumbers())
            context.calls += int(calls)
            context.unfinished += int(unfinished)
            context.inclusive += int(inclusive)
            context.own += int(own)
    return found


def check_calls(run: Profiled) -> None:
    """In each thread, the calls of a routine by all its callers, and by none, are its calls; so are
    those in all its contexts. Likewise the unfinished ones, and the inclusive cost of outermost
    calls; and the self cost in all contexts."""
    for path in run.paths:
        lines = path.read_text().splitlines()
        in_contexts: dict[tuple[str, str], list[int]] = {}
        tables: dict[tuple[str, str], list[int]] = {}
        for at, line in enumerate(lines):
            words = line.split(" ")
            if words[0] == "table":
                tables[words[1], words[2]] = [int(words[i]) for i in (3, 4, 8)]
                due = [int(words[i]) for i in (3, 4, 7)]
            elif words[0] == "callers":
                rows = [list(map(int, r.split(" "))) for r in lines[at + 1 :][: int(words[1])]]
                assert [sum(row[i] for row in rows) for i in (1, 2, 4)] == due, line
            elif words[0] == "context":
                sums = in_contexts.setdefault((words[3], words[4]), [0, 0, 0])
                for place, i in enumerate((5, 6, 10)):
                    sums[place] += int(words[i])
        assert not in_contexts or in_contexts == tables


def sql(rows: int) -> str:
    """Statements for sqlite3: a table of so many rows, an index, a range, a join."""
    return f"""
create table t(a integer primary key, b, c text);
with recursive r(x) as (select 1 union all select x + 1 from r where x < {rows})
insert into t select x, (x * 7919) % 3001, 'row ' || x from r;
create index by_b on t(b);
select sum(a), max(c) from t where b between 100 and 200;
select count(*) from t x join t y on x.a = y.b;
"""
