"""The series of a panel: points of a part under a metric, with their colour and marker."""

from __future__ import annotations

from dataclasses import dataclass

from aprofplot.figures.legends import UNLISTED
from aprofplot.figures.parts import Comparison
from aprofplot.figures.styles import (
    MARKERS,
    METRIC_MARKERS,
    OTHER_COLOUR,
    colours,
    metric_colours,
)
from aprofplot.model import ITERATIONS, PointTable, is_argument
from aprofplot.partial_input import PARTIAL_METRICS


@dataclass(frozen=True, eq=False)
class Series:
    """One part's points under one metric, and how to tell them from others. `own`: whether it has
    a colour of its own."""

    table: PointTable
    metric: str
    label: str
    colour: str
    marker: str
    own: bool = True


def series_of(comparison: Comparison, shown: tuple[str, ...]) -> list[Series]:
    """The series of a panel that shows the metrics `shown`, those without points left out."""
    series: list[Series] = []
    for metric in shown:
        if len(comparison.parts) == 1 and not comparison.parts[0].label:
            table = comparison.parts[0].numbers.points[metric]
            look = "trms" if metric in PARTIAL_METRICS else metric
            look = ITERATIONS if is_argument(metric) else look
            colour, marker = metric_colours()[look], METRIC_MARKERS[look]
            series.append(Series(table, metric, _label(metric), colour, marker))
        else:
            before = f"{_label(metric)}, " if len(shown) > 1 else ""
            series += _several(comparison, metric, before)
    return [one for one in series if len(one.table)]


def _label(metric: str) -> str:
    return metric.upper() if metric in ("trms", "rms") else metric


def _several(comparison: Comparison, metric: str, before: str) -> list[Series]:
    """The costliest parts have a look of their own, as many as there are colours; the others,
    last, share one."""
    palette = colours()
    costliest = comparison.costliest(len(palette))
    named = {id(part) for part in costliest}
    others = [part for part in comparison.parts if id(part) not in named]
    series = [
        Series(part.numbers.points[metric], metric, before + part.label, colour, marker)
        for part, colour, marker in zip(costliest, palette, _markers(len(palette)))
        if metric in part.numbers.points
    ]
    label = before + comparison.others(len(others))
    for part in others:
        if metric not in part.numbers.points:
            continue
        table = part.numbers.points[metric]
        series.append(Series(table, metric, label, OTHER_COLOUR, MARKERS[0], own=False))
        label = UNLISTED if len(table) else label
    return series


def _markers(count: int) -> list[str]:
    return [MARKERS[index % len(MARKERS)] for index in range(count)]
