"""The exponents of bench/growth, on made-up costs; pages of documentation that take tables."""

from __future__ import annotations

import pytest
from aprofbench.document import put
from aprofbench.exponents import growth
from aprofbench.growth import growth_lines
from aprofbench.measures import Measure
from aprofbench.overhead_table import make_table

from aprofplot.errors import AprofError

SIZES = (1, 10, 100, 1000)


def costs(law, start=3.0):
    return {0: start, **{size: start + law(size) for size in SIZES}}


@pytest.mark.parametrize(
    "law, exponent, verdict",
    [
        (lambda n: 5 * n, 1, "linear"),
        (lambda n: 5 * n**0.5, 0.5, "better than linear"),
        (lambda n: 5 * n**1.5, 1.5, "worse than linear"),
        (lambda n: 5.0, 0, "better than linear"),
    ],
)
def test_the_start_does_not_hide_the_exponent(law, exponent, verdict):
    found = growth(costs(law), 3.0)
    assert found.exponent == pytest.approx(exponent) and found.end == pytest.approx(exponent)
    assert found.verdict() == verdict


def test_what_grows_faster_only_at_the_end_is_not_linear():
    found = growth(costs(lambda n: 5.0 if n < 1000 else 5000.0), 3.0)
    assert (
        found.exponent < 1
        and found.end == pytest.approx(1.5)
        and found.verdict() == "worse than linear"
    )


def test_noise_on_the_start_is_no_growth():
    found = growth({0: 0.1, 1: 0.2, 10: 0.0, 100: 0.3, 1000: 0.4}, 3.0)
    assert found.exponent is None and found.verdict() == "constant"


def test_noise_on_what_is_beside_it_is_no_growth():
    noise = {0: 0.1, 1: 0.2, 10: 1.5, 100: 15.0, 1000: 150.0}
    beside = {0: 2.0, 1: 2.0, 10: 10.0, 100: 100.0, 1000: 1000.0}
    assert growth(noise, 3.0, beside).verdict() == "constant"
    assert growth(noise, 3.0).verdict() == "linear"


def test_two_sizes_make_no_exponent():
    assert growth({0: 3.0, 1: 3.0, 10: 4.0, 100: 9.0}, 3.0).verdict() == "seen at too few sizes"


def test_what_counts_is_the_cost_beyond_none():
    """The tool adds 2 n seconds to a program that itself takes n ** 2 / 1000."""
    table = make_table(
        [
            Measure("depth", str(size), 1, 1, tool, 1 + size**2 / 1000 + more * size, 0, 50.0)
            for size in (0, *reversed(SIZES))
            for tool, more in (("none", 0), ("aprof-trms", 2))
        ]
    )
    lines = list(growth_lines(table))
    assert [line.split()[0] for line in lines if line[:1].isdigit()] == ["0", *map(str, SIZES)]
    assert lines[-5:-1] == [
        "aprof-trms beyond none:",
        "  user time linear (exponent 1.00, at the end 1.00)",
        "  system time constant",
        "  memory constant",
    ]


def test_a_table_goes_between_its_comments(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- a -->\nold\n<!-- end of a -->\nafter\n")
    for lines in (["new", "", "lines"], ["new", "", "lines"]):
        put(page, "a", lines)
    new = "before\n<!-- a -->\n\n    new\n\n    lines\n\n<!-- end of a -->\nafter\n"
    assert page.read_text() == new
    with pytest.raises(AprofError, match="no place for b.*<!-- b -->"):
        put(page, "b", [])
    assert page.read_text() == new
