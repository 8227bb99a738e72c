"""Fixtures: programs of tests/programs, and their runs under the freshly built aprof-trms."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from c_library import run_tool, without_debug_info
from compiling import cilk_flags, compiled
from running import COMPILERS, TESTS, VG_IN_PLACE, Command, Profiled
from sharing import made_once


@pytest.fixture(scope="session")
def compile() -> Callable[..., Path]:
    """compile(source, *flags or further sources, compiler=): path of the program made from
    tests/programs/source."""

    def compile_once(source: str, *more: str | Path, compiler: str | None = None) -> Path:
        flags = [str(flag) for flag in more]
        levels = [flag for flag in flags if flag.startswith("-O")] or ["-O2"]
        others = [flag for flag in flags if not flag.startswith("-O") and flag != "-g"]
        # In this order, a program is one whether what is the default is said or not.
        words = ["-g", *levels, *others, TESTS / "programs" / source, "-lpthread"]
        compiler = compiler or COMPILERS[Path(source).suffix]
        return compiled(compiler, *words, name=Path(source).stem)

    return compile_once


@pytest.fixture(scope="session")
def include() -> str:
    """The option for a folder with valgrind/aprof.h and valgrind/cilkshadow.h, as installed."""

    def install(folder: Path) -> None:
        (folder / "valgrind").mkdir()
        for header in ("aprof/aprof.h", "work_span/cilkshadow.h"):
            shutil.copy(TESTS.parent / header, folder / "valgrind")

    return f"-I{made_once('include', install)}"


@pytest.fixture(scope="session")
def cilk_program() -> Callable[..., Path]:
    """cilk_program(source, *flags): path of the program made from tests/programs/cilk/source."""

    def compile_once(source: str, *flags: str) -> Path:
        words = ["-O2", *cilk_flags(), *flags, TESTS / "programs/cilk" / source, "-lm"]
        path = Path(source)
        return compiled(COMPILERS[path.suffix], *words, name=path.stem)

    return compile_once


@pytest.fixture
def libraries_without_debug_info(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs load the C library without debug info, for tests that do not run a tool by profile() or shadow()."""
    monkeypatch.setenv("LD_LIBRARY_PATH", without_debug_info()["LD_LIBRARY_PATH"])


def profiler(folder: Path) -> Callable[..., Profiled]:
    """Leaves the profiles in a folder."""
    runs = 0

    def profile_once(
        command: Command, *options: str, libc_names: bool = False, **process: Any
    ) -> Profiled:
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
        words = [*tool, f"--aprof-out-file={pattern}", *options, *command]
        result = run_tool(words, libc_names, **process)
        return Profiled(result, sorted(folder.glob(f"aprof.{runs}.*")))

    return profile_once


@pytest.fixture
def profile(tmp_path: Path) -> Callable[..., Profiled]:
    """profile(command, *tool options, libc_names=False, **for the process): runs under aprof-trms, with names in the
    C library that it does not export if a test needs them."""
    return profiler(tmp_path)


@pytest.fixture(scope="module")
def module_profile(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Profiled]:
    """The same, for a run that several tests look at."""
    return profiler(tmp_path_factory.mktemp("profiles"))
