"""Two runs of one program: aprof-diff finds no differences above noise, in ten programs. Seven of them are
random: hashes, threads, what they draw. (Python's strings have one hash each: with others its dictionaries
are other ones, which is a difference.)"""

from __future__ import annotations

import json
import os

import pytest
from running import VG_IN_PLACE, report_command, run

_FAST = """
import json, random
d = {str(i): [random.random()] * (i % 7) for i in range(300)}
json.loads(json.dumps(d)); sorted(d.values())
"""
_THREADS = """
import threading, zlib
def squeeze(size): zlib.compress(bytes(range(256)) * 20 * size)
threads = [threading.Thread(target=squeeze, args=(i,)) for i in range(1, 16)]
[t.start() for t in threads]; [t.join() for t in threads]
"""
_TABLE = """
create table t(a, b);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 1000)
insert into t select random(), random() % 100 from c;
select b, count(*) from t group by b order by 2;
"""
_HASHES = """my %h; $h{int rand 300} .= "x" for 1..2000; $s .= $h{$_} for sort keys %h;
my @a = sort { $a <=> $b } map { rand } 1..1000; print $a[0]"""

PROGRAMS = {
    "python3": ["/usr/bin/python3", "-c", _FAST],
    "threads": ["/usr/bin/python3", "-c", _THREADS],
    "perl": ["perl", "-e", _HASHES],
    "sqlite3": ["sqlite3", ":memory:", _TABLE],
    "sort": ["sort", "-R", "/etc/services"],
    "shuf": ["shuf", "/etc/services"],
    "bash": ["bash", "-c", "for i in {1..200}; do a[RANDOM%50]+=$i; done; echo ${a[@]}"],
    "gzip": ["gzip", "-kc", "/usr/bin/env"],
    "grep": ["grep", "-c", "t[a-z]*p", "/etc/services"],
    "ls": ["ls", "-lR", "/etc/apt", "/usr/share/doc/bash"],
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_two_runs_are_alike(program, tmp_path):
    paths = [tmp_path / side for side in ("old", "new")]
    for path in paths:
        tool = [VG_IN_PLACE, "-q", "--tool=aprof-trms", f"--aprof-out-file={path}"]
        assert (
            run([*tool, *PROGRAMS[program]], env={**os.environ, "PYTHONHASHSEED": "0"}).returncode
            == 0
        )
    found = report_command("aprof-diff", "--format=json", *paths)
    report = json.loads(found.stdout)
    compared = [c for c in report["changes"] if c["cost_at_equal_size"] is not None]
    assert len(compared) >= 10
    kinds = ("growth worse", "growth better", "cost higher", "cost lower")
    assert [c["new"]["name"] for c in report["changes"] if c["kind"] in kinds] == []
