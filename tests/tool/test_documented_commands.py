"""Every command line that README, HACKING and the manual print: what it starts exists, and takes
these options. Pictures that the manual shows are made as it says."""

from __future__ import annotations

import argparse
import functools
import importlib
import itertools
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from running import BUILD, TESTS, VG_IN_PLACE, report_command

SOURCE = TESTS.parent
MANUAL = sorted((SOURCE / "docs" / "manual").glob("*.md"))
DOCUMENTS = [SOURCE / "README", SOURCE / "HACKING", *MANUAL]
COMMANDS = set(
    re.search(r"^readers = (.*)", (SOURCE / "plot/Makefile.am").read_text(), re.M)[1].split()
)


def command_lines(document: Path) -> list[str]:
    """The lines of indented and of fenced blocks, without prompts and comments."""
    text = document.read_text()
    fenced = "".join(re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    lines = re.findall(r"^ {4,}(\S.*)$", text, re.MULTILINE) + fenced.splitlines()
    plain = (re.sub(r"\s{2,}#.*|^\$ ", "", line) for line in lines)
    return [line.rstrip("\\").strip() for line in plain]


def find(pattern: str) -> list[tuple[str, str]]:
    """(document, command line) of all lines that begin with `pattern`."""
    found = []
    for document in DOCUMENTS:
        for line in command_lines(document):
            if re.match(pattern, line):
                found.append((document.name, line))
    return found


OURS = find(r"(\S*/)?(aprof|cilkshadow)-(?!config)\w+( |$)")
TOOL = find(r"(\S*vg-in-place|valgrind) .*--tool=(aprof-trms|cilkshadow)")
FILES = find(r"(\./)?(bench|docs|tests|plot)/\S+|\./quickstart")
MAKE = find(r"make( |$)")


def is_synopsis(words: list[str]) -> bool:
    return any("[" in word or word.endswith("...") or word == "options" for word in words)


def words_before_a_pipe(line: str) -> list[str]:
    lexer = shlex.shlex(line.replace("\\|", "/"), posix=True, punctuation_chars="|>&;")
    lexer.whitespace_split = True
    lexer.commenters = ""
    return list(itertools.takewhile(lambda word: word[0] not in "|>&;", lexer))


def help_of(parser: argparse.ArgumentParser) -> str:
    """With that of its sub-commands."""
    actions = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    below = [help_of(sub) for action in actions for sub in action.choices.values()]
    return "".join([parser.format_help(), *below])


@pytest.mark.parametrize("document, line", OURS)
def test_our_commands(document, line, capsys):
    first, *words = words_before_a_pipe(line)
    name = Path(first).name
    assert name in COMMANDS
    module = name.removeprefix("aprof-").replace("-", "_")
    parser = importlib.import_module(f"aprofplot.commands.{module}").parser()
    if is_synopsis(words):
        known = help_of(parser)
        for option in re.findall(r"(?<![\w-])--?[a-z][\w-]*", line):
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", known), option
        return
    parse = parser.parse_args if name == "aprof-batch" else parser.parse_intermixed_args
    try:
        parse(words)
    except SystemExit as exit_:
        assert exit_.code == 0, capsys.readouterr().err  # --help and --version


@functools.cache
def valgrind_help(tool: str) -> str:
    return subprocess.check_output([VG_IN_PLACE, tool, "--help-debug"], text=True)


@pytest.mark.parametrize("document, line", TOOL)
def test_options_of_the_tool(document, line):
    options = list(itertools.takewhile(lambda word: word.startswith("-"), shlex.split(line)[1:]))
    (tool,) = (option for option in options if option.startswith("--tool="))
    for option in options:
        name = option.partition("=")[0]
        assert re.search(rf"(^|\s){name}(=|\s)", valgrind_help(tool)), option


@pytest.mark.parametrize("document, line", FILES)
def test_files(document, line):
    path = line.split()[0]
    assert (SOURCE / path).exists() or (BUILD / path).exists()


@pytest.mark.parametrize("document, line", MAKE)
def test_make(document, line):
    words = [word for word in shlex.split(line.split(" && ")[0])[1:] if not word.startswith("-")]
    targets = [word for word in words if "=" not in word] or ["all"]
    makefile = (BUILD / "Makefile").read_text()
    for target in targets:
        assert re.search(rf"^{re.escape(target)}(\$\(EXEEXT\))?:", makefile, re.MULTILINE)


def test_something_is_found_of_each_kind():
    assert min(map(len, (OURS, TOOL, FILES, MAKE))) >= 2


def pictures() -> list[tuple[str, str, str]]:
    """(document, picture, the command line before it that writes it) wherever there is one."""
    found = []
    for document in MANUAL:
        text = document.read_text()
        for picture in re.findall(r"!\[[^]]*\]\(\.\./images/([^)]+)\)", text):
            line = rf"^ {{4,}}(?:\$ )?((?:aprof|cilkshadow)-plot .*-o {re.escape(picture)}\b.*)$"
            written = re.search(line, text, re.MULTILINE)
            if written:
                found.append((document.name, picture, written[1]))
    return found


@pytest.mark.parametrize("document, picture, line", pictures())
def test_pictures_are_made_as_the_manual_says(document, picture, line):
    assert (SOURCE / "docs" / "images" / picture).is_file()
    scripts = [SOURCE / "docs" / name for name in ("make-figures", "make-cilkshadow-figures")]
    script = "".join(path.read_text() for path in scripts).replace("\\\n", " ")
    made = re.search(rf'^\s*(?:plot|speedup) (.*/{re.escape(picture)}".*)$', script, re.MULTILINE)
    assert made, f"docs/make-figures makes no {picture}"

    def words(of: str) -> list[str]:
        plain = [Path(word).name for word in shlex.split(of)]
        return sorted(word for word in plain if not word.startswith(("aprof", "cilkshadow")))

    assert words(made[1]) == words(line)


@pytest.mark.parametrize("program", ["report.c", "routes.cpp", "events.cpp"])
def test_slow_programs_have_the_finding_and_the_verdicts_that_the_page_prints(
    program, compile, profile
):
    page = (SOURCE / "docs/manual/slow-program.md").read_text()
    source = SOURCE / "docs/examples/culprits" / program
    budget = source.with_suffix(".budget")
    slow = profile([compile(source)], libc_names=True)
    repaired = profile([compile(source, "-DREPAIRED")], libc_names=True)

    report = report_command("aprof-report", *slow.paths).stdout.decode()
    assert f"\n    {re.search('^1[.] .*$', report, re.MULTILINE)[0]}\n" in page
    printed = re.findall(rf"^    {budget.name}:\d+: (.*)$", page, re.MULTILINE)
    for run, expected in zip((repaired, slow), printed, strict=True):
        checked = report_command("aprof-check", "--budget", budget, *run.paths).stdout.decode()
        verdict = checked.removeprefix(f"{budget}:2: ").splitlines()[0]
        assert verdict.startswith(expected.removesuffix("...")), checked
