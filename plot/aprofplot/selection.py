"""Finds the routine that a user means: a name, a glob, or `object:name` or `file:name`."""

from __future__ import annotations

import difflib
import functools
import os
import re
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Protocol, TypeVar

from aprofplot.clone_names import clone_suffixes, function_name
from aprofplot.errors import SelectionError
from aprofplot.model import Routine, RoutineProfile
from aprofplot.names import (
    base_name,
    endings,
    fold_templates,
    leaves_out_qualifiers,
    place,
    printable,
    qualified_parts,
    without_abi_versions,
)

_ADDRESS = re.compile(r"@0x([0-9a-fA-F]{1,16})$")
_MADE_OF_IT = re.compile(r" \[clone [^\]]*\]$")
_WORD = re.compile(r"\w+")
_NUMBERED = re.compile(r"(\w+)\.[0-9]+")  # a nested function of C, or LTO's namesake
_SHOWN = 20  # candidates in a message


class _Named(Protocol):
    """What can be found by its routine."""

    @property
    def routine(self) -> Routine:
        """The routine."""
        ...


Found = TypeVar("Found", bound=_Named)


def select(routines: Sequence[RoutineProfile], pattern: str) -> RoutineProfile:
    """The one routine that `pattern` names. SelectionError, with candidates, if it is none or
    several.

    In order: the exact name, the name that people wrote where it is that of a clone, that without its
    C++ return type, parameters, ABI tags and ABI versions (inline namespaces of libraries), that without
    its template arguments, these without what qualifies them, these without some qualifiers in the
    middle (`lib::f` for `lib::v2::f`) if only one qualified name is like that, which is said on standard
    error, a glob (`*`, `?`) over all of them but the last, each of these before `@0xADDRESS`, and all
    after `object:` or `file:`, a path, its last parts or a glob.
    """
    found = matching(routines, pattern)
    for best in (found, [r for r in found if r.routine.name == pattern], _without_clones(found)):
        if len(best) == 1:
            return best[0]
    if found:
        candidates = _described(sorted((r.routine for r in found), key=lambda r: r.key))
        raise SelectionError(
            f"'{pattern}' could be any of {len(found)} routines",
            "name one as OBJECT:NAME, FILE:NAME or NAME@ADDRESS:",
            _listed(candidates),
        )
    near = near_names(routines, pattern)
    if near:
        raise SelectionError(f"no routine matches '{pattern}'", "did you mean:", tuple(near))
    raise SelectionError(f"no routine matches '{pattern}'", "list them all with aprof-plot --list")


def select_all(routines: Sequence[RoutineProfile], patterns: Sequence[str]) -> list[RoutineProfile]:
    """The routines that any of `patterns` fits, in their order: as `select`, and an object or
    source file alone stands for all its routines, unless it is also the name of one.
    SelectionError for a pattern that fits none."""
    chosen: set[int] = set()
    for pattern in patterns:
        found = matching(routines, pattern)
        if not found or any(char in pattern for char in "*?"):
            found += [r for r in routines if is_in(r.routine, pattern)]
        if not found:
            near = tuple(near_names(routines, pattern))
            todo = "did you mean:" if near else "list them all with aprof-report --top=0"
            raise SelectionError(f"no routine, object or file is called '{pattern}'", todo, near)
        chosen.update(map(id, found))
    return [routine for routine in routines if id(routine) in chosen]


def matching(routines: Sequence[Found], pattern: str) -> list[Found]:
    """All routines that `pattern` fits, by the first way of `select` that finds any. The name of a
    function stands for its clones, too, and that of a clone that is not there for the function."""
    found = _matching(routines, pattern)
    written = function_name(pattern)
    return found if found or written == pattern else _matching(routines, written)


def defined_at(routines: Sequence[Found], pattern: str) -> list[Found]:
    """Those that are defined at FILE:LINE, also after OBJECT:, as tables have it."""
    where, _, line = pattern.rpartition(":")
    *objects, file = where.split(":")
    if not (file and line.isascii() and line.isdecimal()):
        return []
    return [
        r
        for r in routines
        if r.routine.line == int(line)
        and f"/{r.routine.file}".endswith(f"/{file.lstrip('/')}")
        and all(is_in(r.routine, name) for name in objects)
    ]


def _without_clones(found: Sequence[RoutineProfile]) -> list[RoutineProfile]:
    """The function itself, if all others found are its clones: their names are for those who look
    for them."""
    written = {function_name(r.routine.name) for r in found}
    return [r for r in found if r.routine.name in written] if len(written) == 1 else []


def _matching(routines: Sequence[Found], pattern: str) -> list[Found]:
    by_name = _named(routines, pattern)
    if by_name:
        return by_name
    # Every colon may end the object: names and paths have colons of their own.
    for index, char in enumerate(pattern):
        where, name = pattern[:index], pattern[index + 1 :]
        if char == ":" and where and name:
            there = [r for r in routines if is_in(r.routine, where)]
            found = _named(there, name)
            if found:
                return found
    return []


def _named(routines: Sequence[Found], pattern: str) -> list[Found]:
    listed = _with_words(routines, pattern)
    for spellings in _WAYS:
        found = [r for r in listed if pattern in spellings(r.routine.name)]
        if found:
            return found
    found = _less_qualified(listed, pattern)
    qualified = _qualified(found)
    if len(qualified) == 1:
        say_taken(pattern, *qualified)
        return found
    at = _ADDRESS.search(pattern)
    if at is not None and at.start() > 0:
        address = int(at[1], 16)
        there = [r for r in routines if r.routine.address == address]
        return _named(there, pattern[: at.start()])
    if not any(char in pattern for char in "*?"):
        return []
    glob = _glob(pattern)
    for ways in (_WAYS[:-1], _WAYS[-1:]):
        found = [
            r
            for r in listed
            if any(glob.fullmatch(name) for way in ways for name in way(r.routine.name))
        ]
        if found:
            return found
    return []


@functools.cache
def say_taken(pattern: str, name: str) -> None:
    """Once: a class left out makes it another function, and commands resolve a name several times."""
    note = f"note: {pattern} is not in the profile; {name} is taken"
    print(printable(note), file=sys.stderr)


def _with_words(routines: Sequence[Found], pattern: str) -> list[Found]:
    """Those that `pattern` may name: every way to call a routine leaves parts of its name out, so that
    all words are in the name."""
    words = _WORD.findall(pattern)
    return [r for r in routines if all(word in r.routine.name for word in words)]


def _less_qualified(routines: Sequence[Found], pattern: str) -> list[Found]:
    """Those that `pattern` names without some of their qualifiers."""
    short = qualified_parts(pattern)
    return [
        r
        for r in routines
        if any(
            leaves_out_qualifiers(short, spelling)
            for way in _WAYS[:-1]
            for spelling in way(r.routine.name)
        )
    ]


def _qualified(routines: Sequence[_Named]) -> set[str]:
    """Their names, without parameters, template arguments and what else nobody writes."""
    return {_without_templates(r.routine.name)[-1] for r in routines}


def _exact(name: str) -> Sequence[str]:
    return name, function_name(name)


def _without_parameters(name: str) -> Sequence[str]:
    """`f(int) [clone .part.0]` is `f.part.0`, and `f`."""
    plain, clone = _plain(name), clone_suffixes(name)
    ways = plain, without_abi_versions(plain)
    return (*(way + clone for way in ways), *ways) if clone else ways


def _without_templates(name: str) -> Sequence[str]:
    return tuple(n.replace("<...>", "").rstrip() for n in _folded(name))


def _folded(name: str) -> Sequence[str]:
    return tuple(map(fold_templates, _without_parameters(name)))


def _unqualified(name: str) -> Sequence[str]:
    ways = (_without_parameters, _without_templates, _folded)
    found = [ending for way in ways for whole in way(name) for ending in endings(whole)]
    numbered = _NUMBERED.fullmatch(name)
    return [*found, numbered[1]] if numbered else found


# How a routine may be called, the most exact way first.
_WAYS = (_exact, _without_parameters, _without_templates, _folded, _unqualified)


@functools.cache
def _plain(name: str) -> str:
    """Without parameters, but with what tells a function made of it from it: `f(int) [clone ._omp_fn.0]`
    -> `f [clone ._omp_fn.0]`."""
    written = function_name(name)
    made = _MADE_OF_IT.search(written)
    return base_name(written) + (made[0] if made else "")


def _glob(pattern: str) -> re.Pattern[str]:
    """`*` is any text, `?` any character; brackets, which C++ names have, are themselves."""
    escaped = (re.escape(char) for char in pattern)
    return re.compile("".join({r"\*": ".*", r"\?": "."}.get(e, e) for e in escaped), re.DOTALL)


def is_in(routine: Routine, where: str) -> bool:
    """Whether it is in that object or source file: a path, its last parts or a glob."""
    paths = [path for path in (routine.object, routine.file) if path]
    glob = _glob(where)
    return any(
        path.endswith(f"/{where}") or glob.fullmatch(path) or glob.fullmatch(os.path.basename(path))
        for path in paths
    )


def near_names(routines: Sequence[_Named], pattern: str) -> list[str]:
    """Names like `pattern`, most alike first: with more qualifiers, spelled alike, or containing it."""
    plain = _qualified(routines)
    near = sorted(_qualified(_less_qualified(_with_words(routines, pattern), pattern)))[:_SHOWN]
    wanted = _without_templates(pattern)[-1].strip("*?")
    near += difflib.get_close_matches(wanted, plain.difference(near), n=5, cutoff=0.6)
    wanted = wanted.lower()
    near += sorted(n for n in plain if wanted and wanted in n.lower() and n not in near)[:5]
    return near


def _described(routines: Sequence[Routine]) -> list[str]:
    """With whole paths where their last parts do not tell routines apart."""
    short = [_describe(r, place(r.object, r.file, r.line)) for r in routines]
    times = Counter(short)
    return [
        text if times[text] == 1 else _describe(r, _whole_place(r))
        for r, text in zip(routines, short)
    ]


def _whole_place(routine: Routine) -> str:
    """`object:file:line`, as much of it as is known."""
    return ":".join(map(str, filter(None, (routine.object, routine.file, routine.line))))


def _describe(routine: Routine, where: str) -> str:
    address = f"@0x{routine.key.address:x}" if routine.key.address else ""
    return f"{routine.name}{address}  ({where})"


def _listed(candidates: list[str]) -> tuple[str, ...]:
    if len(candidates) <= _SHOWN:
        return tuple(candidates)
    return (*candidates[:_SHOWN], f"... and {len(candidates) - _SHOWN} more")
