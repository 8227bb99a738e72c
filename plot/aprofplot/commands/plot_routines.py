"""Plots of routines by aprof-plot: selects routines, threads, profiles and numbers."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from aprofplot.commands.cost_event import plotted_event
from aprofplot.commands.picture import Picture, routine_name
from aprofplot.errors import AprofError, UsageError
from aprofplot.figures.parts import Comparison, of_routines, of_runs, of_threads
from aprofplot.metrics import PARALLELISM, by_cost
from aprofplot.merge import merge_threads, merge_within_runs
from aprofplot.loop_scopes import PROGRESS, loop_scopes
from aprofplot.model import ITERATIONS, Profile, RoutineProfile, argument_of, is_argument
from aprofplot.named_scopes import named_scopes, select_scopes
from aprofplot.names import counted
from aprofplot.partial_input import PARTIAL_METRICS, with_partial_input

if TYPE_CHECKING:
    from aprofplot.figures.views import View
    from aprofplot.metrics import CostStatistic


def prepare(arguments: argparse.Namespace, profile: Profile) -> Callable[[bool], Picture]:
    """What draws the picture, titled or not, once its style is applied. `profile` has threads
    apart. AprofError if there is nothing to draw."""
    metrics = _metrics(arguments, profile)
    if metrics[0] in PARTIAL_METRICS:
        profile = with_partial_input(profile, metrics[0])
    event = plotted_event(arguments.cost, profile)
    remarks: list[str] = []
    if arguments.compare:
        comparison = _compare(arguments, profile, remarks)
    else:
        chosen = _chosen(arguments, merge_threads(profile), profile.event_names[0])
        chosen = _with_points(chosen, metrics, remarks)
        scopes = replace(profile, routines=(*profile.routines, *loop_scopes(profile.loops)))
        comparison = (of_threads if arguments.per_thread else of_routines)(scopes, chosen)
    _with_points([part.numbers for part in comparison.parts], metrics, [])
    view = _view(arguments, event)
    name = routine_name(
        comparison.parts[0].numbers.routine, (numbers.routine for numbers in profile.routines)
    )
    return lambda titled: _draw(arguments, comparison, metrics, view, name, remarks, titled)


def _chosen(arguments: argparse.Namespace, profile: Profile, event: str) -> list[RoutineProfile]:
    """The routines and loops asked for, in order, each once; those of one pattern costliest first, whose name
    is the picture's."""
    chosen: dict[object, RoutineProfile] = {}
    for pattern in (arguments.arguments[0], *arguments.also):
        for routine in by_cost(select_scopes(profile, pattern, arguments.all), event):
            chosen[routine.routine.key] = routine
    return list(chosen.values())


def _compare(arguments: argparse.Namespace, profile: Profile, remarks: list[str]) -> Comparison:
    """The routines asked for in each run; those that a run does not have are a remark."""
    check_labels(arguments, profile)
    apart = merge_within_runs(profile)
    patterns = (arguments.arguments[0], *arguments.also)
    for pattern in patterns:
        select_scopes(
            apart, pattern, several=True
        )  # raises, and says what is like it, if none has it
    chosen = []
    for index, run in enumerate(profile.runs):
        there = replace(
            apart,
            routines=tuple(r for r in apart.routines if r.threads[0].run == index),
            loops=tuple(loop for loop in apart.loops if loop.threads[0].run == index),
        )
        found: dict[object, RoutineProfile] = {}
        for pattern in patterns:
            fits = []
            if named_scopes(there, pattern):
                fits = select_scopes(there, pattern, arguments.all)
            else:
                remarks.append(f"{run.path}: no routine matches '{pattern}'")
            ranked = by_cost(fits, profile.event_names[0])
            found.update((numbers.routine.key, numbers) for numbers in ranked)
        chosen.append(list(found.values()))
    return of_runs(profile, chosen, arguments.labels)


def check_labels(arguments: argparse.Namespace, profile: Profile) -> None:
    """UsageError if there are labels, but not one for each profile."""
    labels, runs = len(arguments.labels), len(profile.runs)
    if labels and labels != runs:
        raise UsageError(
            f"{counted(labels, '--label')} for {counted(runs, 'profile')}",
            "give one for each",
        )


def _with_points(
    routines: Sequence[RoutineProfile], metrics: tuple[str, ...], remarks: list[str]
) -> list[RoutineProfile]:
    """Those with something to draw; the others become remarks. AprofError if there are none."""
    found = [r for r in routines if any(len(r.points.get(metric, ())) for metric in metrics)]
    if not found and metrics[0] in (ITERATIONS, PROGRESS):
        raise _without_iterations(routines[0], metrics[0])
    if not found and is_argument(metrics[0]):
        raise _without_argument(routines[0], metrics[0])
    if not found:
        calls, name = sum(r.calls for r in routines), routines[0].routine.name
        name += f" and {len(routines) - 1} more" if len(routines) > 1 else ""
        raise AprofError(
            f"no activation of {name} ({calls:,} in all) returned before the profile was written, "
            "so that there are no points",
            "plot a routine that it calls",
        )
    if len(found) < len(routines):
        count = len(routines) - len(found)
        why = "of which no activation returned"
        if metrics[0] in (ITERATIONS, PROGRESS) or is_argument(metrics[0]):
            why = f"that {'has' if count == 1 else 'have'} no points by {_size_name(metrics[0])}"
        remarks.append(f"left out {counted(count, 'routine')} {why}")
    return found


def _without_iterations(numbers: RoutineProfile, metric: str) -> AprofError:
    name = numbers.routine.name
    if metric == PROGRESS and ITERATIONS in numbers.points:
        what = (
            f"{name} has no inner loop and no call: what its k-th iteration costs is not measured"
        )
        return AprofError(what, "plot it with --metric=iterations")
    todo = "name one as FILE:LINE or ROUTINE/loop:LINE, of a profile with --loops=yes"
    return AprofError(f"{name} is not a loop: only loops have iterations", todo)


def _size_name(metric: str) -> str:
    argument = argument_of(metric)
    return metric if argument is None else f"argument {argument}"


def _without_argument(numbers: RoutineProfile, metric: str) -> AprofError:
    name = numbers.routine.name
    if ITERATIONS in numbers.points:
        return AprofError(f"{name} is a loop: only routines have arguments", "plot its routine")
    known = [f"--metric {other}" for other in filter(is_argument, numbers.points)]
    if known:
        return AprofError(
            f"{name} has no points by {_size_name(metric)}", f"plot {' or '.join(known)}"
        )
    todo = "profile a program that was compiled with -g, with --arguments=yes"
    return AprofError(f"{name} has no points by an argument", todo)


def _metrics(arguments: argparse.Namespace, profile: Profile) -> tuple[str, ...]:
    if is_argument(arguments.metric or ""):
        return (arguments.metric,)
    if arguments.plot == "progress" or arguments.metric == ITERATIONS:
        return (PROGRESS if arguments.plot == "progress" else ITERATIONS,)
    if arguments.plot == "induced":
        wanted: tuple[str, ...] = ("trms",)
    elif arguments.metric == "both" or arguments.overlay:
        wanted = ("trms", "rms") if arguments.overlay else ("rms", "trms")
    elif arguments.metric:
        wanted = (arguments.metric,)
    else:
        wanted = ("trms",) if "trms" in profile.metric_names else profile.metric_names[:1]
    check_metrics(wanted, profile, "--metric " + profile.metric_names[0])
    return wanted


def check_metrics(wanted: Sequence[str], profile: Profile, instead: str) -> None:
    """AprofError if one of `wanted` was not measured; it says what to plot instead."""
    for metric in wanted:
        measured = "trms" if metric in PARTIAL_METRICS else metric
        if measured not in profile.metric_names:
            raise AprofError(
                f"input size {metric} is not in this profile",
                f"profile again with --input-metric=both, or plot {instead}",
            )


def _view(arguments: argparse.Namespace, event: str) -> View:
    from aprofplot.figures import views
    from aprofplot.fits.bounding import parse_bound

    own: bool = arguments.own
    # A parallelism is that of all activations of a size.
    usual: CostStatistic = "mean" if event == PARALLELISM else "max"
    statistic: CostStatistic = arguments.y or usual
    if arguments.bound:
        return views.BoundView(event, parse_bound(arguments.bound), own, statistic)
    made: dict[str, View] = {
        "cost": views.CostView(event, own, statistic),
        "range": views.RangeView(event, own),
        "total": views.CostView(event, own, "total"),
        "workload": views.WorkloadView(),
        "variance": views.VarianceView(event, own),
        "amortized": views.AmortizedView(event, own, arguments.alpha),
        "induced": views.InducedView(),
        "progress": views.ProgressView(event),
    }
    return made[arguments.plot or "cost"]


def _log(arguments: argparse.Namespace) -> str | None:
    """Bins of ordinals double: their axis is logarithmic."""
    if arguments.log is None:
        return "xy" if arguments.plot == "progress" else None
    return str(arguments.log).replace("none", "")


def _draw(
    arguments: argparse.Namespace,
    comparison: Comparison,
    metrics: tuple[str, ...],
    view: View,
    name: str,
    remarks: Sequence[str],
    titled: bool,
) -> Picture:
    from aprofplot.figures import routine_plot

    options = routine_plot.Options(
        metrics=metrics,
        view=view,
        overlay=arguments.overlay,
        fit=arguments.fit,
        log=_log(arguments),
        title=arguments.title if titled or arguments.title else "",
    )
    panels = routine_plot.panels_of(comparison, options)
    if not any(len(values) for panel in panels for values in panel.values("x")):
        raise AprofError("; ".join(panels[0].notes), "choose another --bound")
    tables = [one.table for panel in panels for one in panel.series]
    return Picture(
        figure=routine_plot.plot_routines(comparison, panels, options),
        name=name,
        remarks=(*remarks, *(note for panel in panels for note in panel.notes)),
        single_point=max(len(table) for table in tables) == 1,
    )
