"""Instructions per routine equal callgrind's, except for the differences that callgrind_rules.py
and the manual list.

Both tools run on the same core, from the same folder, with the same command and environment, so that
the client cannot tell them apart: its instructions are the same ones. Lazy symbol binding, which
belongs to no routine here and to the callers there, is left out by LD_BIND_NOW.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import callgrind_out
import callgrind_rules
from callgrind_loops import ExecutedCode
from callgrind_rules import Comparison, Key, Kind, Numbers
from compiling import compiled
from elf_file import ElfFile
from random_loops import RandomLoops
from running import BUILD, TESTS, VG_IN_PLACE, Command, Profiled, edges, run, sql

PYTHON = "/usr/bin/python3"
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "LC_ALL": "C",
    "LD_BIND_NOW": "1",
    "PYTHONHASHSEED": "0",
}
LAZILY = {key: value for key, value in ENVIRONMENT.items() if key != "LD_BIND_NOW"}

Environment = Mapping[str, str]

# One level for a function's outermost activations, one for those that recursion nests in them:
# callgrind's inclusive cost of the first is what aprof-trms calls inclusive. Direct recursion is
# recursion, main's callers have names, and each call has its address.
CALLGRIND_OPTIONS = [
    "--separate-recs=2",
    "--skip-direct-rec=no",
    "--show-below-main=yes",
    "--dump-instr=yes",
]
# A block ends at each jump, as aprof-trms has it.
SINGLE_BLOCKS = ["--vex-guest-chase=no", "--vex-iropt-unroll-thresh=0"]

SCRIPT = """
import json
print(len(json.dumps([{'n': i, 's': str(i)} for i in range(100)])))
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("input") / "text"
    path.write_text("".join(f"line {i * i % 7919} of {i}: {i ** 3}\n" for i in range(3000)))
    return path


@pytest.fixture
def under(tmp_path: Path) -> Callable[..., Path]:
    """under(tool, command, *core options, env=...): what Valgrind's own tool wrote."""

    def under_tool(tool: str, command: Command, *options: str, env: Environment) -> Path:
        if not list((BUILD / ".in_place").glob(f"{tool}-amd64-linux")):
            pytest.skip(f"this Valgrind has no {tool}")
        output = tmp_path / f"{tool}.out"
        into = {"callgrind": "--callgrind-out-file", "lackey": "--log-file"}[tool]
        options = (
            f"--tool={tool}",
            f"{into}={output}",
            "--child-silent-after-fork=yes",
            *options,
        )
        run([VG_IN_PLACE, *options, *command], env=env, cwd=nowhere(tmp_path))
        return output

    return under_tool


def nowhere(tmp_path: Path) -> Path:
    """An empty folder to run in: a script looks for modules there."""
    folder = tmp_path / "nowhere"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def ours(profile, tmp_path: Path) -> Callable[..., Profiled]:
    """ours(command, *options, env=...): the profile of the process, without its children's."""

    def profile_parent(command: Command, *options: str, env: Environment) -> Profiled:
        run = profile(command, *options, libc_names=True, env=env, cwd=nowhere(tmp_path))
        processes = [Profiled(run.process, [path]) for path in run.paths]
        return max(processes, key=lambda process: total(process, -1))  # a child has run less

    return profile_parent


def total(run: Profiled, column: int) -> int:
    """Of the self costs in that column of the tables."""
    # table THREAD ROUTINE CALLS UNFINISHED INDUCED-THREAD INDUCED-EXTERNAL { INCLUSIVE SELF }...
    return sum(int(table[column]) for table in run.lines("table"))


@pytest.fixture
def compare(under, ours) -> Callable[..., Comparison]:
    """compare(command, *core options, env=...): both tools' numbers of it."""

    def compare_tools(
        command: Command, *options: str, env: Environment = ENVIRONMENT
    ) -> Comparison:
        theirs = under("callgrind", command, "-q", *CALLGRIND_OPTIONS, *options, env=env)
        costs = ("--cost=instr", "--clones=apart")  # copies of functions are some to callgrind
        report = ours(command, *costs, *options, env=env).report()
        return Comparison(
            callgrind_rules.ours_of(report),
            callgrind_rules.theirs_of(callgrind_out.read(theirs)),
        )

    return compare_tools


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} not installed")


def short(value: str | Path | Kind) -> str:
    """For a test's name."""
    return value.name if isinstance(value, (Path, Kind)) else value


def check(comparison: Comparison) -> None:
    assert comparison.unexplained() == []
    # What callgrind has not counted is a few blocks, and all of it is found; what one routine of
    # an object has more, others have less.
    assert 0 < comparison.missing < 100
    assert comparison.moved(Kind.LAST_BLOCK).total() == comparison.missing
    assert not any(comparison.moved(Kind.NAMELESS_TAIL_CALL).values())


ALWAYS = {Kind.ROOT, Kind.LAST_BLOCK}


@pytest.mark.parametrize(
    "source, more, kinds",
    [
        ("scan.c", [], []),
        ("namesakes.c", [TESTS / "programs" / "namesakes_two.c"], []),
        ("cold_part.c", [], []),
        ("exceptions.cpp", [], []),
        ("tail_calls.c", ["-fno-builtin"], [Kind.CYCLE_OF_JUMPS]),
        ("tail_calls.c", ["-fno-builtin", "-Wl,-z,ibtplt"], [Kind.CYCLE_OF_JUMPS]),
        ("control_flow.c", [], [Kind.CYCLE_OF_JUMPS]),
        ("control_flow.c", ["-O0"], []),
        ("deep_recursion.c", ["-O1"], []),
    ],
    ids=lambda value: None if isinstance(value, str) else " ".join(map(short, value)),
)
def test_programs_with_symbols(source, more, kinds, compile, compare):
    program = compile(source, *more)
    comparison = compare([program], "--main-stacksize=200000000")
    check(comparison)
    # Libraries may have code without symbols.
    assert comparison.kinds() - {Kind.NAMELESS_TAIL_CALL} == {*ALWAYS, *kinds}
    assert comparison.self_cost_in_equal_routines() > 0.99  # measured: at least 99.98 %
    assert comparison.equal_routines() > 0.85  # at least 89 %
    # The program has not: each routine has exactly the same self cost, and the same calls and
    # inclusive cost but where a kind says so.
    assert str(program) not in {key.object for key in comparison.self}
    assert Kind.NAMELESS_TAIL_CALL not in [
        kind
        for differing in (comparison.calls, comparison.inclusive)
        for key, kind in differing.items()
        if key.object == str(program)
    ]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["gzip", "-nc", "TEXT"], marks=needs("gzip")),
        pytest.param(["xz", "-T1", "-0", "-c", "TEXT"], marks=needs("xz")),
        pytest.param(["sort", "TEXT"], marks=needs("sort")),
        pytest.param(["sqlite3", ":memory:", sql(300)], marks=needs("sqlite3")),
        pytest.param([PYTHON, "-S", "-B", "-c", SCRIPT], marks=needs(PYTHON)),
    ],
    ids=lambda command: Path(command[0]).name,
)
def test_real_programs(command, compare, text):
    """Stripped: most of their routines have no symbol."""
    comparison = compare([text if word == "TEXT" else word for word in command])
    check(comparison)
    # Measured: at least 97.6 % (python3) and 91 % (python3), else 99.3 % and 95 %.
    assert comparison.self_cost_alike() > 0.97
    assert comparison.equal_routines() > 0.9


@pytest.mark.parametrize("options", [["-O2"], ["-O0"]], ids=" ".join)
def test_call_edges(options, compile, ours, under):
    """Each edge between a program's own routines has callgrind's calls and inclusive cost."""
    program = compile("calls.c", *options)
    command = [program, "30", "alone"]
    out = under("callgrind", command, "-q", *CALLGRIND_OPTIONS, env=ENVIRONMENT)
    theirs: dict[tuple[str, str], Numbers] = {}
    for arc in callgrind_out.read(out).arcs:
        named = not arc.caller.name.startswith("0x") and not arc.callee.name.startswith("0x")
        if named and arc.caller.object == arc.callee.object == str(program):
            numbers = theirs.setdefault((arc.caller.name, arc.callee.name), Numbers())
            numbers.calls += arc.calls
            numbers.inclusive += arc.inclusive
    found = edges(ours(command, "--cost=instr", "--clones=apart", env=ENVIRONMENT))
    assert len(theirs) > 15
    own = {name for edge in theirs for name in edge}
    assert theirs.keys() == {edge for edge in found if own.issuperset(edge)}
    assert {edge: found[edge].calls for edge in theirs} == {
        edge: numbers.calls for edge, numbers in theirs.items()
    }
    # Callgrind does not count the last block, which is in each of the calls pending at the end.
    last_block = found["main", "leave"].inclusive - theirs["main", "leave"].inclusive
    assert 0 < last_block < 100
    assert {edge: found[edge].inclusive for edge in theirs} == {
        edge: numbers.inclusive + found[edge].unfinished * last_block
        for edge, numbers in theirs.items()
    }


@dataclass
class LoopTrips:
    line: int
    header: int  # address in the object's file
    executions: int = 0
    iterations: int = 0


def loops_of(run: Profiled, program: Path) -> list[LoopTrips]:
    """The loops in an object's code."""
    (own,) = [words[0] for words in run.lines("object") if words[1] == str(program)]
    routines = {words[0] for words in run.lines("routine") if words[1] == own}
    loops = {
        number: LoopTrips(int(line), int(header))
        for number, routine, _, header, _, _, line, *_ in run.lines("loop")
        if routine in routines
    }
    for _, number, executions, _, iterations, *_ in run.lines("loop-table"):
        if number in loops:
            loops[number].executions += int(executions)
            loops[number].iterations += int(iterations)
    return list(loops.values())


@pytest.mark.parametrize("compiler, level", [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O0")])
def test_trips_of_loops(compiler, level, ours, under, tmp_path):
    """Each loop that callgrind saw go round went round as often: by the jumps back to its header
    and those into the loop, or by what was executed behind its condition."""
    source = tmp_path / "random_loops.c"
    source.write_text(RandomLoops(seed=11, functions=6).source)
    program = compiled(compiler, "-g", "-w", level, source)
    loops = loops_of(ours([program], "--loops=yes", env=ENVIRONMENT), program)
    options = ["-q", "--dump-instr=yes", "--collect-jumps=yes", *SINGLE_BLOCKS]
    profile = callgrind_out.read(under("callgrind", [program], *options, env=ENVIRONMENT))
    code = ExecutedCode(profile, str(program))
    by_header = [(loop, code.trips(loop.header)) for loop in loops]
    seen = [(loop, trips) for loop, trips in by_header if trips.back_edges > 0]
    assert len(seen) > 40
    for loop, trips in seen:
        found = loop.executions, loop.iterations
        if found != (trips.entries, trips.entries + trips.back_edges):
            assert code.goes_round_by_way_of(loop.header, loop.iterations), (loop, trips)
            assert loop.executions <= trips.entries
    assert all(loop.iterations == loop.executions for loop, of in by_header if not of.back_edges)


# In a trace of Lackey's, the blocks of a rep movs or rep stos: one instruction that stores, again and
# again, and at last does not. (One that is not repeated may be a call, which stores where it returns.)
STRING_OPERATION = re.compile(
    r"(?:SB (\w+)\nI  \1,\d\n(?: L \w+,\d\n)? S \w+,(?P<width>\d)\n)"
    r"(?:SB \1\nI  \1,\d\n(?: L \w+,\d\n)? S \w+,\d\n)*"
    r"(?:SB \1\nI  \1,\d\n(?!I| ))"
)


def blocks_counted_less(trace: str) -> int:
    """What counts as a block for each 128 bytes, where Lackey enters one for each iteration."""
    less = 0
    for operation in STRING_OPERATION.finditer(trace):
        entered = operation[0].count("SB ")
        less += entered - (1 + (entered - 1) * int(operation["width"]) // 128)
    return less


@pytest.mark.parametrize("env", [ENVIRONMENT, LAZILY], ids=["bound", "lazily"])
def test_every_instruction_is_some_routine_s_or_uncounted(env, compile, ours, under):
    """Lackey does no more than to count."""
    program = compile("control_flow.c", "-fno-builtin", "-Wl,-z,lazy")
    run = ours([program], "--cost=both", env=env)
    traced = ["--trace-mem=yes", "--trace-superblocks=yes"]
    log = under("lackey", [program], *traced, *SINGLE_BLOCKS, env=env).read_text()
    uncounted = [int(cost) for _, cost in run.lines("uncounted")]
    assert (max(uncounted) > 0) == (env is LAZILY)
    less = blocks_counted_less(log)
    assert less > 0  # as the dynamic linker clears its structures
    expected = {"SBs entered": (-3, uncounted[0] + less), "guest instrs": (-1, uncounted[1])}
    for counted, (column, elsewhere) in expected.items():
        (number,) = re.findall(rf"{counted}: +([\d,]+)", log)
        assert total(run, column) + elsewhere == int(number.replace(",", ""))


def test_lazy_binding_is_the_caller_s_for_callgrind_only(compile, compare):
    program = compile("lazy_binding.c", "-fno-builtin", "-Wl,-z,lazy")
    comparison = compare([program], env=LAZILY)
    ((inclusive, self),) = [
        (-more.inclusive, -more.self)
        for key, more in comparison.more.items()
        if key == Key(str(program), "call_labs")
    ]
    # A stub and the first stub of its section: two pushes and two jumps on the way to the binder.
    assert self == 4
    assert inclusive > 100


def test_jump_to_another_object_s_code_without_symbols_is_a_tail_call(compile, ours):
    """The dynamic linker jumps to the program's first instruction."""
    program = compile("scan.c", "-s")
    routines = ours([program], "--cost=instr", env=ENVIRONMENT).report()["routines"]
    (start,) = [r for r in routines if r["name"] == f"scan+0x{ElfFile(program).entry:x}"]
    assert (start["calls"], start["unfinished"]) == (1, 1)
    (main,) = [r for r in routines if r["calls"] == 1 and r["name"] == "__libc_start_main"]
    assert start["cost"]["instr"]["inclusive"] > main["cost"]["instr"]["inclusive"]


def test_routine_without_symbol_may_be_a_single_jump(compile, ours):
    """It looks like a linkage stub, but is where code is."""
    program = compile("tail_calls.c", "-fno-builtin", "-s")
    symbols = run(["nm", compile("tail_calls.c", "-fno-builtin")]).stdout.decode()
    (address,) = re.findall(r"^0*([0-9a-f]+) T by_pointer$", symbols, re.MULTILINE)
    routines = ours([program], "--cost=instr", env=ENVIRONMENT).report()["routines"]
    (by_pointer,) = [r for r in routines if r["name"] == f"tail_calls+0x{address}"]
    assert by_pointer["calls"] == 1 + 5


def test_callgrind_out_is_read_with_and_without_compression(compile, under):
    program = compile("control_flow.c")
    plain, compressed = (
        callgrind_out.read(
            under(
                "callgrind",
                [program],
                *CALLGRIND_OPTIONS,
                f"--compress-strings={compress}",
                f"--compress-pos={compress}",
                env=ENVIRONMENT,
            )
        )
        for compress in ("no", "yes")
    )
    assert plain.self_cost == compressed.self_cost
    assert sorted(plain.arcs, key=repr) == sorted(compressed.arcs, key=repr)
    recursion = {f.level for f in plain.self_cost if f.name == "recurse"}
    assert recursion == {1, 2}
    assert sum(arc.calls for arc in plain.arcs if arc.callee.name == "recurse") == 1001
