"""cilkshadow-report --format=cilkscale: the CSV of OpenCilk's Cilkscale, a row for each region and
one for the program."""

from __future__ import annotations

import csv
from typing import TextIO

from aprofplot.names import spreadsheet_text
from aprofplot.work_span.model import NamedRegion, WorkSpanProfile


def write_cilkscale(out: TextIO, profile: WorkSpanProfile) -> None:
    """A header line, then the rows; the program's, the last, has no tag. A parallelism without span is empty."""
    unit = profile.unit.removeprefix("guest ")
    writer = csv.writer(out, lineterminator="\n")
    spans = [f"span ({unit})", "parallelism", f"burdened_span ({unit})", "burdened_parallelism"]
    writer.writerow(["tag", f"work ({unit})", *spans])
    program = NamedRegion("", 1, profile.work, profile.span, profile.burdened_span)
    for region in (*profile.regions, program):
        writer.writerow(
            [
                spreadsheet_text(region.name),
                region.work,
                region.span,
                _shown(region.parallelism),
                region.burdened_span,
                _shown(region.burdened_parallelism),
            ]
        )


def _shown(parallelism: float | None) -> str:
    return "" if parallelism is None else f"{parallelism:.4f}"
