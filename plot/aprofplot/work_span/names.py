"""The names and places of call sites and loops."""

from __future__ import annotations

import os

from aprofplot.loop_scopes import loop_place
from aprofplot.model import Loop, Routine
from aprofplot.names import base_name, printable, shorten
from aprofplot.work_span.model import CallSite

ARROW = " -> "
_SHORT = 60  # characters


def site_name(site: CallSite) -> str:
    """`caller -> callee`, without C++ parameters; the callee alone if nobody called it."""
    callee = base_name(site.callee.name)
    return callee if site.caller is None else f"{base_name(site.caller.name)}{ARROW}{callee}"


def site_place(site: CallSite) -> str:
    """`file:line` of the call, or else of the routine that nobody called; empty if unknown."""
    if site.caller is None:
        return placed(site.callee.file, site.callee.line)
    return placed(site.file, site.line)


def routine_place(routine: Routine) -> str:
    """`file:line` of its definition, or else its object."""
    return placed(routine.file, routine.line) or os.path.basename(routine.object)


def site_kind(site: CallSite) -> str:
    """Cilkprof's function type: `main` for what nobody called, `spawn`, or `call`."""
    if site.caller is None:
        return "main"
    return "spawn" if site.spawned else "call"


def short_name(name: str) -> str:
    """A function's, without C++ parameters, on one line."""
    return shorten(base_name(printable(name)), _SHORT)


def loop_name(loop: Loop, place: str = "") -> str:
    """`loop of f, inlined into g, main`, with `place` after the function."""
    name = f"loop of {short_name(loop.function or loop.routine.name)}{place}"
    if loop.inlined:
        name += ", inlined into " + ", ".join(short_name(call.caller) for call in loop.inlined)
    return name


def placed_loop_name(loop: Loop) -> str:
    """`loop of f (file:line), inlined into g, main`."""
    return loop_name(loop, f" ({printable(loop_place(loop))})")


def placed(file: str, line: int) -> str:
    """`file:line`, as far as it is known."""
    name = os.path.basename(file)
    return f"{name}:{line}" if name and line else name
