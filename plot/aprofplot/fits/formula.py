"""Laws as people write them: "12.3 + 4.56 n log2 n"."""

from __future__ import annotations

from aprofplot.fits.law import Break, Law, Model


def formula(law: Law, segment: Break | None = None) -> str:
    """The law with 3 significant digits; log2 is the binary logarithm, 0 for n < 1."""
    if segment is None:
        return _one_law(law)
    return f"{_one_law(segment.before)} up to n = {number(segment.at)}, then {_one_law(law)}"


def number(value: float) -> str:
    """3 significant digits: 0.0123, 12.3, 12300, 1.23e6."""
    text = f"{value:.3g}"
    digits, _, exponent = text.partition("e")
    if not exponent:
        return text
    power = int(exponent)
    return f"{float(text):.0f}" if 0 < power < 5 else f"{digits}e{power}"


def _with_base(model: Model) -> str:
    if model.startswith("log^"):
        return f"(log2 n)^{model[len('log^')]}"
    return model.replace("log n", "log2 n")


def _one_law(law: Law) -> str:
    if law.model == "1":
        return number(law.intercept)
    shape = f"n^{law.exponent:.3g}" if law.model == "n^c" else _with_base(law.model)
    if law.shift:
        sign = "-" if law.shift > 0 else "+"
        shape = shape.replace("n", f"(n {sign} {number(abs(law.shift))})")
    factor = number(law.factor)
    term = shape if factor == "1" else f"{factor} {shape}"
    if law.intercept == 0:
        return term
    if law.intercept < 0:
        return f"{term} - {number(-law.intercept)}"
    return f"{number(law.intercept)} + {term}"
