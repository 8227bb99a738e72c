"""Damaged profiles: the reader refuses them with its own error, or what it takes is consistent. It
never fails otherwise, nor takes much memory, whatever numbers the file announces.

APROF_FUZZ_ROUNDS=100000 in the environment makes the random part longer; a round that fails names
its number, which is its seed.
"""

from __future__ import annotations

import os
import random
import re
import resource
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from builder import Builder, Context, Table, bytes_with_end, write_anew

from aprofplot.commands import plot as plot_command
from aprofplot.commands import report as report_command
from aprofplot.errors import ProfileError
from aprofplot.model import Profile
from aprofplot.read.profile_reader import read_profile

ROUNDS = int(os.environ.get("APROF_FUZZ_ROUNDS", "1000"))


def body_of(path: Path) -> bytes:
    whole = path.read_bytes()
    return whole[: whole.rindex(b"end ")]


def read(path: Path, data: bytes) -> Profile | None:
    """None: refused, with a message that names the file and the line."""
    write_anew(path, data)
    try:
        profile = read_profile(str(path))
    except ProfileError as error:
        assert re.match(rf"{re.escape(str(path))}:\d+: .*; ", str(error)), str(error)
        assert len(str(error)) < 1000
        return None
    for routine in profile.routines:
        assert 0 <= routine.unfinished <= routine.calls
        for table in routine.points.values():
            assert sum(table.column("calls").tolist()) == routine.calls - routine.unfinished
            sizes = table.column("size").tolist()
            assert sizes == sorted(set(sizes))
    check_calls(profile)
    return profile


def check_calls(profile: Profile) -> None:
    """No more calls from other routines than there are; contexts, if any, add up to the routines."""
    into: Counter[tuple[object, ...]] = Counter()
    for edge in profile.calls:
        assert 0 <= edge.unfinished <= edge.calls and edge.outermost["bb"] <= edge.cost["bb"]
        into[edge.callee, edge.threads] += edge.calls
    in_contexts: Counter[tuple[object, ...]] = Counter()
    for place, context in enumerate(profile.contexts):
        assert -1 <= context.parent < place
        in_contexts[context.profile.routine, context.profile.threads] += context.profile.calls
    for routine in profile.routines:
        key = (routine.routine, routine.threads)
        assert into[key] <= routine.calls
        assert not profile.contexts or in_contexts[key] == routine.calls


@pytest.fixture
def with_contexts(tmp_path) -> Path:
    """main calls work, which calls itself and main; some contexts of work are merged."""
    main = Table(1, [], unfinished=1, extra_cost=50)
    points = [(10, 2, 5, 7, 12), (20, 1, 9, 9, 9)]
    work = Table(2, points, callers=[(0, 1, 0, 9, 9), (1, 1, 0, 12, 12), (2, 1, 0, 5, 0)])
    contexts = [
        Context(0, main),
        Context(1, Table(2, points[:1])),
        Context(None, Table(2, points[1:])),
    ]
    return Builder(tables=[main, work], contexts=contexts).write(tmp_path / "contexts")


@pytest.mark.parametrize("which", ["sample", "with_contexts"])
def test_every_changed_byte_is_refused(tmp_path, which, request):
    whole = request.getfixturevalue(which).read_bytes()
    for at in range(len(whole)):
        for change in (1, 16, 128, 255):
            changed = whole[:at] + bytes([whole[at] ^ change]) + whole[at + 1 :]
            assert read(tmp_path / "p", changed) is None


@pytest.mark.parametrize("which", ["sample", "with_contexts"])
def test_every_line_dropped_doubled_or_swapped(tmp_path, which, request):
    """Under a right checksum. Options no other line needs; two points of as many calls may change
    places; else the numbers stay what they are."""
    lines = body_of(request.getfixturevalue(which)).splitlines(keepends=True)

    def taken(damaged: list[bytes]) -> bool:
        return read(tmp_path / "p", bytes_with_end(b"".join(damaged))) is not None

    dropped = {i for i in range(len(lines)) if taken(lines[:i] + lines[i + 1 :])}
    doubled = {i for i in range(len(lines)) if taken(lines[:i] + [lines[i]] + lines[i:])}
    keyword = [line.split()[0].decode() for line in lines]
    assert {keyword[i] for i in dropped} == {"option"}
    assert {keyword[i] for i in doubled} == {"option"}
    for i, j in combinations(range(len(lines)), 2):
        swapped = list(lines)
        swapped[i], swapped[j] = lines[j], lines[i]
        profile = read(tmp_path / "p", bytes_with_end(b"".join(swapped)))
        if profile is not None and not (keyword[i].isdigit() and keyword[j].isdigit()):
            original = read(tmp_path / "q", bytes_with_end(b"".join(lines)))
            assert original is not None
            assert numbers(profile) == numbers(original)


def numbers(profile: Profile) -> list[object]:
    return [
        (r.routine.name, r.threads, r.calls, r.unfinished, r.cost, r.induced_thread)
        + tuple(table.rows.tolist() for table in r.points.values())
        for r in (*profile.routines, *(context.profile for context in profile.contexts))
    ] + [
        *((e.caller.name, e.callee.name, e.calls, e.cost, e.outermost) for e in profile.calls),
        *((context.parent, context.merged) for context in profile.contexts),
    ]


NUMBERS = [
    0,
    1,
    2,
    7,
    2**31,
    2**32,
    2**63 - 1,
    2**63,
    2**64 - 1,
    2**64,
    2**128,
    10**40,
    -1,
]


def mutated(body: bytes, choose: random.Random) -> bytes:
    """The records after a few changes of bytes, words or lines."""
    for _ in range(choose.choice((1, 1, 1, 2, 3, 8))):
        at = choose.randrange(len(body) + 1)
        to = min(len(body), at + choose.choice((0, 1, 1, 2, 10, 200)))
        kind = choose.randrange(7)
        if kind == 0:  # other bytes
            body = body[:at] + choose.randbytes(to - at) + body[to:]
        elif kind == 1:  # one of the bytes that mean something
            body = (
                body[:at] + bytes([choose.choice(b"0123456789 \n\r\t\\>-+.\0\x80\xff")]) + body[to:]
            )
        elif kind == 2:  # doubled, elsewhere
            other = choose.randrange(len(body) + 1)
            body = body[:other] + body[at:to] + body[other:]
        elif kind in (3, 4):  # another number
            found = list(re.finditer(rb"(?<= )\d+(?=[ \n])", body))
            if found:
                where = choose.choice(found)
                number = choose.choice(NUMBERS + [int(where[0]) + 1, max(0, int(where[0]) - 1)])
                body = body[: where.start()] + b"%d" % number + body[where.end() :]
        else:  # lines, or words of a line, in another order
            separator = b"\n" if kind == 5 else b" "
            parts = body.split(separator)
            i, j = choose.randrange(len(parts)), choose.randrange(len(parts))
            if choose.random() < 0.5:
                parts[i], parts[j] = parts[j], parts[i]
            else:
                parts[i] = parts[j]
            body = separator.join(parts)
    return body


def rich(path: Path) -> Path:
    """A profile with both events, merged points, numbers beyond 64 bits, and odd names."""
    large = 2**62 + 1
    tables = [
        Table(1, [], unfinished=2, extra_cost=7),
        Table(2, [(s, s, 3, 9, 9 * s) for s in range(1, 40)], precision=5, induced=(3, 4)),
        Table(3, [(0, 1, 0, 0, 0), (2**63, 1, large, large, large)], thread=2),
    ]
    names = [("main", 1, 1, 10), ("f<int>(a\\\\b)", 2, 2, 3), ("?", 2, 0, 0)]
    return Builder(
        routines=names,
        objects=("/bin/app", "???"),
        files=("/src/app.c", "größe"),
        threads=("", "worker"),
        tables=tables,
        events=("bb", "instr"),
    ).write(path)


def test_random_damage_under_a_right_checksum(tmp_path, sample, with_contexts, capsysbinary):
    """What is taken can be shown, too: a right file may hold any numbers."""
    bodies = [body_of(path) for path in (sample, with_contexts, rich(tmp_path / "rich"))]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    path = tmp_path / "p"
    taken = 0
    for seed in range(ROUNDS):
        choose = random.Random(seed)
        try:
            if read(path, bytes_with_end(mutated(choose.choice(bodies), choose))) is None:
                continue
            taken += 1
            for form in ("text", "json", "csv"):
                assert report_command.main([f"--format={form}", str(path)]) == 0
            assert plot_command.main(["--list", str(path)]) == 0
        except BaseException:
            print(f"round {seed} of tests/plot/test_reader_damage.py")
            raise
        finally:
            if seed % 100 == 0 and taken:
                capsysbinary.readouterr()
    assert ROUNDS / 50 < taken < ROUNDS / 2  # else the changes are too rude, or too gentle
    # A file that announces 2^63 points makes no room for them.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 100_000  # kB


@pytest.mark.parametrize("separator", [b" ", b"\n"])
def test_a_whole_file_of_separators(separator, tmp_path):
    head = b"aprof-trms-profile 1\n"
    assert read(tmp_path / "p", bytes_with_end(head + separator * 1_000_000 + b"\n")) is None
