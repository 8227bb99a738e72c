"""Renames given by the user: `--map OLD=NEW`, or a file of such lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aprofplot.aliases import aliased
from aprofplot.errors import AprofError
from aprofplot.model import Profile, RoutineProfile
from aprofplot.names import base_name
from aprofplot.selection import matching

_Pair = tuple[RoutineProfile, RoutineProfile]


@dataclass(frozen=True)
class Rename:
    """`text` is OLD=NEW; `where` says where it was given: "--map", or FILE:LINE."""

    text: str
    where: str


def given_renames(texts: Sequence[str], files: Sequence[str]) -> list[Rename]:
    """All renames of the command line. AprofError for a file that cannot be read or a line that is
    no OLD=NEW; blank lines and those that start with # are skipped."""
    renames = [Rename(text, "--map") for text in texts]
    for path in files:
        renames += _of_file(path)
    for rename in renames:
        if not any(True for _ in _splits(rename.text)):
            raise AprofError(f"{rename.where}: '{rename.text}' is not a rename", "write OLD=NEW")
    return renames


def _of_file(path: str) -> list[Rename]:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = [line.strip() for line in file]
    except OSError as error:
        raise AprofError(
            f"{path}: cannot be read: {error.strerror}", "name a file with --map-file"
        ) from error
    numbered = ((number, line) for number, line in enumerate(lines, 1))
    return [
        Rename(line, f"{path}:{number}")
        for number, line in numbered
        if line and not line.startswith("#")
    ]


def pairs_of(rename: Rename, old: Profile, new: Profile) -> list[_Pair]:
    """The routines that `rename` pairs: one, or as many as a * on both sides stands for (over names
    without parameters); none if it fits no routines. AprofError if it can be read in several ways.

    Names have = of their own (operator==): the one counts that has a routine of OLD to its left and
    one of NEW to its right.
    """
    found: list[_Pair] = []
    for left, right in _splits(rename.text):
        olds = _called(old, left)
        news = _called(new, right) if len(olds) == 1 else []
        if len(news) == 1:
            found.append((olds[0], news[0]))
    if len(found) > 1:
        what = f"{rename.where}: '{rename.text}' can be read in {len(found)} ways"
        raise AprofError(what, "give routines as OBJECT:NAME")
    return found or _starred(rename.text, old.routines, new.routines)


def _called(profile: Profile, pattern: str) -> list[RoutineProfile]:
    return matching(profile.routines, pattern) or aliased(profile, pattern)


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """Every way to read `text` as OLD=NEW."""
    for index, char in enumerate(text):
        left, right = text[:index].strip(), text[index + 1 :].strip()
        if char == "=" and left and right:
            yield left, right


def _starred(
    text: str, old: Sequence[RoutineProfile], new: Sequence[RoutineProfile]
) -> list[_Pair]:
    """What `a::*=b::*` pairs: the text that the * stands for is the same on both sides."""
    for left, right in _splits(text):
        if left.count("*") == right.count("*") == 1:
            before = _by_star(left, old)
            after = _by_star(right, new)
            both = sorted(star for star in before if star in after)
            pairs = [(before[s][0], after[s][0]) for s in both if _single(before[s], after[s])]
            if pairs:
                return pairs
    return []


def _single(*groups: list[RoutineProfile]) -> bool:
    return all(len(group) == 1 for group in groups)


def _by_star(pattern: str, routines: Sequence[RoutineProfile]) -> dict[str, list[RoutineProfile]]:
    """The routines that `pattern` fits, by what its * stands for."""
    head, tail = pattern.split("*")
    found: dict[str, list[RoutineProfile]] = {}
    for routine in routines:
        name = base_name(routine.routine.name)
        if len(name) >= len(pattern) - 1 and name.startswith(head) and name.endswith(tail):
            found.setdefault(name[len(head) : len(name) - len(tail)], []).append(routine)
    return found
