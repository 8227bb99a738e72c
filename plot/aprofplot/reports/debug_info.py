"""The source files that the debug information of an object names, if the object is on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aprofplot.reports.line_tables import Sections, named_paths

_DEBUG_FOLDER = "/usr/lib/debug"
_COMPRESSED = 0x800  # SHF_COMPRESSED
_BY_ZSTD = 2  # ELFCOMPRESS_ZSTD
_SECTIONS = (".debug_line", ".debug_line_str", ".debug_str", ".debug_info")


@dataclass(frozen=True)
class NamedFiles:
    """Paths without `..`. `relative` ones are to the folder that a unit was compiled in, which is one
    of `strings`: before DWARF 5 that is not said where the files are named."""

    absolute: frozenset[str]
    relative: frozenset[str]
    strings: bytes

    def __contains__(self, path: str) -> bool:
        if path in self.absolute:
            return True
        slashes = (at for at, char in enumerate(path) if char == "/" and at)
        return any(
            path[at + 1 :] in self.relative and os.fsencode(path[:at]) + b"\0" in self.strings
            for at in slashes
        )


_NONE = NamedFiles(frozenset(), frozenset(), b"")


def named_files(path: str) -> NamedFiles:
    """What the object at `path` names, or debug information that was stripped from it; nothing if
    there is none that can be read."""
    from elftools.elf.elffile import ELFFile  # not below: that it is missing must be said

    try:
        sections, links = _read(path, ELFFile)
        for link in links:
            if ".debug_line" not in sections and os.path.isfile(link):
                sections, _ = _read(link, ELFFile)
        return _named(sections) if ".debug_line" in sections else _NONE
    except Exception:  # pyelftools fails in many ways on files that are damaged, or no ELF
        return _NONE


def not_inflatable(path: str) -> str:
    """The object at `path`, or its debug file, if its debug information is compressed with zstd, of which
    Valgrind reads nothing; else empty."""
    from elftools.elf.elffile import ELFFile

    try:
        with open(path, "rb") as file:
            elf = ELFFile(file)
            if _has_zstd(elf):
                return path
            links = list(_links(path, elf))
        for link in links:
            if os.path.isfile(link):
                with open(link, "rb") as file:
                    return link if _has_zstd(ELFFile(file)) else ""
    except Exception:  # as above
        pass
    return ""


def _has_zstd(elf: Any) -> bool:
    """Whether its line table is so."""
    for section in elf.iter_sections():
        if section.name == ".debug_line" and section["sh_flags"] & _COMPRESSED:
            elf.stream.seek(section["sh_offset"])
            return int.from_bytes(elf.stream.read(4), "little") == _BY_ZSTD
    return False


def build_id(path: str) -> str:
    """That of the object at `path`, in hexadecimal digits; empty if it has none or cannot be read."""
    from elftools.elf.elffile import ELFFile

    try:
        with open(path, "rb") as file:
            return next(_build_ids(ELFFile(file)), "")
    except Exception:  # as above
        return ""


def _build_ids(elf: Any) -> Iterator[str]:
    notes = elf.get_section_by_name(".note.gnu.build-id")
    for note in notes.iter_notes() if notes else ():
        yield note["n_desc"]


def _read(path: str, elf_file: Any) -> tuple[Sections, list[str]]:
    """Sections of an ELF file, and where those may be that were stripped from it."""
    with open(path, "rb") as file:
        elf = elf_file(file)
        found = {name: elf.get_section_by_name(name) for name in _SECTIONS}
        links = list(_links(path, elf))
        return {name: section.data() for name, section in found.items() if section}, links


def _links(path: str, elf: Any) -> Iterator[str]:
    """As gdb and Valgrind look for them: by build id, then by the name that the object has."""
    for found in _build_ids(elf):
        yield f"{_DEBUG_FOLDER}/.build-id/{found[:2]}/{found[2:]}.debug"
    link = elf.get_section_by_name(".gnu_debuglink")
    if link:
        folder, name = os.path.dirname(path), os.fsdecode(link.data().split(b"\0", 1)[0])
        for place in (folder, f"{folder}/.debug", _DEBUG_FOLDER + folder):
            yield os.path.join(place, os.path.basename(name))


def _named(sections: Sections) -> NamedFiles:
    paths = {os.path.normpath(os.fsdecode(path)) for path in named_paths(sections)}
    absolute = frozenset(path for path in paths if path.startswith("/"))
    relative = frozenset(paths - absolute)
    strings = [sections.get(name, b"") for name in (".debug_str", ".debug_info") if relative]
    return NamedFiles(absolute, relative, b"\0".join(strings))
