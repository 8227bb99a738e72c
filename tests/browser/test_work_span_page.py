"""The page of a profile with work and span: these and the parallelism can be chosen as costs."""

from __future__ import annotations

import pytest
from builder import Builder, Table

from aprofplot.commands.loading import load_profiles

SIZES = range(10, 200, 10)


@pytest.fixture(scope="module")
def path(write, tmp_path_factory):
    points = [(n, 2, 3 * n, 3 * n, 6 * n) for n in SIZES]
    made = Builder(events=("instr", "work", "span"), tables=[Table(2, points)])
    return write(load_profiles([str(made.write(tmp_path_factory.mktemp("p") / "p"))], False))


def label(page):
    return page.find(".picture svg").get_attribute("aria-label")


def test_parallelism_is_drawn(page, path):
    page.load(path)
    page.choose("plot-cost", "parallelism")
    assert label(page).startswith("parallelism (work / span) of work against input size, 19 points")
    page.choose("plot-cost", "2")
    assert label(page).startswith("span (guest instructions), mean of work")
    assert not page.errors()


def test_totals_are_named(page, path):
    page.load(path)
    cost = sum(6 * n for n in SIZES)
    costs = f"{cost:,} guest instructions, work {2 * cost:,} guest instructions, span 0 guest"
    assert costs in page.find("#facts").text  # of no routine that is called once
