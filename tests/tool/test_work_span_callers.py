"""Who calls whom, as cilkshadow has it: what the program's code does, and aprof-trms says, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from shadowing import shadow, site_numbers

Compile = Callable[..., Path]


def callers(profile: Path, callee: str) -> set[str]:
    """Of a routine; '' is none, of an outermost frame."""
    return {by for by, called, _ in site_numbers(profile, together=True) if called == callee}


@pytest.mark.parametrize("flags", [["-O0"], ["-O1"], ["-O0", "-static"]], ids=" ".join)
def test_what_nobody_calls_is_outermost(flags: list[str], compile: Compile, tmp_path: Path) -> None:
    """Whoever called a library about threads last is not its caller."""
    profile = tmp_path / "profile"
    shadow([compile("outermost.c", *flags)], profile)
    for outermost in ("setup", "main", "destructor", "at_end", "handler"):
        assert callers(profile, outermost) == {""}, outermost
    assert callers(profile, "thread") == {"main"}
    assert callers(profile, "locks") == {"setup", "main", "destructor", "at_end", "thread"}
