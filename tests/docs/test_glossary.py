"""docs/glossary.md has every noun of the code's interfaces, and no unused term."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sources import ROOMS, SOURCE, files
from words import singular, words_of

GLOSSARY = SOURCE / "docs" / "glossary.md"
CPP = ("base", "trace", "work_span", "aprof", "cilkshadow")
_TYPE = re.compile(
    r"^(?:template\s*<[^;{]*>\s*)?(?:class|struct|enum class|enum|union)\s+"
    r"(?:alignas\([^)]*\)\s+)?(?:\[\[\w+\]\]\s*)?(\w+)[^;()]*\{",
    re.MULTILINE,
)
_NAMESPACE = re.compile(r"^namespace (\w+) \{", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """A line of the glossary; `terms` have one definition."""

    terms: tuple[str, ...]
    definition: str
    source: str


def rows() -> list[list[Row]]:
    """Those of each table."""
    tables: list[list[Row]] = []
    for line in GLOSSARY.read_text().splitlines():
        if line.startswith("|---"):
            tables.append([])
        elif line.startswith("| ") and not line.startswith("| term |"):
            terms, definition, source = (cell.strip() for cell in line.strip("|").split(" | "))
            plain = re.sub(r" \([^)]*\)", "", terms)
            tables[-1].append(Row(tuple(plain.split(", ")), definition, source))
    return tables


ROWS = rows()
TERMS = [term for table in ROWS for row in table for term in row.terms]
KNOWN = {tuple(map(singular, words_of(term))) for term in TERMS}


def is_known(name: str, known: set[tuple[str, ...]] = KNOWN) -> bool:
    """Whether it is a term, or terms one after the other."""
    words = tuple(map(singular, words_of(name)))
    reached = {0}
    for end in range(1, len(words) + 1):
        if any(words[start:end] in known for start in reached):
            reached.add(end)
    return len(words) in reached


def cpp_names() -> Iterator[tuple[str, Path]]:
    """Types and namespaces of headers; what is nested in a type is its own affair."""
    for path in files(*CPP, suffixes={".hpp"}):
        text = re.sub(r"//.*", "", path.read_text())
        for name in [*_TYPE.findall(text), *_NAMESPACE.findall(text)]:
            yield name, path


def python_names() -> Iterator[tuple[str, Path]]:
    """Public classes, and type aliases, of modules."""
    for path in files("plot/aprofplot", "bench/aprofbench", suffixes={".py"}):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, path


def test_names_are_found():
    assert len(set(cpp_names())) > 100 and len(set(python_names())) > 100
    assert {"ShadowMemory", "SlowPath", "kernel_events"} <= {name for name, _ in cpp_names()}


@pytest.mark.parametrize("names", [cpp_names, python_names], ids=["C++", "Python"])
def test_every_noun_of_the_code_is_a_term(names):
    unknown = {
        f"{name} ({path.relative_to(SOURCE)})" for name, path in names() if not is_known(name)
    }
    assert sorted(unknown) == []


def test_a_name_is_cut_into_terms_wherever_that_is_possible():
    known = {("call",), ("call", "edge"), ("edge", "table")}
    assert all(is_known(name, known) for name in ("CallEdge", "CallEdgeTable", "call_edges"))
    assert not any(is_known(name, known) for name in ("EdgeCall", "Edge", "CallTable"))


def test_terms_are_sorted_and_each_is_defined_once():
    for table in ROWS:
        first = [row.terms[0].lower() for row in table]
        assert first == sorted(first)
    plain = [term.lower() for term in TERMS]
    assert sorted({term for term in plain if plain.count(term) > 1}) == []
    assert all(row.definition for table in ROWS for row in table)


def test_every_term_is_used():
    """In code or in prose other than the glossary: as words, or joined as names are."""
    texts = [p.read_text() for p in files(*ROOMS, "docs") if p.suffix != ".png" and p != GLOSSARY]
    texts += [(SOURCE / name).read_text() for name in ("README", "HACKING", "NEWS")]
    prose = " ".join(" ".join(words_of(text)) for text in texts)
    used = f" {' '.join(map(singular, prose.split()))} "
    unused = [t for t in TERMS if f" {' '.join(map(singular, words_of(t)))} " not in used]
    assert unused == []
