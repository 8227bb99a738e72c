"""The limits of a budget, laws and numbers, and how they are written."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from aprofplot.compare.growth import Growth

NUMBER = r"\d[\d_]*(?:\.\d+)?(?:[eE]\+?\d+)?"

# How laws are written elsewhere, made n^C log n.
_SPELLINGS = (
    (r"o\((.*)\)", r"\1"),
    (r"\*\*", "^"),
    ("²", "^2"),
    ("³", "^3"),
    ("√", "sqrt "),
    (r"\b(?:log2|ln|lg)\b", "log"),
    (r"\b(log|sqrt)\s*\(\s*n\s*\)", r"\1 n"),
    (r"\s*\^\s*", "^"),
    (r"[*·×\s]+", " "),
)
_LAW = re.compile(
    r"(?:(?P<root>sqrt n)|n(?:\^(?P<power>\d+(?:\.\d+)?))?)?(?: ?(?P<log>log(?:\^(?P<logs>[23]))? n))?"
)


@dataclass(frozen=True)
class GrowthLimit:
    """The cost may grow like the law, and no faster."""

    growth: Growth

    def __str__(self) -> str:
        return law_text(self.growth)


@dataclass(frozen=True)
class CostLimit:
    """The cost at the input size may be so much."""

    size: float
    most: float

    def __str__(self) -> str:
        return f"{self.most:,.0f}"


@dataclass(frozen=True)
class ParallelismLimit:
    """Work by span must be so much."""

    least: float

    def __str__(self) -> str:
        return f"{self.least:g}"


Limit = GrowthLimit | CostLimit | ParallelismLimit


def parse_law(text: str) -> Growth | None:
    """`1`, `log n`, `log^2 n`, `log^3 n`, `sqrt n`, `n`, `n log n`, `n^C`, `n^C log n`, `C^n`; O(...), ², ³, √, log2,
    `n*log(n)` are read as well. None for anything else."""
    law = text.strip().lower()
    base = re.fullmatch(r"(?:o\()?(\d{1,300}(?:\.\d+)?)(?:\^|\*\*)n\)?", law.replace(" ", ""))
    if base is not None and float(base[1]) > 1:
        return (math.log2(float(base[1])), 0, 0)
    for pattern, replacement in _SPELLINGS:
        law = re.sub(pattern, replacement, law).strip()
    if law == "1":
        return (0, 0, 0)
    found = _LAW.fullmatch(law)
    if not law or found is None:
        return None
    power = 0.5 if found["root"] else float(found["power"] or 1) if law[0] == "n" else 0.0
    return (0, power, float(found["logs"] or 1) if found["log"] else 0)


def law_text(growth: Growth) -> str:
    """A law as `parse_law` reads it."""
    exponential, power, logarithms = growth
    if exponential:
        return f"{_base_text(exponential)}^n"
    powers = {0.0: "", 0.5: "sqrt n", 1.0: "n"}.get(power, f"n^{power:g}")
    logs = {0.0: "", 1.0: "log n"}.get(logarithms, f"log^{logarithms:g} n")
    return " ".join(filter(None, (powers, logs))) or "1"


def _base_text(exponential: float) -> str:
    """2 to that power, with 4 significant digits, and 3 of what it is above 1: base 1 would be no law."""
    base, above_one = 2.0**exponential, math.expm1(exponential * math.log(2))
    if base >= 1000:
        return f"{base:.0f}"
    places = max(3 - math.floor(math.log10(base)), 2 - math.floor(math.log10(above_one)))
    return f"{base:.{places}f}".rstrip("0").rstrip(".")


def growth_factor(growth: Growth, start: float, end: float) -> float:
    """By how much the law grows from input size `start` to `end`, both at least 2; may be inf."""
    exponential, power, logarithms = growth
    factor: float = (end / start) ** power * (math.log(end) / math.log(start)) ** logarithms
    if exponential:
        doublings = exponential * (end - start)
        return float(factor * 2.0**doublings) if doublings < 1000 else math.inf
    return factor


def parse_number(text: str) -> float | None:
    """`2000000`, `2_000_000`, `2e6`; None for anything else."""
    return float(text) if re.fullmatch(NUMBER, text) else None
