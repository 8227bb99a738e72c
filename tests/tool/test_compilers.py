"""The tools compile with clang, too, as HACKING says; it is stricter than g++ in places."""

from __future__ import annotations

import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from running import BUILD, TESTS, run

ROOMS = ["base", "trace", "aprof", "work_span", "cilkshadow"]


@pytest.fixture(scope="module")
def clang() -> list[str]:
    """With the build's options."""
    show = ["CXX=clang++", "--eval=show: ; @echo $(CXXCOMPILE)", "show"]
    made = run(["make", "-s", "--no-print-directory", "-C", BUILD, *show])
    assert made.returncode == 0, made.stderr.decode()
    return [*shlex.split(made.stdout.decode()), "-fsyntax-only", "-Werror", "-Wno-missing-braces"]


@pytest.mark.parametrize("room", ROOMS)
def test_clang_finds_nothing_wrong(clang, room):
    sources = sorted((TESTS.parent / room).rglob("*.cpp"))
    assert sources

    def errors(source: Path) -> str:
        return run([*clang, source], cwd=BUILD).stderr.decode()

    with ThreadPoolExecutor(2) as pool:
        assert "".join(pool.map(errors, sources)) == ""
