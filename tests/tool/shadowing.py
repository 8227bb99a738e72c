"""Runs programs under cilkshadow and reads the totals of their profiles."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from c_library import run_tool
from running import VG_IN_PLACE, Command


@dataclass(frozen=True)
class Shadowed:
    """A program's run under cilkshadow. `notes`: counts by kind."""

    work: int
    span: int
    serialised_span: int
    spawns: int
    notes: dict[str, int]
    stderr: str

    @property
    def parallelism(self) -> float:
        """Work / span."""
        return self.work / self.span

    @property
    def serialised_parallelism(self) -> float:
        """Work / lock-serialised span."""
        return self.work / self.serialised_span


def shadow(
    command: Command,
    profile: Path,
    *options: str,
    status: int = 0,
    libc_names: bool = False,
    **process: Any,
) -> Shadowed:
    """Runs to the end, with that status, and leaves the profile there. `libc_names`: with names in the
    C library that it does not export."""
    tool = [
        VG_IN_PLACE,
        "--tool=cilkshadow",
        f"--cilkshadow-out-file={profile}",
        *options,
    ]
    result = run_tool([*tool, *command], libc_names, **process)
    assert result.returncode == status, result.stderr.decode()
    totals: dict[str, int] = {}
    notes: dict[str, int] = {}
    for line in profile.read_text().splitlines():
        name, *values = line.split(" ")
        if name == "note":
            notes[values[0]] = int(values[1])
        elif name in ("work", "span", "serialised-span", "spawns"):
            totals[name.replace("-", "_")] = int(values[0])
    return Shadowed(**totals, notes=notes, stderr=result.stderr.decode())


def site_numbers(
    profile: Path, together: bool = False
) -> dict[tuple[str, str, int], tuple[int, ...]]:
    """The 18 numbers of each call site, by caller, callee and line; the caller of none is ''. Each
    has one site, unless they are added together."""
    routines = {"0": ""}
    found: dict[tuple[str, str, int], tuple[int, ...]] = {}
    for line in profile.read_text().splitlines():
        name, *values = line.split(" ")
        if name == "routine":
            routines[values[0]] = " ".join(values[5:])
        elif name == "site":
            key = (routines[values[1]], routines[values[2]], int(values[4]))
            assert key not in found or together, key
            before = found.get(key, (0,) * 18)
            found[key] = tuple(map(sum, zip(before, map(int, values[7:]))))
    return found


def spawned(profile: Path) -> int:
    """How many calls were, over all call sites."""
    lines = (line.split(" ") for line in profile.read_text().splitlines())
    return sum(int(values[6]) for kind, *values in lines if kind == "site")


def numbers(profile: Path) -> tuple[list[str], Counter[tuple[str, ...]]]:
    """The totals and notes, but for the overhead, as the dynamic linker's differs from run to run;
    and of each call site who calls whom from where, and its numbers; by name, as what is looked at
    earlier has another number. Of loops the same, by routine and address."""
    names: dict[str, dict[str, str]] = {"object": {}, "file": {"0": ""}, "routine": {"0": ""}}
    totals: list[str] = []
    sites: Counter[tuple[str, ...]] = Counter()
    site_of: dict[str, tuple[str, ...]] = {}
    loops: dict[str, tuple[str, ...]] = {}
    lines = [line.split(" ") for line in profile.read_text().splitlines()]
    for kind, *values in lines:
        if kind in ("object", "file"):
            names[kind][values[0]] = " ".join(values[1:])
    for kind, *values in lines:
        if kind == "routine":
            number, in_object, in_file, _, *rest = values
            by = [names["object"][in_object], names["file"][in_file], *rest]
            names["routine"][number] = " ".join(by)
        elif kind == "site":
            number, caller, callee, in_file, *rest = values
            by = [names["routine"][caller], names["routine"][callee], names["file"][in_file]]
            site_of[number] = (*by, *rest)
            sites[site_of[number]] += 1
        elif kind == "inlined-call":
            number, in_file, *rest = values
            sites[(*site_of[number], names["file"][in_file], *rest)] += 1
        elif kind == "loop":
            loop, routine, _, address, *_ = values
            loops[loop] = ("loop", names["routine"][routine], address)
        elif kind in ("executions", "loop-spread"):
            sites[(*loops[values[0]], kind, *values[1:])] += 1
        elif kind == "inlined":
            pass
        elif kind == "lock":
            values[2] = names["routine"][values[2]]
            totals.append(" ".join([kind, *values]))
        elif kind == "held-at":
            values[2], values[3] = names["routine"][values[2]], names["file"][values[3]]
            totals.append(" ".join([kind, *values]))
        elif kind == "strand":  # whose parts stand in no order
            totals.append(" ".join(",".join(sorted(value.split(","))) for value in values))
        elif kind not in ("pid", "object", "file", "end", "overhead"):
            totals.append(" ".join([kind, *values]))
    return totals, sites


def check_alike(
    command: Command, folder: Path, option: str, other_option: str, *options: str
) -> None:
    """With either option the profile is the same."""
    found = []
    for either in (option, other_option):
        profile = folder / either
        environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"}
        shadow(command, profile, either, *options, env=environment)
        found.append(numbers(profile))
    (totals, sites), (other_totals, other_sites) = found
    assert other_totals == totals
    assert other_sites - sites == Counter()
    assert sites - other_sites == Counter()
