"""Copies of the C and the mathematical library whose debug information Valgrind does not find.

Reading that of Debian's takes half of a tool's start, and few tests need names that the libraries do not export."""

from __future__ import annotations

import functools
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from running import Command, run
from sharing import made_once

# The name, size and type of the ELF note by which debug information is looked for; the 20 bytes behind are its ID.
_BUILD_ID = re.compile(rb"(\x04\0{3}\x14\0{3}\x03\0{3}GNU\0).{20}", re.DOTALL)


def run_tool(
    command: Command, libc_names: bool, **process: Any
) -> subprocess.CompletedProcess[bytes]:
    """As run(). `libc_names`: with names in the C library that it does not export."""
    if not libc_names:
        process["env"] = without_debug_info(process.get("env"))
    return run(command, **process)


def without_debug_info(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables, by default this process's, and the one that lets programs load the copies."""
    variables = dict(os.environ if environment is None else environment)
    folders = [_copies(), *filter(None, [variables.get("LD_LIBRARY_PATH")])]
    return {**variables, "LD_LIBRARY_PATH": ":".join(map(str, folders))}


@functools.cache
def _copies() -> Path:
    """The folder that holds them; without libraries of these names, an empty one."""
    maps = Path("/proc/self/maps").read_text()
    loaded = {Path(name) for name in re.findall(r"/\S*/lib[cm]\.so\.6$", maps, re.MULTILINE)}

    def make(folder: Path) -> None:
        for library in loaded:
            nameless = _BUILD_ID.sub(rb"\1" + bytes(20), library.read_bytes(), count=1)
            (folder / library.name).write_bytes(nameless)

    return made_once("c-libraries", make)
