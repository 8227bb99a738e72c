"""Fixtures: programs of tests/programs, and their runs under the freshly built aprof-trms."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running import BUILD, COMPILERS, TESTS, VG_IN_PLACE, Command, Profiled, run


@pytest.fixture(scope="session")
def compile(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """compile(source, *flags or further sources, compiler=): path of the program made from
    tests/programs/source."""
    made: dict[tuple[str, ...], Path] = {}

    def compile_once(source: str, *more: str | Path, compiler: str | None = None) -> Path:
        flags = [str(flag) for flag in more]
        compiler = compiler or COMPILERS[Path(source).suffix]
        key = (compiler, source, *flags)
        if key not in made:
            program = tmp_path_factory.mktemp("programs") / Path(source).stem
            options = flags if any(f.startswith("-O") for f in flags) else ["-O2", *flags]
            command = [
                compiler,
                "-g",
                *options,
                TESTS / "programs" / source,
                "-o",
                program,
            ]
            result = run([*command, "-lpthread"])
            assert result.returncode == 0, result.stderr.decode()
            made[key] = program
        return made[key]

    return compile_once


@pytest.fixture(scope="session")
def include(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The option for a folder with valgrind/aprof.h and valgrind/cilkshadow.h, as installed."""
    folder = tmp_path_factory.mktemp("include")
    (folder / "valgrind").mkdir()
    for header in ("aprof/aprof.h", "work_span/cilkshadow.h"):
        shutil.copy(TESTS.parent / header, folder / "valgrind")
    return f"-I{folder}"


@pytest.fixture(scope="session")
def cilk_program(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """cilk_program(source, *flags): path of the program made from tests/programs/cilk/source."""
    config = [BUILD / "cilkshadow" / "cilkshadow-config", "--cflags"]

    def compile_once(source: str, *flags: str) -> Path:
        program = tmp_path_factory.mktemp("cilk") / Path(source).stem
        command = [COMPILERS[Path(source).suffix], "-O2", *run(config).stdout.decode().split()]
        result = run([*command, *flags, TESTS / "programs/cilk" / source, "-o", program, "-lm"])
        assert result.returncode == 0, result.stderr.decode()
        return program

    return compile_once


def profiler(folder: Path) -> Callable[..., Profiled]:
    """Leaves the profiles in a folder."""
    runs = 0

    def profile_once(command: Command, *options: str, **process: Any) -> Profiled:
        nonlocal runs
        runs += 1
        pattern = folder / f"aprof.{runs}.%p"
        tool = [
            VG_IN_PLACE,
            "-q",
            "--tool=aprof-trms",
            "--sanity=yes",
            "--fair-sched=try",
        ]
        result = run([*tool, f"--aprof-out-file={pattern}", *options, *command], **process)
        return Profiled(result, sorted(folder.glob(f"aprof.{runs}.*")))

    return profile_once


@pytest.fixture
def profile(tmp_path: Path) -> Callable[..., Profiled]:
    """profile(command, *tool options, sanity=True, **for the process): runs under aprof-trms."""
    return profiler(tmp_path)


@pytest.fixture(scope="module")
def module_profile(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Profiled]:
    """The same, for a run that several tests look at."""
    return profiler(tmp_path_factory.mktemp("profiles"))
