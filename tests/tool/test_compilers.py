"""The tools compile with clang, too, as HACKING says; it is stricter than g++ in places."""

from __future__ import annotations

import re
import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from running import BUILD, TESTS, run

ROOMS = ["base", "trace", "aprof", "work_span", "cilkshadow"]


@pytest.fixture(scope="module")
def clang(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """With the build's options, and the C++ library's headers precompiled, which take half of the time."""
    show = ["CXX=clang++", "--eval=show: ; @echo $(CXXCOMPILE)", "show"]
    made = run(["make", "-s", "--no-print-directory", "-C", BUILD, *show])
    assert made.returncode == 0, made.stderr.decode()
    command = shlex.split(made.stdout.decode())

    headers = tmp_path_factory.mktemp("headers") / "headers.hpp"
    used = {
        line
        for room in ROOMS
        for source in (TESTS.parent / room).rglob("*.[ch]pp")
        for line in re.findall(r"^#include <\w+>$", source.read_text(), re.MULTILINE)
    }
    assert used
    headers.write_text("\n".join(sorted(used)) + "\n")
    precompiled = headers.with_suffix(".pch")
    made = run([*command, "-x", "c++-header", headers, "-o", precompiled], cwd=BUILD)
    assert made.returncode == 0, made.stderr.decode()
    checks = ["-fsyntax-only", "-Werror", "-Wno-missing-braces"]
    return [*command, *checks, "-include-pch", str(precompiled)]


@pytest.mark.parametrize("room", ROOMS)
def test_clang_finds_nothing_wrong(clang, room):
    sources = sorted((TESTS.parent / room).rglob("*.cpp"))
    assert sources

    def errors(source: Path) -> str:
        return run([*clang, source], cwd=BUILD).stderr.decode()

    with ThreadPoolExecutor(2) as pool:
        assert "".join(pool.map(errors, sources)) == ""
