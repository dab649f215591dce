"""A service and a browser for all tests at the web table, and a page for those of a module; where there is
no Chromium, they are passed over loudly, and in continuous integration they fail."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import Running, serving

from .person import ARRIVED, browsing, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


@pytest.fixture(scope="package")  # and no longer: while Playwright is there, no other test can run an event loop
def browser() -> Iterator[Browser]:
    found = chromium()
    if found is None:
        missing = (
            "NO CHROMIUM WAS FOUND: the web table is not tested. "
            "apt-get install chromium-headless-shell, or chromium, or set CHROMIUM"
        )
        if "CI" in os.environ:
            pytest.fail(missing)
        pytest.skip(missing)
    with browsing(found) as browser:
        yield browser


@pytest.fixture(scope="module")
def page(service: Running, browser: Browser) -> Iterator[Page]:
    """The first screen, for tests that only ask what its scripts do."""
    page = browser.new_page()
    page.goto(service.url)
    yield page
    page.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails says what its people saw, and what the service did last."""
    report = yield
    if report.when == "call" and report.failed:
        report.sections += [(f"person {number}", person.told()) for number, person in enumerate(ARRIVED)]
        served = getattr(item, "funcargs", {}).get("service")
        if isinstance(served, Running):
            report.sections.append(("the service", "\n".join(served.log().splitlines()[-60:])))
    if report.when == "call":
        for person in ARRIVED:
            person.leaves()  # or their page would go on looking for news beside the tests that follow
        ARRIVED.clear()
    return report
