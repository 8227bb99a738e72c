"""--format=text on a terminal: as wide as that is, in colour unless told otherwise."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest
from builder import SOURCE, Builder, Table, bytes_with_end
from calling import profile
from rich.cells import cell_len

from aprofplot.commands.loading import load_profiles
from aprofplot.commands import report as report_command
from aprofplot.reports.listing import make_listing
from aprofplot.reports.terminal import print_table

ESCAPE = "\x1b"


@pytest.fixture
def sorting(tmp_path):
    """A quadratic routine, a linear one, and one of which too little is known."""
    sizes = range(10, 210, 10)
    tables = [
        Table(1, [], unfinished=1, extra_cost=10**6),
        Table(2, [(n, 1, n * n, n * n, n * n) for n in sizes]),
        Table(3, [(n, 1, 7 * n, 7 * n, 7 * n) for n in sizes], induced=(900, 100)),
        Table(4, [(1, 1, 1, 1, 1)]),
    ]
    routines = [
        ("main", 1, 1, 10),
        (
            "std::vector<std::pair<int, long>, std::allocator<int> >::bubble_sort(int*, int*)",
            1,
            1,
            3,
        ),
        ("関数_copy[red]", 1, 1, 30),
        ("once", 1, 1, 40),
    ]
    return Builder(routines=routines, tables=tables).write(tmp_path / "aprof.out.100")


def on_terminal(path, *options, columns=100, **environment):
    """What the command writes on a terminal so wide; its errors, and the bar that is shown while a
    busy machine takes long, go elsewhere."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    unset = ("NO_COLOR", "COLUMNS", "LINES", "FORCE_COLOR")
    variables = {key: value for key, value in os.environ.items() if key not in unset}
    variables |= {"PYTHONPATH": str(SOURCE / "plot"), "TERM": "xterm", **environment}
    command = [sys.executable, "-m", "aprofplot.commands.report", *options, str(path)]
    process = subprocess.Popen(command, stdout=slave, stderr=subprocess.PIPE, env=variables)
    os.close(slave)
    output = b""
    try:
        while data := os.read(master, 65536):
            output += data
    except OSError:  # the other side is closed
        pass
    os.close(master)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (0, b""), output
    return output.decode().replace("\r\n", "\n")


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def widest(text):
    return max(cell_len(line) for line in plain(text).splitlines())


def listing_of(path):
    return make_listing(load_profiles([str(path)], False), "bb", False, "cost", [])


def fitted(path, width):
    """The table of that width, without colours."""
    return printed(listing_of(path), width)


def printed(listing, width):
    out = io.StringIO()
    print_table(out, listing, None, "cost", width, False)
    return out.getvalue()


def test_a_terminal_gets_colours_and_its_width(sorting):
    out = on_terminal(sorting, columns=70)
    assert widest(out) <= 70
    rows = {
        name: line
        for line in out.splitlines()
        for name in ("bubble", "copy", "once")
        if name in line
    }
    assert re.search(r"\x1b\[1;31m +n\^2\x1b\[0m", rows["bubble"])
    assert re.search(r"\x1b\[32m +n\x1b\[0m", rows["copy"]) and "copy[red]" in rows["copy"]
    assert "\x1b[2mcannot tell" in rows["once"]


@pytest.mark.parametrize(
    "options, environment",
    [([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"}), (["--color=never"], {})],
    ids=["NO_COLOR", "dumb", "never"],
)
def test_no_colours_where_none_are_wanted(options, environment, sorting):
    out = on_terminal(sorting, *options, columns=70, **environment)
    assert ESCAPE not in out
    assert widest(out) <= 70 and "n^2" in out


def test_asked_for_colours_win(sorting):
    assert ESCAPE in on_terminal(sorting, "--color=always", NO_COLOR="1")


def test_width_given_wins(sorting):
    assert 40 < widest(on_terminal(sorting, "--width=60", columns=200)) <= 60


def test_files_and_pipes_get_the_plain_table(sorting, capsys, tmp_path):
    assert report_command.main([str(sorting)]) == 0
    out = capsys.readouterr().out
    assert ESCAPE not in out and widest(out) > 150
    path = tmp_path / "table.txt"
    assert report_command.main([str(sorting), "-o", str(path)]) == 0
    assert path.read_text() == out


def test_a_pipe_may_have_width_and_colours(sorting, capsys):
    assert report_command.main([str(sorting), "--width=60"]) == 0
    out = capsys.readouterr().out
    assert ESCAPE not in out and widest(out) <= 60
    assert report_command.main([str(sorting), "--color=always"]) == 0
    assert ESCAPE in capsys.readouterr().out


def heads(text):
    return next(line for line in text.splitlines() if "routine" in line)


def test_columns_that_say_nothing_are_not_there(tmp_path):
    """Nothing came from other threads or from outside, and all calls have returned."""
    path = Builder(tables=[Table(2, [(1, 1, 2, 2, 2)])]).write(tmp_path / "p")
    assert not re.search("unfinished|thread %|external %", fitted(path, 200))
    induced = Table(2, [(1, 1, 2, 2, 2)], induced=(0, 1))
    assert "external %" in fitted(Builder(tables=[induced]).write(path), 200)


def test_columns_go_in_the_stated_order(sorting):
    everything = "bb, bb %, bb self, self %, calls, unfinished, trms sizes, largest trms, rms sizes"
    everything += ", largest rms, thread %, external %, growth, routine, where"
    listing = listing_of(sorting)
    assert re.split(r"  +", heads(printed(listing, 300)).strip()) == everything.split(", ")
    gone = [set()]
    for width in range(220, 19, -1):
        shown = re.split(r"  +", heads(printed(listing, width)).strip())
        lost = set(everything.split(", ")) - set(shown)
        assert gone[-1] <= lost
        gone.append(lost)
    order = [name for before, after in zip(gone, gone[1:]) for name in sorted(after - before)]
    assert order == [
        "largest rms",
        "rms sizes",
        "unfinished",
        "where",
        "external %",
        "thread %",
        "bb self",
        "largest trms",
        "self %",
        "calls",
        "trms sizes",
        "growth",
        "bb %",
        "bb",  # what sorts is the last to go
    ]


@pytest.mark.parametrize("width", [20, 33, 47, 60, 80, 100, 140, 200])
def test_every_width_is_kept(width, sorting):
    assert widest(fitted(sorting, width)) <= width


def test_long_names_lose_parameters_then_templates_then_their_middle(sorting):
    def name(width):
        return next(line for line in fitted(sorting, width).splitlines() if "..." in line).split()[
            -1
        ]

    assert (
        "std::vector<std::pair<int, long>, std::allocator<int> >::bubble_sort(int*, int*)"
        in fitted(sorting, 300)
    )
    assert name(100) == "std::vector<...>::bubble_sort"
    assert name(20) == "std::vect...ble_sort"


def test_names_are_no_markup_and_drive_no_terminal(tmp_path):
    routines = [
        ("[bold]a[/bold]", 1, 1, 1),
        (":smile: b", 1, 1, 1),
        ("c\x1b[31m", 1, 1, 1),
    ]
    tables = [Table(i, [(1, 1, 2, 2, 2)]) for i in (1, 2, 3)]
    out = fitted(Builder(routines=routines, tables=tables).write(tmp_path / "p"), 200)
    assert "[bold]a[/bold]" in out and ":smile: b" in out and r"c\x1b[31m" in out
    assert ESCAPE not in out


def test_bytes_that_are_no_text(tmp_path):
    text = Builder(routines=[("NAME", 1, 1, 1)], tables=[Table(1, [(1, 1, 2, 2, 2)])]).text()
    body = text[: text.rindex("end ")].encode().replace(b"NAME", b"caf\xe9")
    (tmp_path / "p").write_bytes(bytes_with_end(body))
    command = [
        sys.executable,
        "-m",
        "aprofplot.commands.report",
        "--width=80",
        tmp_path / "p",
    ]
    variables = {**os.environ, "PYTHONPATH": str(SOURCE / "plot")}
    done = subprocess.run(command, env=variables, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"caf\xe9" in done.stdout


def test_an_empty_profile():
    out = io.StringIO()
    print_table(out, make_listing(profile([]), "bb", False, "cost", []), None, "cost", 60, False)
    assert "routine" in out.getvalue() and widest(out.getvalue()) <= 60


def test_five_thousand_routines(tmp_path):
    routines = [(f"ns::T<int, {i}>::f_{i}(int)", 1, 1, i) for i in range(1, 5001)]
    tables = [Table(i, [(1, 1, i, i, i)]) for i in range(1, 5001)]
    path = Builder(routines=routines, tables=tables).write(tmp_path / "p")
    lines = fitted(path, 80).splitlines()
    rows = [line for line in lines if "f_" in line]
    assert len(rows) == 5000
    assert "f_5000" in rows[0] and "f_1" in rows[-1]
    assert max(map(len, lines)) <= 80
