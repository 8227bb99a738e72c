"""Finds source files, and nothing else: a profile may name any file of the reader's."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from aprofplot.names import printable
from aprofplot.reports.debug_info import NamedFiles, named_files

_LARGEST_FILE = 8 << 20  # bytes: more is no source file
_LONGEST_LINE = 400  # characters shown
_PLACES = 12  # where a file was looked for, at most so many are listed
_SUFFIXES = frozenset(
    # C and its kin, and what is made of or included in it
    "c h cc hh cp cpp hpp cxx hxx c++ h++ inl ipp ixx cppm tcc tpp txx inc def i ii cu cuh cl m mm "
    "y yy ypp l ll lpp lex re rl gperf td "
    # others
    "s sx asm nasm d di go rs zig swift java kt scala groovy f for ftn f77 f90 f95 f03 f08 fpp adb ads "
    "ada pas pp lpr cob cbl nim cr v vala ml mli mll mly hs lhs jl py pyx pxd pxi rb pl lua js ts scm ss "
    "rkt lisp el erl ex".split()
)
_CONTROLS = re.compile(rb"[\0-\x08\x0e-\x19\x1b-\x1f\x7f]")


@dataclass(frozen=True)
class SourceFile:
    """`changed`: seconds since the epoch. `named`: found in a folder that the user named."""

    path: str
    lines: tuple[str, ...]
    changed: float
    named: bool


class Sources:
    """Finds the source files of a profile: below the folders given, and nowhere else; without any,
    where the debug information of the profile's objects says, if it was made here. Each file is read
    once."""

    def __init__(self, folders: Sequence[str], made_here: bool) -> None:
        self._folders = tuple(folders)
        self._made_here = made_here
        self._found: dict[tuple[str, str], SourceFile | None] = {}
        self._named: dict[str, NamedFiles] = {}

    def find(self, object_path: str, file: str) -> SourceFile | None:
        """The file that the debug information of the object names, None if it is not to be had, or
        is no source text."""
        key = ("" if self._folders else object_path, file)
        if key not in self._found:
            self._found[key] = self._look(object_path, file)
        return self._found[key]

    def places(self, file: str) -> tuple[str, ...]:
        """Where `file` of the debug information is looked for, in order: the folders given with
        ever shorter ends of its path, or the path itself."""
        if not self._folders:
            return (os.path.normpath(file),) if os.path.isabs(file) else ()
        parts = [part for part in PurePosixPath(file).parts if part not in ("/", ".", "..")]
        ends = ["/".join(parts[start:]) for start in range(len(parts))]
        return tuple(os.path.join(folder, end) for folder in self._folders for end in ends)

    def why_not(self, object_path: str, file: str) -> str:
        """Why `find` found none."""
        if self._folders:
            return "Its source file was not found below --source-path."
        if not self._made_here:
            return (
                "The profile was made on another machine or by another user, or does not say where: "
                "give the folder of its sources."
            )
        if not any(map(os.path.isfile, self.places(file))):
            return "Its source file was not found."
        if not self._is_named(self.places(file)[0], object_path):
            return (
                "The debug information of its object, as it is now, does not name its source file."
            )
        return "Its source file is no source text."

    def _look(self, object_path: str, file: str) -> SourceFile | None:
        if not self._folders and not self._made_here:
            return None
        for place in self.places(file):
            allowed = self._is_below if self._folders else self._is_named
            if _is_source_file(place) and allowed(place, object_path):
                lines = _read(place)
                if lines is not None:
                    return SourceFile(place, lines, modified(place), bool(self._folders))
        return None

    def _is_below(self, path: str, _: str) -> bool:
        """Whether it is below a folder given wherever links lead."""
        whole = os.path.realpath(path)
        folders = [os.path.realpath(folder) for folder in self._folders]
        return any(os.path.commonpath((whole, folder)) == folder for folder in folders)

    def _is_named(self, path: str, object_path: str) -> bool:
        if object_path not in self._named:
            self._named[object_path] = named_files(object_path)
        return path in self._named[object_path]


def modified(path: str) -> float:
    """When the file was, in seconds since the epoch; 0 if that is not known."""
    try:
        return os.path.getmtime(path)
    except (OSError, ValueError):  # ValueError: a name with a NUL
        return 0.0


def find_line(
    sources: Sources, object_path: str, file: str, line: int
) -> SourceFile | dict[str, Any]:
    """The file, which has that line; else what a page says instead: `missing`, why there is none,
    and `places`, where it was looked for."""
    if not file or not line:
        what = "no line" if file else "no source file"
        why = f"The debug information names {what} for it."
        return {"missing": why, "places": []}
    source = sources.find(object_path, file)
    if source is None:
        places = [printable(place) for place in sources.places(file)]
        return {"missing": sources.why_not(object_path, file), "places": places[:_PLACES]}
    if line > len(source.lines):
        why = f"The file has {len(source.lines)} lines, not {line}: it is another version."
        return {"missing": why, "places": [printable(source.path)]}
    return source


def _is_source_file(path: str) -> bool:
    """Whether it is a file that has the name of a source file, as C++'s headers without a suffix."""
    suffix = os.path.splitext(path)[1].removeprefix(".").lower()
    of_source = suffix in _SUFFIXES or not suffix and "include" in path.split("/")
    try:
        return of_source and os.path.isfile(path) and os.path.getsize(path) <= _LARGEST_FILE
    except (OSError, ValueError):  # ValueError: a name with a NUL
        return False


def _read(path: str) -> tuple[str, ...] | None:
    """Its lines; None if it cannot be read or is no text."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:
        return None
    if _CONTROLS.search(content):
        return None
    text = content.decode("utf-8", "surrogateescape")
    return tuple(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    plain = printable(line.rstrip("\r").expandtabs(8))
    return plain if len(plain) <= _LONGEST_LINE else plain[:_LONGEST_LINE] + " ..."
