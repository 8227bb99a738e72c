"""The laws that a table's points may follow, fitted one at a time in plain loops: what fits.choosing does for
many tables at once."""

from __future__ import annotations

import math

import numpy as np

from aprofplot.fits import candidates, exponents, shifts
from aprofplot.fits.candidates import CORRELATED, WORTH_IT, allows_2_to_n, criterion
from aprofplot.fits.choosing import CLOSE_ENOUGH
from aprofplot.fits.first_step import first_step
from aprofplot.fits.law_table import (
    BOUNDED,
    CORRELATION,
    LEEWAY,
    LIKELIHOOD,
    SCATTER,
    WITH_INTERCEPT,
    laws_of,
)
from aprofplot.fits.padding import Padded
from aprofplot.fits.regression import log_likelihood
from aprofplot.fits.shapes import (
    CONSTANT,
    EXPONENT,
    FREE,
    MODEL,
    MODELS,
    POWER,
    SHIFT,
    shifted_shapes,
    simple_shapes,
)
from aprofplot.fits.solver import Problem

SIMPLE_POWERS = {"sqrt n": 0.5, "n": 1.0, "n^1.5": 1.5, "n^2": 2.0, "n^3": 3.0}


def fit(points, law, is_near=False):
    """A list of the law as fitted, or an empty one."""
    (found,) = Problem.answer_all([Problem(points, law[:, None].copy(), is_near)])
    return list(found.T)


def kind(law):
    return law[MODEL], law[WITH_INTERCEPT]


def best_of_each(laws):
    best = {}
    for law in laws:
        if kind(law) not in best or law[LIKELIHOOD] > best[kind(law)][LIKELIHOOD]:
            best[kind(law)] = law
    return list(best.values())


def changed(law, row, value):
    result = law.copy()
    result[row] = value
    return result


def fit_simple(points):
    names = [m for m in points.models if m != "2^n" or allows_2_to_n(points)]
    return [law for start in laws_of(simple_shapes(names)).T for law in fit(points, start)]


def fit_powers(points, simple):
    """Each exponent begins as the simple power next to it ended; then exponents ever closer to the best."""
    powers = []
    for exponent in exponents._COARSE:
        near = min(SIMPLE_POWERS, key=lambda model: abs(SIMPLE_POWERS[model] - exponent))
        for law in simple:
            if MODELS[int(law[MODEL])] == near:
                start = changed(changed(law, MODEL, POWER), EXPONENT, exponent)
                powers += fit(points, start, is_near=True)
    most = log_likelihood(np.zeros(len(points)), points.variance).sum()
    if 2 * (most - max(law[LIKELIHOOD] for law in simple)) > candidates._NOTHING_TO_GAIN:
        for width in exponents._WIDTHS:
            for law in best_of_each(powers):
                apart = width * max(law[EXPONENT], 2.0) / 2
                for step in exponents._AROUND:
                    exponent = law[EXPONENT] + apart * step
                    if exponents._LEAST_EXPONENT < exponent < exponents._LARGEST_EXPONENT:
                        powers += fit(points, changed(law, EXPONENT, exponent), is_near=True)
    return [changed(law, LEEWAY, leeway(powers, law)) for law in best_of_each(powers)]


def leeway(powers, best):
    alike = sorted(
        (law for law in powers if kind(law) == kind(best)), key=lambda law: law[EXPONENT]
    )
    area = 0.0
    for one, other in zip(alike, alike[1:]):
        heights = [math.exp(law[LIKELIHOOD] - best[LIKELIHOOD]) for law in (one, other)]
        area += (other[EXPONENT] - one[EXPONENT]) * sum(heights) / 2
    return max(area, exponents._LEAST_LEEWAY)


def fit_shifted(points, law):
    smallest, largest = points.sizes[0], points.sizes[-1]
    least, most = max(shifts._LEAST * smallest, shifts._CLOSEST), smallest
    if len(points) >= 2 * 5:
        most += math.sqrt(max(smallest, 1.0) * largest)
    if least >= most:
        return []
    tried = least * (most / least) ** np.linspace(0, 1, shifts._TRIED)
    shapes = shifted_shapes(shifts._SHIFTED, (smallest - tried)[None])
    stepped = first_step(Padded.of([points]), law[:, None], shapes)
    laws = stepped.reshape(len(stepped), -1).T
    best = promising([law for law in laws if np.isfinite(law[LIKELIHOOD])])

    def closer(law, left):
        if not least <= left <= most:
            return []
        return fit(points, changed(law, SHIFT, smallest - left), is_near=True)

    found = []
    for factors in shifts._FACTORS:
        for law in best:
            for factor in factors:
                found += closer(law, (smallest - law[SHIFT]) * factor)
        best = promising(found)
    for law in best:
        for whole in (math.floor(law[SHIFT]), math.ceil(law[SHIFT])):
            found += closer(law, smallest - whole)
    return best_of_each(found)


def promising(laws):
    return sorted(best_of_each(laws), key=lambda law: -law[LIKELIHOOD])[: shifts._PROMISING]


def unshifted_laws(points):
    """All laws but the shifted ones."""
    simple = fit_simple(points)
    return [*simple, *fit_powers(points, simple)]


def all_laws(points, unshifted, grows):
    """By model and whether there is an intercept and a shift: the likelihood, the exponent and the shift.
    `unshifted`: unshifted_laws(points)."""
    laws = [law for law in unshifted if not (grows and law[MODEL] == CONSTANT)]
    first = min(laws, key=lambda law: criterion(law[:, None], len(points))[0])
    is_off = first[BOUNDED] >= WORTH_IT**2 and first[CORRELATION] >= CORRELATED
    if MODELS[int(first[MODEL])] not in ("1", "n") or is_off:
        close = {law[MODEL] for law in laws if law[SCATTER] < CLOSE_ENOUGH**2}
        shifted = fit_shifted(points, first)
        unneeded = [law[LIKELIHOOD] for law in shifted if law[MODEL] in close]
        powers = [law[LIKELIHOOD] for law in laws if MODELS[int(law[MODEL])] in FREE]
        least = max(unneeded, default=-math.inf)
        least = least if least > max(powers, default=-math.inf) else -math.inf
        laws += [law for law in shifted if law[MODEL] not in close and law[LIKELIHOOD] >= least]
    return {
        (MODELS[int(law[MODEL])], bool(law[WITH_INTERCEPT]), bool(law[SHIFT])): (
            law[LIKELIHOOD],
            law[EXPONENT],
            law[SHIFT],
            law[LEEWAY],
        )
        for law in laws
    }
