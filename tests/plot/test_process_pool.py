"""Work that is divided among processes has the results of one."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from itertools import islice

import pytest

from aprofplot.forks import in_order

COUNT = 1000


@pytest.fixture(autouse=True, params=[1, 2, 3])
def processors(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(request.param)))
    return int(request.param)


def some(number: int) -> Iterator[str]:
    """From none to many results of each."""
    return (f"{number}.{i}" for i in range(number % 7 * (50 if number == 500 else 1)))


@pytest.mark.parametrize("count", [0, 1, 33, COUNT])
def test_results_are_in_order(count: int) -> None:
    assert list(in_order(some, count)) == [result for i in range(count) for result in some(i)]


def test_there_are_as_many_processes_as_processors(processors: int) -> None:
    found = set(in_order(lambda _: [os.getpid()], COUNT))
    assert len(found) == processors
    assert (os.getpid() in found) == (processors == 1)


def test_errors_are_those_of_the_process() -> None:
    def fail(number: int) -> list[int]:
        return [number if 1 / (700 - number) else 0]

    results = in_order(fail, COUNT)
    assert list(islice(results, 600)) == list(range(600))
    with pytest.raises(ZeroDivisionError):
        list(results)
    assert not multiprocessing.active_children()


def test_a_process_that_is_killed_is_an_error(processors: int) -> None:
    here = os.getpid()

    def die(number: int) -> list[int]:
        if number == 900 and os.getpid() != here:
            os.kill(os.getpid(), 9)
        return [number]

    if processors == 1:
        assert list(in_order(die, COUNT)) == list(range(COUNT))
    else:
        with pytest.raises(EOFError):
            list(in_order(die, COUNT))


def test_who_reads_no_further_leaves_no_process() -> None:
    results = in_order(lambda number: ["x" * 100_000], COUNT)
    assert len(list(islice(results, 3))) == 3
    results.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()
