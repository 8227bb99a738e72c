"""The suites parsec and parsec-prebuilt on a miniature tree."""

from __future__ import annotations

import pytest
from parsec_tree import make_tree


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parsec") / "tree"
    make_tree(folder)
    return folder


@pytest.mark.parametrize(
    ("suite", "missing"),
    [("parsec", "cannot be found"), ("parsec-prebuilt", "No such file")],
)
def test_parsec(suite, missing, tree, bench):
    result = bench.run(
        f"--parsec-dir={tree}",
        "--programs=swaptions,dedup,ferret",
        "--inputs=test,simdev" if suite == "parsec" else "--inputs=simdev",
        "--threads=2",
        "-osuite.batch",
        suite=suite,
    )
    assert result.returncode == 1
    table = {line.split()[0]: line for line in result.stdout.splitlines() if "/sim" in line}
    # parsecmgmt itself always says that all went well.
    assert {run.split("/")[0] for run in table} == {"swaptions", "ferret"}
    assert "status 4" in table["swaptions/simdev-t2-r1-aprof-trms"]
    assert "no such input for 2 threads" in table["swaptions/simdev-t2-r1-aprof-trms"]
    assert missing in table["ferret/simdev-t2-r1-aprof-trms"]
    # Only the region of interest, of the program and not of the run.sh around it.
    points = bench.query("select program, size from cost_functions where name = 'read_all'")
    found = {(row["program"], row["size"]) for row in points}
    at_test = {("swaptions", 20), ("dedup", 20)} if suite == "parsec" else set()
    assert found == {("dedup", 70)} | at_test
    names = bench.query("select distinct name from cost_functions where object like '%/bin/%'")
    assert {row["name"] for row in names} == {"read_all"}


@pytest.mark.parametrize("suite", ["parsec", "parsec-prebuilt"])
def test_why_a_package_failed(suite, tree, bench):
    result = bench.run(
        f"--parsec-dir={tree}",
        "--programs=canneal,freqmine",
        "--inputs=test",
        "--threads=2",
        "-osuite.batch",
        suite=suite,
    )
    assert result.returncode == 1
    table = {line.split("/")[0]: line for line in result.stdout.splitlines() if "/test-" in line}
    # parsecmgmt's own words follow the program's in the same stream.
    assert "status 5" in table["canneal"] and table["canneal"].endswith("wrong number of threads")
    # It says that all is well, but never came to its region of interest.
    assert "no profile" in table["freqmine"]
    assert "nothing was recorded: its region of interest was never entered" in table["freqmine"]
    assert bench.query("select outcome from runs order by name") == [
        {"outcome": "failed"},
        {"outcome": "no profile"},
    ]
