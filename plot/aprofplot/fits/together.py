"""Runs procedures side by side, so that what they need computed is computed for many at once.

A procedure is a generator: it yields questions, is sent their answers, and returns its result. A call
of numpy costs as much as a thousand numbers, and one table has few.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
_AT_ONCE = 4000  # procedures that are kept waiting


class Question(Protocol):
    """One of the questions of its type."""

    @classmethod
    def answer_all(cls, questions: Sequence[Any]) -> Sequence[Any]:
        """The answers, in order."""


Steps = Generator[Sequence[Question], Sequence[Any], T]


def run_together(procedures: Iterable[Steps[T]]) -> Iterator[tuple[int, T]]:
    """The number of each procedure, from 0, and its result, in the order in which they end."""
    coming = enumerate(procedures)
    waiting: list[tuple[int, Steps[T], Sequence[Question]]] = []
    sent: list[tuple[int, Steps[T], Sequence[Any] | None]] = []
    while True:
        for number, procedure in coming:
            sent.append((number, procedure, None))
            if len(waiting) + len(sent) >= _AT_ONCE:
                break
        if not sent:
            return
        waiting = []
        for number, procedure, answers in sent:
            try:
                asked = next(procedure) if answers is None else procedure.send(answers)
            except StopIteration as end:
                yield number, end.value
            else:
                waiting.append((number, procedure, asked))
        answers_of = iter(_answers([q for _, _, asked in waiting for q in asked]))
        sent = [
            (number, procedure, [next(answers_of) for _ in asked])
            for number, procedure, asked in waiting
        ]


def run(procedure: Steps[T]) -> T:
    """The result of one."""
    return next(result for _, result in run_together([procedure]))


def _answers(questions: Sequence[Question]) -> list[Any]:
    """In order."""
    found: list[Any] = [None] * len(questions)
    for kind in dict.fromkeys(type(question) for question in questions):
        places = [i for i, question in enumerate(questions) if type(question) is kind]
        for place, answer in zip(places, kind.answer_all([questions[i] for i in places])):
            found[place] = answer
    return found
