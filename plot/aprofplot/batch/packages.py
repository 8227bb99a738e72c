"""Missing programs of a suite, and the Debian packages that contain them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping

from aprofplot.batch.suite import Program
from aprofplot.errors import AprofError


def missing(programs: Iterable[Program]) -> dict[str, list[str]]:
    """By program of the suite: the commands it needs that are nowhere in PATH."""
    lacking = {p.name: [need for need in p.needs if _absent(p, need)] for p in programs}
    return {name: needs for name, needs in lacking.items() if needs}


def _absent(program: Program, need: str) -> bool:
    path = program.environment.get("PATH")
    return shutil.which(need, path=path if path and "{" not in path else None) is None


def apt_get(programs: Iterable[Program], lacking: Mapping[str, object]) -> list[str]:
    """The command that installs what they lack; empty if their packages are not known."""
    packages = {package for p in programs if p.name in lacking for package in p.packages}
    return ["apt-get", "install", "--yes", *sorted(packages)] if packages else []


def install(command: list[str]) -> None:
    """Installs packages, as root or through sudo. AprofError if that fails."""
    if os.geteuid() != 0:
        command = ["sudo", *command]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        status = subprocess.run(command, env=environment).returncode
    except OSError as error:
        raise AprofError(f"{command[0]}: {error.strerror}", "install them by hand") from error
    if status != 0:
        raise AprofError(f"{' '.join(command)} ended with {status}", "install them by hand")
