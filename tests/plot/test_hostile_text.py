"""Text of profiles and command lines that would drive a terminal, turn lines round or be run by a
spreadsheet: none of it is in what the commands write."""

from __future__ import annotations

import csv
import io
import json
import os
import unicodedata
import xml.etree.ElementTree as xml

import pytest
from builder import Builder, Context, Table, bytes_with_end
from test_arguments_read import HEADER, ROWS, argument, tables
from test_every_command import run
from work_span_builder import Site, WorkSpan

from aprofplot.commands.check import VIOLATED
from aprofplot.names import printable, spreadsheet_text

# Colours by an escape, by C1 as a byte and as a character; a window's title; a line turned round.
EVIL = b"e\x1b[31m\x9b31m\xc2\x9b31m\x1b]0;t\x07\xe2\x80\xae\xe2\x81\xa6\x08\x7f\xff\\n\\rz"
SHOWN = r"e\x1b[31m\x9b31m\x9b31m\x1b]0;t\x07\u202e\u2066\x08\x7f\xff\x0a\x0dz"
AS_ARGUMENT = os.fsdecode(EVIL)
NAME = AS_ARGUMENT.replace("\\n", "\n").replace("\\r", "\r")
POINTS = [(n, 1, n, n, n) for n in range(1, 20)]


def evil(text, path):
    """The profile `text`, with EVIL in place of each EVIL."""
    body = text[: text.rindex("end ")].encode().replace(b"EVIL", EVIL)
    path.write_bytes(bytes_with_end(body))
    return path


def aprof():
    """Text where the format has text."""
    tables = [
        Table(1, [], unfinished=1, extra_cost=999),
        Table(2, POINTS, callers=[(1, 19, 0, 190, 190)]),
        Table(2, POINTS, thread=2),
    ]
    builder = Builder(
        routines=[("main", 1, 1, 1), ("EVIL", 2, 2, 1)],
        objects=["/bin/app", "/EVIL/EVIL"],
        files=["/app.c", "/EVIL/EVIL.c"],
        threads=("", "EVIL"),
        tables=tables,
        contexts=[Context(0, tables[0]), Context(1, tables[1]), Context(0, tables[2])],
        command="./EVIL EVIL",
        reason="dump EVIL",
    )
    text = builder.text().replace("creator aprof-trms 0.1.0", "creator EVIL")
    return text.replace("valgrind 3.19.0", "valgrind EVIL").replace("guest basic", "EVIL guest")


def cilkshadow():
    """Text where the format has text."""
    triples = ((1, 1000, 1000),) * 3
    made = WorkSpan(
        routines=[("main", 1), ("EVIL", 2)],
        sites=[Site(0, 1, 0, triples), Site(1, 2, 5, triples, spawned=1)],
        notes=["unseen-synchronisation 3 EVIL"],
        locks=["7 900 2 mutex EVIL"],
        files=["/EVIL/EVIL.c"],
        command="./EVIL EVIL",
        reason="EVIL",
    )
    text = made.text().replace("guest instructions", "EVIL").replace("/bin/quicksort", "/EVIL")
    return text.replace("creator cilkshadow 0.1.0", "creator EVIL")


COMMANDS = [
    ["aprof-report", "a"],
    ["aprof-report", "--per-thread", "--width=150", "a"],
    ["aprof-report", "--format=json", "a"],
    ["aprof-report", "--format=csv", "--per-thread", "a"],
    ["aprof-report", "--format=csv", "--rows=routines", "--per-thread", "a"],
    ["aprof-report", "--format=html", "-o", "-", "a"],
    ["aprof-report", "--format=callgrind", "a"],
    ["aprof-report", "--format=folded", "--per-thread", "a"],
    ["aprof-report", "--format=speedscope", "a"],
    ["aprof-report", "a", "a"],
    ["aprof-plot", "--list", "a"],
    ["aprof-plot", "e*", "a", "--per-thread", "-o", "o.svg"],
    ["aprof-plot", "e*", "a", "b", "--compare", "--fit", "-o", "o.svg"],
    ["aprof-plot", "--program=richness", "a", "-o", "o.svg"],
    ["aprof-diff", "--all", "a", "b"],
    ["aprof-diff", "--format=html", "a", "b"],
    ["aprof-diff", "--format=json", "a", "b"],
    ["aprof-check", "--budget=budget", "a"],
    ["aprof-report", "g"],
    ["aprof-report", "--format=json", "g"],
    ["aprof-report", "--format=html", "-o", "-", "g"],
    ["aprof-plot", "fib", "--metric", "argument:" + NAME, "--fit", "g", "-o", "o.svg"],
    ["cilkshadow-report", "c"],
    ["cilkshadow-report", "--width=150", "c"],
    ["cilkshadow-report", "--format=csv", "c"],
    ["cilkshadow-report", "--format=json", "c"],
    ["cilkshadow-report", "--format=html", "-o", "-", "c"],
    ["cilkshadow-plot", "c", "-o", "o.svg"],
]
MISTAKES = [
    ["aprof-report", AS_ARGUMENT],
    ["aprof-report", "--filter", AS_ARGUMENT + "?", "a"],
    ["aprof-report", "--cost", AS_ARGUMENT, "a"],
    ["aprof-report", "--source-path", AS_ARGUMENT, "a"],
    ["aprof-report", "--" + AS_ARGUMENT],
    ["aprof-report", "-o", AS_ARGUMENT + "/x", "a"],
    ["aprof-plot", "e", "a"],
    ["aprof-plot", "*" + AS_ARGUMENT, "a"],
    ["aprof-plot", "main", "a", "-o", AS_ARGUMENT],
    ["aprof-diff", "a", AS_ARGUMENT],
    ["aprof-diff", "--map", AS_ARGUMENT, "a", "b"],
    ["aprof-diff", "--" + AS_ARGUMENT],
    ["aprof-check", "--budget", AS_ARGUMENT, "a"],
    ["aprof-check", "--budget=bad", "a"],
    ["aprof-batch", "run", AS_ARGUMENT],
    ["aprof-batch", "status", AS_ARGUMENT],
    ["cilkshadow-report", "--filter", AS_ARGUMENT + "?", "c"],
    ["cilkshadow-report", "a" + AS_ARGUMENT],
    ["cilkshadow-plot", "c", "--site", AS_ARGUMENT + "?"],
    ["aprof-report", "damaged"],
]


def words(command):
    return " ".join(part.replace(AS_ARGUMENT, "EVIL").replace(NAME, "EVIL") for part in command)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    evil(aprof(), tmp_path / "a")
    evil(aprof().replace("main", "start"), tmp_path / "b")
    evil(HEADER + tables(ROWS) + "arguments 1\n" + argument(ROWS, "EVIL") + "end 0", tmp_path / "g")
    evil(cilkshadow(), tmp_path / "c")
    evil(aprof().replace("pid 100", "pid EVIL"), tmp_path / "damaged")
    (tmp_path / "budget").write_bytes(b'"' + EVIL + b'" <= 1\n*z <= 1 # ' + EVIL + b"\n")
    (tmp_path / "bad").write_bytes(b"f <= " + EVIL + b"\n")
    return tmp_path


def is_text(written):
    """Whether these bytes are lines of UTF-8 that neither drive a terminal nor turn themselves
    round."""
    seen = written.decode("utf-8").replace("\n", "")
    classes = {unicodedata.category(char) for char in seen}
    directions = {unicodedata.bidirectional(char) for char in seen}
    return not classes & {"Cc", "Cs", "Zl", "Zp"} and not directions & {"RLO", "LRI"}


def is_unicode(value):
    """Whether its texts have no bytes in them that were no UTF-8."""
    return not any(0xD800 <= ord(char) < 0xE000 for char in json.dumps(value, ensure_ascii=False))


@pytest.mark.parametrize("command", COMMANDS, ids=words)
def test_what_is_written(command, folder, capfdbinary):
    assert run(*command) == (VIOLATED if command[0] == "aprof-check" else 0)
    out, error = capfdbinary.readouterr()
    assert is_text(out) and is_text(error)
    if "--format=json" in command:
        assert is_unicode(json.loads(out))
    if "o.svg" in command:
        assert xml.parse(folder / "o.svg").getroot().tag.endswith("svg")
    elif not {"--format=json", "--format=speedscope"} & set(
        command
    ):  # they have escapes of their own
        assert b"\\x1b" in out


@pytest.mark.parametrize("command", MISTAKES, ids=words)
def test_what_is_said_of_mistakes(command, folder, capfdbinary):
    assert run(*command) not in (0, None)
    out, error = capfdbinary.readouterr()
    assert is_text(out) and is_text(error) and b"\\x1b" in error


def test_a_path_is_told_as_it_is_to_a_script(folder, capfdbinary):
    assert run("aprof-report", "--format=json", "-o", AS_ARGUMENT, "a") == 0
    assert capfdbinary.readouterr().out == os.fsencode(AS_ARGUMENT) + b"\n"


def test_printable():
    assert printable(NAME) == SHOWN
    assert printable("größe 関数 \u05d0\u200d") == "größe 関数 \u05d0\u200d"


class TestSpreadsheets:
    @pytest.mark.parametrize("text", ["=1+1", "+f()", "-[NSObject new]", "@SUM(A1)", "＝1", "-"])
    def test_formulas_are_text(self, text):
        assert spreadsheet_text(text) == f"'{text}"

    @pytest.mark.parametrize("text", ["-1", "+1.5", "-2e-9", "f", "a=b", "operator-(int)", ""])
    def test_all_else_stays(self, text):
        assert spreadsheet_text(text) == text

    def test_tabs_and_returns_are_escaped(self):
        assert spreadsheet_text("\t=1") == r"\x09=1"
        assert spreadsheet_text("\r=1") == r"\x0d=1"

    @pytest.mark.parametrize("rows", ["points", "routines"])
    def test_aprof_report(self, rows, tmp_path, capsys):
        falls = [(n, 1, 400 - n, 400 - n, 400 - n) for n in range(1, 30)]
        Builder(
            routines=[("main", 1, 1, 1), ("=cmd|' /C calc'!A0", 1, 1, 2)],
            objects=["@SUM"],
            files=["+f.c"],
            threads=("", "-t"),
            tables=[Table(2, falls, thread=2)],
        ).write(tmp_path / "p")
        options = ["--format=csv", f"--rows={rows}", "--per-thread"]
        assert run("aprof-report", *options, tmp_path / "p") == 0
        first, *_ = csv.DictReader(io.StringIO(capsys.readouterr().out))
        assert (first["name"], first["object"]) == ("'=cmd|' /C calc'!A0", "'@SUM")
        assert (first["file"], first["thread_name"]) == ("'+f.c", "'-t")

    def test_cilkshadow_report(self, tmp_path, capsys):
        triples = ((1, 10, 10),) * 3
        made = WorkSpan(
            routines=[("-[A b]", 1)], sites=[Site(0, 1, 0, triples)], files=["=f.c"]
        ).text()
        (tmp_path / "p").write_text(made)
        assert run("cilkshadow-report", "--format=csv", tmp_path / "p") == 0
        (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
        assert row["call_site"] == "'-[A b]"
