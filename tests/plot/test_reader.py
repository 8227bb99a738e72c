"""The reader accepts what docs/format-aprof.md describes, and nothing else."""

from __future__ import annotations

import os
import re
import threading
import time
import tracemalloc
from pathlib import Path

import pytest
from builder import SOURCE, Builder, Table, bytes_with_end, rewrite, with_end
from hypothesis import given, settings
from hypothesis import strategies as st

from aprofplot.errors import ProfileError
from aprofplot.read.profile_file import load
from aprofplot.read.profile_reader import read_profile


def read(tmp_path: Path, text: str | bytes):
    path = tmp_path / "profile"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_profile(str(path))


def worked_example() -> str:
    document = (SOURCE / "docs" / "format-aprof.md").read_text()
    example = document.split("## Worked example")[1]
    lines = [line[4:] for line in example.splitlines() if line.startswith("    ")]
    assert re.fullmatch(r"end \d+ CHECKSUM", lines[-1])
    assert int(lines[-1].split()[1]) == len(lines) - 1
    return with_end("\n".join(lines[:-1]) + "\n")


def test_worked_example_of_the_document(tmp_path):
    profile = read(tmp_path, worked_example())
    (run,) = profile.runs
    assert (run.command, run.pid, run.uncounted) == ("./sum", 4711, {"bb": 1203})
    main, summed = profile.routines
    assert (main.routine.name, main.routine.file, main.routine.line) == (
        "main",
        "/home/me/sum.c",
        12,
    )
    assert (main.cost["bb"].inclusive, main.cost["bb"].own) == (60, 6)
    table = summed.points["trms"]
    assert table.column("size").tolist() == [10, 20]
    assert table.column("calls").tolist() == [1, 2]
    assert table.column("bb.sumsq").tolist() == [144, 882]
    (edge,) = profile.calls
    assert (edge.caller, edge.callee) == (main.routine, summed.routine)
    assert (edge.calls, edge.unfinished, edge.cost, edge.outermost) == (
        3,
        0,
        {"bb": 54},
        {"bb": 54},
    )
    outer, inner = profile.contexts
    assert (outer.parent, inner.parent, inner.merged) == (-1, 0, False)
    assert (inner.profile.routine, inner.profile.calls) == (summed.routine, 3)
    assert (outer.profile.cost["bb"].inclusive, outer.profile.cost["bb"].own) == (60, 6)
    assert inner.profile.points["rms"].column("size").tolist() == [10, 20]


def test_version_1_is_read_as_ever(tmp_path):
    tables = [Table(2, [(5, 2, 3, 4, 7)])]
    profile = read(tmp_path, Builder(tables=tables, version=1).text())
    assert (profile.routines[0].calls, profile.calls, profile.contexts) == (2, (), ())
    with pytest.raises(ProfileError, match="misplaced record 'callers'"):
        body = Builder(tables=tables).text().rsplit("end ", 1)[0]
        read(tmp_path, with_end(body.replace("profile 2", "profile 1")))


def test_numbers_are_exact(tmp_path):
    large = 2**63 + 1
    table = Table(2, [(5, 1, large, large, large)])
    profile = read(tmp_path, Builder(tables=[table]).text())
    points = profile.routines[0].points["rms"]
    assert points.column("bb.sum").tolist() == [large]
    assert points.column("bb.sumsq").tolist() == [large * large]


def test_every_truncation_is_refused(tmp_path, sample):
    whole = sample.read_bytes()
    read(tmp_path, whole)
    for length in range(len(whole)):
        with pytest.raises(ProfileError):
            read(tmp_path, whole[:length])


@settings(max_examples=300)
@given(data=st.data())
def test_every_changed_byte_is_refused(tmp_path, sample, data):
    whole = sample.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != whole[at]))
    with pytest.raises(ProfileError):
        read(tmp_path, whole[:at] + bytes([byte]) + whole[at + 1 :])


@settings(max_examples=300)
@given(data=st.data())
def test_lines_out_of_place_are_refused_or_harmless(tmp_path, sample, data):
    """With a right checksum: the reader itself must notice, or read what it says."""
    lines = sample.read_text().splitlines()[:-1]
    at = data.draw(st.integers(1, len(lines) - 1))
    action = data.draw(st.sampled_from(["drop", "double", "word"]))
    if action == "drop":
        del lines[at]
    elif action == "double":
        lines.insert(at, lines[at])
    else:
        words = lines[at].split(" ")
        words[data.draw(st.integers(0, len(words) - 1))] = data.draw(
            st.sampled_from(["", "0", "7", "-1", "x", "99999999999999999999999", "1 1"])
        )
        lines[at] = " ".join(words)
    try:
        profile = read(tmp_path, with_end("\n".join(lines) + "\n"))
    except ProfileError as error:
        assert str(tmp_path) in str(error)
        return
    for routine in profile.routines:
        for table in routine.points.values():
            assert sum(table.column("calls").tolist()) == routine.calls - routine.unfinished


def test_a_profile_is_in_memory_once(tmp_path):
    path = tmp_path / "p"
    path.write_bytes(bytes_with_end(b"aprof-trms-profile 7\n" + 32 * (b"x" * (1 << 20) + b"\n")))
    tracemalloc.start()
    try:
        file = load(str(path))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert file.data == path.read_bytes()
    assert most < 1.5 * len(file.data)


def test_a_pipe_may_give_a_profile_in_pieces(tmp_path, sample):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        with open(pipe, "wb", buffering=0) as file:
            for at in range(0, len(data), 10):
                file.write(data[at : at + 10])
                time.sleep(0 if at else 0.1)  # the first piece is read alone

    data = sample.read_bytes()
    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    assert load(str(pipe)).data == data
    writer.join()


@pytest.mark.parametrize(
    "content, says",
    [
        (b"", "empty"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "binary"),
        (b"version: 1\ncreator: callgrind\n", "not a profile of aprof-trms"),
        (b"aprof-trms-profile 8\ncreator x\n", "version '8'"),
        (b"aprof-trms-pro", "truncated"),
    ],
)
def test_foreign_files(tmp_path, content, says):
    with pytest.raises(ProfileError, match=re.escape(says)):
        read(tmp_path, content)


@pytest.mark.parametrize(
    "record, changed, says",
    [
        (
            "table 1 2 3 0 3 4 21 21",
            "table 1 2 4 0 3 4 21 21",
            "4 activations finished",
        ),
        ("points trms 2 0\n10 2", "points trms 2 0\n20 2", "do not ascend"),
        (
            "routine 2 1 1 3 8192 work",
            "routine 2 9 1 3 8192 work",
            "object 9 is used before",
        ),
        ("thread 2 1 - worker", "thread 2 1 7 worker", "'7' is used before"),
        ("reason exit", "reason exit\nflavour strange", "'flavour'"),
        ("metric rms", "metric trms", "defined twice"),
        ("pid 100", "pid ten", "'ten', not a number"),
    ],
)
def test_message_names_line_and_fault(sample, record, changed, says):
    rewrite(sample, (record, changed))
    with pytest.raises(ProfileError, match=re.escape(says)) as raised:
        read_profile(str(sample))
    assert re.search(r"\.\d+:\d+: ", str(raised.value))
