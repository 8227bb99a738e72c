"""Routine names as people read them."""

from __future__ import annotations

import os
import re


# Brackets that are part of an operator's name.
_OPERATOR = re.compile(r"(?<=operator)(<=>|<<=|>>=|<<|>>|<=|>=|->\*|->|<|>|\(\))")


def _brackets(name: str) -> str:
    """`name` with the brackets of operators' names blanked out, at equal length."""
    return _OPERATOR.sub(lambda found: "_" * len(found[0]), name)


def base_name(name: str) -> str:
    """A C++ name without its parameters, template arguments kept: `f<int>(long)` -> `f<int>`."""
    masked = _brackets(name)
    depth = 0
    for index, char in enumerate(masked):
        if char == "<":
            depth += 1
        elif char == ">":
            depth -= 1
        elif char == "(" and depth == 0 and index > 0:
            if not masked.startswith("(anonymous namespace)", index):
                return name[:index]
    return name


def fold_templates(name: str) -> str:
    """Template arguments become `<...>`."""
    kept: list[str] = []
    depth = 0
    for char, bracket in zip(name, _brackets(name)):
        if bracket == "<":
            depth += 1
            if depth == 1:
                kept.append("<...>")
        elif bracket == ">" and depth > 0:
            depth -= 1
        elif depth == 0:
            kept.append(char)
    return "".join(kept)


def shorten(name: str, width: int) -> str:
    """At most `width` characters: as it is, then without parameters, then with templates folded,
    then cut in the middle."""
    for candidate in (name, base_name(name), fold_templates(base_name(name))):
        if len(candidate) <= width:
            return candidate
    half = (width - 3) // 2
    return f"{candidate[: width - 3 - half]}...{candidate[-half:]}"


def place(object_path: str, file: str, line: int) -> str:
    """`object:file:line` with base names, as much of it as is known."""
    parts = [os.path.basename(object_path) or object_path]
    if file:
        parts.append(os.path.basename(file) + (f":{line}" if line else ""))
    return ":".join(parts)
