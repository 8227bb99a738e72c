"""The holders of the span: the code on the longest path, by routine and by loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from aprofplot.loop_scopes import source_of
from aprofplot.model import Loop, RoutineKey
from aprofplot.names import printable
from aprofplot.work_span.listing import loops_by_span
from aprofplot.work_span.model import CallSite, LoopSite, WorkSpanProfile
from aprofplot.work_span.names import placed_loop_name, routine_place, short_name, site_place

_PARALLEL = 1.2  # parallelism of a routine or loop that spawns


@dataclass(frozen=True, eq=False)
class Holder:
    """`span` of the longest path, in the code of a routine or loop, without what that calls. `name` has the
    place; `subject` begins a sentence. `at`: the costliest call, or the loop."""

    span: int
    name: str
    subject: str
    at: CallSite | Loop


def holders(profile: WorkSpanProfile) -> list[Holder]:
    """The greatest part first. A loop's code is not its routine's: the spans add up to the program's."""
    found = [*_routines(profile), *_loops(profile)]
    return sorted(found, key=lambda holder: -holder.span)


def _routines(profile: WorkSpanProfile) -> Iterator[Holder]:
    """In the calls from all its sites."""
    sites: dict[RoutineKey, list[CallSite]] = {}
    for site in profile.sites:
        if site.on_span.local.span:
            sites.setdefault(site.callee.key, []).append(site)
    in_loops: Counter[RoutineKey] = Counter()
    for of in profile.loops:
        in_loops[of.routine.key] += of.on_span.local.span
    for key, calls in sites.items():
        calls.sort(key=lambda site: -site.on_span.local.span)
        span = sum(site.on_span.local.span for site in calls) - in_loops[key]
        if span > 0:
            yield _routine(span, calls, in_loops[key] > 0)


def _routine(span: int, sites: Sequence[CallSite], has_loops: bool) -> Holder:
    """`sites`: the greatest part first."""
    first = sites[0]
    name = short_name(first.callee.name)
    place = f" ({printable(site_place(first) or routine_place(first.callee))})"
    whole = name + place
    subject = whole
    if has_loops:
        subject = f"{name}'s own code outside of loops{place}"
    elif first.caller is None or _is_parallel(sites):
        subject = f"{name}'s own code{place}"  # not what it calls or spawns
    if len(sites) > 1:
        subject += f", called from {len(sites)} places,"
    return Holder(span, whole, subject, first)


def _is_parallel(sites: Sequence[CallSite] | Sequence[LoopSite]) -> bool:
    """Whether any of them runs in parallel itself."""
    return any((site.on_work.top_site.parallelism or 1.0) >= _PARALLEL for site in sites)


def _loops(profile: WorkSpanProfile) -> Iterator[Holder]:
    """What compilers made of one loop of the source is one."""
    parts: dict[Hashable, list[LoopSite]] = {}
    for of in loops_by_span(profile):
        if of.on_span.local.span:
            parts.setdefault(source_of(of.loop), []).append(of)
    for loops in parts.values():
        yield _loop(loops)


def _loop(parts: Sequence[LoopSite]) -> Holder:
    name = placed_loop_name(parts[0].loop)
    subject = f"The {name}"
    if _is_parallel(parts):
        subject += ", without what it calls,"
    elif parts[0].loop.inlined:
        subject += ","
    span = sum(of.on_span.local.span for of in parts)
    return Holder(span, name, subject, parts[0].loop)
