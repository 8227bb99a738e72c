"""bench/speedup: predictions beside measurements, on made-up ones."""

from __future__ import annotations

from aprofbench.speedup import Comparison, lines


def test_errors_are_of_what_was_measured():
    head, *rows, close = lines([Comparison("a", 1.5, 1.2), Comparison("b", 2.0, 1.8)])
    assert [row.split() for row in rows] == [
        ["a", "1.50", "1.20", "+25", "%"],
        ["b", "2.00", "1.80", "+11", "%"],
    ]
    assert head.split() == ["predicted", "measured", "error"]
    assert close == "1 of 2 are within 15%"
