"""Call edges and calling contexts: checks of the reader, and merging."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from builder import Builder, Context, Table, rewrite, with_end

from aprofplot.commands.loading import load_profiles
from aprofplot.errors import ProfileError
from aprofplot.merge import join_profiles
from aprofplot.read.profile_reader import read_profile

ROUTINES = (("main", 1, 1, 10), ("f", 1, 1, 20), ("g", 1, 1, 30))
MAIN, F, G = 1, 2, 3


def recursion(**more):
    """main calls f, f calls g, g calls f again; then main calls g. In f > g > f the second f is in
    the context of the first."""
    f_points = [(1, 1, 10, 10, 10), (2, 1, 2, 2, 2)]
    g_points = [(1, 2, 3, 4, 7)]
    main = Table(MAIN, [(9, 1, 30, 30, 30)], **more)
    f = Table(F, f_points, callers=[(MAIN, 1, 0, 10, 10), (G, 1, 0, 2, 2)], **more)
    g = Table(G, g_points, callers=[(MAIN, 1, 0, 3, 3), (F, 1, 0, 4, 4)], **more)
    contexts = [
        Context(0, main),
        Context(1, f),
        Context(2, Table(G, [(1, 1, 4, 4, 4)], **more)),
        Context(1, Table(G, [(1, 1, 3, 3, 3)], **more)),
    ]
    return [main, f, g], contexts


def written(tmp_path, name="p", **options):
    tables, contexts = recursion()
    builder = Builder(routines=ROUTINES, tables=tables, contexts=contexts, **options)
    return builder.write(tmp_path / name)


def edges(profile):
    return {(e.caller.name, e.callee.name): e for e in profile.calls}


def paths(profile):
    """The names on the path to each context."""
    found = []
    for context in profile.contexts:
        above = () if context.parent < 0 else found[context.parent]
        found.append((*above, context.profile.routine.name))
    return dict(zip(found, (context.profile for context in profile.contexts)))


def test_edges_and_contexts_are_read(tmp_path):
    profile = read_profile(str(written(tmp_path, events=("bb", "instr"))))
    assert {key: edge.calls for key, edge in edges(profile).items()} == {
        ("main", "f"): 1,
        ("g", "f"): 1,
        ("main", "g"): 1,
        ("f", "g"): 1,
    }
    assert edges(profile)["f", "g"].cost == {"bb": 4, "instr": 8}
    contexts = paths(profile)
    assert list(contexts) == [
        ("main",),
        ("main", "f"),
        ("main", "f", "g"),
        ("main", "g"),
    ]
    costs = {path: (c.cost["bb"].inclusive, c.cost["bb"].own) for path, c in contexts.items()}
    assert costs[("main",)] == (30 + 12 + 4 + 3, 30)
    assert costs["main", "f"] == (12 + 4, 12)
    assert costs["main", "f", "g"] == (4, 4)
    assert contexts["main", "g"].points["trms"].column("bb.max").tolist() == [3]


def test_numbers_of_edges_are_exact(tmp_path):
    large = 2**63 + 5
    table = Table(2, [], unfinished=1, extra_cost=large, callers=[(1, 1, 1, large, large)])
    main = Table(1, [], unfinished=1)
    path = Builder(tables=[main, table]).write(tmp_path / "p")
    (edge,) = read_profile(str(path)).calls
    assert (edge.cost, edge.outermost, edge.unfinished) == (
        {"bb": large},
        {"bb": large},
        1,
    )
    joined = [str(path)] * 2
    (edge,) = load_profiles(joined, per_thread=False).calls
    assert (edge.cost, edge.calls) == ({"bb": 2 * large}, 2)


@pytest.mark.parametrize(
    "record, changed, says",
    [
        ("\n1 1 0 10 10\n", "\n1 2 0 10 10\n", "have 3 calls where the table has 2"),
        (
            "\n1 1 0 10 10\n",
            "\n1 1 1 10 10\n",
            "have 1 unfinished calls where the table has 0",
        ),
        ("\n1 1 0 10 10\n", "\n1 1 0 10 9\n", "have 11 bb of outermost calls"),
        ("\n1 1 0 10 10\n", "\n1 1 0 9 10\n", "the outermost calls cost more than all"),
        ("\n1 1 0 10 10\n", "\n1 1 2 10 10\n", "1 calls, 2 of them unfinished"),
        ("\n1 1 0 10 10\n", "\n3 1 0 10 10\n", "callers do not ascend"),
        ("\n3 1 0 2 2\n", "\n4 1 0 2 2\n", "routine 4 is used before"),
        (
            "\n1 1 0 10 10\n",
            "\n1 1 0 10\n",
            "caller line with 4 columns where 5 were expected",
        ),
        ("\n1 1 0 10 10\n", f"\n1 1 0 {2**64} 10\n", "64 bits do not hold"),
        (
            "callers 2\n1 1 0 10",
            "callers 3\n1 1 0 10",
            "caller line 'table 1 3.* not all numbers",
        ),
        ("callers 2\n1 1 0 10", "callers 9999\n1 1 0 10", "more than lines are left"),
        ("contexts 4 0", "contexts 5 0", "4 contexts where 5 were announced"),
        ("contexts 4 0", "contexts 4 1", "0 calls in merged contexts, not 1"),
        ("contexts 4 0\n", "", "before the 'contexts' record"),
        ("context 3 2 1 3", "context 3 4 1 3", "context 4 is used before"),
        (
            "context 3 2 1 3",
            "context 3 - 1 3",
            "in merged contexts|not that of the context",
        ),
        ("context 3 2 1 3", "context 2 2 1 3", "context 2 where 3 was expected"),
        ("context 3 2 1 3", "context 3 2 1 1", "routine 1 is twice on a path"),
        ("context 3 2 1 3", "context 3 1 1 3", "there already"),
        ("context 3 2 1 3", "context 3 2 7 3", "thread 7 is used before"),
        (
            "context 2 1 1 2 2 0 0 0 16 12",
            "context 2 1 1 2 2 0 0 0 17 12",
            "inclusive bb is not",
        ),
        ("context 3 2 1 3 1 0 0 0", "context 3 2 1 3 1 0 1 0", "do not add up to this"),
    ],
)
def test_what_the_format_promises(tmp_path, record, changed, says):
    path = written(tmp_path)
    rewrite(path, (record, changed))
    with pytest.raises(ProfileError, match=says) as raised:
        read_profile(str(path))
    assert re.search(r"/p:\d+: ", str(raised.value))


def test_self_costs_of_contexts_are_the_table_s(tmp_path):
    path = written(tmp_path)
    rewrite(
        path,
        (" 1 0 0 0 49 30\n", " 1 0 0 0 50 30\n"),
        (" 1 0 0 0 3 3\n", " 1 0 0 0 4 4\n"),
    )
    with pytest.raises(ProfileError, match="do not add up to this"):
        read_profile(str(path))


def test_no_table_after_the_contexts_and_no_block_left_out(tmp_path):
    body = written(tmp_path).read_text().rsplit("end ", 1)[0]
    for without in (r"(?m)^callers 2\n.*\n.*\n", r"(?m)^points rms 1 0\n.*\n"):
        (tmp_path / "p").write_text(with_end(re.sub(without, "", body, count=1)))
        with pytest.raises(ProfileError, match="are missing|were expected"):
            read_profile(str(tmp_path / "p"))
    table = re.search(r"(?ms)^table 1 3.*?(?=^contexts)", body)[0]
    (tmp_path / "p").write_text(with_end(body.replace(table, "") + table))
    with pytest.raises(ProfileError, match="after the contexts"):
        read_profile(str(tmp_path / "p"))


def test_profiles_merge_by_path(tmp_path):
    first = written(tmp_path, "1", pid=1)
    # The same program, its routines under other numbers, and only main > g.
    main = Table(2, [(9, 1, 5, 5, 5)])
    g = Table(1, [(1, 1, 8, 8, 8)], callers=[(2, 1, 0, 8, 8)])
    second = Builder(
        routines=(ROUTINES[2], ROUTINES[0]),
        tables=[g, main],
        contexts=[Context(0, main), Context(1, g)],
        pid=2,
    ).write(tmp_path / "2")
    profile = load_profiles([str(first), str(second)], per_thread=False)
    merged = paths(profile)
    assert sorted(merged) == [
        ("main",),
        ("main", "f"),
        ("main", "f", "g"),
        ("main", "g"),
    ]
    both = merged["main", "g"]
    assert (both.calls, both.cost["bb"].inclusive, len(both.threads)) == (2, 3 + 8, 2)
    assert both.points["trms"].column("bb.max").tolist() == [8]
    assert merged[("main",)].cost["bb"].inclusive == 49 + 13
    assert merged["main", "f", "g"].calls == 1
    edge = edges(profile)["main", "g"]
    assert (edge.calls, edge.cost, len(edge.threads)) == (2, {"bb": 11}, 2)
    assert edge.outermost == {"bb": 11}
    assert len(profile.calls) == 4


def threads_of_one_profile(tmp_path):
    tables, contexts = recursion()
    more_tables, more_contexts = recursion(thread=2)
    shifted = [Context(c.parent and c.parent + len(contexts), c.table) for c in more_contexts]
    builder = Builder(
        routines=ROUTINES,
        threads=("", "worker"),
        tables=tables + more_tables,
        contexts=contexts + shifted,
    )
    return str(builder.write(tmp_path / "p"))


def test_threads_merge_or_stay_apart(tmp_path):
    path = threads_of_one_profile(tmp_path)
    together = load_profiles([path], per_thread=False)
    assert (len(together.calls), len(together.contexts)) == (4, 4)
    assert {edge.calls for edge in together.calls} == {2}
    assert paths(together)["main", "f"].cost["bb"].inclusive == 2 * 16
    apart = load_profiles([path], per_thread=True, calls_per_thread=True)
    assert (len(apart.calls), len(apart.contexts)) == (8, 8)
    assert {(edge.calls, len(edge.threads)) for edge in apart.calls} == {(1, 1)}
    for context in apart.contexts:
        if context.parent >= 0:
            parent = apart.contexts[context.parent].profile
            assert parent.threads == context.profile.threads
    only_routines = load_profiles([path], per_thread=True)
    assert [len(routine.threads) for routine in only_routines.routines] == [1] * 6
    assert [len(edge.threads) for edge in only_routines.calls] == [2] * 4
    assert edges(only_routines)["f", "g"].cost == edges(together)["f", "g"].cost


def test_a_parent_of_another_thread_or_a_merged_one_is_refused(tmp_path):
    for record, changed in [
        ("context 6 5 2 2", "context 6 1 2 2"),
        ("context 2 1 1 2", "context 2 - 1 2"),
    ]:
        path = Path(threads_of_one_profile(tmp_path))
        rewrite(path, (record, changed))
        with pytest.raises(ProfileError, match=r"p:\d+: .* is merged, or of another thread"):
            read_profile(str(path))


def test_contexts_are_in_the_order_of_threads(tmp_path):
    tables, contexts = recursion()
    (main, *_), _ = recursion(thread=2)
    path = Builder(
        routines=ROUTINES,
        threads=("", "worker"),
        tables=[*tables, main],
        contexts=[Context(0, main)]
        + [Context(c.parent and c.parent + 1, c.table) for c in contexts],
    ).write(tmp_path / "p")
    with pytest.raises(ProfileError, match="contexts are not in the order of threads"):
        read_profile(str(path))


@pytest.mark.parametrize("parent", ["-1", "--", "1 -", "- 1", "x"])
def test_only_a_lone_dash_stands_for_a_merged_context(tmp_path, parent):
    path = written(tmp_path)
    rewrite(path, ("context 3 2 1", f"context 3 {parent} 1"))
    with pytest.raises(ProfileError, match=r"p:\d+: (parent is|'context' with|.* is \S+, not a)"):
        read_profile(str(path))


def test_merged_contexts_stay_apart_from_others(tmp_path):
    g = Table(G, [(1, 2, 3, 4, 7)])
    one = Table(G, [(1, 1, 3, 3, 3)])
    other = Table(G, [(1, 1, 4, 4, 4)])
    path = Builder(
        routines=ROUTINES, tables=[g], contexts=[Context(0, one), Context(None, other)]
    ).write(tmp_path / "p")
    profile = load_profiles([str(path)] * 2, per_thread=False)
    assert [(c.merged, c.parent, c.profile.calls) for c in profile.contexts] == [
        (False, -1, 2),
        (True, -1, 2),
    ]


def test_only_common_events_are_kept(tmp_path):
    one = written(tmp_path, "1", events=("bb", "instr"))
    two = written(tmp_path, "2")
    joined = join_profiles([read_profile(str(path)) for path in (one, two)])
    assert {tuple(edge.cost) + tuple(edge.outermost) for edge in joined.calls} == {("bb", "bb")}
    assert {tuple(context.profile.cost) for context in joined.contexts} == {("bb",)}
    assert [context.parent for context in joined.contexts] == [-1, 0, 1, 0, -1, 4, 5, 4]
