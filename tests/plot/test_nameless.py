"""Cost without names is reported once, if it is a fifth or more, with the way to get names."""

from __future__ import annotations

import os
import shutil

import pytest
from builder import Builder, Table

from aprofplot.commands import report as report_command
from aprofplot.model import Routine
from aprofplot.reports.debug_info import build_id
from aprofplot.reports.nameless import nameless_note

HERE = [f"host {os.uname().nodename}", f"user {os.geteuid()}"]


def of(path, share, is_here=True):
    """The note of code at `path` without symbols, with so much of a cost of 100."""
    named = Routine("main", "/bin/app", "app.c", 1, 16)
    nameless = Routine(f"{os.path.basename(path)}+0x1234", path, "", 0, 0x1234)
    return nameless_note([(named, 100 - share), (nameless, share)], is_here)


@pytest.mark.parametrize("share, said", [(19, False), (20, True)])
def test_from_a_fifth_on(share, said):
    assert bool(of("/nowhere/app", share)) == said


def test_code_of_another_machine():
    assert of(shutil.which("env"), 60, is_here=False) == (
        f"60 % of the cost has no names: {shutil.which('env')} (60 %: compile it with -g and do not "
        "strip it, or install its debug symbols, Debian's PACKAGE-dbgsym)."
    )


def test_own_code(tmp_path):
    (tmp_path / "app").write_bytes(b"")
    assert of(str(tmp_path / "app"), 30).endswith(
        "app (30 %: compile it with -g and do not strip it)."
    )


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="no Debian")
def test_code_of_a_package():
    assert of("/usr/bin/env", 30).endswith("/usr/bin/env (30 %: install coreutils-dbgsym).")
    assert of("/lib/x86_64-linux-gnu/libc.so.6", 30).endswith("install libc6-dbg).")


def test_debuginfods_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    place = tmp_path / ".cache/debuginfod_client" / build_id("/usr/bin/env")
    place.mkdir(parents=True)
    (place / "debuginfo").write_bytes(b"")
    said = of("/usr/bin/env", 30)
    assert "debuginfod's cache has them" in said and str(place / "debuginfo") in said


def test_a_report_says_it_once(tmp_path, capsys):
    tables = [Table(n, [(5, 1, 50, 50, 50)]) for n in (1, 2, 3)]
    routines = [("main", 1, 1, 1), ("app+0x10", 1, 0, 0), ("app+0x20", 1, 0, 0)]
    path = Builder(routines=routines, tables=tables, options=HERE).write(tmp_path / "p")
    assert report_command.main([str(path)]) == 0
    out = capsys.readouterr().out
    assert out.count("no names") == 1
    assert "67 % of the cost has no names: /bin/app (67 %: compile it with -g" in out
