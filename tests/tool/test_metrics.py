"""Input sizes and costs of programs for which the source determines them."""

from __future__ import annotations

import re

import pytest

from running import TESTS, sizes


def test_scan_of_n_ints_has_rms_n(compile, profile):
    run = profile([compile("scan.c")])
    of_sum = run.routine("sum")
    for metric in ("rms", "trms"):
        # fill_and_sum reads 700 cells that main's fill had not yet made: a size of its own.
        assert sizes(of_sum, metric) == list(range(100, 1001, 100))
    assert of_sum["induced"] == {"thread": 0, "external": 0}
    # One block per element, and a constant.
    costs = [p["cost"]["bb"]["max"] - p["size"] for p in of_sum["points"]["rms"]]
    assert len(set(costs)) == 1


def test_what_a_routine_wrote_is_not_its_input(compile, profile):
    assert sizes(profile([compile("scan.c")]).routine("fill_and_sum"), "trms") == [0]


# What is told of at once in the one run is told access by access in the other.
@pytest.mark.parametrize("trace", [[], ["--trace-file=trace"]], ids=["", "traced"])
def test_accesses_told_together(compile, profile, tmp_path, trace):
    run = profile([compile("neighbours.c", "-pthread")], *trace, cwd=tmp_path)
    expected = {
        "up": 8,
        "down": 6,
        "inside_out": 10,
        "many": 24,
        "of_all_sizes": 10,
        "overlapping": 4,
        "unaligned": 5,
        "across_chunks": 6,
        "moved_pointer": 4,
        "by_another": 4,
        "elsewhere": 6,
        "after_stores": 2,
        "before_store": 2,
        "between_stores": 2,
        "store_by_another": 2,
        "left_between": 2,
        "saved": 0,
        "below_stack": 2,
        "modified_twice": 2,
        "modified_between_cells": 5,
        "modified_across_chunks": 3,
        "modified_in_part": 3,
        "modified_after_others": 3,
        "told_after": 6,
        "stored_before": 0,
        "take": 64,
        "copied": 25,
        "copied_by_2": 5,
        "copied_by_4": 10,
        "copied_by_8": 20,
        "copied_down": 29,
        "copied_across_chunks": 12500,
        "copied_nothing": 2,
        "spread": 1,
        "copied_beside": 2,
        "shifted": 11,
        "shifted_far": 2000,
        "filled": 2,
        "filled_in_a_loop": 3,
        "copied_on_faults": 2000,
    }
    for metric in ("rms", "trms"):
        assert {name: sizes(run.routine(name), metric) for name in expected} == {
            name: [size] for name, size in expected.items()
        }
    # What another thread loads and stores in one instruction, it has written.
    assert sizes(run.routine("modified"), "rms") == [9]
    assert run.routine("take")["induced"]["thread"] == 9


def costs(run, routine, event):
    """Of the one activation of each size."""
    points = run.routine(routine)["points"]["rms"]
    return {p["size"]: p["cost"][event]["max"] for p in points}


# Also with a trace, for which the accesses of each iteration are reported by themselves.
@pytest.mark.parametrize("trace", [[], ["--trace-file=trace"]], ids=["", "traced"])
def test_string_instructions_cost_a_block_for_each_128_bytes(compile, profile, tmp_path, trace):
    run = profile([compile("string_costs.c")], "--cost=both", *trace, cwd=tmp_path)
    for routine, width in [("bytes", 1), ("words", 2), ("longs", 4), ("quads", 8)]:
        blocks = costs(run, f"copy_{routine}", "bb")
        assert len(blocks) == 16
        assert blocks == {n: blocks[0] + n * 4 // 128 for n in blocks}
        instructions = costs(run, f"copy_{routine}", "instr")
        constant = instructions[2] - 8 // width  # without any, one instruction is not executed
        assert instructions == {n: constant + n * 4 // width for n in blocks} | {0: instructions[0]}
    [cleared] = run.routine("clear")["points"]["rms"]
    assert cleared["size"] == 0
    assert cleared["cost"]["bb"]["max"] - cleared["cost"]["bb"]["min"] == 65536 // 128


def test_cost_of_a_copy_does_not_jump_where_the_library_changes_instructions(compile, profile):
    run = profile([compile("string_costs.c")], "--cost=both")
    cells = {n: cost / n for n, cost in costs(run, "copy", "bb").items() if n > 1500}
    assert len(cells) == 5
    assert max(cells.values()) < 1.2 * min(cells.values())


def test_return_addresses_are_no_input(compile, profile):
    for flags in (["-O2"], ["-O0", "-fno-omit-frame-pointer"]):
        nothing = profile([compile("scan.c", *flags)]).routine("touch_nothing")
        assert sizes(nothing, "rms") == sizes(nothing, "trms") == [0]


def test_fresh_anonymous_memory_is_not_external_and_forgets(compile, profile):
    fresh = profile([compile("scan.c")]).routine("sum_fresh")
    assert fresh["induced"] == {"thread": 0, "external": 0}
    assert sizes(fresh, "rms") == sizes(fresh, "trms") == [5000, 6000]


def test_mapped_data_file_is_external(compile, profile):
    mapped = profile([compile("scan.c")]).routine("sum_mapped")
    assert mapped["induced"] == {"thread": 0, "external": 2000}


def test_producer_consumer_figure_2(compile, profile):
    run = profile([compile("producer_consumer.c")])
    consumer = run.routine("consume")
    assert sizes(consumer, "trms") == list(range(10, 101, 10))
    assert sizes(consumer, "rms") == [1]
    assert consumer["induced"] == {"thread": 550, "external": 0}
    producer = run.routine("produce")
    assert sizes(producer, "trms") == [0]
    assert ["2", "1"] == run.lines("thread")[1][:2]
    assert run.lines("thread")[1][3] == "producer"


def test_external_read_figure_3(compile, profile):
    reader = profile([compile("file_reader.c")]).routine("external_read")
    assert sizes(reader, "trms") == list(range(50, 1001, 50))
    assert sizes(reader, "rms") == [1]
    assert reader["induced"] == {"thread": 0, "external": 10500}


def test_figures_1a_and_1b(compile, profile):
    run = profile([compile("paper_figure_1.c")])
    assert (
        sizes(run.routine("f_of_1a"), "rms"),
        sizes(run.routine("f_of_1a"), "trms"),
    ) == (
        [1],
        [2],
    )
    assert (
        sizes(run.routine("f_of_1b"), "rms"),
        sizes(run.routine("f_of_1b"), "trms"),
    ) == (
        [1],
        [2],
    )
    h = run.routine("h_of_1b")
    assert (sizes(h, "rms"), sizes(h, "trms")) == ([1], [1])
    assert h["induced"] == {"thread": 1, "external": 0}


def test_openmp_threads_read_what_the_main_thread_wrote(compile, profile):
    run = profile([compile("openmp.c", "-fopenmp")])
    share = run.routine("sum_share")
    assert (share["calls"], share["threads"]) == (4, 4)
    assert sizes(share, "trms") == [1000]
    assert share["induced"] == {"thread": 3000, "external": 0}


def test_many_threads_at_once_and_one_after_another(compile, profile):
    program = compile("many_threads.c")
    at_once = profile([program, "450", "450"])
    assert at_once.routine("body")["threads"] == at_once.routine("body")["calls"] == 450
    in_turn = profile([program, "10000", "20"])
    body = in_turn.routine("body")
    assert body["threads"] == body["calls"] == 10000
    assert [p["size"] for p in body["points"]["rms"]] == list(range(20))
    assert all(p["calls"] == 500 for p in body["points"]["rms"])


def test_every_cell_size(compile, profile):
    program = compile("scan.c")
    for cell_bytes in (1, 2, 4, 8, 16):
        run = profile([program], f"--memory-resolution={cell_bytes}")
        expected = [-(-4 * n // cell_bytes) for n in range(100, 1001, 100)]
        assert sizes(run.routine("sum"), "rms") == expected


def test_instructions_beside_basic_blocks(compile, profile):
    program = compile("scan.c")
    both = profile([program], "--cost=both").routine("sum")
    blocks = profile([program]).routine("sum")
    instructions = profile([program], "--cost=instr").routine("sum")
    assert both["cost"] == {**blocks["cost"], **instructions["cost"]}
    assert both["cost"]["instr"]["self"] > both["cost"]["bb"]["self"]


def test_one_metric_alone(compile, profile):
    program = compile("producer_consumer.c")
    only = profile([program], "--input-metric=rms", "--arguments=no").routine("consume")
    assert list(only["points"]) == ["rms"]
    only = profile([program], "--input-metric=trms").routine("consume")
    assert sizes(only, "trms") == list(range(10, 101, 10))


def test_scenario_of_section_3(compile, profile, tmp_path):
    """By its RMS the routine seems to cost twice what it does: half the points, the same costs."""
    data = tmp_path / "data"
    data.write_bytes(b"1234")
    r = profile([compile("paper_section_3.c"), data]).routine("r")
    assert sizes(r, "trms") == list(range(1, 101))
    assert sizes(r, "rms") == list(range(1, 51))
    assert r["induced"] == {"thread": 0, "external": sum(i // 2 for i in range(1, 101))}
    by_trms = {p["size"]: p["cost"]["bb"]["max"] for p in r["points"]["trms"]}
    assert all(p["calls"] == 2 for p in r["points"]["rms"])
    worst = {p["size"]: p["cost"]["bb"]["max"] for p in r["points"]["rms"]}
    assert worst == {i: by_trms[2 * i] for i in worst}
    steps = {by_trms[i + 2] - by_trms[i] for i in range(2, 99, 2)}
    assert len(steps) == 1  # linear


def point_tables(run):
    """The lines of each process's numbers of routines: a deterministic program's are the same in each
    run. (A loop of ld.so's has not the same size in each.)"""
    return sorted(
        [line for line in routines.splitlines() if re.match(r"\d|table |points ", line)]
        for routines in (path.read_text().partition("\nloops ")[0] for path in run.paths)
    )


SQL = "with recursive r(x) as (select 1 union all select x + 1 from r where x < 300) select sum(x) from r"


whole_programs = pytest.mark.parametrize(
    "command",
    [
        ["control_flow.c"],
        ["deep_recursion.c", "100000"],
        ["xz", "-T1", "-0c", TESTS / "programs" / "syscalls.c"],
        ["sqlite3", ":memory:", SQL],
    ],
    ids=lambda command: command[0],
)
routines_of_threads = pytest.mark.parametrize(
    "source, names",
    [
        # How threads take turns is not the same in every run, but for what they wait for.
        ("producer_consumer.c", ["consume", "produce"]),
        ("token_ring.c", ["add_part"]),
    ],
)


@whole_programs
def test_renumbering_changes_nothing(command, compile, profile):
    if command[0].endswith(".c"):
        command = [compile(command[0], "-O1"), *command[1:]]
    measured = []
    for limit in ("0", "1000"):
        run = profile(command, f"--counter-limit={limit}")
        assert (int(run.lines("renumberings")[0][0]) > 0) == (limit != "0")
        measured.append(point_tables(run))
    assert measured[0] == measured[1]


@routines_of_threads
def test_renumbering_changes_nothing_between_threads(source, names, compile, profile):
    program = compile(source)
    measured = []
    for limit in ("0", "10", "1000"):
        run = profile([program], f"--counter-limit={limit}")
        assert (int(run.lines("renumberings")[0][0]) > 0) == (limit != "0")
        measured.append([run.routine(name) for name in names])
    assert measured[0] == measured[1] == measured[2]


@whole_programs
def test_packing_changes_nothing(command, compile, profile):
    if command[0].endswith(".c"):
        command = [compile(command[0], "-O1"), *command[1:]]
    measured = [point_tables(profile(command, f"--pack-every={n}")) for n in ("0", "8")]
    assert measured[0] == measured[1]


@routines_of_threads
def test_packing_changes_nothing_between_threads(source, names, compile, profile):
    program = compile(source)
    measured = []
    for options in ([], ["--pack-every=1"], ["--pack-every=2", "--counter-limit=1000"]):
        run = profile([program], *options)
        measured.append([run.routine(name) for name in names])
    assert measured[0] == measured[1] == measured[2]


def test_sixteen_threads_in_turn(compile, profile):
    """All but the first turn of all get everything from another thread."""
    add_part = profile([compile("token_ring.c")]).routine("add_part")
    turns = [len(range(0, 300, me % 7 + 1)) * 2 for me in range(16)]  # cells of 4 bytes, of longs
    assert (add_part["threads"], add_part["calls"]) == (16, 80)
    points = {p["size"]: p["calls"] for p in add_part["points"]["trms"]}
    assert points == {size: 5 * turns.count(size) for size in turns}


def test_points_are_merged_beyond_the_limit(compile, profile):
    run = profile([compile("many_sizes.c")], "--max-points=100")
    full = profile([compile("many_sizes.c")])
    merged_sum, full_sum = run.routine("sum"), full.routine("sum")
    assert len(full_sum["points"]["rms"]) == 2000
    assert 30 < len(merged_sum["points"]["rms"]) <= 100
    for key in ("calls", "cost"):
        assert merged_sum[key] == full_sum[key]
    assert sum(p["calls"] for p in merged_sum["points"]["rms"]) == 2000
    precisions = {int(fields[2]) for fields in run.lines("points") if int(fields[1]) > 30}
    assert precisions and 0 not in precisions


def test_threads_can_be_one(compile, profile):
    program = compile("openmp.c", "-fopenmp")
    run = profile([program], "--separate-threads=no")
    assert len(run.lines("thread")) == 1
    together = run.routine("sum_share")
    apart = profile([program]).routine("sum_share")
    assert (together["calls"], together["induced"]) == (
        apart["calls"],
        apart["induced"],
    )
    assert together["points"] == apart["points"]
    assert together["threads"] == 1


def test_toggle_collect_records_a_routine_and_what_it_calls(compile, profile):
    run = profile([compile("scan.c")], "--toggle-collect=fill_and_*")
    names = {routine["name"] for routine in run.report()["routines"]}
    assert names == {"fill_and_sum", "fill", "sum"}
    assert sizes(run.routine("sum"), "rms") == [700]


def test_a_region_of_interest_lies_between_calls_of_two_routines(compile, profile):
    # fill(1000); sum(100)... sum(1000); fill_and_sum(700); touch_nothing(); sum_fresh(5000)...
    after = profile([compile("scan.c")], "--collect-from=fill_and_*")
    names = {routine["name"] for routine in after.report()["routines"]}
    assert {"fill", "sum", "sum_fresh"} <= names and "fill_and_sum" not in names
    assert sizes(after.routine("sum"), "rms") == [700]
    between = profile(
        [compile("scan.c")],
        "--collect-from=fill",
        "--collect-until=touch_*",
        "--toggle-collect=s*",
    )
    assert {routine["name"] for routine in between.report()["routines"]} == {"sum"}
    assert sizes(between.routine("sum"), "rms") == [100 * n for n in range(1, 11)]
    options = [line[0] for line in between.lines("option")]
    assert options[-2:] == ["collect-from", "collect-until"]


@pytest.mark.parametrize("command", [["scan.c"], ["sqlite3", ":memory:", SQL]], ids=lambda c: c[0])
def test_repeated_runs_are_identical(command, compile, profile):
    if command[0].endswith(".c"):
        command = [compile(command[0])]
    first, second = profile(command), profile(command)
    assert point_tables(first) == point_tables(second)
