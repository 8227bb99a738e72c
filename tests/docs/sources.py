"""The files of the repository, as a clone or an unpacked release has them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(os.environ["APROF_SRCDIR"])
ROOMS = ("base", "trace", "work_span", "aprof", "cilkshadow", "plot", "bench", "tests")
_WRITTEN = {
    ".c",
    ".cpp",
    ".h",
    ".h2m",
    ".hpp",
    ".html",
    ".js",
    ".css",
    ".json",
    ".md",
    ".png",
    ".py",
}
_WRITTEN |= {".S", ".am", ".budget", ".in", ".sh", ".sql", ".toml", ".txt"}
_MADE = {"build", "demo", "autom4te.cache", "installed", "__pycache__"}


def files(*folders: str, suffixes: set[str] = _WRITTEN) -> Iterator[Path]:
    """Of `folders` of the source tree and what is below them; nothing that is built."""
    for folder in folders:
        for path in sorted((SOURCE / folder).rglob("*")):
            inside = path.relative_to(SOURCE).parts
            hidden = any(part.startswith(".") for part in inside)
            if path.suffix in suffixes and not hidden and not _MADE & set(inside):
                yield path
