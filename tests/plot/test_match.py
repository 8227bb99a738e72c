"""Matching the routines of OLD and NEW, although builds differ."""

from __future__ import annotations

import pytest
from builder import Builder, Table

from aprofplot.commands.loading import load_profiles
from aprofplot.compare.match import match_routines, plain_name, unversioned
from aprofplot.compare.renames import Rename, pairs_of

POINTS = [(1, 1, 2, 2, 2)]


def profile(path, names, objects=("/bin/app",), files=("/src/app.c",)):
    """`names`: (name, object number, file number); lines ascend."""
    given = [(*name, line) for line, name in enumerate(names, 1)]
    tables = [Table(i, POINTS) for i in range(1, len(given) + 1)]
    builder = Builder(routines=given, objects=objects, files=files, tables=tables)
    return load_profiles([str(builder.write(path))], False)


def routines(path, *names, **given):
    return profile(path, *names, **given).routines


def matched(tmp_path, old, new):
    """Each pair as (how, OLD's name and file's line, NEW's), and the names left on both sides."""
    found = match_routines(routines(tmp_path / "o", **old), routines(tmp_path / "n", **new))
    pairs = {
        (m.how, f"{m.old.routine.name}:{m.old.routine.line}", m.new.routine.line)
        for m in found.matches
    }
    return (
        pairs,
        [r.routine.name for r in found.vanished],
        [r.routine.name for r in found.new],
    )


def test_folders_do_not_matter(tmp_path):
    old = {"names": [("f", 1, 1)], "objects": ["/a/app"], "files": ["/a/f.c"]}
    new = {"names": [("f", 1, 1)], "objects": ["/b/app"], "files": ["/b/src/f.c"]}
    assert matched(tmp_path, old, new) == ({("same", "f:1", 1)}, [], [])


@pytest.mark.parametrize(
    "old, new",
    [
        ("libfoo.so.1.2", "libfoo.so.1.3"),
        ("libc-2.31.so", "libc.so.6"),
        ("libpython3.11.so.1.0", "libpython3.12.so.1.0"),
        ("libfoo.so", "libfoo.so.2"),
    ],
)
def test_library_versions_do_not_matter(old, new):
    assert unversioned(f"/usr/lib/{old}") == unversioned(f"/opt/{new}")


@pytest.mark.parametrize("other", ["libx265.so.1", "libfoo2.so.1", "app"])
def test_other_libraries_stay_others(other):
    assert unversioned(other) not in (
        unversioned("libx264.so.1"),
        unversioned("libfoo.so.1"),
    )


def test_clones_and_parameters_do_not_matter(tmp_path):
    assert plain_name("f.constprop.0.isra.1") == "f"
    assert plain_name("int ns::f<int>(long) [clone .cold]") == "ns::f<int>"
    old = {"names": [("ns::f(int)", 1, 1), ("g", 1, 1)]}
    new = {"names": [("g.part.0", 1, 1), ("ns::f(long)", 1, 1)]}
    pairs = {("signature", "ns::f(int):1", 2), ("signature", "g:2", 1)}
    assert matched(tmp_path, old, new) == (pairs, [], [])


def test_namesakes_by_the_folders_they_share(tmp_path):
    """In other order, and one more."""
    files = ["/old/x/one/i.c", "/old/x/two/i.c"]
    old = {"names": [("init", 1, 1), ("init", 1, 2)], "files": files}
    files = ["/new/three/i.c", "/new/two/i.c", "/new/one/i.c"]
    new = {"names": [("init", 1, 1), ("init", 1, 2), ("init", 1, 3)], "files": files}
    pairs = {("same", "init:1", 3), ("same", "init:2", 2)}
    assert matched(tmp_path, old, new) == (pairs, [], ["init"])


def test_namesakes_without_files_by_their_order(tmp_path):
    old = {"names": [("main", 1, 1), ("h", 1, 0), ("h", 1, 0)]}
    new = {"names": [("h", 1, 0), ("h", 1, 0), ("main", 1, 1)]}
    pairs, vanished, appeared = matched(tmp_path, old, new)
    assert (vanished, appeared) == ([], [])
    assert {pair for pair in pairs if pair[1] != "main:1"} == {
        ("same", "h:2", 2),  # as its address is the same
        ("same", "h:3", 1),
    }


def test_namesakes_that_cannot_be_told_apart_are_one(tmp_path):
    old = routines(tmp_path / "o", [("main", 1, 1), ("g", 1, 1), ("h", 1, 0), ("h", 1, 0)])
    new = routines(tmp_path / "n", [("h", 1, 0)])
    (match,) = match_routines(old, new).matches
    assert (match.how, match.old.calls, match.new.calls) == ("namesakes", 2, 1)


def test_moved_to_another_file_or_object(tmp_path):
    old = {"names": [("f", 1, 1), ("g", 1, 2)], "files": ["/src/a.c", "/src/b.c"]}
    new = {"names": [("f", 1, 1), ("g", 2, 2)], "files": ["/src/c.c", "/src/b.c"]}
    new["objects"] = ["/bin/app", "/lib/libb.so"]
    pairs = {("file", "f:1", 1), ("object", "g:2", 2)}
    assert matched(tmp_path, old, new) == (pairs, [], [])


def test_what_has_no_partner(tmp_path):
    old, new = {"names": [("f", 1, 1), ("g", 1, 1)]}, {"names": [("h", 1, 1), ("f", 1, 1)]}
    assert matched(tmp_path, old, new) == ({("same", "f:1", 2)}, ["g"], ["h"])


def test_clones_of_one_function(tmp_path):
    """How often the compiler copies it may differ; the piece that the copies call is not added to
    them."""
    old = [("f(int) [clone .constprop.0]", 1, 1), ("g", 1, 1), ("h.cold", 1, 1)]
    new = [(f"f(int) [clone .{suffix}]", 1, 1) for suffix in ("isra.0", "constprop.1", "part.0")]
    new += [("g.llvm.77", 1, 1), ("h.part.3.cold", 1, 1)]
    sides = routines(tmp_path / "o", old), routines(tmp_path / "n", new)
    found = match_routines(*sides)
    pairs = {(m.old.routine.name, m.how, m.new.calls) for m in found.matches}
    assert pairs == {
        ("f(int) [clone .constprop.0]", "namesakes", 2),
        ("g", "signature", 1),
        ("h.cold", "signature", 1),
    }
    assert [r.routine.name for r in found.new] == ["f(int) [clone .part.0]"]


def test_what_is_no_clone_is_not_added_up(tmp_path):
    """Functions of one name in files that were all renamed."""
    old = {"names": [("f", 1, 1), ("f", 1, 2)], "files": ["/s/a.c", "/s/b.c"]}
    new = {"names": [("f", 1, 1), ("f", 1, 2)], "files": ["/s/c.c", "/s/d.c"]}
    assert matched(tmp_path, old, new) == (set(), ["f", "f"], ["f", "f"])


class TestRenames:
    def pairs(self, tmp_path, text):
        names = [("operator==(A)", 1, 1), ("v1::f(int)", 1, 1), ("v1::g", 1, 1)]
        old = profile(tmp_path / "o", names)
        names = [("v2::g", 1, 1), ("equal(A)", 1, 1), ("v2::f(v2::B)", 1, 1)]
        new = profile(tmp_path / "n", names)
        found = pairs_of(Rename(text, "--map"), old, new)
        return [(a.routine.name, b.routine.name) for a, b in found]

    def test_names_with_equal_signs(self, tmp_path):
        assert self.pairs(tmp_path, "operator== = equal") == [("operator==(A)", "equal(A)")]
        assert self.pairs(tmp_path, "operator==(A)=equal(A)") == [("operator==(A)", "equal(A)")]

    def test_a_namespace(self, tmp_path):
        found = [("v1::f(int)", "v2::f(v2::B)"), ("v1::g", "v2::g")]
        assert self.pairs(tmp_path, "v1::*=v2::*") == found

    def test_what_fits_nothing(self, tmp_path):
        assert self.pairs(tmp_path, "v1::f=v3::f") == []
