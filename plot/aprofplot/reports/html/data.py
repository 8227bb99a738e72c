"""The data of the page, as JSON: a summary read at once, details read when they are opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from aprofplot.fits.fitting import fit_routines
from aprofplot.fits.growth import growth_of
from aprofplot.metrics import (
    by_cost,
    induced_shares,
    profile_richness,
    total_cost,
)
from aprofplot.model import Context, Profile, RoutineKey, RoutineProfile, Run
from aprofplot.names import counted, printable, program_name, shorten
from aprofplot.ownership import own_routines, start_up_routines
from aprofplot.problems import Problem, find_problems
from aprofplot.progress import Progress
from aprofplot.reports.columns import growth_words
from aprofplot.reports.excerpts import held_files
from aprofplot.reports.finding_text import run_notes, why_none
from aprofplot.reports.html.contexts import (
    callers_and_callees,
    context_columns,
    context_points,
    contexts_with_points,
    worth_fitting,
)
from aprofplot.reports.html.finding_data import finding_cards
from aprofplot.reports.html.fit_data import UNTOLD, fit_details, growth_rank
from aprofplot.reports.html.line_data import PageLines
from aprofplot.reports.html.line_tree import line_columns
from aprofplot.reports.html.loop_data import PageLoops
from aprofplot.reports.html.metric_columns import Fits, metric_columns
from aprofplot.reports.html.points import alias_equal, encode_tables
from aprofplot.reports.html.source_data import source_details, starts_by_file
from aprofplot.reports.html.thread_rows import ThreadRows, rounded_shares
from aprofplot.reports.nameless import nameless_in
from aprofplot.reports.sources import Sources, modified

_POINTS = 500  # of a routine under a metric, at most: more than a plot can show apart
_PROGRAMS = 3  # in the title
_NAME = 80  # characters of a folded name


Details = Callable[[], dict[str, Any]]  # makes a routine's or context's; may run in another process


@dataclass(frozen=True)
class PageData:
    """`summary` is one JSON value; of `details` there is one for each routine, in the order of the
    summary, of `context_details` for each context."""

    title: str
    summary: dict[str, Any]
    details: list[Details]
    context_details: list[Details]


def page_data(
    profile: Profile,
    threads: ThreadRows,
    source_path: Sequence[str],
    progress: Progress | None = None,
) -> PageData:
    """What the page shows of a profile (merge_threads) and of its threads. `progress` is told of
    fits."""
    here = all(run.origin.is_here for run in profile.runs)
    return _Gatherer(profile, threads, Sources(source_path, here), progress).gather()


def _title(runs: Sequence[Run]) -> str:
    """The command of a single run; of several their programs, those with most runs first."""
    if len(runs) == 1:
        return printable(runs[0].command)
    programs = Counter(printable(program_name(run.command)) for run in runs)
    named = [name for name, _ in programs.most_common(_PROGRAMS)]
    more = len(programs) - len(named)
    rest = [f"{counted(more, 'more program')}"] if more else []
    return f"{', '.join(named + rest)}: {counted(len(runs), 'run')}"


class _Gatherer:
    def __init__(
        self, profile: Profile, threads: ThreadRows, sources: Sources, progress: Progress | None
    ) -> None:
        self._profile = profile
        self._progress = progress
        self._threads = threads
        self._events = self._profile.event_names
        self._whole = {event: total_cost(self._profile, event) for event in self._events}
        self._routines = by_cost(self._profile.routines, self._events[0])
        self._numbers = {r.routine.key: number for number, r in enumerate(self._routines)}
        self._start_up = start_up_routines(profile)
        self._fits = self._fitted(self._routines)
        self._sources = sources
        self._loops = PageLoops(profile, self._numbers, self._whole)
        self._lines = PageLines(profile.lines)

    def _fitted(self, routines: Sequence[RoutineProfile]) -> list[Fits]:
        by_event = [
            fit_routines(routines, event, progress=self._progress) for event in self._events
        ]
        return [dict(zip(self._events, fits)) for fits in zip(*by_event)]

    def gather(self) -> PageData:
        contexts = self._profile.contexts
        beside = self._beside_points()
        fits = self._context_fits(contexts)
        with_points = contexts_with_points(contexts, self._events[0])
        callers = {number: entry["callers"] for number, entry in enumerate(beside)}
        start_up = frozenset(self._numbers[key] for key in self._start_up)
        cards = finding_cards(
            self._profile, self._events[0], self._numbers, start_up, callers, self._sources
        )
        shown = [source for entry in beside for source in (entry["source"], *entry["inlined"])]
        summary = {
            "sources": held_files([*shown, *(card["source"] for card in cards)]),
            "findings": cards,
            "noFindings": [printable(why) for why in why_none(self._profile, self._events[0])],
            "runs": self._runs(),
            "loops": self._loops.columns(),
            "lines": line_columns(
                self._profile.lines, self._numbers, self._loops.nests(), self._whole
            ),
            "nameless": printable(nameless_in(self._profile, self._events[0])),
            "events": [{"name": e.name, "unit": printable(e.unit)} for e in self._profile.events],
            "metrics": [{"name": m.name, "unit": printable(m.unit)} for m in self._profile.metrics],
            "totals": [self._whole[event] for event in self._events],
            "calls": bool(self._profile.calls),
            "routines": self._columns(),
            "contexts": context_columns(
                contexts, self._numbers, self._events, self._profile.metric_names[0]
            )
            | {"loops": self._loops.in_contexts(contexts)}
            | self._context_growth(fits),
        }
        return PageData(
            _title(self._profile.runs),
            summary,
            [partial(self._details, number, entry) for number, entry in enumerate(beside)],
            [
                partial(self._context_details, context, fit, number in with_points)
                for number, (context, fit) in enumerate(zip(contexts, fits))
            ],
        )

    def _runs(self) -> list[dict[str, Any]]:
        return [
            {
                "command": printable(run.command),
                "pid": run.pid,
                "path": printable(run.path),
                "reason": printable(run.reason),
                "creator": printable(run.creator),
                "valgrind": printable(run.valgrind),
                "options": [[name, printable(value)] for name, value in run.options],
                "notes": [printable(note) for note in run_notes(run)],
                "threads": [[t.id, t.parent, printable(t.name)] for t in run.threads],
            }
            for run in self._profile.runs
        ]

    def _columns(self) -> dict[str, Any]:
        routines = self._routines
        names = [printable(r.routine.name) for r in routines]
        short = [shorten(name, _NAME) for name in names]
        objects = _Numbered()
        files = _Numbered()
        mine = self._mine()
        return {
            "name": short,
            "fullName": {i: n for i, (n, s) in enumerate(zip(names, short)) if n != s},
            "object": [objects.number(r.routine.object) for r in routines],
            "file": [files.number(r.routine.file) for r in routines],
            "objects": objects.texts(),
            "files": files.texts(),
            "line": [r.routine.line for r in routines],
            "mine": [int(r.routine.key in mine) for r in routines],
            "startUp": [int(r.routine.key in self._start_up) for r in routines],
            "calls": [r.calls for r in routines],
            "unfinished": [r.unfinished for r in routines],
            "threads": [len(r.threads) for r in routines],
            "inclusive": [[r.cost[e].inclusive for r in routines] for e in self._events],
            "own": [[r.cost[e].own for r in routines] for e in self._events],
            "richness": [_rounded(profile_richness(r)) for r in routines],
            "induced": [rounded_shares(induced_shares(r)) for r in routines],
            "metric": [
                metric_columns(self._profile, routines, self._fits, metric)
                for metric in self._profile.metric_names
            ],
            "problems": [self._problem_column(event) for event in self._events],
        }

    def _problem_column(self, event: str) -> list[list[list[Any]]]:
        return [
            (
                []
                if r.routine.key in self._start_up
                else [_problem(p) for p in find_problems(r, fits[event], event, self._whole[event])]
            )
            for r, fits in zip(self._routines, self._fits)
        ]

    def _mine(self) -> frozenset[RoutineKey]:
        listed = [routine.routine for routine in self._routines]
        named = {
            file
            for elf, file in {(routine.object, routine.file) for routine in listed if routine.file}
            if (found := self._sources.find(elf, file)) is not None and found.named
        }
        return own_routines(listed, named)

    def _details(self, number: int, beside: dict[str, Any]) -> dict[str, Any]:
        routine = self._routines[number]
        points = alias_equal(encode_tables(routine.points, self._events, _POINTS))
        return {"points": points, "fits": self._fit_details(routine, self._fits[number])} | beside

    def _beside_points(self) -> list[dict[str, Any]]:
        """Of each routine, what its details have beside points and fits."""
        callers, callees = callers_and_callees(self._profile.calls, self._numbers, self._events)
        starts = starts_by_file(self._routines)
        written = max((modified(run.path) for run in self._profile.runs), default=0.0)
        metric = self._profile.metric_names[0]
        found: list[dict[str, Any]] = [
            {
                "callers": callers.get(number, []),
                "callees": callees.get(number, []),
                "threads": self._threads.columns(routine.routine.key, self._events, metric),
                "source": source_details(
                    self._sources,
                    routine.routine,
                    starts,
                    [
                        (edge[0], self._routines[edge[0]].routine)
                        for edge in callees.get(number, [])
                    ],
                    written,
                ),
            }
            for number, routine in enumerate(self._routines)
        ]
        for number, routine in enumerate(self._routines):
            of = found[number]
            of["loops"] = self._loops.beside(number, of["source"], routine.routine.file)
            of["inlined"] = self._loops.inlined(number, of["loops"], self._sources)
            key = routine.routine.key
            of["source"] |= self._lines.beside(key, routine.routine.file, of["source"])
            for part in of["inlined"]:
                part |= self._lines.beside(key, part.pop("file"), part)
        return found

    def _fit_details(self, routine: RoutineProfile, fits: Fits) -> list[dict[str, Any]]:
        details = []
        for event in self._events:
            # Metrics that agree have one fit.
            tables = {id(fit): (fit, routine.points[m]) for m, fit in fits[event].items()}
            of_fit = {key: fit_details(fit, table) for key, (fit, table) in tables.items()}
            details.append(alias_equal({m: of_fit[id(fit)] for m, fit in fits[event].items()}))
        return details

    def _context_fits(self, contexts: Sequence[Context]) -> list[Fits | None]:
        event = self._events[0]
        worth = [c.profile for c in contexts if worth_fitting(c, event, self._whole[event])]
        fits = dict(zip(map(id, worth), self._fitted(worth)))
        return [fits.get(id(context.profile)) for context in contexts]

    def _context_growth(self, fits: Sequence[Fits | None]) -> dict[str, Any]:
        """By the first event and metric; empty, and UNTOLD, where it is not worth a fit."""
        event, metric = self._events[0], self._profile.metric_names[0]
        found = [fit[event].get(metric) if fit else None for fit in fits]
        return {
            "growth": [
                (
                    growth_words(fit, growth_of(fit, context.profile.points[metric], event, metric))
                    if fit
                    else ""
                )
                for fit, context in zip(found, self._profile.contexts)
            ],
            "rank": [round(growth_rank(fit), 3) if fit else UNTOLD for fit in found],
        }

    def _context_details(
        self, context: Context, fits: Fits | None, with_points: bool
    ) -> dict[str, Any]:
        points = context_points(context, self._events) if with_points else {}
        details: dict[str, Any] = {"points": alias_equal(points)}
        if fits is not None:
            details["fits"] = self._fit_details(context.profile, fits)
        return details


class _Numbered:
    """Texts that many routines share, by number in order of appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))

    def texts(self) -> list[str]:
        return [printable(name) for name in self._numbers]


def _problem(problem: Problem) -> list[Any]:
    return [problem.kind, float(f"{problem.score:.4g}"), problem.sentence]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
