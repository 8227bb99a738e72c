"""Settings for generated tests of readers, and a profile that many tests read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from builder import Builder, Table
from hypothesis import HealthCheck, settings

# The same examples in each run, however busy the machine is; no files are left behind. HACKING says how to try others.
_SETTINGS = {
    "database": None,
    "deadline": None,
    "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
}
settings.register_profile("alike", **_SETTINGS, derandomize=True)
settings.register_profile("random", **_SETTINGS)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "alike"))


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Two routines in two threads."""
    tables = [
        Table(1, [], unfinished=1, extra_cost=1000),
        Table(
            2,
            [(10, 2, 5, 7, 12), (20, 1, 9, 9, 9)],
            induced=(3, 4),
            rms=[(8, 3, 5, 9, 21)],
            callers=[(0, 1, 0, 9, 9), (1, 2, 0, 12, 12)],
        ),
        Table(2, [(10, 1, 4, 4, 4), (30, 1, 40, 40, 40)], thread=2),
    ]
    return Builder(threads=("", "worker"), tables=tables).write(tmp_path / "aprof.out.100")
