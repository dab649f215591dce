"""The first screen: few requests, few bytes, nothing twice, and no other language on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tests.e2e.running import Running

from .person import ASKED, Person
from .test_web_following import press
from .test_web_languages import speaker

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

MOST_REQUESTS, MOST_BYTES = 12, 60_000
LISTS = 3
"""Of games, on the first screen of somebody who is nobody yet."""
SEEN = """() => {
  window.seen = new Set();
  const look = () => seen.add(document.body ? document.body.innerText : '');
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
}"""


def test_the_first_screen_is_small_and_comes_once(service: Running, browser: Browser) -> None:
    who = speaker(browser, "fr")  # who needs messages besides
    page = who.page
    page.add_init_script(f"({SEEN})()")
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    names: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def asked(told: dict[str, Any]) -> None:
        if not told["request"]["url"].startswith("data:"):
            names[told["requestId"]] = urlsplit(told["request"]["url"]).path

    wire.on("Network.requestWillBeSent", asked)
    wire.on("Network.loadingFinished", lambda told: sizes.update({told["requestId"]: told["encodedDataLength"]}))
    page.goto(service.url)
    page.wait_for_selector(".lists .panel")
    sent = [names[one] for one, size in sizes.items() if one in names and size]  # the others the browser had
    assert len(sent) <= MOST_REQUESTS, sent
    assert sum(sizes.values()) <= MOST_BYTES
    page.wait_for_function(
        "() => performance.getEntriesByName(document.scripts[0].src.replace('app.js', 'play.js')).length"
    )
    assert not [said for said in page.evaluate("() => [...seen]") if "Viking games" in said or "One moment" in said]
    sizes.clear()
    names.clear()
    page.reload()
    page.wait_for_selector(".lists .panel")
    again = [names[one] for one, size in sizes.items() if one in names and size]
    assert [path for path in again if not path.startswith("/v1/")] == ["/"]
    assert who.complaints == []


def test_a_press_counts_while_the_lists_come(service: Running, browser: Browser) -> None:
    page = Person.arrives(browser).page
    held: list[Route] = []
    page.route("**/v1/games?*", lambda route: held.append(route))
    page.goto(service.url)
    press(page, "[data-play=claim]")
    while len(held) < LISTS:
        page.wait_for_timeout(20)
    page.unroute("**/v1/games?*")  # and the browser has what was held
    page.wait_for_selector(".lists .panel")
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    page.mouse.up()
    page.wait_for_selector(ASKED, state="attached")
