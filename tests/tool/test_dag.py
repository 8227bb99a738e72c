"""The dag that cilkshadow records: whole runs of Cilk, OpenMP and threads."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from compiling import cilk_flags, compiled
from running import TESTS, Command
from shadowing import shadow

from aprofplot.processors.charges import costs_of
from aprofplot.processors.chunked_loops import guided_bounds
from aprofplot.processors.what_if import parse_change
from aprofplot.read.work_span_reader import read_work_span
from aprofplot.work_span.model import OVERHEAD_KINDS, Dag, LoopSchedule, Share, WorkSpanProfile

CILK = TESTS / "programs" / "cilk"


def recorded(command: list[Path | str], folder: Path, *options: str) -> tuple[WorkSpanProfile, Dag]:
    """The profile of a run with its dag. Reading it checks that its strands have all of the work."""
    shadow(command, folder / "profile", *options)
    profile = read_work_span(str(folder / "profile"))
    assert profile.dag is not None
    return profile, profile.dag


def longest_path(dag: Dag) -> int:
    ends: list[int] = []
    for strand in dag.strands:
        ends.append(max((ends[i] for i in strand.before), default=0) + strand.span)
    return max(ends)


def callees(dag: Dag, path: int) -> Iterator[str]:
    """From the path's last call outwards."""
    while path:
        call = dag.paths[path]
        assert (call.site, call.inlined, call.loop).count(None) == 2
        if call.site is not None:
            yield call.site.callee.name
        path = call.caller


@pytest.mark.parametrize(
    ("source", "size"),
    [("fib.c", 20), ("nqueens.c", 8), ("matmul.c", 64), ("bfs.cpp", 2000), ("alike_loops.c", 50)],
)
def test_the_dag_of_spawns_has_the_span(source: str, size: int, tmp_path: Path) -> None:
    compiler = "g++" if source.endswith("cpp") else "gcc"
    flags = cilk_flags("gcc")
    program = compiled(compiler, "-O2", *flags, CILK / source, "-lm")
    profile, dag = recorded([program, str(size)], tmp_path)
    assert profile.spawns > 10
    assert dag.grain == 0
    assert longest_path(dag) == profile.span
    kinds = {kind for kind, amount in overheads(dag).items() if amount}
    assert kinds <= {"linking"}  # there is no run-time library


def test_iterations_of_many_kinds_have_their_work(tmp_path: Path) -> None:
    program = compiled("gcc", "-O2", *cilk_flags("gcc"), CILK / "many_kinds.c")
    profile, dag = recorded([program, "24000"], tmp_path)
    assert sum(strand.work for strand in dag.strands) == profile.work
    assert profile.work > 2 * 8 * 3000 * 3000


@pytest.mark.parametrize(
    "what",
    "static dynamic sections barrier tasks taskgroup taskloop depend nested untied ordered "
    "task_reduction exclusive".split(),
)
def test_the_dag_of_openmp_has_the_span(
    what: str, compile: Callable[..., Path], tmp_path: Path
) -> None:
    profile, dag = recorded([compile("openmp_order.c", "-O1", "-fopenmp"), what], tmp_path)
    assert longest_path(dag) == profile.span
    assert profile.span < profile.work


@pytest.mark.parametrize("how", "none async mutex join condition semaphore barrier pipe".split())
def test_the_dag_of_threads_has_the_span(
    how: str, compile: Callable[..., Path], tmp_path: Path
) -> None:
    profile, dag = recorded([compile("ordered_threads.cpp", "-O1"), how], tmp_path)
    assert longest_path(dag) == profile.span


def test_a_dag_of_many_strands_is_folded(tmp_path: Path) -> None:
    program = compiled("gcc", "-O2", *cilk_flags("gcc"), CILK / "quicksort.c")
    profile, dag = recorded([program, "500000"], tmp_path)
    assert profile.spawns > 300_000
    assert dag.grain > 0
    assert 5_000 < len(dag.strands) < 40_000
    assert profile.span <= longest_path(dag) < 1.01 * profile.span
    assert (tmp_path / "profile").stat().st_size < 10_000_000
    partition = {i for i in range(len(dag.paths)) if "partition" in list(callees(dag, i))[:1]}
    work = sum(p.work for s in dag.strands for p in s.parts if p.path in partition)
    own = sum(s.on_work.local.work for s in profile.sites if s.callee.name == "partition")
    assert work == pytest.approx(own, rel=0.01)


def test_threads_stand_under_where_they_were_created(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    _, dag = recorded([compile("ordered_threads.cpp", "-O1"), "none"], tmp_path)
    bodies = [
        path
        for strand in dag.strands
        if strand.thread > 1
        for path in (list(callees(dag, part.path)) for part in strand.parts)
    ]
    assert bodies
    assert all("main" in path for path in bodies)


def test_a_strand_is_of_the_thread_that_begins_it(tmp_path: Path) -> None:
    """Not of the one that created that thread."""
    source = TESTS.parent / "bench" / "programs" / "bottlenecks" / "imbalance_primes.c"
    _, dag = recorded([compiled("gcc", "-O2", "-g", source)], tmp_path)
    counting = {
        strand.thread
        for strand in dag.strands
        if strand.parts and "count_primes" in callees(dag, strand.largest.path)
    }
    assert len(counting) == 4 and not counting & {0, 1}


def test_each_task_of_a_loop_has_the_cost_of_making_it(tmp_path: Path) -> None:
    """Also where the thread that makes them executes nothing of the program in between."""
    source = TESTS.parent / "bench" / "programs" / "bottlenecks" / "grain_taskloop.c"
    profile, dag = recorded([compiled("gcc", "-O2", "-fopenmp", source)], tmp_path)
    assert profile.spawns >= 24_000
    assert sum(overheads(dag).values()) > 20 * profile.spawns


def dags_by_threads(command: Command, folder: Path, *options: str) -> dict[int, Dag]:
    """Of runs with 2, 4 and 8 threads of OpenMP. How many of them bind the same routine at its first call, and how
    often one spins before it sleeps, is up to how they meet: a spin of libgomp's is 0.14 % of the time of chunked_loops.
    """
    alike = {"LD_BIND_NOW": "1", "OMP_WAIT_POLICY": "passive"}
    dags: dict[int, Dag] = {}
    for threads in (2, 4, 8):
        environment = {**os.environ, **alike, "OMP_NUM_THREADS": str(threads)}
        shadow(command, folder / "profile", *options, env=environment)
        read = read_work_span(str(folder / "profile")).dag
        assert read is not None
        dags[threads] = read
    return dags


@pytest.mark.parametrize(
    ("compiler", "what"),
    [("gcc", "triangle"), ("gcc", "several"), ("clang", "triangle"), ("clang", "whole")],
)
def test_divided_loops_are_predicted(compiler: str, what: str, tmp_path: Path) -> None:
    """From a run with two or four threads, the time that one with two or eight has."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} not installed")
    program = compiled(compiler, "-O1", "-g", "-fopenmp", TESTS / "programs" / "divided_loops.c")
    dags = dags_by_threads([program, what], tmp_path)
    of_run = ((2, 8), (4, 8))
    # What each thread does as a whole is done by as many threads as there were in the run.
    for of, to in of_run if what == "whole" else (*of_run, (4, 2)):
        real, stays = costs_of(dags[to], to), costs_of(dags[of], to)
        assert bool(stays.divided.anew) == (compiler == "clang")
        assert bool(stays.divided.kept) == (compiler == "gcc") and not real.divided.kept
        dag = dags[of]
        lines = {loop.line for path in stays.divided.kept if (loop := dag.paths[path].loop)}
        for line in lines:
            dag = parse_change(f"loop divided_loops.c:{line} static", dag, ())(dag, to)
        predicted = costs_of(dag, to)
        assert predicted.time == pytest.approx(real.time, rel=0.02)


@pytest.mark.parametrize(
    ("what", "loops", "of_gcc", "of_clang"),
    [
        ("rising", 1, 0.01, 0.01),
        ("uneven", 2, 0.01, 0.01),
        ("late", 1, 0.01, 0.01),
        # Of guided loops, the iterations of a chunk are interpolated: measured up to 0.3 % with gcc, 2.6 with clang.
        ("guided", 1, 0.006, 0.03),
        ("falling", 1, 0.002, 0.03),
        ("unsigned", 2, 0.002, 0.03),
    ],
)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_loops_in_chunks_are_predicted(
    compiler: str, what: str, loops: int, of_gcc: float, of_clang: float, tmp_path: Path
) -> None:
    """From runs with 2, 4 and 8 threads, the time that each of these has, whoever took the chunks."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} not installed")
    program = compiled(compiler, "-O1", "-g", "-fopenmp", TESTS / "programs" / "chunked_loops.c")
    dags = dags_by_threads([program, what], tmp_path)
    for threads, read in dags.items():
        chunks = chunks_of(read)
        assert len(chunks) == loops
        for of in chunks:  # all of the loop; a guided one as the library has it
            bounds = [0, *(share.end for share in of)]
            assert [share.begin for share in of] == bounds[:-1] and bounds[-1] == of[0].of
            if of[0].schedule != LoopSchedule.DYNAMIC:
                assert bounds == guided_bounds(of[0], threads)
    for to, dag in dags.items():
        real = costs_of(dag, to).time
        for read in dags.values():
            assert costs_of(read, to).time == pytest.approx(
                real, rel=of_gcc if compiler == "gcc" else of_clang
            )


@pytest.mark.parametrize(
    ("set_to", "gcc", "clang"),
    [
        (None, (LoopSchedule.DYNAMIC, 1), (LoopSchedule.BY_NUMBER, 0)),
        ("static", (LoopSchedule.BY_NUMBER, 0), (LoopSchedule.BY_NUMBER, 0)),
        ("dynamic,20", (LoopSchedule.DYNAMIC, 20), (LoopSchedule.DYNAMIC, 20)),
        ("monotonic:Guided, 3", (LoopSchedule.GUIDED, 3), (LoopSchedule.GUIDED_BY_HALF, 3)),
        ("static,50", None, None),  # dealt out in turn
        ("auto", None, (LoopSchedule.GUIDED_BY_HALF, 1)),  # gcc: like static,1
    ],
)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_schedule_of_the_environment_is_known(
    compiler: str,
    set_to: str | None,
    gcc: tuple[LoopSchedule, int] | None,
    clang: tuple[LoopSchedule, int] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the loop is predicted for other numbers of threads than those of the run."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} not installed")
    if set_to is not None:
        monkeypatch.setenv("OMP_SCHEDULE", set_to)
    program = compiled(compiler, "-O1", "-g", "-fopenmp", TESTS / "programs" / "chunked_loops.c")
    dags = dags_by_threads([program, "runtime"], tmp_path)
    for dag in dags.values():
        schedules = {
            (share.schedule, share.chunk)
            for share in (strand.share for strand in dag.strands)
            if share is not None and share.iterations
        }
        expected = gcc if compiler == "gcc" else clang
        assert schedules == ({expected} if expected is not None else set())
    if (gcc if compiler == "gcc" else clang) is not None:
        for to, dag in dags.items():
            real = costs_of(dag, to).time
            for read in dags.values():
                assert costs_of(read, to).time == pytest.approx(real, rel=0.03)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_schedule_that_the_program_sets_is_known(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} not installed")
    program = compiled(compiler, "-O1", "-g", "-fopenmp", TESTS / "programs" / "chunked_loops.c")
    for threads, dag in dags_by_threads([program, "set"], tmp_path).items():
        chunks = chunks_of(dag)
        assert len(chunks) == 2
        for of in chunks:
            assert of[0].chunk == 2
            assert [0, *(share.end for share in of)] == guided_bounds(of[0], threads)


@pytest.mark.parametrize("what", ["uneven", "late"])
def test_loops_whose_chunks_were_folded_are_predicted(what: str, tmp_path: Path) -> None:
    """Of 300 and 600 chunks in some 110 and 70 strands, within 1.2 % in five runs each."""
    program = compiled("gcc", "-O1", "-g", "-fopenmp", TESTS / "programs" / "chunked_loops.c")
    _, whole = recorded([program, what], tmp_path)
    folded = dags_by_threads([program, what], tmp_path, "--dag-strands=200")
    for dag in folded.values():
        assert dag.grain > 0
        assert len(chunks_of(dag)[0]) < len(chunks_of(whole)[0]) / 2
        for processors in (2, 4, 8):
            real = costs_of(whole, processors).time
            assert costs_of(dag, processors).time == pytest.approx(real, rel=0.03)


def chunks_of(dag: Dag) -> list[list[Share]]:
    """Of each loop, in order."""
    found: dict[int, list[Share]] = {}
    for share in (strand.share for strand in dag.strands):
        if share is not None and share.schedule and share.begin < share.end:
            found.setdefault(share.division, []).append(share)
    return [sorted(shares, key=lambda share: share.begin) for shares in found.values()]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_only_chunks_that_any_thread_may_take_are_told(compiler: str, tmp_path: Path) -> None:
    """Of a loop with a lock in it, and of one with gcc's default schedule; not of ordered loops and sections."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} not installed")
    program = compiled(compiler, "-O1", "-g", "-fopenmp", TESTS / "programs" / "chunked_loops.c")
    _, dag = recorded([program, "others"], tmp_path)
    chunks, *others = chunks_of(dag)
    assert [len(of) for of in others] == [600] * (compiler == "gcc")
    assert [(share.begin, share.end, share.chunk) for share in chunks] == [
        (begin, begin + 20, 20) for begin in range(0, 600, 20)
    ]


def test_loops_in_chunks_may_have_no_iterations(tmp_path: Path) -> None:
    program = compiled("gcc", "-O1", "-g", "-fopenmp", TESTS / "programs" / "empty_chunks.c")
    shadow([program], tmp_path / "profile")
    dag = read_work_span(str(tmp_path / "profile")).dag
    assert dag is not None
    (chunks,) = chunks_of(dag)
    assert len(chunks) == chunks[0].of == 100


def evenly(count: int, width: int, iterations: int) -> list[tuple[int, int, int, int]]:
    of = count * width
    return [(n * width, (n + 1) * width, of, iterations) for n in range(count)]


BY_NUMBER = evenly(4, 1, 0)


@pytest.mark.parametrize(
    ("compiler", "what", "divisions"),
    [
        ("clang", "mixed", [evenly(2, 1, 2), evenly(4, 1, 100), evenly(4, 20, 80)]),
        ("clang", "asking", [BY_NUMBER[:1], evenly(4, 20, 80), evenly(4, 25, 100)]),
        ("gcc", "mixed", [BY_NUMBER] * 3),
        ("gcc", "asking", [BY_NUMBER] * 2),
    ],
)
def test_shares_are_those_of_the_threads(
    compiler: str, what: str, divisions: list[object], tmp_path: Path
) -> None:
    """clang: of each loop, although not all threads have one, and not of sections and tasks. gcc: from one barrier
    to the next."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} not installed")
    program = compiled(compiler, "-O1", "-g", "-fopenmp", TESTS / "programs" / "divided_loops.c")
    _, dag = recorded([program, what], tmp_path)
    found: dict[int, list[tuple[int, int, int, int]]] = {}
    for share in (strand.share for strand in dag.strands if strand.share is not None):
        if share.end - share.begin < share.of:  # or it but ends another
            of = found.setdefault(share.division, [])
            of.append((share.begin, share.end, share.of, share.iterations))
    assert sorted(map(sorted, found.values())) == divisions


def test_a_thread_that_was_taken_for_another_teams_has_shares(tmp_path: Path) -> None:
    """It has met six loops by then. Of twelve, its team has the others' shares of the first six, and all shares of the
    rest."""
    if shutil.which("clang") is None:
        pytest.skip("clang not installed")
    program = compiled("clang", "-O1", "-g", "-fopenmp", TESTS / "programs" / "teams_alike.c")
    _, dag = recorded([program], tmp_path)
    shares = Counter(
        strand.share.division
        for strand in dag.strands
        if strand.share is not None and strand.share.iterations
    )
    assert sorted(shares.values()) == [1] * 6 + [2] * 6 + [3] * 6


def overheads(dag: Dag, *callee: str) -> dict[str, int]:
    """By kind; on paths that end in a callee, if given."""
    found = dict.fromkeys(OVERHEAD_KINDS, 0)
    for strand in dag.strands:
        for part in strand.parts:
            if list(callees(dag, part.path))[: len(callee)] == list(callee):
                for kind, amount in zip(OVERHEAD_KINDS, part.overheads):
                    found[kind] += amount
    return found


def test_overhead_by_kind_is_exact(compile: Callable[..., Path], tmp_path: Path) -> None:
    """Of a library in assembly, whose instructions are counted: main calls one routine seven times."""
    _, dag = recorded([compile("overhead_kinds.c", "-O1", "-Wl,-z,now")], tmp_path)
    nops_and_returns = {"team": 11, "inner": 31, "malloc": 41 + 1, "futex": 51}
    assert overheads(dag, "main") == {
        "scheduling": nops_and_returns["team"],
        "synchronisation": 7 * (29 + nops_and_returns["inner"]),
        "waiting": nops_and_returns["futex"],
        "spinning": 7 * 12,
        "allocation": 7 * (nops_and_returns["malloc"] + nops_and_returns["inner"]),
        "linking": 0,
        "unknown": 0,
    }


@pytest.mark.parametrize(
    ("source", "flags", "what", "kinds"),
    [
        ("openmp_order.c", ["-fopenmp"], "tasks", "scheduling synchronisation allocation"),
        (
            "tbb_order.cpp",
            ["-Wl,--no-as-needed", "-ltbb"],
            "group",
            "scheduling synchronisation allocation",
        ),
        ("ordered_threads.cpp", [], "condition", "scheduling synchronisation allocation waiting"),
    ],
)
def test_overhead_by_kind_of_real_libraries(
    source: str,
    flags: list[str],
    what: str,
    kinds: str,
    compile: Callable[..., Path],
    tmp_path: Path,
) -> None:
    _, dag = recorded([compile(source, "-O1", *flags), what], tmp_path)
    found = overheads(dag)
    assert set(kinds.split()) <= {kind for kind, amount in found.items() if amount}
    total = costs_of(dag, 4).total
    assert total.overheads == tuple(found.values())
    assert total.overhead == sum(strand.overhead for strand in dag.strands)


def test_without_dag_the_profile_has_none(compile: Callable[..., Path], tmp_path: Path) -> None:
    program = compile("ordered_threads.cpp", "-O1")
    shadow([program, "none"], tmp_path / "profile", "--dag=no")
    assert read_work_span(str(tmp_path / "profile")).dag is None
    assert b"\nstrand " not in (tmp_path / "profile").read_bytes()


def test_a_dag_that_does_not_fold_is_given_up(compile: Callable[..., Path], tmp_path: Path) -> None:
    program = compile("wavefront.c", "-O1", "-fopenmp")
    profile, dag = recorded([program, "60"], tmp_path)
    assert dag.grain == 0
    assert longest_path(dag) == profile.span
    given_up = shadow([program, "200"], tmp_path / "profile", "--dag-strands=10000")
    assert given_up.spawns >= 40_000
    assert read_work_span(str(tmp_path / "profile")).dag is None


def test_a_dag_that_does_not_fold_may_have_three_times_as_many_strands(
    compile: Callable[..., Path], tmp_path: Path
) -> None:
    """Of threads that are joined one after the other: three for each thread."""
    program = compile("many_threads.c", "-O1")
    whole = recorded([program, "3000", "1000"], tmp_path, "--dag-strands=1000000")[1]
    profile, kept = recorded([program, "3000", "1000"], tmp_path, "--dag-strands=4000")
    assert whole.grain == 0 and len(whole.strands) > 9000
    assert 4000 < len(kept.strands) <= 12_000
    assert longest_path(kept) == pytest.approx(profile.span, rel=0.001)
    one, other = costs_of(whole, 2), costs_of(kept, 2)
    assert other.time == pytest.approx(one.time, rel=0.01)


def path_names(dag: Dag, path: int) -> tuple[str, ...]:
    return tuple(callees(dag, path))


@pytest.mark.parametrize(
    ("source", "size", "most"),
    [("quicksort.c", 100_000, 8000), ("nqueens.c", 8, 2000), ("mergesort.c", 20_000, 2000)],
)
def test_a_folded_dag_has_the_schedule_of_the_whole_one(
    source: str, size: int, most: int, tmp_path: Path
) -> None:
    """On 8 processors: its time, and the idleness of each path that has a hundredth or more."""
    program = compiled("gcc", "-O1", *cilk_flags(), CILK / source)
    compare_folded([program, str(size)], most, tmp_path)


def test_a_folded_dag_of_tbb_has_the_schedule_of_the_whole_one(tmp_path: Path) -> None:
    """Of 7,999 tasks of a loop with a grain of one, which end in a tree of joins. Half of the runs do not fold to
    1,000 strands, as several threads take tasks; all of ten fold to 1,800."""
    source = TESTS.parent / "bench" / "programs" / "bottlenecks" / "grain_tbb.cpp"
    flags = ("-O2", "-g", source, "-Wl,--no-as-needed", "-ltbb")
    compare_folded([compiled("g++", *flags)], 4000, tmp_path)


def test_a_folded_dag_of_openmp_tasks_has_the_schedule_of_the_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 6,862 tasks, most of which fold when they are waited for. With one thread, as how long others take to begin
    differs from run to run by 1 % of this program's time."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    source = TESTS.parent / "bench" / "programs" / "bottlenecks" / "grain_fib.c"
    compare_folded([compiled("gcc", "-O2", "-g", "-fopenmp", source)], 2000, tmp_path)


def compare_folded(command: list[Path | str], most: int, folder: Path) -> None:
    whole = recorded(command, folder, "--dag-strands=1000000")[1]
    profile, folded = recorded(command, folder, f"--dag-strands={most}")
    assert ("dag-strands", str(most)) in profile.options
    assert whole.grain == 0 and len(whole.strands) > 2 * most
    assert folded.grain > 0 and len(folded.strands) <= most
    one, other = costs_of(whole, 8), costs_of(folded, 8)
    assert other.time == pytest.approx(one.time, rel=0.01)
    idle = [
        {path_names(of.dag, p): c.idleness / of.total.effort for p, c in enumerate(of.inclusive)}
        for of in (one, other)
    ]
    assert max(idle[0].values()) > 0.01
    for path, share in idle[0].items():
        if share >= 0.01:
            assert idle[1].get(path, 0) == pytest.approx(share, abs=0.02)
