"""Valgrind reads its tools' own symbols, so that its reports of crashes have names."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import VG_IN_PLACE, run


@pytest.mark.parametrize("tool", ["aprof-trms", "cilkshadow"])
def test_the_core_can_read_them(tool: str, tmp_path: Path) -> None:
    own = f"*/{tool}-amd64-linux*"
    result = run(
        [
            VG_IN_PLACE,
            f"--tool={tool}",
            f"--{tool.removesuffix('-trms')}-out-file={tmp_path / 'out'}",
            "--trace-symtab=yes",
            f"--trace-symtab-patt={own}",
            "true",
        ]
    )
    assert result.returncode == 0
    assert b"ELF reading failed" not in result.stderr
    assert b"take_batch" in result.stderr
