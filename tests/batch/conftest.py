"""Lets the tests import the package, and gives them a folder to run batches in."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from batch_bench import SOURCE, Bench

sys.path.insert(0, str(SOURCE / "plot"))


@pytest.fixture(scope="module")
def module_bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """For a batch that several tests look at."""
    return Bench(tmp_path_factory.mktemp("batch"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """For one test."""
    return Bench(tmp_path)
