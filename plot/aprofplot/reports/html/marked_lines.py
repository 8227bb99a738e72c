"""The lines of the source that a finding blames, as its card shows them."""

from __future__ import annotations

from typing import Any

from aprofplot.names import printable
from aprofplot.reports.sources import Sources, find_line

_AROUND, _AROUND_ONE = 2, 4  # lines shown before and after several, or a single one
_LINES = 16  # that are blamed, at most


def marked_lines(
    sources: Sources, object_path: str, file: str, line: int, last_line: int
) -> dict[str, Any]:
    """`lines` of `path` from number `first` on, and `marked`, the first and last of those that are blamed; else
    `missing`, why there are none. The debug information of the object names the file."""
    source = find_line(sources, object_path, file, line)
    if isinstance(source, dict):
        return source
    last = min(max(last_line, line), line + _LINES - 1)
    around = _AROUND if last > line else _AROUND_ONE
    first = max(line - around, 1)
    return {
        "path": printable(source.path),
        "first": first,
        "lines": list(source.lines[first - 1 : last + around]),
        "marked": [line, last],
    }
