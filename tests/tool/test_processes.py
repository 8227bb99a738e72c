"""Threads and processes begin and end in every way; nothing is lost or counted twice."""

from __future__ import annotations

import re
import resource

import pytest

from running import Profiled, by_descent, calls, check_totals, names


# How threads end


@pytest.mark.parametrize("how", ["exit", "cancel", "async-cancel"])
def test_threads_that_end_themselves_or_are_cancelled(how, compile, profile):
    run = profile([compile("thread_ends.c"), how, "3"])
    assert run.process.returncode == 0
    check_totals(run)
    # The C library unwinds them: what was pending has ended, the clean-up was called by body.
    for name, times in (("body", 3), ("deep", 30), ("cleanup", 3)):
        routine = run.routine(name)
        assert (routine["calls"], routine["unfinished"], routine["threads"]) == (
            times,
            0,
            3,
        )
    assert run.routine("cleanup")["cost"]["bb"]["inclusive"] > 3 * 30
    assert "by_return" not in names(run)


def test_thread_that_ends_the_process(compile, profile):
    run = profile([compile("thread_ends.c"), "process"])
    assert run.process.returncode == 5
    check_totals(run)
    for name, times in (
        ("deep", 10),
        ("body", 1),
        ("by_end_of_process", 1),
        ("main", 1),
    ):
        routine = run.routine(name)
        assert (routine["calls"], routine["unfinished"]) == (times, times)


def test_thread_that_outlives_main(compile, profile):
    run = profile([compile("thread_ends.c"), "main"])
    assert run.process.returncode == 0
    check_totals(run)
    outlives = run.routine("outlives_main")
    assert (outlives["calls"], outlives["unfinished"]) == (1, 0)
    assert outlives["cost"]["bb"]["inclusive"] > 500
    assert (calls(run, "main"), run.routine("main")["unfinished"]) == (1, 0)


def test_detached_threads(compile, profile):
    run = profile([compile("thread_ends.c"), "detached", "50"])
    assert run.process.returncode == 0
    check_totals(run)
    deep = run.routine("deep")
    assert (deep["calls"], deep["threads"]) == (50 * 10, 50)
    assert calls(run, "by_return") == 50


def test_threads_alive_at_once(compile, profile):
    """As many as Valgrind lets live by default, 499 with main; more with --max-threads."""
    program = compile("thread_ends.c")
    for count, options in (
        (498, ["--sanity=no"]),
        (510, ["--sanity=no", "--max-threads=600"]),
    ):
        run = profile([program, "together", str(count)], *options)
        assert run.process.returncode == 0
        deep = run.routine("deep")
        assert (deep["calls"], deep["unfinished"], deep["threads"]) == (
            count * 10,
            0,
            count,
        )
    too_many = profile([program, "together", "499"], "--sanity=no")
    assert b"Use --max-threads=INT to specify a larger number of threads" in too_many.process.stderr


def test_memory_of_threads_that_ended_is_returned(compile, profile):
    """A thread's table is 16 MiB of address space; there is room for 200 of them."""

    def little_memory():
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

    program = compile("many_threads.c")
    run = profile([program, "400", "8"], "--sanity=no", preexec_fn=little_memory)
    assert run.process.returncode == 0, run.process.stderr.decode()
    body = run.routine("body")
    assert (body["calls"], body["threads"]) == (400, 400)


# Processes. Each writes a profile of its own, named after its process; before an exec the profile
# so far gets `.exec1` appended.


@pytest.fixture
def children(compile, profile):
    """children(how): the first process's profiles, and those of its descendants, parents first."""

    def run(how, *options):
        done = profile([compile("children.c"), how], "--trace-children=yes", *options)
        assert b"profile" not in done.process.stderr, done.process.stderr.decode()
        by_process: dict[int, dict[str, Profiled]] = {}
        for path in done.paths:
            found = re.fullmatch(r"aprof\.\d+\.(\d+)((?:\.exec\d+)?)", path.name)
            assert found is not None, path
            single = Profiled(done.process, [path])
            by_process.setdefault(int(found[1]), {})[found[2]] = single
            assert [found[1]] in single.lines("pid")
            check_totals(single)
        order = by_descent({pid: list(by.values()) for pid, by in by_process.items()})
        return done, [by_process[pid] for pid in order]

    return run


def test_a_childs_number_may_be_less_than_its_parents(tmp_path):
    """Numbers begin anew at some 300."""
    made_by = {32767: 41, 300: 32767, 301: 300, 32766: 32767}
    runs = {}
    for pid, parent in made_by.items():
        path = tmp_path / f"aprof.{pid}"
        path.write_text(f"pid {pid}\noption host vm\noption parent {parent}\n")
        runs[pid] = [Profiled(None, [path])]
    assert by_descent(runs) == [32767, 300, 32766, 301]


def reason(run):
    ((word,),) = run.lines("reason")
    return word


def check_parent(run):
    """What main does around the child is all there, once."""
    assert reason(run) == "exit"
    main = run.routine("main")
    assert (main["calls"], main["unfinished"]) == (1, 0)
    assert "in_child" not in names(run) and "in_new_image" not in names(run)


def check_new_image(run):
    assert reason(run) == "exit"
    assert calls(run, "in_new_image") == calls(run, "main") == 1
    assert "in_parent" not in names(run) and "in_child" not in names(run)


def test_forked_child_starts_from_zero(children):
    done, ((parent_by), (child_by)) = children("fork")
    assert done.process.returncode == 0
    (parent,), (child,) = parent_by.values(), child_by.values()
    check_parent(parent)
    assert calls(parent, "in_parent") == 2 + 2
    for name in ("pending", "fork_child"):
        assert (calls(parent, name), parent.routine(name)["unfinished"]) == (1, 0)
    # What was pending at the fork is the parent's.
    assert reason(child) == "exit"
    assert calls(child, "in_child") == 1
    assert not names(child) & {"main", "pending", "fork_child", "in_parent"}
    assert child.routine("in_child")["cost"]["bb"]["inclusive"] < 30


def test_generations_of_processes(children):
    _, processes = children("generations")
    assert len(processes) == 5
    for n, by in enumerate(processes):
        (run,) = by.values()
        begun = run.routine("generations")
        # The first process calls in_parent before and after, too.
        assert calls(run, "in_parent") == (3 if n == 0 else 1)
        assert (begun["calls"], begun["unfinished"]) == (1, 0)


@pytest.mark.parametrize("how", ["vfork-exec", "posix_spawn"])
def test_new_program_in_a_child_that_shares_memory(how, children):
    done, ((parent_by), (child_by)) = children(how)
    assert (done.process.returncode, done.process.stdout) == (0, b"hello\n")
    (parent,) = parent_by.values()
    check_parent(parent)
    assert calls(parent, "in_parent") == 2
    # Between fork and exec the child calls nothing of the program's.
    assert set(child_by) == {".exec1", ""}
    assert reason(child_by[".exec1"]) == "exec"
    assert not names(child_by[".exec1"]) & {"main", "in_parent", "in_new_image"}
    check_new_image(child_by[""])


def test_child_of_vfork_that_ends_at_once(children):
    _, ((parent_by), (child_by)) = children("vfork-exit")
    (parent,), (child,) = parent_by.values(), child_by.values()
    check_parent(parent)
    assert (
        calls(parent, "vfork_exit"),
        parent.routine("vfork_exit")["unfinished"],
    ) == (1, 0)
    assert "main" not in names(child)


def test_nothing_is_lost_at_exec(children):
    _, ((parent_by), (child_by)) = children("fork-exec")
    (parent,) = parent_by.values()
    check_parent(parent)
    assert set(child_by) == {".exec1", ""}
    assert reason(child_by[".exec1"]) == "exec"
    assert calls(child_by[".exec1"], "in_child") == 1
    check_new_image(child_by[""])
    # The same without a fork: all in one process, and with the pending ones.
    done, (only,) = children("exec")
    assert done.process.returncode == 6
    before = only[".exec1"]
    assert calls(before, "in_parent") == 1
    for name in ("main", "exec_self"):
        assert (calls(before, name), before.routine(name)["unfinished"]) == (1, 1)
    check_new_image(only[""])


def test_exec_that_fails_changes_nothing(children):
    _, (only,) = children("exec-fails")
    assert set(only) == {""}
    check_parent(only[""])
    assert calls(only[""], "in_parent") == 3
    assert calls(only[""], "exec_fails") == 1


@pytest.mark.parametrize("how", ["system", "popen"])
def test_shell_and_what_it_starts(how, children):
    done, processes = children(how)
    assert done.process.returncode == 0
    (parent,) = processes[0].values()
    check_parent(parent)
    # The shell may start the program as its child, or become it.
    last = processes[-1]
    check_new_image(last[""])
    assert all(reason(run) == "exec" for by in processes for key, run in by.items() if key)
    if how == "popen":
        # The line that the child wrote: 6 bytes, two cells at most; and the stream's own.
        read = parent.routine("read_lines")
        assert (read["calls"], read["unfinished"]) == (1, 0)
        assert read["induced"]["external"] >= 2


def test_fork_from_a_thread_and_from_a_handler(compile, profile):
    run = profile([compile("fork_in_thread.c")])
    assert (run.process.returncode, run.process.stdout) == (0, b"done\n")
    assert len(run.paths) == 3
    by_pid = {int(path.name.split(".")[-1]): Profiled(run.process, [path]) for path in run.paths}
    order = by_descent({pid: [single] for pid, single in by_pid.items()})
    parent, *children = (by_pid[pid] for pid in order)
    for each in (parent, *children):
        check_totals(each)
    forks = parent.routine("fork_child")
    assert (forks["calls"], forks["unfinished"], forks["threads"]) == (2, 0, 2)
    assert "in_child" not in names(parent)
    for child in children:
        # Once by the thread that forked, once by a thread that the child made; both read cells
        # that the parent wrote: input from elsewhere.
        in_child = child.routine("in_child")
        assert (in_child["calls"], in_child["unfinished"], in_child["threads"]) == (
            2,
            0,
            2,
        )
        assert [point["size"] for point in in_child["points"]["trms"]] == [20]
        # The other threads are gone, and what they were at is the parent's.
        assert not names(child) & {"waits", "main", "fork_child", "handler"}
