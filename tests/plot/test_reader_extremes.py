"""Numbers that are none, or too large, in every field of both formats: refused in a line that names file and
line. What is taken of randomly changed profiles every command can show: none ends in a traceback."""

from __future__ import annotations

import random
import re

import pytest
from builder import Builder, Context, Table, bytes_with_end, with_end, write_anew
from hypothesis import given
from hypothesis import strategies as st
from test_every_command import run
from test_loops_read import EXECUTIONS, HEADER, LOOPS, TABLES
from test_reader_damage import mutated
from work_span_builder import quicksort

from aprofplot.errors import ProfileError
from aprofplot.read.profile_reader import read_merged, read_profile
from aprofplot.read.work_span_reader import read_work_span

NO_NUMBERS = [
    "9" * 5000,
    "²",
    "٣",
    "inf",
    "nan",
    "-1",
    "+1",
    "1e9",
    "1.0",
    "1_0",
    "0x1",
    f"{2**128}",
]


def of_contexts() -> str:
    main = Table(1, [], unfinished=1, extra_cost=50)
    points = [(n, 2, 5 * n, 7 * n, 12 * n) for n in range(10, 90, 10)]
    work = Table(2, points, callers=[(1, 16, 0, 4320, 4320)])
    contexts = [Context(0, main), Context(1, work)]
    return Builder(tables=[main, work], contexts=contexts, options=("max-points 0",)).text()


def of_cilkshadow() -> str:
    made = quicksort()
    made.notes = ["unlocked 2 unlocks of mutexes that were not held"]
    made.locks = ["3 1000 2 mutex counter_lock"]
    return made.text()


def of_loops() -> str:
    return with_end(HEADER + LOOPS + TABLES + EXECUTIONS)


APROF = {"contexts": of_contexts, "loops": of_loops}
PROFILES = {**APROF, "cilkshadow": of_cilkshadow}
TEXTS = ("creator", "valgrind", "command", "reason", "event", "metric")  # where a number is a word


def refusal(read, path) -> str:
    try:
        read(str(path))
    except ProfileError as error:
        return str(error)
    return "it was taken"


@pytest.mark.parametrize("kind", PROFILES)
def test_every_number_is_one(kind, tmp_path):
    path = tmp_path / "p"
    readers = [read_profile, read_merged] if kind in APROF else [read_work_span]
    lines = PROFILES[kind]().splitlines()[:-1]
    for at, line in enumerate(lines):
        words = line.split(" ")
        if at == 0 or words[0] in TEXTS or (words[0] == "option" and words[1] != "burden"):
            continue
        for place in (place for place, word in enumerate(words) if word.isdigit()):
            for wrong in NO_NUMBERS:
                changed = " ".join([*words[:place], wrong, *words[place + 1 :]])
                body = "\n".join([*lines[:at], changed, *lines[at + 1 :], ""]).encode()
                write_anew(path, bytes_with_end(body))
                for read in readers:
                    message = refusal(read, path)
                    line = rf"{re.escape(str(path))}:{at + 1}: [^\n]*; [^\n]*"
                    assert re.fullmatch(line, message), (changed[:200], message)
                    assert len(message) < 1000


COMMANDS = {
    **{f"aprof-report {form}": ("aprof-report", f"--format={form}", "-o", "{out}") for form in
       ("text", "json", "csv", "html", "callgrind", "folded", "speedscope")},
    "aprof-plot": ("aprof-plot", "--list"),
    "iterations": ("aprof-plot", "scan.c:12", "--metric=iterations", "--fit", "-o", "{out}.png"),
    "progress": ("aprof-plot", "main/loop:22", "--plot=progress", "-o", "{out}.png"),
    "aprof-diff": ("aprof-diff", "--format=json", "-o", "{out}", "{}"),
    "aprof-check": ("aprof-check", "--budget={budget}"),
}  # fmt: skip
OF_CILKSHADOW = {
    f"cilkshadow-report {form}": ("cilkshadow-report", f"--format={form}", "-o", "{out}")
    for form in ("text", "json", "csv", "html")
}


@pytest.mark.parametrize("kind", PROFILES)
@given(seed=st.integers(0, 2**32))
def test_what_is_taken_can_be_shown(kind, seed, tmp_path_factory):
    choose = random.Random(seed)
    folder = tmp_path_factory.getbasetemp()
    path, budget = folder / "mutated", folder / "budget"
    budget.write_text(
        "main <= n\nmain parallelism >= 2\nmain/loop cost at size 100 <= 5\nscan.c:12 <= n\n"
    )
    whole = PROFILES[kind]().encode()
    write_anew(path, bytes_with_end(mutated(whole[: whole.rindex(b"end ")], choose)))
    name, *words = choose.choice(list((COMMANDS if kind in APROF else OF_CILKSHADOW).values()))
    filled = [w.format(path, out=folder / "out", budget=budget) for w in words]
    assert run(name, *filled, path) in (0, 1, 2, 3)
