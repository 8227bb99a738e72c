"""Builds valid profiles for the tests of their readers."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(os.environ.get("APROF_SRCDIR", Path(__file__).resolve().parent.parent.parent))

Point = tuple[int, int, int, int, int]  # size, calls, min, max, sum of inclusive cost
# Routine, calls, of them unfinished, inclusive cost, and of it that of outermost calls.
Caller = tuple[int, int, int, int, int]


def with_loops(version: int, program: str) -> str:
    """The beginning of a profile of ./`program` that has loops, up to its one source file."""
    statistics = "min max sum sumsq".split()
    costs = [f"bb.{own}{each}" for own in ("", "self.") for each in statistics]
    return f"""\
aprof-trms-profile {version}
creator aprof-trms 0.1.0
valgrind 3.19.0
command ./{program}
pid 7
reason exit
option loops yes
fair-sched no
renumberings 0
uncounted bb 0
event bb guest basic blocks
metric rms cells of 4 bytes
columns size calls thread external children {' '.join(costs)}
object 1 /home/me/{program}
file 1 /home/me/{program}.c
"""


@dataclass
class Table:
    """One routine in one thread; the same points under both metrics unless `rms` is given. It was
    called by no other unless `callers` are given."""

    routine: int
    points: Sequence[Point]
    thread: int = 1
    unfinished: int = 0
    induced: tuple[int, int] = (0, 0)
    rms: Sequence[Point] | None = None
    precision: int = 0
    extra_cost: int = 0  # of unfinished activations
    callers: Sequence[Caller] | None = None

    @property
    def calls(self) -> int:
        """All, the unfinished ones, too."""
        return sum(point[1] for point in self.points) + self.unfinished

    @property
    def cost(self) -> int:
        """Inclusive, and self."""
        return sum(point[4] for point in self.points) + self.extra_cost


@dataclass
class Context:
    """What a table has, in one calling context. `parent` counts from 1, 0 for a root, None for a
    merged one. The table's cost is the context's self cost."""

    parent: int | None
    table: Table


@dataclass
class Builder:
    """`routines`: (name, object number, file number, line), ids from 1."""

    routines: Sequence[tuple[str, int, int, int]] = (
        ("main", 1, 1, 10),
        ("work", 1, 1, 3),
    )
    objects: Sequence[str] = ("/bin/app",)
    files: Sequence[str] = ("/src/app.c",)
    threads: Sequence[str] = ("",)
    tables: Sequence[Table] = field(default_factory=list)
    contexts: Sequence[Context] = ()
    events: Sequence[str] = ("bb",)
    metrics: Sequence[str] = ("trms", "rms")
    command: str = "./app 1"
    pid: int = 100
    reason: str = "exit"
    cell_bytes: int = 4
    version: int = 2  # of the format
    options: Sequence[str] = ("cost bb",)

    def text(self) -> str:
        """The whole file."""
        return with_end("\n".join(self._lines()) + "\n")

    def write(self, path: Path) -> Path:
        """The whole file, at `path`."""
        path.write_text(self.text())
        return path

    def _lines(self) -> list[str]:
        lines = [
            f"aprof-trms-profile {self.version}",
            "creator aprof-trms 0.1.0",
            "valgrind 3.19.0",
        ]
        lines += [f"command {self.command}", f"pid {self.pid}", f"reason {self.reason}"]
        lines += [f"option {option}" for option in self.options]
        lines += ["fair-sched no", "renumberings 0"]
        lines += [f"uncounted {event} 5" for event in self.events]
        blocks, instructions = "guest basic blocks", "guest instructions"
        lines += [f"event {e} {blocks if e == 'bb' else instructions}" for e in self.events]
        lines += [f"metric {metric} cells of {self.cell_bytes} bytes" for metric in self.metrics]
        statistics = [".min", ".max", ".sum", ".sumsq"]
        columns = [e + own + s for e in self.events for own in ("", ".self") for s in statistics]
        lines += ["columns size calls thread external " + " ".join(columns)]
        lines += [f"object {i} {name}" for i, name in enumerate(self.objects, 1)]
        lines += [f"file {i} {name}" for i, name in enumerate(self.files, 1)]
        lines += [
            f"routine {i} {elf} {source} {line} {4096 * i} {name}"
            for i, (name, elf, source, line) in enumerate(self.routines, 1)
        ]
        lines += [f"thread {i} {int(i > 1)} - {name}" for i, name in enumerate(self.threads, 1)]
        for table in self.tables:
            head = f"table {table.thread} {table.routine}"
            lines += self._table(head, table, table.cost)
            if self.version > 1:
                lines += self._callers(table)
        if self.contexts:
            merged = sum(context.table.calls for context in self.contexts if context.parent is None)
            lines.append(f"contexts {len(self.contexts)} {merged}")
        for number, context in enumerate(self.contexts, 1):
            parent = "-" if context.parent is None else context.parent
            head = f"context {number} {parent} {context.table.thread} {context.table.routine}"
            lines += self._table(head, context.table, self._cost_from(number))
        return lines

    def _cost_from(self, number: int) -> int:
        """Of a context and of all below it."""
        children = [i for i, c in enumerate(self.contexts, 1) if c.parent == number]
        return self.contexts[number - 1].table.cost + sum(map(self._cost_from, children))

    def _table(self, head: str, table: Table, inclusive: int) -> list[str]:
        induced = f"{table.induced[0]} {table.induced[1]}"
        multiples = range(1, len(self.events) + 1)
        pairs = " ".join(f"{inclusive * k} {table.cost * k}" for k in multiples)
        lines = [f"{head} {table.calls} {table.unfinished} {induced} {pairs}"]
        for metric in self.metrics:
            points = table.points if metric == "trms" or table.rms is None else table.rms
            lines.append(f"points {metric} {len(points)} {table.precision}")
            for i, (size, count, least, most, total) in enumerate(points):
                share = induced if i == 0 else "0 0"
                costs = []
                for k in multiples:
                    costs += [f"{k * least} {k * most} {k * total} {k * k * total * total}"] * 2
                lines.append(f"{size} {count} {share} {' '.join(costs)}")
        return lines

    def _callers(self, table: Table) -> list[str]:
        callers = table.callers
        if callers is None:
            callers = [(0, table.calls, table.unfinished, table.cost, table.cost)]
        lines = [f"callers {len(callers)}"]
        for caller, calls, unfinished, inclusive, outermost in callers:
            multiples = range(1, len(self.events) + 1)
            pairs = " ".join(f"{inclusive * k} {outermost * k}" for k in multiples)
            lines.append(f"{caller} {calls} {unfinished} {pairs}")
        return lines


def with_end(body: str) -> str:
    """The records with their `end` record."""
    return bytes_with_end(body.encode()).decode()


def bytes_with_end(body: bytes) -> bytes:
    """The same where they may not be text."""
    return body + b"end %d %08x\n" % (body.count(b"\n"), zlib.adler32(body))


def write_anew(path: Path, data: bytes) -> None:
    """As path.write_bytes(), to a new file: one that is truncated and closed is written to the disk by ext4, which
    takes milliseconds."""
    path.unlink(missing_ok=True)
    path.write_bytes(data)


def write_records(folder: Path, body: str, name: str = "aprof.out.7") -> str:
    """Writes the records with their `end` record; the path."""
    path = folder / name
    path.write_text(with_end(body))
    return str(path)


def rewrite(path: Path, *changes: tuple[str, str]) -> None:
    """Changes the profile: of each, the first text, which is in it once, to the second."""
    text = path.read_text().rsplit("end ", 1)[0]
    for record, changed in changes:
        assert text.count(record) == 1, record
        text = text.replace(record, changed)
    path.write_text(with_end(text))
