"""Findings on routines that call themselves, also by way of others."""

from __future__ import annotations

import pytest
from builder import write_records

from aprofplot.findings.cycles import cycles
from aprofplot.findings.ranking import find_all
from aprofplot.model import CallEdge, Routine
from aprofplot.read.profile_reader import read_merged

HEADER = """\
aprof-trms-profile 6
creator aprof-trms 0.1.0
valgrind 3.19.0
command ./app
pid 7
reason exit
option loops yes
fair-sched no
renumberings 0
uncounted bb 0
event bb guest basic blocks
metric rms cells of 4 bytes
columns size calls thread external children bb.min bb.max bb.sum bb.sumsq bb.self.min bb.self.max bb.self.sum bb.self.sumsq
object 1 /home/me/app
file 1 /home/me/app.c
"""


def point(size, calls, inclusive, own, most=None):
    """All calls have one size and one self cost; their dearest costs `most`."""
    most = inclusive if most is None else most
    squares = inclusive * most
    each = own // calls
    return f"{size} {calls} 0 0 0 1 {most} {inclusive} {squares} {each} {each} {own} {own * each}\n"


def findings(tmp_path, own, calls, loops="loops 0\n", size=2):
    """Of the program that main begins. `own`: the self cost of a call of each routine; `calls`: number, inclusive
    cost, and of it that of outermost calls, by caller and callee."""
    ids = {name: number for number, name in enumerate(own, 1)}
    records, tables = "", ""
    whole = sum(outermost for (caller, _), (_, _, outermost) in calls.items() if caller == "main")
    for name, number in ids.items():
        records += f"routine {number} 1 1 {10 * number} {4096 * number} {name}\n"
        callers = [(ids[by], *of) for (by, callee), of in calls.items() if callee == name]
        if name == "main":
            callers = [(0, 1, whole + own["main"], whole + own["main"])]
        number_of = sum(number_of for _, number_of, _, _ in callers)
        inclusive = sum(outermost for *_, outermost in callers)
        every, self_cost = sum(cost for _, _, cost, _ in callers), own[name] * number_of
        tables += f"table 1 {number} {number_of} 0 0 0 {inclusive} {self_cost}\npoints rms 1 0\n"
        tables += point(size, number_of, every, self_cost, inclusive)
        tables += f"callers {len(callers)}\n"
        tables += "".join(
            f"{by} {n} 0 {cost} {outermost}\n" for by, n, cost, outermost in sorted(callers)
        )
    of_loops = [line for line in loops.splitlines(keepends=True) if line.startswith("loop ")]
    rest = loops.removeprefix("".join(of_loops))
    text = HEADER + records + "".join(of_loops) + "thread 1 0 - main\n" + tables + rest
    return find_all(read_merged(write_records(tmp_path, text)), "bb")


LOOP = "loop 1 2 0 8200 natural 1 22 25 build\n"


@pytest.mark.parametrize("caller", ["build", "other", ""])
def test_a_loop_of_a_recursion_is_not_unexplained(tmp_path, caller):
    """Its iterations cost the less the deeper they are, which is no fault."""
    loops = LOOP + "loops 1\nloop-table 1 1 5000 0 20000 0 0 390000 20000\n"
    for metric, size in (("rms", 2), ("iterations", 4)):
        loops += f"points {metric} 1 0\n{point(size, 5000, 3_000_000, 20_000, 390_000)}"
    loops += "progress 0\n"
    own = {"main": 10, "build": 10, "other": 10}
    number = 4999 if caller else 1
    calls = {
        ("main", "build"): (5000 - number if caller else 5000, 400_000, 400_000),
        ("main", "other"): (1, 1000, 1000),
    }
    if caller == "build":
        calls["build", "build"] = (number, 3_000_000, 0)
    elif caller:
        calls["build", "other"] = (number, 3_000_000, 390_000)
        calls["other", "build"] = (number, 3_000_000, 0)
    kinds = [of.kind for of in findings(tmp_path, own, calls, loops, 5000)]
    assert ("unexplained" in kinds) is (not caller)


def test_cycles_of_calls():
    """Those that call each other are one; what they call, and what calls them, is not in it."""
    routines = {name: Routine(name, "/app", "/app.c", 1, 64) for name in "abcdefg"}

    def found(*pairs):
        edges = [CallEdge(routines[a], routines[b], (), 1, {}, 0, {}) for a, b in pairs]
        return {key.name: "".join(sorted(of.name for of in keys)) for key, keys in cycles(edges).items()}  # fmt: skip

    assert found("ab", "bc", "cd") == {}
    assert found("ab", "bc", "cb", "cd", "dd", "ag") == {"b": "bc", "c": "bc", "d": "d"}
    assert found("ab", "bc", "ca", "cd", "de", "ed", "fa") == {
        **dict.fromkeys("abc", "abc"),
        **dict.fromkeys("de", "de"),
    }
