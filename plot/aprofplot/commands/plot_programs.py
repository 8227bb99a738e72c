"""Plots of whole programs: aprof-plot --program."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from aprofplot import metrics
from aprofplot.commands.picture import Picture
from aprofplot.commands.plot_routines import check_labels, check_metrics
from aprofplot.errors import AprofError
from aprofplot.figures.captions import run_labels
from aprofplot.merge import merge_within_runs
from aprofplot.model import Profile, RoutineProfile

Program = tuple[str, list[RoutineProfile]]  # what it is called, its routines


def prepare(arguments: argparse.Namespace, profile: Profile) -> Callable[[bool], Picture]:
    """What draws the picture, titled or not, once its style is applied. `profile` has threads
    apart. AprofError if there is nothing to draw."""
    check_labels(arguments, profile)
    needed = ("trms", "rms") if arguments.program in ("richness", "volume") else ("trms",)
    check_metrics(needed, profile, "a ROUTINE")
    names = arguments.labels or run_labels(profile.runs)
    apart: list[Program] = [(name, []) for name in names]
    for routine in merge_within_runs(profile).routines:
        apart[routine.threads[0].run][1].append(routine)
    if arguments.program == "sources":
        draw = _sources(arguments, profile, names)
    elif arguments.program == "induced":
        draw = _induced(arguments, apart)
    else:
        draw = _curves(arguments, apart)
    return draw


def _sources(
    arguments: argparse.Namespace, profile: Profile, names: Sequence[str]
) -> Callable[[bool], Picture]:
    counts = metrics.induced_of_program(profile)
    if not any(map(sum, counts)):
        raise _nothing("no induced first-accesses", profile.runs[0].path, len(counts))

    def draw(titled: bool) -> Picture:
        from aprofplot.figures import induced_bars

        bars = list(zip(names, counts))
        title = _title(arguments, titled, "Thread-induced and external input")
        return Picture(induced_bars.plot_sources(bars, title), "sources")

    return draw


def _induced(
    arguments: argparse.Namespace, programs: Sequence[Program]
) -> Callable[[bool], Picture]:
    def draw(titled: bool) -> Picture:
        from aprofplot.figures import induced_bars

        found = [induced_bars.induced_routines(*program) for program in programs]
        if not any(program.routines for program in found):
            raise _nothing("no routine with induced input", programs[0][0], len(programs))
        remarks = [f"{p.name}: no routine with induced input" for p in found if not p.routines]
        title = _title(arguments, titled, "Induced input by routine")
        figure = induced_bars.plot_induced_routines([p for p in found if p.routines], title)
        return Picture(figure, "induced", tuple(remarks))

    return draw


def _curves(
    arguments: argparse.Namespace, programs: Sequence[Program]
) -> Callable[[bool], Picture]:
    def draw(titled: bool) -> Picture:
        from aprofplot.figures import program_plot

        view = program_plot.VIEWS[arguments.program]
        with_values = [p for p in programs if program_plot.values_of(view, p[1])]
        if not with_values:
            todo = "profile a longer run, or more of it"
            raise _nothing("no activation returned", programs[0][0], len(programs), todo)
        remarks = [f"{p[0]}: no activation returned" for p in programs if p not in with_values]
        log = None if arguments.log is None else arguments.log.replace("none", "")
        title = _title(arguments, titled, "")
        figure = program_plot.plot_program(view, with_values, log, title)
        return Picture(figure, arguments.program, tuple(remarks))

    return draw


def _title(arguments: argparse.Namespace, titled: bool, usual: str) -> str:
    if arguments.title is not None:
        return str(arguments.title)
    return usual if titled else ""


def _nothing(
    what: str,
    first: str,
    count: int,
    todo: str = "profile a run in which threads or files take part",
) -> AprofError:
    more = f" and {count - 1} more" if count > 1 else ""
    return AprofError(f"{first}{more}: {what}", todo)
