"""C++ names as people call them, and what a ROUTINE argument finds."""

from __future__ import annotations

import pytest
from builder import Builder, Table

from aprofplot.commands.loading import load_profiles
from aprofplot.errors import SelectionError
from aprofplot.names import base_name
from aprofplot.selection import select

NAMES = [
    "void std::sort<int*>(int*, int*)",
    "run(int)",
    "run(int)::{lambda(int)#1}::operator()(int) const",
    "A::get(long) const::{lambda(auto:1)#2}::operator()<int>(int) const",
    "text[abi:cxx11](int)",
    "std::ostream& ns::operator<< <int>(std::ostream&, int)",
    "A::operator bool() const",
    "operator new(unsigned long)",
    "(anonymous namespace)::hidden(int)",
    "decltype(auto) h<int>(int)",
    "std::enable_if<(1)>(2), int>::type pick<int>(int) [clone .cold]",
    "void (anonymous namespace)::each<f(int)>(f)",
    "int* const& A::at<unsigned long>(unsigned long) const &",
    "myoperator<int>(int)",
    "plain",
]


@pytest.mark.parametrize(
    "name, base",
    list(
        zip(
            NAMES,
            [
                "std::sort<int*>",
                "run",
                "run(int)::{lambda(int)#1}::operator()",
                "A::get(long) const::{lambda(auto:1)#2}::operator()<int>",
                "text[abi:cxx11]",
                "ns::operator<< <int>",
                "A::operator bool",
                "operator new",
                "(anonymous namespace)::hidden",
                "h<int>",
                None,  # the `>` of an expression: whatever, but no exception
                "(anonymous namespace)::each<f(int)>",
                "A::at<unsigned long>",
                "myoperator<int>",
                "plain",
            ],
        )
    ),
)
def test_base_name(name, base):
    assert base is None or base_name(name) == base
    assert base_name(name) in name


@pytest.fixture
def routines(tmp_path):
    tables = [Table(i, [(1, 1, 1, 1, 1)]) for i in range(1, len(NAMES) + 1)]
    builder = Builder(
        routines=[(name, 1, 1, i) for i, name in enumerate(NAMES)],
        objects=["???"],
        tables=tables,
    )
    return load_profiles([str(builder.write(tmp_path / "p"))], per_thread=False).routines


@pytest.mark.parametrize(
    "pattern, index",
    [
        *((name, i) for i, name in enumerate(NAMES)),
        ("std::sort<int*>", 0),
        ("std::sort", 0),
        ("std::sort<...>", 0),
        ("std::sor?", 0),
        ("run", 1),
        ("text[abi:cxx11]", 4),
        ("*[abi:cxx11]*", 4),
        ("ns::operator<<", 5),
        ("h<int>", 9),
        ("app.c:A::operator bool", 6),
        ("???:std::sort", 0),
    ],
)
def test_selected(pattern, index, routines):
    assert select(routines, pattern).routine.name == NAMES[index]


def test_an_exact_name_wins_over_a_glob(tmp_path):
    names = ["f(char*)", "f(char**)", "g"]
    builder = Builder(
        routines=[(name, 1, 1, 1) for name in names],
        tables=[Table(i, [(1, 1, 1, 1, 1)]) for i in (1, 2, 3)],
    )
    found = load_profiles([str(builder.write(tmp_path / "p"))], per_thread=False).routines
    assert select(found, "f(char*)").routine.name == "f(char*)"
    with pytest.raises(SelectionError, match="any of 2"):
        select(found, "f*")


def test_namesakes_without_a_source_file_are_told_apart_by_address(tmp_path):
    builder = Builder(
        routines=[("twin", 1, 0, 0), ("twin", 1, 0, 0)],
        tables=[Table(i, [(i, 1, 1, 1, 1)]) for i in (1, 2)],
    )
    found = load_profiles([str(builder.write(tmp_path / "p"))], per_thread=False).routines
    with pytest.raises(SelectionError, match="NAME@ADDRESS") as raised:
        select(found, "twin")
    assert raised.value.candidates == ("twin@0x1000  (app)", "twin@0x2000  (app)")
    for pattern in ("twin@0x2000", "app:twin@0x2000", "tw*@0x2000"):
        assert select(found, pattern).points["trms"].column("size").tolist() == [2]
    for pattern in ("twin@0x3000", "@0x1000", "other@0x1000"):
        with pytest.raises(SelectionError, match="no routine is called"):
            select(found, pattern)
