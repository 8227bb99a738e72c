"""Schedules as intervals, as a picture, and in Chrome's Trace Event Format."""

from __future__ import annotations

import io
import json
from itertools import accumulate
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgba
from test_processors import dag, dags, strand

from aprofplot.figures.styles import OTHER_COLOUR
from aprofplot.figures.timeline_plot import plot_timeline
from aprofplot.processors.charges import costs_of
from aprofplot.processors.schedulers import NAMES
from aprofplot.processors.timeline import IDLE, WAITING, Interval, timeline
from aprofplot.processors.timeline_bars import Bars, bars, critical_spans
from aprofplot.reports.work_span.trace_events import write_trace
from aprofplot.work_span.model import Dag

SCHEMA = Path(__file__).parents[2] / "docs" / "schema" / "trace-events.schema.json"
CHECK = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))


@pytest.mark.parametrize("scheduler", NAMES)
@given(made=dags(locks=2, across=True), processors=st.integers(1, 5))
def test_each_processor_is_busy_or_idle_all_the_time(
    scheduler: str, made: Dag, processors: int
) -> None:
    costs = costs_of(made, processors, scheduler)
    found = timeline(costs)
    for processor in range(processors):
        own = [of for of in found if of.processor == processor]
        ends = [of.end for of in own]
        assert [of.begin for of in own] == [0, *ends][: len(own)]
        assert not own or ends[-1] == costs.time
    empty = sum(of.end - of.begin for of in found if of.strand < 0)
    assert empty == costs.total.idleness
    waits = sum(of.end - of.begin for of in found if of.what == WAITING)
    assert waits == costs.total.lock_waits
    assert sum(of.end - of.begin for of in found if of.is_critical) == costs.time


# main, then three strands of f, two of which need a lock, then main again.
MADE = dag(
    strand(10),
    strand(100, 0, path=2, lock=1),
    strand(50, 0, path=2, lock=1),
    strand(20, 0, path=2),
    strand(10, 1, 2, 3),
    names=("main", "f"),
)


def test_what_runs_and_what_waits() -> None:
    assert timeline(costs_of(MADE, 3)) == [
        Interval(0, 0, 10, "main", 0, True),
        Interval(0, 10, 110, "f", 1, True),
        Interval(0, 110, 160, "f", 2, True),
        Interval(0, 160, 170, "main", 4, True),
        Interval(1, 0, 10, IDLE),
        Interval(1, 10, 30, "f", 3),
        Interval(1, 30, 170, IDLE),
        Interval(2, 0, 10, IDLE),
        Interval(2, 10, 110, WAITING),
        Interval(2, 110, 170, IDLE),
    ]


def test_bars_are_of_what_has_most_of_what_can_be_seen() -> None:
    found = timeline(costs_of(MADE, 3))
    assert bars(found, 1, 1) == [
        Bars("function", "f", ((0, 10, 160), (1, 10, 30))),
        Bars("others", "others", ((0, 0, 10), (0, 160, 170))),
        Bars("waiting", WAITING, ((2, 10, 110),)),
    ]
    # main's 10 at either end, and the 20 of f on the second row, are too short.
    assert bars(found, 2, 100) == [
        Bars("function", "f", ((0, 0, 170),)),
        Bars("waiting", WAITING, ((2, 0, 100),)),
    ]
    assert critical_spans(found, 1) == ((0, 0, 170),)


def test_what_runs_in_between_is_not_drawn_over_what_runs_most() -> None:
    found = [
        Interval(0, begin, end, what, 1)
        for at in range(0, 10_000, 10)
        for begin, end, what in ((at, at + 9, "hot"), (at + 9, at + 10, "cold"))
    ]
    assert bars(found, 7, 100) == [Bars("function", "hot", ((0, 0, 10_000),))]


ROWS = st.lists(st.tuples(st.integers(1, 9), st.sampled_from(["a", "b", "c", IDLE, WAITING])))


@given(rows=st.lists(ROWS, max_size=3), finest=st.integers(1, 20))
def test_no_bars_overlap_and_a_row_has_no_more_than_it_has_slices(
    rows: list[list[tuple[int, str]]], finest: int
) -> None:
    found, ends = [], []
    for processor, row in enumerate(rows):
        end = 0
        for length, what in row:
            strand_id = -1 if what in (IDLE, WAITING) else 0
            found.append(Interval(processor, end, end := end + length, what, strand_id))
        ends.append(end)
    spans = sorted(span for of in bars(found, 2, finest) for span in of.spans)
    for (row_before, _, end), (row_after, begin, _) in zip(spans, spans[1:]):
        assert row_before < row_after or end <= begin
    for processor, end in enumerate(ends):
        own = [span for span in spans if span[0] == processor]
        assert len(own) <= -(-end // finest)
        assert all(begin % finest == 0 and begin < stop <= end for _, begin, stop in own)


def test_names_of_functions_are_not_taken_for_kinds_of_bars() -> None:
    names = ["others", WAITING, IDLE, *"abcdef"]
    ends = list(accumulate(range(20, 20 - len(names), -1), initial=0))
    found = [Interval(0, *of, name, 1) for *of, name in zip(ends, ends[1:], names)]
    assert [(of.kind, of.what) for of in bars(found, 7, 1)] == [
        *(("function", name) for name in names[:7]),
        ("others", "others"),
    ]
    (axes,) = plot_timeline(found, 1, ends[-1], "").axes
    faces = [to_rgba(patch.get_facecolor()) for patch in axes.get_legend().get_patches()]
    assert len(set(faces)) == 9 and faces[7] == to_rgba(OTHER_COLOUR)
    assert not any(of.get_hatch() for of in axes.collections)


def test_the_picture_has_a_bar_for_each_interval() -> None:
    costs = costs_of(MADE, 3)
    figure = plot_timeline(timeline(costs), 3, costs.time, "on three")
    (axes,) = figure.axes
    spans = sorted(
        (round(box.y0 + box.height / 2), round(box.x0), round(box.x1), bool(bars.get_hatch()))
        for bars in axes.collections
        for box in (path.get_extents() for path in bars.get_paths())
        if box.height > 0.5
    )
    assert spans == [
        (0, 0, 10, False),
        (0, 10, 160, False),
        (0, 160, 170, False),
        (1, 10, 30, False),
        (2, 10, 110, True),
    ]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["f", "main", WAITING, "critical path (below)"]


def test_the_trace_is_in_the_format_that_perfetto_opens() -> None:
    out = io.StringIO()
    write_trace(out, "./app\udcff", costs_of(MADE, 3))
    trace = json.loads(out.getvalue())
    CHECK.validate(trace)
    slices = [of for of in trace["traceEvents"] if of["ph"] == "X"]
    assert [of["name"] for of in slices if of["tid"] == 2] == [IDLE, WAITING, IDLE]
    assert sum(of["dur"] for of in slices) == pytest.approx(3 * 170 / 1000)
    arrows = [of for of in trace["traceEvents"] if of["ph"] in "sf"]
    assert [of["ph"] for of in arrows] == ["s", "f"] * 3
    names = [of["args"]["name"] for of in trace["traceEvents"] if of["name"] == "thread_name"]
    assert names == ["processor 0", "processor 1", "processor 2"]
