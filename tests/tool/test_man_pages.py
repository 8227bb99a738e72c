"""The manual pages that `make` wrote beside the launchers: complete, and without warnings of man."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest
from running import BUILD, TESTS, VG_IN_PLACE

SOURCE = TESTS.parent
COMMANDS = sorted(
    re.search(r"^readers = (.*)", (SOURCE / "plot/Makefile.am").read_text(), re.M)[1].split()
)
PAGES = {command: BUILD / "plot" / "installed" / f"{command}.1" for command in COMMANDS}
TOOLS = {"aprof-trms": "aprof", "cilkshadow": "cilkshadow"}
PAGES |= {tool: BUILD / folder / f"{tool}.1" for tool, folder in TOOLS.items()}
PAGES["cilkshadow-config"] = BUILD / "cilkshadow" / "installed" / "cilkshadow-config.1"

pytestmark = pytest.mark.skipif(
    not (shutil.which("help2man") and shutil.which("man")),
    reason="no help2man or no man",
)


def rendered(page):
    """As on a terminal, that is wide enough for no word to be cut."""
    done = subprocess.run(
        ["man", "--warnings", "--nj", "--nh", "-l", str(page)],
        env={
            **os.environ,
            "MANWIDTH": "500",
            "MAN_KEEP_FORMATTING": "",
            "LC_ALL": "C.UTF-8",
        },
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def sections(text):
    """Headings, which begin at the margin, to what is below them."""
    parts = re.split(r"^([A-Z][A-Z ]+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def options_of(help_text):
    """Those that a line begins with."""
    return set(re.findall(r"^ {2,4}(?:-\w, )?(--?[a-z][\w-]*)", help_text, re.MULTILINE))


def help_of(name):
    if name not in TOOLS:
        folder = "cilkshadow" if name == "cilkshadow-config" else "plot"
        return subprocess.check_output([BUILD / folder / name, "--help"], text=True)
    text = subprocess.check_output([VG_IN_PLACE, f"--tool={name}", "--help-debug"], text=True)
    parts = re.findall(rf"^  \w+ options for {name}:\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    return "\n".join(parts)


@pytest.mark.parametrize("name", PAGES)
def test_page(name):
    found = sections(rendered(PAGES[name]))
    assert re.fullmatch(rf"\s+{name} - [a-z].+\s+", found["NAME"])
    assert "manual page for" not in found["NAME"]
    for heading in (
        "SYNOPSIS",
        "DESCRIPTION",
        "OPTIONS",
        "EXIT STATUS",
        "EXAMPLES",
        "SEE ALSO",
    ):
        assert found[heading].strip(), heading
    text = help_of(name)
    due = options_of(text)
    assert len(due) > 2
    assert due == options_of(re.sub(r"^ {7}", "  ", rendered(PAGES[name]), flags=re.MULTILINE))
    if name not in TOOLS:
        examples = re.search(r"^examples:\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)[1]
        lines = [line.strip() for line in found["EXAMPLES"].strip().splitlines()]
        assert lines == [line.strip() for line in examples.splitlines()]


def test_lines_of_a_budget_stay_lines():
    lines = sections(rendered(PAGES["aprof-check"]))["BUDGET"].splitlines()
    assert "sort_records <= n log n" in [line.strip() for line in lines]


def test_pages_are_installed(tmp_path):
    done = subprocess.run(
        ["make", "-C", BUILD, "install-man", f"DESTDIR={tmp_path}", "mandir=/man"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert {path.stem for path in (tmp_path / "man" / "man1").iterdir()} == set(PAGES)


def test_tools_name_each_other():
    for tool, other in (("aprof-trms", "cilkshadow"), ("cilkshadow", "aprof-trms")):
        assert f"{other}(1)" in sections(rendered(PAGES[tool]))["SEE ALSO"]


@pytest.mark.parametrize("name", PAGES)
def test_pages_lead_to_all_others_of_their_tool(name):
    tool = "cilkshadow" if name.startswith("cilkshadow") else "aprof"
    others = {other for other in PAGES if other.startswith(tool) and other != name}
    listed = re.findall(r"([a-z-]+)\(1\)", sections(rendered(PAGES[name]))["SEE ALSO"])
    assert others <= set(listed)


def test_what_pages_lead_to_is_installed(tmp_path):
    """The manual, its pictures and its examples, all links among them."""
    done = subprocess.run(
        ["make", "-C", BUILD, "install-docs", "install-dist_docDATA"]
        + [f"DESTDIR={tmp_path}", "docdir=/doc"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    doc = tmp_path / "doc"
    for name in COMMANDS:
        assert (doc / "docs/manual" / f"{name}.md").is_file()
        assert f"/docs/manual/{name}.md" in "".join(rendered(PAGES[name]).split())
    broken = [
        f"{page.relative_to(doc)}: {link}"
        for page in [doc / "README", *doc.rglob("*.md")]
        for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text())
        if not link.startswith("http") and not (page.parent / link).exists()
    ]
    assert broken == ["README: HACKING"]  # for those who have the sources
