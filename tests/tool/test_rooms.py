"""The rooms of the source tree, each of which uses only what is in those before it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from running import TESTS

SRCDIR = TESTS.parent

# A file is in the last room that its path begins with.
CXX_ROOMS = [
    "base/",
    "trace/",
    "work_span/engine/measures.hpp",
    "work_span/dag/",
    "work_span/engine/",
    "work_span/state/",
    "work_span/log/",
    "work_span/order/",
    "work_span/runtimes/",
    "work_span/code/",
    "work_span/",
    "aprof/cells/",
    "aprof/profile/",
    "aprof/engine/",
    "aprof/",
    "cilkshadow/",
]
PYTHON_ROOMS = [
    "aprofplot/",
    "aprofplot/work_span/",
    "aprofplot/processors/",
    "aprofplot/read/",
    "aprofplot/fits/",
    "aprofplot/findings/",
    "aprofplot/problems.py",
    "aprofplot/compare/",
    "aprofplot/figures/",
    "aprofplot/reports/",
    "aprofplot/batch/",
    "aprofplot/commands/",
]
TOOLS = {"aprof", "cilkshadow"}


def room_of(path: str, rooms: list[str]) -> str:
    return max((room for room in rooms if path.startswith(room)), key=len)


def includes(file: Path) -> Iterator[str]:
    for name in re.findall(r'^#include "([^"]+)"', file.read_text(), re.MULTILINE):
        if name.startswith(tuple(CXX_ROOMS)):  # not Valgrind's, nor what configure makes
            yield name


def imports(file: Path, root: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            names = [f"{node.module}.{name.name}" for name in node.names]
        else:
            continue
        for name in names:
            if not name.startswith("aprofplot."):
                continue
            path = name.replace(".", "/")
            module = path.rpartition("/")[0]
            files = [f"{path}.py", f"{path}/", f"{module}.py"]
            yield next((f for f in files if (root / f).exists()), f"{module}/")


def arrows_up(arrows: Iterator[tuple[str, str]], rooms: list[str]) -> list[str]:
    return [
        f"{user} uses {used}"
        for user, used in arrows
        if rooms.index(room_of(used, rooms)) > rooms.index(room_of(user, rooms))
    ]


def cxx_arrows(directory: Path) -> Iterator[tuple[str, str]]:
    for room in {room.partition("/")[0] for room in CXX_ROOMS}:
        for file in sorted((directory / room).rglob("*.[ch]pp")):
            for used in includes(file):
                yield str(file.relative_to(directory)), used


def python_arrows(root: Path) -> Iterator[tuple[str, str]]:
    for file in sorted((root / "aprofplot").rglob("*.py")):
        for used in imports(file, root):
            yield str(file.relative_to(root)), used


def singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def names_that_differ_by_a_plural(names: set[str]) -> list[set[str]]:
    alike: dict[tuple[str, ...], set[str]] = {}
    for name in names:
        alike.setdefault(tuple(map(singular, re.split("[_-]", name))), set()).add(name)
    return [group for group in alike.values() if len(group) > 1]


def test_no_include_runs_from_a_lower_room_up() -> None:
    arrows = list(cxx_arrows(SRCDIR))
    assert len(arrows) > 300
    assert arrows_up(iter(arrows), CXX_ROOMS) == []


def test_the_tools_do_not_use_each_other() -> None:
    tops = [(user.split("/")[0], used.split("/")[0]) for user, used in cxx_arrows(SRCDIR)]
    assert not [arrow for arrow in tops if set(arrow) == TOOLS]


def test_no_import_runs_from_a_lower_package_up() -> None:
    arrows = list(python_arrows(SRCDIR / "plot"))
    assert len(arrows) > 300
    assert arrows_up(iter(arrows), PYTHON_ROOMS) == []


def test_every_package_is_a_room() -> None:
    found = {
        f"aprofplot/{path.parent.name}/" for path in SRCDIR.glob("plot/aprofplot/*/__init__.py")
    }
    assert found == {room for room in PYTHON_ROOMS if room.count("/") == 2}


def test_an_arrow_up_is_seen() -> None:
    arrows = iter([("work_span/order/locks.cpp", "work_span/shadow.hpp")])
    assert arrows_up(arrows, CXX_ROOMS) == ["work_span/order/locks.cpp uses work_span/shadow.hpp"]


def test_no_two_files_differ_by_a_plural() -> None:
    folders = {room.partition("/")[0] for room in CXX_ROOMS} | {"bench", "plot", "tests"}
    names = {
        file.name.partition(".")[0]
        for folder in folders
        for file in (SRCDIR / folder).rglob("*")
        if file.suffix in (".c", ".cpp", ".hpp", ".h", ".py", ".js", ".css")
    }
    assert len(names) > 400
    assert names_that_differ_by_a_plural(names) == []


def test_a_plural_is_seen() -> None:
    names = {"hook", "hooks", "routine_class", "routine_classes", "entry_table", "entries_table"}
    groups = names_that_differ_by_a_plural(names | {"address", "table"})
    assert sorted(groups, key=min) == [
        {"entry_table", "entries_table"},
        {"hook", "hooks"},
        {"routine_class", "routine_classes"},
    ]
