"""What call sites are called: caller -> callee, and where."""

from __future__ import annotations

import os

from aprofplot.model import Routine
from aprofplot.names import base_name
from aprofplot.work_span.model import CallSite

ARROW = " -> "


def site_name(site: CallSite) -> str:
    """`caller -> callee`, without C++ parameters; the callee alone if nobody called it."""
    callee = base_name(site.callee.name)
    return callee if site.caller is None else f"{base_name(site.caller.name)}{ARROW}{callee}"


def site_place(site: CallSite) -> str:
    """`file:line` of the call, or else of the routine that nobody called; empty if unknown."""
    if site.caller is None:
        return _place(site.callee.file, site.callee.line)
    return _place(site.file, site.line)


def routine_place(routine: Routine) -> str:
    """`file:line` of its definition, or else its object."""
    return _place(routine.file, routine.line) or os.path.basename(routine.object)


def site_kind(site: CallSite) -> str:
    """Cilkprof's function type: `main` for what nobody called, `spawn`, or `call`."""
    if site.caller is None:
        return "main"
    return "spawn" if site.spawned else "call"


def _place(file: str, line: int) -> str:
    name = os.path.basename(file)
    return f"{name}:{line}" if name and line else name
