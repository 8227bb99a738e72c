"""Input sizes and costs of programs whose source tells what they must be."""

from __future__ import annotations

import pytest

from running import sizes


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
    assert (sizes(run.routine("f_of_1a"), "rms"), sizes(run.routine("f_of_1a"), "trms")) == (
        [1],
        [2],
    )
    assert (sizes(run.routine("f_of_1b"), "rms"), sizes(run.routine("f_of_1b"), "trms")) == (
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
    in_turn = profile([program, "2000", "20"])
    body = in_turn.routine("body")
    assert body["threads"] == body["calls"] == 2000
    assert [p["size"] for p in body["points"]["rms"]] == list(range(20))
    assert all(p["calls"] == 100 for p in body["points"]["rms"])


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
    assert list(profile([program], "--input-metric=rms").routine("consume")["points"]) == ["rms"]
    only = profile([program], "--input-metric=trms").routine("consume")
    assert sizes(only, "trms") == list(range(10, 101, 10))


@pytest.mark.parametrize(
    "program, names",
    [
        ("scan.c", None),
        ("control_flow.c", None),
        # How threads take turns is not the same in every run, but for what they wait for.
        ("producer_consumer.c", ["consume", "produce"]),
    ],
)
def test_renumbering_changes_nothing(program, names, compile, profile):
    path = compile(program)
    measured = []
    for limit in ("0", "10", "300"):
        run = profile([path], f"--counter-limit={limit}")
        assert (int(run.lines("renumberings")[0][0]) > 0) == (limit != "0")
        routines = run.report()["routines"]
        measured.append([r for r in routines if names is None or r["name"] in names])
    assert measured[0] == measured[1] == measured[2]


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
    assert (together["calls"], together["induced"]) == (apart["calls"], apart["induced"])
    assert together["points"] == apart["points"]
    assert together["threads"] == 1


def test_toggle_collect_records_a_routine_and_what_it_calls(compile, profile):
    run = profile([compile("scan.c")], "--toggle-collect=fill_and_*")
    names = {routine["name"] for routine in run.report()["routines"]}
    assert names == {"fill_and_sum", "fill", "sum"}
    assert sizes(run.routine("sum"), "rms") == [700]


def test_repeated_runs_are_identical(compile, profile):
    program = compile("scan.c")
    first, second = profile([program]), profile([program])
    tables = [
        [line for line in run.paths[0].read_text().splitlines() if line[0].isdigit()]
        for run in (first, second)
    ]
    assert tables[0] == tables[1]
