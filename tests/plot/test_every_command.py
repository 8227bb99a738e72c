"""The common behaviour of all commands that plot/Makefile.am installs: help, version, and messages
for a bad command line and for each kind of bad profile."""

from __future__ import annotations

import importlib
import re

import pytest
from builder import SOURCE, Builder, Table, with_end
from work_span_builder import quicksort

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
OF_CILKSHADOW = {"cilkshadow-plot", "cilkshadow-report"}
READING = [command for command in COMMANDS if ARGUMENTS.get(command, []) is not None]


def run(command, *arguments):
    """The exit status, of argparse too."""
    name = command.removeprefix("aprof-").replace("-", "_")
    module = importlib.import_module(f"aprofplot.commands.{name}")
    try:
        return module.main([str(argument) for argument in arguments])
    except SystemExit as exit_:
        return exit_.code


def test_all_commands_are_found():
    assert {"aprof-plot", "aprof-report"} <= set(COMMANDS)
    launchers = {path.stem for path in (SOURCE / "plot").glob("*.in")}
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


def empty(path, text):
    path.write_text("")


def good(command):
    """A profile of the tool whose profiles the command reads."""
    if command in OF_CILKSHADOW:
        return quicksort().text()
    return Builder(tables=[Table(2, GOOD)]).text()


def truncated(path, text):
    path.write_text(text[:-40])


def damaged(path, text):
    path.write_text(text.replace("exit", "exec"))


def of_another_version(path, text):
    path.write_text(re.sub(r"profile \d+", "profile 77", text, count=1))


def not_as_the_format_says(path, text):
    path.write_text(with_end(text[: text.rindex("end ")] + "surprise 1\n"))


def of_the_other_tool(path, text):
    path.write_text(good("aprof-report" if "cilkshadow-profile" in text else "cilkshadow-report"))


def foreign(path, text):
    path.write_text("events: Ir\n")


def binary(path, text):
    path.write_bytes(b"\x7fELF\0\0\0")


def endless(path, text):
    with path.open("wb") as file:
        file.truncate(1 << 42)  # like /dev/zero, no memory holds it


def unreadable(path, text):
    path.symlink_to("/proc/self/mem")  # opens, but cannot be read, for root too


BAD = [
    (lambda path, text: None, "No such file"),
    (lambda path, text: path.mkdir(), "s a directory"),
    (unreadable, "Input/output error"),
    (empty, "empty"),
    (truncated, "truncated"),
    (damaged, "damaged"),
    (of_another_version, "version '77'"),
    (not_as_the_format_says, "record 'surprise'"),
    (of_the_other_tool, "a profile of "),
    (foreign, "not a profile of "),
    (binary, "binary"),
    (endless, "binary"),
]
IDS = (
    "missing directory unreadable empty truncated damaged version format other foreign binary endless"
).split()


@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize("make, says", BAD, ids=IDS)
def test_bad_profile(command, make, says, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "budget").write_text("work <= n^2\n")
    (tmp_path / "good").write_text(good(command))
    make(tmp_path / "bad", good(command))
    arguments = ARGUMENTS.get(command) or ["{}"]
    assert run(command, *(argument.format("bad") for argument in arguments)) not in (
        0,
        None,
    )
    out, error = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(rf"{command}: bad(:\d+)?: .*{re.escape(says)}.*; .+\n", error), error


def test_the_other_tool_s_profile_names_what_reads_it(tmp_path, capsys):
    (tmp_path / "a").write_text(good("aprof-report"))
    (tmp_path / "c").write_text(good("cilkshadow-report"))
    run("cilkshadow-report", tmp_path / "a")
    run("aprof-report", tmp_path / "c")
    of_aprof, of_cilkshadow = capsys.readouterr().err.splitlines()
    assert of_aprof.endswith("; read it with aprof-plot or aprof-report")
    assert of_cilkshadow.endswith("; read it with cilkshadow-report or cilkshadow-plot")
