"""Compiles the programs of the tests, each once for all processes of a test run."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

from running import BUILD, TESTS, run
from sharing import made_once

SOURCES = {".c", ".cpp", ".f90", ".h"}
CILK_INCLUDE = f"-I{TESTS.parent / 'cilkshadow' / 'include'}"


def compiled(compiler: str, *arguments: str | Path, name: str = "program") -> Path:
    """The file of that name that COMPILER ARGUMENTS -o FILE makes; tests must not change it.

    It is found by what it was made of: the compiler's version, the arguments, and the contents of
    all that they name. Headers of the system do not change during a run of the tests."""
    words = [str(word) for word in (compiler, *arguments)]
    digest = hashlib.sha256("\0".join([_version(compiler), *words, name]).encode())
    for path in _named(words):
        digest.update(f"\0{path}\0".encode() + path.read_bytes())

    def make(folder: Path) -> None:
        result = run([*words, "-o", folder / name])
        assert result.returncode == 0, result.stderr.decode()

    return made_once(digest.hexdigest(), make) / name


def _named(words: list[str]) -> Iterator[Path]:
    """Files among the words, what they may include beside them, and what folders of headers hold."""
    for word in words:
        path = Path(word.removeprefix("-I"))
        if path.is_file():
            yield path
            yield from sorted(p for p in path.parent.iterdir() if p.suffix in SOURCES)
        elif path.is_dir() and word.startswith("-I"):
            yield from sorted(found for found in path.rglob("*") if found.is_file())


@functools.cache
def _version(compiler: str) -> str:
    return run([compiler, "--version"]).stdout.decode()


@functools.cache
def preprocesses(compiler: str, *arguments: str) -> bool:
    """Whether the compiler finds all headers that the arguments include."""
    return run([compiler, "-E", *arguments, "/dev/null"]).returncode == 0


@functools.cache
def cilk_flags(compiler: str = "gcc") -> list[str]:
    """What a Cilk program is to be compiled with, by cilkshadow-config."""
    config = BUILD / "cilkshadow" / "cilkshadow-config"
    return run([config, "--cflags", "--compiler", compiler]).stdout.decode().split()
