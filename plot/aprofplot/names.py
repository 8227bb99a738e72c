"""Routine names as people read them."""

from __future__ import annotations

import os


def base_name(name: str) -> str:
    """A C++ name without its parameters, template arguments kept: `f<int>(long)` -> `f<int>`."""
    depth = 0
    for index, char in enumerate(name):
        if char in "<[":
            depth += 1
        elif char in ">]" and not name.endswith(("operator>", "operator->"), 0, index + 1):
            depth = max(0, depth - 1)
        elif char == "(" and depth == 0 and index > 0:
            if name.startswith(("(anonymous namespace)", "()"), index):
                continue
            return name[:index]
    return name


def fold_templates(name: str) -> str:
    """Template arguments become `<...>`."""
    out: list[str] = []
    depth = 0
    for index, char in enumerate(name):
        opens = char == "<" and not "".join(out).endswith(("operator", "operator<"))
        if opens:
            if depth == 0:
                out.append("<...>")
            depth += 1
        elif char == ">" and depth > 0 and name[index - 1] != "-":
            depth -= 1
        elif depth == 0:
            out.append(char)
    return "".join(out) if depth == 0 else name


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
