"""The table follows its game whatever befalls the connection, shows what is new all at once, and asks for it once."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.e2e.running import Running

from .person import ASKED, Person
from .test_web_eketorp import answers, sits_down
from .test_web_life import Friend

SCREEN_MS = 8_000  # so long is waited for a screen: all is asked for when it is given up
REST_MS = 15_000  # more than is ever waited before another try
EVENTS, TURN, API = re.compile(r"/events\?"), re.compile(r"/turn\?"), re.compile(r"/v1/")


@dataclass
class Pair:
    """Somebody at the table and a friend who calls the API, in a game of Claim; `own` calls with the same token."""

    service: Running
    who: Person
    friend: Friend
    own: Friend
    game: str

    @property
    def page(self) -> Page:
        return self.who.page

    def passes(self) -> None:
        """Whoever is asked chooses, until it is the person's next turn; the page has no part in it."""
        for moved in itertools.count():
            turn = self.own.get(f"/v1/games/{self.game}/turn")
            if turn["yours"] and moved:
                return
            each = self.own if turn["yours"] else self.friend
            turn = each.get(f"/v1/games/{self.game}/turn")
            action = turn["legal"].get("sample") or turn["legal"]["actions"][0]
            each.post(f"/v1/games/{self.game}/submissions", turn=turn["turn"], action=action)

    def turn(self) -> str:
        """The number of the turn that the game is at."""
        return str(self.own.get(f"/v1/games/{self.game}/turn")["turn"])

    def follows(self) -> None:
        """The page shows that turn, and something is asked in it."""
        expect(self.page.locator(".table")).to_have_attribute("data-turn", self.turn())
        self.page.wait_for_selector(ASKED, state="attached")


@pytest.fixture
def pair(service: Running, browser: Browser) -> Pair:
    friend = Friend(service, "Dagny")
    game = friend.post("/v1/games", ruleset="claim", seats=2, options={"first_player": 1})["id"]
    who = Person.arrives(browser)
    who.page.clock.install()
    who.page.goto(f"{service.url}/#/games/{game}")
    who.page.get_by_role("button", name="Sit down").click()
    who.page.wait_for_selector(ASKED, state="attached")
    own = Friend(service, "Nobody")
    own.http.headers["Authorization"] = f"Bearer {kept(who.page)['token']}"
    return Pair(service, who, friend, own, game)


def kept(page: Page) -> Any:
    return page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.me'))")


def press(page: Page, selector: str) -> None:
    """The button of the mouse goes down there, and stays down."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()


# What is sent


def test_a_choice_is_sent_for_the_turn_that_it_was_made_for(pair: Pair) -> None:
    page = pair.page
    drawn = page.locator(".table").get_attribute("data-turn") or ""
    for target in page.locator(".board .target").all()[:2]:
        target.click()
    held: list[Route] = []
    page.route(EVENTS, lambda route: held.append(route))
    with page.expect_request(EVENTS):
        pair.passes()
    assert pair.turn() != drawn
    expect(page.locator(".table")).to_have_attribute("data-turn", drawn)
    with page.expect_request("**/submissions") as sent:
        page.locator(".choose .go").click()
    assert json.loads(sent.value.post_data or "")["turn"] == int(drawn)
    expect(page.locator(".toast")).to_be_visible()
    for route in held:
        route.continue_()
    page.unroute(EVENTS)
    pair.follows()
    assert [one for one in pair.who.complaints if "409" not in one] == []


# Faults on the way


def test_following_goes_on_after_a_fault_while_a_choice_is_sent(pair: Pair) -> None:
    page, lost = pair.page, pair.page.locator("#connection")
    page.route(EVENTS, lambda route: route.abort())
    for target in page.locator(".board .target").all()[:2]:
        target.click()
    page.locator(".choose .go").click()
    expect(lost).to_contain_text("The connection is lost")
    for _ in range(6):
        with page.expect_request(EVENTS):
            page.clock.fast_forward(REST_MS)
    page.unroute(EVENTS)
    page.clock.fast_forward(REST_MS)
    expect(page.locator(".table")).to_have_attribute("data-turn", pair.turn())
    expect(lost).to_be_hidden()
    pair.passes()
    pair.follows()


FAULTS: dict[str, Callable[[Route], None]] = {
    "no answer": lambda route: route.abort(),
    "a fault of the service": lambda route: route.fulfill(status=500, json={"detail": "x", "code": "internal_error"}),
    "a portal's page": lambda route: route.fulfill(status=200, body="<p>Log in", content_type="text/html"),
    "a proxy's refusal": lambda route: route.fulfill(status=401, body="<p>Log in", content_type="text/html"),
    "a proxy that is too busy": lambda route: route.fulfill(status=429, body="", headers={"Retry-After": "1"}),
}


@pytest.mark.slow
def test_following_goes_on_after_each_kind_of_fault(pair: Pair) -> None:
    page = pair.page
    name = kept(page)["name"]
    for kind, fault in FAULTS.items():
        for path in (TURN, EVENTS):
            page.route(path, fault)
            with page.expect_request(path):
                pair.passes()
                page.clock.fast_forward(REST_MS)
            page.unroute(path)
            page.clock.fast_forward(REST_MS)
            expect(page.locator(".table"), kind).to_have_attribute("data-turn", pair.turn())
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator(".top .name")).to_have_text(name)
    page.get_by_role("link", name="Holmgang").click()
    expect(page.locator(".lists .panel").first).to_be_visible()
    page.route(API, lambda route: route.abort())
    for _ in range(6):
        with page.expect_request(API):
            page.clock.fast_forward(REST_MS)
    page.unroute(API)
    Friend(pair.service, "Olav").post("/v1/games", ruleset="drakkars", seats=2)
    page.clock.fast_forward(REST_MS)
    expect(page.locator(".lists")).to_contain_text("Olav")


def test_what_the_browser_tells_is_heard(pair: Pair) -> None:
    page, lost = pair.page, pair.page.locator("#connection")

    def at_once(request: Request) -> bool:
        return bool(TURN.search(request.url)) and "wait=" not in request.url

    page.context.set_offline(True)
    expect(lost).to_be_visible()
    with page.expect_request(at_once):
        page.context.set_offline(False)
    expect(lost).to_be_hidden()
    with page.expect_request(at_once):
        page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    with page.expect_request(lambda request: "wait=" in request.url):
        pass


# What is drawn


def test_the_board_can_be_used_until_all_that_is_new_is_there(pair: Pair) -> None:
    page = pair.page
    held: list[Route] = []

    def with_a_combat(route: Route) -> None:
        answer = route.fetch()
        told = {"json": answer.json()} if answer.status == 200 else {}
        if told:
            told["json"]["view"]["combats"] = 1
        route.fulfill(response=answer, **told)

    page.route(TURN, with_a_combat)
    nothing: dict[str, Any] = {"items": [], "next": None}
    page.route(re.compile(r"/combats"), lambda route: route.fulfill(json=nothing) if held else held.append(route))
    with page.expect_request(TURN), page.expect_response(TURN):
        page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")  # asks anew, by this route
    before = page.locator(".board .target").count()
    with page.expect_request(re.compile(r"/combats")):
        pair.passes()
    assert page.locator(".board .target").count() == before
    page.locator(".board .target").first.click()
    expect(page.locator(".board .target.on")).to_have_count(1)
    held[0].fulfill(json=nothing)
    pair.follows()
    page.unroute_all(behavior="ignoreErrors")  # the next news are waited for by this route


def test_a_press_is_not_lost_and_each_piece_of_news_is_asked_for_once(service: Running, browser: Browser) -> None:
    who, friends, game = sits_down(service, browser)
    page = who.page
    page.wait_for_selector(ASKED, state="attached")

    def asked() -> Counter[str]:
        """What has been asked for since."""
        found = Counter(urlsplit(one).path.split(game)[-1] for one in who.requested if f"/v1/games/{game}" in one)
        del found["/presence"]  # is asked for each minute
        who.requested.clear()
        return found

    def news(shown: str) -> Counter[str]:
        expect(page.locator(".feed")).to_contain_text(shown)
        return asked()

    asked()
    press(page, ".board .target[data-place='A'] .hit")
    answers(friends[0], game, type="place", fields={"A": 1}, sieges=[])
    assert news("Dagny has chosen") == {"/turn": 1, "/events": 1, "/board.svg": 1}
    page.mouse.up()
    sent = page.locator(".choose .sent .token")
    expect(sent).to_have_count(1)
    press(page, ".choose .sent .less")
    answers(friends[1], game, type="place", fields={}, sieges=[])
    assert news("Ketil has chosen") == {"/turn": 1, "/events": 1, "/board.svg": 1}
    page.mouse.up()
    expect(sent).to_have_count(0)
    page.locator(".board .target[data-place='A']").click()
    page.locator(".choose .go").click()
    expect(page.locator(".choose .ask")).to_contain_text("You attack Dagny")
    assert asked()["/combats"] == 1
    page.locator(".choose").get_by_role("button", name="Keep this hand").click()
    page.locator(".choose .go").click()
    expect(page.locator(".status")).to_contain_text("Waiting for Dagny")
    answers(friends[0], game, type="stand")
    expect(page.locator(".choose .ask")).to_contain_text("Choose your card")
    page.locator(".choose .hand button").first.click()
    page.locator(".choose .go").click()
    answers(friends[0], game)
    expect(page.locator(".combats .swapped")).to_be_visible()
    found = asked()
    assert found["/combats"] == 0
    assert found["/submissions"] == 2
    assert found["/combats/1"] <= 3  # both stand, and then the cards are shown
    assert max(found["/events"], found["/board.svg"]) <= found["/turn"] + 1  # of the first it was asked before
    for friend in friends:
        friend.post(f"/v1/games/{game}/resignations")
    expect(page.locator(".table")).to_have_attribute("data-status", "over")
    assert not [path for path in asked() if path.startswith("/combats")]
    assert who.complaints == []


ASKS = """async () => {
  const { Chooser } = await import(document.scripts[0].src.replace('app.js', 'chooser.js'));
  const chooser = new Chooser({ offer() {}, bring() {}, near() {}, offers: [] });
  window.sent = [];
  window.ask = (question) => chooser.begin({ ask: () => question, describe: () => 'x' }, {},
    { options: () => [], action: () => ({ question }) }, (action) => window.sent.push(action.question), { question });
  document.querySelector('main').replaceChildren(chooser.element);
}"""


def test_a_press_on_confirm_means_the_question_that_it_began_with(service: Running, browser: Browser) -> None:
    page = Person.arrives(browser).page
    page.goto(service.url)
    expect(page.locator(".lists .panel").first).to_be_visible()
    page.evaluate(ASKS)
    page.evaluate("ask('1')")
    press(page, ".choose .go")
    page.evaluate("ask('1')")  # news in which nothing else is asked
    page.mouse.up()
    assert page.evaluate("sent") == ["1"]
    press(page, ".choose .go")
    page.evaluate("ask('2')")
    page.mouse.up()
    expect(page.locator(".choose .ask")).to_have_text("2")
    assert page.evaluate("sent") == ["1"]


def test_a_table_is_fetched_at_once_and_not_one_thing_after_the_other(service: Running, browser: Browser) -> None:
    """The facts and the screen beside the page's script, and the first news beside the screen."""
    friend = Friend(service, "Dagny")
    game = friend.post("/v1/games", ruleset="claim", seats=2)["id"]
    page = Person.arrives(browser).page
    held: dict[str, list[Route]] = {"play.js": [], "claim/screen.js": []}

    def hold(route: Route) -> None:
        held[next(name for name in held if name in route.request.url)].append(route)

    page.route(lambda url: any(name in url for name in held), hold)
    with page.expect_response(f"**/v1/games/{game}"), page.expect_request("**/claim/screen.js"):
        page.goto(f"{service.url}/#/games/{game}", wait_until="commit")
    soon = SCREEN_MS / 2
    with page.expect_response(TURN, timeout=soon), page.expect_response(re.compile(r"/boards/claim-2"), timeout=soon):
        held["play.js"][0].continue_()
    held["claim/screen.js"][0].continue_()
    page.get_by_role("button", name="Sit down").wait_for()


@pytest.mark.slow
def test_a_table_comes_as_soon_as_the_service_is_there_again(service: Running, browser: Browser) -> None:
    """However long its facts could not be had; and nothing more is asked for one that was left meanwhile."""
    friend = Friend(service, "Dagny")
    game, other = (friend.post("/v1/games", ruleset="claim", seats=2)["id"] for _ in range(2))
    who = Person.arrives(browser)
    page = who.page
    page.clock.install()
    facts = re.compile(r"/v1/games/[0-9a-f-]{36}$")
    page.route(facts, lambda route: route.abort())
    page.goto(f"{service.url}/#/games/{game}")
    for _ in range(6):
        with page.expect_request(facts):
            page.clock.fast_forward(REST_MS)
    expect(page.locator("#connection")).to_be_visible()
    page.evaluate("address => { location.hash = address; }", f"#/games/{other}")
    with page.expect_request(f"**/v1/games/{other}"):
        page.clock.fast_forward(REST_MS)
    begun = len(who.requested)
    for _ in range(2):
        with page.expect_request(facts):
            page.clock.fast_forward(REST_MS)
    assert not [url for url in who.requested[begun:] if url.endswith(game)]
    page.unroute(facts)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    page.get_by_role("button", name="Sit down").wait_for()
    expect(page.locator("#connection")).to_be_hidden()
