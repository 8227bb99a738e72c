"""Exports of real runs have the measured numbers, according to the readers of their formats."""

from __future__ import annotations

import json
import re
import shutil

import jsonschema
import pytest
from running import BUILD, TESTS, VG_IN_PLACE, report_command, run, sql
from shadowing import shadow

SCHEMA = json.loads((TESTS.parent / "docs" / "schema" / "aprof-report.schema.json").read_text())
SCHEMA_CHECK = jsonschema.Draft202012Validator(SCHEMA)


@pytest.fixture(scope="module")
def sqlite(module_profile):
    return module_profile(["sqlite3", ":memory:", sql(20)], "--cost=both")


def exported(measured, form, path):
    done = report_command("aprof-report", f"--format={form}", "-o", path, *measured.paths)
    assert done.returncode == 0
    return path.read_text()


def test_callgrind_annotate_finds_the_cost_of_the_run(sqlite, tmp_path):
    if shutil.which("callgrind_annotate") is None:
        pytest.skip("no callgrind_annotate here")
    path = tmp_path / "callgrind.out.1"
    exported(sqlite, "callgrind", path)
    done = run(["callgrind_annotate", "--threshold=100", "--auto=no", path])
    assert (done.returncode, done.stderr) == (0, b"")
    found = re.search(r"^ *([\d,]+) .*? ([\d,]+) .*PROGRAM TOTALS", done.stdout.decode(), re.M)
    totals = [int(number.replace(",", "")) for number in found.groups()]
    costs = [routine["cost"] for routine in sqlite.report()["routines"]]
    uncounted = {event: int(number) for event, number in sqlite.lines("uncounted")}
    assert totals == [sum(c[e]["self"] for c in costs) + uncounted[e] for e in ("bb", "instr")]


def test_stacks_add_up_to_the_cost_of_the_run(profile, compile, tmp_path):
    measured = profile([compile("recursion.c")], "--contexts=yes")
    report = measured.report()
    SCHEMA_CHECK.validate(report)
    whole = sum(routine["cost"]["bb"]["self"] for routine in report["routines"])
    folded = exported(measured, "folded", tmp_path / "stacks.folded").splitlines()
    assert sum(int(line.rpartition(" ")[2]) for line in folded) == whole
    for line in folded:  # recursion folds; loops of a nest may begin on one line
        frames = [of for of in line.rpartition(" ")[0].split(";") if "'loop " not in of]
        assert len(frames) == len(set(frames))
    speedscope = json.loads(exported(measured, "speedscope", tmp_path / "s.json"))
    assert [p["endValue"] for p in speedscope["profiles"]] == [whole]


def without(report, members):
    """A copy that lacks these, at any depth."""
    if isinstance(report, dict):
        return {k: without(of, members) for k, of in report.items() if k not in members}
    return [without(of, members) for of in report] if isinstance(report, list) else report


def test_json_reports_are_as_the_schema_says(sqlite, profile, compile):
    SCHEMA_CHECK.validate(sqlite.fitted_report())
    SCHEMA_CHECK.validate(profile([compile("pipeline.c")]).fitted_report("--per-thread"))
    many_sizes = profile([compile("many_sizes.c")], "--max-points=100")
    whole, measured = many_sizes.fitted_report(), many_sizes.report()
    SCHEMA_CHECK.validate(whole)
    SCHEMA_CHECK.validate(measured)
    assert without(whole, {"fit", "fits", "growth", "findings", "no_findings"}) == measured != whole


def test_a_page_of_a_run_made_here_holds_the_program_s_source(profile, compile, tmp_path):
    measured = profile([compile("recursion.c", "-g")])
    page = exported(measured, "html", tmp_path / "page.html")
    assert f'"sources":[["{TESTS}/programs/recursion.c",' in page


def test_a_page_of_call_sites_holds_the_program_s_source(compile, tmp_path):
    profile = tmp_path / "cilkshadow.out"
    shadow([compile("recursion.c", "-g")], profile)
    report = [BUILD / "plot" / "cilkshadow-report", "--format=html", "-o", tmp_path / "page.html"]
    assert run([*report, profile]).returncode == 0
    page = (tmp_path / "page.html").read_text()
    assert f'"sources":[["{TESTS}/programs/recursion.c",' in page


@pytest.mark.parametrize(
    "other",
    [["--map-root-user", "--uts", "sh", "-c", 'hostname elsewhere; "$@"', "sh"], []],
    ids=["machine", "user"],
)
def test_a_page_of_a_run_made_elsewhere_holds_none(other, compile, tmp_path):
    """By another user, or on a machine of another name: namespaces of users and names."""
    if run(["unshare", "--user", "--map-root-user", "--uts", "true"]).returncode != 0:
        pytest.skip("no namespaces here")
    made = tmp_path / "aprof.out"
    tool = [VG_IN_PLACE, "--tool=aprof-trms", f"--aprof-out-file={made}"]
    command = ["unshare", "--user", *other, *tool, compile("recursion.c", "-g")]
    assert run(command).returncode == 0
    report = [BUILD / "plot" / "aprof-report", "--format=html", "-o", tmp_path / "page.html", made]
    assert run(report).returncode == 0
    assert '"sources":[]' in (tmp_path / "page.html").read_text()
