"""A batch's folder: the runs to do, the runs done, and where everything is.

    suite.json                 what was asked for last
    plan.json                  what Snakemake is to run
    runs/PROGRAM/INPUT-tN-rN-TOOL/   run.json, result.json, command, stdout, stderr, profiles, work/
    setup/shared, setup/programs/PROGRAM
    replaced/DATE/             earlier results of runs that were run again
    batch.db, reports/         what was made of it all
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from aprofplot.batch.outcome import Result, read_result, write_json
from aprofplot.batch.runs import Run, from_json
from aprofplot.batch.suite import SuiteError
from aprofplot.errors import AprofError

RESULT = "result.json"
SPEC = "run.json"
SETUP_SPEC = "setup.json"


@dataclass(frozen=True)
class Batch:
    """The folder of a batch, an absolute path."""

    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "batch.db"

    @property
    def reports(self) -> Path:
        return self.folder / "reports"

    @property
    def log(self) -> Path:
        """What Snakemake says."""
        return self.folder / "snakemake.log"

    def run_folder(self, run: str) -> Path:
        return self.folder / "runs" / run

    def setup_folder(self, name: str) -> Path:
        return self.folder / "setup" / name

    def result(self, run: str) -> Result | None:
        """None: not run yet."""
        return read_result(self.run_folder(run) / RESULT)

    def begun(self, run: str) -> bool:
        """Whether a run has ever been started: it has left more than its specification."""
        return any(path.name != SPEC for path in self.run_folder(run).glob("*"))

    def runs(self) -> Iterator[Run]:
        """All that were ever planned here and are still there, by program and name."""
        for path in sorted(self.folder.glob(f"runs/*/*/{SPEC}")):
            try:
                yield from_json(json.loads(path.read_text()))
            except (OSError, ValueError, KeyError, TypeError) as error:
                what = f"{path} is damaged"
                raise AprofError(what, "remove its folder, and run the batch again") from error

    def planned(self) -> list[str]:
        """The ids of the runs that were asked for last."""
        runs: list[str] = self._asked_for()["runs"]
        return runs

    def missing(self) -> dict[str, str]:
        """The programs that were asked for last and are not installed, and what they need."""
        programs: dict[str, str] = self._asked_for().get("missing", {})
        return programs

    def _asked_for(self) -> dict[str, Any]:
        try:
            document: dict[str, Any] = json.loads((self.folder / "suite.json").read_text())
            document["runs"]
            return document
        except (OSError, ValueError, KeyError) as error:
            what = f"{self.folder} is not the folder of a batch"
            raise AprofError(what, "name a folder made by aprof-batch run") from error


@dataclass(frozen=True)
class Plan:
    """What is to be done now. `pending`: runs without a result; `replaced`: where earlier results
    went, None if there were none."""

    runs: tuple[Run, ...]
    pending: tuple[Run, ...]
    replaced: Path | None


def make_plan(
    batch: Batch,
    suite: str,
    runs: Sequence[Run],
    force: bool,
    retry: bool,
    missing: Mapping[str, str] | None = None,
) -> Plan:
    """Writes what the runs are into their folders. Results stay, but for runs that changed, or, if
    `force`, all, or, if `retry`, those that failed: these are moved out of the way. `missing`:
    programs that would have runs were they installed."""
    _check_owner(batch, suite)
    stamp = _unused(batch.folder / "replaced" / time.strftime("%Y%m%dT%H%M%S"))
    pending, moved = [], False
    stale_setups = _write_setups(batch, runs, force, retry)
    for run in runs:
        folder = batch.run_folder(run.id)
        result = batch.result(run.id)
        if result is not None and _stays(run, result, force, retry, stale_setups):
            write_json(folder / SPEC, run.json())
            continue
        if result is not None:
            (stamp / run.id).parent.mkdir(parents=True, exist_ok=True)
            folder.rename(stamp / run.id)
            moved = True
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / SPEC, run.json())
        pending.append(run)
    document = {
        "format": "aprof-batch",
        "version": 1,
        "suite": suite,
        "runs": [r.id for r in runs],
        "missing": dict(missing or {}),
    }
    write_json(batch.folder / "suite.json", document)
    return Plan(tuple(runs), tuple(pending), stamp if moved else None)


def _unused(path: Path) -> Path:
    """`path`, or one like it that does not exist."""
    return next(p for p in (path.with_name(path.name + "+" * n) for n in count()) if not p.exists())


def _check_owner(batch: Batch, suite: str) -> None:
    """A folder is made for one suite, and anything else in it is not ours to write over."""
    if (batch.folder / "suite.json").is_file():
        owner = batch._asked_for().get("suite")
        if owner != suite:
            what = f"{batch.folder} is a batch of the suite {owner}, not {suite}"
            raise SuiteError(what, "name another folder with -o")
    elif batch.folder.is_dir() and any(p.name != ".lock" for p in batch.folder.iterdir()):
        what = f"{batch.folder} has files in it, but no batch"
        raise SuiteError(what, "name another folder with -o")


def _stays(run: Run, result: Result, force: bool, retry: bool, stale_setups: set[str]) -> bool:
    again = retry and result.outcome != "ok"
    unlimited = result.outcome in ("timeout", "memory") and _limits_differ(run, result)
    changed = result.fingerprint != run.fingerprint
    stale = any(name in stale_setups for name, _ in run.setups)
    return not (force or again or unlimited or changed or stale)


def _limits_differ(run: Run, result: Result) -> bool:
    """A run that went over a limit is run again when that was changed; others were not affected."""
    now = run.timeout if result.outcome == "timeout" else run.memory
    return result.detail != limit_detail(result.outcome, now)


def limit_detail(outcome: str, limit: float | None) -> str:
    """What a result says of the limit that it went over."""
    if limit is None:
        return ""
    return f"over {limit:g} s" if outcome == "timeout" else f"over {limit / 2**20:g} MB"


def _write_setups(batch: Batch, runs: Sequence[Run], force: bool, retry: bool) -> set[str]:
    """The names of the setups that are to be run again."""
    stale = set()
    for name, script in dict.fromkeys(setup for run in runs for setup in run.setups):
        folder = batch.setup_folder(name)
        folder.mkdir(parents=True, exist_ok=True)
        spec, done = folder / SETUP_SPEC, folder / RESULT
        result = read_result(done)
        changed = not spec.is_file() or json.loads(spec.read_text())["script"] != script
        failed = result is not None and result.outcome != "ok"
        if changed or force or (retry and failed) or result is None:
            done.unlink(missing_ok=True)
            write_json(spec, {"script": script})
            stale.add(name)
    return stale
