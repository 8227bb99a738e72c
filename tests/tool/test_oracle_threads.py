"""Random programs of threads under cilkshadow against their dags (dag.py), number by number: as
test_oracle_cilk.py, which see."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from dag import Dag, Node, Strand, check
from straight_code import LEAVES, Step, built, burning, steps


@dataclass
class ThreadProgram:
    """Routines t0 (called by main), t1... each a thread's, of one statement a line.

    Made by playing threads that take random turns, so that there is an order in which it can run.
    What may depend on the order is left out: a semaphore has one thread that posts and one that
    waits."""

    seed: int
    # (thread, what, operand), in that order.
    steps: list[tuple[int, str, int]] = field(default_factory=list)
    lines: dict[tuple[int, int], int] = field(default_factory=dict)  # by thread and step
    help_lines: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.creator = {0: -1}
        self.alive = [0]
        self.posted: dict[tuple[int, int], int] = {}
        self.barriers: list[int] = []
        for _ in range(80):
            self.turn(self.random.choice(self.alive))
        while len(self.alive) > 1:
            self.join(self.alive[-1])

    def do(self, thread: int, what: str, operand: int) -> None:
        self.steps.append((thread, what, operand))

    def join(self, ended: int) -> None:
        """Its creator joins it, it those that it has created; all others may go on."""
        for child in [t for t in self.alive if self.creator[t] == ended]:
            self.join(child)
        self.alive.remove(ended)
        self.do(self.creator[ended], "join", ended)

    def turn(self, thread: int) -> None:
        what = self.random.choice(
            "burn burn help create join post post post wait wait lock meet".split()
        )
        others = [t for t in self.alive if t != thread]
        if what == "create" and len(self.creator) < 7:
            made = len(self.creator)
            self.creator[made] = thread
            self.alive.append(made)
            self.do(thread, "create", made)
        elif what == "join" and thread != 0:
            self.join(thread)
        elif what == "post" and others:
            self.post(thread, self.random.choice(others))
        elif what == "wait":
            ends = [e for e, count in self.posted.items() if e[1] == thread and count > 0]
            if ends:
                self.posted[ends[0]] -= 1
                self.do(thread, "wait", self.semaphore(*ends[0]))
        elif what == "meet" and others:
            for t in [thread, *self.random.sample(others, self.random.randint(1, len(others)))]:
                self.do(t, "meet", len(self.barriers))
            self.barriers.append(
                sum(step[1:] == ("meet", len(self.barriers)) for step in self.steps)
            )
        elif what in ("burn", "help", "lock"):
            self.do(thread, what, self.random.randint(1, 5000))

    def semaphore(self, by: int, to: int) -> int:
        return by * 10 + to

    def post(self, by: int, to: int) -> None:
        self.posted[by, to] = self.posted.get((by, to), 0) + 1
        self.do(by, "post", self.semaphore(by, to))

    def text(self) -> str:
        statements = {
            "burn": "burn({0});",
            "help": "help{0}();",
            "create": "pthread_create(&thread[{0}], 0, t{0}, 0);",
            "join": "pthread_join(thread[{0}], 0);",
            "post": "sem_post(&semaphore[{0}]);",
            "wait": "sem_wait(&semaphore[{0}]);",
            "meet": "pthread_barrier_wait(&barrier[{0}]);",
            "lock": "pthread_mutex_lock(&lock); burn({0}); pthread_mutex_unlock(&lock);",
        }
        text = ["#include <pthread.h>", "#include <semaphore.h>", *LEAVES.splitlines()]
        text.append("pthread_t thread[10]; sem_t semaphore[100]; pthread_barrier_t barrier[60];")
        text.append("pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;")
        for n in {n for _, what, n in self.steps if what == "help"}:
            text.append(f"__attribute__((noipa)) void help{n}(void) {{ burn({n}); }}")
            self.help_lines[n] = len(text)
        text += [f"void *t{t}(void *);" for t in self.creator]
        for thread in self.creator:
            text.append(f"void *t{thread}(void *unused) {{")
            for number, (by, what, operand) in enumerate(self.steps):
                if by == thread:
                    text.append(statements[what].format(operand))
                    self.lines[thread, number] = len(text)
            text.append("return 0; }")
        text.append("int main(void) {")
        text += [f"sem_init(&semaphore[{self.semaphore(*ends)}], 0, 0);" for ends in self.posted]
        text += [
            f"pthread_barrier_init(&barrier[{i}], 0, {n});" for i, n in enumerate(self.barriers)
        ]
        text.append("t0(0); return 0; }")
        return "\n".join(text)


@dataclass
class ThreadRun:
    """Executes a program into a dag."""

    program: ThreadProgram
    code: dict[str, list[Step]]
    dag: Dag = field(default_factory=Dag)
    acquired: int = 0
    held: int = 0

    def main(self) -> Node:
        program, dag = self.program, self.dag
        first = dag.start()
        dag.call(first, "main", 0)
        *before, end = self.code["main"]
        for call in before:
            dag.execute(first, call.cost)
        self.strands = {0: first}
        self.code_of = {t: iter(self.code[f"t{t}"]) for t in program.creator}
        main_line = program.text().count("\n") + 1
        dag.call(first, "t0", main_line)
        self.posts: dict[int, list[Node]] = {}
        waiting: list[tuple[int, int]] = []
        for number, (thread, what, operand) in enumerate(program.steps):
            self.step(thread, what, operand, program.lines[thread, number])
            if what == "meet":
                waiting.append((thread, number))
                if len(waiting) == program.barriers[operand]:
                    nodes = [self.strands[t].node for t, _ in waiting]
                    for t, _ in waiting:
                        dag.meet(self.strands[t], *nodes)
                    waiting.clear()
        self.end(0)
        dag.execute(first, end.cost)
        dag.return_(first)
        return first.node

    def pay(self, thread: int) -> int:
        done = next(self.code_of[thread])
        assert done.what == "call"
        self.dag.execute(self.strands[thread], done.cost)
        return done.cost

    def end(self, thread: int) -> None:
        last = next(self.code_of[thread])
        assert last.what == "return"
        self.dag.execute(self.strands[thread], last.cost)
        self.dag.return_(self.strands[thread])

    def leaf(self, strand: Strand, n: int, line: int) -> None:
        self.dag.call(strand, "burn", line)
        self.dag.execute(strand, burning(n))
        self.dag.return_(strand)

    def step(self, thread: int, what: str, operand: int, line: int) -> None:
        dag, strand = self.dag, self.strands[thread]
        self.pay(thread)
        if what == "burn":
            self.leaf(strand, operand, line)
        elif what == "help":
            dag.call(strand, f"help{operand}", line)
            call, end = self.code[f"help{operand}"]
            dag.execute(strand, call.cost)
            self.leaf(strand, operand, self.program.help_lines[operand])
            dag.execute(strand, end.cost)
            dag.return_(strand)
        elif what == "create":
            made = self.strands[operand] = dag.fork(strand)
            dag.call(made, f"t{operand}", line, caller=f"t{thread}")
        elif what == "join":
            self.end(operand)
            dag.join(strand, self.strands[operand])
        elif what == "post":
            self.posts.setdefault(operand, []).append(strand.node)
        elif what == "wait":
            dag.meet(strand, self.posts[operand].pop(0))
        elif what == "lock":
            self.held += self.pay(thread) + burning(operand)
            self.leaf(strand, operand, line)
            self.held += self.pay(thread)
            self.acquired += 1


@pytest.mark.parametrize("seed", range(8))
def test_thread_programs(seed: int, tmp_path: Path) -> None:
    made = ThreadProgram(seed)
    program = built(made.text(), tmp_path)
    run_ = ThreadRun(made, steps(program))
    check(program, tmp_path, run_.dag, run_.main())
    locks = [
        line.split(" ")
        for line in (tmp_path / "profile").read_text().splitlines()
        if line.startswith("lock ")
    ]
    measured = [(int(acquired), int(held)) for _, acquired, held, *_ in locks]
    assert measured == ([(run_.acquired, run_.held)] if run_.acquired else [])
