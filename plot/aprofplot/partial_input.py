"""Input sizes that leave out a part of what is new: the TRMS without what other threads have stored
("external"), or without what came from outside ("thread")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from aprofplot.model import PointTable, Profile
from aprofplot.point_merge import with_sizes

_LEFT_OUT = {"external": "thread", "thread": "external"}  # by metric, a column of points by TRMS
_IN_WORDS = {"external": "from other threads", "thread": "from outside"}  # what is left out
PARTIAL_METRICS = tuple(_LEFT_OUT)


def left_out(metric: str) -> str:
    """What input one of PARTIAL_METRICS is without, in words."""
    return _IN_WORDS[metric]


def with_partial_input(profile: Profile, metric: str) -> Profile:
    """With points by one of PARTIAL_METRICS, too. The TRMS was measured."""
    return replace(
        profile,
        routines=tuple(replace(r, points=_points(r.points, metric)) for r in profile.routines),
        loops=tuple(replace(loop, points=_points(loop.points, metric)) for loop in profile.loops),
    )


def _points(points: Mapping[str, PointTable], metric: str) -> dict[str, PointTable]:
    table = points.get("trms")
    return {**points} if table is None else {**points, metric: _without(table, _LEFT_OUT[metric])}


def _without(table: PointTable, column: str) -> PointTable:
    """Of the activations of one size, only the mean of what is left out is known."""
    sizes, calls, left_out = (table.column(name) for name in ("size", "calls", column))
    # Sizes of points that the tool has merged are rounded down.
    return with_sizes(table, np.maximum(sizes - (left_out + calls // 2) // calls, 0))
