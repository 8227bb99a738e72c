"""Runs programs under cilkshadow and reads the totals of their profiles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from running import VG_IN_PLACE, Command, run


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


def shadow(command: Command, profile: Path, *options: str, **process: Any) -> Shadowed:
    """Runs to success and leaves the profile there."""
    tool = [
        VG_IN_PLACE,
        "--tool=cilkshadow",
        f"--cilkshadow-out-file={profile}",
        *options,
    ]
    result = run([*tool, *command], **process)
    assert result.returncode == 0, result.stderr.decode()
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
