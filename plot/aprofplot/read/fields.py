"""The fields of one record: numbers, ids and text. RecordError for what breaks the format."""

from __future__ import annotations

import re

from aprofplot.errors import RecordError

LARGEST = 2**64 - 1  # of every number but a sum of squares
LARGEST_SQUARES = 2**128 - 1

_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_ESCAPED = {"\\": "\\", "n": "\n", "r": "\r"}
_DIGITS = re.compile(rb"[0-9]+")
_NAME = re.compile(rb"[A-Za-z0-9_.-]+")


def number(field: bytes, what: str) -> int:
    """A decimal number of at most 64 bits; `what` names it in the error."""
    if len(field) > 20 or not _DIGITS.fullmatch(field):
        raise RecordError(f"{what} is {show(field)}, not a number")
    value = int(field)
    if value > LARGEST:
        raise RecordError(f"{what} is {value}, more than 64 bits hold")
    return value


def text(field: bytes) -> str:
    """A text field with its escapes undone; bytes that are not UTF-8 become surrogates."""
    decoded = field.decode("utf-8", "surrogateescape")
    return _ESCAPE.sub(_unescaped, decoded) if "\\" in decoded else decoded


def name(field: bytes, what: str) -> str:
    """The name of an event or the like, which is ASCII; `what` names it in the error."""
    if not _NAME.fullmatch(field):
        raise RecordError(f"{what} {show(field)}: a name has letters, digits, '_', '.' and '-'")
    return field.decode("ascii")


def show(field: bytes) -> str:
    """A field as an error message quotes it."""
    shown = field[:40].decode("utf-8", "backslashreplace")
    return repr(shown + ("..." if len(field) > 40 else ""))


def split(rest: bytes, count: int, record: str) -> list[bytes]:
    """Exactly `count` fields, none empty."""
    fields = rest.split(b" ") if rest else []
    if len(fields) != count or b"" in fields:
        raise RecordError(f"'{record}' with {len(fields)} fields where {count} were expected")
    return fields


def split_text(rest: bytes, count: int, record: str) -> list[bytes]:
    """`count` fields, none empty, and a text, which may be."""
    fields = rest.split(b" ", count)
    if len(fields) != count + 1 or b"" in fields[:count]:
        raise RecordError(f"'{record}' with too few fields")
    return fields


def _unescaped(escape: re.Match[str]) -> str:
    plain = _ESCAPED.get(escape[1])
    if plain is None:
        raise RecordError(f"unknown escape {escape[0]!r} in a text")
    return plain
