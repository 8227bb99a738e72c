"""Profiles of cilkshadow are read completely or refused with file and line."""

from __future__ import annotations

import re

import pytest
from builder import SOURCE, with_end
from work_span_builder import Site, WorkSpan, quicksort

from aprofplot.errors import ProfileError
from aprofplot.read.work_span_reader import read_work_span
from aprofplot.work_span.model import LoopSpread, Measure


def worked_example():
    """Of docs/format-cilkshadow.md, with its checksum."""
    text = (SOURCE / "docs" / "format-cilkshadow.md").read_text()
    lines = text[text.index("    cilkshadow-profile 8\n") :].splitlines()
    found = [line[4:] for line in lines if line.startswith("    ")]
    assert found[-1].startswith("end ")
    return with_end("\n".join(found[:-1]) + "\n")


LOOP = "loop 4 2 0 4410 natural 1 5 8 f"
EXECUTIONS = "executions 4 30 2 80 60 2 80 60 2 50 50 1 40 40 1 40 40 1 20 20"
DAG = (
    "dag 0 1\npath 1 0 1\npath 2 1 2\nloop-path 3 2 4\nstrand 1 200 0 0 - 1:100:0,2:50:0,3:50:0 - -"
)


def with_loop(folder, loop=LOOP, executions=EXECUTIONS, dag=DAG):
    *lines, _ = worked_example().splitlines()
    path = folder / "loop"
    path.write_text(with_end("\n".join([*lines, loop, executions, dag]) + "\n"))
    return str(path)


def test_loops_are_read(tmp_path):
    profile = read_work_span(with_loop(tmp_path))
    (site,) = profile.loops
    assert (site.routine.name, site.loop.line, site.loop.last_line) == ("f", 5, 8)
    assert site.iterations == 30
    assert site.on_work.local == Measure(2, 50, 50)
    assert site.on_span.top_site == Measure(1, 40, 40)
    assert site.spread is None
    assert [path.loop for path in profile.dag.paths] == [None, None, None, site.loop]


def test_the_spread_of_a_loop_is_read(tmp_path):
    spread = "loop-spread 4 45 30 75 9 2"
    (site,) = read_work_span(with_loop(tmp_path, dag=f"{spread}\n{DAG}")).loops
    assert site.spread == LoopSpread(45, iterations=30, work=75, largest_iteration=9, parts=2)
    with pytest.raises(ProfileError, match="'loop-spread' with 5 fields where 6 were expected"):
        read_work_span(with_loop(tmp_path, dag=spread[:-2]))


@pytest.mark.parametrize("record", [EXECUTIONS, "loop-spread 4 45 30 75 9 2", "loop-body 4 1 7"])
def test_records_of_an_unknown_loop_are_refused(record, tmp_path):
    of_another = record.replace(" 4 ", " 5 ", 1)
    with pytest.raises(ProfileError, match="there is no loop 5"):
        read_work_span(with_loop(tmp_path, dag=f"{of_another}\n{DAG}"))


INLINED = """\
inlined-call 2 1 20 outer
inlined-call 2 1 21 inner
dag 0 1
path 1 0 1
path 2 1 2
path 3 1 2
strand 1 200 0 0 - 1:100:0,2:50:0,3:50:0 - -"""


def test_paths_lead_through_functions_that_were_inlined(tmp_path):
    profile = read_work_span(with_loop(tmp_path, dag=INLINED))
    names = [path.inlined and path.inlined.name for path in profile.dag.paths]
    assert names == [None, None, "outer", "inner", None, None]
    assert [path.caller for path in profile.dag.paths] == [0, 0, 1, 2, 3, 3]
    assert [part.path for part in profile.dag.strands[0].parts] == [1, 4, 5]
    assert profile.dag.paths[2].inlined.line == 20
    of_system = INLINED.replace(" 1 21 inner", " 2 21 inner")
    text = with_loop(tmp_path, dag="file 2 /usr/include/c++/12/bits/stl_algo.h\n" + of_system)
    assert [path.inlined is not None for path in read_work_span(text).dag.paths].count(True) == 1


def test_an_inlined_call_of_no_site_is_refused(tmp_path):
    with pytest.raises(ProfileError, match="site 4 is used before it is defined"):
        read_work_span(with_loop(tmp_path, dag=INLINED.replace("inlined-call 2", "inlined-call 4")))


def test_places_of_locks_are_read(tmp_path):
    held = "lock 3 90 2 mutex m\nheld-at 1 60 2 1 7 get\nheld-at 1 30 2 0 0 "
    (lock,) = read_work_span(with_loop(tmp_path, dag=held)).locks
    assert [(p.held, p.routine.name, p.function, p.line) for p in lock.places] == [
        (60, "f", "get", 7),
        (30, "f", "", 0),
    ]
    with pytest.raises(ProfileError, match="lock 2 is used before it is defined"):
        read_work_span(with_loop(tmp_path, dag=held.replace("held-at 1 30", "held-at 2 30")))


def test_locks_with_conditions_are_read(tmp_path):
    both = "lock 3 90 2 mutex m\nlock 3 90 2 mutex n\ncondition 2"
    locks = read_work_span(with_loop(tmp_path, dag=both)).locks
    assert [lock.has_condition for lock in locks] == [False, True]
    with pytest.raises(ProfileError, match="lock 3 is used before it is defined"):
        read_work_span(with_loop(tmp_path, dag=both.replace("condition 2", "condition 3")))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"executions": EXECUTIONS + " 0"}, "'executions' with 21 fields where 20 were expected"),
        ({"executions": EXECUTIONS.replace("4", "5", 1), "dag": ""}, "there is no loop 5"),
        ({"dag": DAG.replace("3 2 4", "3 2 5")}, "there is no loop 5"),
        ({"dag": DAG.replace("3 2 4", "3 3 4")}, "path 3 is used before it is defined"),
        ({"dag": DAG.replace("loop-path 3", "loop-path 4")}, "path 4 where 3 was expected"),
    ],
)
def test_loops_that_break_the_format_are_refused(changed, message, tmp_path):
    changed = {of: line for of, line in changed.items() if line}
    with pytest.raises(ProfileError, match=re.escape(message)):
        read_work_span(with_loop(tmp_path, **changed))


def test_the_worked_example(tmp_path):
    path = tmp_path / "p"
    path.write_text(worked_example())
    profile = read_work_span(str(path))
    assert (profile.work, profile.span, profile.burdened_span, profile.spawns) == (
        200,
        130,
        15130,
        1,
    )
    assert profile.options == (("work", "instr"), ("burden", "15000"))
    outermost, f, g = profile.sites
    assert (outermost.caller, outermost.callee.name, outermost.file) == (
        None,
        "main",
        "",
    )
    assert (f.caller.name, f.callee.name, f.file, f.line) == (
        "main",
        "f",
        "/home/me/example.c",
        13,
    )
    assert (f.spawned, f.address) == (1, 4510)
    assert g.on_work.top_site == Measure(1, 70, 70)
    assert g.on_span.local == Measure(0, 0, 0)
    assert outermost.on_span.local == Measure(1, 30, 30)


def test_patterns_are_kept_apart(tmp_path):
    made = quicksort()
    patterns = ["f(int, char)", "g*", "g*"]
    made.options = ("work instr", *(f"toggle-collect {of}" for of in patterns), "burden 1")
    options = read_work_span(str(made.write(tmp_path / "p"))).options
    assert options == (
        ("work", "instr"),
        *(("toggle-collect", of) for of in patterns),
        ("burden", "1"),
    )


def test_every_record(tmp_path):
    made = quicksort()
    made.notes = ["logical-threads 64 a \\\\ sentence"]
    made.locks = ["5 80 3 mutex counter lock", "1 2 0 spinlock 0x1000"]
    profile = read_work_span(str(made.write(tmp_path / "p")))
    (note,) = profile.notes
    assert (note.kind, note.count, note.text) == (
        "logical-threads",
        64,
        "a \\ sentence",
    )
    first, second = profile.locks
    assert (first.acquisitions, first.held, first.routine.name) == (5, 80, "partition")
    assert (first.kind, first.name) == ("mutex", "counter lock")
    assert (second.routine, second.name) == (None, "0x1000")


def test_columns_are_read_by_their_names(tmp_path):
    lines = worked_example().splitlines()[:-1]
    for i, line in enumerate(lines):
        if line.startswith(("columns ", "site ")):
            keyword, *fields = line.split(" ")
            lines[i] = " ".join([keyword, *reversed(fields)])
    (tmp_path / "p").write_text(with_end("\n".join(lines) + "\n"))
    assert read_work_span(str(tmp_path / "p")).sites[2].on_work.local == Measure(1, 70, 70)


def test_numbers_of_64_bits(tmp_path):
    most = 2**64 - 1
    site = Site(0, 1, 0, ((1, most, most),) * 3)
    profile = read_work_span(str(WorkSpan(sites=[site]).write(tmp_path / "p")))
    assert profile.work == profile.sites[0].on_span.local.span == most


@pytest.mark.parametrize(
    "old, new, says",
    [
        (r"^work \d+\n", "", "there is no 'work' record"),
        (r"^span (\d+)\n", r"span \1\nspan \1\n", "a second 'span' record"),
        (r"^spawns \d+", "spawns -1", "spawns is '-1', not a number"),
        (r"^fair-sched no", "fair-sched maybe", "fair-sched is 'maybe'"),
        (r"^columns id caller", "columns id callers", "unknown column 'callers'"),
        (r"^columns .*\n", "", "'site' before 'columns'"),
        (r"^site 2 ", "site 3 ", "site 3 where 2 was expected"),
        (r"^site 2 1 2", "site 2 1 9", "routine 9 is used before it is defined"),
        (r"^site 2 1 2 1", "site 2 1 2 7", "file 7 is used before it is defined"),
        (r"^site 3 (.*) 70\n", r"site 3 \1\n", "'site' with 25 fields where 26 were expected"),
        (r"^site 1 0 1 0 0", "site 1 0 1 0 x", "is 'x', not a number"),
        (
            r"^site 1 0 1 0 0",
            "site 1 0 1 0 18446744073709551616",
            "more than 64 bits hold",
        ),
        (r"^option burden .*\n", "option burden 1\noption burden 2\n", "option 'burden' twice"),
        (r"^option", "option new 1\noption new 2\noption", "option 'new' twice"),
        (r"^syncs", "sinks", "unknown record 'sinks'"),
        (r"^object", "thread 1 0 - x\nobject", "unknown record 'thread'"),
    ],
)
def test_what_is_refused(old, new, says, tmp_path):
    body = worked_example()
    changed, count = re.subn(old, new, body[: body.rindex("end ")], count=1, flags=re.MULTILINE)
    assert count == 1
    (tmp_path / "p").write_text(with_end(changed))
    with pytest.raises(ProfileError, match=re.escape(says)) as error:
        read_work_span(str(tmp_path / "p"))
    assert re.match(r".*/p:\d+: ", str(error.value))
