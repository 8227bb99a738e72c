"""The page in windows of a phone, a half and a whole screen: names come first, numbers are not cut."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from made_profiles import APP, profile, profiled, table

from aprofplot.model import Routine

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "plot"))

from builder import Builder, Context, Table  # noqa: E402
from work_span_builder import Site, WorkSpan  # noqa: E402

WIDTHS = (420, 1000, 1400)
LONG = "warehouse::inventory::Index<long, double>::insert_and_rebalance_{}(long, double)"


@pytest.fixture
def window(page):
    """window(width): of that many pixels, until the end of the test."""

    def resize(width):
        page.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        page.settle()

    yield resize
    page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def of_class(page, selector, what):
    """`what` of each element that the selector finds."""
    return page.run(
        f"return [...document.querySelectorAll(arguments[0])].map(e => {what})", selector
    )


def cut(page, selector):
    """The texts that do not have room."""
    script = "return [...document.querySelectorAll(arguments[0])]"
    script += ".filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"
    return page.run(script, selector)


@pytest.fixture(scope="module")
def routines(write):
    """Of long names and large costs; nothing of other threads or from outside."""
    sizes = [2**k for k in range(3, 13)]
    squares, lines = table(lambda n: n * n + 7, sizes), table(lambda n: 3 * n + 11, sizes)
    made = [
        profiled(
            Routine(LONG.format(i), APP, "/src/rebalance.cpp", 7, i),
            10**9 // i,
            10**8,
            10,
            points,
        )
        for i, points in enumerate([squares, lines, squares, lines], 1)
    ]
    return write(profile(made))


@pytest.mark.parametrize("width", WIDTHS)
def test_names_come_first(page, routines, window, width):
    window(width)
    page.load(routines)
    assert (
        min(of_class(page, "#routines td.name", "e.clientWidth"))
        >= {420: 190, 1000: 250, 1400: 350}[width]
    )
    place = page.find("#routines")
    assert page.run("return arguments[0].scrollWidth <= arguments[0].clientWidth", place)
    assert cut(page, "#routines td.number") == cut(page, "#routines th") == []


def test_problems_are_read_whole(page, routines, window):
    for width in (1000, 1400):
        window(width)
        page.load(routines)
        assert "Grows as n^2" in page.texts("#routines td.problems")[0]
        assert cut(page, "#routines td.problems") == []


def test_what_there_is_no_room_for(page, routines, window):
    """Goes one by one, the growth last, and is said; a wider window has it again."""
    page.load(routines)
    heads = []
    for width in (300, 420, 1000, 1400, 2000):
        window(width)
        heads.append(page.texts("#routines th"))
    assert [len(shown) for shown in heads] == sorted(len(shown) for shown in heads)
    assert heads[0][0] == "routine" and "growth" in heads[0]
    assert "object:file:line" in heads[-1] and "problem" in heads[-1]
    assert page.find(".hidden-columns").text == ""
    window(420)
    assert page.find(".hidden-columns").text.startswith("+ ")
    assert "problem" in page.find(".hidden-columns").get_attribute("title")


def test_the_number_that_sorts_stays(page, routines, window):
    window(1400)
    page.load(routines)
    page.click("[data-column=own]")
    window(420)
    assert "self" in page.texts("#routines th")


def test_columns_that_say_nothing_are_not_there(page, routines, write):
    page.load(routines)
    assert not {"thread %", "ext. %", "richness"} & set(page.texts("#routines th"))
    assert "thread %" not in page.texts("#details .threads th")
    fed = table(lambda n: n, range(10, 30), induced=3)
    page.load(write(profile([profiled(Routine("f", APP, "", 0, 1), 9, 9, 20, fed)])))
    assert "thread %" in page.texts("#routines th")
    assert not {"ext. %", "richness"} & set(page.texts("#routines th"))


@pytest.mark.parametrize("width", WIDTHS)
def test_heads_of_contexts_are_read(page, window, tmp_path, width):
    """Beside long names far down a tree, with short ones of files."""
    from aprofplot.commands.report import main as report

    names = [("main", 1, 1, 1), *((LONG.format(i), 1, 1, i) for i in range(2, 14))]
    cost = [(9, 1, 10**9, 10**9, 10**9)]
    tables = [Table(i, cost) for i in range(1, 14)]
    contexts = [Context(i - 1, Table(i, cost)) for i in range(1, 14)]
    made = Builder(routines=names, tables=tables, contexts=contexts).write(tmp_path / "p")
    assert report(["--format=html", "-o", str(tmp_path / "report.html"), str(made)]) == 0
    window(width)
    page.load(tmp_path / "report.html")
    page.click("#tab-contexts")
    assert len(page.texts("#contexts th")) >= 3
    assert cut(page, "#contexts th") == []


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """Many calls in one line of source, none of them spawned."""
    from aprofplot.read.work_span_reader import read_work_span
    from aprofplot.reports.work_span.page import write_page

    folder = tmp_path_factory.mktemp("sites")
    code = "long process_all_of_it(long argument) {\n  return a(b(c(d(e(f(argument))))) + g(h(argument)) * 12;\n}\n"
    (folder / "quicksort.c").write_text(code)
    triples = ((1, 10**9, 10**9),) * 3
    made = WorkSpan(
        routines=[("main", 1), *((f"shop::step_{name}(long)", 9) for name in "abcdefgh")],
        sites=[Site(0, 1, 0, triples), *(Site(1, i, 2, triples) for i in range(2, 10))],
    )
    made.loops = [
        "loop 1 2 0 8200 natural 1 20 22 step",
        f"executions 1 10{' 1 999999999 999999999' * 6}",
    ]
    read = read_work_span(str(made.write(folder / "p")))
    with (folder / "report.html").open("w") as out:
        write_page(out, read, [str(folder)])
    return folder / "report.html"


@pytest.mark.parametrize("width", WIDTHS[1:])
def test_tables_of_the_program_have_room(page, sites, window, width):
    window(width)
    page.load(sites)
    page.click("#tab-program")
    assert any("loop of step" in text for text in page.texts("#loops td"))
    assert cut(page, "#view-program .panel, #view-program .scroll") == []
    # Names come first.
    assert page.texts("#loops th")[0] == "loop"


@pytest.mark.parametrize("width", WIDTHS)
def test_call_sites(page, sites, window, width):
    window(width)
    page.load(sites)
    page.click("#tab-sites")
    assert cut(page, "#sites td.number") == cut(page, "#sites td.name") == []
    assert not {"spawned", "kind"} & set(page.texts("#sites th"))
    place = page.find("#sites")
    assert page.run("return arguments[0].scrollWidth <= arguments[0].clientWidth", place)


def test_of_a_long_place_the_line_is_seen(page, window, tmp_path):
    """And of a short one, which is nearly as long as its column."""
    from aprofplot.read.work_span_reader import read_work_span
    from aprofplot.reports.work_span.page import write_page

    triples = ((1, 10**9, 10**9),) * 3
    made = WorkSpan(
        sites=[
            Site(0, 1, 0, triples),
            *(Site(1, 1 + file, 1234, triples, file=file) for file in (1, 2)),
        ],
        files=("/src/inventory_of_the_warehouse_by_day.cpp", "/src/malloc.c"),
    )
    with (tmp_path / "report.html").open("w") as out:
        write_page(out, read_work_span(str(made.write(tmp_path / "p"))), [])
    window(1000)
    page.load(tmp_path / "report.html")
    page.click("#tab-sites")
    assert "inventory_of_the_warehouse_by_day.cpp" in cut(page, "#sites td.place .site > span")
    assert page.texts("#sites td.place .site > :last-child").count(":1234") == 2
    assert cut(page, "#sites td.place .site > :last-child") == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_source_is_read(page, sites, window, width):
    """However many calls are in a line: 50 characters of it, 25 on a phone."""
    window(width)
    page.load(sites)
    page.click("#tab-sites")
    seen = page.run(
        "const scroll = document.querySelector('#details .source .scroll'), code = scroll.querySelector('.start .code');"
        "const size = document.createElement('canvas').getContext('2d');"
        "size.font = getComputedStyle(code).font;"
        "return (scroll.getBoundingClientRect().right - code.getBoundingClientRect().left) / size.measureText('0').width"
    )
    assert seen >= (25 if width == 420 else 50)
    assert len(page.texts("#details .source .notes > *")) == 1 + 6


@pytest.fixture(scope="module")
def changes(tmp_path_factory):
    from aprofplot.commands import diff

    folder = tmp_path_factory.mktemp("diff")
    for side, factor in (("old", 1), ("new", 2)):
        points = [(n, 1, n * factor, n * factor, n * factor) for n in range(10, 200, 10)]
        routines = [("main", 1, 1, 1), (LONG.format(1), 1, 1, 3)]
        Builder(routines=routines, tables=[Table(2, points)]).write(folder / side)
    page = folder / "diff.html"
    assert diff.main(
        ["--format=html", "-o", str(page), str(folder / "old"), str(folder / "new")]
    ) in (0, 1)
    return page


@pytest.mark.parametrize("width", WIDTHS)
def test_names_of_changes(page, changes, window, width):
    window(width)
    page.driver.get(changes.as_uri())
    assert page.texts("th")[0] == "routine"
    (name,) = of_class(page, "td.name", "e.getBoundingClientRect().width")
    assert name >= {420: 240, 1000: 300, 1400: 400}[width]
    assert page.run("return document.documentElement.scrollWidth") <= width


def test_long_cells_of_changes_wrap(page, tmp_path, window):
    """Sizes that do not meet are compared by a law, which the cell has in words: all columns are in sight."""
    from aprofplot.commands import diff

    for side, shift, factor in (("old", 0, 1_000), ("new", 5, 5_000)):
        costs = {n + shift: (n + shift) * factor for n in range(10, 200, 10)}
        points = [(n, 10**6, cost, cost, 10**6 * cost) for n, cost in costs.items()]
        routines = [("main", 1, 1, 1), (LONG.format(1), 1, 1, 3)]
        Builder(routines=routines, tables=[Table(2, points)]).write(tmp_path / side)
    made = tmp_path / "diff.html"
    diff.main(["--format=html", "-o", str(made), str(tmp_path / "old"), str(tmp_path / "new")])
    window(1240)
    page.driver.get(made.as_uri())
    assert any("by law of" in text for text in page.texts("td"))
    (room,) = of_class(page, ".table", "e.clientWidth - e.scrollWidth")
    assert room >= 0


def test_changes_in_the_dark(page, changes):
    page.driver.get(changes.as_uri())
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    try:
        colours = "return ['color', 'backgroundColor'].map(c => getComputedStyle(document.body)[c])"
        ink, paper = ([int(p) for p in c[4:-1].split(",")] for c in page.run(colours))
        assert min(ink) > 200 and max(paper) < 40
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_of_a_long_name_the_qualifiers_give_way(page, routines, window):
    """The function's own name is in sight, of what room there ever is."""
    window(420)
    page.load(routines)
    seen = (
        "const cell = e.getBoundingClientRect(), own = e.querySelector('.site > :last-child');"
        "const from = own.getBoundingClientRect().left;"
        "return [own.textContent.split('(')[0], from > cell.left && from + 100 < cell.right];"
    )
    found = of_class(page, "#routines td.name", f"(() => {{ {seen} }})()")
    assert sorted(found) == [[f"insert_and_rebalance_{i}", True] for i in range(1, 5)]
