"""The dag of a computation, written out strand by strand: longest paths and Cilkprof's measures of
call sites (paper, sections 2 and 6) by brute force. The oracle for whole runs of cilkshadow."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from shadowing import shadow, site_numbers

# Caller, callee and line of a call; the caller of outermost routines is ''.
Site = tuple[str, str, int]
# On work, then on span: top-call-site, top-caller and local, each count, work and span.
Numbers = tuple[int, ...]


@dataclass(eq=False, repr=False)
class Node:
    """A strand, or the meeting of several. `before`: that which ends last; of equals the first.
    `own`: the same, but other threads do not count."""

    cost: int
    call: Call | None
    before: Node | None
    own: Node | None
    finish: int


@dataclass(eq=False, repr=False)
class Call:
    """An invocation of a routine: all that it executes until `last`, where it has returned."""

    site: Site
    top_site: bool
    top_caller: bool
    outermost: bool
    first: Node
    work: int = 0
    own_work: int = 0
    last: Node | None = None

    def own_span(self) -> int:
        """What its own strands take of the longest path in its own thread."""
        sum_of_costs, node = 0, self.last
        while node is not None and node is not self.first:
            sum_of_costs += node.cost if node.call is self else 0
            node = node.own
        return sum_of_costs

    def measures(self, local: tuple[int, int, int]) -> Numbers:
        """With what is given as the local one."""
        assert self.last is not None
        all_of_it = (1, self.work, self.last.finish - self.first.finish)
        return (
            *(all_of_it if self.top_site else (0, 0, 0)),
            *(all_of_it if self.top_caller else (0, 0, 0)),
            *local,
        )


def longest_path(last: Node) -> set[Node]:
    """All nodes on it."""
    found, node = set[Node](), last
    while node is not None:
        found.add(node)
        node = node.before
    return found


@dataclass(eq=False, repr=False)
class Strand:
    """Something that goes on: a thread, or the only one. `calls`: the pending ones; those of its
    creator count as pending, too."""

    node: Node
    calls: list[Call] = field(default_factory=list)
    inherited: list[Call] = field(default_factory=list)
    work: int = 0


@dataclass(repr=False)
class Dag:
    """Grows as the program runs."""

    made: list[Call] = field(default_factory=list)

    def start(self) -> Strand:
        """The program's first."""
        return Strand(Node(0, None, None, None, 0))

    def fork(self, creator: Strand) -> Strand:
        """Begins where its creator is."""
        return Strand(creator.node, inherited=creator.inherited + creator.calls)

    def execute(self, strand: Strand, cost: int) -> None:
        call = strand.calls[-1]
        call.own_work += cost
        self._count(strand, cost)
        self._append(strand, cost, call)

    def call(self, strand: Strand, routine: str, line: int, caller: str | None = None) -> None:
        pending = strand.inherited + strand.calls
        if caller is None:
            caller = strand.calls[-1].site[1] if strand.calls else ""
        site = (caller, routine, line)
        call = Call(
            site,
            top_site=all(other.site != site for other in pending),
            top_caller=not strand.calls or strand.calls[-1].outermost,
            outermost=all(other.site[1] != routine for other in pending),
            first=strand.node,
        )
        strand.calls.append(call)
        self.made.append(call)

    def return_(self, strand: Strand) -> None:
        call = strand.calls.pop()
        self._append(strand, 0, call)
        call.last = strand.node

    def _append(self, strand: Strand, cost: int, call: Call) -> None:
        before = strand.node
        strand.node = Node(cost, call, before, before, before.finish + cost)

    def sync(self, strand: Strand, children: list[Node]) -> None:
        """What the strand does next comes after its children's ends."""
        latest = max((strand.node, *children), key=lambda node: node.finish)
        strand.node = Node(0, None, latest, latest, latest.finish)

    def meet(self, strand: Strand, *others: Node) -> None:
        """The same with what other threads did."""
        latest = max((strand.node, *others), key=lambda node: node.finish)
        strand.node = Node(0, None, latest, strand.node, latest.finish)

    def join(self, strand: Strand, ended: Strand) -> None:
        """As meet, and all that the other executed counts to who joins it."""
        self._count(strand, ended.work)
        self.meet(strand, ended.node)

    def _count(self, strand: Strand, work: int) -> None:
        strand.work += work
        for pending in strand.calls:
            pending.work += work

    def sites(self, last: Node) -> dict[Site, Numbers]:
        """Their numbers, when the whole has ended there."""
        on_path = longest_path(last)
        own_on_path = Counter[Site]()
        for node in on_path:
            if node.call is not None:
                own_on_path[node.call.site] += node.cost
        sums: dict[Site, Numbers] = {}
        for call in self.made:
            on_work = call.measures((1, call.own_work, call.own_span()))
            on_span: Numbers = (0,) * 9
            if call.last in on_path:
                on_span = call.measures((1, call.own_work, 0))
            before = sums.get(call.site, (0,) * 18)
            sums[call.site] = tuple(map(sum, zip(before, on_work + on_span)))
        return {site: (*numbers[:-1], own_on_path[site]) for site, numbers in sums.items()}


def check(program: Path, folder: Path, dag: Dag, last: Node) -> None:
    """That cilkshadow measures of the program exactly what the dag, which ends there, says."""
    measured = shadow([program], folder / "profile")
    assert not measured.notes
    found = site_numbers(folder / "profile")
    expected = dag.sites(last)
    wrong = {site: (n, found.get(site)) for site, n in expected.items() if found.get(site) != n}
    assert not wrong, list(wrong.items())[:3]
    # What runs around main is the rest.
    others = [numbers for site, numbers in found.items() if site not in expected]
    assert measured.work == sum(call.own_work for call in dag.made) + sum(n[7] for n in others)
    assert measured.span == last.finish + sum(numbers[17] for numbers in others)
