"""Source lines as the lowest level of the page's tree."""

from __future__ import annotations

import pytest

from aprofplot.model import LineCost, Loop, Routine
from aprofplot.reports.html.line_tree import line_columns

MAIN = Routine("main", "/app", "/app.c", 20, 4096)
WHOLE = {"bb": 10_000}


def scope(number, parent, lines, function="main", file="/app.c"):
    return number, parent, Loop(MAIN, None, 4100 + number, False, file, *lines, function)


def line(number, cost, function="main", file="/app.c"):
    return LineCost(MAIN, file, number, function, {"instr": 4 * cost, "bb": cost})


def placed(lines, loops=(), whole=None):
    """By name: the loop, and the cost."""
    found = line_columns(lines, {MAIN.key: 0}, {0: loops}, whole or WHOLE)
    assert set(found["routine"]) <= {0}
    return dict(zip(found["name"], zip(found["loop"], found["own"][0])))


NEST = [scope(0, None, (22, 30)), scope(1, 0, (24, 26)), scope(2, None, (40, 40))]


def test_a_line_is_in_the_innermost_loop_of_its_file():
    lines = [line(n, 100) for n in (21, 22, 24, 26, 27, 30, 31, 40)]
    other = line(24, 100, file="/app.h")
    assert placed([*lines, other], NEST) == {
        "app.c:21": (-1, 100),
        "app.c:22": (0, 100),
        "app.c:24": (1, 100),
        "app.c:26": (1, 100),
        "app.c:27": (0, 100),
        "app.c:30": (0, 100),
        "app.c:31": (-1, 100),
        "app.c:40": (2, 100),
        "app.h:24": (-1, 100),
    }


def test_lines_of_code_inlined_into_two_loops_stand_in_the_one_around_them():
    copies = [scope(3, 1, (12, 13), "scan"), scope(4, 0, (12, 13), "scan")]
    assert placed([line(12, 90, "scan")], NEST + copies) == {"app.c:12 in scan": (0, 90)}
    apart = [scope(3, 1, (12, 13), "scan"), scope(4, 2, (12, 13), "scan")]
    assert placed([line(12, 90, "scan")], NEST + apart) == {"app.c:12 in scan": (-1, 90)}


def test_of_two_functions_with_the_same_source_a_line_is_its_own_ones():
    instances = [scope(3, 0, (12, 13), "scan<int>"), scope(4, 2, (12, 13), "scan<long>")]
    assert placed([line(12, 90, "scan<long>")], NEST + instances) == {"app.c:12": (4, 90)}


def test_lines_that_cost_nearly_nothing_are_one_row_of_their_loop():
    few = [line(22, 4), line(23, 4), line(27, 5), line(21, 4), line(24, 900)]
    assert placed(few, NEST) == {
        "app.c:24": (1, 900),
        "app.c:27": (0, 5),
        "2 more lines": (0, 8),
    }


def test_code_without_lines_has_a_row_beside_lines_only():
    without = LineCost(MAIN, "", 0, "main", {"instr": 0, "bb": 700})
    assert placed([without, line(21, 100)]) == {
        "code without lines": (-1, 700),
        "app.c:21": (-1, 100),
    }
    assert placed([without]) == {}


@pytest.mark.parametrize("events", [{"work": 10_000}, {"bb": 0}])
def test_what_is_not_counted_by_line_has_no_rows(events):
    assert placed([line(21, 100)], whole=events) == {}
