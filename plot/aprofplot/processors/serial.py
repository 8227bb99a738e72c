"""Code that runs alone: serial phases, tasks of which each waits for the one before, and programs that are
serial altogether."""

from __future__ import annotations

from collections.abc import Iterator

from aprofplot.processors.blame import Blame
from aprofplot.processors.charges import Costs, inclusive
from aprofplot.processors.changes import parallel
from aprofplot.processors.idle_kinds import IdleKinds
from aprofplot.processors.user_code import UserCode

_MANY = 100  # calls by one activation of the caller: a loop of its
_CHAIN = 8  # tasks of a body, one after the other: fewer are no chain
_NEARLY_ALL = 0.98  # of a loop's work: the rest is what it takes to go round
_HALF = 0.5  # of a call's work: a callee with more is where it goes


def serial_blame(costs: Costs, code: UserCode, idle: IdleKinds) -> Iterator[Blame]:
    """Of each path that runs alone."""
    all_serial = inclusive(costs.dag, idle.serial)
    is_serial_program = idle.runs_alone(0)
    for path, amount in enumerate(idle.serial):
        if not amount:
            continue
        kind, named = "serial phase", _serial_call(costs, path, idle, all_serial, code)
        sentence = (
            f"{{name}}{{place}} runs alone: while it does, {_others(costs)} idle, {{share}} of all "
            "processor time"
        )
        body = code.body(path)
        if body and idle.runs_alone(body) and calls(costs, body) >= _CHAIN:
            kind, named = "dependency chain", body
            sentence = (
                "tasks of {name}{place} run one after the other, which leaves processors idle for "
                "{share} of their time"
            )
        elif is_serial_program:
            named = _heaviest(costs, named)
            sentence = (
                "the program is serial, so that {share} of all processor time is idle. Most of its work "
                "is in {name}{place}: divide that among the processors"
            )
        if not code.innermost(named):  # the dynamic linker, which nobody can divide
            continue
        yield Blame(
            kind, amount / costs.schedule.scale, named, sentence, parallel, frozenset([path])
        )


def _serial_call(
    costs: Costs, path: int, idle: IdleKinds, serial: list[int], code: UserCode
) -> int:
    """The outermost call on the path that runs beside nothing; the path itself if none is serial.
    What is called again and again is its caller's."""
    while path and _calls_each(costs, path) >= _MANY:
        path = costs.dag.paths[path].caller
    best = path
    while path:
        if serial[path] and idle.runs_alone(path):
            best = path
        path = costs.dag.paths[path].caller
    return _called_by_one(costs, best, idle, code)


def _called_by_one(costs: Costs, path: int, idle: IdleKinds, code: UserCode) -> int:
    """Of a loop in a body that several threads run, which is theirs, the function that has nearly all of its
    work: one of them calls that. Otherwise the path itself."""
    body = code.body(path)
    inner = path
    while body and not idle.runs_alone(body) and costs.dag.paths[inner].loop is not None:
        most = max(costs.callees[inner], key=lambda of: costs.inclusive[of].work, default=0)
        if not most or costs.inclusive[most].work < _NEARLY_ALL * costs.inclusive[inner].work:
            break
        if costs.dag.paths[most].loop is None:
            return most
        inner = most
    return path


def _heaviest(costs: Costs, path: int) -> int:
    """From a call inwards, as long as one callee has most of the work and is no loop's."""
    while costs.callees[path]:
        most = max(costs.callees[path], key=lambda callee: costs.inclusive[callee].work)
        share = costs.inclusive[most].work / max(costs.inclusive[path].work, 1)
        if share < _HALF or _calls_each(costs, most) >= _MANY:
            break
        path = most
    return path


def calls(costs: Costs, path: int) -> int:
    """How often its last call was made; of a loop or what was inlined, the call that executes it."""
    while path and costs.dag.paths[path].site is None:
        path = costs.dag.paths[path].caller
    site = costs.dag.paths[path].site
    return site.on_work.local.count if site else 0


def _calls_each(costs: Costs, path: int) -> float:
    """How often the call is made for each call of its caller."""
    call = costs.dag.paths[path]
    caller = costs.dag.paths[costs.caller(path)].site
    if call.site is None or caller is None:
        return 1
    return call.site.on_work.local.count / max(caller.on_work.local.count, 1)


def _others(costs: Costs) -> str:
    others = costs.processors - 1
    return (
        f"{others} of {costs.processors} processors are" if others > 1 else "the other processor is"
    )
