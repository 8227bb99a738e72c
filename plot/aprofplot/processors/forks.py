"""The forks of a dag: bodies that are spawned, run as a thread, or outlined for a run-time library."""

from __future__ import annotations

import re

from aprofplot.work_span.model import Dag

# What compilers add to the names of bodies that they outline.
OUTLINED = re.compile(r"\._omp_fn\.|\._omp_cpyfn\.|\.omp_outlined|\.omp_task_entry\.")


def bodies_of_paths(dag: Dag) -> list[int]:
    """By path, the path of the innermost body on it; 0: none is."""
    starts = _thread_starts(dag)
    found = [0]
    for number, call in enumerate(dag.paths[1:], 1):
        is_body = number in starts or is_spawned(dag, number)
        found.append(number if is_body else found[call.caller])
    return found


def is_spawned(dag: Dag, path: int) -> bool:
    """Whether a body begins there that is spawned or outlined, and not just a thread."""
    site = dag.paths[path].site
    return site is not None and (
        site.callee.key in dag.spawned or bool(OUTLINED.search(site.callee.name))
    )


def bodies_of_strands(dag: Dag) -> list[int]:
    """By strand, the body that executes most of its work, or what comes before it; 0: none does. In a body's last strand,
    there may be more of the run-time library, which its caller waits in."""
    of_paths = bodies_of_paths(dag)
    found: list[int] = []
    for strand in dag.strands:
        if strand.parts:
            of_work = max(strand.parts, key=lambda part: part.work)
            most = of_work if of_work.work else strand.largest
            found.append(of_paths[most.path])
        else:
            found.append(found[strand.before[0]] if strand.before else 0)
    return found


def is_caller(dag: Dag, path: int, of: int) -> bool:
    """Whether a path goes on from another one."""
    while of > path:
        of = dag.paths[of].caller
    return of == path


def below(dag: Dag, roots: frozenset[int]) -> frozenset[int]:
    """These paths, and all that go on from them."""
    found = set(roots)
    for number, call in enumerate(dag.paths):
        if number and call.caller in found:
            found.add(number)
    return frozenset(found)


def common_path(dag: Dag, one: int, other: int) -> int:
    """The longest path that both go on from."""
    while one != other:
        if one > other:
            one = dag.paths[one].caller
        else:
            other = dag.paths[other].caller
    return one


def _thread_starts(dag: Dag) -> frozenset[int]:
    """The paths on which threads other than the first one execute all that they execute in routines."""
    common: dict[int, int] = {}
    for strand in dag.strands:
        for part in strand.parts:
            if part.work and part.path:
                known = common.get(strand.thread, part.path)
                common[strand.thread] = common_path(dag, known, part.path)
    return frozenset(path for thread, path in common.items() if thread > 1 and path)
