"""Other names of a routine's code, from the symbol tables of objects of this machine."""

from __future__ import annotations

import os
import subprocess

import pytest
from builder import Builder, Table, rewrite

from aprofplot.commands.loading import load_profiles
from aprofplot.named_scopes import named_scopes

HERE = (f"host {os.uname().nodename}", f"user {os.geteuid()}")
CODE = """\
int twice(int n) { return 2 * n; }
int doubled(int n) __attribute__((alias("twice")));
int halved(int n) __attribute__((alias("twice")));
int other(int n) { return n + 1; }
int main(void) { return twice(0); }
"""
POINTS = [(10, 1, 5, 5, 5)]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """One function has three names."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "app.c").write_text(CODE)
    subprocess.run(["gcc", "-rdynamic", "-o", "app", "app.c"], cwd=folder, check=True)
    return folder / "app"


def address_in(program, name):
    symbols = subprocess.run(["nm", "-D", program], capture_output=True, text=True, check=True)
    (line,) = [line for line in symbols.stdout.splitlines() if line.endswith(f" T {name}")]
    return int(line.split()[0], 16)


@pytest.fixture
def found(tmp_path, program):
    """found(pattern): the routines of a profile of `program` that it stands for."""

    def names(pattern, name="twice", options=HERE, objects=None, address=None):
        routines = [(name, 1, 1, 1), ("main", 1, 1, 5)]
        paths = objects or [str(program)]
        tables = [Table(1, POINTS), Table(2, POINTS)]
        path = tmp_path / "aprof.out.1"
        Builder(routines=routines, objects=paths, options=options, tables=tables).write(path)
        where = address_in(program, "twice") if address is None else address
        rewrite(path, (f"routine 1 1 1 1 4096 {name}", f"routine 1 1 1 1 {where} {name}"))
        profile = load_profiles([str(path)], False)
        return [routine.routine.name for routine in named_scopes(profile, pattern)]

    return names


@pytest.mark.parametrize("pattern", ["doubled", "halved", "app:doubled", "doub*", "app.c:halved"])
def test_an_alias(pattern, found):
    assert found(pattern) == ["twice"]


@pytest.mark.parametrize("pattern", ["other", "doubles", "_start", "lib:doubled"])
def test_what_is_none(pattern, found):
    assert found(pattern) == []


def test_a_clone_of_it(found):
    assert found("doubled", name="twice.constprop.0") == ["twice.constprop.0"]


def test_it_is_said_once(found, program, capsys, tmp_path):
    copy = tmp_path / "copy"
    copy.write_bytes(program.read_bytes())
    for _ in range(2):
        found("doubled", objects=[str(copy)])
    assert capsys.readouterr().err == (
        f"note: doubled has the same code as twice (one address in {copy}); the profile calls it twice\n"
    )


@pytest.mark.parametrize("options", [(), ("host elsewhere", HERE[1]), (HERE[0], "user 4711")])
def test_a_profile_of_another_machine_or_user(options, found):
    assert found("doubled", options=options) == []


def test_an_object_that_was_built_anew(found, program):
    """What is at the address now is not what was measured."""
    assert found("doubled", address=address_in(program, "other")) == []
    assert found("doubled", name="before") == []


def test_objects_that_are_none(found, tmp_path, program):
    os.mkfifo(tmp_path / "pipe")  # reading would wait
    whole = program.read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text").write_text(CODE)
    for path in ("pipe", "cut", "text", "missing", "."):
        assert found("doubled", objects=[str(tmp_path / path)]) == []
    assert found("doubled", objects=[os.path.relpath(program)]) == []


def test_a_stripped_object(found, program, tmp_path):
    """It still has the symbols that it exports."""
    stripped = tmp_path / "stripped"
    subprocess.run(["strip", "-o", stripped, program], check=True)
    assert found("doubled", objects=[str(stripped)]) == ["twice"]
