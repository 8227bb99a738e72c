"""cilkshadow-report --format=html: one page for any browser, with all that it shows in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TextIO

from aprofplot.names import base_name, fold_templates, printable, shorten
from aprofplot.processors.charges import Costs
from aprofplot.reports.excerpts import held_files
from aprofplot.reports.html.page import inline_json, page_pieces
from aprofplot.reports.sources import Sources, modified
from aprofplot.reports.work_span.finding_cards import finding_cards
from aprofplot.reports.work_span.schedule_data import schedule_data
from aprofplot.reports.work_span.site_source import SiteSources, lines_of
from aprofplot.reports.work_span.text import totals
from aprofplot.work_span.advice import lock_name
from aprofplot.work_span.listing import USUAL_SORT, loops_by_span, make_listing
from aprofplot.work_span.metrics import (
    SPAN_COEFFICIENT,
    Speedup,
    processor_counts,
    processors_worth_showing,
    program_speedup,
    site_speedup,
)
from aprofplot.work_span.model import (
    MEASURES,
    PATHS,
    CallSite,
    LoopSite,
    Measure,
    WorkSpanProfile,
)
from aprofplot.work_span.names import ARROW, placed, placed_loop_name, site_kind, site_place
from aprofplot.processors.parallel_loops import ParallelLoop, parallel_loops

# Characters of a caller or callee: with template arguments, and at all.
_WITH_ARGUMENTS, _NAME = 36, 60
# In the order in which they need each other.
_SCRIPTS = (
    "dom.js",
    "numbers.js",
    "column_widths.js",
    "virtual_rows.js",
    "table_view.js",
    "axes.js",
    "plot.js",
    "source_lines.js",
    "cards.js",
    "site_store.js",
    "site_view.js",
    "speedup.js",
    "site_findings.js",
    "details_pane.js",
    "site_details.js",
    "timeline_view.js",
    "schedule_view.js",
    "program_view.js",
    "splitter.js",
    "frame.js",
    "site_main.js",
)


def write_page(
    out: TextIO,
    profile: WorkSpanProfile,
    source_path: Sequence[str],
    costs: Sequence[Costs] = (),
    shown: int = 0,
) -> None:
    """The page, as HTML in ASCII or, in names, UTF-8. `costs`: by number of processors. `shown`: on how
    many the findings are."""
    data, parts = page_data(profile, source_path, costs, shown)
    title = printable(profile.command)
    pieces = page_pieces(
        "sites.html.j2",
        _SCRIPTS,
        title=title,
        summary=inline_json(data),
        parts=[inline_json(part) for part in parts],
    )
    for piece in pieces:
        out.write(piece)


def page_data(
    profile: WorkSpanProfile,
    source_path: Sequence[str],
    costs: Sequence[Costs] = (),
    shown: int = 0,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What is read at once, and the parts of source files."""
    sites = make_listing(profile, USUAL_SORT, []).sites
    files = Sources(source_path, profile.origin.is_here)
    sources = SiteSources(files, modified(profile.path))
    numbers = {site.id: number for number, site in enumerate(sites)}
    findings = finding_cards(profile, costs, shown, numbers, files)
    program = program_speedup(profile)
    most = processors_worth_showing([program])
    summary = {
        "run": _run(profile),
        "unit": profile.unit,
        "work": profile.work,
        "span": profile.span,
        "totals": totals(profile),
        **findings,
        **schedule_data(costs, shown),
        "locks": [
            [lock_name(lock), lock.acquisitions, lock.held]
            for lock in sorted(profile.locks, key=lambda lock: -lock.held)
        ],
        "regions": [
            [printable(region.name), region.work, region.span, region.burdened_span, region.count]
            for region in sorted(profile.regions, key=lambda region: -region.work)
        ],
        "loops": [_loop(of) for of in loops_by_span(profile)],
        "parallel_loops": [_parallel_loop(of) for of in parallel_loops(profile)],
        "processors": processor_counts(most).tolist(),
        "coefficient": SPAN_COEFFICIENT,
        "program": _speedup(program),
        "sites": {
            "name": [_name(site) for site in sites],
            "full": [_full_name(site) for site in sites],
            "place": [printable(site_place(site)) for site in sites],
            "object": [printable(site.callee.object) for site in sites],
            "kind": [site_kind(site) for site in sites],
            "spawned": [site.spawned for site in sites],
            "line": [[printable(file), line] for file, line in lines_of(sites)],
            "part": [sources.part_of(site) for site in sites],
            "measures": [_measures(site) for site in sites],
            "speedup": [_speedup(site_speedup(profile, site)) for site in sites],
        },
    }
    in_cards = [card["source"] for card in findings["findings"] if card["source"]]
    return summary | {"sources": held_files([*in_cards, *sources.parts])}, [
        _clean_part(part) for part in sources.parts
    ]


def _run(profile: WorkSpanProfile) -> list[list[str]]:
    """Name and value of what is said of the run."""
    return [
        ["command", printable(profile.command)],
        ["pid", str(profile.pid)],
        ["threads", str(profile.threads)],
        ["written at", printable(profile.reason)],
        ["profile", printable(profile.path)],
        ["made by", f"{printable(profile.creator)}, Valgrind {printable(profile.valgrind)}"],
        ["fair-sched", profile.fair_sched],
        *([f"--{name}", printable(value)] for name, value in profile.options),
    ]


def _loop(of: LoopSite) -> list[str | int]:
    whole = of.on_work.top_site
    local = of.on_span.local.span
    numbers = [local, whole.work, whole.span, of.executions, of.iterations]
    return [placed_loop_name(of.loop), *numbers]


def _parallel_loop(of: ParallelLoop) -> list[str | int]:
    place = f" ({printable(placed(of.file, of.line))})" if of.file else ""
    return [f"{of.name}{place}", of.executions, of.iterations, of.work, of.largest or 0]


def _measures(site: CallSite) -> list[list[int]]:
    """Count, work, span of each measure, on work and then on span."""
    return [_measure(site.measure(path, measure)) for path in PATHS for measure in MEASURES]


def _measure(measure: Measure) -> list[int]:
    return [measure.count, measure.work, measure.span]


def _speedup(speedup: Speedup) -> dict[str, Any]:
    return {
        "work": speedup.work,
        "parallelism": speedup.parallelism,
        "serialised": speedup.serialised_parallelism,
        "burdened": speedup.burdened_span,
        "estimated": speedup.estimated,
    }


def _name(site: CallSite) -> str:
    """site_name, caller and callee each shortened."""
    routines = [r for r in (site.caller, site.callee) if r is not None]
    return ARROW.join(_short(printable(r.name)) for r in routines)


def _short(name: str) -> str:
    plain = base_name(name)
    return shorten(plain if len(plain) <= _WITH_ARGUMENTS else fold_templates(plain), _NAME)


def _full_name(site: CallSite) -> str:
    """With C++ parameters; empty where that is the name."""
    routines = [r for r in (site.caller, site.callee) if r is not None]
    whole = printable(ARROW.join(r.name for r in routines))
    return "" if whole == _name(site) else whole


def _clean_part(part: dict[str, Any]) -> dict[str, Any]:
    return {**part, "file": printable(part["file"])} if "file" in part else part
