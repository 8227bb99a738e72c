"""The source around call sites: that of the caller, once for all sites in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aprofplot.names import printable
from aprofplot.reports.excerpts import excerpt
from aprofplot.reports.sources import Sources, find_line
from aprofplot.work_span.model import CallSite

_AROUND = 12  # lines before and after a call that is in no routine's lines


class SiteSources:
    """The parts of source files that a page shows: `parts`, each with `file`, its place in `files`."""

    def __init__(self, sources: Sources, written: float) -> None:
        self._sources = sources
        self._written = written
        self._numbers: dict[tuple[str, int], int] = {}
        self.parts: list[dict[str, Any]] = []

    def part_of(self, site: CallSite) -> int:
        """The number of the part that shows the call, or the routine that nobody called."""
        if site.caller is None:
            callee = site.callee
            return self._part(callee.object, callee.file, callee.line, callee.line)
        start = site.caller.line if site.caller.file == site.file else 0
        start = start if 0 < start <= site.line else site.line
        return self._part(site.caller.object, site.file, site.line, start)

    def _part(self, object_path: str, file: str, line: int, start: int) -> int:
        shown = self._shown(object_path, file, line, start)
        key = (file, shown["first"] if "first" in shown else 0)
        if key not in self._numbers:
            self._numbers[key] = len(self.parts)
            self.parts.append(shown)
        return self._numbers[key]

    def _shown(self, object_path: str, file: str, line: int, start: int) -> dict[str, Any]:
        source = find_line(self._sources, object_path, file, line)
        if isinstance(source, dict):
            return source
        part = excerpt(source, start, None)
        first, lines, cut = part.first, part.lines, part.cut
        if not first <= line < first + len(lines):
            first = max(1, line - _AROUND)
            lines, cut = source.lines[first - 1 : line + _AROUND], False
        return {
            "file": file,
            "path": printable(source.path),
            "first": first,
            "lines": list(lines),
            "cut": cut,
            "changed": source.changed > self._written > 0,
        }


def lines_of(sites: Sequence[CallSite]) -> list[list[Any]]:
    """[file, line] of each call, or of the routine that nobody called."""
    return [[s.callee.file, s.callee.line] if s.caller is None else [s.file, s.line] for s in sites]
