"""The self cost of source lines (--lines=yes): exact, and callgrind's for the same run.

That a routine's lines add up to its self cost, the reader checks of every profile.
"""

from __future__ import annotations

import functools
import os
import re
from collections import Counter
from pathlib import Path

import pytest

from c_library import run_tool
from running import VG_IN_PLACE

ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C", "LD_BIND_NOW": "1"}
# A block ends at each jump, as aprof-trms has it; what linkage stubs cost is no line's.
CALLGRIND = ["--dump-line=yes", "--skip-plt=no", "--vex-guest-chase=no"]


def callgrind_lines(path: Path) -> Counter[tuple[str, int]]:
    """Instructions by source file, its name alone, and line."""
    names: dict[str, str] = {}
    lines: Counter[tuple[str, int]] = Counter()
    file, line, is_call = "", 0, False
    for text in path.read_text(errors="surrogateescape").splitlines():
        key, _, value = text.partition("=")
        if text[:1] in {*"+-*0123456789"}:
            where, *cost = text.split()
            line = line if where == "*" else int(where) + (line if where[0] in "+-" else 0)
            if not is_call:  # else it is the inclusive cost of calls
                lines[os.path.basename(file), line] += int(*cost)
            is_call = False
        elif key in ("fl", "fi", "fe", "cfi", "cfl"):
            number, name = re.fullmatch(r"(\(\d+\))(?: (.*))?", value).groups()
            names.setdefault(number, name)
            file = file if key[0] == "c" else names[number]
        is_call |= key == "calls"
    return lines


def lines_of(report, source):
    """Instructions of a source file, by line."""
    costs = Counter()
    for routine in report["routines"]:
        for line in routine["lines"]:
            if line["file"].endswith(source):
                costs[line["line"]] += line["cost"]["instr"]
    return costs


@pytest.fixture(scope="module")
def counted_by_callgrind(tmp_path_factory):
    """counted_by_callgrind(program): instructions by source file and line, counted once."""
    folder = tmp_path_factory.mktemp("callgrind")

    @functools.cache
    def counted(program: Path) -> Counter[tuple[str, int]]:
        out = folder / "callgrind.out"
        command = [VG_IN_PLACE, "-q", "--tool=callgrind", f"--callgrind-out-file={out}"]
        run_tool([*command, *CALLGRIND, program], libc_names=False, env=ENVIRONMENT, cwd=folder)
        return callgrind_lines(out)

    return counted


@pytest.mark.parametrize("cost", ["bb", "instr", "both"])
@pytest.mark.parametrize(
    ("source", "options"),
    [
        ("nested_loops.c", ["-O0"]),
        ("nested_loops.c", ["-O2"]),
        ("sorting.c", ["-O3"]),
        ("exceptions.cpp", ["-O2"]),
        ("recursion.c", ["-O1"]),
        ("known_costs.cpp", ["-O2"]),
    ],
)
def test_lines_cost_what_callgrind_says(
    compile, profile, counted_by_callgrind, source, options, cost
):
    program = compile(source, *options)
    counted = counted_by_callgrind(program)
    report = profile([program], f"--cost={cost}", env=ENVIRONMENT).report()
    expected = {line: n for (file, line), n in counted.items() if file == source}
    assert len(expected) > 10
    assert lines_of(report, source) == expected


def test_lines_name_the_functions_that_were_inlined(compile, profile):
    run = profile([compile("quadratic.c", "-O2")])
    main = run.routine("main")
    functions = {line["function"] for line in main["lines"] if line["file"].endswith("quadratic.c")}
    assert functions == {"main", "contains"}


def test_lines_of_libraries_that_are_unloaded(compile, profile):
    """Each lies where the one before did."""
    libraries = []
    for cells in (10, 20, 30, 10):
        flags = ["-O0", "-shared", "-fPIC", f"-DNAME=read_{cells}", f"-DCELLS={cells}"]
        libraries += [compile("reload_library.c", *flags), f"read_{cells}"]
    run = profile([compile("reload.c", "-ldl"), *libraries])
    assert run.process.stdout == b"0\n", run.process.stderr
    costs = []
    for routine in run.report()["routines"]:
        if routine["name"] == "helper":
            costs += [line["cost"]["instr"] for line in routine["lines"] if line["line"] == 5]
    an_iteration = min(costs) // 40
    assert sorted(costs) == [an_iteration * 10 * 4, an_iteration * 20 * 2, an_iteration * 30 * 2]


def test_lines_of_what_is_collected_in_part_are_not_told(compile, profile):
    run = profile([compile("control_flow.c", "-O0")], "--toggle-collect=interrupted")
    (rest,) = run.routine("work")["lines"]
    assert (rest["file"], rest["line"]) == ("", 0)


def test_without_lines(compile, profile):
    program = compile("nested_loops.c")
    options = ["--lines=no", "--loops=no", "--arguments=no"]
    run = profile([program], *options)
    assert run.paths[0].read_text().startswith("aprof-trms-profile 2\n")
    assert all("lines" not in routine for routine in run.report()["routines"])
    with_lines = profile([program], *options[1:]).report()["routines"]
    for routine in with_lines:
        del routine["lines"]
    key = lambda routine: (routine["object"], routine["name"], routine["address"])
    assert sorted(with_lines, key=key) == sorted(run.report()["routines"], key=key)
