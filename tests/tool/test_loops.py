"""Loops of compiled programs (--loops=yes): executions and iterations as the programs count them."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
from compiling import compiled
from random_loops import RandomLoops
from running import TESTS
from shadowing import numbers, shadow

from aprofplot.read.work_span_reader import read_work_span
from aprofplot.work_span.model import PATHS, WorkSpanProfile

OPTIONS = ["--loops=yes"]


def counted_by(run):
    """What the program printed: executions and iterations, by line."""
    rows = [map(int, line.split()) for line in run.process.stdout.decode().splitlines()]
    return {line: (executions, iterations) for line, executions, iterations in rows}


def loops_of(run, source):
    """The report's loops of a source file."""
    report = run.report()
    return [loop for loop in report["loops"] if loop["file"].endswith(source)], report


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_unoptimised_loops_are_those_of_the_source(compile, profile, compiler):
    run = profile([compile("nested_loops.c", "-O0", compiler=compiler)], *OPTIONS)
    loops, _ = loops_of(run, "nested_loops.c")
    found = {loop["line"]: (loop["executions"], loop["iterations"]) for loop in loops}
    expected = counted_by(run)
    assert len(expected) == 10
    assert {line: found.get(line) for line in expected} == expected


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("level", ["-O1", "-O2", "-O3"])
def test_nearly_all_loops_survive_optimisation(compile, profile, compiler, level):
    """What is counted keeps compilers from removing loops, but not from peeling and unrolling them."""
    run = profile([compile("nested_loops.c", level, compiler=compiler)], *OPTIONS)
    loops, _ = loops_of(run, "nested_loops.c")
    expected = counted_by(run)
    iterations = {}
    for loop in loops:
        for line in range(loop["line"], loop["last_line"] + 1):
            iterations.setdefault(line, set()).add(loop["iterations"])
    same = [line for line, (_, rounds) in expected.items() if rounds in iterations.get(line, ())]
    assert len(same) >= 0.6 * len(expected), (expected, iterations)


@pytest.mark.parametrize(
    "compiler, options",
    [
        *(("gcc", [level]) for level in ("-O1", "-O2", "-O3")),
        ("clang", ["-O2", "-fno-vectorize", "-fno-unroll-loops"]),
    ],
)
def test_a_loop_is_at_its_first_line(compiler, options, compile, profile):
    """Whichever instruction is first in it."""
    source = TESTS / "programs/loop_lines.c"
    run = profile([compile(source.name, *options, compiler=compiler)], *OPTIONS)
    expected = {
        number
        for number, line in enumerate(source.read_text().splitlines(), 1)
        if re.match(r" *(for|while) \(", line)
    }
    assert {loop["line"] for loop in loops_of(run, source.name)[0]} == expected


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("level, least", [("-O0", 1.0), ("-O2", 0.95)])
def test_random_loops(level, least, compiler, profile, tmp_path):
    """Of those that are left. What differs at -O2 was rotated: the first test of a `for (;;)` has
    become its condition."""
    source = tmp_path / "random_loops.c"
    source.write_text(RandomLoops(seed=7, functions=12).source)
    run = profile([compiled(compiler, "-g", "-w", level, source)], *OPTIONS)
    loops, _ = loops_of(run, source.name)
    found = {}
    for loop in loops:
        for line in (loop["line"], loop["line"] - 1):  # of the body's first statement
            found.setdefault(line, []).append((loop["executions"], loop["iterations"]))
    expected = counted_by(run)
    left = [line for line in expected if line in found]
    sums = {line: tuple(map(sum, zip(*found[line]))) for line in left}
    same = [line for line in left if expected[line] in (sums[line], *found[line])]
    assert len(expected) > 100 and len(left) > 0.8 * len(expected)
    assert level != "-O0" or left == list(expected)
    assert len(same) >= least * len(left), [(line, expected[line], sums[line]) for line in left]


def test_a_loop_stands_below_the_one_around_it(compile, profile):
    run = profile([compile("products.c", "-O2")], *OPTIONS)
    lines = [(loop["iterations"], loop["line"]) for loop in loops_of(run, "products.c")[0]]
    assert (12, 12) in lines and (12**3, 15) in lines, lines
    (middle,) = {line for iterations, line in lines if iterations == 12**2} - {7, 8, 19}
    assert middle in (13, 15)


@pytest.mark.parametrize("arguments, iterations", [([], 500), (["again"], 1500)])
def test_a_constant_from_above_leaves_a_loop_its_function(compile, profile, arguments, iterations):
    run = profile([compile("drawn.c", "-O2"), *arguments], *OPTIONS)
    found = {loop["iterations"]: loop for loop in loops_of(run, "drawn.c")[0]}
    assert (found[iterations]["function"], found[iterations]["line"]) == ("draw", 17)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("level", ["-O0", "-O1"])
def test_a_loop_is_where_most_of_its_code_is(compile, profile, compiler, level):
    """Lines of another file are neither its last nor that of its end."""
    run = profile([compile("lines_elsewhere.c", level, compiler=compiler)], *OPTIONS)
    loops, report = loops_of(run, "lines_elsewhere.c")
    assert not [loop for loop in report["loops"] if loop["file"].endswith("elsewhere.h")]
    places = {loop["function"]: (loop["line"], loop["last_line"]) for loop in loops}
    assert set(places) == {"body_elsewhere", "end_elsewhere"}
    for function, first, last in (("body_elsewhere", 10, 17), ("end_elsewhere", 23, 28)):
        assert first <= places[function][0] <= places[function][1] <= last, places


def test_routines_are_the_same_with_and_without(compile, profile):
    program = compile("nested_loops.c")
    with_loops = profile([program], *OPTIONS).report()["routines"]
    without = profile([program], "--loops=no").report()["routines"]
    for routine in with_loops:
        routine.pop("read_again")
    key = lambda routine: (routine["object"], routine["name"], routine["address"])
    assert sorted(with_loops, key=key) == sorted(without, key=key)


def test_costs_of_outermost_loops_are_in_their_routines(compile, profile):
    report = profile([compile("nested_loops.c")], *OPTIONS).report()
    own = [routine["cost"]["bb"]["self"] for routine in report["routines"]]
    for loop in report["loops"]:
        inner = [of for of in report["loops"] if of["parent"] == loop["id"]]
        assert sum(of["cost"]["bb"]["self"] for of in inner) <= loop["cost"]["bb"]["self"]
    for number, cost in enumerate(own):
        outermost = [
            loop["cost"]["bb"]["self"]
            for loop in report["loops"]
            if loop["routine"] == number and loop["parent"] is None
        ]
        assert sum(outermost) <= cost


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_recursion_through_a_loop_counts_once(level, compile, profile):
    run = profile([compile("nested_loops.c", level), "recursion"], *OPTIONS)
    loops, report = loops_of(run, "nested_loops.c")
    recursive = [loop for loop in loops if loop["function"] == "recursive"]
    for loop in recursive:
        costs = report["routines"][loop["routine"]]["cost"]["bb"]
        assert loop["cost"]["bb"]["inclusive"] < costs["inclusive"]
    outermost = max(recursive, key=lambda loop: loop["executions"])
    assert outermost["executions"] > 100
    # It calls itself nowhere else, so that but for a few blocks all cost is in the loop.
    assert outermost["cost"]["bb"]["inclusive"] > 0.95 * costs["inclusive"]
    assert all(finding["share"] <= 1 for finding in run.fitted_report()["findings"])


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_loops_that_longjmp_and_exceptions_leave(level, compiler, compile, profile):
    """Those of the function that goes on continue, if it goes on in them."""
    run = profile([compile("leaving_loops.cpp", level, compiler=compiler)], *OPTIONS)
    loops, _ = loops_of(run, "leaving_loops.cpp")
    found = {loop["line"]: (loop["executions"], loop["iterations"]) for loop in loops}
    expected = counted_by(run)
    assert len(expected) == 15
    assert {line: found.get(line) for line in expected} == expected
    # A thread that ends without unwinding has ended in its loop.
    (unfinished,) = [loop for loop in loops if loop["unfinished"]]
    assert unfinished["function"].endswith("ends_in_loop(void*)")


@pytest.mark.parametrize("options", [[], ["--trace-file=TRACE"]], ids=["", "traced"])
def test_a_loop_in_code_that_becomes_a_routine_of_its_own(options, compile, profile, tmp_path):
    """Without symbols, when it is called. Blocks that were translated before count for it, too."""
    program = compile("jump_before_call.c", "-O2", "-s")
    options = [option.replace("TRACE", str(tmp_path / "trace")) for option in options]
    report = profile([program], *OPTIONS, *options).report()
    found = [
        (loop["executions"], loop["iterations"])
        for loop in report["loops"]
        if report["routines"][loop["routine"]]["object"] == str(program)
    ]
    assert sorted(found) == [(1, 500), (2, 320)]


@pytest.mark.parametrize("flags", [[], ["-DJUMPS"]], ids=["falls", "jumps"])
def test_code_of_a_loop_that_another_routine_executes_outside_of_it(flags, compile, profile):
    """The loop is that of `second` alone, whose entry is known when `first` is searched."""
    program = compile("shared_tail.c", "-O1", "-s", *flags)
    report = profile([program], *OPTIONS).report()
    found = [
        (loop["executions"], loop["iterations"])
        for loop in report["loops"]
        if report["routines"][loop["routine"]]["object"] == str(program)
    ]
    assert found == [(2, 18)]


def test_a_header_within_a_block_that_has_been_translated(compile, profile):
    """A round has 9 instructions, the first of an execution 7; in the first execution of all, that one was
    executed before the loop was known."""
    run = profile([compile("late_header.c")], *OPTIONS, "--cost=instr")
    (loop,) = [of for of in run.report()["loops"] if of["function"] == "rounds"]
    assert (loop["executions"], loop["iterations"]) == (10, 50)
    assert loop["cost"]["instr"]["self"] == 10 * (7 + 4 * 9) - 7


def counted_by_header(run):
    """What the program printed: executions and iterations, by the address of the header."""
    rows = [line.split() for line in run.process.stdout.decode().splitlines()]
    return {int(header, 16): (int(ex), int(it)) for header, ex, it in rows}


def test_code_that_is_written_again_has_its_own_loops(compile, profile, tmp_path):
    """Also if a part only has changed; in both tools."""
    program = compile("rewritten_loops.c", "-O1")
    run = profile([program], *OPTIONS)
    report = run.report()
    written = [
        loop for loop in report["loops"] if report["routines"][loop["routine"]]["object"] == "???"
    ]
    found = {loop["address"]: (loop["executions"], loop["iterations"]) for loop in written}
    assert len(found) == 6
    assert found == counted_by_header(run)
    assert not any(loop["irreducible"] for loop in written)

    loops = shadowed([program], tmp_path / "profile").loops
    own = [of for of in loops if of.loop.routine.object == "???"]
    assert sorted((of.executions, of.iterations) for of in own) == sorted(found.values())


def test_a_library_where_another_was_has_its_own_loops(compile, profile):
    """The code of the first two is the same."""
    cells = {"one": 10, "two": 10, "three": 30}
    flags = ["-O1", "-fPIC", "-shared"]
    libraries = {
        name: compile("reload_library.c", *flags, f"-DNAME={name}", f"-DCELLS={number}")
        for name, number in cells.items()
    }
    arguments = [word for name, library in libraries.items() for word in (library, name)]
    run = profile([compile("reload.c"), *arguments], *OPTIONS)
    assert run.process.stdout == b"0\n"
    loops, report = loops_of(run, "reload_library.c")
    found = {report["routines"][loop["routine"]]["object"]: loop["iterations"] for loop in loops}
    assert found == {str(libraries[name]): 2 * number for name, number in cells.items()}
    assert {loop["executions"] for loop in loops} == {2}


@pytest.mark.parametrize("exits", [False, True])
def test_a_loop_has_numbers_of_its_own_in_each_context(exits, compile, profile):
    """Also where the run ends in it."""
    program = [compile("loop_in_contexts.c", "-O0"), *(["exit"] if exits else [])]
    report = profile(program, *OPTIONS, "--contexts=yes").report()
    name = lambda context: report["routines"][context["routine"]]["name"]
    contexts, found = report["contexts"], {}
    for of in report["context_loops"]:
        context, loop = contexts[of["context"]], report["loops"][of["loop"]]
        assert context["routine"] == loop["routine"]
        if loop["function"] == "scan":
            found[name(contexts[context["parent"]])] = of
    counts = {of: (found[of]["executions"], found[of]["iterations"]) for of in found}
    few, many = (4, 14), (6, 550) if exits else (5, 500)
    assert counts == {"few": few, "many": many}
    assert (found["few"]["unfinished"], found["many"]["unfinished"]) == (0, int(exits))
    sizes = [point["size"] for point in found["few"]["points"]["iterations"]]
    assert sizes == [3, 4]
    assert found["many"]["cost"]["bb"]["inclusive"] > 20 * found["few"]["cost"]["bb"]["inclusive"]


def test_a_loop_has_input_sizes_and_progress(compile, profile):
    """The k-th iteration scans k elements."""
    run = profile([compile("quadratic.c")], *OPTIONS)
    loops, report = loops_of(run, "quadratic.c")
    (scan,) = [loop for loop in loops if loop["function"] == "contains"]
    (insert,) = [loop for loop in loops if loop["id"] == scan["parent"]]
    assert (insert["executions"], insert["iterations"]) == (1, 1000)
    assert insert["function"] == "main" and scan["inlined"][-1]["function"] == "main"
    assert insert["read_again"] is None  # it has stored itself what it reads
    last = [of for of in insert["progress"] if of["first"] == 512][0]
    assert last["iterations"] == 1000 - 511
    # The mean of 511..999 elements of an iteration, each a cell.
    assert last["rms"] / last["iterations"] == pytest.approx((511 + 999) / 2, rel=0.02)
    sizes = scan["points"]["iterations"]
    assert all(point["cost"]["bb"]["sum"] >= point["size"] for point in sizes)
    (finding,) = run.fitted_report()["findings"]
    assert (finding["kind"], finding["function"]) == ("read-again", "contains")
    assert finding["file"].endswith("quadratic.c") and finding["rank"] == 1
    assert finding["line"] == scan["line"]


def test_a_repaired_program_has_no_finding(compile, profile):
    report = profile([compile("quadratic.c", "-DREPAIRED")], *OPTIONS).fitted_report()
    assert report["findings"] == []


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
def test_a_recursion_of_many_branches_is_found(level, compile, profile):
    """Not one of a single branch, nor one through a tree."""
    run = profile([compile("branching_calls.c", level)], *OPTIONS)
    (finding,) = [of for of in run.fitted_report()["findings"] if of["kind"] == "recursion"]
    assert finding["function"] == "ways" and finding["loop"] is None
    assert finding["evidence"]["largest_input"] <= 2


def test_a_recursion_that_remembers_is_no_finding(compile, profile):
    report = profile([compile("branching_calls.c", "-O1", "-DREPAIRED")], *OPTIONS).fitted_report()
    assert [of for of in report["findings"] if of["kind"] == "recursion"] == []


def test_a_recursion_that_never_returns_is_no_finding(compile, profile):
    """The run ends within it: it has calls, and no sizes."""
    report = profile([compile("branching_calls.c", "-O1"), "exit"], *OPTIONS).fitted_report()
    (deep,) = [of for of in report["routines"] if of["name"] == "deep"]
    assert deep["calls"] == deep["unfinished"] == 20000
    assert report["findings"] == []


def test_growth_beside_a_constant_part_is_found(compile, profile):
    """Each of a loop's n iterations reads a constant part, and n cells of a table."""
    run = profile([compile("prepared_scans.c")], *OPTIONS)
    (finding,) = run.fitted_report()["findings"]
    assert finding["evidence"]["iteration_grows"] == "with the loop's size"
    assert finding["growth"]["in"] == "iterations" and finding["growth"]["low"] > 1.5
    repaired = profile([compile("prepared_scans.c", "-DREPAIRED")], *OPTIONS)
    assert repaired.fitted_report()["findings"] == []


def test_without_loops_there_are_no_findings_of_them(compile, profile):
    report = profile([compile("quadratic.c")], "--loops=no").fitted_report()
    assert "loops" not in report and report["findings"] == [] and report["no_findings"]


def shadowed(command, profile, *options):
    """The profile that cilkshadow leaves there, with its loops."""
    shadow(command, profile, "--loops=yes", *options)
    return read_work_span(str(profile))


@pytest.mark.parametrize(
    ("source", "level"), [("nested_loops.c", "-O0"), ("leaving_loops.cpp", "-O2")]
)
def test_cilkshadow_counts_what_aprof_trms_does(source, level, compile, profile, tmp_path):
    """But for an iteration that its thread's end cuts off, which has begun."""
    compiler = "g++" if source.endswith("cpp") else "gcc"
    program = compile(source, level, compiler=compiler)
    run = profile([program], *OPTIONS)
    loops, report = loops_of(run, source)
    cut_off = {loop["id"] for loop in loops if loop["unfinished"]}
    expected = {
        (report["routines"][loop["routine"]]["name"], loop["line"], loop["function"]): (
            loop["executions"],
            loop["iterations"] + (loop["id"] in cut_off),
        )
        for loop in loops
    }
    found = {
        (of.routine.name, of.loop.line, of.loop.function): (of.on_work.local.count, of.iterations)
        for of in shadowed([program], tmp_path / "profile").loops
        if of.loop.file.endswith(source)
    }
    assert len(expected) >= 10
    assert found == expected


def test_cilkshadow_finds_loops_of_code_that_becomes_a_routine(compile, tmp_path):
    """Without symbols, by a call, after it was executed as a part of who jumped there."""
    program = compile("jump_before_call.c", "-O2", "-s")
    loops = shadowed([program], tmp_path / "profile").loops
    own = [of for of in loops if of.loop.routine.object == str(program)]
    assert sorted((of.executions, of.iterations) for of in own) == [(1, 500), (2, 320)]


def test_cilkshadow_counts_what_aprof_trms_does_without_symbols(profile, tmp_path):
    """Code behind a call that does not return runs into the next routine, whose loops these still are."""
    source = tmp_path / "random_loops.c"
    source.write_text(RandomLoops(seed=5, functions=12).source)
    program = compiled("gcc", "-w", "-O2", "-s", source)
    report = profile([program], *OPTIONS).report()
    expected = {
        (report["routines"][loop["routine"]]["address"], loop["address"]): (
            loop["executions"],
            loop["iterations"],
        )
        for loop in report["loops"]
        if report["routines"][loop["routine"]]["object"] == str(program)
    }
    found = {
        (of.routine.address, of.loop.address): (of.executions, of.iterations)
        for of in shadowed([program], tmp_path / "profile").loops
        if of.routine.object == str(program)
    }
    assert len(expected) > 100
    assert found == expected


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_iterations_of_parallel_loops_have_a_mean_and_a_largest(level, cilk_program, tmp_path):
    """What a cilk_for's iterations executed is a constant, and a call whose work is known."""
    program = cilk_program("unequal_iterations.c", level)
    profile = shadowed([program], tmp_path / "profile")
    (of,) = [loop for loop in profile.loops if loop.spread.iterations]
    (calls,) = [site for site in profile.sites if site.callee.name == "work"]
    (inner,) = [loop for loop in profile.loops if loop.routine.name == "work"]
    assert of.routine.name == "main" and of.spread.iterations == inner.executions == 16
    itself, last = divmod(of.spread.work - calls.on_work.top_site.work, 16)
    around, rest = divmod(calls.on_work.top_site.work - inner.on_work.top_site.work, 16)
    assert rest == 0 and last == (6 if level == "-O0" else 0)  # the last ends elsewhere
    assert of.spread.largest_iteration == inner.spread.largest + around + itself
    # 10,000 of 11,614 rounds.
    assert inner.spread.largest == pytest.approx(
        inner.on_work.top_site.work * 10000 / 11614, rel=0.01
    )
    assert of.spread.work <= of.on_work.top_site.work
    shadowed([program], tmp_path / "one by one", "--batch-events=no")
    again = read_work_span(str(tmp_path / "one by one"))
    assert [loop.spread for loop in again.loops] == [loop.spread for loop in profile.loops]


def test_chunks_of_openmp_have_a_mean_and_a_largest(cilk_program, tmp_path):
    """Of two iterations each. The largest has 10,000 and 107 rounds."""
    program = cilk_program("unequal_iterations.c", "-fopenmp")
    profile = shadowed([program], tmp_path / "profile")
    (of,) = [loop for loop in profile.loops if loop.spread.iterations]
    (inner,) = [loop for loop in profile.loops if loop.routine.name == "work"]
    assert of.spread.iterations == 8
    each = inner.on_work.top_site.work / 11614
    assert of.spread.largest_iteration == pytest.approx(10107 * each, rel=0.02)
    assert of.spread.work == pytest.approx(11614 * each, rel=0.05)


def own(profile: WorkSpanProfile, path):
    """Local work or span of each routine, and what of it is in loops."""
    routines, in_loops = defaultdict(int), defaultdict(int)
    which = "work" if path == "on_work" else "span"
    for site in profile.sites:
        routines[site.callee] += getattr(site.measure(path, "local"), which)
    for loop in profile.loops:
        in_loops[loop.routine] += getattr(getattr(loop, path).local, which)
    return routines, in_loops


@pytest.mark.parametrize(
    ("source", "arguments"),
    [("quicksort.c", "5000"), ("alike_loops.c", "20"), ("pbfs.cpp", "8"), ("mergesort.c", "3000")],
)
def test_loops_are_parts_of_routines(source, arguments, cilk_program, tmp_path: Path):
    """And change nothing of call sites, whether events are processed in batches or one by one."""
    program = [cilk_program(source), *arguments.split()]
    with_loops = shadowed(program, tmp_path / "profile")
    assert any(loop.loop.file.endswith(source) for loop in with_loops.loops)
    spreads = [loop.spread for loop in with_loops.loops]
    for path in PATHS:
        routines, in_loops = own(with_loops, path)
        assert all(0 <= own_ <= routines[routine] for routine, own_ in in_loops.items())
    _, sites = numbers(tmp_path / "profile")
    shadow(program, tmp_path / "without", "--loops=no")
    _, without = numbers(tmp_path / "without")
    assert {of: sites[of] for of in sites if of[0] != "loop"} == without
    one_by_one = shadowed(program, tmp_path / "one by one", "--batch-events=no")
    assert numbers(tmp_path / "one by one")[1] == sites
    assert [loop.spread for loop in one_by_one.loops] == spreads


def test_a_loop_that_is_found_while_it_runs(tmp_path: Path):
    """In Debian's diff: what ends such a loop may be the first that is seen of the loop around it."""
    numbers_ = tmp_path / "numbers"
    numbers_.write_text("".join(f"{i}\n" for i in range(200)))
    shadow(["/usr/bin/diff", numbers_, "/dev/null"], tmp_path / "profile", "--loops=yes", status=1)
    assert read_work_span(str(tmp_path / "profile")).loops
