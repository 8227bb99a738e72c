"""Code with several names: a user may call it by any of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from running import BUILD, TESTS, run

FOLDED = ("lib::sum_of_ints(int const*, int)", "lib::sum_of_levels(int const*, int)")
ALIASES = ("largest", "maximum")
# Without gcc's own search for functions of the same code, which leaves a jump from one to the other.
APART = ("-fno-ipa-icf", "-ffunction-sections")


def said(other: str, name: str, program: object) -> str:
    where = f"(one address in {program})"
    return f"note: {other} has the same code as {name} {where}; the profile calls it {name}\n"


@pytest.fixture(params=["gold", "lld"])
def folding(request):
    if shutil.which(f"ld.{request.param}") is None:
        pytest.skip(f"no {request.param}")
    return (*APART, f"-fuse-ld={request.param}", "-Wl,--icf=all")


def test_folded_functions(folding, compile, profile):
    program = compile("folded.cpp", *folding)
    by_any_name(program, profile([program]), FOLDED, 198)


def test_an_alias(compile, profile):
    program = compile("folded.cpp", *APART)
    by_any_name(program, profile([program]), ALIASES, 198)


@pytest.fixture(params=[("here", "there"), ("there", "here")], ids="-".join)
def of_two_files(request, folding, compile, profile):
    first, second = (f"folded_{name}.c" for name in request.param)
    return profile([compile(first, TESTS / "programs" / second, *folding)])


def test_file_and_line_are_those_of_the_name(folding, of_two_files):
    if "-fuse-ld=gold" not in folding:
        pytest.skip("debug information has only one of the functions")
    names = ("sum_here", "sum_there")
    (found,) = (r for r in of_two_files.report()["routines"] if r["name"] in names)
    assert Path(found["file"]).name == f"{found['name'].replace('sum', 'folded')}.c"
    assert found["calls"] == 198


@pytest.mark.parametrize("file", ["folded_here.c", "folded_there.c"])
def test_namesakes_are_found_by_their_files(file, of_two_files):
    path = of_two_files.paths[0]
    result = command("aprof-report", "--format=json", "--filter", f"{file}:part", path)
    (found,) = json.loads(result.stdout)["routines"]
    assert (found["name"], found["calls"]) == ("part", 396)


def command(name, *arguments):
    """In a process of its own, as each says it once."""
    return run([BUILD / "plot" / name, *arguments])


def by_any_name(program, profiled, names, calls):
    """Reports, plots, budgets and comparisons take the name that the profile does not have."""
    (name,) = [r["name"] for r in profiled.report()["routines"] if r["name"] in names]
    (other,) = set(names) - {name}
    short = other.partition("(")[0].rpartition("::")[2]
    path = profiled.paths[0]
    note = said(other, name, program)

    result = command("aprof-report", "--format=json", "--filter", short, path)
    (found,) = json.loads(result.stdout)["routines"]
    assert (found["name"], found["calls"]) == (name, calls)
    assert result.stderr.decode() == note

    picture = path.with_suffix(".svg")
    result = command("aprof-plot", short, path, "-o", picture)
    assert (result.returncode, result.stderr.decode()) == (0, note)
    assert name.partition("(")[0] in picture.read_text()

    budget = path.with_suffix(".budget")
    budget.write_text(f"{short} <= n\n")
    result = command("aprof-check", "--budget", budget, path)
    assert (result.returncode, result.stderr.decode()) == (0, note)
    assert b"1 ok" in result.stdout
    budget.write_text(f"{short} <= 1\n")
    assert command("aprof-check", "--budget", budget, path).returncode == 1

    result = command("aprof-diff", "--map", f"{short}=main", path, path)
    assert result.stderr.decode() == note
