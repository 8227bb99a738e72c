"""A schedule in the Trace Event Format of Chrome, which Perfetto and chrome://tracing open: a track for each
processor, a slice for each run, idle time and wait, and arrows along the critical path.

An instruction is shown as a nanosecond; times of the format are microseconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from aprofplot.names import unicode
from aprofplot.processors.charges import Costs
from aprofplot.processors.timeline import IDLE, WAITING, Interval, timeline

_PROCESS = 1
_PER_MICROSECOND = 1000
# Of catapult's reserved colours.
_COLOURS = {IDLE: "grey", WAITING: "terrible"}


def write_trace(out: TextIO, command: str, costs: Costs) -> None:
    """One JSON object."""
    intervals = timeline(costs)
    events = [
        *_names(command, costs),
        *(_slice(of, costs) for of in intervals),
        *_arrows(of for of in intervals if of.is_critical),
    ]
    trace = {
        "traceEvents": events,
        "displayTimeUnit": "ns",
        "otherData": {
            "command": unicode(command),
            "processors": str(costs.processors),
            "scheduler": costs.schedule.scheduler,
            "time": str(costs.time),
        },
    }
    json.dump(trace, out)
    out.write("\n")


def _names(command: str, costs: Costs) -> Iterator[dict[str, Any]]:
    yield _metadata("process_name", 0, {"name": unicode(command)})
    for processor in range(costs.processors):
        yield _metadata("thread_name", processor, {"name": f"processor {processor}"})
        yield _metadata("thread_sort_index", processor, {"sort_index": processor})


def _metadata(name: str, processor: int, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"ph": "M", "pid": _PROCESS, "tid": processor, "name": name, "args": arguments}


def _slice(of: Interval, costs: Costs) -> dict[str, Any]:
    category = "idleness" if of.strand < 0 else "critical path" if of.is_critical else "strand"
    found: dict[str, Any] = {
        "ph": "X",
        "pid": _PROCESS,
        "tid": of.processor,
        "ts": of.begin / _PER_MICROSECOND,
        "dur": (of.end - of.begin) / _PER_MICROSECOND,
        "name": unicode(of.what) or "(unknown)",
        "cat": category,
    }
    if of.strand < 0:
        return {**found, "cname": _COLOURS[of.what]}
    strand = costs.dag.strands[of.strand]
    numbers = {"strand": of.strand + 1, "work": strand.work, "overhead": strand.overhead}
    return {**found, "args": {**numbers, "thread": strand.thread, "critical": of.is_critical}}


def _arrows(critical: Iterable[Interval]) -> Iterator[dict[str, Any]]:
    """From each run of the critical path to the next."""
    path = sorted(critical, key=lambda of: of.begin)
    for number, (one, other) in enumerate(zip(path, path[1:]), 1):
        arrow = {"pid": _PROCESS, "name": "critical path", "cat": "critical path", "id": number}
        # A flow binds to the slice around its time: that of the first would have ended.
        last = max(one.begin, one.end - 1) / _PER_MICROSECOND
        yield {"ph": "s", **arrow, "tid": one.processor, "ts": last}
        begin = other.begin / _PER_MICROSECOND
        yield {"ph": "f", "bp": "e", **arrow, "tid": other.processor, "ts": begin}
