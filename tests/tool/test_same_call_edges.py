"""On serial programs, both tools have the same callers, callees and counts. Debian's, as they are.

What cilkshadow leaves out as overhead is left out of aprof-trms's calling contexts here: the dynamic
linker, what calls main and threads, and the C library's routines about threads; with the C library's
own routines that they call, but not with what they call of the program.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from running import VG_IN_PLACE, Command, run
from shadowing import shadow

Compile = Callable[..., Path]
JEMALLOC = Path("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2")

OVERHEAD_OBJECTS = ("ld-linux*", "libpthread*")
SYSTEM_OBJECTS = ("libc.so*", "libm.so*", "libstdc++.so*", "libgcc_s.so*", "vgpreload_*")
OVERHEAD_ROUTINES = (
    "_start __libc_start* call_init* call_fini* create_thread start_thread clone* "
    "pthread_* __pthread_* ___pthread_* __GI___pthread_* sem_* __new_sem_* __nptl_* __lll_* futex_* "
    "__futex_* allocate_stack sched_yield"
).split()


@dataclass(frozen=True)
class Routine:
    """Of a profile."""

    object: str
    name: str

    @property
    def is_system(self) -> bool:
        """Whether it is of the system's libraries."""
        return any(fnmatchcase(self.object, pattern) for pattern in SYSTEM_OBJECTS)

    @property
    def is_overhead(self) -> bool:
        """Whether cilkshadow counts it as that, whoever calls it."""
        if any(fnmatchcase(self.object, pattern) for pattern in OVERHEAD_OBJECTS):
            return True
        is_reserved = self.is_system or self.name.startswith("_")
        return is_reserved and any(fnmatchcase(self.name, p) for p in OVERHEAD_ROUTINES)


NOBODY = Routine("", "")
Edges = Counter[tuple[Routine, Routine]]


def routines(lines: list[str]) -> dict[str, Routine]:
    """By number, those of a profile of either tool."""
    objects: dict[str, str] = {}
    found = {"0": NOBODY}
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind == "object":
            number, path = rest.split(" ", 1)
            objects[number] = os.path.basename(path)
        elif kind == "routine":
            number, in_object, _, _, _, name = rest.split(" ", 5)
            found[number] = Routine(objects[in_object], name)
    return found


def of_cilkshadow(profile: Path) -> Edges:
    """All calls."""
    lines = profile.read_text().splitlines()
    known = routines(lines)
    edges: Edges = Counter()
    for line in lines:
        kind, *values = line.split(" ")
        if kind == "site":
            edges[known[values[1]], known[values[2]]] += int(values[13])
    return edges


@dataclass(frozen=True)
class Context:
    """`caller`: what cilkshadow sees call it, `parent` or an earlier one. `hides`: it is overhead,
    and so is what it calls of the system's libraries. `overhead`: the first of it since `caller`.
    """

    routine: Routine
    parent: Routine
    caller: Routine
    overhead: Routine
    hides: bool
    calls: int


def contexts(lines: list[str], known: dict[str, Routine]) -> Iterator[Context]:
    """Of a profile of aprof-trms."""
    found = {"0": Context(NOBODY, NOBODY, NOBODY, NOBODY, True, 0)}
    for line in lines:
        kind, *values = line.split(" ")
        if kind != "context":
            continue
        number, above, _, of, calls, *_ = values
        assert above in found, "contexts were merged"
        parent, routine = found[above], known[of]
        caller = parent.caller if parent.hides else parent.routine
        hides = routine.is_overhead or (parent.hides and routine.is_system)
        overhead = parent.overhead if parent.hides else routine
        found[number] = Context(routine, parent.routine, caller, overhead, hides, int(calls))
        yield found[number]


def all_edges(lines: list[str], known: dict[str, Routine]) -> Edges:
    """Of a profile of aprof-trms, overhead and all."""
    edges: Edges = Counter()
    for at, line in enumerate(lines):
        kind, *values = line.split(" ")
        if kind == "table":
            callee = known[values[1]]
        elif kind == "callers":
            for row in lines[at + 1 : at + 1 + int(values[0])]:
                by, calls, *_ = row.split(" ")
                edges[known[by], callee] += int(calls)
    return edges


def of_aprof_trms(profile: Path) -> tuple[Edges, set[Routine]]:
    """The calls that are no overhead, and the callees of which contexts do not tell the callers.

    The counts are those of the call edges. Contexts tell what is overhead, and who called what that
    calls; but not where overhead calls itself again by way of the program, as a recursion's contexts
    are folded."""
    lines = profile.read_text().splitlines()
    known = routines(lines)
    edges = all_edges(lines, known)
    by_contexts: Edges = Counter()
    for context in contexts(lines, known):
        by_contexts[context.parent, context.routine] += context.calls
    folded = {edge[1] for edge, calls in edges.items() if by_contexts[edge] != calls}
    unclear = set()
    for context in contexts(lines, known):
        edges[context.parent, context.routine] -= context.calls
        if context.hides:
            continue
        edges[context.caller, context.routine] += context.calls
        if context.caller != context.parent and context.overhead in folded:
            unclear.add(context.routine)
    return Counter({edge: n for edge, n in edges.items() if n and not edge[1].is_overhead}), unclear


def without_callers(edges: Edges, of: set[Routine]) -> Edges:
    """The calls of these routines only in all."""
    found: Edges = Counter()
    for (caller, callee), calls in edges.items():
        found[NOBODY if callee in of else caller, callee] += calls
    return found


@pytest.fixture
def check_same_edges(tmp_path: Path) -> Callable[..., None]:
    """check_same_edges(command): both tools have the same."""

    def edges_of(command: Command, fixed: dict[str, str], expected: bytes) -> tuple[Edges, Edges]:
        shadow(command, tmp_path / "shadow", libc_names=True, env=fixed)
        tool = ["--tool=aprof-trms", "--loops=no", "--contexts=yes", "--max-contexts=1000000"]
        out = f"--aprof-out-file={tmp_path / 'profile'}"
        result = run([VG_IN_PLACE, *tool, out, *command], env=fixed)
        assert result.stdout == expected
        by_aprof_trms, unclear = of_aprof_trms(tmp_path / "profile")
        assert len(by_aprof_trms) > 10
        by_cilkshadow = without_callers(of_cilkshadow(tmp_path / "shadow"), unclear)
        return by_cilkshadow, without_callers(by_aprof_trms, unclear)

    def check(command: Command, **environment: str) -> None:
        fixed = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": str(tmp_path), **environment}
        expected = run(command, env=fixed).stdout  # the first time it may make its files
        one, other = edges_of(command, fixed, expected)
        # One run of curl in a few has a call that others under the same tool have not.
        for _ in range(2):
            if one != other:
                one, other = edges_of(command, fixed, expected)
        assert one == other

    return check


SUMS = "create table t(a); insert into t values(1),(2),(3); select sum(a) from t group by a % 2;"
PROGRAMS = [
    ["bc", "-q", "{numbers}"],
    ["bzip2", "-c", "{numbers}"],
    ["clang", "--version"],
    ["curl", "-s", "file://{numbers}"],
    ["gpg", "--print-md", "sha256", "{numbers}"],
    ["grep", "-E", "1.*2", "{numbers}"],
    ["gzip", "-c", "{numbers}"],
    ["jq", "-n", "[range(50)] | map(. * 2) | add"],
    ["mawk", "{s += $1} END {print s}", "{numbers}"],
    ["openssl", "dgst", "-sha256", "{numbers}"],
    ["perl", "-e", "my %h; $h{$_ % 7}++ for 1 .. 300; print join ',', sort keys %h"],
    ["python3", "-S", "-c", "print(sorted(str(i) for i in range(9)))"],
    ["sed", "s/1/2/g", "{numbers}"],
    ["sqlite3", ":memory:", SUMS],
    ["tar", "cf", "-", "-C", "{folder}", "numbers"],
    ["xz", "-0", "-c", "{numbers}"],
]


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    """A text of 200 lines."""
    path = tmp_path / "numbers"
    path.write_text("".join(f"{i}\n" for i in range(200)))
    return path


@pytest.mark.parametrize("command", PROGRAMS, ids=lambda command: command[0])
def test_program_of_debian(
    command: list[str], numbers: Path, check_same_edges: Callable[..., None]
) -> None:
    """Most are stripped, and call other stripped libraries."""
    assert shutil.which(command[0], path="/usr/bin:/bin"), "see packages.debian"
    names = {"{numbers}": str(numbers), "{folder}": str(numbers.parent)}
    words = [command[0]]
    for word in command[1:]:
        for name, path in names.items():
            word = word.replace(name, path)
        words.append(word)
    check_same_edges(words, PERL_HASH_SEED="0", PYTHONHASHSEED="0")


def test_program_with_another_allocator(
    numbers: Path, check_same_edges: Callable[..., None]
) -> None:
    """Its constructor calls routines about threads before main."""
    check_same_edges(["sort", str(numbers)], LD_PRELOAD=str(JEMALLOC))


@pytest.mark.parametrize("source", ["shared_code.c", "code_at_zero.c", "wild_call.c"])
@pytest.mark.parametrize("flags", [["-O1", "-s"], ["-O2"]], ids=" ".join)
def test_program_of_ours(
    source: str, flags: list[str], compile: Compile, check_same_edges: Callable[..., None]
) -> None:
    """Without symbols, and with them."""
    arguments = ["0", "3"] if source == "wild_call.c" else []
    check_same_edges([compile(source, *flags), *arguments])
