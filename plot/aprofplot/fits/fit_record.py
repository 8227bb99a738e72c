"""A fit as text, complete and exact, stored with its points."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from aprofplot.fits.candidates import Candidate
from aprofplot.fits.law import Break, Fit, Law, RunnerUp, Slope, Uncertainty
from aprofplot.fits.precision import FittedPoints
from aprofplot.fits.subject import Subject


@dataclass(frozen=True, eq=False)
class _ObservedAgain:
    """FittedPoints whose points, those from `start` to before `end`, are those of a subject again."""

    candidate: Candidate
    independence: float
    subject: Subject
    start: int
    end: int | None

    def __call__(self) -> Uncertainty:
        points = self.subject.observed()
        if self.start or self.end is not None:
            points = points.part(self.start, len(points) if self.end is None else self.end)
        return FittedPoints(self.candidate, points, self.independence)()


def encoded(fit: Fit) -> str | None:
    """None: it took no time to find."""
    known, segment = fit.uncertainty, fit.segment
    if known is not None and not isinstance(known, FittedPoints):
        return None
    before: list[Any] | None = None
    if segment is not None:
        assert isinstance(segment.uncertainty, FittedPoints)
        small = len(segment.uncertainty.points)
        before = [segment.at, _fields(segment.before), _known(segment.uncertainty), small]
    return json.dumps(
        [
            [fit.model, fit.law and _fields(fit.law), fit.formula, fit.r2, fit.confidence],
            [[_fields(r.law), r.formula, r.r2, r.weight] for r in fit.runners_up],
            fit.near_tie,
            fit.slope and _fields(fit.slope),
            fit.reason,
            [_fields(law) for law in fit.between],
            [_fields(law) for law in fit.tied],
            known and _known(known),
            before,
        ]
    )


def decoded(text: str, subject: Subject) -> Fit:
    """The fit of the subject. ValueError or TypeError if the text is none of encoded()."""
    verdict, runners_up, near_tie, slope, reason, between, tied, known, before = json.loads(text)
    model, law, formula, r2, confidence = verdict
    segment, start = None, 0
    if before is not None:
        at, law_before, known_before, start = before
        segment = Break(at, Law(*law_before), _again(known_before, subject, 0, start))
    return Fit(
        model,
        None if law is None else Law(*law),
        formula,
        r2,
        confidence,
        tuple(RunnerUp(Law(*of), *numbers) for of, *numbers in runners_up),
        tuple(near_tie),
        None if slope is None else Slope(*slope),
        segment,
        reason,
        tuple(Law(*each) for each in between),
        tuple(Law(*each) for each in tied),
        None if known is None else _again(known, subject, start, None),
    )


def _fields(of: Candidate | Law | Slope) -> list[Any]:
    """In order. Of flat dataclasses astuple() copies deeply, which takes ten times as long."""
    return list(vars(of).values())


def _known(known: FittedPoints) -> list[Any]:
    return [_fields(known.candidate), known.independence]


def _again(known: list[Any], subject: Subject, start: int, end: int | None) -> _ObservedAgain:
    candidate, independence = known
    return _ObservedAgain(Candidate(*candidate), independence, subject, start, end)
