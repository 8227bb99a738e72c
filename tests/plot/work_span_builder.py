"""Builds valid profiles of cilkshadow for the tests of their readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from builder import with_end

Triple = tuple[int, int, int]  # count, work, span
NONE: Triple = (0, 0, 0)

PREFIX = [f"{p}.{m}" for p in ("on_work", "on_span") for m in ("top_site", "top_caller", "local")]
COLUMNS = "id caller callee file line address spawned".split() + [
    f"{prefix}.{value}" for prefix in PREFIX for value in ("count", "work", "span")
]


@dataclass
class Site:
    """A call site: measures top_site, top_caller and local, on work and on span; on span as on work
    unless given."""

    caller: int
    callee: int
    line: int
    on_work: tuple[Triple, Triple, Triple]
    on_span: tuple[Triple, Triple, Triple] | None = None
    spawned: int = 0
    file: int = 1


@dataclass
class WorkSpan:
    """`routines`: (name, line), all in one object and file; `totals` replace those that the sites
    add up to."""

    routines: Sequence[tuple[str, int]] = (
        ("main", 30),
        ("quicksort", 17),
        ("partition", 3),
    )
    sites: Sequence[Site] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    notes: Sequence[str] = ()
    locks: Sequence[str] = ()
    loops: Sequence[str] = ()  # records
    regions: Sequence[str] = ()
    dag: Sequence[str] = ()  # records
    files: Sequence[str] = ("/src/quicksort.c",)
    command: str = "./quicksort 1000000"
    reason: str = "exit"
    threads: int = 1
    options: Sequence[str] = ("work instr", "burden 15000")
    version: int = 0  # of the format; 0: the first with such records

    def text(self) -> str:
        """The whole file."""
        return with_end("\n".join(self._lines()) + "\n")

    def write(self, path: Path) -> Path:
        """The whole file, at `path`."""
        path.write_text(self.text())
        return path

    def _lines(self) -> list[str]:
        version = self.version or (3 if self.regions else 2 if self.loops else 1)
        lines = [
            f"cilkshadow-profile {version}",
            "creator cilkshadow 0.1.0",
            "valgrind 3.19.0",
        ]
        lines += [f"command {self.command}", "pid 4711", f"reason {self.reason}"]
        lines += [*(f"option {option}" for option in self.options), "unit guest instructions"]
        lines += ["fair-sched no", f"threads {self.threads}"]
        lines += [f"{name} {value}" for name, value in self._totals().items()]
        lines += [f"note {note}" for note in self.notes]
        lines += ["object 1 /bin/quicksort"]
        lines += [f"file {i} {name}" for i, name in enumerate(self.files, 1)]
        for i, (name, line) in enumerate(self.routines, 1):
            lines.append(f"routine {i} 1 1 {line} {4096 * i} {name}")
        lines.append("columns " + " ".join(COLUMNS))
        for i, site in enumerate(self.sites, 1):
            where = f"{site.file} {site.line} {1000 + i}" if site.caller else "0 0 0"
            triples = (
                *site.on_work,
                *(site.on_work if site.on_span is None else site.on_span),
            )
            numbers = " ".join(str(value) for triple in triples for value in triple)
            lines.append(f"site {i} {site.caller} {site.callee} {where} {site.spawned} {numbers}")
        return [
            *lines,
            *self.loops,
            *(f"lock {lock}" for lock in self.locks),
            *(f"region {region}" for region in self.regions),
            *self.dag,
        ]

    def _totals(self) -> dict[str, int]:
        span = sum((s.on_work if s.on_span is None else s.on_span)[2][2] for s in self.sites)
        found = {
            "work": sum(site.on_work[2][1] for site in self.sites),
            "overhead": 0,
            "span": span,
            "burdened-span": span,
            "serialised-span": span,
            "spawns": sum(site.spawned for site in self.sites),
            "syncs": 0,
        }
        return {**found, **self.totals}


def quicksort() -> WorkSpan:
    """The Cilkprof paper's Figure 2, with its numbers on work rounded: lines 20, 21, 22, 31. Local
    measures on work add up to the call's work."""
    partition = (4000, 408_150_528, 408_150_528)
    sites = [
        Site(0, 1, 0, ((1, 790_518_160, 141_902_781),) * 2 + ((1, 100, 100),)),
        Site(
            2,
            3,
            20,
            (partition, (1, 22_000_000, 22_000_000), partition),
            ((20, 141_891_291, 141_891_291),) * 3,
        ),
        Site(
            2,
            2,
            21,
            ((90, 741_312_781, 116_591_841), (1, 380_000_000, 90_000_000), (2000, 190_000_000, 150_000_000)),
            ((9, 597_298_216, 98_119_730), (1, 380_000_000, 90_000_000), (9, 4_340, 3_823)),
            spawned=2000,
        ),
        Site(
            2,
            2,
            22,
            ((91, 761_041_165, 125_360_000), (1, 385_000_000, 91_000_000), (2000, 192_366_647, 150_000_000)),
            ((11, 691_808_220, 118_447_199), (1, 385_000_000, 91_000_000), (11, 7_068, 6_682)),
        ),
        Site(
            1,
            2,
            31,
            ((1, 790_518_060, 141_902_681),) * 2 + ((1, 885, 885),),
        ),
    ]  # fmt: skip
    return WorkSpan(sites=sites)
