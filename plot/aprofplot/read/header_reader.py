"""The header of a profile: every record from the second line to `columns`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from aprofplot.errors import RecordError
from aprofplot.read import fields
from aprofplot.read.fields import number, show, split, split_text, text
from aprofplot.model import CHILDREN, PROVENANCE, Note, Origin, Quantity, Run, Thread, column_names
from aprofplot.read.single_records import SingleRecords

_TEXTS = ("creator", "valgrind", "command", "reason", "fair-sched")
_NUMBERS = ("pid", "renumberings")


@dataclass(frozen=True)
class Header:
    """`columns` are those of the model; `order[i]` is where the file has column i. `run`
    completes the header with the threads, which the file names later."""

    events: tuple[Quantity, ...]
    metrics: tuple[Quantity, ...]
    options: Mapping[str, str]
    columns: tuple[str, ...]
    order: tuple[int, ...]
    run: Callable[[tuple[Thread, ...]], Run]


class HeaderReader:
    """Takes the header's records one by one, until `complete`."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._single = SingleRecords(_TEXTS, _NUMBERS)
        self._options: list[tuple[str, str]] = []
        self._notes: list[Note] = []
        self._uncounted: dict[str, int] = {}
        self._events: list[Quantity] = []
        self._metrics: list[Quantity] = []
        self._order: tuple[int, ...] | None = None

    @property
    def complete(self) -> bool:
        """Whether `columns`, the last record, was met."""
        return self._order is not None

    def record(self, keyword: bytes, rest: bytes) -> None:
        """Takes one record. RecordError if it breaks the format, or the header lacks one."""
        name = keyword.decode("ascii", "replace")
        if name in self._single:
            self._single.take(name, rest)
        elif name == "option":
            option, value = split_text(rest, 1, name)
            self._options.append((fields.name(option, name), text(value)))
        elif name == "note":
            self._notes.append(note(rest))
        elif name == "uncounted":
            event, cost = split(rest, 2, name)
            if text(event) in self._uncounted:
                raise RecordError(f"a second 'uncounted' record for event {show(event)}")
            self._uncounted[text(event)] = number(cost, "cost")
        elif name in ("event", "metric"):
            self._take_quantity(self._events if name == "event" else self._metrics, rest, name)
        elif name == "columns":
            self._take_columns(rest)
        else:
            raise RecordError(f"unknown or misplaced record {show(keyword)} in the header")

    def header(self) -> Header:
        """The whole header; only when complete."""
        assert self._order is not None
        events = tuple(self._events)
        columns = column_names(tuple(event.name for event in events))
        columns += (CHILDREN,) if len(self._order) > len(columns) else ()
        options = dict(self._options)
        return Header(events, tuple(self._metrics), options, columns, self._order, self._run)

    def _run(self, threads: tuple[Thread, ...]) -> Run:
        return Run(
            path=self._path,
            creator=self._single.texts["creator"],
            valgrind=self._single.texts["valgrind"],
            command=self._single.texts["command"],
            pid=self._single.numbers["pid"],
            reason=self._single.texts["reason"],
            fair_sched=self._single.texts["fair-sched"],
            renumberings=self._single.numbers["renumberings"],
            options=tuple(option for option in self._options if option[0] not in PROVENANCE),
            uncounted=dict(self._uncounted),
            threads=threads,
            origin=Origin.of(dict(self._options)),
            notes=tuple(self._notes),
        )

    def _take_quantity(self, known: list[Quantity], rest: bytes, record: str) -> None:
        field, unit = split_text(rest, 1, record)
        name = fields.name(field, record)
        if any(quantity.name == name for quantity in known):
            raise RecordError(f"{record} '{name}' is defined twice")
        known.append(Quantity(name, text(unit)))

    def _take_columns(self, rest: bytes) -> None:
        missing = self._single.missing()
        missing += [] if self._events else ["event"]
        missing += [] if self._metrics else ["metric"]
        if missing:
            raise RecordError(f"the header has no '{missing[0]}' record")
        events = tuple(event.name for event in self._events)
        if set(events) != set(self._uncounted):
            raise RecordError("the 'uncounted' records are not those of the events")
        found = [text(field) for field in rest.split(b" ")]
        due = column_names(events) + ((CHILDREN,) if CHILDREN in found else ())
        self._order = tuple(columns_order(found, due))


def note(rest: bytes) -> Note:
    """That of a `note` record. RecordError."""
    kind, count, sentence = split_text(rest, 2, "note")
    return Note(fields.name(kind, "note"), number(count, "count"), text(sentence))


def columns_order(found: Sequence[str], due: Sequence[str]) -> list[int]:
    """Where each column of `due` is among those `found` in a `columns` record. RecordError
    unless they are the same set."""
    for name in found:
        if name not in due:
            raise RecordError(f"unknown column {show(os.fsencode(name))}")
    for name in due:
        if found.count(name) != 1:
            raise RecordError(f"column '{name}' appears {found.count(name)} times, not once")
    return [found.index(name) for name in due]
