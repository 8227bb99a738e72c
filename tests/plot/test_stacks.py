"""--format=folded and speedscope, from calling contexts."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest
from calling import numbers, profile, routine, tree

from aprofplot.commands import report as report_command
from aprofplot.model import Context

# The part of https://www.speedscope.app/file-format-schema.json that evented profiles use.
SPEEDSCOPE = {
    "type": "object",
    "required": ["$schema", "profiles", "shared"],
    "properties": {
        "$schema": {"enum": ["https://www.speedscope.app/file-format-schema.json"]},
        "activeProfileIndex": {"type": "number"},
        "exporter": {"type": "string"},
        "name": {"type": "string"},
        "profiles": {"type": "array", "items": {"$ref": "#/$defs/profile"}},
        "shared": {
            "type": "object",
            "required": ["frames"],
            "properties": {"frames": {"type": "array", "items": {"$ref": "#/$defs/frame"}}},
        },
    },
    "$defs": {
        "frame": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string"},
                "file": {"type": "string"},
                "line": {"type": "number"},
                "col": {"type": "number"},
            },
        },
        "profile": {
            "type": "object",
            "required": ["type", "name", "unit", "startValue", "endValue", "events"],
            "properties": {
                "type": {"enum": ["evented"]},
                "name": {"type": "string"},
                "unit": {
                    "enum": [
                        "none",
                        "nanoseconds",
                        "microseconds",
                        "milliseconds",
                        "seconds",
                        "bytes",
                    ]
                },
                "startValue": {"type": "number"},
                "endValue": {"type": "number"},
                "events": {"type": "array", "items": {"$ref": "#/$defs/event"}},
            },
        },
        "event": {
            "type": "object",
            "required": ["type", "frame", "at"],
            "properties": {
                "type": {"enum": ["O", "C"]},
                "frame": {"type": "number"},
                "at": {"type": "number"},
            },
        },
    },
}


@pytest.fixture
def report(monkeypatch, tmp_path, capsys):
    """What aprof-report prints of a profile in place of the one it would read."""

    def run(of, *options):
        monkeypatch.setattr(report_command, "load_profiles", lambda *_, **options: of)
        assert report_command.main([*options, "p"]) == 0
        return capsys.readouterr().out

    return run


def self_costs(speedscope_profile):
    """What a stack has while it is the open one, by frame numbers: how speedscope counts."""
    costs, open_, now = {}, [], 0
    for event in speedscope_profile["events"]:
        assert event["at"] >= now
        if event["at"] > now:
            costs[tuple(open_)] = costs.get(tuple(open_), 0) + event["at"] - now
        now = event["at"]
        if event["type"] == "O":
            open_.append(event["frame"])
        else:
            assert open_.pop() == event["frame"]
    assert (open_, now) == ([], speedscope_profile["endValue"])
    return costs


def test_folded_stacks(report):
    assert report(tree(), "--format=folded") == (
        "main 10\n"
        "main;work 20\n"
        "main;work;odd\\x3b name\\x0a 33\n"
        "work 4\n"
        "work;odd\\x3b name\\x0a 3\n"
    )


def test_folded_stacks_by_thread(report):
    stacks = report(tree(), "--format=folded", "--per-thread").splitlines()
    assert stacks[0] == "thread 1;main 10"
    assert stacks[3] == "thread 2 worker;work 4"


# As flamegraph.pl splits a line: https://github.com/brendangregg/FlameGraph. Where what is left ends in
# a number again, it takes the two for the weights of two profiles.
WEIGHTED = re.compile(r"^(.*)\s+?(\d+(?:\.\d*)?)$")
ODD_NAMES = [
    ("operator()(int) 12", r"operator()(int)\x2012"),
    ("f 1.5", r"f\x201.5"),
    ("f 1 2", r"f 1\x202"),
    ("f\u3000\u0663", "f\\x20\u0663"),
    ("12", "12"),
    ("f12", "f12"),
    ("a;b", r"a\x3bb"),
    ("a;3", r"a\x3b3"),
    (b"gr\xf6\xdfe".decode("utf-8", "surrogateescape"), r"gr\xf6\xdfe"),
    ("\u202egnp", r"\u202egnp"),
]


@pytest.mark.parametrize("name, frame", ODD_NAMES, ids=[frame for _, frame in ODD_NAMES])
def test_a_name_stays_one_frame(name, frame, report):
    """At the end of a stack, where its number could be a weight, and above."""
    contexts = [Context(-1, numbers(routine(name), 5)), Context(0, numbers(routine("g"), 7))]
    line, below = report(profile([], contexts=contexts), "--format=folded").splitlines()
    assert (line, below) == (f"{frame} 5", f"{frame};g 7")
    stack, weight = WEIGHTED.match(line).groups()
    assert (stack, weight, WEIGHTED.match(stack)) == (frame, "5", None)


@pytest.mark.parametrize("name", [name for name, _ in ODD_NAMES], ids=range(len(ODD_NAMES)))
def test_speedscope_has_names_as_they_are(name, report):
    contexts = [Context(-1, numbers(routine(name, file=name), 5))]
    text = report(profile([], contexts=contexts), "--format=speedscope")
    (frame,) = json.loads(text)["shared"]["frames"]
    shown = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    assert (frame["name"], frame["file"]) == (shown, shown)


def test_equal_stacks_of_several_threads_are_one_line(report):
    main = routine("main")
    contexts = [Context(-1, numbers(main, cost, thread=cost)) for cost in (1, 2)]
    of = profile([], contexts=contexts, threads=("", ""))
    assert report(of, "--format=folded") == "main 3\n"


def test_stacks_without_cost_of_their_own_are_left_out(report):
    contexts = [
        Context(-1, numbers(routine("a"), 0, 1)),
        Context(0, numbers(routine("b"), 1)),
    ]
    assert report(profile([], contexts=contexts), "--format=folded") == "a;b 1\n"


def test_what_had_no_context_of_its_own_is_said(report):
    contexts = [Context(-1, numbers(routine("f"), 5), merged=True)]
    of = profile([], contexts=contexts)
    assert report(of, "--format=folded") == "(merged contexts);f 5\n"
    found = json.loads(report(of, "--format=speedscope"))
    assert self_costs(found["profiles"][0]) == {(0, 1): 5}
    assert [frame["name"] for frame in found["shared"]["frames"]] == [
        "(merged contexts)",
        "f",
    ]


def test_speedscope(report):
    found = json.loads(report(tree(), "--format=speedscope"))
    jsonschema.validate(found, SPEEDSCOPE)
    assert found["exporter"] == "aprof-trms@0.1.0"
    frames = found["shared"]["frames"]
    assert frames[0] == {"name": "main", "file": "/src/app.c", "line": 7}
    assert frames[2] == {"name": "odd; name\n"}
    names = [p["name"] for p in found["profiles"]]
    assert names == [
        "thread 1 (guest basic blocks)",
        "thread 2 worker (guest basic blocks)",
    ]
    first, second = map(self_costs, found["profiles"])
    assert first == {(0,): 10, (0, 1): 20, (0, 1, 2): 33}
    assert second == {(1,): 4, (1, 2): 3}


def test_stacks_may_be_deep(report):
    deep = [Context(i - 1, numbers(routine("f"), 1)) for i in range(1000)]
    of = profile([], contexts=deep)
    (only,) = json.loads(report(of, "--format=speedscope"))["profiles"]
    assert (only["endValue"], len(only["events"])) == (1000, 2000)
    *_, last = report(of, "--format=folded").splitlines()
    assert last == ";".join(["f"] * 1000) + " 1"


@pytest.mark.parametrize("form", ["folded", "speedscope"])
def test_without_contexts(form, sample, tmp_path, capsys):
    output = tmp_path / "out"
    assert report_command.main([f"--format={form}", "-o", str(output), str(sample)]) == 1
    assert capsys.readouterr().err == (
        f"aprof-report: no calling contexts in {sample}; profile again with --contexts=yes\n"
    )
    assert not list(tmp_path.glob("out*"))


@pytest.mark.parametrize("option", ["--sort=self", "--filter=main"])
def test_stacks_are_of_the_whole_run(option, sample, capsys):
    with pytest.raises(SystemExit) as exit_:
        report_command.main(["--format=folded", option, str(sample)])
    assert exit_.value.code == 2
    assert "always covers the whole run" in capsys.readouterr().err
