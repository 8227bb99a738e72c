"""The reliability of a verdict's confidence, on real programs with known laws.

    make check-pytest PYTEST_FLAGS='-s -k calibration'     prints the tables that docs/manual/fits.md quotes

tests/programs/calibration has some ninety labelled routines. Each is compiled with -O0 and -O2, and judged by
all its points, by the lower and the upper two thirds of them, and by every second. What the criterion was
chosen on is a half of the routines; the other half was held back.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
from dataclasses import dataclass

import numpy as np
import pytest
from running import TESTS

from aprofplot.fits.fitting import fit_all
from aprofplot.fits.subject import Subject
from aprofplot.fits.growth import growth_of
from aprofplot.fits.largest_sizes import CONFIDENCE_OF_MISS
from aprofplot.fits.law import Fit
from aprofplot.metrics import FEW_SIZES, cost_of_points, sizes_of_points
from aprofplot.model import PointTable
from aprofplot.read.profile_reader import read_profile

SOURCES = sorted((TESTS / "programs" / "calibration").glob("*.cpp"))
LABEL = re.compile(r"// law: (.*)\nROUTINE [^(]*?(\w+)\(")
NO_LAW = "none"  # of a mixture, or of what does not depend on the size that is seen
SPAN = 8  # the largest size by the smallest, from which a verdict is expected
CLOSE = 0.1  # how much an exponent may be off
# glibc clears by `rep stosb`, each round of which is a basic block.
ENVIRONMENT = {**os.environ, "GLIBC_TUNABLES": "glibc.cpu.x86_rep_stosb_threshold=100000000"}


@dataclass(frozen=True)
class Case:
    """Points of a routine, its label, and what is said of them."""

    routine: str
    label: str
    points: PointTable
    fit: Fit

    @property
    def is_told(self) -> bool:
        return self.fit.law is not None

    @property
    def is_expected(self) -> bool:
        """Whether a verdict is: the sizes are many and far apart, and there is a law."""
        sizes = self.points.column("size")
        return (
            self.label != NO_LAW
            and len(sizes) >= FEW_SIZES
            and bool(sizes[-1] >= SPAN * max(sizes[0], 1))
        )

    @property
    def is_right(self) -> bool:
        """The law, or a near tie, or a power near that which the law has amid the sizes."""
        if self.label in (self.fit.model, *self.fit.near_tie):
            return True
        if self.label in (NO_LAW, "2^n") or self.fit.model != "n^c":
            return False
        return abs(self.fit.law.exponent - exponent_amid(self.label, self.points)) <= CLOSE

    @property
    def is_held_back(self) -> bool:
        return hashlib.sha256(self.routine.encode()).digest()[0] % 2 == 0


def exponent_amid(label: str, points: PointTable) -> float:
    """That of cost ~ n^c at the geometric mean of the smallest and the largest size."""
    power, logs = re.fullmatch(r"n(?:\^([\d.]+))?( log n)?", label).groups()
    sizes = sizes_of_points(points)
    amid = math.log(math.sqrt(max(sizes[0], 2) * sizes[-1]))
    return float(power or 1) + (1 / amid if logs else 0)


def labels(source):
    return {name: law for law, name in LABEL.findall(source.read_text())}


def ranges(table):
    """The points, and parts of them that are many enough."""
    yield table
    count = len(table)
    if count >= 2 * FEW_SIZES:
        for part in (slice(count * 2 // 3), slice(count // 3, None), slice(None, None, 2)):
            yield PointTable(table.precision, table.columns, table.rows[:, part])


@pytest.fixture(scope="module")
def cases(compile, module_profile):
    found = []
    for source in SOURCES:
        laws = labels(source)
        for level in ("-O0", "-O2"):
            program = compile(f"calibration/{source.name}", level)
            (path,) = module_profile([program], env=ENVIRONMENT).paths
            routines = {
                name: routine.points["trms"]
                for routine in read_profile(str(path)).routines
                for name in re.findall(r"^(\w+)\([^()]*\)$", routine.routine.name)
            }
            assert laws.keys() <= routines.keys(), source
            found += [(n, law, t) for n, law in laws.items() for t in ranges(routines[n])]
    fits = fit_all([Subject(table, "bb") for _, _, table in found])
    return [Case(*each, fit) for each, fit in zip(found, fits)]


def lowest_rms(table: PointTable) -> str:
    """Google Benchmark's rule: of cost = c f(n), fitted by least squares, the least error."""
    n, cost = sizes_of_points(table), cost_of_points(table, "bb", False, "mean")
    log = np.log2(np.maximum(n, 1))
    shapes = {"1": n**0, "log n": log, "n": n, "n log n": n * log, "n^2": n**2, "n^3": n**3}

    def rms(shape):
        factor = (cost @ shape) / max(shape @ shape, 1e-300)
        return math.sqrt(((cost - factor * shape) ** 2).mean())

    return min(shapes, key=lambda law: rms(shapes[law]))


def share(of, which):
    return sum(map(which, of)) / max(len(of), 1)


def told(cases, low, high):
    return [c for c in cases if c.is_told and low <= c.fit.confidence < high]


def by_lowest_rms(case):
    return lowest_rms(case.points) == case.label


def print_table(title, cases):
    print(f"\n{title}: {len({c.routine for c in cases})} routines, {len(cases)} tables")
    print("confidence      verdicts   right   right by lowest RMS")
    for low, high in ((0.97, 1.01), (0.9, 0.97), (0.7, 0.9), (0.0, 0.7)):
        of = told(cases, low, high)
        right, lowest = share(of, lambda c: c.is_right), share(of, by_lowest_rms)
        print(f"{low:.2f} to {min(high, 1):.2f} {len(of):11} {right:9.3f} {lowest:10.3f}")
    expected = [c for c in cases if c.is_expected]
    open_share = share(expected, lambda c: not c.is_told)
    print(
        f"cannot tell: {open_share:.3f} of the {len(expected)} with {FEW_SIZES} sizes over {SPAN}"
    )


@pytest.mark.parametrize("held_back", [False, True], ids=["chosen on", "held back"])
def test_calibration(held_back, cases):
    of = [c for c in cases if c.is_held_back == held_back]
    print_table("held back" if held_back else "chosen on", of)
    for case in of:
        if case.is_told and not case.is_right:
            print(f"  {case.routine} {case.label}: {case.fit.formula}, {case.fit.confidence:.2f}")
    assert len({c.routine for c in of}) >= 30
    sure, fairly = told(of, 0.9, 1.01), told(of, 0.7, 0.9)
    assert len(sure) > 100 and share(sure, lambda c: c.is_right) >= 0.95
    assert len(fairly) > 30 and share(fairly, lambda c: c.is_right) >= 0.75
    assert share([c for c in of if c.is_expected], lambda c: not c.is_told) <= 0.15
    assert share(sure, lambda c: c.is_right) > share(sure, by_lowest_rms) + 0.05
    assert not [c.routine for c in of if c.is_right and c.fit.confidence == CONFIDENCE_OF_MISS]


def few_sizes(table):
    """Three and four of the points, evenly apart."""
    for count in (3, 4):
        for first in range(3):
            chosen = np.linspace(first, len(table) - 3 + first, count).round().astype(int)
            yield PointTable(table.precision, table.columns, table.rows[:, chosen])


def test_intervals_of_few_sizes_have_the_exponent_in_them(cases):
    whole = [c for c in cases if c.label not in (NO_LAW, "2^n") and len(c.points) >= 2 * FEW_SIZES]
    chosen = [(c.label, few) for c in whole for few in few_sizes(c.points)]
    fits = fit_all([Subject(table, "bb") for _, table in chosen])
    within, widths = [], []
    for (label, table), fit in zip(chosen, fits):
        growth = growth_of(fit, table, "bb", "trms")
        if growth.low is not None and not growth.law:
            exponent = exponent_amid(label, table)
            within.append(growth.low - CLOSE <= exponent <= growth.high + CLOSE)
            widths.append(growth.high - growth.low)
    print(
        f"\n{len(within)} of {len(chosen)} intervals: {np.mean(within):.3f} right, {np.mean(widths):.2f} wide"
    )
    assert len(within) > len(chosen) / 2
    assert np.mean(within) >= 0.9
    assert np.mean(widths) < 0.5


@pytest.mark.parametrize(
    "routine, sentence",
    [
        ("fibonacci", "size unknown: cost varies"),
        ("trial_division", "size unknown: cost varies"),
        ("first_matching", "each call costs the same"),
    ],
)
def test_what_is_known_without_a_law(routine, sentence, cases):
    levels = [c for c in cases if c.routine == routine]
    for case in levels:
        assert growth_of(case.fit, case.points, "bb", "trms").sentence.startswith(sentence)
    assert len(levels) == 2
