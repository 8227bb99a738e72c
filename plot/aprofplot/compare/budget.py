"""A budget file: its lines, read and written back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aprofplot.compare.budget_line import BudgetLine, BudgetSyntaxError, parse_line
from aprofplot.errors import AprofError


@dataclass(frozen=True)
class Budget:
    """`raw`: all lines of the file, without newlines; `lines`: those that limit something."""

    path: str
    raw: tuple[str, ...]
    lines: tuple[BudgetLine, ...]

    def changed(self, limits: Mapping[int, str], added: Sequence[str]) -> str:
        """The file's text with other limits, by line number, and more lines at its end."""
        new = list(self.raw)
        for line in self.lines:
            if line.number in limits:
                start, end = line.limit_at
                new[line.number - 1] = line.raw[:start] + limits[line.number] + line.raw[end:]
        return "".join(f"{text}\n" for text in (*new, *added))


def read_budget(path: str) -> Budget:
    """AprofError if it cannot be read or a line is none."""
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            raw = tuple(file.read().splitlines())
    except OSError as error:
        todo = "aprof-check --update --budget FILE PROFILE writes one"
        raise AprofError(f"{path}: cannot be read: {error.strerror}", todo) from error
    lines: list[BudgetLine] = []
    for number, text in enumerate(raw, 1):
        try:
            line = parse_line(number, text)
        except BudgetSyntaxError as error:
            raise AprofError(f"{path}:{number}: {error}", error.todo) from error
        if line is not None:
            lines.append(line)
    return Budget(path, raw, tuple(lines))
