"""aprof-batch as a user runs it, in a folder of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

SOURCE = Path(os.environ.get("APROF_SRCDIR", Path(__file__).resolve().parent.parent.parent))
BUILD = Path(os.environ.get("APROF_BUILDDIR", SOURCE))
VG_IN_PLACE = os.environ.get("VG_IN_PLACE", str(BUILD / "vg-in-place"))


@dataclass
class Bench:
    """A folder to run aprof-batch in, with a suite file."""

    folder: Path
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))

    def suite(self, text: str) -> None:
        """Writes suite.toml."""
        (self.folder / "suite.toml").write_text(text)

    def start(self, *arguments: str, background: bool = False) -> subprocess.Popen[str]:
        """Starts aprof-batch in a process group of its own. `background`: as a script's shell does,
        with SIGINT ignored."""
        interrupt = signal.SIG_IGN if background else signal.default_int_handler
        return subprocess.Popen(
            [str(BUILD / "plot" / "aprof-batch"), *arguments],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, interrupt),
        )

    def do(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs aprof-batch to its end."""
        process = self.start(*arguments)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def run(self, *arguments: str, suite: str = "suite.toml") -> subprocess.CompletedProcess[str]:
        """aprof-batch run, with the tool of this build, two runs at a time."""
        return self.do("run", suite, "-j2", f"--valgrind={VG_IN_PLACE}", *arguments)

    def processes(self) -> list[list[str]]:
        """The commands of the processes that work in the folder; another run of the tests has like ones elsewhere."""
        found = psutil.process_iter(["cmdline", "cwd"])
        inside = (
            p for p in found if Path(p.info["cwd"] or "/").is_relative_to(self.folder.resolve())
        )
        return [p.info["cmdline"] for p in inside]

    def query(self, sql: str) -> list[dict[str, Any]]:
        """The database's answer."""
        result = self.do("query", "suite.batch", "--format=json", sql)
        assert result.returncode == 0, result.stderr
        rows: list[dict[str, Any]] = json.loads(result.stdout)
        return rows

    def result(self, run: str) -> dict[str, Any]:
        """A run's result.json."""
        path = self.folder / "suite.batch" / "runs" / run / "result.json"
        result: dict[str, Any] = json.loads(path.read_text())
        return result
