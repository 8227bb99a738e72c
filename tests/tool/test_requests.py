"""Requests of programs and users to a running tool: client requests, monitor commands, dumps."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time

import pytest

from running import (
    VG_IN_PLACE,
    Profiled,
    check_calls,
    check_totals,
    contexts,
    edges,
    run,
    sizes,
)


def named(profiled, suffix):
    """The profile among them whose name ends so."""
    (path,) = [path for path in profiled.paths if re.search(suffix + "$", path.name)]
    return Profiled(profiled.process, [path])


def reason(profiled):
    return " ".join(profiled.lines("reason")[0])


def calls(profiled, name):
    found = [r for r in profiled.report()["routines"] if r["name"] == name]
    return sum(r["calls"] for r in found)


def test_client_requests(compile, include, profile):
    run = profile([compile("requests.c", include)], "--contexts=yes")
    assert run.process.returncode == 0, run.process.stderr.decode()
    check_calls(run)
    first, second, third = (named(run, f"dump{n}") for n in (1, 2, 3))
    last = named(run, r"aprof\.\d+\.\d+")
    assert len(run.paths) == 4

    assert reason(first) == "dump"
    assert sizes(first.routine("sum"), "rms") == [100, 200]
    assert first.routine("main")["unfinished"] == 1

    # A dump takes nothing away, and what is pending goes on.
    assert reason(second) == "dump within outer"
    assert sizes(second.routine("sum"), "rms") == [100, 200, 1000]
    assert second.routine("outer")["unfinished"] == second.routine("outer")["calls"] == 1

    # An activation is recorded whole or not at all.
    assert reason(third) == "dump a name\\nof two lines"
    assert sizes(third.routine("sum"), "rms") == [100, 200, 1000, 1001]
    assert third.routine("sum")["calls"] == 6
    assert (third.routine("outer")["calls"], third.routine("outer")["unfinished"]) == (
        2,
        0,
    )
    assert calls(third, "stop") == 2 and calls(third, "toggle") == 0

    # From zero; and without instrumentation nothing is seen.
    assert reason(last) == "exit"
    assert sizes(last.routine("sum"), "rms") == [500, 700, 1000, 1001]
    assert last.routine("sum")["calls"] == 5
    assert (last.routine("outer")["calls"], last.routine("outer")["unfinished"]) == (
        1,
        1,
    )
    assert last.routine("sum")["induced"] == {"thread": 0, "external": 0}
    assert calls(last, "main") == 0

    # Who is pending and not recorded called nobody, and begins no context.
    for run in (first, second, third, last):
        assert calls(run, "main") or not any("main" in path for path in contexts(run))
        known = {r["name"] for r in run.report()["routines"]} | {""}
        assert {name for edge in edges(run) for name in edge} <= known
    assert edges(first)["main", "sum"].calls == 2
    assert edges(last)["", "outer"].calls == edges(last)["", "outer"].unfinished == 1
    assert ("main", "sum") not in edges(last) and edges(last)["", "sum"].calls > 0
    assert ("sum",) in contexts(last)


def test_collection_may_begin_later(compile, include, profile):
    first = named(profile([compile("requests.c", include)], "--collect-at-start=no"), "dump1")
    assert sizes(first.routine("sum"), "rms") == [200]
    assert calls(first, "main") == 0


def test_instrumentation_may_begin_later(compile, include, profile):
    run = profile([compile("requests.c", include)], "--instr-at-start=no")
    assert {r["name"] for r in named(run, "dump3").report()["routines"]} == set()
    assert sizes(named(run, r"aprof\.\d+\.\d+").routine("sum"), "rms") == [700, 1001]


def test_requests_do_nothing_natively_and_under_other_tools(compile, include):
    program = compile("requests.c", include)
    assert run([program]).stdout == b"0\n"
    other = run(["valgrind", "-q", "--tool=none", program])
    assert (other.stdout, other.stderr) == (b"0\n", b"")
    none = compile("requests.c", include, "-DNVALGRIND")
    code = run(["objdump", "-d", "--disassemble=stop", none]).stdout.decode()
    assert "rol" not in code and "ret" in code


# Monitor commands


# Valgrind names its pipes by the user. It takes the name from where redis soon writes its title, and
# would look for them under another one.
NAMELESS = {k: v for k, v in os.environ.items() if k not in ("LOGNAME", "USER")}


class Server:
    """redis under the tool, and those who talk to it."""

    def __init__(self, folder):
        self.socket = str(folder / "socket")  # a port that is free may be taken a moment later
        self.prefix = f"--vgdb-prefix={folder}/vgdb"
        self.profile = folder / "profile"
        command = [
            VG_IN_PLACE,
            "--tool=aprof-trms",
            "-q",
            "--sanity=yes",
            "--fair-sched=try",
        ]
        command += [self.prefix, f"--aprof-out-file={self.profile}", "redis-server"]
        command += [
            "--port",
            "0",
            "--unixsocket",
            self.socket,
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            str(folder),
        ]
        self.output = folder / "output"
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, env=NAMELESS
            )
        deadline = time.monotonic() + 120
        while self.ask("ping") != "PONG":
            assert self.process.poll() is None and time.monotonic() < deadline
            time.sleep(0.1)

    def ask(self, *words):
        return run(["redis-cli", "-s", self.socket, *words]).stdout.decode().strip()

    def load(self, requests):
        command = [
            "redis-benchmark",
            "-s",
            self.socket,
            "-q",
            "-n",
            str(requests),
            "-c",
            "8",
        ]
        result = run([*command, "-t", "set,get,lpush,lrange_100"])
        assert result.returncode == 0, result.stderr.decode()

    def monitor(self, *words):
        command = ["vgdb", self.prefix, f"--pid={self.process.pid}", *words]
        result = run(command, env=NAMELESS)
        assert result.returncode == 0, result.stderr.decode() + self.output.read_text()
        return result.stdout.decode()

    def at(self, suffix):
        return Profiled(run(["true"]), [self.profile.with_name("profile" + suffix)])


@pytest.fixture
def server(tmp_path):
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server not installed")
    running = Server(tmp_path)
    yield running
    running.process.kill()
    running.process.wait()


def test_dumps_of_a_server_under_load(server):
    assert server.ask("set", "answer", "42") == "OK"
    server.load(100)
    assert "instrumentation on, collection on" in server.monitor("status")
    assert "dump1" in server.monitor("dump", "after", "the", "first", "load")
    first = server.at(".dump1")
    assert reason(first) == "dump after the first load"
    commands = first.routine("processCommand")["calls"]
    assert commands >= 400

    server.load(100)
    server.monitor("dump")
    assert server.at(".dump2").routine("processCommand")["calls"] >= commands + 400

    # What an interval costs: zero, then dump.
    server.monitor("zero")
    assert server.ask("get", "answer") == "42"
    server.monitor("dump")
    few = server.at(".dump3").routine("processCommand")["calls"]
    assert 1 <= few < 20

    assert "off" in server.monitor("instrumentation", "off") + server.monitor("instrumentation")
    server.load(100)
    assert "instrumentation off" in server.monitor("status")
    server.monitor("instrumentation", "on")
    assert server.ask("get", "answer") == "42"
    assert server.ask("llen", "mylist") == str(6 * 100)

    assert "dump" in server.monitor("help") and "expected" in server.monitor(
        "instrumentation", "of"
    )
    server.ask("shutdown", "nosave")
    assert server.process.wait(timeout=120) == 0
    last = server.at("")
    assert reason(last) == "exit"
    assert few <= last.routine("processCommand")["calls"] < few + 20
    for suffix in ("", ".dump1", ".dump2", ".dump3"):
        check_totals(server.at(suffix))
