"""Set-up for all tests: the packages, and a folder that the processes of a run share."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(os.environ.get("APROF_SRCDIR", Path(__file__).resolve().parent.parent))
sys.path[:0] = [str(SOURCE / "plot"), str(SOURCE / "bench")]

SHARED = "APROF_TESTS_SHARED"


def pytest_configure(config: pytest.Config) -> None:
    """Makes what tool/sharing.py fills, and a cache that is not the user's: in the process that the user
    started, not in a worker."""
    if not hasattr(config, "workerinput"):
        os.environ[SHARED] = tempfile.mkdtemp(prefix="aprof-tests-")
        os.environ["XDG_CACHE_HOME"] = os.path.join(os.environ[SHARED], "cache")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(SHARED))


@pytest.hookimpl(hookwrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, None]:
    """Escapes lone surrogates, which a test may print and a worker cannot send."""
    outcome = yield
    outcome.force_result(_sendable(outcome.get_result()))


def _sendable(found: Any) -> Any:
    """The same strings, lists and dictionaries, all of which UTF-8 has."""
    if isinstance(found, str):
        return found.encode("utf-8", "backslashreplace").decode()
    if isinstance(found, dict):
        return {_sendable(key): _sendable(value) for key, value in found.items()}
    if isinstance(found, (list, tuple)):
        return type(found)(map(_sendable, found))
    return found
