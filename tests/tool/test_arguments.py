"""Points by the values of integer arguments (--arguments): calls as the program counts them, and costs."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from aprofplot.merge import merge_threads
from aprofplot.model import argument_of
from aprofplot.read.profile_reader import read_merged, read_profile

COMPILERS = pytest.mark.parametrize("compiler", ["gcc", "clang"])


def counted_by(run) -> dict[tuple[str, str], dict[int, int]]:
    """What the program printed: of each routine and argument, the calls of each value."""
    counts: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for line in run.process.stdout.decode().splitlines():
        routine, argument, value, calls = line.split()
        counts[routine, argument][int(value)] = int(calls)
    return counts


def tables_of(profile, source: str = "arguments.c"):
    """By routine and argument, those of the program's own routines."""
    return {
        (of.routine.name, argument_of(metric)): table
        for of in profile.routines
        for metric, table in of.points.items()
        if argument_of(metric) is not None and of.routine.file.endswith(source)
    }


def calls_of(table) -> dict[int, int]:
    return dict(zip(table.column("size").tolist(), table.column("calls").tolist()))


@COMPILERS
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_calls_of_each_value(compile, profile, compiler, level):
    """Recursion, tail calls, longjmp and signal handlers; arguments narrower than their registers, beside
    others that are none, and after an object."""
    run = profile([compile("arguments.c", level, compiler=compiler)], "--arguments=yes")
    read = merge_threads(read_profile(str(run.paths[0])))
    tables = tables_of(read)
    expected = counted_by(run)
    assert len(expected) == 11
    # A value that is negative is left out, and an argument of which those are more than a tenth.
    assert ("narrow", "few") not in tables
    del expected["narrow", "few"]
    if level != "-O0":  # one of the two calls has become a jump
        del expected["counted_fib", "n"]
    assert ("counted_fib", "n") in tables
    found = {key: calls_of(tables[key]) for key in expected if key in tables}
    assert found == expected
    assert "step" not in {name for routine, name in tables if routine == "mixed"}
    costs = {of.routine.name: of.points["rms"].column("bb.sum").sum() for of in read.routines}
    for routine, name in expected:
        assert tables[routine, name].column("bb.sum").sum() == costs[routine]
    merged = tables_of(read_merged(str(run.paths[0])))
    assert {key: calls_of(table) for key, table in merged.items()} == {
        key: calls_of(table) for key, table in tables.items()
    }


@pytest.mark.parametrize("compiler, option", [("gcc", "yes"), ("clang", "no")])
def test_points_by_argument_are_those_by_size(compile, profile, compiler, option):
    """Of a routine that reads as many cells as its argument says; with work and span."""
    program = compile("arguments.c", "-O2", compiler=compiler)
    run = profile([program], "--arguments=yes", f"--work-span={option}")
    (reads,) = (of for of in read_profile(str(run.paths[0])).routines if of.routine.name == "reads")
    by_size, by_value = reads.points["rms"], reads.points["argument:n"]
    assert len(by_size) == len(by_value) == 60
    assert (by_size.rows[1:] == by_value.rows[1:]).all()
    assert by_value.column("size").tolist() == list(range(1, 61))


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("level", ["-O0", "-O1"])
def test_those_of_a_lambda_are_known(compile, profile, compiler, level):
    run = profile([compile("lambda_argument.cpp", level, compiler=compiler)], "--arguments=yes")
    tables = tables_of(read_merged(str(run.paths[0])), "lambda_argument.cpp")
    (found,) = (table for (_, name), table in tables.items() if name == "count")
    assert calls_of(found) == {n: 1 for n in range(1, 12)}


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_where_the_abi_has_exceptions(compile, profile, compiler, level):
    """Arguments that were left out, objects with constructors, and types whose size is not told."""
    source = "arguments_elsewhere.cpp"
    run = profile([compile(source, level, compiler=compiler)], "--arguments=yes")
    tables = tables_of(read_profile(str(run.paths[0])), source)
    found = {
        (re.split(r"[\[(]", routine)[0], name): calls_of(table)
        for (routine, name), table in tables.items()
    }
    assert found.pop(("constant_first", "n"), {5: 60}) == {5: 60}
    found.pop(("work", "n"), None)
    assert ("constant_first", "m") in found
    assert level == "-O0" or len(found) == 6  # then DWARF tells of all
    assert all(calls == dict.fromkeys(range(1, 61), 1) for calls in found.values()), found


@COMPILERS
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_what_tells_the_cost_is_kept(compile, profile, compiler, level):
    """By default. What cost has nothing to do with is not, nor what input sizes tell as well."""
    run = profile([compile("arguments.c", level, compiler=compiler)])
    kept = set(tables_of(read_profile(str(run.paths[0]))))
    assert {("fib", "n"), ("tail_end", "n"), ("jumps", "n"), ("many", "c")} <= kept
    assert not {("lookup", "key"), ("reads", "n")} & kept
    report = run.fitted_report()
    laws = {of["name"]: of["growth"] for of in report["routines"]}
    assert (laws["fib"]["law"], laws["fib"]["in"]) == ("c^n", "argument:n")
    assert "grows as 1.62^n in its argument n" in laws["fib"]["sentence"]
    assert (laws["tail_end"]["law"], laws["tail_end"]["in"]) == ("n", "argument:n")


def test_they_can_be_left_out(compile, profile):
    run = profile([compile("arguments.c", "-O2")], "--arguments=no")
    text = run.paths[0].read_text()
    assert "\noption arguments" not in text and "\nargument" not in text


def test_with_contexts_they_are_the_same(compile, profile):
    program = compile("arguments.c", "-O2")
    whole, apart = (
        tables_of(read_profile(str(profile([program], "--arguments=yes", *more).paths[0])))
        for more in ([], ["--contexts=yes"])
    )
    assert len(whole) > 10 and whole.keys() == apart.keys()
    assert all((whole[key].rows == apart[key].rows).all() for key in whole)


@COMPILERS
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_a_recursion_is_told_in_its_argument(compile, profile, compiler, level):
    program = compile("culprits/counted_ways.c", level, compiler=compiler)
    report = profile([program]).fitted_report()
    (finding,) = report["findings"]
    assert (finding["kind"], finding["function"]) == ("recursion", "ways")
    assert (finding["growth"]["law"], finding["growth"]["in"]) == ("c^n", "argument:steps")
    assert re.search(r"grows as 1\.6[1-4]\^n in its argument steps", finding["sentence"])
