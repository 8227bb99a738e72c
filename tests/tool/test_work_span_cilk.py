"""Work and span of Cilk programs, compiled by ordinary compilers: the same spawns at every level."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from compiling import CILK_INCLUDE, cilk_flags, compiled
from running import TESTS, report_command
from shadowing import Shadowed, shadow, site_numbers

PROGRAMS = TESTS / "programs" / "cilk"


def cilk(
    source: str,
    size: int,
    compiler: str,
    level: str,
    folder: Path,
    *more: Path,
    libc_names: bool = False,
) -> Shadowed:
    flags = cilk_flags("clang" if compiler.startswith("clang") else "gcc")
    program = compiled(compiler, level, *flags, PROGRAMS / source, *more, "-lm")
    return shadow([program, str(size)], folder / "profile", libc_names=libc_names)


@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    ("source", "size", "spawns"), [("fib.c", 15, 986), ("nqueens.c", 6, 152), ("matmul.c", 32, 54)]
)
def test_spawns_do_not_depend_on_the_compiler(
    source: str, size: int, spawns: int, compiler: str, level: str, tmp_path: Path
) -> None:
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    run = cilk(source, size, compiler, level, tmp_path)
    assert run.spawns == spawns
    assert run.parallelism > 3
    assert not run.notes


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_spawns_that_are_alike_stay_apart(compiler: str, level: str, tmp_path: Path) -> None:
    run = cilk("../cilk_branches.c", 4, compiler, level, tmp_path)
    assert run.spawns == 8
    assert run.parallelism == pytest.approx(2, rel=0.01)
    assert not run.notes


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_what_copies_a_result_is_no_child(compiler: str, level: str, tmp_path: Path) -> None:
    """The C library does not export the names of the copies of memcpy."""
    run = cilk("../cilk_structs.c", 5, compiler, level, tmp_path, libc_names=True)
    assert run.spawns == 5
    assert run.parallelism == pytest.approx(5, rel=0.02)
    assert not run.notes
    spawned = cilk("../cilk_structs.c", 0, compiler, level, tmp_path, libc_names=True)
    assert spawned.spawns == 1
    assert 1.5 < spawned.parallelism < 2


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_spawns_are_where_the_program_has_them(level: str, tmp_path: Path) -> None:
    """In any line, be it one that the header has code in, too."""
    lines = [f"void at_{i}() {{ cilk_spawn work({i}); cilk_sync; }}" for i in range(2, 80)]
    program = ["#include <cilk/cilk.h>", *lines, "long sum;"]
    program += ["void work(long i) { sum = sum + i; }", "int main() {"]
    program += [f"at_{i}();" for i in range(2, 80)] + ["}"]
    program[0] += "\n#line 1\n__attribute__((noinline)) void work(long);"
    (tmp_path / "lines.cpp").write_text("\n".join(program))
    cilk_program(str(tmp_path / "lines.cpp"), 0, tmp_path, "g++", level)
    report = report_command("cilkshadow-report", "--format=json", tmp_path / "profile")
    sites = json.loads(report.stdout)["call_sites"]
    spawned = {(Path(s["file"]).name, s["line"]) for s in sites if s["spawned"]}
    assert spawned == {("lines.cpp", i) for i in range(2, 80)}


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_debug_information_of_several_files_can_be_read(compiler: str, tmp_path: Path) -> None:
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    (tmp_path / "other.c").write_text("int other(void) { return 1; }")
    run = cilk("fib.c", 15, compiler, "-O2", tmp_path, tmp_path / "other.c")
    assert run.spawns == 986


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize(
    ("case", "parallelism"),
    [(0, 1), (1, 2), (2, 2), (3, 2), (5, 2), (6, 2), (7, 2.5)],
    ids=["child", "handler", "inlined", "called", "semaphore", "condition", "creation"],
)
def test_exceptions_and_waits_order_children(
    case: int, parallelism: int, compiler: str, level: str, tmp_path: Path
) -> None:
    run = cilk_program("cilk_orders.cpp", case, tmp_path, compiler, level)
    assert run.parallelism == pytest.approx(parallelism, rel=0.03)
    assert not run.notes


# Of 10 units beside 10, after 5 for each argument.
CHILDREN = {
    **dict.fromkeys(range(9), 20 / 10),
    **dict.fromkeys(range(9, 14), 25 / 15),
    14: 30 / 20,
    15: 25 / 15,
    16: 20 / 10,
    17: 20 / 10,
    19: 40 / 20,
    20: 40 / 20,
    21: 60 / 30,
    22: 45 / 35,
    23: 45 / 35,
}


@pytest.mark.parametrize(("case", "parallelism"), CHILDREN.items())
@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_children_are_told_from_arguments_and_where_results_go(
    case: int, parallelism: float, compiler: str, level: str, tmp_path: Path
) -> None:
    run = cilk_program("cilk_children.cpp", case, tmp_path, compiler, level)
    assert run.parallelism == pytest.approx(parallelism, rel=0.03)
    assert not run.notes


def test_a_last_call_that_is_much_shorter_is_told(tmp_path: Path) -> None:
    run = cilk_program("cilk_children.cpp", 18, tmp_path, "g++", "-O2")
    assert run.notes == {"spawns-with-several-calls": 1}


def test_spawns_without_lines_whose_child_is_not_known_are_told(tmp_path: Path) -> None:
    program = compiled("g++", "-O2", CILK_INCLUDE, TESTS / "programs" / "cilk_children.cpp")
    assert shadow([program, "6"], tmp_path / "profile").notes == {"spawns-with-several-calls": 1}


def test_tail_calls_that_wait_for_children_are_told(tmp_path: Path) -> None:
    run = cilk_program("cilk_orders.cpp", 4, tmp_path, "g++", "-O2")
    assert run.notes["tail-calls-with-spawns"] == 10
    flags = "-O2", "-fno-optimize-sibling-calls"
    calls = cilk_program("cilk_orders.cpp", 4, tmp_path, "g++", *flags)
    assert calls.parallelism > 15 and not calls.notes


def cilk_program(name: str, case: int, folder: Path, compiler: str, *flags: str) -> Shadowed:
    source = TESTS / "programs" / name
    program = compiled(compiler, "-g", "-gdwarf-4", *flags, CILK_INCLUDE, source)
    return shadow([program, str(case)], folder / "profile")


INLINED_CHILD = """
#include <cilk/cilk.h>
__attribute__((noinline)) long called(long x) { asm volatile(""); return x; }
__attribute__((always_inline)) inline long child(long x) {
  asm volatile(".rept %d; nop; .endr");
  return called(x);  // not from the spawn's line
}
int main() {
  long x = cilk_spawn child(1);
  for (long i = 0; i < 1000; i++)
    asm volatile("");
  cilk_sync;
  return x - 1;
}
"""


FROM_A_PLUGIN = """
#include <dlfcn.h>
int main(int, char** arguments) {
  return reinterpret_cast<int (*)()>(dlsym(dlopen(arguments[1], RTLD_NOW), "spawn"))();
}
"""


@pytest.mark.parametrize("in_plugin", [False, True])
def test_all_of_an_inlined_child_runs_beside_what_follows(in_plugin: bool, tmp_path: Path) -> None:
    """What it does before its first call, too, be that in the same basic block as the spawn. Also
    in what is mapped after the C library, of which nobody reads what is inlined."""
    source = tmp_path / "inlined.cpp"

    def build(text: str, *flags: str) -> Path:
        source.write_text(text)
        return compiled("g++", "-g", "-O2", CILK_INCLUDE, source, *flags)

    runs = []
    for nops in 0, 20:
        if in_plugin:
            text = INLINED_CHILD.replace(
                "int main", 'extern "C" __attribute__((visibility("default"))) int spawn'
            )
            plugin = build(text % nops, "-shared", "-fPIC", "-fvisibility=hidden")
            command = [build(FROM_A_PLUGIN), plugin]
        else:
            command = [build(INLINED_CHILD % nops)]
        runs.append(shadow(command, tmp_path / "profile"))
    assert runs[1].work == runs[0].work + 20
    assert runs[1].span == runs[0].span


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_reducers_and_loops(level: str, tmp_path: Path) -> None:
    run = cilk("parallel_sum.cpp", 2000, "g++", level, tmp_path)
    assert run.parallelism > 2 and run.spawns > 2000
    assert not run.notes


def test_call_sites_of_fib_grow_by_the_golden_ratio(tmp_path: Path) -> None:
    """Cilkprof paper, Figure 7: top-caller work of the two recursive calls."""
    cilk("fib.c", 20, "gcc", "-O2", tmp_path)
    lines = [line.split(" ") for line in (tmp_path / "profile").read_text().splitlines()]
    (fib,) = (fields[1] for fields in lines if fields[0] == "routine" and fields[6] == "fib")
    sites = [int(fields[12]) for fields in lines if fields[0] == "site" and fields[2] == fib]
    assert len(sites) == 2
    assert max(sites) / min(sites) == pytest.approx(1.618, abs=0.01)


def row(profile: Path, caller: str, callee: str) -> tuple[int, ...]:
    """The numbers of the only call site."""
    found = site_numbers(profile, together=True).items()
    (numbers,) = (n for (by, of, _), n in found if (by, of) == (caller, callee))
    return numbers


def test_sites_of_quicksort_account_for_its_span(tmp_path: Path) -> None:
    """Cilkprof paper, Figure 2: partition has nearly all of it."""
    cilk("quicksort.c", 10000, "gcc", "-O2", tmp_path)
    profile = tmp_path / "profile"
    sort = row(profile, "main", "quicksort")
    partition = row(profile, "quicksort", "partition")
    sites = site_numbers(profile, together=True).items()
    on_span = sum(n[17] for (_, callee, _), n in sites if callee in ("quicksort", "partition"))
    assert on_span == sort[2]
    assert partition[17] > 0.99 * on_span
    assert partition[10] == partition[11]  # serial on the span


def test_top_caller_measure_of_a_base_case_is_none(tmp_path: Path) -> None:
    """Cilkprof paper, Figure 10."""
    cilk("matmul.c", 32, "gcc", "-O2", tmp_path)
    profile = tmp_path / "profile"
    base, whole = row(profile, "multiply", "multiply_serially"), row(profile, "main", "multiply")
    assert base[3:6] == (0, 0, 0)
    assert base[7] > 0.9 * whole[1]


def test_mended_search_has_more_parallelism(tmp_path: Path) -> None:
    """docs/manual/case-pbfs.md, in small."""
    parallelism = []
    for source in ("pbfs.cpp", "pbfs_fixed.cpp"):
        cilk(source, 30, "g++", "-O2", tmp_path)
        search = row(tmp_path / "profile", "main", "pbfs(Search&)")
        parallelism.append(search[1] / search[2])
    assert parallelism[1] > 2 * parallelism[0]


def test_handlers_are_where_they_interrupt_a_child(
    cilk_program: Callable[..., Path], tmp_path: Path
) -> None:
    run = shadow([cilk_program("../cilk_interrupted.c"), "raise"], tmp_path / "profile")
    assert run.parallelism == pytest.approx(8, rel=0.01)
    sites = site_numbers(tmp_path / "profile", together=True)
    child, handler = (
        next(numbers for (_, callee, _), numbers in sites.items() if callee == name)
        for name in ("raising", "handle")
    )
    # Calls, work and span on the work and on the span.
    assert (child[0], child[9]) == (handler[0], handler[9]) == (8, 1)
    assert child[1] == 8 * child[10] and child[1:3] == (child[2],) * 2
    assert handler[1] == 8 * handler[10] and handler[1] > 8 * 1000


def test_ticks_of_a_timer_order_no_children(
    cilk_program: Callable[..., Path], tmp_path: Path
) -> None:
    run = shadow([cilk_program("../cilk_interrupted.c"), "timer"], tmp_path / "profile")
    assert run.parallelism > 7.5


def test_calls_again_and_again_are_counted_one_by_one(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    profile = tmp_path / "profile"
    shadow([compile("repeated_calls.c"), "30"], profile)
    of_line = {
        (caller, callee, line): numbers
        for (caller, callee, line), numbers in site_numbers(profile).items()
        if callee in ("leaf", "at_times_no_leaf")
    }
    calls = {key: numbers[6] for key, numbers in of_line.items()}
    assert calls == {
        ("main", "leaf", 17): 30,
        ("main", "leaf", 19): 30,
        ("main", "leaf", 20): 30,
        ("main", "at_times_no_leaf", 23): 30,
        ("at_times_no_leaf", "leaf", 11): 10,
    }
    leaves = [numbers for (_, callee, _), numbers in of_line.items() if callee == "leaf"]
    assert len({numbers[7] / numbers[6] for numbers in leaves}) == 1
    for numbers in of_line.values():
        assert numbers[9:] == numbers[:9]  # all is on the span
        assert numbers[0:3] == numbers[3:6]
    within = of_line["at_times_no_leaf", "leaf", 11]
    outer = of_line["main", "at_times_no_leaf", 23]
    assert outer[1] == outer[7] + within[1]
    of_main = [
        numbers for (_, callee, _), numbers in site_numbers(profile).items() if callee == "main"
    ]
    assert of_main[0][1] == of_main[0][7] + sum(
        numbers[1] for (caller, _, _), numbers in site_numbers(profile).items() if caller == "main"
    )
