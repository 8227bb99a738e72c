"""A routine is a function of the source: the code that belongs to it, and its definition."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from running import BUILD, TESTS, calls, names, run as run_natively

UNITS = [TESTS / "programs" / name for name in ("units.cpp", "units_one.cpp", "units_two.cpp")]

PIECE = "lib::walk(int const*, int) [clone .part.0]"

COMPILERS = [
    "g++ -O0 -g",
    "g++ -O1 -g",
    "g++ -O2 -g",
    "g++ -O3 -g",
    "g++ -O2 -gdwarf-2 -gstrict-dwarf",
    "g++ -O2 -gdwarf-4",
    "g++ -O2 -gdwarf-4 -gdwarf64",
    "g++ -O2 -g -ffunction-sections",
    "g++ -O2 -g -flto",
    "g++ -O2 -g -flto -flto-partition=max",
    "g++ -O2 -gdwarf-4 -fdebug-types-section",
    "g++ -O2 -g -gz",
    "g++ -O2 -g -fuse-ld=gold",
    "clang++ -O1 -gdwarf-4",
    "clang++ -O2 -gdwarf-4",
    "clang++ -O2 -gdwarf-4 -flto -fuse-ld=lld",
]


def made(command, program, *sources):
    """The program that a compiler's command makes; skips where there is no such compiler."""
    compiler, *flags = command.split()
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} not installed")
    result = run_natively([compiler, *flags, *sources, "-o", program])
    assert result.returncode == 0, result.stderr.decode()
    return program


def called(run, name):
    """Basename and calls of the routines whose names begin so and go on with their parameters."""
    return sorted(
        (Path(r["file"]).name, r["calls"])
        for r in run.report()["routines"]
        if r["name"] == name or r["name"].startswith((f"{name}(", f"{name}<"))
    )


@pytest.mark.parametrize("command", COMPILERS)
def test_functions_of_two_units_are_two_routines(command, profile, tmp_path):
    run = profile([made(command, tmp_path / "units", *UNITS)])
    assert called(run, "helper") == [("units_one.cpp", 7), ("units_two.cpp", 4)]
    assert called(run, "in_header") == [("units.h", 4), ("units.h", 7)]
    # Of each unit's own type Item.
    instances = [r for r in run.report()["routines"] if r["name"].startswith("long instance<")]
    assert sorted(r["calls"] for r in instances) == [4, 7]
    assert {(Path(r["file"]).name, r["line"]) for r in instances} == {("units.h", 16)}
    # Of a function's lambda, whose name is the same in both units.
    sorts = [r for r in run.report()["routines"] if "__introsort_loop<" in r["name"]]
    assert len(sorts) == 2 and sorts[0]["name"] == sorts[1]["name"]


def test_without_debug_info_functions_of_two_units_are_two_routines(compile, profile):
    run = profile([compile("units.cpp", *UNITS[1:], "-O2", "-g0")])
    assert called(run, "helper") == [("", 4), ("", 7)]
    assert called(run, "in_header") == [("", 4), ("", 7)]


@pytest.mark.parametrize("linked_by", ["build id", "name"])
def test_debug_info_in_another_file(linked_by, profile, tmp_path):
    """As -dbgsym packages and debuginfod have it."""
    program, debug_info = tmp_path / "units", tmp_path / ".debug/units.debug"
    by_id = linked_by == "build id"
    made(f"g++ -O2 -g -Wl,--build-id={'sha1' if by_id else 'none'}", program, *UNITS)
    debug_info.parent.mkdir()
    for command in (
        ["objcopy", "--only-keep-debug", program, debug_info],
        ["strip", "--strip-all", program],
        ["objcopy", f"--add-gnu-debuglink={debug_info}", program],
    ):
        assert run_natively(command).returncode == 0
    run = profile([program])
    assert called(run, "helper") == [("units_one.cpp", 7), ("units_two.cpp", 4)]


# Copies and pieces of functions

CLONES = {
    "work": 14,  # 4 of them by the piece alone
    "down": 21,
    "ends_in_call": 5,
    "last": 5,
    "fib": 177,
    "gone": 10,
    "parallel": 5,
    "parallel._omp_fn.0": 5,
}


@pytest.mark.parametrize("debug_info", ["-g", "-g0"])
def test_copies_and_pieces_are_the_function(debug_info, compile, profile):
    run = profile([compile("clones.c", "-O1", "-foptimize-sibling-calls", debug_info)])
    assert {name: calls(run, name) for name in CLONES} == CLONES
    for name in CLONES:
        assert run.routine(name)["unfinished"] == 0
    cost = run.routine("ends_in_call")["cost"]["bb"]
    assert cost["inclusive"] == cost["self"] + run.routine("last")["cost"]["bb"]["inclusive"]


@pytest.mark.parametrize("flags", ["-g", "-g0", "-g -flto", "-g0 -flto"])
def test_copies_of_namesakes_are_two_routines(flags, profile, tmp_path):
    """Their names are the same, or LTO has numbered the copies of both together."""
    units = []
    for unit in "01":
        units.append(tmp_path / f"unit{unit}.o")
        source = TESTS / "programs/copies.c"
        made(f"gcc -O2 {flags} -DUNIT={unit} -c", units[-1], source)
    program = made(f"gcc -O2 {flags}", tmp_path / "copies", *units)
    assert run_natively(["nm", program]).stdout.count(b"helper.constprop") == 2
    run = profile([program])
    assert sorted(r["calls"] for r in run.report()["routines"] if r["name"] == "helper") == [3, 5]


def test_copies_and_pieces_apart(compile, profile):
    program = compile("clones.c", "-O1", "-foptimize-sibling-calls")
    run = profile([program], "--clones=apart")
    apart = {
        "work": 10,
        "work.part.0": 13,
        "down": 21,
        "down.part.0": 20,
        "ends_in_call.part.0.isra.0": 5,
        "gone.isra.0": 5,
        "gone.isra.0.constprop.1": 5,
    }
    assert {name: calls(run, name) for name in apart} == apart
    assert calls(run, "fib") + calls(run, "fib.constprop.0") == 177
    assert run.lines("option").count(["clones", "apart"]) == 1


@pytest.mark.parametrize(
    "clones, named",
    [("together", ["walk", "gap"]), ("apart", ["walk.part.0", "gap.constprop.0"])],
)
@pytest.mark.parametrize("debug_info", ["-g", "-g0"])
def test_a_loop_names_its_function_as_routines_do(debug_info, clones, named, profile, tmp_path):
    versions = tmp_path / "versions"
    versions.write_text("V1 {};")
    source = TESTS / "programs" / "loops_of_clones.c"
    command = f"gcc -O1 {debug_info} -Wl,--version-script={versions}"
    run = profile([made(command, tmp_path / "loops", source)], f"--clones={clones}")
    functions = [fields[-1] for fields in run.lines("loop")]
    there = ("walk", "gap", "scan")
    assert [name for name in functions if name.startswith(there)] == [*named, "scan"]


@pytest.mark.parametrize("clones", ["together", "apart"])
def test_options_take_the_name_in_the_source(clones, compile, profile):
    program = compile("clones.c", "-O1", "-foptimize-sibling-calls")
    run = profile([program], f"--clones={clones}", "--toggle-collect=gone")
    assert {r["name"].split(".")[0] for r in run.report()["routines"]} == {"gone", "burn"}
    assert sum(r["calls"] for r in run.report()["routines"] if r["name"] != "burn") == 10
    run = profile(
        [program], f"--clones={clones}", "--collect-from=gone", "--collect-until=parallel"
    )
    assert "work" not in names(run) and "parallel._omp_fn.0" not in names(run)


@pytest.mark.parametrize(
    "clones, recorded",
    [("together", {"work": 14, "burn": 13}), ("apart", {"work.part.0": 13, "burn": 13})],
)
def test_options_take_the_name_of_a_clone(clones, recorded, compile, profile):
    program = compile("clones.c", "-O1", "-foptimize-sibling-calls")
    run = profile([program], f"--clones={clones}", "--toggle-collect=work.part.0")
    assert {r["name"]: r["calls"] for r in run.report()["routines"]} == recorded


@pytest.mark.parametrize(
    "name, recorded",
    [
        ("shop::total", {"total(int)": 2, "total(long, void (*)(int))": 3, "totals(int)": 3}),
        ("shop::total(int)", {"total(int)": 2}),
        ("shop::render", {"render[abi:v2](int)": 5}),
        ("*::operator()", {"Price::operator()(int) const": 7}),
    ],
)
def test_options_take_names_without_parameters(name, recorded, compile, profile):
    run = profile([compile("overloads.cpp", "-O1")], f"--toggle-collect={name}")
    found = {r["name"].removeprefix("shop::"): r["calls"] for r in run.report()["routines"]}
    assert found == recorded


@pytest.fixture
def pieces(compile, profile):
    """pieces(*options): the profile of a C++ program whose walk(...) has a piece, told apart."""
    program = compile("split_function.cpp", "-O2")
    return lambda *options: profile([program], "--clones=apart", *options)


def test_options_take_the_symbol_of_a_clone(pieces):
    """As for C, though demangled names have it in brackets behind the parameters."""
    run = pieces("--toggle-collect=lib::walk.part.0")
    assert [r["name"] for r in run.report()["routines"]] == [PIECE]


def test_reports_take_the_symbol_of_a_clone(pieces, tmp_path):
    (path,) = pieces().paths
    for name in ("lib::walk.part.0", "walk.part.0", "split_function.cpp:walk.part.*"):
        listing = command("aprof-report", "--format=json", "--filter", name, path)
        assert [r["name"] for r in json.loads(listing.stdout)["routines"]] == [PIECE]
        picture = command("aprof-plot", name, path, "-o", tmp_path / "piece.svg")
        assert (picture.returncode, picture.stderr) == (0, b"")
        budget = tmp_path / "budget"
        budget.write_text(f"{name} <= n^3\n")
        assert b"1 ok" in command("aprof-check", "--budget", budget, path).stdout


def command(name, *arguments):
    return run_natively([BUILD / "plot" / name, *arguments])


def test_a_pattern_of_clones_does_not_mean_every_function(compile, profile):
    program = compile("clones.c", "-O1", "-foptimize-sibling-calls")
    run = profile([program], "--toggle-collect=*.part.0")
    assert not run.report()["routines"]


@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O2 -g0", "-O1 -fPIC", "-O2 -fdeclone-ctor-dtor"])
def test_a_destructor_is_one_routine_and_no_recursion(flags, compile, profile):
    """Compilers make up to four functions of it, of which one calls the other."""
    run = profile([compile("destructors.cpp", *flags.split())])
    for name in ("Node::Node(int)", "Node::~Node()", "Base::Base()", "Base::~Base()"):
        assert calls(run, name) == 33
    assert calls(run, "Derived::Derived()") == calls(run, "Derived::~Derived()") == 3


@pytest.mark.parametrize("command", COMPILERS)
def test_a_lambda_is_where_it_is_written(command, profile, tmp_path):
    """gcc's debug information has the place of its class only."""
    source = TESTS / "programs" / "lambda_sum.cpp"
    report = profile([made(command, tmp_path / "sum", source)]).report()
    (found,) = (
        (r["file"], r["line"], r["calls"])
        for r in report["routines"]
        if r["file"] == str(source) and r["name"] != "main"
    )
    assert found == (str(source), 6, 11)
