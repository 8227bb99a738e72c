"""--stats=yes of aprof-trms: counts of slow paths, for programs that take one more often."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from running import TESTS, VG_IN_PLACE, run

pytestmark = pytest.mark.usefixtures("libraries_without_debug_info")
LABELS = {
    "first": "first accesses",
    "ancestor": "to what an activation below the caller accessed last",
    "unlike": "unlike the latest of their routine",
    "unaligned": "not aligned, at high addresses or across chunks",
    "induced": "induced accesses",
    "unknown": "to unknown chunks",
}
FEW, MANY = 20, 60  # fewer chunks than are packed


@pytest.fixture(scope="module")
def statistics(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int], dict[str, int]]:
    folder = tmp_path_factory.mktemp("statistics")
    program = folder / "slow_paths"
    assert run(["gcc", "-O1", "-o", program, TESTS / "programs/slow_paths.c"]).returncode == 0

    def of(what: str, times: int) -> dict[str, int]:
        output = f"--aprof-out-file={folder / 'out'}"
        # With loops, what an iteration accesses first is a first access, too.
        tool = [VG_IN_PLACE, "--tool=aprof-trms", "--loops=no", "--stats=yes", output]
        result = run([*tool, program, what, str(times)])
        assert result.returncode == 0, result.stderr.decode()
        lines = re.findall(r"^--\d+-- aprof-trms: +([\d,]+) +(.*)$", result.stderr.decode(), re.M)
        return {label: int(number.replace(",", "")) for number, label in lines}

    return of


@pytest.mark.parametrize("what", LABELS)
def test_each_time_is_counted(what: str, statistics: Callable[[str, int], dict[str, int]]) -> None:
    few, many = statistics(what, FEW), statistics(what, MANY)
    more = {label: many[label] - few[label] for label in many}
    assert more[LABELS[what]] == MANY - FEW
    others = [label for kind, label in LABELS.items() if kind != what]
    assert more["accesses of translated code"] >= MANY - FEW
    if what in ("unaligned", "induced"):
        assert all(more[label] == 0 for label in others if label != LABELS["first"])


def test_calls_and_returns(statistics: Callable[[str, int], dict[str, int]]) -> None:
    few, many = statistics("first", FEW), statistics("first", MANY)
    assert many["calls"] - few["calls"] == MANY - FEW
    assert many["that took the slow path"] == few["that took the slow path"] > 0
    assert many["records of routines"] == few["records of routines"]
    induced = statistics("induced", MANY)
    assert induced["whose return took the slow path"] > 0
