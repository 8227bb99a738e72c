"""Records that a profile has once, in any order."""

from __future__ import annotations

from collections.abc import Sequence

from aprofplot.errors import RecordError
from aprofplot.read.fields import number, show, text

_FAIR_SCHED = ("yes", "no", "try")


class SingleRecords:
    """Takes those named: in `texts` and `numbers` is what they said, by name."""

    def __init__(self, texts: Sequence[str], numbers: Sequence[str]) -> None:
        self._names = (*texts, *numbers)
        self._numeric = frozenset(numbers)
        self.texts: dict[str, str] = {}
        self.numbers: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def take(self, name: str, rest: bytes) -> None:
        """Takes one of them. RecordError if it was there before or breaks the format."""
        if name in self.texts or name in self.numbers:
            raise RecordError(f"a second '{name}' record")
        if name in self._numeric:
            self.numbers[name] = number(rest, name)
            return
        self.texts[name] = text(rest)
        if name == "fair-sched" and self.texts[name] not in _FAIR_SCHED:
            raise RecordError(f"fair-sched is {show(rest)}, not one of {', '.join(_FAIR_SCHED)}")

    def missing(self) -> list[str]:
        """The names of those that have not come yet."""
        return [name for name in self._names if name not in self.texts and name not in self.numbers]
