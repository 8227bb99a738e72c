"""Other names of a routine's code: function symbols of its object at its address, those of other files included.

Linkers fold functions with the same code (`--icf`), compilers and sources make aliases. A profile has one name
for each address.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprofplot.clone_names import function_name
from aprofplot.model import Profile, Routine, RoutineProfile
from aprofplot.names import printable
from aprofplot.selection import matching

_TABLES = (".symtab", ".dynsym")
_SYMBOL = np.dtype("<u4, u1, u1, <u2, <u8, <u8")  # Elf64_Sym
_NAME, _INFO, _SECTION, _VALUE = "f0", "f1", "f3", "f4"
_FUNCTIONS = (2, 10)  # STT_FUNC, STT_GNU_IFUNC
_FILE = 4  # STT_FILE: local symbols behind it are of that source file
_TYPE = 0xF  # of st_info
_MANGLED = ("_Z", "_R")


@dataclass(frozen=True)
class _Symbol:
    name: str  # mangled
    file: str  # base name of the source file; empty of global symbols


@dataclass(frozen=True)
class _Alias:
    """`routine` is that of `of`, by another name."""

    routine: Routine
    of: RoutineProfile


def aliased(profile: Profile, pattern: str) -> list[RoutineProfile]:
    """The routines whose code has another name that `pattern` fits; says so on standard error. Objects are
    read only if the profile was made here: it may name any file of the reader's."""
    if not all(run.origin.is_here for run in profile.runs):
        return []
    found = matching(_aliases(profile.routines), pattern)
    for alias in found:
        _say(alias.routine, alias.of.routine)
    return list({id(alias.of): alias.of for alias in found}.values())


@functools.cache
def _say(alias: Routine, of: Routine) -> None:
    """Once: commands resolve a name several times."""
    where = f"one address in {alias.object}"
    other, name = alias.name, of.name
    if other == name:
        other, name = (f"{os.path.basename(r.file)}:{r.name}" for r in (alias, of))
    note = f"{other} has the same code as {name} ({where}); the profile calls it {name}"
    print(printable(f"note: {note}"), file=sys.stderr)


def _aliases(routines: Iterable[RoutineProfile]) -> list[_Alias]:
    """A routine that the object no longer has at its address has none: the object was built anew."""
    shared = [
        (of, symbols)
        for of in routines
        if (symbols := _shared_addresses(of.routine.object).get(of.routine.address))
    ]
    written = _demangled({symbol.name for _, symbols in shared for symbol in symbols})
    found = []
    for of, symbols in shared:
        routine = of.routine
        its_name, its_file = function_name(routine.name), os.path.basename(routine.file)
        names = {
            (function_name(written[s.name]), "" if s.file == its_file else s.file) for s in symbols
        }
        if its_name in (name for name, _ in names):
            found += [
                _Alias(replace(routine, name=name, file=file or routine.file), of)
                for name, file in sorted(names - {(its_name, "")})
            ]
    return found


@functools.cache
def _shared_addresses(path: str) -> Mapping[int, frozenset[_Symbol]]:
    """The function symbols of the object at `path` by address, without those that have one name only."""
    from elftools.elf.elffile import ELFFile  # not below: that it is missing must be said

    found: dict[int, set[_Symbol]] = defaultdict(set)
    try:
        if not (os.path.isabs(path) and os.path.isfile(path)):
            return {}
        with open(path, "rb") as opened:
            elf = ELFFile(opened)
            tables: Iterable[Any] = map(elf.get_section_by_name, _TABLES)
            for table in tables:
                if table is None:
                    continue
                strings = elf.get_section(table["sh_link"]).data()
                symbols = np.frombuffer(table.data(), _SYMBOL)
                types = symbols[_INFO] & _TYPE
                functions = np.isin(types, _FUNCTIONS) & (symbols[_SECTION] != 0)
                last_file = np.maximum.accumulate(np.arange(len(types)) * (types == _FILE))
                is_local = symbols[_INFO] >> 4 == 0
                files = np.where(is_local & (last_file > 0), symbols[_NAME][last_file], 0)
                for start, address, file_start in zip(
                    *(
                        column[functions].tolist()
                        for column in (symbols[_NAME], symbols[_VALUE], files)
                    )
                ):
                    name = _text(strings, start).partition("@")[0]  # without version
                    found[address].add(_Symbol(name, _text(strings, file_start)))
    except Exception:  # pyelftools fails in many ways on files that are damaged, or no ELF
        return {}
    return {address: frozenset(names) for address, names in found.items() if _may_be_alias(names)}


def _may_be_alias(symbols: Collection[_Symbol]) -> bool:
    """gold keeps a single symbol of local functions that it has folded; file and line may be those of any."""
    return len(symbols) > 1 or any(symbol.file for symbol in symbols)


def _text(strings: bytes, start: int) -> str:
    return os.fsdecode(strings[start : strings.index(b"\0", start)])


def _demangled(symbols: Iterable[str]) -> Mapping[str, str]:
    """As people write them: by c++filt, which demangles as Valgrind does; without it, as they are."""
    written = {symbol: symbol for symbol in symbols}
    mangled = [s for s in written if s.startswith(_MANGLED) and s.isascii() and s.isprintable()]
    if mangled:
        try:
            names = subprocess.run(
                ["c++filt"], input="\n".join(mangled), capture_output=True, text=True, timeout=60
            ).stdout.splitlines()
        except (OSError, subprocess.TimeoutExpired):
            return written
        if len(names) == len(mangled):
            written.update(zip(mangled, names))
    return written
