"""Text of decimal numbers to exact integers, a few megabytes at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aprofplot.read.fields import LARGEST_SQUARES

_SAFE_DIGITS = 18  # so many decimal digits always fit in 63 bits


@dataclass(frozen=True, eq=False)
class NumberLines:
    """Lines of numbers. `flat`: all of them, in order; 0 for those that may need more than 63 bits,
    which are in `wide`, and their places in `flat` in `wide_at`. `firsts` and `counts`: where in
    `flat` each line begins, and how many numbers it has."""

    flat: npt.NDArray[np.int64]
    wide_at: npt.NDArray[np.int64]
    wide: list[int]
    firsts: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


def parse(text: bytes) -> NumberLines | None:
    """`text`, whole lines, as numbers; None unless it is all digits, separated by single spaces, a
    number or more on each line. Numbers that no field may have become LARGEST_SQUARES + 1.
    """
    if text.translate(None, b"0123456789 \n"):
        return None
    data = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(data <= ord(" "))
    lengths = np.diff(ends, prepend=-1) - 1
    if len(ends) == 0 or lengths.min() == 0:
        return None
    lasts = np.flatnonzero(data[ends] == ord("\n"))
    counts = np.diff(lasts, prepend=-1)
    wide_at = np.flatnonzero(lengths > _SAFE_DIGITS)
    wide: list[int] = []
    if len(wide_at):
        narrowed = bytearray(text)
        for end, length in zip(ends[wide_at].tolist(), lengths[wide_at].tolist()):
            digits = text[end - length : end].lstrip(b"0")
            wide.append(int(digits or b"0") if len(digits) < 40 else LARGEST_SQUARES + 1)
            narrowed[end - length : end] = b"0" * length
        text = bytes(narrowed)
    flat = np.fromstring(text, dtype=np.int64, sep=" ")
    return NumberLines(flat, wide_at, wide, lasts - counts + 1, counts)
