"""Findings of programs with one algorithmic fault each, and none of the repaired ones."""

from __future__ import annotations

import shlex

import pytest
from compiling import compiled
from running import TESTS

from aprofplot.commands.plot import main as plot_main
from aprofplot.commands.report import main as report_main

BENCH = "../../bench/programs"  # programs of its table of findings

# The kinds that may say it, and what may be named: the function at fault, or the one that repeats it.
CULPRITS = {
    "bad_pivot.c": ({"growth"}, {"quick"}),
    "trial_division.c": ({"progress"}, {"is_prime", "count_primes"}),
    "long_line.c": ({"read-again"}, {"add", "fill"}),
    "cleared_table.c": ({"growth"}, {"walk", "walk_from_all"}),
    "common_elements.cpp": ({"growth", "read-again"}, {"common"}),
    "pairs.c": ({"rms-misleads"}, {"pairs"}),
}


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("program", CULPRITS)
def test_the_fault_is_the_first_finding(program, level, compile, profile):
    report = profile([compile(f"culprits/{program}", level)]).fitted_report()
    first = report["findings"][0]
    kinds, functions = CULPRITS[program]
    assert first["kind"] in kinds and first["function"] in functions, first
    growth = first["growth"]
    assert 1.35 <= growth["low"] <= 2.2 and growth["low"] <= growth["high"] <= 3.1, first
    assert "ten times the" in first["sentence"]
    assert first["routine"] is not None and first["file"].endswith(program)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("program", CULPRITS)
def test_the_repaired_program_has_none(program, level, compile, profile):
    report = profile([compile(f"culprits/{program}", level, "-DREPAIRED")]).fitted_report()
    assert report["findings"] == []


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_a_walk_of_one_length_in_each_iteration_is_found_in_what_is_called(level, compile, profile):
    """Nothing tells how it grows: it is the product of two sizes."""
    report = profile([compile("culprits/checked_ancestors.c", level)]).fitted_report()
    (finding,) = report["findings"]
    assert (finding["kind"], finding["function"]) == ("read-again", "is_above")
    assert finding["growth"]["low"] is None and finding["evidence"]["iterations"] == 800
    repaired = profile([compile("culprits/checked_ancestors.c", level, "-DREPAIRED")])
    assert repaired.fitted_report()["findings"] == []


@pytest.mark.parametrize("kind, arguments", [("external-input", []), ("thread-input", ["thread"])])
def test_input_that_comes_from_elsewhere_is_named_by_where(kind, arguments, compile, profile):
    """It passes through a buffer of 16 cells: RMS does not tell."""
    report = profile([compile("culprits/streamed_input.c"), *arguments]).fitted_report()
    (finding,) = report["findings"]
    assert (finding["kind"], report["routines"][finding["routine"]]["name"]) == (kind, "digest")
    growth = finding["growth"]
    assert 1.9 <= growth["low"] <= growth["high"] <= 2.3 and growth["in"] == "trms"
    said = "came from outside" if kind == "external-input" else "other threads have stored"
    assert said in finding["sentence"]
    repaired = compile("culprits/streamed_input.c", "-O2", "-DREPAIRED")
    assert profile([repaired, *arguments]).fitted_report()["findings"] == []


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_a_size_that_is_in_a_register_is_said_to_be_unknown(level, compile, profile):
    program = [compile("culprits/number_in_register.c", level)]
    (finding,) = profile(program, "--arguments=no").fitted_report()["findings"]
    assert (finding["kind"], finding["function"]) == ("unexplained", "is_even")
    assert finding["evidence"]["varies"] >= 299 and finding["growth"]["low"] is None
    assert "-fold" in finding["sentence"] and "perhaps an argument" in finding["sentence"]
    (finding,) = profile(program).fitted_report()["findings"]
    assert (finding["kind"], finding["function"]) == ("growth", "is_even")
    assert finding["growth"]["in"].startswith("argument:") and finding["growth"]["law"] == "n"


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_a_recursion_that_keeps_its_results_is_none(level, compile, profile):
    (finding,) = profile([compile("culprits/grid_paths.cpp", level)]).fitted_report()["findings"]
    assert (finding["kind"], finding["function"]) == ("recursion", "ways")
    kept = profile([compile("culprits/grid_paths.cpp", level, "-DREPAIRED")])
    assert kept.routine("ways(int, int)")["calls"] > 4000
    assert kept.fitted_report()["findings"] == []


def test_a_loop_that_is_cut_off_is_judged_by_its_progress(compile, profile, capsys):
    """The one in main has no execution that ended."""
    run = profile([compile("culprits/cut_off.c")])
    assert run.process.returncode == -6
    (finding,) = run.fitted_report()["findings"]
    assert (finding["kind"], finding["function"]) == ("read-again", "append")
    growth = finding["growth"]
    assert (growth["in"], growth["low"]) == ("iterations", 2)
    assert "each of 1,500 iterations" in finding["sentence"]


@pytest.mark.parametrize("program, of_one_size", [("once.c", True), ("pairs.c", False)])
def test_a_report_without_findings_says_that_sizes_are_few(program, of_one_size, profile, tmp_path):
    """Where each routine was called once."""
    source = TESTS / "programs/culprits" / program
    if of_one_size:
        source = tmp_path / program
        loop = "for (int i = 0; i < 100000; i++) sum += i ^ seed;"
        source.write_text(f"int main(int seed) {{ volatile int sum = 0; {loop} }}")
    run = profile([compiled("gcc", "-O2", "-g", "-DREPAIRED", source)])
    said = run.fitted_report()["no_findings"]
    assert ("fewer than 5 input sizes" in said) == of_one_size, said


def test_loops_that_were_running_are_not_judged(compile, profile, capsys):
    """By what they had done they are no findings."""
    run = profile([compile("culprits/cut_off.c", "-O2", "-DREPAIRED")])
    assert report_main([str(run.paths[0])]) == 0
    out = capsys.readouterr().out.splitlines()
    said = (
        "main had not returned when the profile was written: loops that were running are not judged"
    )
    assert said in out and any(line.startswith("no findings: ") for line in out)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_a_walk_for_each_element_of_what_is_walked_is_found_on_one_input(level, compile, profile):
    """A search of a buffer that costs more is none: how often depends on something else."""
    report = profile(
        [compile("culprits/length_in_condition.c", level)], libc_names=True
    ).fitted_report()
    (finding,) = report["findings"]
    assert (finding["kind"], finding["function"]) == ("read-again", "count")
    assert finding["growth"]["low"] is None and "100 times as much" in finding["sentence"]
    assert "strlen" in finding["sentence"] and finding["evidence"]["iterations"] == 6000
    repaired = profile([compile("culprits/length_in_condition.c", level, "-DREPAIRED")])
    assert repaired.fitted_report()["findings"] == []


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_function_that_was_inlined_is_named_by_its_source(compiler, compile, profile):
    """Valgrind's own reader does not know clang's DWARF 5."""
    program = compile("culprits/common_elements.cpp", "-O2", "-gdwarf-5", compiler=compiler)
    first = profile([program]).fitted_report()["findings"][0]
    assert first["function"] == "common" and first["file"].endswith("common_elements.cpp")
    (loop,) = [
        of for of in profile([program]).fitted_report()["loops"] if of["id"] == first["loop"]
    ]
    assert [call["function"] for call in loop["inlined"]][-1] == "main"


def draw_as_told(run, capsys, picture):
    """What the plot of the first finding says on standard error; its command is the finding's last line."""
    assert report_main([str(run.paths[0])]) == 0
    (line,) = [of for of in capsys.readouterr().out.splitlines() if of.startswith("   plot: ")]
    command, *words = shlex.split(line.removeprefix("   plot: "))
    assert command == "aprof-plot"
    assert plot_main([*words, "-o", str(picture)]) == 0
    assert picture.stat().st_size > 1000
    return capsys.readouterr().err


@pytest.mark.parametrize("program", ["bad_pivot.c", "long_line.c", "cleared_table.c"])
def test_the_text_ends_a_finding_with_a_command_that_draws_it(
    program, compile, profile, tmp_path, capsys
):
    run = profile([compile(f"culprits/{program}")])
    draw_as_told(run, capsys, tmp_path / "plot.png")
    path = str(run.paths[0])
    assert plot_main(["--finding", "1", path, "-o", str(tmp_path / "finding.png")]) == 0
    assert (tmp_path / "finding.png").read_bytes() == (tmp_path / "plot.png").read_bytes()
    assert "aprof-plot: " in capsys.readouterr().err
    count = len(run.fitted_report()["findings"])
    assert plot_main(["--finding", str(count + 1), path]) == 1
    assert f"there is no finding {count + 1}: the last is {count}" in capsys.readouterr().err


def test_what_is_drawn_is_the_law_of_the_finding(compile, profile, tmp_path, capsys):
    """It is that of mean costs. The largest of the many calls with one argument follow none."""
    run = profile([compile("../../docs/examples/culprits/routes.cpp", "-O2")])
    assert run.fitted_report()["findings"][0]["growth"]["law"] == "2^n"
    assert "cannot tell" not in draw_as_told(run, capsys, tmp_path / "plot.png")


@pytest.mark.parametrize(
    "program, function, line, compiler",
    [
        ("getter_copies.cpp", "items", 20, "g++"),
        ("getter_copies.cpp", "items", 20, "clang++"),
        ("undo_history.cpp", "edit", 25, "g++"),
    ],
)
def test_what_calls_a_library_is_named_where_it_is_inlined(
    program, function, line, compiler, compile, profile
):
    """At -O1 the loop is all of main's, and what it calls is the library's."""
    report = profile(
        [compile(f"{BENCH}/culprits/{program}", "-O1", compiler=compiler)]
    ).fitted_report()
    first = report["findings"][0]
    assert (first["function"], first["line"], first["last_line"]) == (function, line, line), first
    assert f" runs {function} ({program}:{line})" in first["sentence"]


def test_a_profile_without_loops_says_that_findings_need_them(compile, profile, capsys):
    run = profile([compile("culprits/bad_pivot.c")], "--loops=no")
    assert report_main([str(run.paths[0])]) == 0
    said = "no findings: the profile has no loops, run with --loops=yes"
    assert said in capsys.readouterr().out.splitlines()


def test_a_call_is_that_of_the_loop(compile, profile):
    """Call edges are of whole routines: qsort, which main calls elsewhere, costs ten times as much."""
    report = profile([compile("culprits/called_library.c")], libc_names=True).fitted_report()
    first = report["findings"][0]
    assert (first["function"], report["routines"][first["routine"]]["name"]) == ("main", "main")
    assert "calls __mem" in first["sentence"] and "qsort" not in first["sentence"], first


def test_what_reads_again_is_named_though_something_else_costs_more(compile, profile):
    """The loop's snprintf has most of its cost, and its strcat, which goes through the whole text, reads most."""
    report = profile([compile("culprits/called_library.c")], libc_names=True).fitted_report()
    second = report["findings"][1]
    assert (second["kind"], second["function"], second["line"]) == ("read-again", "add_line", 13)
    assert "calls add_line (called_library.c:13), which calls __strcat" in second["sentence"]


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_an_argument_that_is_copied_by_each_call_of_a_recursion_is_found(level, compile, profile):
    program = f"{BENCH}/culprits/path_by_value.cpp"
    (finding,) = profile([compile(program, level)]).fitted_report()["findings"]
    assert (finding["kind"], finding["function"]) == ("read-again", "weight")
    assert finding["evidence"]["outer_calls"] == 8 and finding["growth"]["low"] is None
    assert "calls itself 900 times for each call from elsewhere" in finding["sentence"]
    assert profile([compile(program, level, "-DREPAIRED")]).fitted_report()["findings"] == []


@pytest.mark.parametrize("program", ["tag_names.cpp", "token_rest.cpp"])
def test_what_falls_only_as_a_table_fills_is_no_queue_that_is_drained(program, compile, profile):
    """An iteration reads the less the more words are known, and the less the shorter the rest is."""
    found = profile([compile(f"{BENCH}/culprits/{program}")]).fitted_report()["findings"]
    assert [of["kind"] for of in found] == ["read-again"]
    growth = found[0]["growth"]
    assert growth["low"] < 1.7 and growth["high"] >= 2 or program == "tag_names.cpp"
    repaired = compile(f"{BENCH}/culprits/{program}", "-O2", "-DREPAIRED")
    assert profile([repaired]).fitted_report()["findings"] == []


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_a_recursion_whose_results_are_read_is_none(level, compile, profile):
    """It reads nothing itself: it lays out a tree in an array."""
    report = profile([compile(f"{BENCH}/healthy/balanced_build.c", level)]).fitted_report()
    (built,) = [of for of in report["routines"] if of["name"] == "lay_out"]
    assert built["calls"] > 1000 and report["findings"] == []


@pytest.mark.parametrize("level", ["-O1", "-O2"])
def test_a_recursion_that_is_expanded_in_itself_is_found(level, compile, profile):
    """It makes fewer calls than main reads cells."""
    (finding,) = profile([compile(f"{BENCH}/culprits/tilings.c", level)]).fitted_report()[
        "findings"
    ]
    assert (finding["kind"], finding["function"]) == ("recursion", "tilings")


@pytest.mark.parametrize("level, way", [("-O0", True), ("-O2", False)])
def test_a_recursion_by_way_of_another_function_is_found(level, way, compile, profile):
    """At -O2 that is inlined."""
    program = f"{BENCH}/culprits/parse_twice.cpp"
    (finding,) = profile([compile(program, level)]).fitted_report()["findings"]
    assert (finding["kind"], finding["function"]) == ("recursion", "Parser::sum")
    assert (", also by way of Parser::atom, 2,173 times" in finding["sentence"]) is way
    assert profile([compile(program, level, "-DREPAIRED")]).fitted_report()["findings"] == []


@pytest.mark.parametrize(
    "program, kind, function",
    [
        ("children_of.cpp", "read-again", "Disk::walk"),  # in a loop that makes the calls
        ("visited_vector.cpp", "read-again", "first_time"),  # inlined; an eighth of the input
        ("package_levels.cpp", "growth", "levels"),  # grows faster than every power
        ("key_comparator.cpp", "growth", "depth"),  # which std::stable_sort calls back
        ("lazy_rates.c", "read-again", "rate_of"),  # what the loop itself has stored, of one size
        ("heap_search.cpp", "read-again", "place_of"),  # in a loop over five neighbours
        ("labels.c", "read-again", "find_label"),  # in copies, none with half of the cost
        ("scope_chain.cpp", "read-again", "get"),  # in a loop that compares names by calls
        ("closure_paths.cpp", "recursion", "ways"),  # by way of std::function
        ("knapsack.cpp", "recursion", "best"),  # most of its cost is that of vectors
    ],
)
def test_what_a_call_does_again_is_found(program, kind, function, compile, profile):
    program = f"{BENCH}/culprits/{program}"
    (finding,) = profile([compile(program)]).fitted_report()["findings"]
    assert (finding["kind"], finding["function"]) == (kind, function), finding
    assert profile([compile(program, "-O2", "-DREPAIRED")]).fitted_report()["findings"] == []


def test_what_is_called_from_several_places_is_named(compile, profile):
    """The search is called from three functions, none of which has half of the cost."""
    program = compile(f"{BENCH}/culprits/labels.c", "-O2", "-fno-inline")
    (finding,) = profile([program]).fitted_report()["findings"]
    assert (finding["kind"], finding["function"]) == ("read-again", "find_label")


@pytest.mark.parametrize("program", ["hanoi.cpp", "move_tree.cpp"])
def test_a_recursion_whose_calls_each_have_a_result_is_none(program, compile, profile):
    """Most of its cost is that of strings and vectors; but what it writes or builds stays."""
    report = profile([compile(f"{BENCH}/healthy/{program}")]).fitted_report()
    (recursion,) = [
        of for of in report["routines"] if of["name"].partition("(")[0] in ("move", "moves")
    ]
    assert recursion["calls"] > 10_000 and report["findings"] == []


@pytest.mark.parametrize(
    "program",
    [
        "read_blocks.c",
        "tree_interpreter.cpp",
        "sort_records.cpp",
        "nested_list.c",
        "fill_records.c",
        "list_with_arguments.c",
    ],
)
def test_what_is_given_again_is_no_fault(program, compile, profile):
    """A buffer that is filled anew, the body of a loop that an interpreter runs, a comparison, what is read
    again at next to no cost, and beside what is filled; a loop that makes the calls of a recursion.
    """
    assert profile([compile(f"{BENCH}/healthy/{program}")]).fitted_report()["findings"] == []
