"""Runs programs natively and under the freshly built aprof-trms, and reads what it measured."""

from __future__ import annotations

import functools
import json
import os
import subprocess
from collections.abc import Sequence
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


@dataclass(frozen=True)
class Profiled:
    """A program's run under the tool. `paths`: its profiles, one per process."""

    process: subprocess.CompletedProcess[bytes]
    paths: list[Path]

    @functools.cached_property
    def _reports(self) -> dict[tuple[str, ...], dict[str, Any]]:
        return {}

    def report(self, *options: str) -> dict[str, Any]:
        """What `aprof-report --format=json` says, asked once."""
        if options not in self._reports:
            self._reports[options] = self._report(*options)
        return self._reports[options]

    def _report(self, *options: str) -> dict[str, Any]:
        command = [BUILD / "plot" / "aprof-report", "--format=json", *options, *self.paths]
        result = run(command)
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
    """No routine has more than 100 % of the cost, nor more by itself than with its callees."""
    routines = run.report()["routines"]
    total = sum(routine["cost"]["bb"]["self"] for routine in routines)
    for routine in routines:
        costs = routine["cost"]["bb"]
        assert costs["self"] <= costs["inclusive"] <= total, routine["name"]


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
