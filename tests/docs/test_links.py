"""Links of README and docs lead to a file, and to a heading in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sources import SOURCE, files

PAGES = [SOURCE / "README", *files("docs", suffixes={".md"})]


def anchors(page: Path) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.*)", page.read_text(), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[^\w -]", "", heading).replace(" ", "-") for heading in plain}


def broken(page: Path) -> list[str]:
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not link.startswith("http") and (
            not target.exists() or (anchor and anchor not in anchors(target))
        ):
            found.append(link)
    return found


def test_broken_links_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# A [b](#c): D-e\n[1](#a-b-d-e) [2](#a) [3](no.md) [4](page.md#x) [5](page.md)"
    )
    assert broken(page) == ["#c", "#a", "no.md", "page.md#x"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links(page):
    assert broken(page) == []
