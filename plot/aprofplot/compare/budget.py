"""A budget file: its lines, read and written back. docs/manual/aprof-check.md has the grammar.

A line is read from its end, as routines have names like `std::map<int, int>::operator<=(...)`: the last
<= or >= is the limit's, the words before it that are known say what is measured, all else is the
routine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from aprofplot.compare.limits import (
    NUMBER,
    CostLimit,
    GrowthLimit,
    Limit,
    ParallelismLimit,
    parse_law,
    parse_number,
)
from aprofplot.errors import AprofError
from aprofplot.loop_scopes import PROGRESS
from aprofplot.metrics import CostStatistic
from aprofplot.model import argument_metric

_RELATION = re.compile(r"<=|>=|≤|≥")
_COMMENT = re.compile(r"(?:^|\s)\s*#.*$")
_QUOTED = re.compile(r'\s*"((?:[^"\\]|\\.)*)"(?=\s|<=|≤|>=|≥|$)')
# `work` alone may well be a routine's name.
_WORD = re.compile(
    r"(?:^|\s)(?:(trms|rms|iterations|progress|argument\s+\S+)|(bb|instr|cost\s+(?:work|span))|(mean|max|min)|(self)|(parallelism))\s*$"
)
_AT_SIZE = re.compile(rf"(?:^|\s)cost\s+at\s+size\s+({NUMBER})\s*$")

_KNOWN = "known are trms, rms, iterations, progress, argument NAME, bb, instr, cost work, cost span, mean, max, min, self, cost at size N, parallelism"

Kind = Literal["metric", "event", "statistic", "own", "parallelism", "size"]
_KINDS: tuple[Kind, ...] = ("metric", "event", "statistic", "own", "parallelism")


class BudgetSyntaxError(Exception):
    """What is wrong with the line, and how to write it."""

    def __init__(self, what: str, todo: str) -> None:
        super().__init__(what)
        self.todo = todo


@dataclass(frozen=True)
class BudgetLine:
    """`raw` is the whole line, `number` counts from 1; `raw[slice(*limit_at)]` is the limit.
    `metric`, `event` are empty where the line leaves them open."""

    number: int
    raw: str
    pattern: str
    limit: Limit
    limit_at: tuple[int, int]
    metric: str = ""
    event: str = ""
    statistic: CostStatistic = "mean"
    own: bool = False

    @property
    def text(self) -> str:
        """The line without comment."""
        return self.raw[: self.limit_at[1]].strip()


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


def parse_line(number: int, raw: str) -> BudgetLine | None:
    """None for a blank line or a comment. BudgetSyntaxError."""
    quoted = _QUOTED.match(raw)
    comment = _COMMENT.search(raw, quoted.end() if quoted else 0)
    content = raw[: comment.start()] if comment else raw
    if not content.strip():
        return None
    relations = list(_RELATION.finditer(content, quoted.end() if quoted else 0))
    if not relations:
        raise BudgetSyntaxError("it has no limit", "write ROUTINE <= LAW, as in sort <= n log n")
    relation = relations[-1]
    pattern, words = _subject(content[: relation.start()], quoted)
    limit_text = content[relation.end() :].strip()
    start = (
        relation.end() + len(content[relation.end() :]) - len(content[relation.end() :].lstrip())
    )
    return BudgetLine(
        number,
        raw,
        pattern,
        _limit(relation[0] in ("<=", "≤"), limit_text, words),
        (start, start + len(limit_text)),
        metric=words.get("metric", ""),
        event=words.get("event", ""),
        statistic=cast(CostStatistic, words.get("statistic", "mean")),
        own="own" in words,
    )


def _subject(text: str, quoted: re.Match[str] | None) -> tuple[str, dict[Kind, str]]:
    """The routine, and what of it is measured."""
    rest, words = _words(text[quoted.end() :] if quoted else text)
    if quoted is None and text.lstrip().startswith('"'):
        raise BudgetSyntaxError("a quote is not closed", 'write "ROUTINE"; \\" is a " in it')
    if quoted is not None:
        if rest:
            raise BudgetSyntaxError(f"'{rest}' follows the routine", _KNOWN)
        return re.sub(r"\\(.)", r"\1", quoted[1]), words
    if not rest:  # a routine that is called like one of the words
        rest, words = text.strip(), {}
    if not rest:
        raise BudgetSyntaxError("it names no routine", "write ROUTINE <= LAW")
    return rest, words


def _words(text: str) -> tuple[str, dict[Kind, str]]:
    """Takes known words off the end, each kind once."""
    rest, words = text.strip(), dict[Kind, str]()
    while True:
        at_size = _AT_SIZE.search(rest)
        word = at_size or _WORD.search(rest)
        if word is None:
            return rest, words
        if at_size is not None:
            kind: Kind = "size"
            value = at_size[1]
        else:
            index = cast(int, word.lastindex)
            kind, (*before, value) = _KINDS[index - 1], word[index].split()
            value = argument_metric(value) if before == ["argument"] else value
        if kind in words:
            todo = 'quote a routine whose name ends like that: "ROUTINE"'
            raise BudgetSyntaxError(f"both '{value}' and '{words[kind]}'", todo)
        words[kind] = value
        rest = rest[: word.start()].rstrip()


def _limit(at_most: bool, text: str, words: dict[Kind, str]) -> Limit:
    number, law = parse_number(text), parse_law(text)
    if "parallelism" in words:
        if at_most or number is None or len(words) > 1:
            raise BudgetSyntaxError(
                "this is not a limit of parallelism", "write ROUTINE parallelism >= 8"
            )
        return ParallelismLimit(number)
    if words.get("metric") == PROGRESS and ("own" in words or "statistic" in words):
        raise BudgetSyntaxError(
            "of progress only the mean inclusive cost of an iteration is known",
            "write LOOP progress <= LAW",
        )
    if not at_most:
        raise BudgetSyntaxError(">= is for parallelism", "write <= before a law or a cost")
    if "size" in words:
        if number is None:
            raise BudgetSyntaxError(f"'{text}' is not a number", "write it as in <= 2e6")
        return CostLimit(float(words["size"]), number)
    if law is None:
        if number is not None:
            raise BudgetSyntaxError(
                f"'{text}' is not a law",
                f"write ROUTINE cost at size N <= {text} for a cost",
            )
        raise BudgetSyntaxError(
            f"'{text}' is not a law",
            "known are 1, log n, log^2 n, log^3 n, sqrt n, n, n log n, n^1.5, n^2, n^2 log n, n^3, any n^C, and C^n with C above 1, as 2^n",
        )
    return GrowthLimit(law)
