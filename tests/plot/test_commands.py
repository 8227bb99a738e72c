"""aprof-plot and aprof-report from the user's side: output, messages, exit statuses."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import time

import pytest
from builder import SOURCE, Builder, Table

from aprofplot.commands import plot as plot_command
from aprofplot.commands import report as report_command
from aprofplot.commands.loading import load_profiles
from aprofplot.commands.plot_options import PROGRAM_FIGURES

POINT = [(1, 1, 2, 2, 2)]
POINTS = [(1, 1, 2, 2, 2), (2, 1, 4, 4, 4)]


@pytest.fixture(autouse=True)
def no_display(monkeypatch):
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)


def plot(*arguments):
    return plot_command.main([str(a) for a in arguments])


def report(*arguments):
    return report_command.main([str(a) for a in arguments])


def one_line(capsys, *parts):
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    for part in parts:
        assert str(part) in error
    return error


def test_json_is_exactly_what_others_rely_on(sample, capsys):
    assert report("--format=json", sample) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["format"], found["version"]) == ("aprof-report", 1)
    assert found["runs"] == [{"command": "./app 1", "pid": 100, "threads": 2, "notes": []}]
    main, work = found["routines"]
    assert main["cost"] == {"bb": {"inclusive": 1000, "self": 1000}}
    assert main["points"] == {"trms": [], "rms": []}
    for key, value in {
        "name": "work",
        "object": "/bin/app",
        "file": "/src/app.c",
        "line": 3,
        "calls": 5,
        "threads": 2,
        "induced": {"thread": 3, "external": 4},
    }.items():
        assert work[key] == value
    first = work["points"]["trms"][0]
    assert (first["size"], first["calls"]) == (10, 3)
    assert {k: first["cost"]["bb"][k] for k in ("min", "max", "sum")} == {
        "min": 4,
        "max": 7,
        "sum": 16,
    }
    assert [p["size"] for p in work["points"]["rms"]] == [8, 10, 30]


def test_json_per_thread(sample, capsys):
    assert report("--format=json", "--per-thread", sample) == 0
    works = [r for r in json.loads(capsys.readouterr().out)["routines"] if r["name"] == "work"]
    threads = {r["thread"]["id"]: r for r in works}
    assert threads[2]["thread"] == {"id": 2, "name": "worker", "pid": 100}
    assert (threads[1]["calls"], threads[2]["calls"]) == (3, 2)


def test_csv_has_a_row_for_each_routine_and_point(sample, capsys):
    assert report("--format=csv", sample) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 6
    assert {row["name"] for row in rows} == {"work"}
    assert [row["size"] for row in rows if row["metric"] == "trms"] == [
        "10",
        "20",
        "30",
    ]
    assert rows[0]["bb_sum"] == "16"


def test_table(sample, capsys):
    assert report(sample) == 0
    out = capsys.readouterr().out
    rows = {line.split("  ")[-2]: line.split() for line in out.splitlines() if ":app.c:" in line}
    assert list(rows) == ["main", "work"]
    assert rows["main"][:6] == ["1,000", "93.9", "1,000", "93.9", "1", "1"]
    assert report("--top=1", sample) == 0
    assert "1 more routine: --top=2 shows all" in capsys.readouterr().out


def test_list(sample, capsys):
    assert plot("--list", sample) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == "bb % calls trms sizes rms sizes routine".split()
    assert lines[2].split()[:5] == ["65", "6.1", "5", "3", "3"]


def test_newest_profile_is_taken(sample, capsys, monkeypatch):
    old = Builder(tables=[Table(1, POINT)], command="old").write(sample.parent / "aprof.out.1")
    os.utime(old, (time.time() - 100,) * 2)
    monkeypatch.chdir(sample.parent)
    assert plot("--list") == 0
    assert "aprof.out.100" in capsys.readouterr().err


def process(folder, name, pid, parent, cost, age):
    """A profile of a process that `parent` started, written `age` seconds ago."""
    made = Builder(
        tables=[Table(1, [(1, 1, cost, cost, cost)])],
        command=f"/bin/{name}",
        pid=pid,
        options=["cost bb", f"parent {parent}"],
    )
    path = made.write(folder / f"aprof.out.{pid}{'.exec1' if 'exec' in name else ''}")
    os.utime(path, (time.time() - age,) * 2)


def test_the_costliest_of_the_newest_run_is_taken(tmp_path, capsys, monkeypatch):
    """gcc, started by a shell, has started cc1 and as, whose images it replaced; other runs are older."""
    process(tmp_path, "python", 50, 1, 10**9, age=100)
    process(tmp_path, "older", 60, 7, 10**8, age=50)
    process(tmp_path, "gcc", 100, 7, 4000, age=1)
    process(tmp_path, "cc1", 101, 100, 90_000, age=5)
    process(tmp_path, "exec-gcc", 101, 100, 10, age=9)
    process(tmp_path, "as", 102, 100, 6000, age=2)
    monkeypatch.chdir(tmp_path)
    assert plot("--list") == 0
    shown = capsys.readouterr().err.splitlines()
    assert shown[0].startswith("aprof-plot: reading aprof.out.101, the costliest of the 4 profiles")
    assert [line.split() for line in shown[1:]] == [
        ["aprof.out.101", "90.0", "%", "/bin/cc1"],
        ["aprof.out.102", "6.0", "%", "/bin/as"],
        ["aprof.out.100", "4.0", "%", "/bin/gcc"],
        ["aprof.out.101.exec1", "0.0", "%", "/bin/exec-gcc"],
    ]


def test_plots_are_written(sample, tmp_path, capsys):
    signatures = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for kind, signature in signatures.items():
        path = tmp_path / f"out.{kind}"
        assert plot("work", sample, "-o", path) == 0
        assert capsys.readouterr().out == f"{path}\n"
        assert path.read_bytes().startswith(signature)


@pytest.mark.parametrize(
    "options",
    [
        ["--metric=both"],
        ["--overlay"],
        ["--plot=workload"],
        ["--y=mean", "--self"],
        ["--y=total", "--log=xy"],
        ["--per-thread", "--log=x"],
        ["--metric=rms", "--y=min", "--log=none"],
        ["--plot=range", "--metric=both"],
        ["--bound=n log n", "--overlay", "--self"],
        ["--fit", "--style=paper"],
        ["--compare", "--style=dark"],
    ],
    ids=" ".join,
)
def test_every_kind_of_plot(options, sample, tmp_path):
    path = tmp_path / "out.png"
    assert plot("work", sample, "-o", path, *options) == 0
    assert path.stat().st_size > 5000


def test_without_output_and_display_a_file_is_named_for_the_routine(tmp_path, monkeypatch, capsys):
    routines = [("ns::f<int, (x)1>(std::vector<int> const&)", 1, 1, 1)]
    profile = Builder(routines=routines, tables=[Table(1, POINTS)]).write(tmp_path / "p")
    monkeypatch.chdir(tmp_path)
    assert plot("ns::f*", profile) == 0
    name = capsys.readouterr().out.strip()
    assert name == "ns_f_int_x_1_std_vector_int_const.png"
    assert (tmp_path / name).exists()


@pytest.mark.parametrize(
    "names, patterns",
    [
        (["operator/(A, A)", "operator<(A, A)", "operator<=(A, A)"], None),
        ([f"f({'std::string, ' * 9}{last})" for last in ("int", "long")], None),
        (["Sum(int)", "sum(int)"], None),  # one file where case does not count
        (["helper", "helper"], ["a.c:helper", "b.c:helper"]),
    ],
    ids=["operators", "long", "case", "namesakes"],
)
def test_routines_have_files_of_their_own(names, patterns, tmp_path, monkeypatch, capsys):
    routines = [(name, 1, number, 1) for number, name in enumerate(names, 1)]
    files = ["/src/a.c", "/src/b.c", "/src/c.c"][: len(names)]
    tables = [Table(number, POINTS) for number in range(1, len(names) + 1)]
    profile = Builder(files=files, routines=routines, tables=tables).write(tmp_path / "p")
    monkeypatch.chdir(tmp_path)
    for pattern in patterns or names:
        assert plot(pattern, profile) == 0
    made = capsys.readouterr().out.split()
    assert len({name.lower() for name in made}) == len(names)
    assert plot(patterns[0] if patterns else names[0], profile) == 0
    assert capsys.readouterr().out.split() == made[:1]  # the same again


def test_thin_data_is_said(sample, tmp_path, capsys):
    assert plot("work", sample, "-o", tmp_path / "o.png") == 0
    assert "3 distinct sizes: too few to see a trend (5 needed)" in capsys.readouterr().err


def test_a_single_point_is_drawn_and_said(tmp_path, capsys):
    profile = Builder(tables=[Table(2, POINT)]).write(tmp_path / "p")
    assert plot("work", profile, "-o", tmp_path / "o.png") == plot_command.SINGLE_POINT
    one_line(capsys, "1 distinct size: too few to see a trend")
    assert (tmp_path / "o.png").exists()


class TestSelection:
    @pytest.fixture
    def profile(self, tmp_path):
        routines = [
            ("helper", 1, 1, 1),
            ("helper", 1, 2, 1),
            ("std::sort<int*>(int*, int*)", 2, 0, 0),
            ("qsort", 2, 0, 0),
            ("operator new(unsigned long)", 2, 0, 0),
        ]
        return Builder(
            routines=routines,
            objects=["/bin/app", "/lib/libx.so.6"],
            files=["/src/one.c", "/src/two.c"],
            tables=[Table(i, POINTS) for i in range(1, 6)],
        ).write(tmp_path / "p")

    @pytest.mark.parametrize(
        "pattern",
        [
            "qsort",
            "q*t",
            "libx.so.6:qsort",
            "libx*:qs*",
            "/lib/libx.so.6:qsort",
            "std::sort<int*>",
            "std::sort*",
            "std::sort<int*>(int*, int*)",
            "libx.so.6:std::sort*",
            "operator new",
            "one.c:helper",
            "/src/two.c:helper",
        ],
    )
    def test_found(self, pattern, profile, tmp_path):
        assert plot(pattern, profile, "-o", tmp_path / "o.png") == 0

    def test_ambiguous_lists_candidates(self, profile, capsys):
        assert plot("helper", profile, "-o", "x.png") == 1
        error = capsys.readouterr().err
        assert "any of 2 routines" in error
        assert "one.c" in error and "two.c" in error

    def test_unknown_suggests(self, profile, capsys):
        assert plot("qsrot", profile, "-o", "x.png") == 1
        assert "qsort" in capsys.readouterr().err

    def test_nothing_like_it(self, profile, capsys):
        assert plot("zzzzzz", profile, "-o", "x.png") == 1
        one_line(capsys, "no routine matches 'zzzzzz'", "--list")


@pytest.mark.parametrize("command", [plot, report])
def test_bad_profiles(command, tmp_path, capsys, monkeypatch):
    first = ["work"] if command is plot else []
    monkeypatch.chdir(tmp_path)
    assert command(*first) == 1
    one_line(capsys, "no aprof.out.*", "valgrind --tool=aprof-trms")
    assert command(*first, "missing") == 1
    one_line(capsys, "missing", "No such file")
    assert command(*first, tmp_path) == 1
    one_line(capsys, "directory")
    whole = Builder(tables=[Table(2, POINT)]).text()
    (tmp_path / "cut").write_text(whole[:-30])
    assert command(*first, "cut") == 1
    one_line(capsys, "cut:", "truncated")
    (tmp_path / "new").write_text(whole.replace("profile 2", "profile 8", 1))
    assert command(*first, "new") == 1
    one_line(capsys, "version '8'", "versions 1, 2, 3, 4, 5, 6 and 7")


def test_nothing_to_plot(sample, capsys):
    assert plot("main", sample, "-o", "x.png") == 1
    one_line(capsys, "no activation of main (1 in all) returned")
    routines = [(name, 1, 1, 1) for name in ("f", "g", "h")]
    tables = [Table(i, [], unfinished=1) for i in (1, 2, 3)]
    several = Builder(routines=routines, tables=tables).write(sample.parent / "several")
    assert plot("*", several, "--all", "-o", "x.png") == 1
    one_line(capsys, "no activation of f and 2 more (3 in all) returned")
    assert plot("f", several, "--metric=external", "-o", "x.png") == 1
    one_line(capsys, "no activation of f (1 in all) returned")


def test_not_measured(tmp_path, capsys):
    builder = Builder(tables=[Table(2, POINTS)], metrics=("rms",))
    profile = builder.write(tmp_path / "p")
    assert plot("work", profile, "--metric=trms", "-o", tmp_path / "x.png") == 1
    one_line(capsys, "trms is not in this profile", "--input-metric=both")
    assert plot("work", profile, "--metric=external", "-o", tmp_path / "x.png") == 1
    one_line(capsys, "external is not in this profile", "--input-metric=both")
    assert plot("work", profile, "--cost=instr", "-o", tmp_path / "x.png") == 1
    one_line(capsys, f"instr is not in {profile}", "--cost=both")
    assert plot("work", profile, "-o", tmp_path / "x.png") == 0


@pytest.mark.parametrize("option", ["--cost=time", "--style=none", "--bound=none"])
def test_values_that_mean_nothing(option, sample, capsys):
    assert plot("work", sample, option) == 2
    one_line(capsys, option, "choose ")


@pytest.mark.parametrize("output, status", [("x.gif", 2), ("x", 2), ("none/x.png", 1)])
def test_bad_output(output, status, sample, capsys, monkeypatch):
    monkeypatch.chdir(sample.parent)
    assert plot("work", sample, "-o", output) == status
    one_line(capsys, output)


@pytest.mark.parametrize("figure", PROGRAM_FIGURES)
def test_every_program_figure(figure, sample, monkeypatch, capsys):
    monkeypatch.chdir(sample.parent)
    assert plot("--program", figure) == 0  # of the newest profile
    assert capsys.readouterr().out == f"{figure}.png\n"
    assert (sample.parent / f"{figure}.png").stat().st_size > 5000


def test_a_routine_where_there_can_be_none(sample, tmp_path, capsys):
    for option in ("--program=richness", "--list"):
        assert plot(option, "work", sample) == 2
        one_line(capsys, f"{option} takes no routine", "'work'")
        assert plot(option, sample, "work") == 1
        one_line(capsys, "work: cannot be read")


def test_an_unknown_bound(sample, tmp_path, capsys):
    for bound in ("n!", "n^0", "log log n"):
        assert plot("work", sample, "--bound", bound, "-o", tmp_path / "x.png") == 2
        one_line(capsys, f"--bound={bound}", "n log n", "n^C")
    single = Builder(tables=[Table(2, POINT)]).write(tmp_path / "p")
    assert plot("work", single, "--bound=log n", "-o", tmp_path / "x.png") == 1
    one_line(capsys, "1 size left out", "choose another --bound")


def test_an_unwritable_picture(sample, tmp_path, capsys):
    (tmp_path / "x.png").mkdir()
    assert plot("work", sample, "-o", tmp_path / "x.png") == 1
    assert f"{tmp_path / 'x.png'}: cannot be written" in capsys.readouterr().err
    assert plot("--program=induced", sample, "-o", tmp_path / "x.png") == 1
    assert f"{tmp_path / 'x.png'}: cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--list", "-o", "x.png"],
        ["f", "--y=median"],
        ["f", "--alpha=1"],
        ["f", "--plot=amortized", "--alpha=-1"],
        ["f", "--plot=amortized", "--alpha=nan"],
        ["f", "--plot=workload", "--fit"],
        ["f", "--bound=n", "--fit"],
        ["f", "--bound=n", "--plot=range"],
        ["f", "--plot=range", "--y=min"],
        ["f", "--plot=induced", "--metric=rms"],
        ["f", "--plot=induced", "--cost=bb"],
        ["f", "--plot=workload", "--self"],
        ["f", "--compare", "--per-thread"],
        ["f", "--label=x"],
        ["--program=best"],
        ["--program=sources", "--list"],
        ["--program=sources", "--log=x"],
        ["--program=richness", "--metric=rms"],
    ],
    ids=" ".join,
)
def test_bad_command_line(arguments, capsys):
    with pytest.raises(SystemExit) as exit_:
        plot(*arguments)
    assert exit_.value.code == 2


def test_help_has_examples_and_exit_statuses(capsys):
    for command in (plot, report):
        with pytest.raises(SystemExit) as exit_:
            command("--help")
        assert exit_.value.code == 0
        text = capsys.readouterr().out
        assert "examples:" in text and "exit status: 0" in text


def test_a_reader_that_stops_reading(sample):
    tables = [Table(i, POINT) for i in range(1, 3001)]
    routines = [(f"routine_{i}", 1, 1, i) for i in range(1, 3001)]
    large = Builder(routines=routines, tables=tables).write(sample.parent / "large")
    command = f"'{sys.executable}' -m aprofplot.commands.report --top=0 '{large}' | head -1"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE / "plot")}
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, check=False)
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


def test_what_counts_twice_is_said(tmp_path, capsys):
    table = [Table(2, points=POINTS)]
    last = Builder(tables=table).write(tmp_path / "aprof.out.100")
    dump = Builder(tables=table, reason="dump half-way").write(tmp_path / "aprof.out.100.dump1")
    other = Builder(tables=table, pid=101).write(tmp_path / "aprof.out.101")
    assert report(last, last) == 0
    assert one_line(capsys, last, "twice")
    assert report(last, dump) == 0
    assert one_line(capsys, last, dump, "twice")
    assert report(last, other) == 0
    assert capsys.readouterr().err == ""
    assert plot("work", last, dump, "--compare", "-o", tmp_path / "x.png") == 0
    assert "twice" not in capsys.readouterr().err


def test_more_routines_than_a_page_can_have(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = Builder(tables=[Table(2, POINT)]).write(tmp_path / "made")
    count = len(load_profiles([str(made)], False).routines)
    monkeypatch.setattr(report_command, "MOST_ROUTINES", count)
    assert report("--format=html", "-o", "page.html", made) == 0
    (tmp_path / "page.html").unlink()
    monkeypatch.setattr(report_command, "MOST_ROUTINES", count - 1)
    assert report("--format=html", "-o", "page.html", made) == 1
    one_line(capsys, f"{count} routines are more than the {count - 1}", "--filter")
    assert not (tmp_path / "page.html").exists()


def test_nothing_recorded(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    empty = Builder(tables=[], routines=[]).write(tmp_path / "empty")
    for command, *options in (
        (plot, "--list"),
        (report,),
        (report, "--format=html", "-o", "page.html"),
    ):
        assert command(*options, empty) == 1
        one_line(capsys, "no routine was recorded in", "profile again")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    "command, option, message",
    [
        (report, "--top=-1", "'-1' is not a number from 0 on"),
        (report, "--width=19", "'19' is too narrow: 20 or more"),
        (report, "--source-path=nowhere", "--source-path=nowhere: no such folder"),
        (plot, "--alpha=x", "'x' is not a number from 0 on"),
    ],
)
def test_bad_values(command, option, message, sample, capsys):
    with pytest.raises(SystemExit) as ended:
        command("work", sample, option)
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(f"{message}\n")


def test_no_finding_to_draw(sample, tmp_path, capsys):
    assert plot("--finding=1", sample) == 1
    one_line(capsys, "there is no finding 1: ", "the profile has no loops, run with --loops=yes")
    assert plot("--finding=1", "work", sample) == 2
    assert "--finding takes no routine, and no file is called 'work'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, what",
    [
        (["--finding=0"], "'0' is not a finding's number, 1 to 5"),
        (["--finding=first"], "'first' is not a finding's number"),
        (["--finding=1", "--metric=rms"], "--metric has no meaning with --finding"),
        (["--finding=1", "--list"], "--finding draws one finding: leave --list and --program out"),
    ],
)
def test_what_does_not_go_with_a_finding(arguments, what, sample, capsys):
    with pytest.raises(SystemExit) as end:
        plot(*arguments, sample)
    assert end.value.code == 2
    assert what in capsys.readouterr().err
