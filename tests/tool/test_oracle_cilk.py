"""Random Cilk programs under cilkshadow against their dags (dag.py), number by number.

The compiled programs have no branches, so that their disassembly tells what each strand costs; what
they do is known from their making. Nothing is left to a tolerance."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from dag import Dag, Node, Strand, check
from straight_code import LEAVES, Step, built, burning, steps


@dataclass
class CilkProgram:
    """Routines f0, f1... of one statement a line; `text` and `meaning` go by line."""

    seed: int
    text: list[str] = field(default_factory=list)
    meaning: dict[str, list[tuple[str, int, int]]] = field(default_factory=dict)
    routines: int = 5
    depth: int = 3

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.text = ["#include <cilk/cilk.h>", *LEAVES.splitlines(), "typedef void routine(long);"]
        names = [f"f{i}" for i in range(self.routines)]
        self.text.append(f"routine {', '.join(names)};")
        self.text.append(f"routine *const table[][{self.depth + 1}] = {{")
        self.text += [f"{{stop, {', '.join([name] * self.depth)}}}," for name in names]
        self.text.append("};")
        for name in names:
            self.text.append(f"void {name}(long depth) {{")
            self.meaning[name] = []
            self.calls_left = 3
            self.block(name, 0)
            self.text.append("}")
        self.text.append(f"int main(void) {{ f0({self.depth}); return 0; }}")

    def say(self, name: str, what: str, number: int, text: str) -> None:
        self.text.append(text)
        self.meaning[name].append((what, number, len(self.text)))

    def mark(self, name: str, what: str, kind: str) -> None:
        self.say(name, what, 0, f"CILKSHADOW_MARK(CILKSHADOW_{kind});")

    def block(self, name: str, nested: int) -> None:
        for _ in range(self.random.randint(2, 6)):
            choice = self.random.choice(["burn", "call", "spawn", "spawn", "sync", "scope", "for"])
            if choice in ("scope", "for") and nested == 2:
                choice = "burn"
            if choice in ("call", "spawn"):
                if self.calls_left == 0:
                    choice = "burn"
                else:
                    self.calls_left -= 1
            if choice == "burn":
                n = self.random.randint(1, 40)
                if self.random.random() < 0.3:
                    self.say(name, "spawn", -n, f"cilk_spawn burn({n});")
                else:
                    self.say(name, "call", -n, f"burn({n});")
            elif choice in ("call", "spawn"):
                callee = self.random.randrange(self.routines)
                keyword = "cilk_spawn " if choice == "spawn" else ""
                self.say(name, choice, callee, f"{keyword}table[{callee}][depth](depth - 1);")
            elif choice == "sync":
                self.say(name, "sync", 0, "cilk_sync;")
            elif choice == "scope":
                self.mark(name, "scope", "SCOPE_BEGIN")
                self.block(name, nested + 1)
                self.mark(name, "scope_end", "SCOPE_END")
            else:
                self.mark(name, "for", "FOR_BEGIN")
                for _ in range(self.random.randint(0, 2)):
                    self.mark(name, "iteration", "FOR_ITERATION")
                    self.block(name, nested + 1)
                self.mark(name, "for_end", "FOR_END")


MARKERS = {
    "spawn": 3,
    "sync": 4,
    "scope": 5,
    "scope_end": 6,
    "for": 7,
    "iteration": 8,
    "for_end": 9,
}


@dataclass
class CilkRun:
    """Executes a program into a dag."""

    program: CilkProgram
    code: dict[str, list[Step]]
    dag: Dag = field(default_factory=Dag)

    def main(self) -> Node:
        strand = self.dag.start()
        self.dag.call(strand, "main", 0)
        call, end = self.code["main"]
        self.dag.execute(strand, call.cost)
        self.call(strand, 0, self.program.depth, len(self.program.text))
        self.dag.execute(strand, end.cost)
        self.dag.return_(strand)
        return strand.node

    def call(self, strand: Strand, callee: int, depth: int, line: int) -> None:
        """Of a routine, or of the leaf that burns."""
        name = "burn" if callee < 0 else "stop" if depth < 0 else f"f{callee}"
        self.dag.call(strand, name, line)
        if callee < 0:
            self.dag.execute(strand, burning(-callee))
        elif depth < 0:
            self.dag.execute(strand, 1)
        else:
            self.body(strand, name, depth)
        self.dag.return_(strand)

    def body(self, strand: Strand, name: str, depth: int) -> None:
        code = iter(self.code[name])

        def step(what: str) -> None:
            done = next(code)
            assert done.what == what, (name, what)
            self.dag.execute(strand, done.cost)

        # Of the routine, then of each open scope, loop and iteration: the children's ends.
        children: list[list[Node]] = [[]]
        forks: list[Node] = []

        def end_block() -> None:
            self.dag.sync(strand, children.pop())

        def end_iteration() -> None:
            end_block()
            children[-1].append(strand.node)
            strand.node = forks.pop()

        in_iteration: list[bool] = []
        for what, number, line in self.program.meaning[name]:
            if what in MARKERS:
                step(f"marker {MARKERS[what]}")
            if what == "call":
                step("call")
                self.call(strand, number, depth - 1, line)
            elif what == "spawn":
                step("call")
                fork = strand.node
                self.call(strand, number, depth - 1, line)
                children[-1].append(strand.node)
                strand.node = fork
            elif what == "sync":
                self.dag.sync(strand, children[-1])
                children[-1].clear()
            elif what == "scope":
                children.append([])
            elif what == "scope_end":
                end_block()
            elif what == "for":
                children.append([])
                in_iteration.append(False)
            elif what == "iteration":
                if in_iteration[-1]:
                    end_iteration()
                in_iteration[-1] = True
                forks.append(strand.node)
                children.append([])
            elif what == "for_end":
                if in_iteration.pop():
                    end_iteration()
                end_block()
        step("return")
        self.dag.sync(strand, children[0])


@pytest.mark.parametrize("seed", range(8))
def test_cilk_programs(seed: int, tmp_path: Path) -> None:
    made = CilkProgram(seed)
    program = built("\n".join(made.text), tmp_path)
    run_ = CilkRun(made, steps(program))
    check(program, tmp_path, run_.dag, run_.main())
