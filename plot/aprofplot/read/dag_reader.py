"""Reads the dag of a cilkshadow profile, record by record: docs/format-cilkshadow.md, "Dag"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aprofplot.errors import RecordError
from aprofplot.read.fields import number, show, split
from aprofplot.read.names_reader import NamesReader
from aprofplot.work_span.inlined_paths import with_inlined
from aprofplot.work_span.model import (
    OVERHEAD_KINDS,
    CallPath,
    CallSite,
    Dag,
    LoopSchedule,
    Part,
    Sections,
    Share,
    Strand,
)


_WITH_KINDS = 4  # the version from which overhead is given by kind, and shares
_WITH_PATHS_OF_SECTIONS = 5  # the version from which critical sections are given by path
_WITH_SCHEDULES = 6  # the version from which chunks of loops are shares, too
_WITH_FOLDED_CHUNKS = 7  # the version from which several chunks may be one share


class DagReader:
    """Takes the records `dag`, `path`, `loop-path` and `strand`, which follow those of the `sites` and
    `names`."""

    def __init__(self, sites: Sequence[CallSite], names: NamesReader, version: int) -> None:
        self._has_kinds = self._has_shares = version >= _WITH_KINDS
        self._sections_have_paths = version >= _WITH_PATHS_OF_SECTIONS
        self._has_schedules = version >= _WITH_SCHEDULES
        self._has_folded_chunks = version >= _WITH_FOLDED_CHUNKS
        self._sites = sites
        self._names = names
        self._grain: int | None = None
        self._count = 0
        self._paths = [CallPath(0, None)]
        self._strands: list[Strand] = []
        self.records: dict[str, Callable[[bytes], None]] = {
            "dag": self._dag,
            "path": self._call_path,
            "loop-path": self._loop_path,
            "strand": self._strand,
        }

    def dag(self, work: int, burden: int) -> Dag | None:
        """All that was taken, with inlined functions; None if nothing was. RecordError if it is not the dag of
        so much work."""
        if self._grain is None:
            return None
        if len(self._strands) != self._count:
            raise RecordError(f"{len(self._strands)} strands where 'dag' says {self._count}")
        found = sum(part.work for strand in self._strands for part in strand.parts)
        if found != work:
            raise RecordError(f"the strands have {found} of the work, which is {work}")
        spawned = frozenset(site.callee.key for site in self._sites if site.spawned)
        strands = tuple(self._strands)
        dag = Dag(self._grain, tuple(self._paths), strands, burden, spawned)
        return with_inlined(dag)

    def _dag(self, rest: bytes) -> None:
        if self._grain is not None:
            raise RecordError("a second 'dag' record")
        grain, count = split(rest, 2, "dag")
        self._grain, self._count = number(grain, "grain"), number(count, "strands")

    def _call_path(self, rest: bytes) -> None:
        caller, site = self._path("path", rest)
        if site > len(self._sites):
            raise RecordError(f"site {site} is used before it is defined")
        self._paths.append(CallPath(caller, self._sites[site - 1] if site else None))

    def _loop_path(self, rest: bytes) -> None:
        caller, loop = self._path("loop-path", rest)
        self._paths.append(CallPath(caller, None, self._names.loop_of(loop)))

    def _path(self, record: str, rest: bytes) -> tuple[int, int]:
        """The caller of the next path, and what it is of."""
        id_, caller, of = (number(f, "a number of the path") for f in split(rest, 3, record))
        if self._grain is None:
            raise RecordError(f"'{record}' before 'dag'")
        if id_ != len(self._paths):
            raise RecordError(f"path {id_} where {len(self._paths)} was expected")
        if caller >= id_:
            raise RecordError(f"path {caller} is used before it is defined")
        return caller, of

    def _strand(self, rest: bytes) -> None:
        if self._grain is None:
            raise RecordError("'strand' before 'dag'")
        fields = split(rest, 8 if self._has_shares else 7, "strand")
        *numbers, before, parts, sections = fields[:7]
        thread, span, acquires, releases = (number(f, "a number of the strand") for f in numbers)
        strand = Strand(
            thread,
            span,
            acquires,
            releases,
            tuple(self._earlier(field) for field in _elements(before)),
            tuple(self._part(field) for field in _elements(parts)),
            tuple(self._sections(field) for field in _elements(sections)),
            self._share(fields[7]) if self._has_shares else None,
        )
        if span > strand.work:
            raise RecordError(f"a strand's span is {span}, more than its work, {strand.work}")
        self._strands.append(strand)

    def _earlier(self, field: bytes) -> int:
        found = number(field, "a strand before")
        if not 0 < found <= len(self._strands):
            raise RecordError(f"strand {found} is used before it is defined")
        return found - 1

    def _part(self, field: bytes) -> Part:
        path, work, *overheads = self._amounts(field)
        self._check_path(path)
        return Part(path, work, tuple(overheads))

    def _amounts(self, field: bytes) -> list[int]:
        """Of a path: work, and overhead of each kind."""
        found = _numbers(field)
        if not self._has_kinds and len(found) == 3:
            return [*found[:2], *(0 for _ in OVERHEAD_KINDS[1:]), found[2]]
        if not self._has_kinds or not 2 <= len(found) <= len(OVERHEAD_KINDS) + 1:
            raise RecordError(f"{show(field)} is not a path, its work and its overhead")
        return found

    def _share(self, field: bytes) -> Share | None:
        if field == b"-":
            return None
        found = _numbers(field)
        has_schedule = self._has_schedules and (
            len(found) == 8 or self._has_folded_chunks and len(found) == 9
        )
        if not (has_schedule or len(found) == 6) or not _is_part(found[1:4], has_schedule):
            raise RecordError(
                f"{show(field)} is not a division, a part of it, a path and iterations"
            )
        self._check_path(found[4])
        division, begin, end, of, path, iterations, *in_chunks = found
        if in_chunks and not iterations:
            raise RecordError(f"{show(field)} is a chunk of a loop without iterations")
        share = Share(division, begin, end, of, path, iterations, *_in_chunks(in_chunks))
        if share.others and share.taken <= 0:
            raise RecordError(f"{show(field)} has no iterations")
        return share

    def _check_path(self, path: int) -> None:
        if path >= len(self._paths):
            raise RecordError(f"path {path} is used before it is defined")

    def _sections(self, field: bytes) -> Sections:
        found = _numbers(field)
        if not self._sections_have_paths:
            if len(found) != 3:
                raise RecordError(f"{show(field)} is not three numbers")
            return Sections(found[0], found[1], found[2])
        if len(found) < 2 or len(found) % 2:
            raise RecordError(f"{show(field)} is not a lock, its sections, and paths with amounts")
        by_path = tuple(zip(found[2::2], found[3::2]))
        for path, _ in by_path:
            self._check_path(path)
        return Sections(found[0], found[1], sum(held for _, held in by_path), by_path)


def _is_part(bounds: Sequence[int], in_chunks: bool) -> bool:
    """Whether BEGIN..END is a part of 0..OF; or where a thread finds no more chunks, OF..OF."""
    begin, end, of = bounds
    return begin < end <= of or in_chunks and begin == end == of


def _in_chunks(found: Sequence[int]) -> tuple[LoopSchedule, int, int]:
    if not found:
        return LoopSchedule.BY_NUMBER, 0, 0
    schedule, chunk, others = (*found, 0)[:3]
    if schedule not in tuple(LoopSchedule)[1:] or not chunk:
        raise RecordError(f"{schedule}:{chunk} is not a schedule and a chunk")
    return LoopSchedule(schedule), chunk, others


def _elements(field: bytes) -> list[bytes]:
    return [] if field == b"-" else field.split(b",")


def _numbers(field: bytes) -> list[int]:
    return [number(value, "a number of the list") for value in field.split(b":")]
