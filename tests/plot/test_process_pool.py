"""Work that is divided among processes has the results of one."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest

from aprofplot import process_pool
from aprofplot.commands.loading import load_profiles
from aprofplot.errors import AprofError
from aprofplot.process_pool import in_order
from aprofplot.reports.html.data import page_data
from aprofplot.reports.html.page import write_page
from aprofplot.reports.html.thread_rows import ThreadRows

COUNT = 1000
# Writes the number of each process when it begins to work, until it is killed.
ENDLESS = """
import os, time
os.sched_getaffinity = lambda _: {0, 1}
from aprofplot.process_pool import in_order
def make(number):
    os.write(1, f"{os.getpid()}\\n".encode())
    time.sleep(600)
list(in_order(make, 1000))
"""


@pytest.fixture(autouse=True, params=[1, 2, 3])
def processors(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(request.param)))
    return int(request.param)


@pytest.mark.parametrize("count", [0, 1, 33, COUNT])
def test_results_are_in_order(count: int) -> None:
    assert list(in_order(str, count)) == list(map(str, range(count)))


def test_there_are_as_many_processes_as_processors(processors: int) -> None:
    found = set(in_order(lambda _: os.getpid(), COUNT))
    assert len(found) == processors
    assert (os.getpid() in found) == (processors == 1)


def test_without_further_processes_this_one_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    fork = os.fork

    def fork_once() -> int:
        monkeypatch.setattr(os, "fork", refuse)
        return fork()

    def refuse() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", fork_once)
    assert list(in_order(str, COUNT)) == list(map(str, range(COUNT)))
    assert not multiprocessing.active_children()


def test_an_error_tells_where_it_was(processors: int) -> None:
    results = in_order(lambda number: 1 / (700 - number), COUNT)
    assert len(list(islice(results, 600))) == 600
    kind, told = (
        (ZeroDivisionError, "") if processors == 1 else (RuntimeError, "test_process_pool.py")
    )
    with pytest.raises(kind, match=told):
        list(results)
    assert not multiprocessing.active_children()


def test_a_process_that_is_killed_is_an_error(processors: int) -> None:
    here = os.getpid()

    def die(number: int) -> int:
        if number == 900 and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    if processors == 1:
        assert list(in_order(die, COUNT)) == list(range(COUNT))
    else:
        with pytest.raises(AprofError, match="was killed; is there enough memory?"):
            list(in_order(die, COUNT))


def test_who_reads_no_further_leaves_no_process() -> None:
    results = in_order(lambda number: "x" * 100_000, COUNT)
    assert len(list(islice(results, 3))) == 3
    results.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("processors", [2], indirect=True)
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_who_is_killed_leaves_no_process(how: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        begun = [int(parent.stdout.readline()) for _ in range(2)]
        parent.send_signal(how)
    assert parent.pid not in begun
    until = time.monotonic() + 60
    while any(map(is_there, begun)):
        assert time.monotonic() < until
        time.sleep(0.05)


def is_there(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_page_is_the_same(sample: Path, monkeypatch: pytest.MonkeyPatch, processors: int) -> None:
    def page() -> str:
        rows, out = ThreadRows(), io.StringIO()
        profile = load_profiles([str(sample)], per_thread=False, each=rows.add)
        write_page(out, page_data(profile, rows, []))
        return out.getvalue()

    alone = page()
    monkeypatch.setattr(process_pool, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(process_pool, "_IN_A_BLOCK", 1)
    assert page() == alone
