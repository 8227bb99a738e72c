"""Compares what aprof-trms and callgrind measured, routine by routine, and tells by which of a few
rules they differ.

The rules know what the two tools do, and no routine of any program by name. Some rewrite
callgrind's numbers into what aprof-trms has to say, exactly; the others, the Kinds, bound what may
differ. docs/manual/aprof-trms.md, "Compared with callgrind", states them all.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import callgrind_out
from elf_file import ElfFile

NO_FILE = "???"
PAGE = 4096


class Kind(Enum):
    """Why numbers of a routine differ."""

    # Callgrind counts no call where nobody called: the first routine, a signal handler.
    ROOT = auto()
    # Callgrind counts a block when the next one begins, so never where the program ends, nor where
    # a signal handler returns or is left by a jump.
    LAST_BLOCK = auto()
    # To callgrind each jump in a cycle of tail calls is one more call; to aprof-trms it continues
    # the activation that is pending.
    CYCLE_OF_JUMPS = auto()
    # To callgrind a jump within an object to code without a symbol is no tail call; to aprof-trms
    # it is one if that code has been called before.
    NAMELESS_TAIL_CALL = auto()
    UNEXPLAINED = auto()


class Key(NamedTuple):
    """A routine as both tools know it; namesakes of an object are one."""

    object: str
    name: str

    @property
    def is_nameless(self) -> bool:
        return re.fullmatch(r".*\+0x[0-9a-f]+", self.name) is not None

    @property
    def address(self) -> int:
        return int(self.name.rpartition("+0x")[2], 16)

    @property
    def section(self) -> str:
        found = elf(self.object).section(self.address)
        return found.name if found is not None else ""


@dataclass
class Numbers:
    calls: int = 0
    inclusive: int = 0
    self: int = 0

    def __sub__(self, other: Numbers) -> Numbers:
        return Numbers(
            self.calls - other.calls,
            self.inclusive - other.inclusive,
            self.self - other.self,
        )


@cache
def elf(path: str) -> ElfFile:
    return ElfFile(Path(path))


def plain_name(name: str) -> str:
    """Without a symbol's version; the cold part of a function is the function."""
    if "@" in name[1:]:
        name = name[: name.index("@", 1)]
    return re.sub(r"(\.cold(\.\d+)*| \[clone \.cold(\.\d+)*\])$", "", name)


def key_of(function: callgrind_out.Function) -> Key:
    address = re.fullmatch(r"0x([0-9a-f]{16})( \[\w+\])?", function.name)
    if address is None:
        return Key(function.object, plain_name(function.name))
    number = int(address.group(1), 16)
    if function.object == NO_FILE:
        return in_no_file(number)
    return Key(function.object, f"{os.path.basename(function.object)}+0x{number:x}")


def in_no_file(address: int) -> Key:
    """.init and .fini are in no file to callgrind, which knows .text only. What is left of an
    address, when nothing says where the file was loaded, is its place in its page."""
    return Key(NO_FILE, f"{NO_FILE}+0x{address % PAGE:x}")


def ours_of(report: dict[str, Any]) -> dict[Key, Numbers]:
    """The numbers of `aprof-report --format=json`; code outside .text as callgrind has it."""
    ours: dict[Key, Numbers] = defaultdict(Numbers)
    for routine in report["routines"]:
        key = Key(routine["object"], routine["name"])
        if key.is_nameless and key.object != NO_FILE and key.section != ".text":
            key = in_no_file(key.address)
        numbers = ours[key]
        numbers.calls += routine["calls"]
        numbers.inclusive += routine["cost"]["instr"]["inclusive"]
        numbers.self += routine["cost"]["instr"]["self"]
    return dict(ours)


@dataclass
class Theirs:
    """Callgrind's numbers, rewritten.

    Names: without version and .cold, code without a symbol as ours.
    Linkage stubs: callgrind leaves out those in .plt, at their callers' cost, as aprof-trms does;
    others (.plt.got, .plt.sec) are functions to it, and their cost is moved here.
    """

    numbers: dict[Key, Numbers]
    called: set[Key]
    jumps_into: Counter[Key]  # calls that were jumps
    in_cycle_of_jumps: set[Key]


def theirs_of(profile: callgrind_out.Profile) -> Theirs:
    stubs = {arc.callee for arc in profile.arcs if calls_stub(arc)}
    stub_cost: Counter[callgrind_out.Function] = Counter()
    stub_calls: dict[callgrind_out.Function, Counter[Key]] = defaultdict(Counter)
    numbers: dict[Key, Numbers] = defaultdict(Numbers)
    from_outermost: Counter[Key] = Counter()
    for function, cost in profile.self_cost.items():
        if function in stubs:
            stub_cost[function] += cost
            continue
        key = key_of(function)
        numbers[key].self += cost
        from_outermost[key] += cost * (function.level == 1)

    jumps: dict[Key, Counter[Key]] = defaultdict(Counter)
    for arc in profile.arcs:
        caller, callee = key_of(arc.caller), key_of(arc.callee)
        from_outermost[caller] += arc.inclusive * (arc.caller.level == 1)
        if arc.callee in stubs:
            stub_calls[arc.callee][caller] += arc.calls
        elif arc.caller.name == arc.callee.name or caller != callee:  # not to the cold part
            numbers[callee].calls += arc.calls
            numbers[callee].inclusive += arc.inclusive * (arc.callee.level == 1)
            if arc.caller.object != NO_FILE and not elf(arc.caller.object).is_call(arc.site):
                jumps[caller][callee] += arc.calls

    for stub, calls in stub_calls.items():
        each, rest = divmod(stub_cost[stub], calls.total())
        assert rest == 0  # stubs have no branches
        for caller, count in calls.items():
            numbers[caller].self += each * count

    called = {key for key in numbers if numbers[key].calls > 0}
    for key in numbers.keys() - called:
        numbers[key].inclusive = from_outermost[key]
    into: Counter[Key] = sum(jumps.values(), Counter())
    cycles = {key for key in jumps if key in reachable(jumps, key)}
    return Theirs(dict(numbers), called, into, cycles)


def calls_stub(arc: callgrind_out.Arc) -> bool:
    """Whether the callee is a linkage stub that callgrind takes for a function in no file."""
    if arc.callee.object != NO_FILE or arc.caller.object == NO_FILE:
        return False
    caller = elf(arc.caller.object)
    target = caller.direct_target(arc.site)
    section = caller.section(target) if target is not None else None
    return section is not None and section.name.startswith(".plt.")


def reachable(graph: dict[Key, Counter[Key]], start: Key) -> set[Key]:
    found: set[Key] = set()
    pending = [start]
    while pending:
        for key in graph.get(pending.pop(), ()):
            if key not in found:
                found.add(key)
                pending.append(key)
    return found


class Comparison:
    """What of ours differs from theirs, and why."""

    def __init__(self, ours: dict[Key, Numbers], theirs: Theirs) -> None:
        self.ours = ours
        self.theirs = theirs
        self.total = sum(numbers.self for numbers in ours.values())
        # Instructions that aprof-trms counted, and callgrind did not.
        self.missing = self.total - sum(numbers.self for numbers in theirs.numbers.values())
        zero = Numbers()
        self.more = {
            key: ours.get(key, zero) - theirs.numbers.get(key, zero)
            for key in ours.keys() | theirs.numbers.keys()
        }
        self.objects_of_gainers = {key.object for key in self.more if self.gains(key)}
        self.calls = self._differing(self._why_calls)
        self.inclusive = self._differing(self._why_inclusive)
        self.self = self._differing(self._why_self)

    def _differing(self, why: Callable[[Key], Kind | None]) -> dict[Key, Kind]:
        return {key: kind for key in self.more if (kind := why(key)) is not None}

    def gains(self, key: Key) -> bool:
        """Code without a symbol that aprof-trms saw entered more often."""
        return key.is_nameless and key in self.theirs.called and self.more[key].calls > 0

    def _why_calls(self, key: Key) -> Kind | None:
        more = self.more[key].calls
        if more == 0:
            return None
        if more > 0 and key not in self.theirs.called:
            return Kind.ROOT
        if self.gains(key):
            return Kind.NAMELESS_TAIL_CALL
        if key in self.theirs.in_cycle_of_jumps and 0 < -more <= self.theirs.jumps_into[key]:
            return Kind.CYCLE_OF_JUMPS
        return Kind.UNEXPLAINED

    def _why_inclusive(self, key: Key) -> Kind | None:
        more = self.more[key].inclusive
        if more == 0:
            return None
        if more > 0 and self.gains(key):
            return Kind.NAMELESS_TAIL_CALL
        if 0 < more <= self.missing:
            return Kind.LAST_BLOCK
        if more < 0 and key in self.theirs.in_cycle_of_jumps:
            return Kind.CYCLE_OF_JUMPS
        return Kind.UNEXPLAINED

    def _why_self(self, key: Key) -> Kind | None:
        more = self.more[key].self
        if more == 0:
            return None
        if self.gains(key) or (more < 0 and key.object in self.objects_of_gainers):
            return Kind.NAMELESS_TAIL_CALL
        if 0 < more <= self.missing:
            return Kind.LAST_BLOCK
        return Kind.UNEXPLAINED

    def kinds(self) -> set[Kind]:
        return {*self.calls.values(), *self.inclusive.values(), *self.self.values()}

    def moved(self, kind: Kind) -> Counter[str]:
        """By object, the self cost that its routines have more for this reason, less what others
        have less."""
        moved: Counter[str] = Counter()
        for key, why in self.self.items():
            if why is kind:
                moved[key.object] += self.more[key].self
        return moved

    def unexplained(self) -> list[str]:
        return [
            f"{key}: callgrind {self.theirs.numbers.get(key)}, aprof-trms {self.ours.get(key)}"
            for key in sorted(self.more)
            for kinds in (self.calls, self.inclusive, self.self)
            if kinds.get(key) is Kind.UNEXPLAINED
        ]

    def self_cost_in_equal_routines(self) -> float:
        """Share of the instructions that are in routines of exactly equal self cost."""
        return 1 - sum(self.ours[key].self for key in self.self if key in self.ours) / self.total

    def self_cost_alike(self) -> float:
        """Share of the instructions that both tools count to the same routine."""
        return 1 - sum(abs(self.more[key].self) for key in self.self) / 2 / self.total

    def equal_routines(self) -> float:
        """Share of the routines of which calls, inclusive cost and self cost are exactly equal."""
        differing = self.calls.keys() | self.inclusive.keys() | self.self.keys()
        return 1 - len(differing) / len(self.more)
