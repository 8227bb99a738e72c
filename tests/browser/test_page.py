"""aprof-report --format=html in a real browser: everything that can be clicked, typed and read."""

from __future__ import annotations

import base64
import os
import re

import pytest
from made_profiles import APP, Sample, profile, profiled, recursive, table

from aprofplot.model import Routine

ENTER, ESCAPE, DOWN, UP, RIGHT, LEFT, TAB, END = (
    "\ue007", "\ue00c", "\ue015", "\ue013", "\ue014", "\ue012", "\ue004", "\ue010"
)  # fmt: skip

APP_C = """\
#include <string.h>

static void sort(int *a, int n) {
  for (int i = 0; i < n; i++)
    copy(a, i); // } is no end
}

/* Runs all. */
int

main(void)
{
  sort(a, n);
}
"""


@pytest.fixture(scope="module")
def path(write, tmp_path_factory):
    source = tmp_path_factory.mktemp("src") / "app.c"
    source.write_text(APP_C)
    return write(Sample.at("/build/app/app.c").whole(), str(source.parent))


@pytest.fixture
def sample(page, path):
    page.load(path)
    return page


def names(page):
    return page.texts("#routines td.name")


def name_of_details(page):
    return page.find("#details-name").text


def notes(page):
    return [text for text in page.texts(".source td.notes") if text]


def figures(page, tree="#contexts"):
    """Name, cost, self, calls of each row of a tree."""
    return page.run(
        "return [...document.querySelectorAll(arguments[0] + ' tr[data-index]')].map(r => {"
        "  const c = [...r.cells].map(d => d.textContent.replace(/[▸▾]/, ''));"
        "  return [c[0], Number(c[1].replace(/,/g, '')), Number(c[3].replace(/,/g, '')), Number(c[5])]; })",
        tree,
    )


def test_first_look(sample):
    """Problems first, the worst of them open; nothing is asked of a network."""
    assert names(sample) == ["sort", "feed", "main", "copy"]
    assert name_of_details(sample) == "sort"
    assert sample.texts("#details .problems li") == [
        "Grows as n^2: 60.0 % of the cost, 50.0 % by itself."
    ]
    assert sample.find("#facts").text == "pid 100, 1 thread, 10,000 guest basic blocks"
    assert sample.run("return performance.getEntriesByType('resource').length") == 0


def test_size_of_the_file(path, record_property):
    """Less than a photograph; what is in a report comes to it."""
    record_property("bytes", path.stat().st_size)
    print(f"{path.stat().st_size} bytes")
    assert path.stat().st_size < 150_000
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", path.read_text())


def test_row_of_the_table(sample):
    row = sample.texts("#routines tr[data-index='1'] td")
    assert row == [
        "feed", "app:feed.c:5", "3,000", "30.0", "2,500", "25.0", "10", "10", "4,096", "n", "100",
        "0.7", "4.00", "RMS misleads here: it sees 2 distinct sizes of 10 and cannot tell; TRMS says n.",
    ]  # fmt: skip


def test_a_richness_just_below_zero_has_no_sign(page, write):
    fewer, more = (table(lambda n: n, range(10, 10 + count)) for count in (399, 400))
    routine = Routine("work", APP, "", 0, 1)
    page.load(write(profile([profiled(routine, 9, 9, 400, fewer, more)])))
    heads = page.texts("#routines th")
    assert page.texts("#routines tr[data-index='0'] td")[heads.index("richness")] == "0.00"


def test_the_address_tells_namesakes_apart(page, write):
    routines = [Routine("work", APP, f"/src/{name}.c", 7, 0) for name in ("one", "two")]
    points = table(lambda n: n, range(10, 20))
    path = write(profile([profiled(r, 9 - i, 9, 10, points) for i, r in enumerate(routines)]))
    page.load(path)
    page.click("#routines tr[data-index='1'] td")
    assert page.find("#details .place").text == "app:two.c:7"
    address = page.run("return location.hash")
    page.load(path)
    assert page.find("#details .place").text == "app:one.c:7"
    page.run("location.hash = arguments[0]", address)
    page.wait("document.querySelector('#details .place').textContent === 'app:two.c:7'")


def test_sort(sample):
    sample.click("[data-column=inclusive]")
    assert names(sample) == ["main", "sort", "feed", "copy"]
    assert (
        sample.run("return document.querySelector('th[aria-sort=descending]').textContent")
        == "cost"
    )
    sample.click("[data-column=inclusive]")
    assert names(sample) == ["copy", "feed", "sort", "main"]
    sample.click("[data-column=name]")
    assert names(sample) == ["copy", "feed", "main", "sort"]
    sample.click("[data-column=growth]")
    assert names(sample) == ["sort", "feed", "main", "copy"]


def test_a_growth_in_doubt_says_so_and_comes_after_what_is_known(page, write):
    """As of the table in a terminal: without its first size it is rather sqrt n."""
    costs = {48: 87, 145: 767, 152: 862, 158: 851, 173: 956, 176: 857, 179: 963, 183: 939}
    costs |= {190: 1012, 196: 1034}
    curves = {
        "few": table(lambda n: n, [4, 5]),
        "hangs": table(costs.__getitem__, list(costs)),
        "constant": table(lambda n: 7, range(10, 30)),
    }
    made = [
        profiled(Routine(name, APP, "", 0, i), 9 - i, 1, 10, points)
        for i, (name, points) in enumerate(curves.items())
    ]
    page.load(write(profile(made)))
    page.click("[data-column=growth]")
    assert names(page) == ["constant", "hangs", "few"]
    growths = [page.texts(f"#routines tr[data-index='{i}'] td")[9] for i in range(3)]
    assert growths == ["1", "log n?", "?"]


def test_search(sample):
    sample.press("/")
    sample.press("NOWHERE", " fe")
    assert names(sample) == ["feed"]
    assert sample.find("#count").text == "1 of 4 routines"
    sample.press("x")
    assert names(sample) == []
    assert sample.find("#routines .note").text == "No routine passes the filters."
    sample.press(ESCAPE)
    assert len(names(sample)) == 4


@pytest.mark.parametrize(
    "name, option, left",
    [
        ("object", "libc.so.6 (1)", ["copy"]),
        ("file", "app.c (2)", ["sort", "main"]),
        ("growth", "n^2 (1)", ["sort"]),
        ("growth", "cannot tell (2)", ["main", "copy"]),
        ("problem", "RMS misleads (1)", ["feed"]),
    ],
)
def test_filters(sample, name, option, left):
    texts = {
        o.text: o for o in sample.find(f"#filter-{name}").find_elements("css selector", "option")
    }
    texts[option].click()
    assert names(sample) == left
    sample.click("#reset")
    assert len(names(sample)) == 4


def test_my_code_only(sample):
    sample.click("#mine")
    assert names(sample) == ["sort", "feed", "main"]


def test_click_shows_a_routine(sample):
    sample.click("#routines tr[data-index='3'] td")
    assert name_of_details(sample) == "copy"
    assert sample.texts(".fits .verdict td") == [
        "cannot tell (2 distinct sizes; 5 needed)",
        "as TRMS",
    ]
    assert (
        sample.find(".plot-panel .remark").text
        == "2 distinct sizes: too few to see a trend (5 needed)."
    )
    assert sample.run("return document.querySelector('.points').dataset.points") == "2"
    sample.click("#routines tr[data-index='2'] td")
    assert "No points" in sample.find(".picture").text


def test_fit_and_runners_up(sample):
    assert sample.texts(".fits .verdict td")[:2] == ["n^2", "7 + n^2"]
    assert len(sample.texts(".fits .runner-up")) == 3
    assert "log-log slope 2.00" in sample.find(".fits").text
    # Where it is narrow, formulas have several lines, not the names of laws.
    sample.run("document.querySelector('.fits').style.width = '200px'")
    lines = "[...document.querySelectorAll('.fits .law')].map(law => {"
    lines += " const text = document.createRange(); text.selectNodeContents(law);"
    lines += " return text.getClientRects().length; })"
    assert sample.run(f"return {lines}") == [1, 1, 1, 1]


def test_callers_and_callees_lead_on(sample):
    sample.click("#routines tr[data-index='3'] td")
    tables = sample.texts("#details .scroll.short tbody tr")
    assert tables == ["1,00010.012sort", "5005.08feed"]
    sample.click("#details .scroll.short button")
    assert name_of_details(sample) == "sort"
    assert sample.texts("#details .scroll.short tbody tr") == [
        "6,00060.010main",
        "1,00010.012copy",
    ]


def test_source(sample):
    """The routine's lines, what its callees cost in the lines that call them."""
    code = sample.texts(".source td.code")
    assert (code[0], code[-1]) == ("static void sort(int *a, int n) {", "}")
    assert len(code) == 4
    assert notes(sample) == ["60.0 % ×10  n^2", "→ 16.7 % ×12"]
    sample.click(".source button.link")
    assert name_of_details(sample) == "copy"


def test_source_that_is_nowhere(sample):
    sample.click("#routines tr[data-index='1'] td")
    (folder,) = {os.path.dirname(path) for path in sample.texts("#held li")}
    assert sample.texts(".source .places li") == [f"{folder}/nowhere/feed.c", f"{folder}/feed.c"]
    assert "--source-path" in sample.find(".source").text
    sample.click("#routines tr[data-index='3'] td")
    assert "names no source file for it" in sample.find(".source").text


def test_source_files_are_listed(sample):
    sample.click("#tab-runs")
    assert sample.find("#held h3").text == "Source files in this page (1)"
    assert re.fullmatch(r"/.*/app\.c \(\d+ lines\)", sample.find("#held li").text)


def test_threads(sample):
    assert sample.texts("#details .threads tr[data-index] td") == [
        "1 main",
        "6,000",
        "60.0",
        "10",
        "10",
    ]


class TestPlot:
    def points(self, page):
        return page.run(
            "return [...document.querySelectorAll('.points')].map(p => [p.classList[1], p.dataset.points])"
        )

    def labels(self, page):
        return page.texts(".plot .labels text")[-2:]

    def test_metric(self, sample):
        sample.click("#routines tr[data-index='1'] td")
        assert self.points(sample) == [["trms", "10"]]
        sample.choose("plot-metric", "rms")
        assert self.points(sample) == [["rms", "2"]]
        assert self.labels(sample)[0] == "input size (RMS, cells of 4 bytes)"
        sample.choose("plot-metric", "both")
        assert self.points(sample) == [["trms", "10"], ["rms", "2"]]

    def test_cost_and_statistic(self, sample):
        """The law is drawn with what it was fitted to, and only there."""
        curves = "return document.querySelectorAll('.curve polyline').length"
        assert self.labels(sample)[1] == "cost (guest basic blocks), mean"
        assert sample.run(curves) == 1
        sample.choose("plot-statistic", "max")
        assert self.labels(sample)[1] == "cost (guest basic blocks), worst case"
        assert sample.run(curves) == 0
        sample.choose("plot-cost", "0 self")
        assert self.labels(sample)[1] == "self cost (guest basic blocks), worst case"
        sample.choose("plot-statistic", "calls")
        assert self.labels(sample)[1] == "activations"

    def test_scale(self, sample):
        def ticks():
            return sample.texts(".plot .labels text[y='" + sample.run(
                "return document.querySelector('.plot .labels text').getAttribute('y')") + "']")  # fmt: skip

        sample.choose("plot-scale", "none")
        assert ticks() == ["0", "1k", "2k", "3k", "4k"]
        sample.choose("plot-scale", "xy")
        assert ticks() == ["10", "100", "1k"]

    @pytest.mark.parametrize("scale", ["none", "xy"])
    def test_a_law_above_the_points_is_seen_whole(self, scale, page, write):
        """That of n^2, of which the last point has half."""
        points = table(lambda n: n * n // (2 if n == 4096 else 1), [2**k for k in range(3, 13)])
        page.load(write(profile([profiled(Routine("f", APP, "", 0, 1), 9, 9, 10, points)])))
        page.choose("plot-scale", scale)
        assert page.texts(".fits .verdict td")[0] == "n^2"
        line = page.find(".curve polyline").get_attribute("points")
        heights = [float(point.split(",")[1]) for point in line.split()]
        top = float(page.find(".plot svg").get_attribute("y"))
        assert top <= min(heights) < top + 40

    def test_read_out(self, sample):
        sample.run("document.querySelector('.plot').focus()")
        sample.press(RIGHT, RIGHT)
        assert sample.find("#details .read-out").text == "TRMS 16 1 call 263 bb".replace(
            " 1 ", "   1 "
        ).replace(" 263", "   263")
        sample.press(END)
        assert "TRMS 4,096" in sample.find("#details .read-out").text

    def test_the_page_s_metric_is_the_table_s_too(self, sample):
        sample.choose("page-metric", "1")
        assert sample.texts("#routines tr[data-index='1'] td")[7:10] == ["2", "40", "per call"]


class TestKeyboard:
    def test_rows(self, sample):
        sample.run("document.querySelector('#routines table').focus()")
        sample.press(DOWN, DOWN, UP, ENTER)
        assert name_of_details(sample) == "feed"
        active = sample.run("return document.activeElement.getAttribute('aria-activedescendant')")
        assert sample.find(f"#{active} td").text == "feed"
        assert (
            sample.run(
                "return document.querySelector('[aria-selected=true][role=row] td').textContent"
            )
            == "feed"
        )
        sample.press(END, ENTER)
        assert name_of_details(sample) == "copy"
        sample.press(ESCAPE)
        assert not sample.find("#details").is_displayed()
        assert sample.run("return document.activeElement.tagName") == "TABLE"

    def test_from_the_search_to_the_rows(self, sample):
        sample.press("/")
        sample.press("copy", DOWN, ENTER)
        assert name_of_details(sample) == "copy"

    def test_focus_can_be_seen_on_all_that_has_it(self, sample):
        """Every stop of the Tab key draws something round itself."""
        sample.run("document.querySelector('#tab-routines').focus()")
        bare = set()
        for _ in range(40):
            sample.press(TAB)
            bare.add(sample.run(
                "const e = document.activeElement; if (e === document.body) return '';"
                "const seen = [e, e.nextElementSibling, e.querySelector('.cursor')].filter(Boolean)"
                "  .some(x => getComputedStyle(x).outlineStyle !== 'none');"
                "return seen || e.id === 'splitter' ? '' : e.outerHTML.slice(0, 80)"))  # fmt: skip
        assert bare == {""}

    def test_tabs_and_splitter(self, sample):
        sample.run("document.querySelector('#tab-routines').focus()")
        sample.press(RIGHT)
        assert sample.find("#view-contexts").is_displayed()
        sample.press(RIGHT)
        assert "max-points" in sample.find("#view-runs").text
        sample.press(RIGHT)
        assert "--loops=yes" in sample.find("#view-findings").text
        sample.press(RIGHT)
        before = sample.find("#splitter").location["y"]
        sample.run("document.querySelector('#splitter').focus()")
        sample.press(UP, UP, UP, UP, UP)
        assert sample.find("#splitter").get_attribute("aria-valuenow") == "17"
        assert sample.find("#splitter").location["y"] <= before


class TestContexts:
    @pytest.fixture
    def tree(self, sample):
        sample.click("#tab-contexts")
        return sample

    def test_top_down(self, tree):
        """The hot path is open at first."""
        assert figures(tree) == [
            ["main", 10000, 1000, 1],
            ["sort", 6000, 5000, 10],
            ["copy", 1000, 1000, 12],
            ["feed", 3000, 2500, 10],
        ]
        tree.click("#contexts tr[data-index='3'] button.twist")
        assert figures(tree)[4] == ["copy", 500, 500, 8]
        tree.click("#contexts tr[data-index='2'] td")
        assert name_of_details(tree) == "copy"
        assert "main › sort › copy" in tree.find("#details .path").text
        assert "1,000 bb (10.0 %), self 1,000 (10.0 %), 12 calls" in tree.find(".figures").text

    def test_bottom_up(self, tree):
        tree.choose("tree", "bottom-up")
        assert figures(tree) == [
            ["sort", 6000, 5000, 10], ["feed", 3000, 2500, 10], ["copy", 1500, 1500, 20], ["main", 10000, 1000, 1],
        ]  # fmt: skip
        tree.click("#contexts tr[data-index='2'] button.twist")
        assert figures(tree)[3:5] == [["sort", 1000, 1000, 12], ["feed", 500, 500, 8]]

    def test_flat(self, tree):
        tree.choose("tree", "flat")
        assert figures(tree) == [
            ["app", 10000, 8500, 21],
            ["libc.so.6", 1500, 1500, 20],
        ]
        tree.click("#contexts tr[data-index='0'] button.twist")
        assert figures(tree)[1:3] == [
            ["app.c", 10000, 6000, 11],
            ["feed.c", 3000, 2500, 10],
        ]

    def test_keys_and_hot_path(self, tree):
        tree.click("#hot-path")
        assert tree.find("#contexts .cursor .node").text.lstrip("▸▾") == "sort"
        tree.press(LEFT, LEFT, LEFT)
        assert len(figures(tree)) == 1
        tree.press(RIGHT, RIGHT, ENTER)
        assert name_of_details(tree) == "sort"


def test_recursion_counts_once(page, write):
    """Never more than 100 %; what was called by itself is in its caller already."""
    page.load(write(recursive()))
    page.click("#tab-contexts")
    page.choose("tree", "bottom-up")
    assert figures(page) == [["even", 100, 80, 2], ["odd", 60, 20, 1]]
    page.click("#contexts tr[data-index='0'] button.twist")
    assert figures(page)[1] == ["odd", 0, 40, 1]
    page.choose("tree", "flat")
    assert figures(page)[0] == ["app", 100, 100, 3]


def test_print(sample):
    """On paper: the table and the routine that is open, on white, none of the switches."""
    pdf = base64.b64decode(sample.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
    assert pdf.startswith(b"%PDF") and len(pdf) > 10_000
    sample.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert not sample.find("#filters").is_displayed()
        assert sample.find("#details").is_displayed()
        assert (
            sample.run("return getComputedStyle(document.body).backgroundColor")
            == "rgb(255, 255, 255)"
        )
    finally:
        sample.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_dark(sample):
    def colours():
        return sample.run(
            "const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]"
        )

    light = colours()
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    sample.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    try:
        assert (
            sum(map(int, re.findall(r"\d+", colours()[1])))
            < 150
            < sum(map(int, re.findall(r"\d+", light[1])))
        )
    finally:
        sample.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_link_leads_to_a_routine_and_a_view(page, path):
    page.driver.get(path.as_uri() + "#routine=feed&view=contexts&size=both")
    page.wait("document.documentElement.dataset.ready === 'yes'")
    assert name_of_details(page) == "feed"
    assert page.find("#view-contexts").is_displayed()
    assert page.run("return document.querySelectorAll('.points').length") == 2
    page.load(path)
    page.click("#routines tr[data-index='3'] td")
    assert page.run("return location.hash") == "#routine=copy"
