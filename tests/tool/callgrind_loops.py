"""How often loops go round, by what callgrind counted (--dump-instr=yes, --collect-jumps=yes): the
executions of each instruction, and the jumps.

Together these are a flow graph of the code that was executed, and how often each edge was taken.
Nothing in it is taken from aprof-trms but where the loops' headers are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import callgrind_out
from elf_file import ElfFile


_LONGEST_CALL = 7  # bytes


@dataclass(frozen=True)
class Trips:
    entries: int  # from outside of the loop
    back_edges: int


class ExecutedCode:
    """The executed instructions of an object. Its functions are not told apart, as callgrind does
    not always do it where one jumps to another."""

    def __init__(self, profile: callgrind_out.Profile, path: str) -> None:
        elf = ElfFile(Path(path))
        self._executions: Counter[int] = Counter()
        self._edges: Counter[tuple[int, int]] = Counter()
        for function, costs in profile.costs.items():
            if function.object == path:
                self._executions.update(costs)
        for jump in profile.jumps:
            if jump.function.object == path:
                self._edges[jump.source, jump.target] += jump.count
        self._entries = {arc.target for arc in profile.arcs if arc.callee.object == path}
        left: Counter[int] = Counter()
        for arc in profile.arcs:
            if arc.caller.object == path and not elf.is_call(arc.site):
                left[arc.site] += arc.calls
        self._fall_through(elf, left)

    def _fall_through(self, elf: ElfFile, left: Counter[int]) -> None:
        """Adds the edges to the instruction that follows."""
        taken = Counter(left)
        arrivals: Counter[int] = Counter()
        for (source, target), count in self._edges.items():
            taken[source] += count
            arrivals[target] += count
        addresses = sorted(self._executions)
        for address, following in zip(addresses, addresses[1:]):
            if elf.is_call(address):  # of which some may never return, or, as setjmp, return again
                is_behind = following - address <= _LONGEST_CALL
                count = is_behind * (self._executions[following] - arrivals[following])
            elif not elf.is_return(address):
                count = self._executions[address] - taken[address]
            else:
                continue
            if count > 0:
                self._edges[address, following] += count

    @cached_property
    def _successors(self) -> Mapping[int, list[int]]:
        found = defaultdict(list)
        for source, target in self._edges:
            found[source].append(target)
        return found

    @cached_property
    def _predecessors(self) -> Mapping[int, list[int]]:
        found = defaultdict(list)
        for source, target in self._edges:
            found[target].append(source)
        return found

    def _body(self, header: int) -> set[int]:
        """What is reached through the header only, and leads back to it by such code."""
        around = _reached(self._entries - {header}, self._successors, without={header})
        return _reached({header}, self._predecessors, without=around)

    def trips(self, header: int) -> Trips:
        body = self._body(header)
        back = sum(
            self._edges[source, header] for source in self._predecessors[header] if source in body
        )
        return Trips(self._executions[header] - back, back)

    def goes_round_by_way_of(self, header: int, times: int) -> bool:
        """Whether there is an instruction, executed so often, without which the loop does not go
        round: the first of its body, if the loop's condition comes before that."""
        body = self._body(header)
        outside = self._executions.keys() - body
        return any(
            header
            not in _reached(set(self._successors[header]), self._successors, outside | {address})
            for address in body
            if self._executions[address] == times and address != header
        )


def _reached(starts: set[int], edges: Mapping[int, list[int]], without: set[int]) -> set[int]:
    found = starts - without
    pending = list(found)
    while pending:
        new = [to for to in edges.get(pending.pop(), ()) if to not in found and to not in without]
        found.update(new)
        pending += new
    return found
