"""The maps of HACKING and docs/design.md: every room is named, and everything named exists."""

from __future__ import annotations

import functools
import re
from pathlib import Path, PurePath

import pytest
from sources import ROOMS, SOURCE, files

MAPS = ("HACKING", "docs/design.md")
_SUFFIXES = r"(?:cpp|hpp|h|py|md|js|j2|toml|txt|json|am|in|ac)"
_FILE = re.compile(rf"(?<![\w/.<-])(?:[\w.-]+/)*[\w-]+(?:\.\w+)*\.{_SUFFIXES}(?![\w-])")
_FOLDER = re.compile(r"(?<![\w/.<-])(?:[\w.-]+/)+(?![\w*<-])")
_IDENTIFIER = re.compile(r"`(\w*[a-z_]\w*(?:::\w+)*)(?:\(\))?`")


def prose(name: str) -> str:
    """Without blocks of code and diagrams, and without addresses."""
    text = re.sub(r"^```.*?^```", "", (SOURCE / name).read_text(), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"https?://\S+", "", text)
    return "\n".join(line for line in text.splitlines() if not line.startswith("    "))


@functools.cache
def paths() -> list[PurePath]:
    everything = [*files(*ROOMS, "docs"), *(p for p in SOURCE.iterdir() if p.is_file())]
    return [path.relative_to(SOURCE) for path in everything]


@functools.cache
def folders() -> set[str]:
    return {f"/{parent}/" for path in paths() for parent in path.parents}


def is_there(name: str) -> bool:
    """A file or a folder (`name/`) with this path, or the end of it."""
    if name.endswith("/"):
        return any(folder.endswith(f"/{name}") for folder in folders())
    return any(f"/{path}".endswith(f"/{name}") for path in paths())


def named(text: str) -> list[str]:
    found = [*_FILE.findall(text), *_FOLDER.findall(text)]
    return sorted({name for name in found if "NAME" not in name})


def test_what_is_found_in_a_text():
    text = (
        "`trace/` has trace/sink.hpp, `base/simd.hpp` (points.hpp); Makefile.am, aprof/, 3.19, a/b,"
    )
    text += " commands/NAME.py, https://example.org/x/ and `include/cilk/`: engine/."
    expected = ["Makefile.am", "aprof/", "base/simd.hpp", "engine/", "include/cilk/", "points.hpp"]
    assert named(re.sub(r"https?://\S+", "", text)) == [*expected, "trace/", "trace/sink.hpp"]
    assert is_there("simd.hpp") and is_there("base/simd.hpp") and is_there("aprof/engine/")
    assert not is_there("imd.hpp") and not is_there("trace/simd.hpp") and not is_there("gine/")


@pytest.mark.parametrize("name", MAPS)
def test_files_and_folders_that_are_named_exist(name):
    found = named(prose(name))
    assert len(found) > 20
    assert [path for path in found if not is_there(path)] == []


@pytest.mark.parametrize("name", MAPS)
def test_identifiers_that_are_named_exist(name):
    """Names in code: as words of some file of the rooms."""
    code = [path for path in paths() if path.suffix in (".cpp", ".hpp", ".h", ".c", ".py", ".am")]
    known = set(re.findall(r"\w+", " ".join((SOURCE / path).read_text() for path in code)))
    wanted = {word for name_ in _IDENTIFIER.findall(prose(name)) for word in name_.split("::")}
    stems = {path.stem for path in paths()}
    assert wanted and sorted(wanted - known - stems) == []


def rooms_of_the_map() -> dict[str, str]:
    """A line of HACKING's map for each room, with those that continue it."""
    text = (SOURCE / "HACKING").read_text()
    return dict(re.findall(r"^- `([\w/]+/)`((?:.*\n)(?:  .*\n)*)", text, re.MULTILINE))


def test_the_map_names_every_room():
    entries = rooms_of_the_map()
    cpp = [path for path in paths() if path.suffix in (".cpp", ".hpp")]
    tools = ("base", "trace", "work_span", "aprof", "cilkshadow")
    assert {f"{path.parent}/" for path in cpp if path.parts[0] in tools} <= set(entries)
    for room, folder in {"plot/": "plot/aprofplot", "tests/": "tests"}.items():
        folders = [path for path in (SOURCE / folder).iterdir() if path.name != "__pycache__"]
        below = [path for path in folders if any(path.glob("*.[cph]*"))]
        assert {path.name for path in below if f"`{path.name}/`" not in entries[room]} == set()


def test_the_map_names_files_of_their_rooms():
    for room, what in rooms_of_the_map().items():
        stems = {path.stem for path in (SOURCE / room).rglob("*")}
        assert {name for name in re.findall(r"`(\w+)`", what) if name not in stems} == set(), room


# Which rooms a room may include from, besides its own (docs/design.md).
BELOW = {"base": "", "trace": "base", "work_span": "base trace"}
BELOW |= {"aprof": "base trace work_span", "cilkshadow": "base trace work_span"}


def included(text: str) -> set[str]:
    """The rooms of a file's includes."""
    return set(re.findall(r'^#include "(\w+)/', text, re.MULTILINE)) & set(BELOW)


def test_includes_point_one_way():
    assert included('#include "trace/sink.hpp"\n#include <span>\n#include "libvex.h"\n') == {
        "trace"
    }
    up = {
        f"{path} includes {room}/"
        for path in paths()
        if path.suffix in (".cpp", ".hpp") and path.parts[0] in BELOW
        for room in included((SOURCE / path).read_text())
        if room not in (path.parts[0], *BELOW[path.parts[0]].split())
    }
    assert sorted(up) == []
