"""The growth that is known, with a law and without."""

from __future__ import annotations

import re

import numpy as np
import pytest
from builder import Builder, Context, Table
from known_laws import single_calls, table

from aprofplot.commands.loading import load_profiles
from aprofplot.findings.finding import ten_times
from aprofplot.findings.iteration_progress import growth_at_the_end, off_the_line
from aprofplot.findings.octaves import holds_throughout
from aprofplot.fits.fitting import fit_table
from aprofplot.fits.growth import growth_of
from aprofplot.reports.columns import growth_words, routine_columns
from aprofplot.reports.listing import make_listing

SIZES = np.unique(np.geomspace(10, 3000, 30).round())


def growth(points):
    return growth_of(fit_table(points, "bb"), points, "bb", "trms")


def test_of_a_law():
    found = growth(single_calls(SIZES, 3 * SIZES**2))
    assert (found.law, found.low, found.high, found.grows_in) == ("n^2", 2, 2, "trms")
    assert found.confidence > 0.9 and found.sentence == "grows as n^2 in its trms"


def test_a_logarithm_is_a_power_at_the_largest_size():
    found = growth(single_calls(SIZES, 30 * SIZES * np.log2(SIZES)))
    assert found.low == found.high == pytest.approx(1 + 1 / np.log(3000))


@pytest.mark.parametrize("power", [1.85, 1.9])
def test_an_exact_power_near_a_law_is_told(power):
    """n^2 is less than 5 % off."""
    sizes = np.arange(20, 320, 20)
    found = growth(single_calls(sizes, np.rint(100 * sizes**power)))
    assert found.law == "n^c" and found.low == pytest.approx(power, abs=0.01)


def test_a_power_between_the_laws_has_an_interval():
    noise = np.exp(0.02 * np.random.default_rng(1).standard_normal(len(SIZES)))
    found = growth(single_calls(SIZES, 30 * SIZES**1.25 * noise))
    assert found.law == "n^c" and 1.2 < found.low < 1.24 < found.high < 1.3


def test_three_sizes_leave_an_interval():
    found = growth(single_calls([10, 100, 1000], [111, 10_070, 1_003_000]))
    assert found.law == "" and found.low < 2 < found.high < 2.5
    assert found.sentence.startswith("grows between n^1.9 and n^2")


def test_an_interval_whose_ends_read_alike_is_one_power():
    found = growth(single_calls([100, 200, 400, 800], [10_000, 40_030, 160_000, 640_200]))
    assert found.law == "" and found.low < found.high
    assert found.sentence == "grows as n^2.0 in its trms"


@pytest.mark.parametrize("sizes", [[10, 1000], [10, 20, 30]])
def test_too_few_or_too_narrow_for_an_interval(sizes):
    found = growth(single_calls(sizes, [size**2 for size in sizes]))
    assert found.low is None and found.sentence.startswith("cannot tell: ")


def test_anything_between_two_laws():
    """The interval has all laws that may be."""
    costs = {10: 335, 20: 2380, 30: 5760, 40: 15004, 50: 24174, 60: 41457}
    found = growth(single_calls(list(costs), list(costs.values())))
    assert (found.law, found.low, found.high) == ("", 2, 3)


def test_an_interval_up_to_an_exponential_names_it():
    costs = {23: 34, 24: 35, 25: 37, 26: 40, 28: 39, 31: 88, 37: 56, 38: 54, 42: 59}
    points = single_calls([*costs, 56, 60, 95], [*costs.values(), 82, 95, 355])
    found = growth(points)
    assert (found.law, found.exponential) == ("", "2^n") and found.high > 60
    assert found.sentence.endswith(" and 2^n in its trms") and found.ends[1] == "2^n"
    assert growth_words(fit_table(points, "bb"), found) == f"{found.ends[0]} to 2^n"
    assert ten_times(found).startswith("ten times the input would cost at least ")


@pytest.mark.parametrize(
    "points",
    [table([7], [[5] * 9]), single_calls(SIZES, 0 * SIZES + 5), table([1, 2], [[4] * 3] * 2)],
)
def test_the_same_cost_grows_with_the_calls(points):
    found = growth(points)
    assert (found.low, found.high, found.law, found.grows_in) == (0, 0, "1", "calls")


def test_a_size_that_is_not_seen():
    found = growth(table([7], [[2, 5, 90, 780, 13]]))
    assert found.low is None and found.sentence == "size unknown: cost varies 390-fold"


@pytest.mark.parametrize(
    "points, said",
    [
        (
            table([7], [[10, 11, 12, 13, 14]]),
            "each call costs about 12: the cost grows with their number, at size 7",
        ),
        (
            table([4, 8], [[33] * 90 + [51] * 10, [34]]),
            "each call costs about 34.8: the cost grows with their number, at sizes from 4 to 8",
        ),
        # One call among many, as a first one, does not make them different.
        (
            table([7], [[10] * 500 + [70]]),
            "each call costs about 10.1: the cost grows with their number, at size 7",
        ),
    ],
)
def test_costs_that_hardly_vary_grow_with_the_calls(points, said):
    found = growth(points)
    assert (found.sentence, found.grows_in, found.low, found.law) == (said, "calls", None, "")


@pytest.mark.parametrize(
    "points",
    [
        table([7, 9], [[10], [12]]),  # few calls
        table([7, 9], [[10] * 9, [30] * 9]),  # two kinds of calls
        table([7, 9], [[10] * 9, [10_000]]),  # one that has nearly all of the cost
    ],
)
def test_few_calls_or_calls_that_differ_grow_in_nothing_known(points):
    found = growth(points)
    assert not found.is_told and found.sentence.startswith("cannot tell: 2 distinct sizes")


def test_a_cost_that_falls():
    found = growth(single_calls([10, 100, 1000], [100_000, 10_100, 1000]))
    assert found.high < 0 and found.sentence == "falls as its trms grows"


QUADRATIC = [(n, 1, n * n, n * n, n * n) for n in range(20, 320, 20)]
LINEAR = [(10 * n + 1, 1, 70 * n, 70 * n, 70 * n) for n in range(20, 320, 20)]


def test_a_cost_that_is_a_line_at_the_largest_sizes_is_no_power():
    """It is less at the smallest, as where a loop's first iterations do less: as steep as n^1.5, over all."""
    sizes = np.arange(25, 383)
    straight = 14 + 2.4 * np.minimum(sizes - 25, 40) + 4.8 * np.maximum(sizes - 65, 0)
    assert not holds_throughout(single_calls(sizes, straight), "bb")
    assert holds_throughout(single_calls(sizes, sizes**1.5), "bb")
    assert holds_throughout(single_calls(sizes, 0.01 * sizes**2 + sizes), "bb")


def test_a_power_of_few_sizes_is_not_believed():
    few = np.array([2048, 2172, 4239, 8522, 13219, 43552, 171441])
    assert not holds_throughout(single_calls(few, few**1.5), "bb")
    many = np.geomspace(2048, 171441, 20)
    assert holds_throughout(single_calls(many, many**1.5), "bb")


def contexts(tmp_path, first, second, contexts=True, callers=("one", "two")):
    """`work` is called by either of `callers`, with these points."""
    routines = [(name, 1, 1, n) for n, name in enumerate(("main", *callers, "work"), 1)]
    both = sorted([*first, *second])
    cost = sum(point[4] for point in both)
    tables = [
        Table(1, [(1, 1, 1, 1, 1)]),
        Table(2, [(1, 1, 1, 1, 1)], callers=[(1, 1, 0, 1, 1)]),
        Table(3, [(1, 1, 1, 1, 1)], callers=[(1, 1, 0, 1, 1)]),
        Table(
            4, both, callers=[(caller, len(of), 0, c, c) for caller, of in ((2, first), (3, second))
                              for c in [sum(point[4] for point in of)]]
        ),
    ]  # fmt: skip
    assert sum(table.cost for table in tables) == cost + 3
    paths = [
        Context(0, tables[0]),
        Context(1, tables[1]),
        Context(1, tables[2]),
        Context(2, Table(4, first)),
        Context(3, Table(4, second)),
    ]
    made = Builder(routines, tables=tables, contexts=paths if contexts else ())
    return load_profiles([str(made.write(tmp_path / "p"))], False)


def listed(profile):
    listing = make_listing(profile, "bb", False, "cost", [])
    (work,) = [of for of in listing.routines if of.routine.name == "work"]
    return listing.known_growth(work), listing, work


def test_two_behaviours_are_told_by_caller(tmp_path):
    known, listing, work = listed(contexts(tmp_path, LINEAR, QUADRATIC))
    assert known.sentence == "two behaviours: called by one n, called by two n^2"
    assert (known.low, known.high, known.law, known.grows_in) == (1, 2, "", "trms")
    growth = next(c for c in routine_columns(listing) if c.kind == "growth")
    assert growth.cell(work) == "n or n^2, by caller"


def test_two_behaviours_are_told_by_thread(tmp_path):
    """The profile's threads are merged while it is read."""
    routines = [("work", 1, 1, 1)]
    tables = [Table(1, LINEAR), Table(1, QUADRATIC, thread=2), Table(1, LINEAR[:2], thread=3)]
    made = Builder(routines, tables=tables, threads=("", "", ""))
    known, listing, work = listed(load_profiles([str(made.write(tmp_path / "p"))], False))
    assert known.sentence == "two behaviours: in thread 1 n, in thread 2 n^2"
    growth = next(c for c in routine_columns(listing) if c.kind == "growth")
    assert growth.cell(work) == "n or n^2, by thread"


def points(sizes, cost):
    """One call of each size."""
    return [(n, 1, *[round(cost(n))] * 3) for n in sizes]


GET = points(range(21, 321, 20), lambda n: 20 * n)
LIST = points(range(20, 320, 20), lambda n: n**1.94)
EITHER = sorted([*GET, *LIST])  # no law


def by_callee(tmp_path, own):
    """`work` has these points, and calls `get` and `list`, as nothing else does."""
    routines = [(name, 1, 1, n) for n, name in enumerate(("work", "get", "list"), 1)]
    tables = [Table(1, own)]
    for routine, of in ((2, GET), (3, LIST)):
        cost = sum(point[4] for point in of)
        tables.append(Table(routine, of, callers=[(1, len(of), 0, cost, cost)]))
    made = Builder(routines, tables=tables)
    return listed(load_profiles([str(made.write(tmp_path / "p"))], False))


def test_two_behaviours_are_told_by_callee(tmp_path):
    """Each call of `work` makes one of either."""
    known, listing, work = by_callee(tmp_path, EITHER)
    assert known.sentence == "two behaviours: where it calls get n, where it calls list n^1.94"
    growth = next(c for c in routine_columns(listing) if c.kind == "growth")
    assert growth.cell(work) == "n or n^1.94, by callee"


@pytest.mark.parametrize(
    "own",
    [
        pytest.param(EITHER[::3], id="each call makes two of them"),
        pytest.param([*EITHER, *points(range(400, 404), lambda n: n)], id="some calls make none"),
        pytest.param(points(range(20, 320, 10), lambda n: 5 * n**1.5), id="its own law"),
    ],
)
def test_calls_that_may_make_both_or_none_tell_no_behaviours(own, tmp_path):
    known, _, _ = by_callee(tmp_path, own)
    assert known.behaviours == ()


def test_callers_of_one_name_are_told_apart_by_their_places(tmp_path):
    overloads = ("put(int)", "put(char const*)")
    known, _, _ = listed(contexts(tmp_path, LINEAR, QUADRATIC, callers=overloads))
    assert known.behaviours == ("n", "n^2")
    assert re.fullmatch(
        r"two behaviours: called by put \(.+:2\) n, called by put \(.+:3\) n\^2", known.sentence
    )


@pytest.mark.parametrize(
    "first, second, contexts_there",
    [
        (LINEAR, QUADRATIC, False),  # nobody knows which calls were whose
        (QUADRATIC[::2], QUADRATIC[1::2], True),
        (LINEAR[:3], QUADRATIC, True),  # three sizes are too few for a law
        (
            [(10 * n + 1, 1, 7, 7, 7) for n in range(20, 320, 20)],
            QUADRATIC,
            True,
        ),  # hardly any cost
    ],
)
def test_else_there_is_one(first, second, contexts_there, tmp_path):
    known, _, _ = listed(contexts(tmp_path, first, second, contexts_there))
    assert known.behaviours == () and "two behaviours" not in known.sentence


def test_executions_of_two_kinds_are_off_a_line_in_their_sizes():
    """As in python3: those of some 40 iterations read 95 cells in each, those of 57 read 171."""
    sizes = np.array([8, 20, 34, 38, 39, 40, 41, 46, 55, 56, 57], float)
    executions = np.array([6, 1, 1, 16, 64, 247, 676, 1, 3, 4, 24])
    cells = np.array([59, 80, 101, 95, 97, 96, 95, 119, 173, 173, 171], float)
    assert growth_at_the_end(sizes, cells) > 0.5
    assert off_the_line(sizes, cells, sizes * executions * cells) > 0.125
    assert off_the_line(sizes, 30 + 3 * sizes, sizes) < 0.001


@pytest.mark.filterwarnings("error")
def test_one_size_that_is_larger_than_others_by_far_tells_no_growth():
    """Executions of 4, 6 and 1,000 iterations: no line goes through the last alone."""
    sizes, cells = np.array([4, 6, 1000], float), np.array([40, 40, 100], float)
    assert growth_at_the_end(sizes, cells) == 0.0
    assert off_the_line(sizes, cells, sizes) == 1.0
