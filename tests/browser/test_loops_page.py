"""Loops in the page: the tree of object, file, routine, loop and line, and brackets beside the source."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from aprofplot.read.profile_reader import read_profile

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "plot"))

from builder import with_loops, write_records  # noqa: E402
from test_loops_read import CONTEXTS as TWO_CONTEXTS  # noqa: E402
from test_loops_read import EXECUTIONS, HEADER, LOOPS, OF_TWO, TABLES  # noqa: E402
from test_loops_read import IN_CONTEXTS as LOOPS_IN_CONTEXTS  # noqa: E402

IN_CONTEXTS = OF_TWO + LOOPS + TWO_CONTEXTS + LOOPS_IN_CONTEXTS
WIDTHS = (420, 1000, 1400)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With the source: contains() at line 11, main() at line 20."""
    place = tmp_path_factory.mktemp("src")
    lines = {11: "int contains(int *a, int n) {", 12: "  while (n--)", 13: "    if (*a++) return 1;", 14: "}",
             20: "int main() {", 22: "  for (int i = 0; i < 64; i++)", 23: "    if (contains(a, i))", 25: "      add(i);", 27: "}"}  # fmt: skip
    (place / "scan.c").write_text("\n".join(lines.get(n, "") for n in range(1, 28)) + "\n")
    return place


@pytest.fixture
def loops(page, write, folder):
    text = (HEADER + LOOPS + TABLES + EXECUTIONS).replace("/home/me/scan.c", str(folder / "scan.c"))
    page.load(write(read_profile(write_records(folder, text)), str(folder)))
    page.click("#tab-loops")
    return page


def rows(page):
    shown = page.find_all("#loops tr[data-index]") if hasattr(page, "find_all") else None
    if shown is None:
        shown = page.driver.find_elements("css selector", "#loops tr[data-index]")
    return [[cell.text for cell in row.find_elements("css selector", "td")] for row in shown]


def test_the_tree_is_open_to_the_costliest_loop(loops):
    names = [row[0].lstrip("▾▸ \n") for row in rows(loops)]
    assert names == [
        "scan",
        "scan.c",
        "main",
        "loop at scan.c:22-25",
        "loop at scan.c:12-13 in contains",
    ]
    assert [row[1:5] for row in rows(loops)[2:]] == [
        ["100.0", "1.7", "", "1"],
        ["98.3", "29.0", "64", "1"],
        ["69.3", "69.3", "33", "64"],
    ]


# By routine, file, line and function: instructions, bb. They add up to main's self cost.
LINES = """\
lines 9
1 0 0 0 0 10
1 1 12 2 8000 2080
1 1 13 2 4000 2080
1 1 20 0 50 50
1 1 22 0 700 700
1 1 23 0 1036 1036
1 1 24 0 2 2
1 1 25 0 2 2
1 1 27 0 40 40
"""
WITH_LINES = with_loops(6, "scan").replace("option loops", "option lines yes\noption loops")
WITH_LINES += "routine 1 1 1 20 4096 main\nfunction 2 contains\n" + LOOPS + TABLES


def names(page, selector):
    """Of the rows of a tree, each with its level."""
    script = "return [...document.querySelectorAll(arguments[0])].map(r => [+r.ariaLevel, r.cells[0].textContent])"
    return [
        (level, name.lstrip("▾▸")) for level, name in page.run(script, f"{selector} tr[data-index]")
    ]


def open_all(page, selector):
    closed = f"{selector} tr[aria-expanded='false'] .twist"
    while page.driver.find_elements("css selector", closed):
        page.click(closed)


ALL_LEVELS = [
    (1, "scan"),
    (2, "scan.c"),
    (3, "main"),
    (4, "loop at scan.c:22-25"),
    (5, "loop at scan.c:12-13 in contains"),
    (6, "scan.c:12"),
    (6, "scan.c:13"),
    (5, "scan.c:23"),
    (5, "scan.c:22"),
    (5, "2 more lines"),
    (4, "scan.c:20"),
    (4, "scan.c:27"),
    (4, "code without lines"),
]


def test_lines_are_the_lowest_level(page, write, folder):
    page.load(write(read_profile(write_records(folder, WITH_LINES + EXECUTIONS + LINES))))
    page.click("#tab-loops")
    assert (6, "scan.c:12") in names(page, "#loops")  # of the costliest loop
    open_all(page, "#loops")
    assert names(page, "#loops") == ALL_LEVELS
    shown = [row[1:4] + row[-1:] for row in rows(page)]
    assert shown[7] == ["", "17.3", "", ""]  # percent of the run by itself, nothing else
    page.click("#loops tr[data-index='7'] td:nth-child(3)")
    assert "main" in page.find("#details h2").text


def test_lines_by_context_are_those_of_routines_with_one(page, write, folder):
    in_one = """\
contexts 1 0
context 1 0 1 1 1 0 0 0 6000 6000
points rms 1 0
100 1 0 0 0 6000 6000 6000 36000000 6000 6000 6000 36000000
"""
    loops_in_one = EXECUTIONS.replace("loops 2", "context-loops 2")
    loops_in_one = loops_in_one.replace("loop-table", "context-loop")
    records = WITH_LINES.replace("profile 6", "profile 7") + in_one + EXECUTIONS + loops_in_one
    page.load(write(read_profile(write_records(folder, records + LINES))))
    page.click("#tab-contexts")
    open_all(page, "#contexts")
    in_main = [(level - 2, name) for level, name in ALL_LEVELS[2:]]
    assert names(page, "#contexts") == in_main

    two = IN_CONTEXTS.replace("option loops", "option lines yes\noption loops")
    two = two.replace("thread 1 0", "function 2 contains\nthread 1 0", 1)
    lines = LINES.replace(" 50 50", " 6050 6050")
    page.load(write(read_profile(write_records(folder, two + lines))))
    page.click("#tab-contexts")
    open_all(page, "#contexts")
    assert {name for _, name in names(page, "#contexts")} == {"main", "again"} | {
        name for _, name in ALL_LEVELS[3:5]
    }
    page.choose("tree", "flat")
    open_all(page, "#contexts")
    missing = set(ALL_LEVELS) - set(names(page, "#contexts"))
    assert missing == {(5, "2 more lines")}  # less than 0.05 % of this run


def test_it_closes_and_opens_by_keys(loops):
    loops.click("#loops tr[data-index='3'] td")
    loops.driver.switch_to.active_element.send_keys("\ue012")  # left
    assert len(rows(loops)) == 4
    loops.click("#hot-loop")
    assert len(rows(loops)) == 5


ONCE = "6000 6000 6000 36000000"
CONTEXTS = f"""\
routine 2 1 1 30 4200 again
{LOOPS}thread 1 0 - main
table 1 1 2 0 0 0 12000 12000
points rms 1 0
100 2 0 0 0 {'6000 6000 12000 72000000 ' * 2}
callers 2
0 1 0 6000 6000
2 1 0 6000 6000
table 1 2 1 0 0 0 6000 0
points rms 1 0
10 1 0 0 0 {ONCE} 0 0 0 0
callers 1
0 1 0 6000 6000
contexts 3 0
context 1 0 1 1 1 0 0 0 6000 6000
points rms 1 0
100 1 0 0 0 {ONCE} {ONCE}
context 2 0 1 2 1 0 0 0 6000 0
points rms 1 0
10 1 0 0 0 {ONCE} 0 0 0 0
context 3 2 1 1 1 0 0 0 6000 6000
points rms 1 0
100 1 0 0 0 {ONCE} {ONCE}
""".replace(
    " \n", "\n"
)


def test_loops_have_numbers_of_their_own_in_each_context(page, write, folder):
    """The outer loop is around the inner one in one of the two only."""
    page.load(write(read_profile(write_records(folder, IN_CONTEXTS)), str(folder)))
    page.click("#tab-contexts")

    def names():
        found = page.driver.find_elements("css selector", "#contexts tr[data-index]")
        return [row.text.replace("\n", " ").lstrip("▾▸ ") for row in found]

    page.click("#view-contexts button[title^='Opens'] ~ button")  # collapse
    closed = "#contexts tr[aria-expanded='false'] .twist"
    while page.driver.find_elements("css selector", closed):
        page.click(closed)
    inner = [name for name in names() if name.startswith("loop at scan.c:12-13 in contains")]
    assert len(inner) == 2 and "in all" not in " ".join(names())
    assert len([name for name in names() if name.startswith("loop at scan.c:22")]) == 1
    costs = sorted(name.split("contains ")[1].split()[:2] for name in inner)
    assert costs == [["4,096", "34.1"], ["64", "0.5"]]  # of 12,000


def test_loops_stand_below_their_routine_in_each_context(page, write, folder):
    """Before format version 7, they are not by context: their numbers are those of both."""
    records = HEADER + CONTEXTS + EXECUTIONS
    page.load(write(read_profile(write_records(folder, records)), str(folder)))
    page.click("#tab-contexts")

    def names():
        found = page.driver.find_elements("css selector", "#contexts tr[data-index] td:first-child")
        return [cell.text.lstrip("▾▸ \n") for cell in found]

    page.click("#view-contexts button[title^='Opens'] ~ button")  # collapse
    assert sorted(names()) == ["again", "main"]
    main = names().index("main")
    page.click(f"#contexts tr[data-index='{main}'] .twist")
    assert names()[main + 1] == "loop at scan.c:22-25, in all 2 contexts"
    page.click(f"#contexts tr[data-index='{main + 1}'] .twist")
    assert names()[main + 2] == "loop at scan.c:12-13 in contains, in all 2 contexts"
    page.click(f"#contexts tr[data-index='{names().index('again')}'] .twist")
    page.click(f"#contexts tr[data-index='{names().index('main', main + 1)}'] .twist")
    assert names().count("loop at scan.c:22-25, in all 2 contexts") == 2


def test_brackets_and_trips_beside_the_source(loops):
    loops.click("#loops tr[data-index='3'] td")
    main, inlined = loops.driver.find_elements("css selector", "#details .source table")
    gutter = {
        cells[1].text: cells[2].get_attribute("textContent").strip()
        for row in main.find_elements("css selector", "tr")
        if (cells := row.find_elements("css selector", "td"))
    }
    assert [gutter[line] for line in ("22", "23", "24", "25", "26")] == ["┌", "│", "│", "└", ""]
    assert "↻64" in main.text and "↻33 ×64" in inlined.text
    assert "Inlined: contains" in loops.find("#details").text


def test_what_the_page_holds_is_listed(loops, folder):
    """Lines of inlined code, too."""
    loops.click("#tab-runs")
    (held,) = loops.texts("#held li")
    assert held == f"{folder}/scan.c  (14 lines)"


@pytest.mark.parametrize("width", WIDTHS)
def test_numbers_are_whole_in_any_window(loops, width):
    loops.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    loops.settle()
    script = "return [...document.querySelectorAll('#loops th, #loops td.number')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"
    assert loops.run(script) == []
    loops.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_profile_without_loops_has_no_such_view(page, write, folder):
    without = (HEADER + LOOPS + TABLES + "loops 0\n").replace("option loops yes\n", "")
    page.load(write(read_profile(write_records(folder, without))))
    assert not page.find("#tab-loops").is_displayed()
