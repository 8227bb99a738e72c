"""A routine's part of its source file, and what is known of its lines."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from aprofplot.names import printable

_LARGEST_FILE = 8 << 20  # bytes: more is no source file
_LONGEST_LINE = 400  # characters shown
_MOST_LINES = 250  # of a routine
_WITHOUT_BRACES = 60  # lines of a routine whose end cannot be told
_PLACES = 12  # where a file was looked for, at most so many are listed
_BEFORE = 4  # lines at most: a return type, a comment
_BRACES = {
    ".c",
    ".cc",
    ".cpp",
    ".cxx",
    ".h",
    ".hh",
    ".hpp",
    ".hxx",
    ".inl",
    ".ipp",
    ".tcc",
}
_BRACES |= {
    ".c++",
    ".C",
    ".m",
    ".mm",
    ".d",
    ".go",
    ".rs",
    ".java",
    ".cu",
    ".zig",
    ".swift",
}
_NO_CODE = re.compile(r'"(?:[^"\\]|\\.)*"|' r"'(?:[^'\\]|\\.)'|//.*|/\*.*?\*/")


@dataclass(frozen=True)
class SourceFile:
    """`changed`: seconds since the epoch. `named`: found in a folder that the user named."""

    path: str
    lines: tuple[str, ...]
    changed: float
    named: bool


@dataclass(frozen=True)
class Excerpt:
    """Lines from number `first` on, counted from 1. `cut`: the routine has more."""

    source: SourceFile
    first: int
    lines: tuple[str, ...]
    cut: bool


class Sources:
    """Finds source files: in the folders given, then where debug information says. Each file is
    read once."""

    def __init__(self, folders: Sequence[str]) -> None:
        self._folders = tuple(folders)
        self._found: dict[str, SourceFile | None] = {}

    def places(self, file: str) -> tuple[str, ...]:
        """Where `file` of the debug information is looked for, in order: the folders given with
        ever shorter ends of its path, then the path itself."""
        parts = [part for part in PurePosixPath(file).parts if part not in ("/", ".", "..")]
        ends = ["/".join(parts[start:]) for start in range(len(parts))]
        below = [os.path.join(folder, end) for folder in self._folders for end in ends]
        return tuple(dict.fromkeys([*below, file] if file else below))

    def find(self, file: str) -> SourceFile | None:
        """The file, None if it is nowhere or is no text."""
        if file not in self._found:
            self._found[file] = self._look(file)
        return self._found[file]

    def _look(self, file: str) -> SourceFile | None:
        for place in self.places(file):
            lines = _read(place)
            if lines is not None:
                named = bool(self._folders) and place != file
                return SourceFile(place, lines, os.path.getmtime(place), named)
        return None


def find_line(sources: Sources, file: str, line: int) -> SourceFile | dict[str, Any]:
    """The file, which has that line; else what a page says instead: `missing`, why there is none,
    and `places`, where it was looked for."""
    if not file or not line:
        what = "no line" if file else "no source file"
        why = f"The debug information names {what} for it (compile with -g)."
        return {"missing": why, "places": []}
    source = sources.find(file)
    if source is None:
        places = [printable(place) for place in sources.places(file)]
        return {"missing": "Its source file was not found.", "places": places[:_PLACES]}
    if line > len(source.lines):
        why = f"The file has {len(source.lines)} lines, not {line}: it is another version."
        return {"missing": why, "places": [printable(source.path)]}
    return source


def excerpt(source: SourceFile, line: int, next_line: int | None) -> Excerpt:
    """The routine whose first instruction is in `line`, which the file has. `next_line`: where the
    file's next routine starts, if one does."""
    first = _first(source.lines, line)
    last = _last(source, line, next_line)
    shown = min(last, first + _MOST_LINES - 1)
    return Excerpt(source, first, source.lines[first - 1 : shown], shown < last)


def _first(lines: Sequence[str], line: int) -> int:
    """Back over what belongs to the routine: to a blank line or the end of another one."""
    first = line
    while first > 1 and line - first < _BEFORE:
        above = lines[first - 2].strip()
        if not above or above.startswith(("}", "#")) or above.endswith(("}", ";")):
            break
        first -= 1
    return first


def _last(source: SourceFile, line: int, next_line: int | None) -> int:
    if os.path.splitext(source.path)[1] in _BRACES:
        depth, opened = 0, False
        for number in range(line, len(source.lines) + 1):
            for char in _NO_CODE.sub("", source.lines[number - 1]):
                depth += {"{": 1, "}": -1}.get(char, 0)
                opened = opened or char == "{"
                if char == "}" and depth <= 0:
                    return number
            if not opened and number - line > _WITHOUT_BRACES:
                break
    end = min(len(source.lines), line + _WITHOUT_BRACES)
    return min(end, next_line - 1) if next_line is not None and next_line > line else end


def _read(path: str) -> tuple[str, ...] | None:
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST_FILE:
            return None
        with open(path, "rb") as file:
            content = file.read()
    except (OSError, ValueError):  # ValueError: a name with a NUL
        return None
    if b"\0" in content:
        return None
    text = content.decode("utf-8", "surrogateescape")
    return tuple(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    plain = printable(line.rstrip("\r").expandtabs(8))
    return plain if len(plain) <= _LONGEST_LINE else plain[:_LONGEST_LINE] + " ..."
