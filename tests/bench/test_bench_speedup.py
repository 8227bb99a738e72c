"""bench/speedup: predictions beside measurements, on made-up ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from aprofbench import speedup
from aprofbench.speedup import Comparison, lines, main
from aprofplot.batch.suite import SuiteError


def test_errors_are_of_what_was_measured():
    head, *rows, close = lines([Comparison("a", 1.5, 1.2), Comparison("b", 2.0, 1.8)])
    assert [row.split() for row in rows] == [
        ["a", "1.50", "1.20", "+25", "%"],
        ["b", "2.00", "1.80", "+11", "%"],
    ]
    assert head.split() == ["predicted", "measured", "error"]
    assert close == "1 of 2 are within 15%"


def test_a_missing_compiler_is_one_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([]) == 2
    said = capsys.readouterr().err
    assert re.search(r"(gcc|g\+\+) cannot be run: No such file", said) and said.count("\n") == 1


@pytest.mark.parametrize("report", [{}, {"processors": []}])
def test_a_profile_without_a_dag_is_said(report, monkeypatch):
    monkeypatch.setattr(speedup, "report_on", lambda *_, **__: report)
    with pytest.raises(SuiteError, match="blocks: its profile has no dag"):
        speedup._predicted(Path("blocks"))
