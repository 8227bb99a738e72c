"""The machine code that every access, call and return executes: its number of instructions is their
cost."""

from __future__ import annotations

import re

import pytest

from running import BUILD, VG_IN_PLACE, run

TOOL = BUILD / "aprof" / "aprof-trms-amd64-linux"
BEGIN = re.compile(r"[0-9a-f]+ <(void \(anonymous namespace\)::)?(?P<name>.*)\(.*\)>:")
SIZES = [1, 2, 4, 8, 16, 32]


@pytest.fixture(scope="module")
def helpers() -> dict[str, list[str]]:
    """Their instructions, by name and template arguments."""
    found: dict[str, list[str]] = {}
    for routine in (
        run(["objdump", "-dC", "--no-show-raw-insn", TOOL]).stdout.decode().split("\n\n")
    ):
        head, *lines = routine.strip().split("\n")
        if match := BEGIN.fullmatch(head):
            found[match["name"]] = [line.split("\t", 1)[1] for line in lines if "\t" in line]
    return found


def without_padding(code: list[str]) -> list[str]:
    return [i for i in code if not re.match(r"(cs |data16 )*nop|xchg +%ax,%ax", i)]


# clang 14 spills a constant's address in the larger ones.
by_gcc = pytest.mark.skipif(
    b"clang version" in run(["readelf", "-p", ".comment", TOOL]).stdout, reason="not made by g++"
)


@by_gcc
@pytest.mark.parametrize(
    "name",
    [f"{event}<{cell_shift}u, false, " for event in ("read", "write") for cell_shift in range(5)]
    + ["modify<"],
)
def test_fast_path_calls_nothing_and_saves_nothing(helpers, name):
    for size in SIZES:
        code = helpers[f"{name}{size}ul>"]
        for instruction in code:
            assert not re.match(r"(push|pop|call|leave)\b|.*,%rsp$", instruction), (size, code)


@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_fast_path_is_short(helpers, size):
    """Of cells of 4 bytes, the default; GCC 12 makes 62 instructions of the longest read, of which
    20 are for first accesses, and 34 of the longest write."""
    for event, most in (("read", 65), ("write", 45)):
        code = helpers[f"{event}<2u, false, {size}ul>"]
        assert len(without_padding(code)) <= most


@by_gcc
@pytest.mark.parametrize(
    ("event", "beside_cells"),
    # GCC 12 makes 59 of 15 cells, and 46.
    [("read_run", 46), ("write_run", 41)],
)
def test_runs_call_nothing_and_save_nothing(helpers, event, beside_cells):
    for cells in range(2, 17):
        code = helpers[f"{event}<{cells}ul>"]
        first_accesses = 25 if event == "read_run" and cells == 2 else 0
        assert len(without_padding(code)) <= beside_cells + cells + first_accesses
        for instruction in code:
            assert not re.match(r"(push|pop|call|leave)\b|.*,%rsp$", instruction), (cells, code)


@by_gcc
@pytest.mark.parametrize(
    ("event", "pushes", "instructions"),
    # GCC 12 makes 56 and 70.
    [("sink::call", 0, 58), ("sink::return_", 1, 73)],
)
def test_fast_call_and_return_call_nothing(helpers, event, pushes, instructions):
    code = without_padding(helpers[event])
    assert not [i for i in code if re.match(r"call\b", i)], code
    assert len([i for i in code if re.match(r"push\b", i)]) <= pushes, code
    assert len(code) <= instructions


@pytest.mark.parametrize("tool", ["aprof-trms", "cilkshadow"])
def test_translations_are_in_the_4_gb_of_the_tool(tool):
    """Otherwise processors predict fewer branches between them."""
    profile = {"aprof-trms": "--aprof-out-file", "cilkshadow": "--cilkshadow-out-file"}[tool]
    command = [VG_IN_PLACE, f"--tool={tool}", f"{profile}=/dev/null", "cat", "/proc/self/maps"]
    maps = run(command).stdout.decode()
    for line in maps.splitlines():
        bounds, access, *_ = line.split()
        begin, end = (int(bound, 16) for bound in bounds.split("-"))
        if access == "rwxp" and 2**31 <= begin < end <= 2**32 and end - begin >= 8 << 20:
            return
    pytest.fail(maps)
