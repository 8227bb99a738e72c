"""The reader checks every guarantee of the format that it can, even if the checksum is right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from builder import Builder, Table, with_end

from aprofplot.commands.loading import load_profiles
from aprofplot.errors import ProfileError
from aprofplot.metrics import induced_shares
from aprofplot.read.profile_reader import read_profile


def read(path: Path, text: str | bytes):
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_profile(str(path))


def test_every_change_of_the_end_record_is_refused(tmp_path, sample):
    """Its checksum does not cover itself."""
    whole = sample.read_bytes()
    for at in range(whole.rindex(b"end "), len(whole)):
        for byte in range(256):
            if byte != whole[at]:
                with pytest.raises(ProfileError):
                    read(tmp_path / "p", whole[:at] + bytes([byte]) + whole[at + 1 :])


ROW = "10 2 3 4 5 7 12 144 5 7 12 144"  # as in `sample`


@pytest.mark.parametrize(
    "record, changed, says",
    [
        (ROW, "10 0 3 4 5 7 12 144 5 7 12 144", "without calls"),
        (ROW, "10 2 3 4 8 7 12 144 5 7 12 144", "bb: not minimum <= maximum <= sum"),
        (ROW, "10 2 3 4 5 13 12 144 5 7 12 144", "bb: not minimum <= maximum <= sum"),
        (
            ROW,
            "10 2 3 4 5 7 12 144 8 7 12 144",
            "bb.self: not minimum <= maximum <= sum",
        ),
        (ROW, ROW + " 1", "13 columns where 12 were expected"),
        (ROW, ROW[:-4], "11 columns where 12 were expected"),
        (ROW, ROW.replace(" ", "  ", 1), "not all numbers"),
        (ROW, "+" + ROW, "unknown or misplaced|not all numbers"),
        (
            ROW,
            ROW.replace("12 144", f"{2**64} 144", 1),
            "bb.sum is more than 64 bits hold",
        ),
        (
            ROW,
            ROW.replace("144", f"{2**128}", 1),
            "bb.sumsq is more than 128 bits hold",
        ),
        (ROW, ROW.replace("144", "9" * 5000, 1), "bb.sumsq is more than 128 bits hold"),
        ("table 1 2 3 0", "table 1 1 3 0", "not in the order"),
        ("table 1 2 3 0", "table 1 2 0 0", "0 calls"),
        ("table 1 2 3 0", "table 1 2 3 4", "3 calls, 4 of them unfinished"),
        ("points trms 2 0", "points trms 2 65", "64 binary digits"),
        ("points trms 2 0", "points trms 99999 0", "more than lines are left"),
        ("points rms 1 0", "points trms 1 0", "where 'points rms' were expected"),
        ("columns size calls", "columns calls size", None),
        ("columns size", "columns colour", "unknown column 'colour'"),
        ("uncounted bb", "uncounted instr", "not those of the events"),
        ("fair-sched no", "fair-sched maybe", "not one of yes, no, try"),
        ("metric trms", "metric größe", "metric 'größe': a name has letters, digits"),
        ("object 1 /bin/app", "object 0 /bin/app", "not positive"),
        ("object 1 /bin/app", "object 1 /bin\\tapp", "unknown escape"),
    ],
)
def test_what_the_format_promises(tmp_path, sample, record, changed, says):
    text = sample.read_text().rsplit("end ", 1)[0]
    assert record in text
    broken = with_end(text.replace(record, changed, 1))
    if says is None:  # columns in another order: what they are called decides
        broken = with_end(
            re.sub(
                r"(?m)^(\d+) (\d+) (?=(?:\d+ ){5})",
                r"\2 \1 ",
                text.replace(record, changed),
            )
        )
        table = read(tmp_path / "p", broken).routines[1].points["trms"]
        assert (table.column("size").tolist(), table.column("calls").tolist()) == (
            [10, 20],
            [2, 1],
        )
        return
    with pytest.raises(ProfileError, match=says) as raised:
        read(tmp_path / "p", broken)
    line = int(re.search(r"/p:(\d+): ", str(raised.value))[1])
    assert broken.splitlines()[line - 1].split()[0] != "end"


def test_numbers_do_not_depend_on_how_much_is_parsed_at_a_time(tmp_path, monkeypatch):
    tables = [
        Table(i, [(s, s, i, i * s, i * s * s + 1) for s in range(1, i + 1)]) for i in range(1, 30)
    ]
    names = [(f"f{i}", 1, 1, i) for i in range(1, 30)]
    path = Builder(routines=names, tables=tables, events=("bb", "instr")).write(tmp_path / "p")
    whole = read_profile(str(path))
    monkeypatch.setattr("aprofplot.read.point_batch._BYTES", 100)
    in_parts = read_profile(str(path))
    for number, (one, other) in enumerate(zip(whole.routines, in_parts.routines), 1):
        for metric in ("trms", "rms"):
            rows = one.points[metric].rows.tolist()
            assert rows == other.points[metric].rows.tolist()
            assert rows[0] == list(range(1, number + 1))
            assert one.points[metric].column("instr.sum").tolist() == [
                2 * (number * s * s + 1) for s in range(1, number + 1)
            ]


def test_merged_sums_beyond_63_bits_are_exact(tmp_path):
    large = 2**62 + 7
    paths = []
    for number in range(4):
        table = Table(2, [(5, 1, large, large, large)], unfinished=1)
        paths.append(str(Builder(tables=[table], pid=number).write(tmp_path / str(number))))
    (work,) = load_profiles(paths, per_thread=False).routines
    points = work.points["trms"]
    assert points.column("bb.sum").tolist() == [4 * large]
    assert points.column("bb.sumsq").tolist() == [4 * large * large]
    assert (work.calls, work.unfinished) == (8, 4)


def test_merged_sums_overflow_no_column(tmp_path):
    paths = []
    for number in range(4):  # whose other columns fit in 63 bits
        table = Table(2, [(5, 1, 1, 1, 1)], induced=(2**62, 0))
        paths.append(str(Builder(tables=[table], pid=number).write(tmp_path / str(number))))
    (work,) = load_profiles(paths, per_thread=False).routines
    assert work.points["trms"].column("thread").tolist() == [2**64]


def test_calls_beyond_63_bits_are_summed_exactly(tmp_path):
    calls = 10**18 - 1  # the most digits that are read at once
    table = Table(2, [(s, calls, 1, 1, calls) for s in range(1, 11)])
    (work,) = read(tmp_path / "p", Builder(tables=[table]).text()).routines
    assert work.calls == 10 * calls


def test_shares_of_the_input(tmp_path):
    table = Table(2, [(10, 2, 1, 1, 2), (20, 1, 1, 1, 1)], induced=(10, 20))
    (work,) = read(tmp_path / "p", Builder(tables=[table]).text()).routines
    assert induced_shares(work) == (25.0, 50.0)
