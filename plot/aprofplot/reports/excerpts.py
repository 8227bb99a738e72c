"""A routine's part of its source file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aprofplot.reports.sources import SourceFile

_MOST_LINES = 250  # of a routine
_WITHOUT_BRACES = 60  # lines of a routine whose end cannot be told
_BEFORE = 4  # lines at most: a return type, a comment
_BRACES = frozenset(
    ".c .cc .cpp .cxx .h .hh .hpp .hxx .inl .ipp .tcc .c++ .C .m .mm .d .go .rs .java .cu .zig "
    ".swift".split()
)
_NO_CODE = re.compile(r'"(?:[^"\\]|\\.)*"|' r"'(?:[^'\\]|\\.)'|//.*|/\*.*?\*/")


@dataclass(frozen=True)
class Excerpt:
    """Lines from number `first` on, counted from 1. `cut`: the routine has more."""

    source: SourceFile
    first: int
    lines: tuple[str, ...]
    cut: bool


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


def held_files(parts: Iterable[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """The files that a page has `lines` of, from number `first` on, in its `parts`: path and number of
    lines."""
    lines: dict[str, set[int]] = {}
    for part in parts:
        if "path" in part:
            numbers = range(part["first"], part["first"] + len(part["lines"]))
            lines.setdefault(part["path"], set()).update(numbers)
    return sorted((path, len(numbers)) for path, numbers in lines.items())
