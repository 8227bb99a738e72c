"""cilkshadow-report --format=html in a real browser."""

from __future__ import annotations

import base64
import os

import pytest
from work_span_builder import Site, WorkSpan, quicksort

ESCAPE, RIGHT = "\ue00c", "\ue014"
SOURCE = """\
void
quicksort(long *low, long *high)
{
  long *middle = partition(low, high);
  cilk_spawn quicksort(low, middle);
  quicksort(middle + 1, high);
}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "quicksort.c").write_text("\n" * 16 + SOURCE)
    os.utime(folder / "quicksort.c", (0, 0))
    made = quicksort()
    made.totals = {"serialised-span": 200_000_000}
    made.notes = ["unseen-synchronisation 3 waits without a known partner"]
    made.locks = ["7 79051816 3 mutex queue"]
    made.regions = ["3 400 100 160 sort"]
    made.loops = ["loop 1 2 0 8200 natural 1 20 22 quicksort", f"executions 1 5{' 1 9 9' * 6}"]
    return page_of(made, folder)


def page_of(made, folder):
    from aprofplot.read.work_span_reader import read_work_span
    from aprofplot.reports.work_span.page import write_page

    profile = read_work_span(str(made.write(folder / "cilkshadow.out.4711")))
    with (folder / "report.html").open("w") as out:
        write_page(out, profile, [str(folder)])
    return folder / "report.html"


@pytest.fixture
def sample(page, path):
    page.load(path)
    return page


def places(page):
    return page.texts("#sites td.place")


def test_first_look(sample):
    """The bottleneck is open, and what it means is said; nothing is asked of a network."""
    assert places(sample) == [f"quicksort.c:{line}" for line in (20, 22, 21, 31, 30)]
    assert sample.find("#details-name").text == "quicksort -> partition"
    said = sample.texts("#advice li")
    assert said[0] == "Warning: 3 waits without a known partner"
    assert said[2].startswith("partition (quicksort.c:20) holds nearly all of the span")
    assert sample.find("#facts").text.startswith("parallelism 5.6, burdened 5.6, work 790,518,160")
    assert sample.run("return performance.getEntriesByType('resource').length") == 0


def test_row_and_measures(sample):
    assert sample.texts("#sites tr[data-index='0'] td")[2:] == [
        "call", "100.0", "141,891,291", "20", "1.0", "408,150,528", "51.6", "408,150,528", "1.0",
        "4,000", "0",
    ]  # fmt: skip
    assert sample.texts("#details .measures:first-child tbody tr:nth-child(2) > *") == [
        "top caller", "1", "22,000,000", "22,000,000", "1.0",
    ]  # fmt: skip


def test_sort_search_and_kind(sample):
    sample.click("[data-column=parallelism]")
    assert places(sample)[0] == "quicksort.c:21"
    sample.click("[data-column=parallelism]")
    assert places(sample)[0] == "quicksort.c:20"
    sample.press("/")
    sample.press("c:2")
    assert len(places(sample)) == 3
    sample.press(ESCAPE)
    sample.run("const s = document.querySelector('#filter-kind'); s.value = 'spawn';"
               "s.dispatchEvent(new Event('change'))")  # fmt: skip
    assert places(sample) == ["quicksort.c:21"]
    assert sample.find("#count").text == "1 of 5 call sites"
    sample.click("#reset")
    assert len(places(sample)) == 5


def test_source_lines_lead_on(sample):
    notes = [text for text in sample.texts(".source td.notes") if text]
    assert notes == [
        "100.0 % span  51.6 % work",
        "0.0 % span  93.8 % work",
        "0.0 % span  96.3 % work",
    ]
    assert sample.find(".source .start .code").text.strip().startswith("long *middle")
    sample.click(".source [data-site='2']")
    assert sample.find(".headline .place").text == "quicksort.c:21"
    assert sample.run("return decodeURIComponent(location.hash)").endswith("quicksort.c:21")


def test_speedup(sample):
    """Curves and read-out of a site, and of the program with its locks."""
    sample.click("#sites tr[data-index='3'] td")
    sample.run("document.querySelector('#details .plot').focus()")
    sample.press(RIGHT)
    read_out = sample.find("#details .read-out").text
    assert read_out == "P = 1: work/span bound 1, burdened-dag estimate 0.766"
    sample.click("#tab-program")
    assert len(sample.texts("#view-program .plot .locks")) == 1
    assert "10.0" in sample.texts("#locks td")
    assert sample.texts("#regions td") == ["400", "100", "4", "2.5", "3", "sort"]
    assert sample.texts("#loops td")[-2:] == ["5", "loop of quicksort (quicksort.c:20)"]
    assert "NaN" not in sample.run("return document.querySelector('#view-program .plot').outerHTML")


def test_long_lists_end_with_what_they_leave_out(page, tmp_path):
    made = quicksort()
    made.locks = [f"1 {held} 0 mutex m{held}" for held in range(200)]
    made.regions = [f"1 {work} 1 1 r{work}" for work in range(1201)]
    page.load(page_of(made, tmp_path))
    page.click("#tab-program")
    assert page.texts("#regions td:last-child")[::199] == ["r1200", "r1001"]
    said = ["and 1,001 more regions: cilkshadow-report --format=json has all"]
    assert page.texts("#regions .note, #locks .note") == said


def test_closing(sample):
    sample.press(ESCAPE)
    assert not sample.find("#details").is_displayed()


def test_dark(sample):
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    sample.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    colours = "return ['color', 'backgroundColor'].map(c => getComputedStyle(document.body)[c])"
    ink, paper = ([int(part) for part in colour[4:-1].split(",")] for colour in sample.run(colours))
    sample.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert min(ink) > 200 and max(paper) < 40


class TestFiveThousandSites:
    @pytest.fixture(scope="class")
    def large(self, tmp_path_factory):
        names = [("main", 1)]
        names += [(f"ns::Worker<std::vector<int> >::step_{i}(int)", i) for i in range(2, 5001)]
        sites = [Site(0, 1, 0, ((1, 10**9, 10**8),) * 3)]
        for i in range(2, 5001):
            sites.append(Site(i // 2, i, i, ((i, 10**9 // i, 10**8 // i),) * 3, spawned=i % 3))
        return page_of(WorkSpan(routines=names, sites=sites), tmp_path_factory.mktemp("large"))

    @pytest.fixture
    def many(self, page, large):
        page.load(large)
        return page

    def test_few_rows_are_in_the_document(self, many):
        assert 5 < len(places(many)) < 200
        assert many.find("#count").text == "5,000 call sites"

    def test_the_callee_is_seen_whole(self, many):
        cut = "return [...document.querySelectorAll('.site > :last-child')]"
        cut += ".filter(e => !e.clientWidth || e.scrollWidth > e.clientWidth).length"
        assert len(many.texts(".site")) > 5 and many.run(cut) == 0
        assert "ns::Worker<...>::step_2 -> ns::Worker<...>::step_4" in many.texts("#sites td.name")

    def test_paper(self, many):
        """200 rows, a line each, and a page for the site that is open."""
        pdf = many.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"]
        assert 4 <= base64.b64decode(pdf).count(b"/Type /Page\n") <= 8


def timeline_of(made, processors, page, folder):
    """Opens the page that has it."""
    from aprofplot.commands.processors_option import costs_asked
    from aprofplot.read.work_span_reader import read_work_span
    from aprofplot.reports.work_span.page import write_page

    profile = read_work_span(str(made.write(folder / "p")))
    with (folder / "page.html").open("w") as out:
        write_page(out, profile, [], costs_asked(profile, [processors]), processors)
    page.load(folder / "page.html")
    page.click("#tab-program")


def test_timeline(page, tmp_path):
    """A row for each processor, what runs there and the critical path; the read-out says what is pointed at."""
    dag = [
        "dag 0 3",
        "path 1 0 1",
        *(f"strand 1 50 0 0 {before} 1:50:0 -" for before in ("-", "-", "1,2")),
    ]
    leaf = ((1, 150, 100),) * 3
    timeline_of(WorkSpan(sites=[Site(0, 1, 0, leaf)], dag=dag), 3, page, tmp_path)
    rows = page.run(
        "return [...document.querySelectorAll('#timeline .plot > .row')].map((r) => r.getBBox().width)"
    )
    assert len(rows) == 3
    # Half of the first row and the second are one function's; the critical path goes all the way.
    runs, critical = page.run(
        "return ['.function-0', '.critical'].map((of) => document.querySelector(`#timeline .plot > ${of}`).getBBox().width)"
    )
    assert runs == pytest.approx(rows[0], abs=1) == critical
    bars = page.run(
        "return document.querySelector('#timeline .plot > .function-0').getAttribute('d').match(/M/g).length"
    )
    assert bars == 2
    for row, said in ((0, "main, from 0 to 100"), (2, "idle")):
        page.run(
            "const box = document.querySelectorAll('#timeline .plot > .row')[arguments[0]].getBoundingClientRect();"
            "document.querySelector('#timeline .plot').dispatchEvent(new PointerEvent('pointermove',"
            " {clientX: box.left + 5, clientY: box.top + 5}))",
            row,
        )
        assert page.find("#timeline .read-out").text.endswith(said)
    assert [text.strip() for text in page.texts("#timeline .entry")] == [
        "main",
        "idle",
        "critical path (below)",
    ]


def test_the_timeline_shows_what_its_read_out_says(page, tmp_path):
    """Where one function has 90 % and another 10 % of every part of the time that can be seen."""
    strands = [f"strand 1 {n} 0 0 {{}} {path}:{n}:0 -" for n, path in ((9, 2), (1, 3))] * 1000
    dag = [
        f"dag 0 {len(strands)}",
        *("path 1 0 1", "path 2 1 2", "path 3 1 3"),
        *(strand.format(i or "-") for i, strand in enumerate(strands)),
    ]
    sites = [
        Site(0, 1, 0, ((1, 10_000, 10_000),) * 2 + ((1, 0, 0),)),
        *(Site(1, callee, 5, ((1000, n, n),) * 3) for callee, n in ((2, 9000), (3, 1000))),
    ]
    names = (("main", 1), ("hot", 2), ("cold", 3))
    timeline_of(WorkSpan(routines=names, sites=sites, dag=dag), 1, page, tmp_path)
    seen = page.run(
        "const row = document.querySelector('#timeline .plot > .row'); row.scrollIntoView();"
        "const box = row.getBoundingClientRect(), y = box.top + box.height / 3;"
        "return [0.1, 0.5, 0.9].map((at) => {"
        " const x = box.left + at * box.width, top = document.elementFromPoint(x, y);"
        " top.dispatchEvent(new PointerEvent('pointermove', {clientX: x, clientY: y, bubbles: true}));"
        " const said = document.querySelector('#timeline .read-out').value.split(': ')[1];"
        " return [top.getAttribute('class'), said];"
        "})"
    )
    assert seen == [["bar function-0", "hot, from 0 to 10k"]] * 3
    assert page.texts("#timeline .entry")[0].strip() == "hot"
