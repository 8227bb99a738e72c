"""Commands in broken surroundings: streams, folders, names. There is never a traceback."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest
from builder import SOURCE, Builder, Table, bytes_with_end

from aprofplot.commands import plot as plot_command
from aprofplot.commands import report as report_command

POINTS = [(1, 1, 2, 2, 2), (2, 1, 4, 4, 4)]


@pytest.fixture(autouse=True)
def no_display(monkeypatch):
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)


def shell(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`report` and `plot` in `command` stand for the two commands."""
    for word in ("report", "plot"):
        command = command.replace(word + " ", f"'{sys.executable}' -m aprofplot.commands.{word} ")
    variables = {**os.environ, "PYTHONPATH": str(SOURCE / "plot"), **environment}
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("command", ["report p", "report --format=json p", "plot --list p"])
@pytest.mark.parametrize("sink, says", [(">/dev/full", "No space left"), (">&-", "closed")])
def test_output_that_cannot_be_written(command, sink, says, tmp_path):
    Builder(tables=[Table(2, POINTS)]).write(tmp_path / "p")
    done = shell(f"{command} {sink}", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "standard output" in done.stderr and says in done.stderr


def test_a_terminal_that_only_knows_ascii(tmp_path):
    routines = [("main", 1, 1, 1), ("größe", 1, 1, 1)]
    Builder(routines=routines, tables=[Table(2, POINTS)]).write(tmp_path / "p")
    done = shell("report p", tmp_path, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert r"gr\xf6\xdfe" in done.stdout


def raw_name(path: Path, name: bytes) -> Path:
    """A profile whose routine has a name that the builder cannot write."""
    builder = Builder(routines=[("main", 1, 1, 1), ("NAME", 1, 1, 1)], tables=[Table(2, POINTS)])
    whole = builder.text().encode().replace(b"NAME", name)
    body = whole[: whole.rindex(b"end ")]
    path.write_bytes(bytes_with_end(body))
    return path


def test_names_cannot_break_lines_or_drive_the_terminal(tmp_path, capsys):
    path = str(raw_name(tmp_path / "p", rb"a\nb" + b"\x1b[31m\tc"))
    for arguments in ([path], ["--top=0", path]):
        assert report_command.main(arguments) == 0
        assert r"a\x0ab\x1b[31m\x09c  app:app.c:1" in capsys.readouterr().out
    assert plot_command.main(["--list", path]) == 0
    assert r"a\x0ab\x1b[31m\x09c  app:app.c:1" in capsys.readouterr().out
    assert plot_command.main(["a?d", path]) == 1
    assert "\x1b" not in capsys.readouterr().err


def test_json_is_unicode_whatever_the_names(tmp_path, capsys):
    path = raw_name(tmp_path / "p", b"bad\xffname")
    assert report_command.main(["--format=json", str(path)]) == 0
    (routine,) = json.loads(capsys.readouterr().out)["routines"]
    assert routine["name"] == r"bad\xffname"


@pytest.mark.parametrize("name", ["w$\\\\foo$", "関数", "_", "x" * 3000], ids=range(4))
def test_every_name_can_be_drawn(name, tmp_path, capsys):
    builder = Builder(
        routines=[("main", 1, 1, 1), (name, 1, 1, 1)],
        threads=("", "t$\\\\foo$", "関数"),
        tables=[Table(2, POINTS, thread=i) for i in (1, 2, 3)],
        command="./app '$\\\\foo$'",
    )
    path = builder.write(tmp_path / "p")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output = str(tmp_path / "o.png")
        assert plot_command.main(["*", str(path), "--per-thread", "-o", output]) == 0
        assert capsys.readouterr().err.count("\n") == 1
        many = [
            "*",
            str(path),
            "--per-thread",
            "--plot=range",
            "--style=paper",
            "--overlay",
        ]
        assert plot_command.main([*many, "-o", output]) == 0


def test_newest_profile_is_a_profile(tmp_path, monkeypatch, capsys):
    Builder(tables=[Table(2, POINTS)]).write(tmp_path / "aprof.out.1")
    now = time.time() + 100
    os.symlink("nowhere", tmp_path / "aprof.out.2")
    (tmp_path / "aprof.out.3").mkdir()
    for number, suffix in enumerate(("png", "svg", "pdf", "json", "csv", "part"), 4):
        made = tmp_path / f"aprof.out.1.{suffix}"
        made.write_text("")
        os.utime(made, (now + number, now + number))
    monkeypatch.chdir(tmp_path)
    assert plot_command.main(["--list"]) == 0
    assert capsys.readouterr().err.endswith("aprof.out.1\n")


def launcher(folder: Path, name: str, package: Path) -> Path:
    """The installed command, as the Makefile makes it."""
    text = (SOURCE / "plot" / f"{name}.in").read_text()
    path = folder / name
    path.write_text(
        text.replace("@PYTHON@", sys.executable).replace("@aprof_pythondir@", str(package))
    )
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("name", ["aprof-plot", "aprof-report"])
def test_launchers(name, tmp_path):
    command = launcher(tmp_path, name, SOURCE / "plot")
    done = subprocess.run([command, "missing", "missing"], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{name}: missing: cannot be read")


@pytest.mark.parametrize("name, module", [("aprof-plot", "matplotlib"), ("aprof-report", "numpy")])
def test_a_missing_python_module_is_named(name, module, tmp_path):
    Builder(tables=[Table(2, POINTS)]).write(tmp_path / "p")
    (tmp_path / "poison").mkdir()
    poison = f"raise ModuleNotFoundError('none', name='{module}')"
    (tmp_path / "poison" / f"{module}.py").write_text(poison)
    arguments = ["work", "p", "-o", "x.png"] if name == "aprof-plot" else ["p"]
    done = subprocess.run(
        [launcher(tmp_path, name, SOURCE / "plot"), *arguments],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "poison")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"{name}: Python module {module} is missing" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", sorted(path.stem for path in SOURCE.glob("plot/*.in")))
def test_help_needs_no_module_but_those_that_configure_finds(name, tmp_path):
    """The build makes manual pages of it."""
    for module in "jinja2", "jsonschema", "markupsafe", "psutil", "rich", "scipy", "snakemake":
        (tmp_path / f"{module}.py").write_text(f"raise ModuleNotFoundError(name='{module}')")
    done = subprocess.run(
        [launcher(tmp_path, name, SOURCE / "plot"), "--help"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: {name} ")


def test_interrupted_while_loading(tmp_path):
    (tmp_path / "numpy.py").write_text("raise KeyboardInterrupt")
    command = launcher(tmp_path, "aprof-report", SOURCE / "plot")
    variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([command, "p"], env=variables, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "aprof-report: interrupted\n")


def test_interrupted_while_reading(tmp_path):
    command = launcher(tmp_path, "aprof-report", SOURCE / "plot")
    os.mkfifo(tmp_path / "p")
    process = subprocess.Popen(
        [command, tmp_path / "p"],
        stderr=subprocess.PIPE,
        text=True,
        # A test run in the background inherits that SIGINT is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with open(tmp_path / "p", "wb"):  # waits for its reader
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=20)
    assert (process.returncode, error) == (130, "aprof-report: interrupted\n")


def test_an_entry_for_each_routine_of_a_name(tmp_path, capsys):
    """Two routines of one name in one file, as of macros, are two, with --per-thread, too."""
    routines = [("twin", 1, 1, 3), ("twin", 1, 1, 7)]
    builder = Builder(routines=routines, tables=[Table(1, POINTS), Table(2, POINTS)])
    path = str(builder.write(tmp_path / "p"))
    for arguments in ([path], ["--per-thread", path]):
        assert report_command.main(["--format=json", *arguments]) == 0
        twins = json.loads(capsys.readouterr().out)["routines"]
        assert [(t["calls"], [p["calls"] for p in t["points"]["trms"]]) for t in twins] == [
            (2, [1, 1]),
            (2, [1, 1]),
        ]


@pytest.mark.parametrize("form", ["json", "csv"])
def test_large_reports_take_little_more_memory_than_the_profile(form, tmp_path):
    points = [(size, 1, size, size, size) for size in range(1, 100_001)]
    profile = Builder(tables=[Table(2, points)], metrics=("trms",)).write(tmp_path / "p")
    script = (
        "import sys; from aprofplot.commands import report; report.main(sys.argv[1:]); "
        "sys.stderr.write(open('/proc/self/status').read())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, f"--format={form}", profile],
        env={**os.environ, "PYTHONPATH": str(SOURCE / "plot")},
        capture_output=True,
        text=True,
    )
    if form == "json":
        (routine,) = json.loads(done.stdout)["routines"]
        rows = routine["points"]["trms"]
    else:
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [int(row["size"]) for row in rows] == list(range(1, 100_001))
    peak = int(re.search(r"VmHWM:\s*(\d+) kB", done.stderr)[1]) * 1000
    python_and_numpy = 60_000_000
    assert peak < python_and_numpy + 10 * profile.stat().st_size
