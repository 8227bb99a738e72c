"""The page with hostile names, hardly any data, and 5000 routines by 500 threads."""

from __future__ import annotations

import base64
import re

import pytest
from made_profiles import EVIL, LONG, costly, large, odd_names

MOST_ROWS = 120  # in the document, of whatever number


@pytest.fixture
def odd(page, odd_path):
    page.load(odd_path)
    return page


@pytest.fixture(scope="module")
def odd_path(write):
    return write(odd_names())


def test_names_are_text(odd):
    """Nothing in a name is run, ends a script or vanishes."""
    assert odd.driver.title == "./app 1 - aprof-report"
    assert odd.run("return document.querySelectorAll('img').length") == 0
    assert odd.texts("#routines td.name") == [
        EVIL,
        r"caf\xe9_\xff",
        "std::map<...>::insert",
        r"zero\x00size\x0a\u202e",
    ]
    assert odd.find("#details-name").text == EVIL


def test_whole_name_on_demand(odd):
    odd.click("#routines tr[data-index='2'] td")
    assert odd.find("#details-name summary").text == "std::map<...>::insert"
    shown = "return document.querySelector('.whole').checkVisibility()"
    assert not odd.run(shown)
    odd.click("#details-name summary")
    assert odd.run(shown)
    assert odd.find(".whole").text == LONG


def test_thin_data(odd):
    """No points; one; one of size 0, on all scales."""
    odd.click("#routines tr[data-index='1'] td")
    assert "No points" in odd.find(".picture").text
    odd.click("#routines tr[data-index='3'] td")
    for scale in ("auto", "none", "x", "y", "xy"):
        odd.choose("plot-scale", scale)
        path = odd.find(".points").get_attribute("d")
        assert "NaN" not in path and "Infinity" not in path


def test_what_was_not_measured_is_said(odd):
    assert "Profile again" in odd.find("#details").text
    odd.click("#tab-contexts")
    assert (
        odd.find("#view-contexts").text
        == "This profile has no calling contexts: profile with --contexts=yes."
    )


def test_large_numbers_are_whole(write, page):
    """Columns are as wide as the numbers in them, in each table that is shown."""
    page.load(write(costly()))
    cut = "return [...document.querySelectorAll(arguments[0])].some((c) => c.scrollWidth > c.clientWidth)"
    for tab, table in (
        ("routines", "#routines"),
        ("routines", ".threads"),
        ("contexts", "#contexts"),
    ):
        page.click(f"#tab-{tab}")
        page.settle()
        assert "9,007,199,254,740,991" in page.texts(f"{table} td.number")
        assert not page.run(cut, f"{table} tr[data-index] td")


class TestLarge:
    @pytest.fixture(scope="class")
    def path(self, write):
        return write(large(5000, 500))

    @pytest.fixture
    def many(self, page, path):
        page.load(path)
        return page

    def rows(self, page):
        return page.run("return document.querySelectorAll('tr').length")

    def test_few_rows_are_in_the_document(self, many, path):
        print(f"{path.stat().st_size} bytes")
        assert path.stat().st_size < 8_000_000
        assert many.find("#count").text == "5,000 routines"
        assert self.rows(many) < MOST_ROWS
        assert (
            many.run(
                "return document.querySelector('#routines table').getAttribute('aria-rowcount')"
            )
            == "5001"
        )

    def test_scroll_to_the_end(self, many):
        many.run("const r = document.querySelector('#routines'); r.scrollTop = r.scrollHeight")
        many.wait("document.querySelector('#routines [data-index=\"4999\"]') !== null")
        assert self.rows(many) < MOST_ROWS

    def test_filter_and_sort(self, many):
        many.press("/")
        many.press("ns5::", " lib3.so")
        many.wait("document.querySelector('#count').textContent.startsWith('6 of')")
        assert all("ns5::" in name for name in many.texts("#routines td.name"))
        many.click("#reset")
        many.click("[data-column=name]")
        assert many.texts("#routines td.name")[0] == "ns0::routine_0<int>(long)"

    def test_threads_of_a_routine(self, many):
        assert "Threads (500)" in many.find("#details").text
        many.run(
            "const r = document.querySelector('#details .threads'); r.scrollTop = r.scrollHeight"
        )
        many.wait("document.querySelector('#details .threads [data-index=\"499\"]') !== null")
        assert self.rows(many) < MOST_ROWS

    def test_paper_is_bounded(self, many):
        """200 rows are printed, and the screen has its few again."""
        pdf = base64.b64decode(many.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
        assert 2 <= len(re.findall(rb"/Type /Page\b", pdf)) < 30
        assert self.rows(many) < MOST_ROWS
