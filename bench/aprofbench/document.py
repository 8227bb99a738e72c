"""Writes results into a page of the documentation, between two comments that name them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from aprofplot.errors import AprofError


def put(page: Path, name: str, lines: Iterable[str]) -> None:
    """Replaces, as an indented block, what is between `<!-- NAME -->` and `<!-- end of NAME -->`.
    AprofError if the page has no such place."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    try:
        text = page.read_text()
    except OSError as error:
        raise AprofError(f"{page}: {error.strerror}", "name a page that can be read") from error
    head, found, rest = text.partition(begin)
    _, closed, tail = rest.partition(end)
    if not (found and closed):
        what = f"{page} has no place for {name}"
        raise AprofError(what, f"add the lines {begin.strip()} and {end}")
    block = "".join(f"    {line}".rstrip() + "\n" for line in lines).strip("\n")
    page.write_text(f"{head}{begin}\n{block}\n\n{end}{tail}")
