"""Reads the output of Valgrind's callgrind, callgrind.out, with one cost event.

The format is in Valgrind's manual; where that is vague, callgrind/dump.c decides. Of what a
file may hold, `cfi=`/`cfl=` (a callee's file) is passed over: a function is known here by object and
name, and callgrind leaves the line out more often than its readers can tell.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, order=True)
class Function:
    """A function as callgrind tells them apart. `level`: with --separate-recs=N, how many
    activations of it were pending (1 to N, N: or more)."""

    object: str
    name: str
    level: int = 1


@dataclass(frozen=True)
class Arc:
    """Calls from one place to one function."""

    caller: Function
    callee: Function
    site: int  # address, in the object's file, of the instruction; 0 without --dump-instr=yes
    target: int
    calls: int
    inclusive: int


@dataclass(frozen=True)
class Jump:
    """Jumps from an instruction to another one (--collect-jumps=yes), as often as they were taken."""

    function: Function
    source: int  # addresses in the object's file
    target: int
    count: int


@dataclass
class Profile:
    summary: int = 0  # what callgrind counted as it ran
    totals: int = 0  # the sum of what it wrote
    self_cost: dict[Function, int] = field(default_factory=dict)
    # Of an instruction, by its address in the object's file; of all at 0 without --dump-instr=yes.
    costs: dict[Function, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    arcs: list[Arc] = field(default_factory=list)
    jumps: list[Jump] = field(default_factory=list)


class _Names:
    """`(7) name` defines, `(7)` repeats; `(7) (3)'2` builds on another name."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def expand(self, text: str) -> str:
        match = re.fullmatch(r"\((\d+)\)(?: (.*))?", text)
        if match is None:
            return text  # --compress-strings=no
        number, name = match.groups()
        if name is None:
            return self._known[number]
        built = re.fullmatch(r"\((\d+)\)('\d+)?", name)
        if built is not None:
            name = self._known[built.group(1)] + (built.group(2) or "")
        self._known[number] = name
        return name


def _function(object_name: str, name: str) -> Function:
    match = re.fullmatch(r"(.+)'(\d+)", name)
    if match is None:
        return Function(object_name, name)
    return Function(object_name, match.group(1), int(match.group(2)))


class _Positions:
    """`0x4f 12`, or relative to the line before: `+3 -2 *`."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.last = [0] * len(names)

    def parse(self, words: list[str]) -> list[int]:
        return [self._number(word, last) for word, last in zip(words, self.last, strict=True)]

    @staticmethod
    def _number(word: str, last: int) -> int:
        if word == "*":
            return last
        if word[0] in "+-":
            return last + int(word)
        return int(word, 0)

    def address(self, position: list[int]) -> int:
        return position[self.names.index("instr")] if "instr" in self.names else 0


def read(path: Path) -> Profile:
    lines = iter(path.read_text(errors="surrogateescape").splitlines())
    profile = Profile()
    positions = _read_header(lines, profile)
    _read_body(lines, profile, positions)
    assert sum(profile.self_cost.values()) == profile.totals
    return profile


def _read_header(lines: Iterator[str], profile: Profile) -> _Positions:
    names = ["line"]
    assert next(lines) == "# callgrind format"
    for line in lines:
        key, _, value = line.partition(":")
        if key == "positions":
            names = value.split()
        elif key == "events":
            assert value.split() == ["Ir"]
        elif key == "summary":
            profile.summary = int(value)
            return _Positions(names)
        else:
            assert key in ("", "version", "creator", "pid", "cmd", "part", "desc"), line
    raise AssertionError("no summary: line")


def _read_body(lines: Iterator[str], profile: Profile, positions: _Positions) -> None:
    objects, functions = _Names(), _Names()
    object_name = callee_object = ""
    caller = callee = Function("", "")
    width = len(positions.names)
    for line in lines:
        key, equals, value = line.partition("=")
        if line == "":
            continue
        if line[0] in "+-*0123456789":
            words = line.split()
            positions.last = positions.parse(words[:width])
            (cost,) = words[width:] or ["0"]
            profile.self_cost[caller] = profile.self_cost.get(caller, 0) + int(cost)
            profile.costs[caller][positions.address(positions.last)] += int(cost)
        elif key == "ob":
            object_name = callee_object = objects.expand(value)
        elif key == "fn":
            caller = _function(object_name, functions.expand(value))
            profile.self_cost.setdefault(caller, 0)
        elif key == "cob":
            callee_object = objects.expand(value)
        elif key == "cfn":
            callee = _function(callee_object, functions.expand(value))
        elif key == "calls":
            words = value.split()
            target = positions.address(positions.parse(words[1:]))
            # The next line has the place and the cost of the calls; like the target it is written
            # relative to the last line with a cost of the function's own.
            where = next(lines).split()
            site = positions.address(positions.parse(where[:width]))
            arc = Arc(caller, callee, site, target, int(words[0]), int(where[width]))
            profile.arcs.append(arc)
            callee_object = object_name
        elif key in ("jump", "jcnd"):
            # `jcnd` has how often the instruction was executed, too.
            count, *to = value.replace("/", " ", 1).split()
            target = positions.address(positions.parse(to[key == "jcnd" :]))
            source = positions.address(positions.parse(next(lines).split()[:width]))
            profile.jumps.append(Jump(caller, source, target, int(count)))
        elif key in ("fl", "fi", "fe", "cfi", "cfl", "jfi", "jfn") and equals:
            continue
        else:
            words = line.split()
            assert words[0] == "totals:", line
            profile.totals = int(words[1])
