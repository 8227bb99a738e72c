"""Code with several names: a user may call it by any of them."""

from __future__ import annotations

import json
import shutil

import pytest
from running import BUILD, run

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
