"""Finds the call sites that a user means: by callee, by caller and callee, or by place."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from aprofplot.errors import SelectionError
from aprofplot.model import Routine
from aprofplot.selection import is_in, matching, near_names
from aprofplot.work_span.model import CallSite
from aprofplot.work_span.names import ARROW, site_name, site_place

_ADDRESS = re.compile(r"@0x([0-9a-fA-F]{1,16})$")
_LINE = re.compile(r"(.+):([0-9]+)$")
_SHOWN = 20  # candidates in a message
_NEAR = 5  # of another line
_ALL = "list them all with cilkshadow-report --top=0"


@dataclass(frozen=True)
class _Calling:
    """A site by its caller, for what finds things by their routine."""

    site: CallSite
    routine: Routine


def matching_sites(sites: Sequence[CallSite], pattern: str) -> list[CallSite]:
    """The sites that `pattern` fits: `FILE:LINE` of the call; else `CALLER -> CALLEE`; else
    CALLEE. Routines are named as aprof-plot takes them: a name, a glob, OBJECT:NAME, FILE:NAME.
    Each may end in `@0xADDRESS`, that of the call."""
    found = _matching(sites, pattern)
    at = _ADDRESS.search(pattern)
    if found or at is None:
        return found
    there = [site for site in sites if site.address == int(at[1], 16)]
    return _matching(there, pattern[: at.start()])


def select_site(sites: Sequence[CallSite], pattern: str) -> CallSite:
    """The one site that `pattern` fits. SelectionError, with candidates, if it is none or several."""
    found = matching_sites(sites, pattern)
    if len(found) == 1:
        return found[0]
    if not found:
        raise _nothing(sites, pattern)
    shown = [describe(site) for site in sorted(found, key=lambda s: -s.on_work.top_site.work)]
    more = [f"... and {len(shown) - _SHOWN} more"] if len(shown) > _SHOWN else []
    raise SelectionError(
        f"'{pattern}' could be any of {len(found)} call sites",
        "name one as FILE:LINE or CALLER -> CALLEE, with @ADDRESS where that is not enough:",
        (*shown[:_SHOWN], *more),
    )


def select_sites(sites: Sequence[CallSite], patterns: Sequence[str]) -> list[CallSite]:
    """The sites that any of `patterns` fits, in their order: as matching_sites, and an object or
    source file alone stands for the calls in it. SelectionError for a pattern that fits none.
    """
    chosen: set[int] = set()
    for pattern in patterns:
        found = matching_sites(sites, pattern)
        if not found:
            found = [site for site in sites if is_in(_where(site), pattern)]
        if not found:
            raise _nothing(sites, pattern)
        chosen.update(site.id for site in found)
    return [site for site in sites if site.id in chosen]


def describe(site: CallSite) -> str:
    """What tells a site from all others."""
    place = site_place(site)
    address = f"  @0x{site.address:x}" if site.address else ""
    return f"{site_name(site)}{f'  ({place})' if place else ''}{address}"


def _matching(sites: Sequence[CallSite], pattern: str) -> list[CallSite]:
    there, line = _in_file(sites, pattern)
    if found := [site for site in there if site.line == line]:
        return found
    caller, arrow, callee = pattern.partition(ARROW)
    if arrow:
        calling = [_Calling(site, site.caller) for site in sites if site.caller is not None]
        called = [found.site for found in matching(calling, caller.strip())]
        return matching(called, callee.strip())
    return matching(sites, pattern)


def _in_file(sites: Sequence[CallSite], pattern: str) -> tuple[list[CallSite], int]:
    """The sites in the file of `FILE:LINE`, and the line; none if `pattern` is not that."""
    at = _LINE.match(pattern)
    if at is None:
        return [], 0
    return [site for site in sites if _is_file(site.file, at[1])], int(at[2])


def _is_file(file: str, where: str) -> bool:
    return bool(file) and (file == where or file.endswith("/" + where.lstrip("/")))


def _where(site: CallSite) -> Routine:
    """The place of the call as `is_in` takes it."""
    of = site.callee if site.caller is None else site.caller
    return Routine(of.name, of.object, site.file or of.file, site.line, 0)


def _nothing(sites: Sequence[CallSite], pattern: str) -> SelectionError:
    what = f"no call site matches '{pattern}'"
    there, line = _in_file(sites, pattern)
    if nearest := sorted(there, key=lambda site: abs(site.line - line))[:_NEAR]:
        described = tuple(map(describe, nearest))
        return SelectionError(what, "the calls nearest to it are:", described)
    near = near_names(sites, os.path.basename(pattern))
    return SelectionError(what, "did you mean a call of:" if near else _ALL, tuple(near))
