"""What every command does alike, for each that plot/Makefile.am installs: help, version, and what it
says of a bad command line and of each kind of bad profile."""

from __future__ import annotations

import importlib
import re

import pytest
from builder import SOURCE, Builder, Table

import aprofplot

COMMANDS = sorted(
    re.search(r"^readers = (.*)", (SOURCE / "plot/Makefile.am").read_text(), re.M)[1].split()
)
GOOD = [(1, 1, 2, 2, 2), (2, 1, 4, 4, 4)]

# How a command is given the profile `{}`, where not as its only argument; None: it takes none.
ARGUMENTS = {
    "aprof-plot": ["work", "{}"],
    "aprof-diff": ["{}", "good"],
    "aprof-check": ["--budget=budget", "{}"],
    "aprof-batch": None,
}
READING = [command for command in COMMANDS if ARGUMENTS.get(command, []) is not None]


def run(command, *arguments):
    """The exit status, of argparse too."""
    module = importlib.import_module(f"aprofplot.commands.{command.removeprefix('aprof-')}")
    try:
        return module.main([str(argument) for argument in arguments])
    except SystemExit as exit_:
        return exit_.code


def test_all_commands_are_found():
    assert {"aprof-plot", "aprof-report"} <= set(COMMANDS)
    launchers = {path.stem for path in (SOURCE / "plot").glob("aprof-*.in")}
    assert set(COMMANDS) == launchers


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command, capsys):
    assert run(command, "--help") == 0
    text = capsys.readouterr().out
    assert re.search(rf"^usage: {command} ", text)
    assert re.search(rf"^examples:\n  {command} ", text, re.MULTILINE)
    assert re.search(r"^exit status: 0 ", text, re.MULTILINE)
    assert "--version" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_version_is_that_of_configure(command, capsys):
    assert run(command, "--version") == 0
    version = re.search(
        r"AC_INIT\(\[aprof-trms\], \[([0-9.]+)\]", (SOURCE / "configure.ac").read_text()
    )
    assert capsys.readouterr().out == f"{command} (aprof-trms) {version[1]}\n"
    assert aprofplot.__version__ == version[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_unknown_option(command, capsys):
    gates = ("aprof-check", "aprof-diff")  # whose 2 is a verdict
    assert run(command, "--no-such-option", "x") == (3 if command in gates else 2)
    out, error = capsys.readouterr()
    assert out == ""
    assert re.search(rf"^{command}.*: error: ", error.splitlines()[-1])


def empty(path):
    path.write_text("")


def truncated(path):
    path.write_text(Builder(tables=[Table(2, GOOD)]).text()[:-40])


def of_another_version(path):
    path.write_text(re.sub(r"profile \d+", "profile 77", Builder().text(), count=1))


def foreign(path):
    path.write_text("events: Ir\n")


def binary(path):
    path.write_bytes(b"\x7fELF\0\0\0")


def unreadable(path):
    path.symlink_to("/proc/self/mem")  # opens, but cannot be read, for root too


BAD = [
    (lambda path: None, "No such file"),
    (lambda path: path.mkdir(), "s a directory"),
    (unreadable, "Input/output error"),
    (empty, "empty"),
    (truncated, "truncated"),
    (of_another_version, "version '77'"),
    (foreign, "no profile of aprof-trms"),
    (binary, "binary"),
]
IDS = "missing directory unreadable empty truncated version foreign binary".split()


@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize("make, says", BAD, ids=IDS)
def test_bad_profile(command, make, says, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "budget").write_text("work <= n^2\n")
    Builder(tables=[Table(2, GOOD)]).write(tmp_path / "good")
    make(tmp_path / "bad")
    arguments = ARGUMENTS.get(command) or ["{}"]
    assert run(command, *(argument.format("bad") for argument in arguments)) not in (0, None)
    out, error = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(rf"{command}: bad(:\d+)?: .*{re.escape(says)}.*; .+\n", error), error
