"""Programs that Debian ships, on real input: undisturbed, and with a profile that makes sense."""

from __future__ import annotations

import lzma
import shutil

import pytest

from running import run as run_natively
from running import sizes, sql

PYTHON = "/usr/bin/python3"


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} not installed")


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """600 kB that neither compress to nothing nor not at all."""
    path = tmp_path_factory.mktemp("input") / "text"
    path.write_text("".join(f"line {i * i % 7919} of {i}: {i ** 3}\n" for i in range(20000)))
    return path


def check(profile, command, *options, **process):
    native = run_natively(command, **process)
    run = profile(command, *options, **process)
    assert run.process.returncode == native.returncode
    assert run.process.stdout == native.stdout
    assert run.process.stderr == native.stderr
    report = run.report()
    assert report["routines"]
    for routine in report["routines"]:
        points = routine["points"]
        finished = routine["calls"] - routine["unfinished"]
        for metric in ("rms", "trms"):
            assert sum(p["calls"] for p in points[metric]) == finished
            for point in points[metric]:
                costs = point["cost"]["bb"]
                assert 0 <= costs["min"] <= costs["max"] <= costs["sum"]
        volume = {m: sum(p["size"] * p["calls"] for p in points[m]) for m in points}
        assert volume["trms"] >= volume["rms"]
    return run


@needs("gzip")
def test_gzip(profile, text):
    run = check(profile, ["gzip", "-nc", text])
    assert sum(r["induced"]["external"] for r in run.report()["routines"]) > 100000


@needs("xz")
def test_xz_with_threads(profile, text, tmp_path):
    run = check(profile, ["xz", "-T2", "--block-size=150000", "-c", "-2", text])
    assert lzma.decompress(run.process.stdout) == text.read_bytes()
    (summary,) = run.report()["runs"]
    assert summary["threads"] == 3
    assert sum(r["induced"]["thread"] for r in run.report()["routines"]) > 10000


@needs("sqlite3")
def test_sqlite(profile):
    run = check(profile, ["sqlite3", ":memory:", sql(3000)])
    step = run.routine("sqlite3_step")
    assert step["calls"] >= 5
    assert len(sizes(step, "trms")) >= 4


@needs(PYTHON)
def test_python(profile):
    script = "import json, threading\n"
    script += "data = [{'n': i, 's': str(i)} for i in range(300)]\n"
    script += "def work(): print(len(json.dumps(data)))\n"
    script += "t = threading.Thread(target=work); t.start(); t.join()"
    run = check(profile, [PYTHON, "-c", script])
    assert run.report()["runs"][0]["threads"] == 2


def test_pipeline_of_threads(compile, profile, text):
    """TRMS is the length of a message, RMS at most the ring that all messages pass through."""
    run = check(profile, [compile("pipeline.c"), text])
    digest = run.routine("digest_message")
    assert digest["calls"] == 60
    assert len(sizes(digest, "trms")) == 60
    ring = 8 * 1024 // 4
    assert max(sizes(digest, "rms")) < ring + 100
    assert max(sizes(digest, "trms")) > 60 * 1024 // 4
    assert digest["induced"]["thread"] > 0.9 * sum(
        p["size"] * p["calls"] for p in digest["points"]["trms"]
    )
