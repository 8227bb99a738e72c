"""The dag of a cilkshadow profile is read completely, or refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from work_span_builder import Site, WorkSpan

from aprofplot.errors import ProfileError
from aprofplot.read.work_span_reader import read_work_span
from aprofplot.work_span.model import LoopSchedule, Sections, Share

LEAF = ((1, 100, 100),) * 3
DAG = (
    "dag 0 3",
    "path 1 0 1",
    "strand 1 40 0 0 - 0:10:0,1:30:5 -",
    "strand 2 25 1 1 1 1:50:0 -",
    "strand 1 10 0 0 1,2 1:10:0 2:3:7",
)


def written(folder: Path, *dag: str) -> str:
    return str(WorkSpan(sites=[Site(0, 1, 0, LEAF)], dag=dag).write(folder / "profile"))


def test_all_is_read(tmp_path: Path) -> None:
    dag = read_work_span(written(tmp_path, *DAG)).dag
    assert dag is not None and dag.grain == 0
    assert [path.site and path.site.id for path in dag.paths] == [None, 1]
    first, second, third = dag.strands
    assert (first.work, first.overhead, first.span, first.before) == (40, 5, 40, ())
    assert (second.thread, second.acquires, second.releases, second.before) == (2, 1, 1, (0,))
    assert third.before == (0, 1)
    assert [(s.lock, s.count, s.held) for s in third.sections] == [(2, 3, 7)]


def test_overhead_by_kind_and_shares_are_read(tmp_path: Path) -> None:
    """In older versions, kinds are unknown."""
    parts = "0:10,1:20:5,1:70:0:1:2:3:4:5"
    lines = ("dag 0 1", "path 1 0 1", f"strand 1 100 0 0 - {parts} - 3:0:5:10:1:20")
    made = WorkSpan(sites=[Site(0, 1, 0, LEAF)], dag=lines, version=4)
    dag = read_work_span(str(made.write(tmp_path / "profile"))).dag
    assert dag is not None
    assert [part.overheads for part in dag.strands[0].parts] == [(), (5,), (0, 1, 2, 3, 4, 5)]
    assert dag.strands[0].share == Share(3, 0, 5, 10, 1, 20)
    older = read_work_span(written(tmp_path, *DAG)).dag
    assert older is not None
    assert older.strands[0].parts[1].overheads == (0, 0, 0, 0, 0, 0, 5)
    refused = "not a division, a part of it, a path and iterations"
    for old, by, message in (
        (":5 -", ":5:6 -", "not a path, its work and its overhead"),
        (":5:10:1", ":5:4:1", refused),
        (":5:10:1:20", ":5:10:1", refused),
        ("3:0:5:10:1:20", "7", refused),
        ("3:0:5:10:1:20", "1:2", refused),
        (":5:10:1", ":5:10:2", "path 2 is used before it is defined"),
        (" 3:0:5:10:1:20", "", "'strand' with 7 fields where 8 were expected"),
    ):
        damaged = WorkSpan(sites=made.sites, dag=[*lines[:2], lines[2].replace(old, by)], version=4)
        with pytest.raises(ProfileError, match=message):
            read_work_span(str(damaged.write(tmp_path / "profile")))


def test_critical_sections_have_paths(tmp_path: Path) -> None:
    line = "strand 1 100 0 0 - 0:10,1:90 3:2:0:5:1:40,4:1 -"
    made = WorkSpan(sites=[Site(0, 1, 0, LEAF)], dag=("dag 0 1", "path 1 0 1", line), version=5)
    dag = read_work_span(str(made.write(tmp_path / "profile"))).dag
    assert dag is not None
    assert dag.strands[0].sections == (Sections(3, 2, 45, ((0, 5), (1, 40))), Sections(4, 1, 0))
    for by, message in (
        ("3:2:0", "'3:2:0' is not a lock, its sections, and paths with amounts"),
        ("3", "is not a lock"),
        ("3:2:2:5", "path 2 is used before it is defined"),
    ):
        damaged = line.replace("3:2:0:5:1:40", by)
        path = WorkSpan(sites=made.sites, dag=[*made.dag[:2], damaged], version=5)
        with pytest.raises(ProfileError, match=message):
            read_work_span(str(path.write(tmp_path / "profile")))


def test_chunks_are_read(tmp_path: Path) -> None:
    """Only of profiles that can have them."""
    lines = ("dag 0 1", "path 1 0 1", "strand 1 100 0 0 - 0:10,1:90 - 3:0:5:10:1:10:2:4")
    made = WorkSpan(sites=[Site(0, 1, 0, LEAF)], dag=lines, version=6)
    dag = read_work_span(str(made.write(tmp_path / "profile"))).dag
    assert dag is not None
    assert dag.strands[0].share == Share(3, 0, 5, 10, 1, 10, LoopSchedule.GUIDED, 4)
    none_left = (*lines[:2], lines[2].replace(":0:5:10:", ":10:10:10:"))
    path = WorkSpan(sites=made.sites, dag=none_left, version=6).write(tmp_path / "profile")
    dag = read_work_span(str(path)).dag
    assert dag is not None
    assert dag.strands[0].share == Share(3, 10, 10, 10, 1, 10, LoopSchedule.GUIDED, 4)
    refused = "not a division, a part of it, a path and iterations"
    for by, version, message in (
        (":2:4", 5, refused),
        (":2", 6, refused),
        (":4:4", 6, "4:4 is not a schedule and a chunk"),
        (":0:4", 6, "0:4 is not a schedule and a chunk"),
        (":1:0", 6, "1:0 is not a schedule and a chunk"),
    ):
        damaged = [*lines[:2], lines[2].replace(":2:4", by)]
        refused_one = WorkSpan(sites=made.sites, dag=damaged, version=version)
        with pytest.raises(ProfileError, match=message):
            read_work_span(str(refused_one.write(tmp_path / "profile")))
    unknown = [*lines[:2], lines[2].replace(":10:1:10:2:4", ":10:1:0:2:4")]
    path = WorkSpan(sites=made.sites, dag=unknown, version=6).write(tmp_path / "profile")
    with pytest.raises(ProfileError, match="a chunk of a loop without iterations"):
        read_work_span(str(path))
    nothing = [*lines[:2], lines[2].replace(":0:5:10:", ":5:5:10:")]
    path = WorkSpan(sites=made.sites, dag=nothing, version=6).write(tmp_path / "profile")
    with pytest.raises(ProfileError, match=refused):
        read_work_span(str(path))


@pytest.mark.parametrize(
    ("line", "by", "message"),
    [
        (0, "dag 0 4", "3 strands where 'dag' says 4"),
        (0, "dag 0", "'dag' with 1 fields where 2 were expected"),
        (1, "path 2 0 1", "path 2 where 1 was expected"),
        (1, "path 1 1 1", "path 1 is used before it is defined"),
        (1, "path 1 0 2", "site 2 is used before it is defined"),
        (2, "strand 1 40 0 0 - 0:10:0,1:30:5", "'strand' with 6 fields where 7 were expected"),
        (2, "strand 1 40 0 0 - 0:10,1:30:5 -", "'0:10' is not a path, its work and its overhead"),
        (4, "strand 1 10 0 0 1,2 1:10:0 2:3", "'2:3' is not three numbers"),
        (2, "strand 1 41 0 0 - 0:10:0,1:30:5 -", "span is 41, more than its work, 40"),
        (3, "strand 2 25 1 1 2 1:50:0 -", "strand 2 is used before it is defined"),
        (3, "strand 2 25 1 1 0 1:50:0 -", "strand 0 is used before it is defined"),
        (3, "strand 2 25 1 1 1 2:50:0 -", "path 2 is used before it is defined"),
        (3, "strand 2 25 1 1 x 1:50:0 -", "a strand before is 'x', not a number"),
        (4, "strand 1 9 0 0 1,2 1:9:0 -", "the strands have 99 of the work, which is 100"),
        (4, "dag 0 3", "a second 'dag' record"),
    ],
)
def test_what_breaks_the_format_is_refused(
    line: int, by: str, message: str, tmp_path: Path
) -> None:
    damaged = [*DAG[:line], by, *DAG[line + 1 :]]
    with pytest.raises(ProfileError, match=message) as refused:
        read_work_span(written(tmp_path, *damaged))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("record", DAG[1:3])
def test_a_dag_begins_with_its_record(record: str, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="before 'dag'"):
        read_work_span(written(tmp_path, record))


def test_a_truncated_dag_is_refused(tmp_path: Path) -> None:
    path = Path(written(tmp_path, *DAG))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-3]))
    with pytest.raises(ProfileError, match="truncated|incomplete|end"):
        read_work_span(str(path))


def test_folded_chunks_are_read(tmp_path: Path) -> None:
    lines = ("dag 0 1", "path 1 0 1", "strand 1 100 0 0 - 0:10,1:90 - 3:0:5:10:1:10:1:2:3")
    made = WorkSpan(sites=[Site(0, 1, 0, LEAF)], dag=lines, version=7)
    dag = read_work_span(str(made.write(tmp_path / "profile"))).dag
    assert dag is not None and dag.strands[0].share is not None
    assert dag.strands[0].share == Share(3, 0, 5, 10, 1, 10, LoopSchedule.DYNAMIC, 2, 3)
    assert dag.strands[0].share.taken == 2
    for by, version in ((":3", 6), (":3:1", 7), (":5", 7)):
        damaged = [*lines[:2], lines[2].replace("1:2:3", "1:2" + by)]
        path = WorkSpan(sites=made.sites, dag=damaged, version=version).write(tmp_path / "profile")
        with pytest.raises(ProfileError, match="3:0:5:10:1:10:1:2"):
            read_work_span(str(path))
