"""bench/bottlenecks: the expectations in its programs, and how findings are compared with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from aprofbench.bottlenecks import Bottleneck, main
from aprofbench.programs import sources

SOURCES = sources("bottlenecks")


def test_each_program_says_what_its_bottleneck_is():
    assert len(SOURCES) >= 86
    for source in SOURCES:
        text = source.read_text()
        if Bottleneck(source).is_healthy:
            assert "CULPRIT" not in text and "FIXED" not in text, source.name
            continue
        assert Bottleneck(source).kinds and "CULPRIT" in text and "FIXED" in text, source.name


@pytest.mark.parametrize(
    ("finding", "is_found"),
    [
        ({}, True),
        ({"kind": "grain"}, False),
        ({"function": "ns::add<int>::{lambda#1}"}, True),
        ({"function": "other", "line": 99}, False),
        ({"function": "other", "file": "/src/b.c", "line": 99}, False),
        ({"function": "other", "line": 99, "lock": "table"}, True),
        ({"function": None, "line": 4}, True),
        ({"function": None, "file": "/src/b.c", "line": 4}, False),
    ],
)
def test_a_finding_is_right_in_kind_and_place(
    finding: dict[str, object], is_found: bool, tmp_path: Path
):
    source = tmp_path / "a.c"
    source.write_text("// KIND lock|serial phase, NAMES add|table: why\n\n\nadd(); // CULPRIT\n")
    usual = {"kind": "lock", "function": "add", "file": "/src/a.c", "line": 4, "lock": None}
    assert Bottleneck(source).is_found_by({**usual, **finding}) == is_found


def test_a_missing_compiler_is_one_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["lock_two_places"]) == 2
    said = capsys.readouterr().err
    assert "g++ cannot be run: No such file or directory" in said and said.count("\n") == 1


def test_an_unknown_program_is_one_line(capsys):
    assert main(["nothing"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
