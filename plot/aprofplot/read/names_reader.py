"""The names in a profile: its threads, objects, source files and routines, by their ids."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from functools import cached_property

import numpy as np

from aprofplot.errors import RecordError
from aprofplot.model import InlinedCall, Integers, Loop, LoopCall, Routine, RoutineKey, Thread
from aprofplot.read.fields import number, show, split_text, text


class NamesReader:
    """Takes the records of names one by one."""

    def __init__(self) -> None:
        self.threads: dict[int, Thread] = {}
        self.routines: dict[int, Routine] = {}
        self._loops: dict[int, tuple[int, Loop]] = {}  # with the parent's id
        self._inlined_calls: dict[int, list[InlinedCall]] = {}
        self._loop_calls: dict[int, dict[RoutineKey, list[InlinedCall]]] = {}  # by what is called
        self._objects: dict[int, str] = {}
        self._files: dict[int, str] = {0: ""}
        self._functions: dict[int, str] = {}
        self._first: dict[RoutineKey, int] = {}  # the first routine of each name, object and file
        self._records: dict[bytes, Callable[[bytes], None]] = {
            b"thread": self._thread,
            b"object": self._object,
            b"file": self._source,
            b"routine": self._routine,
            b"loop": self._loop,
            b"inlined": self._inlined,
            b"loop-call": self._loop_call,
            b"function": self._function,
        }

    def record(self, keyword: bytes, rest: bytes) -> None:
        """Takes one record. RecordError if it breaks the format."""
        handler = self._records.get(keyword)
        if handler is None:
            raise RecordError(f"unknown or misplaced record {show(keyword)}")
        handler(rest)

    def routine_of(self, field: bytes) -> Routine:
        """The routine whose id is `field`. RecordError if there is none yet."""
        routine = self.routines.get(number(field, "routine"))
        if routine is None:
            raise RecordError(f"routine {show(field)} is used before it is defined")
        return routine

    def file_of(self, source: int) -> str:
        """The path of a source file, empty for 0. RecordError if there is none yet."""
        if source not in self._files:
            raise RecordError(f"file {source} is used before it is defined")
        return self._files[source]

    def names_of_line(self, routine: int, file: int, function: int) -> tuple[Routine, str, str]:
        """The routine, the path of the file, and the function that a line of it is in: 0 stands for the
        routine's own. RecordError if there is none yet."""
        of = self.routines.get(routine)
        if of is None:
            raise RecordError(f"routine {routine} is used before it is defined")
        if function not in self._functions and function != 0:
            raise RecordError(f"function {function} is used before it is defined")
        return of, self.file_of(file), self._functions.get(function, of.name)

    def are_known(self, threads: Integers, routines: Integers) -> bool:
        """Whether all these ids are defined."""
        return _all_in(threads, self.threads) and self.are_routines(routines)

    def are_routines(self, ids: Integers) -> bool:
        """Whether these are ids of routines."""
        return _all_in(ids, self.routines)

    def _new_id(self, field: bytes, known: Container[int]) -> int:
        value = number(field, "id")
        if value == 0 or value in known:
            raise RecordError(f"id {value} is {'not positive' if value == 0 else 'defined twice'}")
        return value

    def _thread(self, rest: bytes) -> None:
        # A thread without a name may come with or without the space before it.
        fields = split_text(rest if rest.count(b" ") > 2 else rest + b" ", 3, "thread")
        thread = self._new_id(fields[0], self.threads)
        parent = number(fields[1], "parent")
        if parent != 0 and parent not in self.threads:
            raise RecordError(f"thread {parent} is used before it is defined")
        path = [] if fields[2] == b"-" else fields[2].split(b">")
        names = tuple(self.routine_of(step).name for step in path)
        self.threads[thread] = Thread(thread, parent, names, text(fields[3]))

    def _object(self, rest: bytes) -> None:
        fields = split_text(rest, 1, "object")
        self._objects[self._new_id(fields[0], self._objects)] = text(fields[1])

    def _source(self, rest: bytes) -> None:
        fields = split_text(rest, 1, "file")
        self._files[self._new_id(fields[0], self._files)] = text(fields[1])

    def _function(self, rest: bytes) -> None:
        fields = split_text(rest, 1, "function")
        self._functions[self._new_id(fields[0], self._functions)] = text(fields[1])

    def _routine(self, rest: bytes) -> None:
        fields = split_text(rest, 5, "routine")
        routine = self._new_id(fields[0], self.routines)
        elf, source = number(fields[1], "object"), number(fields[2], "file")
        if elf not in self._objects:
            raise RecordError(f"object {elf} is used before it is defined")
        path = self.file_of(source)
        line, address = number(fields[3], "line"), number(fields[4], "address")
        name = text(fields[5])
        if not name:
            raise RecordError(f"routine {routine} has no name")
        self.routines[routine] = Routine(name, self._objects[elf], path, line, address)
        first = self._first.setdefault(self.routines[routine].key, routine)
        if first != routine and path:
            for namesake in first, routine:
                self.routines[namesake] = replace(self.routines[namesake], namesake=True)

    def _loop(self, rest: bytes) -> None:
        fields = split_text(rest, 8, "loop")
        loop = self._new_id(fields[0], self._loops)
        if fields[4] not in (b"natural", b"irreducible"):
            raise RecordError(f"loop {loop} is {show(fields[4])}, not natural or irreducible")
        self._loops[loop] = number(fields[2], "parent"), Loop(
            self.routine_of(fields[1]),
            None,
            number(fields[3], "address"),
            fields[4] == b"irreducible",
            self.file_of(number(fields[5], "file")),
            number(fields[6], "line"),
            number(fields[7], "line"),
            text(fields[8]),
        )

    def _inlined(self, rest: bytes) -> None:
        loop, *at = split_text(rest, 3, "inlined")
        self._inlined_calls.setdefault(self._known_loop(loop), []).append(self._place(*at))

    def _loop_call(self, rest: bytes) -> None:
        loop, callee, *at = split_text(rest, 4, "loop-call")
        calls = self._loop_calls.setdefault(self._known_loop(loop), {})
        calls.setdefault(self.routine_of(callee).key, []).append(self._place(*at))

    def _known_loop(self, field: bytes) -> int:
        loop = number(field, "loop")
        if loop not in self._loops:
            raise RecordError(f"loop {loop} is used before it is defined")
        return loop

    def _place(self, file: bytes, line: bytes, function: bytes) -> InlinedCall:
        source = self.file_of(number(file, "file"))
        return InlinedCall(text(function), source, number(line, "line"))

    @cached_property
    def loops(self) -> dict[int, Loop]:
        """The loops, when all records have been taken. RecordError if one's parent is none of its
        routine's."""
        complete: dict[int, Loop] = {}
        for loop in self._loops:
            for of in reversed(self._up_to(loop, complete)):
                parent, known = self._loops[of]
                complete[of] = replace(
                    known,
                    parent=complete.get(parent),
                    inlined=tuple(self._inlined_calls.get(of, ())),
                    calls=tuple(
                        LoopCall(callee, tuple(at))
                        for callee, at in self._loop_calls.get(of, {}).items()
                    ),
                )
        return complete

    def loop_of(self, id_: int) -> Loop:
        """The loop whose id that is, when all records have been taken. RecordError if there is none."""
        loop = self.loops.get(id_)
        if loop is None:
            raise RecordError(f"there is no loop {id_}")
        return loop

    def _up_to(self, loop: int, complete: Container[int]) -> list[int]:
        """The loop and those around it, up to one that is complete."""
        path: dict[int, None] = {}
        while loop != 0 and loop not in complete:
            path[loop] = None
            parent, known = self._loops[loop]
            outer = self._loops.get(parent)
            if parent != 0 and (
                outer is None or outer[1].routine is not known.routine or parent in path
            ):
                raise RecordError(f"the parent of loop {loop} is not a loop around it")
            loop = parent
        return list(path)


def _all_in(ids: Integers, known: Container[int]) -> bool:
    return all(value in known for value in np.unique(ids).tolist())
