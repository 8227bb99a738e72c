"""Loops that VEX unrolls count as they are executed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from shadowing import check_alike


@pytest.mark.parametrize("work", ["instr", "bb"])
@pytest.mark.parametrize(
    ("source", "argument"),
    [("nqueens.c", "7"), ("matmul.c", "32"), ("heat.c", "32"), ("bfs.cpp", "500")],
)
def test_all_rounds_are_work(
    source: str, argument: str, work: str, cilk_program: Callable[..., Path], tmp_path: Path
) -> None:
    never, always = "--vex-iropt-unroll-thresh=0", "--vex-iropt-unroll-thresh=400"
    check_alike([cilk_program(source), argument], tmp_path, never, always, f"--work={work}")
