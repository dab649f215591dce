"""What befalls a person at the web table besides playing: invitations, faults, dead tokens, second thoughts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.running import Running
from tests.soon import soon

from .person import ASKED, Person

ISLAND = [{"part": part, "x": 0, "y": y, "turn": 0} for part, y in (("single", 0), ("double", 4), ("double", 8))]
"""One that is higher than the usual island."""


class Friend:
    """A player who calls the API."""

    def __init__(self, service: Running, name: str) -> None:
        self.http = httpx.Client(base_url=service.url, timeout=20)
        self.token = self.post("/v1/players", name=name)["token"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def post(self, path: str, **body: Any) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def get(self, path: str) -> Any:
        answer = self.http.get(path)
        assert answer.is_success, answer.text
        return answer.json()


def test_an_invitation_opens_a_page_that_looks_and_joins(service: Running, browser: Browser) -> None:
    friend = Friend(service, "Dagny")
    game = friend.post("/v1/games", ruleset="claim", seats=2, visibility="private")["id"]
    link = friend.post(f"/v1/games/{game}/invitations")["url"]
    assert link.startswith(f"{service.url}/games/{game}#invitation=")
    who = Person.arrives(browser)
    who.page.goto(link)
    expect(who.page.locator(".seats")).to_contain_text("Dagny")
    assert "invitation" not in who.page.url
    who.page.get_by_role("button", name="Sit down").click()
    expect(who.page.locator(".table")).to_have_attribute("data-status", "active")
    assert friend.get(f"/v1/games/{game}")["status"] == "active"
    assert who.complaints == []
    assert not any("hgi_" in url for url in who.requested)
    stranger = Person.arrives(browser)
    stranger.page.goto(f"{service.url}/games/{game}#invitation=%E0%A4%A")
    expect(stranger.page.locator(".toast")).to_contain_text("The link is damaged")
    expect(stranger.page.get_by_role("heading", name="There is nothing here")).to_be_visible()


def test_a_browser_that_keeps_nothing_is_good_enough(service: Running, browser: Browser) -> None:
    friend = Friend(service, "Dagny")
    game = friend.post("/v1/games", ruleset="claim", seats=2, visibility="private")["id"]
    who = Person.arrives(browser)
    who.keeps_nothing()
    who.page.goto(friend.post(f"/v1/games/{game}/invitations")["url"])
    expect(who.page.locator(".seats")).to_contain_text("Dagny")
    assert "invitation" not in who.page.url
    who.page.get_by_role("button", name="Sit down").click()
    expect(who.page.locator(".table")).to_have_attribute("data-status", "active")
    who.page.get_by_role("link", name="Holmgang").click()
    who.page.locator("[data-play=claim]").click()
    who.page.wait_for_selector(ASKED, state="attached")
    assert who.complaints == []


def test_a_table_that_waits_shows_its_board_with_who_sits_there(service: Running, browser: Browser) -> None:
    friend = Friend(service, "Dagny of the long fjord")
    game = friend.post("/v1/games", ruleset="claim", seats=2, options={"first_player": 1, "layout": ISLAND})["id"]
    who = Person.arrives(browser)
    page = who.page
    page.goto(f"{service.url}/#/games/{game}")
    expect(page.locator(".board .point[data-at='a12']")).to_have_count(1)  # of the game's own island
    seats = page.locator(".board g.seat")
    expect(page.locator(".board g.point")).to_have_count(60)
    expect(seats.nth(0)).to_contain_text("Dagny of th\u2026")
    expect(seats.nth(1)).to_contain_text("Seat 1")
    expect(page.locator(".board .target")).to_have_count(0)
    assert who.violations() == []
    page.get_by_role("button", name="Sit down").click()
    page.locator(".board .target[data-place=a1]").click()
    own = page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.me')).name")
    expect(seats.nth(1)).to_contain_text(f"{own}, to choose, you")
    assert who.complaints == []


def test_a_game_for_its_players_alone_is_offered_to_nobody_else(service: Running, browser: Browser) -> None:
    friends = [Friend(service, "Dagny"), Friend(service, "\u0645\u062d\u0645\u062f")]
    game = friends[0].post("/v1/games", ruleset="drakkars", seats=2, spectators=False)["id"]
    who = Person.arrives(browser)
    page = who.page
    page.goto(service.url)
    link = page.locator(f"a[href^='#/games/{game}']")
    expect(link).to_contain_text("Join")
    friends[1].post(f"/v1/games/{game}/seats")
    page.reload()
    expect(page.locator(".lists .panel").first).to_be_visible()
    expect(link).to_have_count(0)
    page.goto(f"{service.url}/#/games/{game}")
    expect(page.locator(".status")).to_contain_text("Only its players may see this game.")
    expect(page.locator(".seats .who").last).to_have_text(
        "\u2068\u0645\u062d\u0645\u062f\u2069"
    )  # a name turns nothing around it
    expect(page.locator(".board")).to_have_count(0)
    assert who.violations() == []
    friends[0].post(f"/v1/games/{game}/resignations")
    page.goto(f"{service.url}/#/games/{game}/replay")
    expect(page.locator(".result")).to_contain_text("only one side was left")
    expect(page.get_by_role("link", name="Watch it again")).to_have_count(0)
    assert who.complaints == []


def test_the_focus_stays_where_it_is(service: Running, browser: Browser) -> None:
    """Though lists, heads and forms are made anew; and what is clicked twice is done once."""
    who = Person.arrives(browser)
    page = who.page
    page.clock.install()
    page.goto(f"{service.url}/#/new/constructor")
    page.get_by_role("button", name="Create the game").dblclick()
    expect(page.locator(".seats")).to_be_visible()
    own = page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.me')).token")
    answer = httpx.get(f"{service.url}/v1/me/games", headers={"Authorization": f"Bearer {own}"})
    assert len(answer.json()["items"]) == 1
    page.get_by_role("link", name="Holmgang").click()
    link = page.locator(".games a").first
    link.focus()
    Friend(service, "Dagny").post("/v1/games", ruleset="eketorp", seats=3)
    with page.expect_response("**/v1/me/games?*"):
        page.clock.fast_forward(6000)
    expect(page.locator(".lists .panel").nth(1)).to_contain_text("Eketorp")
    expect(link).to_be_focused()
    page.get_by_role("link", name="New game").click()
    game = page.locator("select[name=ruleset]")
    game.press("ArrowDown")
    expect(game).to_have_value("drakkars")
    expect(game).to_be_focused()
    expect(page.locator("select[name=bots] option")).to_have_count(4)
    page.locator("select[name=seats]").select_option("4")
    page.get_by_role("button", name="Create the game").click()
    seats = page.get_by_role("button", name="Seat a bot")
    expect(seats).to_have_count(3)
    rules = page.get_by_role("button", name="Rules")
    rules.focus()
    ident = page.url.rsplit("/", 1)[1]
    Friend(service, "Ketil").post(f"/v1/games/{ident}/seats", seat=1)
    expect(seats).to_have_count(2)
    expect(rules).to_be_focused()
    seats.first.dblclick()
    expect(page.locator(".seats")).to_contain_text("Greedy bot")
    assert page.evaluate("() => document.activeElement.closest('.status') !== null")
    expect(page.locator(".toast")).to_have_count(0)
    assert who.complaints == []


def test_a_dead_token_is_told_and_a_new_name_offered(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(service.url)
    page.evaluate(
        "() => localStorage.setItem('holmgang.me', JSON.stringify({id: 'x', name: 'Gone', token: 'hg_gone'}))"
    )
    page.reload()
    shown = page.get_by_role("dialog")
    expect(shown).to_contain_text("You are not known here any more")
    assert who.violations() == []
    field, said = shown.get_by_label("Name"), shown.get_by_role("alert")
    field.fill("Yr\x07sa")
    shown.get_by_role("button", name="Begin anew").click()
    expect(said).to_have_text("U+0007 cannot be seen here: leave it out.")
    expect(field).to_have_attribute("aria-describedby", said.get_attribute("id") or "none")
    expect(field).to_be_focused()
    assert who.violations() == []
    shown.get_by_label("Name").fill("Yrsa <b>the</b> Bold")
    shown.get_by_role("button", name="Begin anew").click()
    expect(shown).to_have_count(0)
    expect(page.locator(".top .name")).to_have_text("Yrsa <b>the</b> Bold")


def test_a_lost_connection_is_told_and_made_up_for(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(service.url)
    expect(page.locator(".lists .panel").first).to_be_visible()
    page.route("**/v1/**", lambda route: route.abort())
    expect(page.locator("#connection")).to_be_visible(timeout=15_000)
    expect(page.locator("#connection")).to_contain_text("The connection is lost")
    page.unroute("**/v1/**")
    expect(page.locator("#connection")).to_be_hidden(timeout=25_000)


@pytest.mark.slow
def test_a_sealed_choice_can_be_changed(service: Running, browser: Browser) -> None:
    friends = [Friend(service, "Dagny"), Friend(service, "Ketil")]
    game = friends[0].post("/v1/games", ruleset="eketorp", seats=3)["id"]
    friends[1].post(f"/v1/games/{game}/seats", seat=1)
    who = Person.arrives(browser)
    page = who.page
    page.goto(service.url)
    page.locator(f"a[href='#/games/{game}']").click()
    page.get_by_role("button", name="Sit down").click()
    page.locator(".target[data-place='C']").click()
    nobody = {"type": "place", "fields": {}, "sieges": []}
    friends[0].post(f"/v1/games/{game}/submissions", turn=1, action=nobody)
    expect(page.locator(".seats")).to_contain_text("has chosen")
    expect(page.locator(".choose .will")).to_have_text("Send 1 to field C")  # nobody's news undo what was begun
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".choose")).to_contain_text("You have chosen: Send 1 to field C")
    page.get_by_role("button", name="Change it").click()
    expect(page.locator(".choose .will")).to_have_text("Send 1 to field C")  # as it was sealed
    page.get_by_role("button", name="Field C: one Viking fewer").click()
    page.locator(".target[data-place='F']").click()
    page.locator(".target[data-place='F']").click()
    page.locator(".board").get_by_role("button", name=re.compile("^Ram at the village of Dagny")).click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".choose")).to_contain_text("2 to field F")
    assert friends[0].get(f"/v1/games/{game}/turn")["submitted"] == [0, 2]
    own = page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.me')).token")
    with httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {own}"}) as http:
        turn = http.get(f"/v1/games/{game}/turn").json()
        receipt = http.get(f"/v1/games/{game}/submissions/{turn['submission']}").json()
    assert receipt["revision"] == 2
    assert receipt["action"] == {"type": "place", "fields": {"F": 2}, "sieges": ["0:ram"]}
    assert who.complaints == []


def test_a_refusal_is_told_with_its_rule(service: Running, browser: Browser) -> None:
    """The page offers nothing illegal; another window may have been faster."""
    who = Person.arrives(browser)
    page = who.page
    page.goto(service.url)
    page.locator("[data-play=claim]").click()
    page.wait_for_selector(ASKED, state="attached")
    problem = {"title": "x", "status": 422, "detail": "c4 is not free.", "code": "illegal_action", "rule": "K2.1"}
    page.route("**/submissions", lambda route: route.fulfill(status=422, json=problem))
    who_turn = page.locator(".table").get_attribute("data-turn")
    for place in ("c4", "d4", "e5", "b7"):
        target = page.locator(f".target[data-place='{place}']:not(.on)")
        if target.count():
            target.click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".toast")).to_contain_text("c4 is not free. (rule K2.1)")
    page.locator(".toast").get_by_role("button", name="(rule K2.1)").click()
    told = page.get_by_role("dialog", name="Claim: rule K2.1")
    expect(told.locator("dt")).to_have_text("K2.1")
    expect(told.locator("dd")).to_contain_text("puts two pieces on free points")
    assert who.violations() == []
    told.get_by_role("button", name="Close").click()
    assert page.locator(".table").get_attribute("data-turn") == who_turn


@pytest.mark.parametrize("key", soon(["Enter", "Space"], "Enter"))
def test_it_is_played_by_the_keyboard_alone(service: Running, browser: Browser, key: str) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(service.url)
    page.wait_for_selector(".pick")

    def tab_to(selector: str) -> None:
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"{selector} is not reached")

    tab_to("[data-play=claim]")
    page.keyboard.press(key)
    page.wait_for_selector(ASKED, state="attached")
    turn = page.locator(".table").get_attribute("data-turn")
    tab_to(".target")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press(key)
    expect(page.locator(".target.on")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press(key)
    expect(page.locator(".choose .go")).to_be_focused()
    page.keyboard.press(key)
    expect(page.locator(".table")).not_to_have_attribute("data-turn", turn or "")
    page.wait_for_selector(ASKED, state="attached")
    expect(page.locator(".choose :focus")).to_have_count(1)  # where the choice goes on
    assert who.complaints == []


def test_who_has_no_name_gets_one_though_others_have_names_that_look_the_same(
    service: Running, browser: Browser
) -> None:
    """The last test here: whoever gets that name after it hears a refusal first."""
    (source,) = re.findall(
        r"const NAMES = \[(.+?)\]", Path("service/holmgang/web/static/api.js").read_text(), re.DOTALL
    )
    listed = re.findall(r'"(\w+)"', source)
    for name in listed:
        twin = chr(ord("\U0001d5a0") + ord(name[0]) - ord("A")) + name[1:]
        if httpx.post(f"{service.url}/v1/players", json={"name": twin}).status_code == 201:
            break
    else:
        pytest.fail("all of the names are had by others")
    who = Person.arrives(browser)
    who.page.add_init_script(f"Math.random = () => {(listed.index(name) + 0.5) / len(listed)}")
    who.page.goto(service.url)
    who.page.locator("[data-play=claim]").click()
    who.page.wait_for_selector(ASKED, state="attached")
    kept = who.page.evaluate("JSON.parse(localStorage.getItem('holmgang.me')).name")
    assert re.fullmatch(rf"{name} \d{{4}}", kept)
