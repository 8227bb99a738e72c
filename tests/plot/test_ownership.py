"""The routines that "my code only" leaves out."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from aprofplot import ownership
from aprofplot.model import Routine
from aprofplot.ownership import own_routines, start_up_routines


def mine(elf, file="", *others, below=()):
    routine = Routine("f", elf, file, 1 if file else 0, 64)
    return routine.key in own_routines([routine, *others], below)


@pytest.mark.parametrize(
    "elf, file",
    [
        ("/home/me/app", "/home/me/app.c"),
        ("/home/me/app", ""),
        ("/home/me/lib/libmine.so", ""),
        ("/usr/bin/xz", ""),  # which the user ran
        ("/usr/lib/llvm-14/bin/lld", ""),
        ("/usr/lib/gcc/x86_64-linux-gnu/12/cc1", ""),
        ("/opt/app/lib/libapp.so", "/src/app.c"),
    ],
)
def test_mine(elf, file):
    assert mine(elf, file)


@pytest.mark.parametrize(
    "elf, file",
    [
        ("/usr/lib/x86_64-linux-gnu/libc.so.6", "malloc.c"),
        ("/lib64/ld-linux-x86-64.so.2", ""),
        ("/usr/local/lib/libz.so.1", ""),
        ("/usr/lib/python3/dist-packages/numpy/core/_umath.cpython-311-x86_64-linux-gnu.so", ""),
        ("/nix/store/abc-glibc/lib/libc.so.6", ""),
        ("/home/me/root/ld-musl-x86_64.so.1", ""),
        ("/home/me/glibc/libc.so.6", ""),
        ("/home/me/conda/lib/libstdc++.so.6.0.32", ""),
        ("/opt/intel/lib/libiomp5.so", "kmp_barrier.cpp"),
        ("/opt/jemalloc/lib/libjemalloc.so.2", ""),
        ("???", ""),
        ("/home/me/app", "/usr/include/c++/12/bits/stl_algo.h"),
        (
            "/home/me/app",
            "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/slice/cmp.rs",
        ),
        ("/home/me/app", "/home/me/.rustup/lib/rustlib/src/rust/library/core/src/str/mod.rs"),
        ("/home/me/app", "/usr/local/go/src/strings/builder.go"),
    ],
)
def test_the_systems(elf, file):
    assert not mine(elf, file)


def test_what_has_no_source_where_others_have_is_the_compilers():
    other = Routine("main", "/home/me/app", "/home/me/app.c", 3, 4096)
    assert not mine("/home/me/app", "", other)
    assert mine("/home/me/other", "", other)


def test_sources_in_folders_that_were_named_are_mine_wherever_the_object_is():
    assert mine("/usr/lib/libx.so", "/build/x/x.c", below={"/build/x/x.c"})


def test_a_routine_that_is_listed_again_is_not_judged_again(monkeypatch):
    """A call graph lists each at each of its edges."""
    judged = []
    monkeypatch.setattr(ownership, "is_system_object", lambda path: judged.append(path) or False)
    listed = [Routine("f", "/home/me/app", "/home/me/app.c", 1, 64) for _ in range(3)]
    assert own_routines(listed) == {listed[0].key} and judged == ["/home/me/app"]


@pytest.mark.parametrize(
    "name, elf, is_it",
    [
        ("_dl_relocate_object", "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", True),
        ("f", "/home/me/root/ld-musl-x86_64.so.1", True),
        ("_start", "/home/me/app", True),
        ("__libc_start_main@@GLIBC_2.34", "/lib64/libc.so.6", True),
        ("__libc_start_call_main", "/lib64/libc.so.6", True),
        ("main", "/home/me/app", False),
        ("_start_all", "/home/me/app", False),
        ("malloc", "/lib64/libc.so.6", False),
        ("f", "/home/me/build-world.so", False),
    ],
)
def test_start_up(name, elf, is_it):
    routine = Routine(name, elf, "", 0, 64)
    profile = SimpleNamespace(routines=[SimpleNamespace(routine=routine)], calls=())
    assert start_up_routines(profile) == ({routine.key} if is_it else set())
