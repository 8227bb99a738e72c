"""The call sites and loops that a report lists: their selection and order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from aprofplot.work_span.model import MEASURES, PATHS, CallSite, LoopSite, WorkSpanProfile
from aprofplot.work_span.names import site_name, site_place
from aprofplot.work_span.selection import select_sites

VALUES = ("count", "work", "span", "parallelism")
MEASURED = tuple(f"{p}.{m}.{v}" for p in PATHS for m in MEASURES for v in VALUES)
SORTS = (*MEASURED, "spawned", "name", "place")
USUAL_SORT = "on_span.local.span"  # the Cilkprof paper's way to the bottleneck, section 2


@dataclass(frozen=True, eq=False)
class SiteListing:
    """`sites` of `profile`, in the order asked for."""

    profile: WorkSpanProfile
    sites: tuple[CallSite, ...]
    sort: str


def make_listing(profile: WorkSpanProfile, sort: str, patterns: Sequence[str]) -> SiteListing:
    """The sites that any of `patterns` fits (none: all), by `sort`, one of SORTS: names and places
    ascend, all else descends; ties by work. SelectionError as select_sites."""
    chosen = select_sites(profile.sites, patterns) if patterns else list(profile.sites)
    by_work = sorted(chosen, key=lambda s: (-s.on_work.top_site.work, s.id))
    return SiteListing(profile, tuple(sorted(by_work, key=_order(sort))), sort)


def loops_by_span(profile: WorkSpanProfile) -> list[LoopSite]:
    """Those that hold most of the span first; ties by work."""
    return sorted(profile.loops, key=lambda of: (-of.on_span.local.span, -of.on_work.top_site.work))


def value_of(site: CallSite, name: str) -> int | float | None:
    """A number by its name in SORTS; a parallelism without span is None."""
    if name == "spawned":
        return site.spawned
    path, measure, value = name.split(".")
    found: int | float | None = getattr(site.measure(path, measure), value)
    return found


def _order(sort: str) -> Callable[[CallSite], Any]:
    if sort == "name":
        return lambda site: (site_name(site), site_place(site))
    if sort == "place":
        return lambda site: (site.file == "", site.file, site.line)
    return lambda site: -(value_of(site, sort) or 0)
