"""The cost without names, by object, and how to get names; reported once, if it is a fifth or more."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Iterable

from aprofplot.metrics import percent
from aprofplot.model import Profile, Routine
from aprofplot.ownership import is_nameless
from aprofplot.reports.debug_info import build_id, not_inflatable

_ENOUGH = 20.0  # percent of the cost
_WORTH_NAMING = 3.0  # percent of the cost, of one object ...
_OBJECTS = 3  # ... and so many of them
_IN_NO_FILE = "???"
_CACHE = "~/.cache/debuginfod_client"
_OF_LIBC = {"libc6": "libc6-dbg"}  # Debian's packages of debug symbols that are called otherwise


def nameless_note(costs: Iterable[tuple[Routine, int]], is_here: bool) -> str:
    """By self costs. `is_here`: the objects are this machine's. Empty if there is nothing to say."""
    total, of_object = 0, Counter[str]()
    for routine, cost in costs:
        total += cost
        if is_nameless(routine):
            of_object[routine.object] += cost
    share = percent(sum(of_object.values()), total)
    if share < _ENOUGH:
        return ""
    large = [o for o, c in of_object.most_common(_OBJECTS) if percent(c, total) >= _WORTH_NAMING]
    said = [
        f"{path} ({percent(of_object[path], total):.0f} %: {_remedy(path, is_here)})"
        for path in large
    ]
    return f"{share:.0f} % of the cost has no names: {'; '.join(said)}."


def nameless_in(profile: Profile, event: str) -> str:
    """The note of an aprof-trms profile."""
    costs = ((routine.routine, routine.cost[event].own) for routine in profile.routines)
    return nameless_note(costs, all(run.origin.is_here for run in profile.runs))


def _remedy(path: str, is_here: bool) -> str:
    """How to get its names."""
    if path == _IN_NO_FILE:
        return "code in no file"
    anywhere = "compile it with -g and do not strip it"
    if not is_here or not os.path.isfile(path):
        return f"{anywhere}, or install its debug symbols, Debian's PACKAGE-dbgsym"
    compressed = not_inflatable(path)
    if compressed:
        # Valgrind compares the checksum of what it finds by a link, but not by a build id.
        is_linked = compressed != path and "/.build-id/" not in compressed
        relink = ", then --add-gnu-debuglink it again" if is_linked else ""
        return (
            "its debug information is compressed with zstd, which Valgrind cannot read; try: "
            f"objcopy --decompress-debug-sections {compressed}{relink}"
        )
    cached = os.path.expanduser(f"{_CACHE}/{build_id(path)}/debuginfo")
    if os.path.isfile(cached):
        return f"debuginfod's cache has them; profile with DEBUGINFOD_URLS set, or with {cached} as debug file"
    package = _package(path)
    if package:
        return f"install {_OF_LIBC.get(package, f'{package}-dbgsym')}"
    return anywhere


def _package(path: str) -> str:
    """The Debian package that has the file; empty if none has, or there is no dpkg."""
    real = os.path.realpath(path)
    for wanted in dict.fromkeys((path, real, path.removeprefix("/usr"), real.removeprefix("/usr"))):
        try:
            found = subprocess.run(
                ["dpkg-query", "--search", wanted], capture_output=True, text=True, timeout=10
            )
        except (OSError, ValueError, subprocess.TimeoutExpired):  # ValueError: a name with a NUL
            return ""
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    return ""
