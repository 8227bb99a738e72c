"""Builds valid profiles for the tests of what reads them."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(os.environ.get("APROF_SRCDIR", Path(__file__).resolve().parent.parent.parent))

Point = tuple[int, int, int, int, int]  # size, calls, min, max, sum of inclusive cost


@dataclass
class Table:
    """One routine in one thread; the same points under both metrics unless `rms` is given."""

    routine: int
    points: Sequence[Point]
    thread: int = 1
    unfinished: int = 0
    induced: tuple[int, int] = (0, 0)
    rms: Sequence[Point] | None = None
    precision: int = 0
    extra_cost: int = 0  # of unfinished activations


@dataclass
class Builder:
    """`routines`: (name, object number, file number, line), ids from 1."""

    routines: Sequence[tuple[str, int, int, int]] = (("main", 1, 1, 10), ("work", 1, 1, 3))
    objects: Sequence[str] = ("/bin/app",)
    files: Sequence[str] = ("/src/app.c",)
    threads: Sequence[str] = ("",)
    tables: Sequence[Table] = field(default_factory=list)
    events: Sequence[str] = ("bb",)
    metrics: Sequence[str] = ("trms", "rms")
    command: str = "./app 1"
    pid: int = 100
    reason: str = "exit"
    cell_bytes: int = 4

    def text(self) -> str:
        """The whole file."""
        return with_end("\n".join(self._lines()) + "\n")

    def write(self, path: Path) -> Path:
        """The whole file, at `path`."""
        path.write_text(self.text())
        return path

    def _lines(self) -> list[str]:
        lines = ["aprof-trms-profile 1", "creator aprof-trms 0.1.0", "valgrind 3.19.0"]
        lines += [f"command {self.command}", f"pid {self.pid}", f"reason {self.reason}"]
        lines += ["option cost bb", "fair-sched no", "renumberings 0"]
        lines += [f"uncounted {event} 5" for event in self.events]
        units = {"bb": "guest basic blocks", "instr": "guest instructions"}
        lines += [f"event {event} {units[event]}" for event in self.events]
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
            lines += self._table(table)
        return lines

    def _table(self, table: Table) -> list[str]:
        calls = sum(point[1] for point in table.points) + table.unfinished
        cost = sum(point[4] for point in table.points) + table.extra_cost
        induced = f"{table.induced[0]} {table.induced[1]}"
        pairs = " ".join(f"{cost * k} {cost * k}" for k in range(1, len(self.events) + 1))
        lines = [
            f"table {table.thread} {table.routine} {calls} {table.unfinished} {induced} {pairs}"
        ]
        for metric in self.metrics:
            points = table.points if metric == "trms" or table.rms is None else table.rms
            lines.append(f"points {metric} {len(points)} {table.precision}")
            for i, (size, count, least, most, total) in enumerate(points):
                share = induced if i == 0 else "0 0"
                costs = []
                for k in range(1, len(self.events) + 1):
                    costs += [f"{k * least} {k * most} {k * total} {k * k * total * total}"] * 2
                lines.append(f"{size} {count} {share} {' '.join(costs)}")
        return lines


def with_end(body: str) -> str:
    """The records with their `end` record."""
    checksum = zlib.adler32(body.encode())
    return f"{body}end {body.count(chr(10))} {checksum:08x}\n"
