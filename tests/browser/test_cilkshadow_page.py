"""cilkshadow-report --format=html in a real browser."""

from __future__ import annotations

import base64
import os

import pytest
from work_span_builder import Site, WorkSpan, quicksort

ESCAPE, RIGHT, END = "\ue00c", "\ue014", "\ue010"
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


def page_of(made, folder, processors=()):
    """Of a profile with a dag, on these numbers of processors."""
    from aprofplot.commands.processors_option import costs_asked
    from aprofplot.read.work_span_reader import read_work_span
    from aprofplot.reports.work_span.page import write_page

    profile = read_work_span(str(made.write(folder / "cilkshadow.out.4711")))
    costs = costs_asked(profile, processors) if processors else []
    with (folder / "report.html").open("w") as out:
        write_page(out, profile, [str(folder)], costs, max(processors, default=0))
    return folder / "report.html"


@pytest.fixture
def sample(page, path):
    """At its call sites."""
    page.load(path)
    page.click("#tab-sites")
    return page


def places(page):
    return page.texts("#sites td.place")


def test_first_look(sample):
    """The bottleneck is open; nothing is asked of a network."""
    assert places(sample) == [f"quicksort.c:{line}" for line in (20, 22, 21, 31, 30)]
    assert sample.find("#details-name").text == "quicksort -> partition"
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
    assert sample.texts("#regions td") == ["sort", "400", "100", "4.0", "2.5", "3"]
    loop = sample.texts("#loops td")
    assert (loop[0], loop[-1]) == ("loop of quicksort (quicksort.c:20)", "5")
    assert "NaN" not in sample.run("return document.querySelector('#view-program .plot').outerHTML")


def test_long_lists_end_with_what_they_leave_out(page, tmp_path):
    made = quicksort()
    made.locks = [f"1 {held} 0 mutex m{held}" for held in range(200)]
    made.regions = [f"1 {work} 1 1 r{work}" for work in range(1201)]
    page.load(page_of(made, tmp_path))
    page.click("#tab-program")
    assert page.texts("#regions td:first-child")[::199] == ["r1200", "r1001"]
    said = ["and 1,001 more regions: cilkshadow-report --format=json has all"]
    assert page.texts("#regions .note, #locks .note") == said


class TestCards:
    """Of a profile without a dag, at the top of its page."""

    @pytest.fixture
    def cards(self, page, path):
        page.load(path)
        return page

    def test_the_page_opens_on_them(self, cards):
        assert cards.find("#view-findings").is_displayed()
        assert not cards.find("#details").is_displayed()
        title = cards.texts(".card h2")[0]
        assert title.startswith("1partition (quicksort.c:20) holds nearly all of the span")
        said = cards.texts("#before li")
        assert said[0] == "Warning: 3 waits without a known partner"
        assert said[1].startswith("The measured parallelism is 5.6")
        assert said[2].endswith("profile again with valgrind --tool=cilkshadow, without --dag=no.")
        assert cards.run("return performance.getEntriesByType('resource').length") == 0

    def test_bounds_are_drawn(self, cards):
        assert cards.texts(".card h3")[0] == "Bounds on the speedup"
        entries = cards.texts(".card:first-child .entry, #before + .card .entry")
        assert [text.strip() for text in entries] == [
            "perfect linear",
            "at most",
            "at most, without this",
        ]
        cards.run("document.querySelector('.card .plot').focus()")
        cards.press(END)
        assert cards.find(".card .read-out").text == "P = 16: at most 5.571, at most 16"

    def test_the_line_is_set_off(self, cards):
        assert cards.texts("#before + .card .blamed .code") == [
            "  long *middle = partition(low, high);"
        ]

    def test_a_call_is_opened_among_the_call_sites(self, cards):
        path = cards.find("#before + .card > .path")
        assert path.text == "Called by the longest path main › quicksort › partition"
        path.find_elements("css selector", "button")[1].click()
        assert cards.find("#view-sites").is_displayed()
        assert cards.find("#details-name").text == "main -> quicksort"

    def test_a_link_to_a_call_opens_that(self, cards):
        address = cards.driver.current_url.split("#")[0]
        cards.driver.get(f"{address}#site=main -> quicksort@quicksort.c:31")
        cards.wait("!document.querySelector('#details').hidden")
        assert cards.find("#view-sites").is_displayed()
        assert cards.find("#details-name").text == "main -> quicksort"

    def test_locks_are_another_card(self, cards):
        assert cards.texts(".card h2")[1].startswith("2Locks: with critical sections")


@pytest.fixture(scope="module")
def scheduled(tmp_path_factory):
    """Of a serial loop of main, before two strands of quicksort."""
    folder = tmp_path_factory.mktemp("scheduled")
    (folder / "quicksort.c").write_text("".join(f"line {n};\n" for n in range(1, 51)))
    calls = ((2, 40, 40),) * 3, ((1, 20, 20),) * 3
    made = WorkSpan(
        sites=[Site(0, 1, 0, ((1, 110, 90), (1, 110, 90), (1, 70, 70))), Site(1, 2, 36, *calls)],
        loops=["loop 1 1 0 4100 natural 1 33 35 main", "executions 1 9" + " 1 60 60" * 6],
        dag=[
            *("dag 0 4", "path 1 0 1", "loop-path 2 1 1", "path 3 1 2"),
            *("strand 1 60 0 0 - 2:60:0 -", "strand 1 20 0 0 1 3:20:0 -"),
            *("strand 2 20 0 0 1 3:20:0 -", "strand 1 10 0 0 2,3 1:10:0 -"),
        ],
    )
    return page_of(made, folder, [1, 2, 4])


class TestSimulatedCards:
    @pytest.fixture
    def cards(self, page, scheduled):
        page.load(scheduled)
        return page

    def test_what_is_to_blame_and_what_is_gained(self, cards):
        (said,) = cards.texts("#before li")
        assert said.startswith("On 4 processors it would run 1.2 times as fast as on one")
        (title,) = cards.texts(".card h2")
        assert title.startswith("1serial phase: main (quicksort.c:33) runs alone")
        (gain,) = cards.texts(".card > p:not(.path)")
        assert gain == "Without this, the program would run 2.37 times as fast."
        assert cards.texts("#after li")[0].startswith("The parallelism is 1.2")

    def test_speedup_as_it_is_and_without(self, cards):
        """A point for each P, as high as the speedup: of 1, that of one processor."""
        cards.run("document.querySelector('.card .plot').focus()")
        cards.press(RIGHT, RIGHT, RIGHT)
        assert cards.find(".card .read-out").text == "P = 4: as it is 1.222, without this 2.895"
        points = [
            cards.run(f"return [...document.querySelectorAll('.card .{style} > circle')].map((c) => Number(c.getAttribute('cy')))")
            for style in ("now", "then")
        ]  # fmt: skip
        now, then = points
        assert now[0] == then[0] > now[1] == now[2] > then[1] > then[2] > 0
        assert (now[0] - then[2]) / (now[0] - now[2]) == pytest.approx(1.895 / 0.222, rel=0.02)

    def test_the_loop_is_marked(self, cards):
        assert cards.texts(".card .blamed .code") == ["line 33;", "line 34;", "line 35;"]
        assert cards.texts(".card > .path button") == ["main"]

    @pytest.mark.parametrize("width", [420, 1000, 1400])
    def test_nothing_is_wider_than_the_window(self, cards, width):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        cards.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        cards.settle()
        assert cards.run("return document.querySelector('#view-findings').scrollWidth") <= width
        cards.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


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
        page.click("#tab-sites")
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
    page.load(page_of(made, folder, [processors]))
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
