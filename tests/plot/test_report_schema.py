"""--format=json conforms to docs/schema/aprof-report.schema.json, and has the measured numbers."""

from __future__ import annotations

import json

import jsonschema
import pytest
from builder import SOURCE, Builder, Table
from calling import profile, recursive, tree

from aprofplot.commands import report as report_command

SCHEMA = json.loads((SOURCE / "docs" / "schema" / "aprof-report.schema.json").read_text())
CHECK = jsonschema.Draft202012Validator(SCHEMA)


@pytest.fixture
def report(capsys):
    """The report, checked."""

    def run(*options):
        assert report_command.main(["--format=json", *map(str, options)]) == 0
        found = json.loads(capsys.readouterr().out)
        CHECK.validate(found)
        return found

    return run


@pytest.fixture
def report_of(report, monkeypatch):
    """The report of a profile in place of the one that would be read."""

    def run(of, *options):
        monkeypatch.setattr(report_command, "load_profiles", lambda *_, **options: of)
        return report("p", *options)

    return run


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_manual_s_example():
    manual = (SOURCE / "docs" / "manual" / "aprof-report.md").read_text()
    start = manual.index('    {"format"')
    CHECK.validate(json.loads(manual[start : manual.index("\n\n", start)]))


@pytest.mark.parametrize("options", [[], ["--per-thread"]])
def test_built_profiles(options, sample, report):
    assert len(report(*options, sample)["routines"]) == 2 + len(options)


def test_every_verdict(tmp_path, report):
    linear = [(n, 2, 50 * n, 52 * n, 102 * n) for n in range(10, 200, 10)]
    few = [(1, 1, 2, 2, 2)]
    merged = Table(3, linear, precision=8)
    tables = [Table(1, few), Table(2, linear), merged]
    routines = [(name, 1, 1, 1) for name in ("few", "linear", "merged")]
    path = Builder(routines=routines, tables=tables, events=("bb", "instr")).write(tmp_path / "p")
    by_name = {r["name"]: r for r in report(path)["routines"]}
    assert by_name["linear"]["fit"]["trms"]["model"] == "n"
    assert by_name["linear"]["fit"]["trms"]["formula"]
    assert by_name["few"]["fit"]["rms"]["model"] == "cannot tell"
    assert by_name["few"]["fit"]["rms"]["reason"] == "1 distinct size; 5 needed"
    assert by_name["merged"]["merged_to_binary_digits"] == {"trms": 8, "rms": 8}


def test_a_fit_for_each_event(tmp_path, report):
    linear = [(n, 1, 50 * n, 50 * n, 50 * n) for n in range(10, 200, 10)]
    both = Builder(tables=[Table(2, linear)], events=("bb", "instr")).write(tmp_path / "both")
    (work,) = report(both)["routines"]
    formulas = {e: {m: f["formula"] for m, f in by.items()} for e, by in work["fits"].items()}
    assert formulas == {
        "bb": {"trms": "50 n", "rms": "50 n"},
        "instr": {"trms": "100 n", "rms": "100 n"},
    }
    assert work["fit"] == work["fits"]["bb"]
    assert report("--cost=instr", both)["routines"][0]["fit"] == work["fits"]["instr"]
    one = Builder(tables=[Table(2, linear)]).write(tmp_path / "one")
    assert "fits" not in report(one)["routines"][0]


def test_call_edges(report_of):
    found = report_of(recursive())
    names = [routine["name"] for routine in found["routines"]]
    calls = {
        (names[c["caller"]], names[c["callee"]]): (
            c["calls"],
            c["unfinished"],
            c["cost"]["bb"],
        )
        for c in found["calls"]
    }
    assert len(calls) == 7
    assert calls["start", "main"] == (1, 1, {"inclusive": 160, "outermost": 160})
    assert calls["fib", "fib"] == (8, 0, {"inclusive": 250, "outermost": 0})
    assert "contexts" not in found


def test_calls_between_the_routines_listed(report_of):
    found = report_of(recursive(), "--filter=main", "--filter=fib")
    assert [routine["name"] for routine in found["routines"]] == ["main", "fib"]
    assert [(c["caller"], c["callee"]) for c in found["calls"]] == [(1, 1), (0, 1)]


def test_contexts(report_of):
    found = report_of(tree(), "--per-thread")
    assert [context["parent"] for context in found["contexts"]] == [-1, 0, 1, -1, 3]
    names = [found["routines"][c["routine"]]["name"] for c in found["contexts"]]
    assert names == ["main", "work", "odd; name\n", "work", "odd; name\n"]
    threads = [c["thread"]["id"] for c in found["contexts"]]
    assert threads == [found["routines"][c["routine"]]["thread"]["id"] for c in found["contexts"]]
    assert found["contexts"][1]["cost"] == {"bb": {"inclusive": 53, "self": 20}}
    assert "calls" not in found
    assert "contexts" not in report_of(tree(), "--per-thread", "--filter=main")


def test_nothing_measured_is_a_report(report_of):
    assert report_of(profile([]))["routines"] == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda r: r.update(version=2),
        lambda r: r["routines"][0].pop("points"),
        lambda r: r["routines"][0].update(calls=-1),
        lambda r: r["routines"][0]["fit"]["trms"].update(model="n^4"),
        lambda r: r["routines"][0]["cost"]["bb"].update(own=1),
        lambda r: r["calls"][0].pop("caller"),
        lambda r: r.update(more=1),
    ],
)
def test_the_schema_refuses_what_it_does_not_say(spoil, report_of):
    found = report_of(recursive())
    spoil(found)
    assert not CHECK.is_valid(found)
