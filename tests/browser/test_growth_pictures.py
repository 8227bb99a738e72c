"""Growth on the page: cards of findings, the icicle of contexts, the call graph around a routine,
bars of cost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from made_profiles import Sample

from aprofplot.read.profile_reader import read_profile

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "plot"))

from builder import write_records  # noqa: E402
from test_loops_read import EXECUTIONS, HEADER, LOOPS, TABLES  # noqa: E402

DOWN, UP, RIGHT, ENTER = "\ue015", "\ue013", "\ue014", "\ue007"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("src")
    (place / "scan.c").write_text("".join(f"line {n};\n" for n in range(1, 31)))
    return place


@pytest.fixture
def findings(page, write, folder):
    """contains() at line 12, inlined into main(), is a finding."""
    text = (HEADER + LOOPS + TABLES + EXECUTIONS).replace("/home/me/scan.c", str(folder / "scan.c"))
    page.load(write(read_profile(write_records(folder, text)), str(folder)))
    return page


@pytest.fixture
def sample(page, write):
    page.load(write(Sample.at("/nowhere/app.c").whole()))
    return page


class TestFindings:
    def test_the_page_opens_on_them(self, findings):
        assert findings.find("#view-findings").is_displayed()
        assert not findings.find("#details").is_displayed()
        (title,) = findings.texts(".card h2")
        assert title.startswith("1contains (scan.c:12), inlined into main: 98 % of the cost")
        assert "64 iterations" in findings.find(".card > p").text

    def test_what_grows_is_plotted(self, findings):
        assert findings.texts(".card .panel > h3")[0] == (
            "Cost of an iteration of the loop at scan.c:22 in main"
        )
        assert findings.texts(".card .labels text")[-2:] == ["iteration", "cost (bb), mean"]
        assert findings.run("return document.querySelector('.card .points').dataset.points") == "7"
        findings.run("document.querySelector('.card .plot').focus()")
        findings.press(RIGHT)
        assert findings.find(".card .read-out").text.split() == ["1", "1", "time", "10", "bb"]

    def test_its_lines_are_set_off(self, findings):
        assert findings.texts(".card .source .code") == [f"line {n};" for n in range(10, 16)]
        assert findings.texts(".card .blamed .code") == ["line 12;", "line 13;"]

    def test_the_source_is_listed_as_held(self, findings, folder):
        findings.click("#tab-runs")
        (held,) = findings.texts("#held li")
        assert held.startswith(f"{folder}/scan.c  (")

    def test_a_caller_is_opened_among_the_routines(self, findings):
        findings.click(".card > .path button")
        assert findings.find("#view-routines").is_displayed()
        assert findings.find("#details-name").text == "main"

    def test_a_link_to_a_routine_opens_that(self, findings):
        findings.driver.get(findings.driver.current_url.split("#")[0] + "#routine=main")
        findings.wait("!document.querySelector('#details').hidden")
        assert findings.find("#view-routines").is_displayed()

    @pytest.mark.parametrize("width", [420, 1000, 1400])
    def test_nothing_is_wider_than_the_window(self, findings, width):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        findings.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        findings.settle()
        wide = "return document.querySelector('#view-findings').scrollWidth"
        assert findings.run(wide) <= width
        findings.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_profile_without_loops_says_what_it_lacks(sample):
    assert sample.find("#view-routines").is_displayed()
    sample.click("#tab-findings")
    assert sample.find("#view-findings").text == (
        "No findings: the profile has no loops, run with --loops=yes."
    )


class TestIcicle:
    BOXES = "return [...document.querySelectorAll('.icicle g')].map(g => [g.textContent, g.classList[0], Math.round(g.getBBox().width)])"

    @pytest.fixture
    def icicle(self, sample):
        sample.click("#tab-contexts")
        sample.choose("tree", "icicle")
        sample.settle()
        return sample

    def test_contexts_are_as_wide_as_they_cost(self, icicle):
        boxes = icicle.run(self.BOXES)
        assert [name for name, _, _ in boxes] == [
            "all contexts",
            "main",
            "sort",
            "copy",
            "feed",
            "copy",
        ]
        whole = boxes[0][2]
        shares = [10000, 10000, 6000, 1000, 3000, 500]
        assert [width for _, _, width in boxes] == pytest.approx(
            [whole * share / 10000 for share in shares], abs=2
        )

    def test_growth_has_colours(self, icicle):
        """sort is quadratic, feed linear; main has no points, and copy too few."""
        assert [colour for _, colour, _ in icicle.run(self.BOXES)] == [
            "unknown", "unknown", "steep", "unknown", "linear", "unknown"]  # fmt: skip

    def test_it_is_walked_and_widened_by_keys(self, icicle):
        icicle.run("document.querySelector('.icicle').focus()")
        icicle.press(DOWN, DOWN, RIGHT)
        said = icicle.find(".icicle-view .read-out").text
        assert said.split() == ["main", "›", "feed", "30.0", "%", "10", "calls", "n"]
        icicle.press(ENTER)
        boxes = icicle.run(self.BOXES)
        assert [name for name, _, _ in boxes] == ["all contexts", "main", "feed", "copy"]
        assert boxes[2][2] == boxes[0][2]
        assert icicle.find("#details-name").text == "feed"
        icicle.press(UP, UP, ENTER)
        assert len(icicle.run(self.BOXES)) == 6

    def test_a_click_widens(self, icicle):
        icicle.click(".icicle g[data-box='2']")
        assert icicle.find("#details-name").text == "sort"
        assert len(icicle.run(self.BOXES)) == 4

    def test_trees_are_still_there(self, icicle):
        icicle.choose("tree", "flat")
        assert icicle.find("#contexts").is_displayed()
        assert not icicle.find(".icicle").is_displayed()


def test_contexts_have_growth(sample):
    sample.click("#tab-contexts")
    assert sample.texts("#contexts td.growth") == ["", "n^2", "", "n"]


def test_callers_and_callees_are_drawn(sample):
    sample.run("document.querySelector('#routines tr[data-index]').focus()")
    sample.driver.get(sample.driver.current_url.split("#")[0] + "#routine=sort")
    sample.wait("document.querySelector('#details-name').textContent === 'sort'")
    boxes = "return [...document.querySelectorAll('.call-graph g')].map(g => [g.querySelector('text').textContent, g.classList[0]])"
    assert sample.run(boxes) == [["main", "unknown"], ["copy", "unknown"], ["sort", "steep"]]
    sample.click(".call-graph g[data-routine] rect")
    assert sample.find("#details-name").text == "main"


def test_costs_have_bars(sample):
    parts = "return [...document.querySelectorAll('#routines td.part')].map(c => [c.textContent, c.style.getPropertyValue('--part')])"
    found = sample.run(parts)
    assert found and all(float(text) == float(bar.rstrip("%")) for text, bar in found)
