"""How often verdicts are right: made-up points of known laws with several kinds of noise.

    pytest -s tests/plot/test_fits_rates.py     prints the tables that docs/manual/fits.md quotes
"""

from __future__ import annotations

import zlib
from collections import Counter

import numpy as np
import pytest
from known_laws import LAWS, NOISES, SHIFTED, case, few, many

from aprofplot.fits.fitting import fit_all
from aprofplot.fits.subject import Subject
from aprofplot.fits.largest_sizes import CONFIDENCE_OF_MISS
from aprofplot.fits.law import CANNOT_TELL

DRAWS = 10
ODD = "n^c"
OF_SHIFTED = {f"shifted {law}" for law in SHIFTED}
CONFIDENT = 0.9


@pytest.fixture(scope="module")
def verdicts():
    """(how many sizes, law, noise) -> its fits."""
    keys, subjects = [], []
    for name, count in (("few", few), ("many", many)):
        for law in (*LAWS, ODD, *sorted(OF_SHIFTED)):
            for noise in NOISES:
                for draw in range(DRAWS):
                    seed = zlib.crc32(f"{name} {law} {noise} {draw}".encode())
                    random = np.random.default_rng(seed)
                    sizes = count(random)
                    made = case(random, plain(law), noise, sizes, shifted=law in OF_SHIFTED)
                    keys.append((name, law, noise))
                    subjects.append(Subject(made.points, "bb"))
    found = {key: [] for key in keys}
    for key, fit in zip(keys, fit_all(subjects)):
        found[key].append(fit)
    return found


def plain(law):
    return law.removeprefix("shifted ")


def judge(law, fit):
    """right; tie: another, but it says that this may be; open: cannot tell; wrong; and confidently
    so."""
    law = plain(law)
    if fit.model == law:
        return "right"
    if law in fit.near_tie:
        return "tie"
    if fit.model == CANNOT_TELL:
        return "open"
    return "confidently wrong" if fit.confidence >= CONFIDENT else "wrong"


def shares(verdicts, sizes, laws):
    counts = Counter(
        judge(law, fit)
        for (name, law, _), fits in verdicts.items()
        for fit in fits
        if name == sizes and law in laws
    )
    return {kind: 100 * n / sum(counts.values()) for kind, n in counts.items()}


def print_rates(verdicts, sizes):
    print(f"\n{sizes} sizes: % right + % right with near ties")
    print(f"{'':15}" + "".join(f"{noise:>15}" for noise in NOISES))
    for law in (*LAWS, ODD, *sorted(OF_SHIFTED)):
        cells = []
        for noise in NOISES:
            kinds = [judge(law, fit) for fit in verdicts[sizes, law, noise]]
            right, tie = (100 * kinds.count(k) // len(kinds) for k in ("right", "tie"))
            cells.append(f"{right} + {tie}")
        print(f"{law:15}" + "".join(f"{cell:>15}" for cell in cells))
    for laws, title in (
        (set(LAWS), "simple laws"),
        ({ODD}, ODD),
        (OF_SHIFTED, "shifted"),
    ):
        percent = shares(verdicts, sizes, laws)
        print(title, ", ".join(f"{k} {v:.1f} %" for k, v in sorted(percent.items())))


# Least right, least right with near ties, most confidently wrong, in percent.
@pytest.mark.parametrize(
    "sizes, laws, right, with_ties, wrong",
    [
        ("many", set(LAWS), 93, 97, 1.5),
        ("few", set(LAWS), 70, 78, 2),
        ("many", {ODD}, 55, 90, 2),
        ("few", {ODD}, 15, 70, 2),
        ("many", OF_SHIFTED, 90, 91, 4),
        ("few", OF_SHIFTED, 75, 78, 5),
    ],
    ids=[
        "many sizes",
        "5 to 10 sizes",
        "n^c, many sizes",
        "n^c, 5 to 10 sizes",
        "shifted, many sizes",
        "shifted, 5 to 10 sizes",
    ],
)
def test_rates_of_right_verdicts(sizes, laws, right, with_ties, wrong, verdicts):
    if laws == set(LAWS):
        print_rates(verdicts, sizes)
    percent = Counter(shares(verdicts, sizes, laws))
    assert percent["right"] >= right
    assert percent["right"] + percent["tie"] >= with_ties
    assert percent["confidently wrong"] <= wrong


def test_confidence_is_calibrated(verdicts):
    """Of verdicts of 90 % confidence 90 % are right, near ties counted."""
    told = np.array(
        [
            (fit.confidence, judge(law, fit) in ("right", "tie"))
            for (_, law, _), fits in verdicts.items()
            for fit in fits
            if fit.law is not None
        ]
    )
    print("\nconfidence, verdicts, right (near ties counted)")
    for low, high in ((0.5, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 1.01)):
        chosen = told[(told[:, 0] >= low) & (told[:, 0] < high)]
        confidence, right = chosen.mean(axis=0)
        print(f"{low:.2f}..{min(high, 1):.2f}: {confidence:.3f} {len(chosen):5} {right:.3f}")
        assert len(chosen) > 50
        assert -0.03 < right - confidence < 0.25, (low, high)


def test_right_laws_do_not_miss_the_largest_sizes(verdicts):
    missing = [
        key
        for key, fits in verdicts.items()
        for fit in fits
        if fit.confidence == CONFIDENCE_OF_MISS and judge(key[1], fit) in ("right", "tie")
    ]
    assert missing == []
