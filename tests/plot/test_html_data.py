"""The data of the page: points, sources, contexts, and any text."""

from __future__ import annotations

import io
import json
import random
import re

import numpy as np
import pytest
from builder import Builder, Table

from aprofplot.commands import report as report_command
from aprofplot.commands.loading import load_profiles
from aprofplot.merge import merge_threads
from aprofplot.model import (
    Profile,
    CallEdge,
    Context,
    CostTotal,
    PointTable,
    Routine,
    RoutineProfile,
    ThreadKey,
    column_names,
)
from aprofplot.reports.excerpts import excerpt
from aprofplot.reports.html.contexts import callers_and_callees, context_columns
from aprofplot.reports.html import thread_rows
from aprofplot.reports.html.data import page_data
from aprofplot.reports.html.fit_data import UNTOLD, curve_sizes, rows_of_digits
from aprofplot.reports.html.page import write_page
from aprofplot.reports.html.points import alias_equal, encode_points, thin_points
from aprofplot.reports.html.thread_rows import ThreadRows
from aprofplot.reports.sources import Sources, find_line


def table(sizes, calls=1):
    columns = column_names(("bb",))
    rows = np.zeros((len(columns), len(sizes)), dtype=np.int64)
    rows[0], rows[1] = sizes, calls
    for start in (4, 8):
        rows[start], rows[start + 1], rows[start + 2] = sizes, rows[0] * 2, rows[0] * 3
    return PointTable(0, columns, rows)


def data_of(paths, *folders):
    rows = ThreadRows()
    profile = load_profiles([str(path) for path in paths], per_thread=False, each=rows.add)
    return page_data(profile, rows, folders)


def page_of(path, *folders):
    out = io.StringIO()
    data = data_of([path], *folders)
    write_page(out, data)
    return out.getvalue(), data


class TestPoints:
    def test_columns_that_repeat_are_said_once(self):
        encoded = encode_points(table([10, 20], calls=2), ("bb",), 100)
        assert encoded["columns"] == [
            [10, 20], [2], [0], 2,  # size, calls, thread, external
            [20, 40], [15, 30], 0, [30, 60],  # max, mean, min, total
            4, 5, 0, 7,  # and of the self cost
        ]  # fmt: skip
        assert (encoded["n"], encoded["of"], encoded["merged"]) == (2, 2, 0)

    def test_more_than_a_plot_can_show_are_merged(self):
        thin = thin_points(table(list(range(1, 1001))), 100)
        assert 50 < len(thin) <= 100
        assert thin.precision == 4
        assert thin.column("calls").sum() == 1000
        assert thin.column("bb.sum").sum() == 3 * sum(range(1, 1001))
        last = thin.column("size")[-1]
        assert (last, thin.column("bb.min")[-1], thin.column("bb.max")[-1]) == (
            980,
            960,
            2000,
        )

    @pytest.mark.parametrize("most", [2, 40, 300])
    def test_as_many_digits_as_leave_room(self, most):
        choose = random.Random(most)
        for bits in (9, 30, 62):
            sizes = sorted({0, *(choose.getrandbits(choose.randint(1, bits)) for _ in range(900))})

            def groups(digits):
                drops = [max(0, size.bit_length() - digits) for size in sizes]
                return len({size >> drop << drop for size, drop in zip(sizes, drops)})

            thin = thin_points(table(sizes), most)
            expected = max((d for d in range(1, 54) if groups(d) <= most), default=1)
            if len(sizes) > most:
                assert (thin.precision, len(thin)) == (expected, groups(expected))

    def test_what_equals_another_metrics_is_its_name(self):
        same, other = {"n": 1}, {"n": 2}
        assert alias_equal({"trms": same, "rms": dict(same)}) == {
            "trms": same,
            "rms": "trms",
        }
        assert alias_equal({"trms": same, "rms": other}) == {"trms": same, "rms": other}


def test_curves_have_five_digits():
    """As decimal fractions: 0.1 and not 0.10000000000000001."""
    drawn = np.random.default_rng(4)
    values = drawn.standard_normal(3000) * 10.0 ** drawn.uniform(-12, 12, 3000)
    (shown,) = rows_of_digits(values[None])
    assert shown == [float(f"{value:.5g}") for value in values]
    assert rows_of_digits(np.array([[0.0, np.inf, -np.nan, 1.0, 99999.6]])) == [
        [0.0, None, None, 1.0, 1e5]
    ]


def test_a_curve_is_smooth_on_both_kinds_of_axes():
    sizes = curve_sizes(np.array([0.0, 5.0, 1e6]))
    assert (sizes[0], sizes[-1]) == (0, 1e6)
    assert np.diff(sizes).max() < 1e6 / 20
    assert np.diff(np.log10(sizes[sizes >= 1])).max() < 0.3


def found(folder, name):
    """The source file of that name below `folder`."""
    return Sources([str(folder)], made_here=False).find("/bin/app", name)


class TestExcerpts:
    C = "int a;\n\n/* It. */\nstatic int\nf(void)\n{\n  return '}' + \"}\"[0]; // }\n}\n\nint g(void) { return 1; }\n"

    @pytest.mark.parametrize("line, first, last", [(5, 3, 8), (6, 3, 8), (10, 10, 10)])
    def test_a_routine_s_part(self, tmp_path, line, first, last):
        """With its comment and type; braces in strings and comments end nothing."""
        (tmp_path / "f.c").write_text(self.C)
        part = excerpt(found(tmp_path, "f.c"), line, None)
        assert (part.first, part.first + len(part.lines) - 1) == (first, last)

    def test_without_braces_up_to_the_next_routine(self, tmp_path):
        (tmp_path / "s.f90").write_text("\n".join(f"line {i}" for i in range(1, 101)))
        source = found(tmp_path, "s.f90")
        assert len(excerpt(source, 50, 60).lines) == 10 + 4  # four lines before it
        assert excerpt(source, 50, None).lines[-1] == "line 100"
        sources = Sources([str(tmp_path)], made_here=False)
        there, beyond = (find_line(sources, "/bin/app", "s.f90", line) for line in (100, 101))
        assert there == source
        assert beyond["missing"] == "The file has 100 lines, not 101: it is another version."

    def test_long_routines_and_lines_are_cut(self, tmp_path):
        (tmp_path / "s.c").write_text("void f() {\n" + "x;\n" * 400 + "}\n" + "y" * 9999)
        source = found(tmp_path, "s.c")
        part = excerpt(source, 1, None)
        assert part.cut and len(part.lines) == 250
        assert len(source.lines[-1]) < 500


def profiled(name, inclusive, calls, thread=1):
    routine = Routine(name, "/app", "", 0, ord(name))
    cost = {"bb": CostTotal(inclusive, inclusive)}
    points = {"trms": table([calls])}
    return RoutineProfile(routine, (ThreadKey(0, thread),), calls, 0, 0, 0, cost, points)


class TestContexts:
    NUMBERS = {profiled(name, 0, 0).routine.key: i for i, name in enumerate("abc")}

    def test_one_of_each_path_over_all_threads(self):
        contexts = [
            Context(-1, profiled("a", 10, 1)), Context(0, profiled("b", 5, 2)), Context(0, profiled("c", 1, 1)),
            Context(-1, profiled("a", 20, 1, 2)), Context(3, profiled("b", 7, 3, 2)), Context(4, profiled("b", 1, 1, 2)),
        ]  # fmt: skip
        contexts = merge_threads(Profile((), (), (), (), (), tuple(contexts))).contexts
        columns = context_columns(contexts, self.NUMBERS, ("bb",), "trms")
        assert columns["merged"] == []
        assert columns["parent"] == [-1, 0, 0, 1]
        assert columns["routine"] == [0, 1, 2, 1]
        assert columns["calls"] == [2, 5, 1, 1]
        assert columns["inclusive"] == [[30, 12, 1, 1]]
        assert columns["sizes"] == [1, 2, 1, 1]

    def test_callers_and_callees_over_all_threads(self):
        a, b, c = (profiled(name, 0, 0).routine for name in "abc")
        edges = [
            CallEdge(a, b, (ThreadKey(0, 1),), 2, {"bb": 10}, 0, {"bb": 10}),
            CallEdge(a, b, (ThreadKey(0, 2),), 3, {"bb": 5}, 0, {"bb": 5}),
            CallEdge(c, b, (ThreadKey(0, 1),), 1, {"bb": 25}, 0, {"bb": 20}),
        ]
        edges = merge_threads(Profile((), (), (), (), tuple(edges))).calls
        callers, callees = callers_and_callees(edges, self.NUMBERS, ("bb",))
        assert callers == {1: [[2, 1, [20]], [0, 5, [15]]]}
        assert callees == {0: [[1, 5, [15]]], 2: [[1, 1, [20]]]}


class TestPage:
    def test_numbers_are_those_of_the_profile(self, sample):
        _, data = page_of(sample)
        routines = data.summary["routines"]
        assert routines["name"] == ["main", "work"]
        assert routines["inclusive"] == [[1000, 65]]
        assert routines["calls"] == [1, 5]
        assert routines["metric"][0]["sizes"] == [0, 3]
        assert routines["induced"][1] == [3.75, 5.0]  # 3 and 4 of 80
        threads = data.details[1]()["threads"]
        assert (threads["id"], threads["calls"], threads["inclusive"]) == (
            [2, 1],
            [2, 3],
            [[44, 21]],
        )

    def test_nothing_in_a_name_ends_a_script(self, tmp_path):
        evil = "</script><!--<script>&"
        profile = Builder(
            routines=[(evil, 1, 1, 1)],
            tables=[Table(1, [(1, 1, 1, 1, 1)])],
            command=evil,
        )
        text, _ = page_of(profile.write(tmp_path / "p"))
        assert evil not in text and text.count("<script") == text.count("</script>") == 4
        summary = re.search(r'id="summary-data">(.*?)</script>', text)[1]
        assert json.loads(summary)["routines"]["name"] == [evil]

    def test_only_its_own_script_and_style_may_run(self, sample):
        """Their digests are in the policy, which allows nothing else."""
        text, _ = page_of(sample)
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
        assert policy.startswith("default-src 'none'") and policy.count("sha256-") == 2
        assert "unsafe" not in policy

    def test_several_runs_are_headed_by_their_programs(self, tmp_path):
        commands = ["/bin/sort a", "xz b", "sort c", "'a b' c", "make", "ls"]
        paths = [
            Builder(command=command, pid=number).write(tmp_path / f"p{number}")
            for number, command in enumerate(commands)
        ]

        def title(*indices):
            return data_of([paths[i] for i in indices]).title

        assert title(0) == "/bin/sort a"
        assert title(0, 2) == "sort: 2 runs"
        assert title(*range(6)) == "sort, xz, a b, 2 more programs: 6 runs"

    def test_of_many_threads_the_costliest_are_shown(self, tmp_path, monkeypatch):
        monkeypatch.setattr(thread_rows, "_THREADS", 1)
        paths = [
            Builder(pid=cost, tables=[Table(2, [(4, 2, cost, cost, 2 * cost)])]).write(
                tmp_path / f"p{cost}"
            )
            for cost in (20, 10, 30, 25)
        ]
        (work,) = data_of(paths).details
        threads = work()["threads"]
        assert (threads["run"], threads["id"], threads["calls"]) == ([2], [1], [2])
        assert threads["inclusive"] == threads["own"] == [[60]]
        assert (threads["sizes"], threads["more"]) == ([1], 3)

    def test_cannot_tell_is_last_in_growth(self, sample):
        _, data = page_of(sample)
        assert data.summary["routines"]["metric"][0]["rank"] == [[UNTOLD, UNTOLD]]
        assert data.details[1]()["fits"][0]["trms"]["reason"] == "3 distinct sizes; 5 needed"


class TestCommand:
    def report(self, *arguments):
        return report_command.main([str(a) for a in arguments])

    def test_default_name(self, sample, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        assert self.report("--format=html", sample) == 0
        assert capsys.readouterr().out == "aprof-report.html\n"
        assert (tmp_path / "aprof-report.html").read_text().startswith("<!doctype html>")

    def test_output_of_every_format(self, sample, tmp_path, capsys):
        starts = {
            "html": "<!doctype",
            "json": '{"format"',
            "csv": "name,",
            "text": "./app 1",
        }
        for kind, start in starts.items():
            path = tmp_path / f"report.{kind}"
            assert self.report(f"--format={kind}", "-o", path, sample) == 0
            assert path.read_text().startswith(start)
        capsys.readouterr()
        assert self.report("--format=html", "-o", "-", sample) == 0
        assert capsys.readouterr().out.endswith("</html>\n")

    def test_a_place_that_cannot_be_written(self, sample, tmp_path, capsys):
        path = tmp_path / "missing" / "report.html"
        assert self.report("--format=html", "-o", path, sample) == 1
        error = capsys.readouterr().err
        assert error == (
            f"aprof-report: {path}: cannot be written: No such file or directory;"
            " name another file to write\n"
        )

    def test_calls_in_the_source_are_found_whatever_the_compiler_made_of_their_names(
        self, tmp_path
    ):
        code = "int f() {\n  render(1);\n  s.bubble(a); quick<int>(b);\n  go ();\n}\n"
        (tmp_path / "a.cpp").write_text(code)
        callees = ["shop::Service::render[abi:cxx11](int) const", "bubble(int*) [clone .isra.0]"]
        callees += ["void quick<int>(int*)", "main.go.constprop.0"]
        routines = [("f()", 1, 1, 1), *((name, 1, 1, 20) for name in callees)]
        tables = [Table(1, [(1, 1, 9, 9, 9)])]
        tables += [Table(i, [(1, 1, 2, 2, 2)], callers=[(1, 1, 0, 2, 2)]) for i in range(2, 6)]
        builder = Builder(routines=routines, files=["/s/a.cpp"], tables=tables)
        data = data_of([builder.write(tmp_path / "p")], str(tmp_path))
        names = data.summary["routines"]["name"]
        calls = data.details[names.index("f()")]()["source"]["calls"]
        marked = [(line, names[number]) for line, number in calls]
        assert marked == [(2, callees[0]), (3, callees[1]), (3, callees[2]), (4, callees[3])]

    def test_of_callees_with_one_name_all_are_marked(self, tmp_path):
        (tmp_path / "a.cpp").write_text("int f() {\n  return s.price(1) + other::price(2);\n}\n")
        callees = ["shop::Service::price(int) const", "other::price(int)"]
        routines = [("f()", 1, 1, 1), *((name, 1, 1, 20) for name in callees)]
        tables = [Table(1, [(1, 1, 9, 9, 9)])]
        tables += [Table(i, [(1, 1, 2, 2, 2)], callers=[(1, 1, 0, 2, 2)]) for i in range(2, 4)]
        builder = Builder(routines=routines, files=["/s/a.cpp"], tables=tables)
        data = data_of([builder.write(tmp_path / "p")], str(tmp_path))
        names = data.summary["routines"]["name"]
        calls = data.details[names.index("f()")]()["source"]["calls"]
        assert sorted((line, names[number]) for line, number in calls) == [
            (2, callees[1]),
            (2, callees[0]),
        ]

    def test_source_path(self, sample, tmp_path):
        (tmp_path / "src").mkdir()
        (tmp_path / "src" / "app.c").write_text("int x;\n\nint work(void) { return 1; }\n")
        out = tmp_path / "r.html"
        assert (
            self.report("--format=html", "--source-path", tmp_path / "src", "-o", out, sample) == 0
        )
        assert "int work(void)" in out.read_text()


def test_start_up_has_no_problems(tmp_path):
    """The same points in the program and in the dynamic linker: n^2."""
    points = [(n, 1, n * n, n * n, n * n) for n in range(10, 200, 10)]
    made = Builder(
        [("work", 1, 1, 3), ("_dl_relocate_object", 2, 0, 0)],
        objects=("/bin/app", "/lib64/ld-linux-x86-64.so.2"),
        tables=[Table(1, points), Table(2, points)],
    )
    shown = data_of([made.write(tmp_path / "p")]).summary["routines"]
    (found,) = [dict(zip(shown["name"], problems)) for problems in shown["problems"]]
    assert found["work"] and found["_dl_relocate_object"] == []
    assert dict(zip(shown["name"], shown["startUp"])) == {"work": 0, "_dl_relocate_object": 1}


def test_the_entry_of_a_stripped_program_is_start_up(tmp_path):
    """It has no name; it calls the C library's first function. A list sorted by problems has it last."""
    points = [(n, 1, n * n, n * n, n * n) for n in range(10, 200, 10)]
    cost = sum(n * n for n in range(10, 200, 10))
    once = [(1, 1, 9, 9, 9)]
    made = Builder(
        [("0x1080", 1, 0, 0), ("__libc_start_main", 2, 0, 0), ("0x1170", 1, 0, 0)],
        objects=("/bin/app", "/lib64/libc.so.6"),
        tables=[
            Table(1, points),
            Table(2, once, callers=[(1, 1, 0, 9, 9)]),
            Table(3, points, callers=[(2, len(points), 0, cost, cost)]),
        ],
    )
    shown = data_of([made.write(tmp_path / "p")]).summary["routines"]
    assert dict(zip(shown["name"], shown["startUp"])) == {
        "0x1080": 1,
        "__libc_start_main": 1,
        "0x1170": 0,
    }
    problems = dict(zip(shown["name"], shown["problems"][0]))
    assert problems["0x1170"] and problems["0x1080"] == []
