"""Lets the tests import what bench/compare and bench/growth are made of."""

from __future__ import annotations

import os
import sys
from pathlib import Path

SOURCE = Path(os.environ.get("APROF_SRCDIR", Path(__file__).resolve().parent.parent.parent))
sys.path[:0] = [str(SOURCE / "bench"), str(SOURCE / "plot")]
