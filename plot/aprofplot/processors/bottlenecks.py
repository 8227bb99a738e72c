"""What keeps a program from running faster on P processors: at most a handful of findings, first
that whose repair gains most.

kind              idleness that is charged                             what is named
serial phase      while one strand works, and nothing beside it has    the serial call
pipeline stage    to what waits for other threads again and again      the stage's body
dependency chain  to tasks that run one after the other                the tasks' body
imbalance         while others have ended, and wait for what works     the body that was divided
barrier           the same, but another thread ends last each time     the body that they run
lock              for holding a lock that others wait for              the lock, who holds it
grain             while run-time libraries execute, with that          the body that is too small

A body is what was forked or runs as a thread. A finding's share is that of total effort.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from aprofplot.processors.blame import Blame, Finding, findings
from aprofplot.processors.changes import parallel, without_overhead
from aprofplot.processors.charges import Costs, by_path
from aprofplot.processors.idle_kinds import IdleKinds, of_work
from aprofplot.processors.lock_blame import lock_blame
from aprofplot.processors.serial import calls, serial_blame
from aprofplot.processors.user_code import UserCode
from aprofplot.work_span.model import Dag, Lock

MOST = 5
# A tenth of the processors' time: below it Table 1 says "low" (quadrants.HIGH), and mending it gains
# 1.11 times at most.
LEAST = 0.10
_LEAST_MEETINGS = 3  # of those that run a body: fewer may be how a pool of threads ends
_HEAVY = 0.25  # of the work: overhead from which a grain is too fine


def find_all(costs: Costs, locks: Sequence[Lock]) -> list[Finding]:
    """The findings on so many processors."""
    if not costs.total.effort:
        return []
    code = UserCode(costs.dag)
    idle = IdleKinds(costs, code, locks)
    blamed = (
        *serial_blame(costs, code, idle),
        *_chains(costs, code, idle),
        *_imbalance(costs, code, idle),
        *lock_blame(costs, code, locks),
        *_grain(costs, code),
    )
    return findings(costs, code, blamed, LEAST, MOST)


_CHAINS = {
    "pipeline stage": "{name}{place} is the slowest stage: the others wait for it",
    "dependency chain": "tasks of {name}{place} wait for each other in a chain",
}


def _chains(costs: Costs, code: UserCode, idle: IdleKinds) -> Iterator[Blame]:
    for chain, amounts in idle.chained.items():
        sentence = (
            f"{_CHAINS[chain.kind]}, which leaves processors idle for {{share}} of their time"
        )
        charged = frozenset(path for path, amount in enumerate(amounts) if amount)
        amount = sum(amounts) / costs.schedule.scale
        if charged:
            most = max(charged, key=lambda path: (bool(code.frames(path)), amounts[path], -path))
            named = code.innermost(most) if chain.shares_body else code.body(most) or most
            yield Blame(chain.kind, amount, named, sentence, parallel, charged)


def _imbalance(costs: Costs, code: UserCode, idle: IdleKinds) -> Iterator[Blame]:
    bodies: dict[str, list[int]] = {}
    meetings = _meetings(costs, code)
    for path, amount in enumerate(idle.tail):
        if amount:
            bodies.setdefault(_body(code, path), []).append(path)
    for function, paths in bodies.items():
        most = max(paths, key=idle.tail.__getitem__)
        body = code.body(most) or most
        amount = sum(idle.tail[path] for path in paths)
        charged = frozenset(paths)
        kind = "imbalance"
        sentence = (
            "the work of {name}{place} is divided unevenly: processors that finish early are idle for "
            "{share} of their time. Use a dynamic schedule, or smaller pieces"
        )
        late = sum(idle.barrier[path] for path in paths)
        is_met = meetings[function] >= _LEAST_MEETINGS
        if is_met and late > amount / 2 and _takes_turns(costs, charged):
            kind = "barrier"
            sentence = (
                "another thread is late at each barrier of {name}{place}: while the others wait, processors are "
                "idle for {share} of their time. Remove barriers, or divide each phase evenly"
            )
        yield Blame(kind, amount / costs.schedule.scale, body, sentence, parallel, charged)


def _body(code: UserCode, path: int) -> str:
    """The function that is the body around a path; outside of all bodies its own."""
    return code.function(code.body(path) or path)


def _meetings(costs: Costs, code: UserCode) -> Counter[str]:
    """By body, how often several that run it wait for each other, and more than two go on: forks wait for
    nobody, and joins go on as one."""
    dag = costs.divided.dag
    found = Counter[str]()
    for strand, after in zip(dag.strands, dag.after):
        if len(strand.before) > 1 and len(after) > 2:
            of_before, of_after = (
                {
                    _body(code, dag.strands[index].largest.path)
                    for index in indices
                    if dag.strands[index].parts
                }
                for indices in (strand.before, after)
            )
            found.update(of_before & of_after)
    return found


def _takes_turns(costs: Costs, paths: frozenset[int]) -> bool:
    """Whether no thread is the one that is late half of the time."""
    late: dict[int, int] = {}
    for strand, amount in zip(costs.dag.strands, costs.schedule.barrier):
        if amount and any(part.path in paths for part in strand.parts):
            late[strand.thread] = late.get(strand.thread, 0) + amount
    return bool(late) and max(late.values()) < sum(late.values()) / 2


def _grain(costs: Costs, code: UserCode) -> Iterator[Blame]:
    if not _has_tasks(costs.dag):
        return  # the dynamic linker's, which binds what a short program calls
    schedule = costs.schedule
    idle = [
        amount - of_work(strand, amount)
        for strand, amount in zip(costs.dag.strands, schedule.idleness)
    ]
    caused = by_path(costs.dag, idle)
    for path, charge in enumerate(costs.exclusive):
        work = costs.inclusive[path].work
        if charge.overhead > _HEAVY * work:
            yield Blame(
                "grain",
                charge.overhead + caused[path] / schedule.scale,
                _forked_there(costs, code, path),
                "the tasks of {name}{place} are too small: the run-time library executes "
                f"{charge.overhead / max(work, 1):.1f} times as much as they do. Let each do more",
                without_overhead,
                frozenset(_below(costs, path)),
            )


def _has_tasks(dag: Dag) -> bool:
    """Whether any strand has two that follow it."""
    followed = [number for strand in dag.strands for number in strand.before]
    return len(set(followed)) < len(followed)


def _below(costs: Costs, path: int) -> list[int]:
    """It, and all that goes on from it."""
    found = [path]
    for number in found:
        found.extend(costs.callees[number])
    return found


def _forked_there(costs: Costs, code: UserCode, path: int) -> int:
    """The body that a path forks most often; its own if it forks none."""
    bodies = [
        number for number in costs.callees[path] if code.body(number) not in (0, code.body(path))
    ]
    return max(bodies, key=lambda number: calls(costs, number), default=code.innermost(path))
