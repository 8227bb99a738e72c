"""Call edges and calling contexts of programs whose calls are known."""

from __future__ import annotations

import pytest

from running import Profiled, check_totals, contexts, edges, run as run_natively, sql
from running import VG_IN_PLACE

TOOL = [VG_IN_PLACE, "--tool=aprof-trms"]


@pytest.fixture(scope="module", params=["-O2", "-O0"])
def known(request, compile, module_profile):
    flags = [request.param, "-fno-optimize-sibling-calls"] if request.param == "-O0" else []
    run = module_profile([compile("calls.c", "-Wl,-z,lazy", *(flags or ["-O2"]))], "--contexts=yes")
    assert run.process.returncode == 0
    check_totals(run)
    return run


def calls_of(run: Profiled, callee: str) -> dict[str, int]:
    return {caller: edge.calls for (caller, name), edge in edges(run).items() if name == callee}


def test_who_called_how_often(known):
    # tree(3) has 8 leaves; the mutual recursion 3 + 3 + 2; catches 2; threads 10 + 20, and two each
    # from tree(1).
    leaf = {"tree": 8 + 4, "red": 3, "green": 3, "blue": 2, "catches": 2, "work": 30}
    assert calls_of(known, "leaf") == leaf
    assert calls_of(known, "red") == {"main": 1, "blue": 2}
    assert calls_of(known, "green") == {"red": 3}
    assert calls_of(known, "blue") == {"green": 2}
    assert calls_of(known, "apply") == {"main": 5}
    assert calls_of(known, "add") == {"apply": 3}
    assert calls_of(known, "subtract") == {"apply": 2}
    assert calls_of(known, "chain") == {"main": 4}
    assert calls_of(known, "end_of_chain") == {"chain": 4}
    assert calls_of(known, "catches") == {"main": 2}
    assert calls_of(known, "down") == {"catches": 2, "down": 4}
    # An interrupted routine calls no handler.
    assert calls_of(known, "handler") == {"": 3}
    assert calls_of(known, "handled") == {"handler": 3}
    assert calls_of(known, "leave") == {"main": 1, "leave": 2}
    # Lazy binding is between nobody: the library's routines were called by whose calls they are.
    assert calls_of(known, "raise") == {"main": 3}
    assert calls_of(known, "signal") == {"main": 1} or calls_of(known, "__bsd_signal") == {
        "main": 1
    }


def test_recursion_of_a_tree(known):
    # gcc makes the second call a loop at -O2: what it calls directly, it calls either way.
    tree = calls_of(known, "tree")
    assert tree["main"] == 1 and tree["work"] == 2
    total = known.routine("tree")
    assert sum(tree.values()) == total["calls"]
    from_main, from_work = (edges(known)[caller, "tree"] for caller in ("main", "work"))
    nested = edges(known)["tree", "tree"]
    assert nested.outermost == 0 < nested.inclusive
    assert from_main.outermost == from_main.inclusive
    assert from_main.outermost + from_work.outermost == total["cost"]["bb"]["inclusive"]


def test_costs_of_mutual_recursion(known):
    found = edges(known)
    first, again = found["main", "red"], found["blue", "red"]
    assert first.inclusive == first.outermost == known.routine("red")["cost"]["bb"]["inclusive"]
    assert again.outermost == 0 and 0 < again.inclusive < 2 * first.inclusive
    into_green = found["red", "green"]
    assert into_green.inclusive > into_green.outermost > 0
    assert into_green.outermost == known.routine("green")["cost"]["bb"]["inclusive"]


def test_unfinished_calls_and_their_cost(known):
    found = edges(known)
    assert (found["main", "leave"].unfinished, found["leave", "leave"].unfinished) == (
        1,
        2,
    )
    assert found["main", "leave"].outermost == known.routine("leave")["cost"]["bb"]["inclusive"] > 0
    assert found["leave", "exit"].calls == found["leave", "exit"].unfinished == 1
    # A jump ends what it leaves.
    assert found["down", "down"].unfinished == 0


def below_main(run):
    """Contexts of the program's own routines, without what is above main."""
    own = {}
    for path, numbers in contexts(run).items():
        if "main" in path:
            own[path[path.index("main") + 1 :]] = numbers
    return own


def test_contexts(known):
    own = below_main(known)
    leaves = {path[:-1]: numbers.calls for path, numbers in own.items() if path[-1:] == ("leaf",)}
    assert leaves == {
        ("tree",): 8,
        ("red",): 3,
        ("red", "green"): 3,
        ("red", "green", "blue"): 2,
        ("catches",): 2,
    }
    # Who recurs is where it was first.
    assert own["red",].calls == own["red", "green"].calls == 3
    assert own["red", "green", "blue"].calls == 2
    assert not any(path.count(name) > 1 for path in contexts(known) for name in path)
    assert own["catches", "down"].calls == 6
    assert (own["leave",].calls, own["leave",].unfinished) == (3, 3)
    assert own["chain", "end_of_chain"].calls == 4
    assert own["apply", "subtract"].calls == 2
    # A handler and a thread are roots.
    roots = {path: numbers.calls for path, numbers in contexts(known).items() if len(path) <= 2}
    assert roots["handler",] == 3 and roots["handler", "handled"] == 3
    assert not any("handler" in path[1:] for path in contexts(known))
    in_threads = {
        path[path.index("work") :]: numbers.calls
        for path, numbers in contexts(known).items()
        if "work" in path
    }
    assert in_threads["work", "leaf"] == 30 and in_threads["work", "tree", "leaf"] == 4


def test_inclusive_cost_of_contexts_is_that_of_the_tree(known):
    found = contexts(known)
    for path, numbers in found.items():
        children = [n for p, n in found.items() if len(p) == len(path) + 1 and p[:-1] == path]
        assert numbers.inclusive == numbers.own + sum(child.inclusive for child in children)
    # Without recursion it is the activations' own.
    own = below_main(known)
    chain = known.routine("chain")["cost"]["bb"]["inclusive"]
    assert own["chain",].inclusive == chain
    # red's outermost activation holds green's and blue's.
    assert own["red",].inclusive == known.routine("red")["cost"]["bb"]["inclusive"]


def numbers_of(run: Profiled) -> list[str]:
    """The tables of routines with points and callers, as written."""
    (path,) = run.paths
    lines = path.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("table "))
    last = next(
        (i for i, line in enumerate(lines) if line.startswith(("contexts ", "loops "))),
        len(lines) - 1,
    )
    return lines[first:last]


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--max-points=100"],
        ["--cost=both", "--separate-threads=no"],
        ["--toggle-collect=r*"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("most", ["50000", "100", "1"])
def test_tables_are_the_same_with_contexts_and_without(most, options, compile, profile):
    program = compile("calls.c")
    command = [program, "40", "alone"]
    plain = profile(command, *options)
    with_contexts = profile(command, "--contexts=yes", f"--max-contexts={most}", *options)
    assert numbers_of(plain) == numbers_of(with_contexts)
    assert plain.lines("contexts") == [] == plain.lines("context")
    for run in (plain, with_contexts):
        run.report()  # read and checked


def test_points_of_contexts_add_up(compile, profile):
    run = profile([compile("calls.c"), "40", "alone"], "--contexts=yes", "--cost=instr")
    tables: dict[tuple[str, ...], list[int]] = {}
    in_contexts: dict[tuple[str, ...], list[int]] = {}
    (path,) = run.paths
    for line in path.read_text().splitlines():
        words = line.split(" ")
        if words[0] in ("table", "context"):
            owner = tuple(words[1:3] if words[0] == "table" else words[3:5])
            into = tables if words[0] == "table" else in_contexts
        elif words[0] == "points":
            metric = words[1]
        elif len(words) == 12 and words[0].isdigit():
            size, *numbers = map(int, words)
            key = (*owner, metric, str(size))
            known = into.setdefault(key, [0, 0, 0, 2**64, 0, 0, 0, 2**64, 0, 0, 0])
            for i, number in enumerate(numbers):
                merge = {3: min, 7: min, 4: max, 8: max}.get(i, int.__add__)
                known[i] = merge(known[i], number)
    assert in_contexts == tables


def test_a_million_deep(compile, profile):
    run = profile(
        [compile("recursion.c", "-O1"), "1000000"],
        "--contexts=yes",
        "--main-stacksize=200000000",
    )
    assert run.process.stdout == b"1000121\n"
    check_totals(run)
    own = below_main(run)
    colours = {path: numbers.calls for path, numbers in own.items() if path and path[-1] in COLOURS}
    (red,) = [path for path in colours if path[-1] == "red"]
    assert colours == {
        red: 333334,
        (*red, "green"): 333334,
        (*red, "green", "blue"): 333333,
    }
    assert calls_of(run, "red")["blue"] == 333333
    assert len(run.lines("context")) < 2000


COLOURS = ("red", "green", "blue")


def test_too_many_contexts_are_merged_and_said_so(compile, profile, tmp_path):
    program = compile("calls.c")
    command = [program, "40", "alone"]
    run = profile(command, "--contexts=yes", "--max-contexts=50", libc_names=True)
    check_totals(run)
    ((count, merged_calls),) = run.lines("contexts")
    records = run.lines("context")
    assert len(records) == int(count)
    assert sum(fields[1] != "-" for fields in records) == 50
    in_merged = [int(fields[4]) for fields in records if fields[1] == "-"]
    assert sum(in_merged) == int(merged_calls) > 0
    # One for each routine and thread.
    places = [tuple(fields[2:4]) for fields in records if fields[1] == "-"]
    assert len(set(places)) == len(places)
    loud = run_natively(
        [
            *TOOL,
            "--contexts=yes",
            "--max-contexts=50",
            f"--aprof-out-file={tmp_path}/q",
            *command,
        ]
    )
    message = f"more than 50 calling contexts: {int(merged_calls):,} activations beyond them"
    assert message.encode() in loud.stderr
    assert (
        b"calling contexts"
        not in run_natively(
            [*TOOL, "--contexts=yes", f"--aprof-out-file={tmp_path}/r", *command]
        ).stderr
    )


def test_recursion_through_coroutines_and_exceptions(compile, profile):
    for source in ("coroutines.c", "unwinding.cpp", "signals.c", "control_flow.c"):
        run = profile([compile(source)], "--contexts=yes")
        check_totals(run)


def test_forked_children_begin_with_nothing(compile, profile):
    run = profile([compile("trouble.c"), "fork", "3"], "--contexts=yes")
    assert len(run.paths) == 4
    check_totals(run)
    for path in run.paths:
        process = Profiled(run.process, [path])
        main = calls_of(process, "main")
        roots = [path for path, numbers in contexts(process).items() if path[-1] == "work"]
        if main:
            assert not roots or all(len(path) > 1 for path in roots)
        else:
            # What was pending at the fork is not recorded: its callees are roots.
            assert edges(process)["", "work"].calls == 1 and roots == [("work",)]


def test_real_program(profile):
    run = profile(["sqlite3", ":memory:", sql(100)], "--contexts=yes")
    check_totals(run)
    assert len(run.lines("context")) > 1000
