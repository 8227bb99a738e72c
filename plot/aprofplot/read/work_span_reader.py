"""The reader of cilkshadow's profiles: docs/format-cilkshadow.md, versions 1 to 8.

A profile that breaks the format is refused with file and line, never read in part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from aprofplot.errors import ProfileError, RecordError
from aprofplot.model import PROVENANCE, Note, Origin, Routine
from aprofplot.names import variable_name
from aprofplot.read import fields
from aprofplot.read.dag_reader import DagReader
from aprofplot.read.fields import LARGEST, number, show, split, split_text, text
from aprofplot.read.header_reader import columns_order, note
from aprofplot.read.names_reader import NamesReader
from aprofplot.read.profile_file import CILKSHADOW, load
from aprofplot.read.single_records import SingleRecords
from aprofplot.work_span.model import (
    MEASURES,
    PATHS,
    TOGGLE_COLLECT,
    CallSite,
    InlinedFunction,
    Lock,
    LockPlace,
    LoopSite,
    LoopSpread,
    Measure,
    Measures,
    NamedRegion,
    WorkSpanProfile,
)

_TODO = "the file is complete but violates docs/format-cilkshadow.md: profile the program again, or report a bug"
_TEXTS = ("creator", "valgrind", "command", "reason", "unit", "fair-sched")
_TOTALS = (
    "work",
    "overhead",
    "span",
    "burdened-span",
    "serialised-span",
    "spawns",
    "syncs",
)
_IDENTITY = ("id", "caller", "callee", "file", "line", "address", "spawned")
COLUMNS = _IDENTITY + tuple(
    f"{path}.{measure}.{value}"
    for path in PATHS
    for measure in MEASURES
    for value in ("count", "work", "span")
)
_WITH_PARTS = 8  # the first version that has the parts of loops
BURDENED = "on_work.top_site.burdened_span"  # a column that may be there


def read_work_span(path: str) -> WorkSpanProfile:
    """The profile at `path`. ProfileError if it cannot be read or is not what it should be."""
    file = load(path, CILKSHADOW)
    reader = _Reader(path, file.version)
    at = 2
    try:
        while at < file.lines:
            keyword, _, rest = file.line(at).partition(b" ")
            reader.record(keyword, rest)
            at += 1
        return reader.profile()
    except RecordError as error:
        raise ProfileError(path, at, str(error), _TODO) from error


class _Reader:
    """Takes the records one by one."""

    def __init__(self, path: str, version: int) -> None:
        self._path = path
        self._version = version
        self._single = SingleRecords(_TEXTS, ("pid", "threads", *_TOTALS))
        self._options: list[tuple[str, str]] = []
        self._burden: int | None = None
        self._notes: list[Note] = []
        self._names = NamesReader()
        self._order: list[int] | None = None
        self._sites: list[CallSite] = []
        self._locks: list[Lock] = []
        self._regions: list[NamedRegion] = []
        self._executions: list[tuple[int, list[int]]] = []  # of a loop, by its id
        self._spreads: dict[int, LoopSpread] = {}  # likewise
        self._bodies: dict[int, tuple[str, int]] = {}  # likewise
        self._dag = DagReader(self._sites, self._names, version)
        self._records: dict[str, Callable[[bytes], None]] = {
            **self._dag.records,
            "option": self._option,
            "note": self._note,
            "columns": self._columns,
            "site": self._site,
            "inlined-call": self._inlined_call,
            "executions": self._of_loop,
            "loop-spread": self._spread,
            "loop-body": self._body,
            "lock": self._lock,
            "held-at": self._held_at,
            "condition": self._condition,
            "region": self._region,
        }

    def record(self, keyword: bytes, rest: bytes) -> None:
        """Takes one record. RecordError if it breaks the format."""
        name = keyword.decode("ascii", "replace")
        if name in self._single:
            self._single.take(name, rest)
        elif name in self._records:
            self._records[name](rest)
        elif name in ("object", "file", "routine", "loop", "inlined"):
            self._names.record(keyword, rest)
        else:
            raise RecordError(f"unknown record {show(keyword)}")

    def profile(self) -> WorkSpanProfile:
        """All that was taken. RecordError if a record is missing."""
        missing = [
            *self._single.missing(),
            *(["columns"] if self._order is None else []),
        ]
        if missing:
            raise RecordError(f"there is no '{missing[0]}' record")
        texts, numbers = self._single.texts, self._single.numbers
        return WorkSpanProfile(
            path=self._path,
            creator=texts["creator"],
            valgrind=texts["valgrind"],
            command=texts["command"],
            pid=numbers["pid"],
            reason=texts["reason"],
            options=tuple(option for option in self._options if option[0] not in PROVENANCE),
            burden=self._burden,
            unit=texts["unit"],
            fair_sched=texts["fair-sched"],
            threads=numbers["threads"],
            work=numbers["work"],
            overhead=numbers["overhead"],
            span=numbers["span"],
            burdened_span=numbers["burdened-span"],
            serialised_span=numbers["serialised-span"],
            spawns=numbers["spawns"],
            syncs=numbers["syncs"],
            notes=tuple(self._notes),
            sites=tuple(self._sites),
            locks=tuple(self._locks),
            loops=tuple(self._loops()),
            regions=tuple(self._regions),
            dag=self._dag.dag(numbers["work"], self._burden or 0),
            origin=Origin.of(dict(self._options)),
        )

    def _option(self, rest: bytes) -> None:
        option, value = split_text(rest, 1, "option")
        name = fields.name(option, "option")
        if name != TOGGLE_COLLECT and any(name == before for before, _ in self._options):
            raise RecordError(f"option {show(option)} twice")
        self._options.append((name, text(value)))
        if name == "burden":
            self._burden = number(value, "burden")

    def _note(self, rest: bytes) -> None:
        self._notes.append(note(rest))

    def _columns(self, rest: bytes) -> None:
        if self._order is not None:
            raise RecordError("a second 'columns' record")
        found = [text(field) for field in rest.split(b" ")]
        due = (*COLUMNS, BURDENED) if BURDENED in found else COLUMNS
        self._order = columns_order(found, due)

    def _site(self, rest: bytes) -> None:
        if self._order is None:
            raise RecordError("'site' before 'columns'")
        found = split(rest, len(self._order), "site")
        values = [_number(found[place]) for place in self._order]
        number_, caller, callee, source, line, address, spawned = values[: len(_IDENTITY)]
        if number_ != len(self._sites) + 1:
            raise RecordError(f"site {number_} where {len(self._sites) + 1} was expected")
        on_work, on_span = _measures(values[len(_IDENTITY) : len(COLUMNS)])
        self._sites.append(
            CallSite(
                number_,
                self._routine(caller) if caller else None,
                self._routine(callee),
                self._names.file_of(source),
                line,
                address,
                spawned,
                on_work,
                on_span,
                values[len(COLUMNS)] if len(values) > len(COLUMNS) else None,
            )
        )

    def _inlined_call(self, rest: bytes) -> None:
        site, file, line, name = split_text(rest, 3, "inlined-call")
        of = number(site, "site")
        if not 0 < of <= len(self._sites):
            raise RecordError(f"site {of} is used before it is defined")
        source = self._names.file_of(number(file, "file"))
        function = InlinedFunction(text(name), source, number(line, "line"))
        before = self._sites[of - 1]
        self._sites[of - 1] = replace(before, inlined=(*before.inlined, function))

    def _of_loop(self, rest: bytes) -> None:
        loop, *numbers = split(rest, 2 + len(COLUMNS) - len(_IDENTITY), "executions")
        self._executions.append((number(loop, "loop"), [_number(field) for field in numbers]))

    def _spread(self, rest: bytes) -> None:
        loop, *numbers = split(rest, 5 + (self._version >= _WITH_PARTS), "loop-spread")
        self._spreads[number(loop, "loop")] = LoopSpread(*map(_number, numbers))

    def _body(self, rest: bytes) -> None:
        loop, file, line = (_number(field) for field in split(rest, 3, "loop-body"))
        self._bodies[loop] = self._names.file_of(file), line

    def _loops(self) -> Iterator[LoopSite]:
        for id_ in (*self._spreads, *self._bodies):
            self._names.loop_of(id_)  # RecordError if there is none
        for id_, (iterations, *values) in self._executions:
            on_work, on_span = _measures(values)
            loop = self._names.loop_of(id_)
            spread, body = self._spreads.get(id_), self._bodies.get(id_)
            yield LoopSite(loop, iterations, on_work, on_span, spread, body)

    def _lock(self, rest: bytes) -> None:
        acquisitions, held, routine, kind, name = split_text(rest, 4, "lock")
        first = number(routine, "routine")
        self._locks.append(
            Lock(
                number(acquisitions, "acquisitions"),
                number(held, "held"),
                self._routine(first) if first else None,
                fields.name(kind, "lock"),
                variable_name(text(name)),
            )
        )

    def _held_at(self, rest: bytes) -> None:
        *numbers, name = split_text(rest, 5, "held-at")
        of, held, routine, file, line = (number(field, "a number of held-at") for field in numbers)
        before = self._lock_of(of)
        source = self._names.file_of(file)
        place = LockPlace(held, self._routine(routine), text(name), source, line)
        self._locks[of - 1] = replace(before, places=(*before.places, place))

    def _condition(self, rest: bytes) -> None:
        (field,) = split(rest, 1, "condition")
        of = number(field, "lock")
        self._locks[of - 1] = replace(self._lock_of(of), has_condition=True)

    def _lock_of(self, id_: int) -> Lock:
        if not 0 < id_ <= len(self._locks):
            raise RecordError(f"lock {id_} is used before it is defined")
        return self._locks[id_ - 1]

    def _region(self, rest: bytes) -> None:
        *numbers, name = split_text(rest, 4, "region")
        values = (number(field, "a number of region") for field in numbers)
        self._regions.append(NamedRegion(text(name), *values))

    def _routine(self, id_: int) -> Routine:
        routine = self._names.routines.get(id_)
        if routine is None:
            raise RecordError(f"routine {id_} is used before it is defined")
        return routine


def _measures(values: Sequence[int]) -> tuple[Measures, Measures]:
    """On work and on span, from their numbers in the order of the columns."""
    each = [Measure(*values[at : at + 3]) for at in range(0, len(values), 3)]
    return Measures(*each[:3]), Measures(*each[3:])


def _number(field: bytes) -> int:
    """As fields.number, without a search for each of a million."""
    if field.isdigit():
        value = int(field) if len(field) <= 20 else LARGEST + 1
        if value <= LARGEST:
            return value
    return number(field, "a number of the site")
