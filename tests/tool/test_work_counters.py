"""Threads that take what they do next from a counter of the program's own, or a list under a lock: any of them could have
taken it."""

from __future__ import annotations

import heapq
from pathlib import Path

import pytest
from compiling import compiled
from running import TESTS
from shadowing import shadow

from aprofplot.processors.charges import costs_of
from aprofplot.read.work_span_reader import read_work_span
from aprofplot.work_span.model import Dag, Share


def recorded(
    folder: Path,
    how: str,
    items: int,
    *options: str,
    rounds: int = 1,
    language: str = "c",
    level: str = "-O2",
) -> Dag:
    flags = ("-x", language, level, "-g", "-pthread")
    program = compiled("g++", *flags, TESTS / "programs" / "self_scheduling.c")
    shadow(
        [program, how, str(items), str(rounds)], folder / "profile", "--fair-sched=try", *options
    )
    dag = read_work_span(str(folder / "profile")).dag
    assert dag is not None
    return dag


def shares_of(dag: Dag) -> list[Share]:
    return [strand.share for strand in dag.strands if strand.share is not None]


def best(processors: int) -> float:
    """The speedup of 40 items, taken in order, of which the first costs as much as ten others."""
    free = [0] * processors
    for cost in [10] + [1] * 39:
        heapq.heapreplace(free, free[0] + cost)
    return 49 / max(free)


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("how", ["up", "down", "list"])
def test_items_are_shared_evenly(how: str, level: str, language: str, tmp_path: Path) -> None:
    """Whatever one thread took while it ran alone."""
    dag = recorded(tmp_path, how, 40, language=language, level=level)
    chunks = [(share.begin, share.end) for share in shares_of(dag) if share.iterations == 40]
    assert [chunk for chunk in chunks if chunk != (40, 40)] == [(n, n + 1) for n in range(40)]
    for processors in (2, 3, 4, 7, 8):
        assert costs_of(dag, processors).speedup == pytest.approx(best(processors), rel=0.05)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_items_of_a_queue_are_shared_evenly(level: str, tmp_path: Path) -> None:
    """Whichever thread was woken for them, or found them."""
    dag = recorded(tmp_path, "queue", 40, level=level)
    assert len([share for share in shares_of(dag) if share.iterations == 40]) >= 40
    for processors in (2, 3, 4, 8):
        assert costs_of(dag, processors).speedup == pytest.approx(best(processors), rel=0.05)


def test_items_of_a_queue_are_taken_after_they_were_put_there(tmp_path: Path) -> None:
    """Main has 40 parts of 89, and no item begins before the first of them."""
    dag = recorded(tmp_path, "slow", 40)
    for processors in (4, 8):
        assert costs_of(dag, processors).speedup == pytest.approx(89 / 41, rel=0.05)


def test_a_stage_has_as_many_threads_as_in_the_run(tmp_path: Path) -> None:
    """Two of five take what a third one puts into a queue: that is no work for more, with five processors."""
    source = TESTS.parent / "bench" / "programs" / "bottlenecks" / "stage_jthread.cpp"
    program = compiled("g++", "-std=c++20", "-O2", "-g", "-pthread", "-DFIXED", source)
    shadow([program], tmp_path / "profile", "--fair-sched=try")
    dag = read_work_span(str(tmp_path / "profile")).dag
    assert dag is not None
    taken = sum(strand.length for strand in dag.strands if strand.thread in (4, 5))
    assert costs_of(dag, 5).time >= taken / 2


@pytest.mark.parametrize("language", ["c", "c++"])
def test_folded_items_are_shared_evenly(language: str, tmp_path: Path) -> None:
    """A std::atomic is changed 2,000 times: threads could wait for each of these. A processor that
    takes what comes next is late by one folded share at most."""
    dag = recorded(tmp_path, "up", 2000, "--dag-strands=200", language=language)
    assert 0 < len(shares_of(dag)) < len(dag.strands) <= 200
    work = sum(strand.work for strand in dag.strands)
    longest = max(strand.work for strand in dag.strands)
    assert longest < work / 40
    for processors in (2, 3, 4, 8):
        at_least = work / (work / processors + longest)
        assert at_least <= costs_of(dag, processors).speedup <= processors


@pytest.mark.parametrize("how", ["names", "done", "log"])
def test_items_that_cost_as_much_stay_with_their_threads(how: str, tmp_path: Path) -> None:
    dag = recorded(tmp_path, how, 40, rounds=2)
    assert not shares_of(dag)
    assert costs_of(dag, 8).speedup == pytest.approx(4, rel=0.03)


@pytest.mark.parametrize("how", ["names", "done", "log"])
def test_items_of_a_threads_own_stay_its_own(how: str, tmp_path: Path) -> None:
    """The last thread has four of ten parts of the work, and the last numbers."""
    dag = recorded(tmp_path, how, 40)
    assert not shares_of(dag)
    assert costs_of(dag, 4).speedup == pytest.approx(2.5, rel=0.02)


def test_what_waits_for_others_in_between_stays(tmp_path: Path) -> None:
    """The last values are of all threads, which meet at a barrier."""
    assert not shares_of(recorded(tmp_path, "phases", 40))
