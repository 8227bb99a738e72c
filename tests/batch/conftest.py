"""Gives the tests a folder to run batches in."""

from __future__ import annotations

from pathlib import Path

import pytest
from batch_bench import Bench


@pytest.fixture(scope="module")
def module_bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """For a batch that several tests look at."""
    return Bench(tmp_path_factory.mktemp("batch"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """For one test."""
    return Bench(tmp_path)
