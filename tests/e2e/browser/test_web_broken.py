"""A game whose screen does not work is shown by the general one, and says so; nothing else is touched by it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests import games
from tests.e2e.running import Running, serving
from tests.packages import package
from tests.soon import soon

from .person import ASKED, PHONE, Person

NOTICE = "The screen of {title} does not work here; the general one is shown instead."
THROWS = "{ throw new Error('it is broken'); }"
STEP = "{ key: 'x', label: 'Go on' }"
BROKEN = {
    "it throws": f"const nothing = null; if (true) {THROWS}\nexport default {{}};",
    "a syntax error": "export default { ask( };",
    "what it imports is not there": "import { x } from './nothing.js';\nexport default { ask: x };",
    "it exports nothing": "export const ask = () => '';",
    "it exports a number": "export default 7;",
    "asking": f"export default {{ ask() {THROWS} }};",
    "composing": f"export default {{ compose() {THROWS} }};",
    "composing nothing": "export default { compose: () => undefined };",
    "offering": f"export default {{ compose: () => ({{ options() {THROWS}, action: () => null }}) }};",
    "a panel": f"export default {{ compose: () => ({{ options: () => [], action: () => null, panel() {THROWS} }}) }};",
    "no panel": "export default { compose: () => ({ options: () => [], action: () => null, panel: () => 3 }) };",
    "a step": f"export default {{ compose: () => ({{ options: (c) => (c.length ? [] : [{STEP}, {STEP}]),"
    f" action(c) {{ if (c.length) {THROWS} return null; }} }}) }};",
    "telling": f"export default {{ tell() {THROWS} }};",
    "standing": "export default { standing: () => 5 };",
    "a note": f"export default {{ seatNote() {THROWS} }};",
    "a getter": f"export default {{ get boardFirst() {THROWS} }};",
    "places": "export default { places: 5 };",
    "marks": f"export default {{ marks() {THROWS} }};",
}


def goes_on(who: Person, title: str) -> None:
    page = who.page
    expect(page.locator(".status")).to_contain_text(NOTICE.format(title=title))
    expect(page.locator(".choose .ask")).to_contain_text("Choose: placement")
    for n in range(2):
        page.wait_for_selector(ASKED, state="attached")
        who.chooses(random.Random(n))
    expect(page.locator(".feed")).to_contain_text("pieces placed")


"""Of the ways in which a screen is broken; the others are for the slow tests."""


@pytest.mark.parametrize("fault", soon(BROKEN, "it throws"))
def test_the_general_screen_goes_on(service: Running, browser: Browser, fault: str) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.route(
        "**/games/claim/screen.js", lambda route: route.fulfill(body=BROKEN[fault], content_type="text/javascript")
    )
    page.goto(service.url)
    page.locator("[data-play=claim]").click()
    page.wait_for_selector(".table .choose button", state="attached")
    if fault == "a step":
        page.locator(".choose button", has_text="Go on").first.click()
    if fault == "marks":  # which the first events of others have
        page.wait_for_selector(ASKED, state="attached")
        who.chooses(random.Random(5))
    goes_on(who, "Claim")
    assert len([one for one in who.complaints if not one.startswith("error: Failed to load")]) == 1
    assert who.violations() == []
    page.goto(f"{service.url}/#/")
    page.locator("[data-play=drakkars]").click()
    page.wait_for_selector(".gods", state="attached")  # its own screen
    expect(page.locator(".status")).not_to_contain_text("does not work")


@pytest.mark.parametrize("status", [404, pytest.param(500, marks=pytest.mark.slow)])
def test_a_screen_and_a_style_that_do_not_come(service: Running, browser: Browser, status: int) -> None:
    who = Person.arrives(browser)
    who.page.route("**/games/claim/*", lambda route: route.fulfill(status=status, body=""))
    who.page.goto(service.url)
    who.page.locator("[data-play=claim]").click()
    goes_on(who, "Claim")


@pytest.mark.slow
def test_a_screen_and_a_style_that_never_come(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    for name in ("claim/screen.js", "eketorp/style.css"):
        who.page.route(f"**/games/{name}", lambda _route: None)  # it is not answered
    who.page.goto(service.url)
    who.page.locator("[data-play=claim]").click()
    who.page.wait_for_selector(".table .choose button", state="attached")
    goes_on(who, "Claim")
    who.page.goto(f"{service.url}/#/")
    who.page.locator("[data-play=eketorp]").click()
    who.page.wait_for_selector(ASKED, state="attached")
    expect(who.page.locator(".status")).not_to_contain_text("does not work")
    assert who.complaints == []
    who.page.context.close()


def test_a_style_stays_with_its_game(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.route(
        "**/games/eketorp/style.css",
        lambda route: route.fulfill(body="body { letter-spacing: 3px }", content_type="text/css"),
    )
    page.goto(service.url)
    body = page.locator("body")
    expect(body).to_have_css("letter-spacing", "normal")
    page.locator("[data-play=eketorp]").click()
    page.wait_for_selector(".table .choose button", state="attached")
    expect(body).to_have_css("letter-spacing", "3px")
    game = page.url
    for other in ("#/", "#/new/eketorp"):
        page.goto(f"{service.url}/{other}")
        expect(body).to_have_css("letter-spacing", "normal")
        page.goto(game)
        expect(body).to_have_css("letter-spacing", "3px")


def test_texts_of_a_package_are_text_and_stay_within_the_page(service: Running, browser: Browser) -> None:
    told = f"<img src=x onerror=alert(1)> {'Donaudampfschifffahrtsgesellschaft' * 6}"
    who = Person.arrives(browser)
    page = who.page
    page.set_viewport_size(PHONE)

    def with_words(route: Route) -> None:
        answer = route.fetch()
        before, listed, after = re.split(r"(?<=const \$default = )(\[.+\])(?=;\n)", answer.text())
        known = json.loads(listed)
        for game in known:
            game["blurb"] = dict.fromkeys(game["blurb"], told)
        route.fulfill(response=answer, body=before + json.dumps(known) + after)

    page.route("**/app.js", with_words)
    screen = f"""const told = {json.dumps(told)};
      export default {{ ask: () => told, describe: () => told, tell: () => told, standing: () => [told], compose: () => ({{
        options: (c) => (c.length ? [] : [1, 2].map((n) => ({{ key: n, label: told }}))), action: (c) => (c.length ? {{}} : null) }}) }};"""  # noqa: E501
    page.route("**/games/claim/screen.js", lambda route: route.fulfill(body=screen, content_type="text/javascript"))
    page.goto(service.url)
    expect(page.locator(".pick p").first).to_have_text(told)
    assert who.cut_off() == []
    page.locator("[data-play=claim]").click()
    page.locator(".choose .options button").first.click()
    expect(page.locator(".choose .will")).to_have_text(told)
    expect(page.locator(".choose .steps")).to_contain_text(told)
    assert page.locator("main img").count() == 0
    assert who.cut_off() == []
    assert who.complaints == []


@pytest.mark.slow
def test_one_package_is_broken_and_another_is_not(browser: Browser, open_folder: Path) -> None:
    games.install(open_folder / "there")
    package(
        open_folder / "there",
        "pebbles",
        files={"web/screen.js": "import 'nothing'; export default (", "web/style.css": "}{"},
    )
    with serving(PYTHONPATH=str(open_folder / "there")) as service:
        goes_on(Person.sits_down(browser, service.url, "pebbles"), "Pebbles")
        who = Person.sits_down(browser, service.url, "toy")
        expect(who.page.locator(".choose .ask")).to_have_text("Which card do you play?")
        assert who.complaints == []
        friend = Person.sits_down(browser, service.url, "claim")
        expect(friend.page.locator(".choose .ask")).to_have_text("Place two of your pieces on free points.")
        assert friend.complaints == []


def test_a_game_whose_picture_does_not_come_can_be_played(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    who.page.route(
        "**/board.svg*",
        lambda route: route.fulfill(
            status=500, body='{"detail": "No picture today."}', content_type="application/problem+json"
        ),
    )
    who.page.goto(service.url)
    who.page.locator("[data-play=claim]").click()
    who.page.wait_for_selector(ASKED, state="attached")
    expect(who.page.locator(".board")).to_have_text("No picture today.")
    who.chooses(random.Random(1))
    expect(who.page.locator(".feed .new").first).to_be_visible()
