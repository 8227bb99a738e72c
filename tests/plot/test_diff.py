"""aprof-diff from the user's side: verdicts, order, formats, exit statuses."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import jsonschema
import numpy as np
import pytest
from builder import SOURCE, Builder, Table

from aprofplot.commands import diff as diff_command
from aprofplot.commands.loading import load_profiles
from aprofplot.compare.changes import Criteria, compare
from aprofplot.compare.growth import compare_growth
from aprofplot.compare.ratios import compare_costs, curve
from aprofplot.fits.fitting import fit_table
from aprofplot.fits.law import Fit, Law, RunnerUp
from aprofplot.model import CostTotal, PointTable

SIZES = range(10, 410, 10)
ROUTINES = [
    ("main", 1, 1, 10),
    ("work", 1, 1, 3),
    ("other", 1, 1, 7),
    ("last", 1, 1, 9),
]


def points(cost, sizes=SIZES):
    """Called once on each size."""
    return [(n, 1, *[int(cost(n))] * 3) for n in sizes]


def profile(path, *curves, routines=ROUTINES, **more):
    """work, other and last have these points."""
    tables = [Table(i, curve) for i, curve in enumerate(curves, 2)]
    return Builder(routines=routines, tables=tables, **more).write(path)


def diff(*arguments):
    return diff_command.main([str(a) for a in arguments])


def changes(capsys, *arguments):
    """The JSON report's changes by OLD's name, checked against the schema; the whole; the status."""
    status = diff("--format=json", *arguments)
    report = json.loads(capsys.readouterr().out)
    schema = json.loads((SOURCE / "docs/schema/aprof-diff.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(report)
    return (
        {change["old"]["name"]: change for change in report["changes"]},
        report,
        status,
    )


def linear(n):
    return 20 * n


def test_growth_cost_and_what_is_the_same(tmp_path, capsys):
    old = profile(tmp_path / "o", points(linear), points(linear), points(linear))
    new = profile(
        tmp_path / "n",
        points(linear),
        points(lambda n: n * n),
        points(lambda n: 22 * n),
    )
    found, report, status = changes(capsys, old, new)
    assert status == 1
    assert list(found) == ["other", "last", "work"]  # growth, then cost, then nothing
    assert [c["kind"] for c in found.values()] == [
        "growth worse",
        "cost higher",
        "unchanged",
    ]
    other = found["other"]
    assert (other["old"]["fit"]["model"], other["new"]["fit"]["model"]) == ("n", "n^2")
    assert other["growth"] == {"change": "worse", "reason": ""}
    last = found["last"]["cost_at_equal_size"]
    assert (last["median"], last["sizes"], last["basis"]) == (1.1, 40, "common sizes")
    assert last["quartiles"] == [1.1, 1.1]
    assert report["regressions"] == {"growth": 1, "cost": 1, "any": 2}
    found, _, status = changes(capsys, new, old)
    assert status == 0
    assert [c["kind"] for c in found.values()] == [
        "growth better",
        "cost lower",
        "unchanged",
    ]


def test_thresholds(tmp_path, capsys):
    old = profile(tmp_path / "o", points(linear), points(linear))
    new = profile(tmp_path / "n", points(lambda n: 20.8 * n), points(linear))
    for option, kind in (("5%", "unchanged"), ("3", "cost higher")):
        found, _, status = changes(capsys, f"--threshold={option}", old, new)
        assert (found["work"]["kind"], status) == (kind, int(kind != "unchanged"))
    found, report, _ = changes(capsys, "--min-share=60", old, new)
    assert (found, report["left_out"]) == ({}, 2)


@pytest.mark.parametrize(
    "choice, status", [("any", 1), ("growth", 0), ("cost", 1), ("none", 0)], ids=str
)
def test_what_fails(choice, status, tmp_path, capsys):
    old = profile(tmp_path / "o", points(linear))
    new = profile(tmp_path / "n", points(lambda n: 30 * n))
    assert diff(f"--fail-on={choice}", old, new) == status


def test_the_steeper_change_of_the_larger_share_comes_first(tmp_path, capsys):
    old = profile(tmp_path / "o", points(linear), points(linear), points(linear))
    curves = [
        points(lambda n: 20 * n**1.5),
        points(lambda n: 20 * n**2),
        points(lambda n: n**2),
    ]
    new = profile(tmp_path / "n", *curves)
    found, _, _ = changes(capsys, old, new)
    assert list(found) == ["other", "last", "work"]


def test_growth_is_known_only_when_both_fits_tell(tmp_path, capsys):
    few = points(lambda n: n * n, sizes=(10, 20, 40))
    old, new = profile(tmp_path / "o", points(linear)), profile(tmp_path / "n", few)
    found, _, _ = changes(capsys, old, new)
    growth = found["work"]["growth"]
    assert growth["change"] == "cannot tell"
    assert growth["reason"] == "NEW: 3 distinct sizes; 5 needed"


def test_near_ties_are_no_change():
    """OLD may be n log n, too, which NEW is."""

    def fit(model, *others):
        ties = tuple(RunnerUp(Law(other, 0, 1), other, 1.0, 0.4) for other in others)
        return Fit(model, Law(model, 0, 1), model, 1.0, 0.9, ties, others)

    assert compare_growth(fit("n"), fit("n log n")).kind == "worse"
    assert compare_growth(fit("n log n"), fit("n")).kind == "better"
    assert compare_growth(fit("n", "n log n"), fit("n log n")).kind == "same"
    assert compare_growth(fit("n log n"), fit("n", "n log n")).kind == "same"


def test_growth_must_show_by_the_threshold(tmp_path, capsys):
    """NEW / OLD is 0.7 at small sizes and 0.9 at large ones."""
    old = profile(tmp_path / "o", points(lambda n: 1000 + 10 * n))
    new = profile(tmp_path / "n", points(lambda n: 1000 + n * n / 40))
    found, _, _ = changes(capsys, old, new)
    assert found["work"]["kind"] == "growth worse"
    found, _, _ = changes(capsys, "--threshold=50%", old, new)
    assert found["work"]["growth"]["change"] == "same"


def test_growth_that_does_not_show_has_not_changed(tmp_path, capsys):
    """Another law, but within 2 % of the cost."""
    old = profile(tmp_path / "o", points(lambda n: 1_000_000 + 10 * n))
    new = profile(tmp_path / "n", points(lambda n: 1_000_000 + n * n / 10))
    found, _, status = changes(capsys, old, new)
    assert (found["work"]["kind"], status) == ("unchanged", 0)


def test_sizes_without_overlap_are_not_compared(tmp_path, capsys):
    old = profile(tmp_path / "o", points(linear))
    new = profile(tmp_path / "n", points(lambda n: n * n, sizes=range(1000, 9000, 200)))
    found, _, status = changes(capsys, old, new)
    work = found["work"]
    assert (work["kind"], work["cost_at_equal_size"], status) == ("more work", None, 0)
    assert work["growth"]["reason"] == "the two sides have no input sizes in common"


@pytest.mark.parametrize("few_on", ["OLD", "NEW"])
def test_other_sizes_are_compared_by_the_law(few_on, tmp_path, capsys):
    many, few = points(linear), points(lambda n: 30 * n, sizes=(15, 105, 205, 305))
    old = profile(tmp_path / "o", few if few_on == "OLD" else many)
    new = profile(tmp_path / "n", many if few_on == "OLD" else few)
    found, _, _ = changes(capsys, old, new)
    ratio = found["work"]["cost_at_equal_size"]
    assert ratio["basis"] == ("law of NEW" if few_on == "OLD" else "law of OLD")
    assert ratio["median"] == pytest.approx(1.5 if few_on == "NEW" else 1 / 1.5, rel=0.01)
    assert (ratio["sizes"], ratio["largest_size"]) == (4, 305)


def test_few_common_sizes_do_not_decide(tmp_path, capsys):
    few = points(lambda n: (20 if n == 10 else 30) * n, sizes=(10, 105, 205, 305))
    old, new = profile(tmp_path / "o", points(linear)), profile(tmp_path / "n", few)
    found, _, _ = changes(capsys, old, new)
    ratio = found["work"]["cost_at_equal_size"]
    assert (ratio["basis"], ratio["sizes"]) == ("law of OLD", 4)
    assert ratio["median"] == pytest.approx(1.5, rel=0.01)


def test_a_small_size_that_is_common_by_chance_does_not_decide(tmp_path, capsys):
    """A half of the calls, and an eighth of the cost."""
    old = profile(tmp_path / "o", [(936, 1, *[2958] * 3), (4132, 1, *[20469] * 3)])
    new = profile(tmp_path / "n", [(936, 1, *[3121] * 3), (4124, 1, *[20438] * 3)])
    found, _, _ = changes(capsys, old, new)
    work = found["work"]
    assert (work["kind"], work["cost_at_equal_size"]) == ("unchanged", None)


def test_common_sizes_decide_whatever_the_law_says(tmp_path, capsys):
    """As of a copy whose cost jumps: all common sizes agree, and the others are far off OLD's law."""
    common = points(linear, sizes=range(10, 60, 10))
    old = profile(tmp_path / "o", common + points(linear, sizes=range(100, 400, 10)))
    new = profile(tmp_path / "n", common + points(lambda n: 2000 * n, sizes=range(105, 400, 10)))
    found, _, _ = changes(capsys, old, new)
    ratio = found["work"]["cost_at_equal_size"]
    assert (ratio["median"], ratio["sizes"], ratio["basis"]) == (1.0, 5, "common sizes")
    assert found["work"]["kind"] == "more work"


def test_a_size_weighs_as_many_calls_as_it_has(tmp_path, capsys):
    """One large call of many small ones costs thrice as much."""
    old = profile(tmp_path / "o", [(10, 99, 200, 200, 19800), *points(linear, sizes=[5000])])
    new = profile(tmp_path / "n", [(10, 99, 200, 200, 19800), (5000, 1, *[300_000] * 3)])
    found, _, status = changes(capsys, old, new)
    assert (found["work"]["cost_at_equal_size"]["median"], status) == (1.0, 0)


@pytest.mark.parametrize("calls, higher", [(4, False), (400, True)], ids=str)
def test_a_difference_that_chance_explains_is_none(calls, higher):
    """Half of the calls of a size cost half of their mean, the others one and a half of it; that
    mean is 10 % higher in NEW."""

    def scattered(mean):
        columns = ("size", "calls", *(f"bb.{s}" for s in ("min", "max", "sum", "sumsq")))
        rows = [[n, calls, 0, 0, calls * mean * n, calls * (mean * n) ** 2 * 5 // 4] for n in SIZES]
        table = PointTable(0, columns, np.array(rows[:2], dtype=object).T)
        return curve(table, "bb", "mean", fit_table(table, "bb"))

    ratio = compare_costs(scattered(20), scattered(22))
    assert ratio is not None
    assert ratio.median == pytest.approx(1.1)
    # Of 2 sizes on 2 sides; the deviation is half of the mean.
    assert ratio.error == pytest.approx(3.3 * 0.5 / (calls - 1) ** 0.5, rel=0.2)
    assert ratio.higher(0.05) == higher


def test_confidence_is_part_of_what_a_law_says(tmp_path, capsys):
    old = profile(tmp_path / "o", points(linear))
    new = profile(tmp_path / "n", points(lambda n: 30 * n, sizes=(15, 105, 205, 305)))
    found, _, _ = changes(capsys, old, new)
    confidence = found["work"]["cost_at_equal_size"]["confidence"]
    diff(old, new)
    assert f"  4 by law of OLD ({100 * confidence:.0f} %)  " in capsys.readouterr().out


def test_one_outlier_is_no_regression(tmp_path, capsys):
    old = profile(tmp_path / "o", points(linear))
    new = profile(tmp_path / "n", points(lambda n: 20 * n * (50 if n == 200 else 1)))
    found, _, _ = changes(capsys, old, new)
    assert found["work"]["cost_at_equal_size"]["median"] == 1.0
    assert found["work"]["kind"] == "more work"


def test_who_only_calls_what_changed_comes_later(tmp_path):
    """work has the same change as other, but none of it in its own code."""
    curves = points(linear), points(lambda n: 30 * n)
    old, new = (
        load_profiles([str(profile(tmp_path / str(i), curve, curve))], False)
        for i, curve in enumerate(curves)
    )

    def without_own_cost(one):
        changed = [
            replace(r, cost={"bb": CostTotal(r.cost["bb"].inclusive, 1000)})
            if r.routine.name == "work"
            else r
            for r in one.routines
        ]
        return replace(one, routines=tuple(changed))

    found = compare(without_own_cost(old), without_own_cost(new), Criteria("bb", "trms"))
    parts = [(change.match.new.routine.name, change.own_part) for change in found.changes]
    assert parts == [("other", 1.0), ("work", 0.0)]
    assert found.changes[0].weight == pytest.approx(2 * found.changes[1].weight)


def test_new_and_vanished(tmp_path, capsys):
    curves = [points(linear), points(linear)]
    old = profile(tmp_path / "o", *curves)
    new = profile(
        tmp_path / "n",
        *curves,
        routines=[ROUTINES[0], ROUTINES[1], ("fresh", 1, 1, 30)],
    )
    _, report, status = changes(capsys, old, new)
    assert [r["name"] for r in report["new_routines"]] == ["fresh"]
    assert [r["name"] for r in report["vanished_routines"]] == ["other"]
    assert (report["new_routines"][0]["share"], status) == (50.0, 0)
    for renames in (["--map=other=fresh"], ["--map-file", tmp_path / "map"]):
        (tmp_path / "map").write_text("# renamed\n\n  other = fresh\n")
        found, report, _ = changes(capsys, *renames, old, new)
        assert found["other"]["matched_by"] == "map"
        assert report["new_routines"] == report["vanished_routines"] == []


def test_renames_that_do_not_fit(tmp_path, capsys):
    one = profile(tmp_path / "o", points(linear))
    assert diff("--map=other=fresh", one, one) == 0
    assert "note: --map: 'other=fresh' fits no routines" in capsys.readouterr().err
    (tmp_path / "map").write_text("work=work\nfresh\n")
    assert diff("--map-file", tmp_path / "map", one, one) == 3
    assert "map:2: 'fresh' is not a rename; write OLD=NEW" in capsys.readouterr().err
    assert diff("--map-file", tmp_path / "none", one, one) == 3
    assert "none: cannot be read" in capsys.readouterr().err


def test_several_profiles_a_side(tmp_path, capsys):
    old = [profile(tmp_path / f"o{i}", points(linear), pid=i) for i in (1, 2)]
    new = [profile(tmp_path / f"n{i}", points(linear), pid=i) for i in (3, 4, 5)]
    found, report, status = changes(capsys, "--old", *old, "--new", *new)
    assert [len(report[side]["runs"]) for side in ("old", "new")] == [2, 3]
    assert (found["work"]["old"]["calls"], found["work"]["new"]["calls"]) == (80, 120)
    assert (found["work"]["kind"], status) == ("more work", 0)


def test_text(tmp_path, capsys):
    old = profile(tmp_path / "o", points(linear), points(linear))
    new = profile(tmp_path / "n", points(lambda n: n * n), points(linear))
    assert diff(old, new) == 1
    out = capsys.readouterr().out
    assert "Growth got worse (1 routine)" in out
    (row,) = [line for line in out.splitlines() if "app:app.c:3" in line]
    assert row.split()[:3] == ["n", "->", "n^2"]
    assert row.split("  work  ")[0].split()[-2:] == ["%", "40"]
    assert "1 unchanged within 5 % (--all shows them)" in out
    both, *parts = map(
        int, re.findall(r"(\d+) (?:routine|changed|unch|left)", out.splitlines()[-1])
    )
    assert both == sum(parts) and len(parts) >= 2
    assert "other" not in out
    assert diff("--all", old, new) == 1
    assert "Unchanged (1 routine)" in capsys.readouterr().out


class Page(HTMLParser):
    """What a page refers to, and its tables' cells."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.images = [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.images += tag == "svg"
        self.links += [given[a] for a in ("href", "src", "xlink:href") if a in given]
        self.ids += [given["id"]] if tag == "figure" else []


def test_page(tmp_path, capsys):
    routines = [("main", 1, 1, 10), ("f<int>(a&)</script>", 1, 1, 3), ("same", 1, 1, 7)]
    old = profile(tmp_path / "o", points(linear), points(linear), routines=routines)
    new = profile(tmp_path / "n", points(lambda n: n * n), points(linear), routines=routines)
    output = tmp_path / "page.html"
    assert diff("--format=html", "-o", output, old, new) == 1
    assert capsys.readouterr().out == f"{output}\n"
    text = output.read_text()
    page = Page(text)
    assert (page.images, page.ids) == (1, ["plot-0"])
    assert all(link.startswith("#") for link in page.links)  # offline
    assert "f&lt;int&gt;(a&amp;)&lt;/script&gt;" in text
    assert text.count("</script>") == 1
    assert "1 regression: " in text
    assert re.search(r"OLD n: 20 n<", text)


def test_nothing_in_common_cannot_be_told(tmp_path, capsys):
    old = profile(tmp_path / "o", points(linear))
    new = profile(tmp_path / "n", points(linear), routines=[("a", 1, 1, 1), ("b", 1, 1, 2)])
    assert diff(old, new) == 2
    assert "--map pairs renamed ones" in capsys.readouterr().err


def test_units_must_agree(tmp_path, capsys):
    old = profile(tmp_path / "o", points(linear))
    new = profile(tmp_path / "n", points(linear), cell_bytes=8)
    assert diff(old, new) == 3
    assert "input size trms is in cells of 4 bytes and in cells of 8" in capsys.readouterr().err
    assert diff("--cost=instr", old, old) == 3
    assert f"cost instr is not in {old}, which has bb" in capsys.readouterr().err
    assert diff("--cost=parallelism", old, old) == 3
    assert "a ratio, which does not add up" in capsys.readouterr().err
    assert diff(old, profile(tmp_path / "r", points(linear), metrics=("rms",))) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a"],
        ["a", "b", "c"],
        ["--old", "a"],
        ["--threshold=x", "a", "b"],
        ["-x", "a", "b"],
    ],
    ids=" ".join,
)
def test_bad_command_line(arguments, capsys):
    with pytest.raises(SystemExit) as exit_:
        diff(*arguments)
    assert exit_.value.code == 3
    assert "aprof-diff: error: " in capsys.readouterr().err


def test_bad_profiles_and_outputs(tmp_path, capsys):
    one = profile(tmp_path / "o", points(linear))
    assert diff(one, tmp_path / "missing") == 3
    assert diff("-o", tmp_path / "no" / "x", one, one) == 3
    assert capsys.readouterr().err.count("\n") == 2


def test_a_profile_is_not_written_over(tmp_path, capsys):
    path = Builder(tables=[Table(2, [(1, 1, 1, 1, 1)])]).write(tmp_path / "p")
    before = path.read_bytes()
    assert diff_command.main(["-o", str(path), str(path), str(path)]) == 3
    assert "p is an input and would be overwritten" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_minus_is_standard_output(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Builder(tables=[Table(2, [(1, 1, 1, 1, 1)])]).write(tmp_path / "p")
    assert diff_command.main(["-o", "-", str(path), str(path)]) == 0
    assert capsys.readouterr().out.startswith("OLD  ./app 1")
    assert [p.name for p in tmp_path.iterdir()] == ["p"]
