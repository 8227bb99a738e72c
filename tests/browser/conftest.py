"""A real browser, headless and without network, and pages for it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "plot"))  # calling

WAIT = 10  # seconds, at most, for what takes some milliseconds


class Page:
    """What the tests ask of a page in the browser."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def load(self, path: Path) -> None:
        """Opens a page anew; returns when its scripts have run."""
        self.driver.get("about:blank")
        self.driver.get(path.as_uri())
        self.wait("document.documentElement.dataset.ready === 'yes'")
        self.settle()

    def settle(self) -> None:
        """Until the page is laid out: what follows the size of its place is as it stays."""
        frames = (
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))"
        )
        self.driver.execute_async_script(frames)

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a script's `return`."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str) -> None:
        """Until a JavaScript expression holds."""
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self.driver, WAIT, 0.02).until(
            lambda _: self.run(f"return {condition}"), condition
        )

    def find(self, selector: str) -> Any:
        """The first element."""
        return self.driver.find_element("css selector", selector)

    def click(self, selector: str) -> None:
        """As a mouse does, where the element can be reached."""
        self.find(selector).click()

    def choose(self, name: str, value: str) -> None:
        """A radio button, which its label covers."""
        self.find(f"[name={name}][value='{value}']").find_element("xpath", "..").click()

    def texts(self, selector: str) -> list[str]:
        """The text of all such elements."""
        return list(
            self.run(
                "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)",
                selector,
            )
        )

    def press(self, *keys: str) -> None:
        """Keys, to what has the focus."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def errors(self) -> list[str]:
        """What the console has had to say since this was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One session for a module. Skipped only where the browser or its driver is not installed."""
    webdriver = pytest.importorskip("selenium.webdriver")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("needs chromium and chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    folder = tmp_path_factory.mktemp("browser")
    for argument in (
        "--headless=new",
        "--no-sandbox",  # which root may not have
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--disable-background-networking",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--user-data-dir={folder}",
        "--window-size=1400,900",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.chrome.service.Service(driver)
    session = webdriver.Chrome(service=service, options=options)
    yield session
    session.quit()


@pytest.fixture(scope="module")
def write(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """write(profile, *source folders): the page of a profile, in a file."""
    from aprofplot.merge import merge_threads
    from aprofplot.reports.html.data import page_data
    from aprofplot.reports.html.page import write_page
    from aprofplot.reports.html.thread_rows import ThreadRows

    def write_one(profile: Any, *folders: str) -> Path:
        path = tmp_path_factory.mktemp("page") / "report.html"
        rows = ThreadRows()
        rows.add(profile)
        with path.open("w", encoding="utf-8") as out:
            write_page(out, page_data(merge_threads(profile), rows, folders))
        return path

    return write_one


@pytest.fixture
def page(browser: Any) -> Iterator[Page]:
    """A page that must leave the console silent."""
    found = Page(browser)
    found.errors()
    yield found
    assert found.errors() == []
