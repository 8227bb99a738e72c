"""The outcome of a run: result.json in its folder, written when it has ended."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

Outcome = Literal[
    "ok",
    "failed",  # an exit status other than expected, or a prepare or client command that failed
    "signal",
    "timeout",
    "memory",
    "no profile",
    "setup",  # a setup it needs failed
    "missing",  # a program it needs is not installed
    "no result",  # interrupted, or killed with all that watched it
    "not run",  # its turn has not come
]


@dataclass(frozen=True)
class Usage:
    """Seconds by the clock, CPU seconds of the whole process tree, and peaks of resident memory in
    kB: of its largest process (the kernel's figure), and of all at once (sampled)."""

    wall_s: float
    user_s: float
    system_s: float
    peak_process_kb: int
    peak_tree_kb: int


@dataclass(frozen=True)
class Result:
    """A run that has ended. `status` and `signal` are those of the program that was measured, of
    the first that did not end as expected if there were several. `profiles`: file names.
    """

    fingerprint: str
    outcome: Outcome
    status: int | None = None
    signal: str | None = None
    detail: str = ""
    last_error: str = ""
    usage: Usage | None = None
    profiles: tuple[str, ...] = ()
    started: str = ""
    host: str = ""

    def write(self, path: Path) -> None:
        """Appears whole or not at all."""
        write_json(path, asdict(self))


def read_result(path: Path) -> Result | None:
    """The result at `path`; None if there is none, or it is not whole."""
    try:
        document: dict[str, Any] = json.loads(path.read_text())
        document["usage"] = document["usage"] and Usage(**document["usage"])
        document["profiles"] = tuple(document["profiles"])
        return Result(**document)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_json(path: Path, document: Any) -> None:
    """Writes a file of a batch, whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with open(handle, "w") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
    os.chmod(name, 0o644)
    os.replace(name, path)


def failure_lines(failures: Sequence[tuple[str, str, Result]]) -> list[str]:
    """The failure table: what (run's id), how it ended, where, what it said last."""
    heading = ("run", "outcome", "folder", "what it said last")
    rows = [
        (what, how(result), folder, shortened(why(result)))
        for what, folder, result in failures
        if result.outcome != "not run"
    ]
    if not rows:
        return []
    rows.insert(0, heading)
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]])
        for row in rows
    ]


def why(result: Result) -> str:
    """What it said last, and what is wrong unless that is its exit status, which `how` tells."""
    told = result.outcome == "failed" and result.status is not None and result.last_error
    return "; ".join(part for part in ("" if told else result.detail, result.last_error) if part)


def how(result: Result) -> str:
    """In a few words: `status 3`, `signal SIGSEGV`, `timeout`..."""
    if result.outcome == "failed" and result.status is not None:
        return f"status {result.status}"
    if result.outcome == "signal":
        return f"signal {result.signal}"
    return result.outcome


def shortened(text: str, width: int = 200) -> str:
    """At most `width` characters of one line."""
    return text if len(text) <= width else text[: width - 3] + "..."
