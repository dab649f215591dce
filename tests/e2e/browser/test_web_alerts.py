"""What calls somebody back to a game, and what reaches them at another one."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.running import Running

from .person import ASKED, Person
from .test_web_following import kept
from .test_web_life import Friend
from .test_web_people import id_of as id_at
from .test_web_people import looks_well
from .test_web_profiles import id_of, named

WATCHED = """
Object.defineProperty(document, 'hidden', { configurable: true, get: () => sessionStorage.away === 'yes' });
window.tones = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (when) { tones.push(this.frequency.value); return start.call(this, when); };
window.notices = [];
window.Notification = class {
  static permission = 'granted';
  static requestPermission = async () => Notification.permission;
  constructor(title, more) { Object.assign(this, { title, ...more }); notices.push(this); }
  close() {}
};
"""
"""Browsers without a window hide no page by themselves and show no notification, and what sounds is heard by nobody."""
TURN, BEGIN, OVER, CHALLENGE = [660, 880], [440, 554, 659], [659, 554, 440], [587, 784]


def goes(page: Page, away: bool) -> None:
    page.evaluate(
        "away => { sessionStorage.away = away; document.dispatchEvent(new Event('visibilitychange')); }",
        "yes" if away else "no",
    )


def heard(page: Page) -> list[int]:
    """The tones since it was asked last."""
    found: list[int] = page.evaluate("() => tones.splice(0)")
    return found


def moves(friend: Friend, game: str) -> None:
    turn = friend.get(f"/v1/games/{game}/turn")
    action = turn["legal"].get("sample") or turn["legal"]["actions"][0]
    friend.post(f"/v1/games/{game}/submissions", turn=turn["turn"], action=action)


def test_who_looks_at_something_else_is_called_back(service: Running, browser: Browser) -> None:
    friend, who = Friend(service, "Dagny"), Person.arrives(browser)
    game = friend.post("/v1/games", ruleset="claim", seats=2, options={"first_player": 1})["id"]
    page = who.page
    page.add_init_script(WATCHED)
    page.goto(f"{service.url}/#/games/{game}")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_selector(ASKED, state="attached")
    me = Friend(service, "Nobody")
    me.http.headers["Authorization"] = f"Bearer {kept(page)['token']}"
    icon = page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile("icon-called.svg$"))
    expect(page).to_have_title("● Claim · Holmgang")
    goes(page, away=True)
    expect(page).to_have_title("● Your turn · Claim")
    assert (heard(page), page.evaluate("() => notices.length")) == ([], 0)  # nobody has asked for more
    goes(page, away=False)
    expect(page).to_have_title("● Claim · Holmgang")

    page.get_by_role("button", name="Alerts").click()
    page.get_by_label("Soft tones").check()
    page.wait_for_function("() => tones.length === 2")
    assert heard(page) == TURN
    page.get_by_label("Volume").fill("0.2")
    page.wait_for_function("() => tones.length === 2")
    page.get_by_role("button", name="Tell me when it is my turn").click()
    expect(page.get_by_role("dialog")).to_contain_text("a notification tells you of your turn")
    looks_well(who, "alerts")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    assert json.loads(page.evaluate("() => localStorage['holmgang.alerts']")) == {
        "sound": True, "volume": 0.2, "notices": True,
    }  # fmt: skip

    moves(me, game)
    expect(page).to_have_title("Claim · Holmgang")
    expect(icon).to_have_attribute("href", re.compile("icon.svg$"))
    heard(page)
    goes(page, away=True)
    page.emulate_media(reduced_motion="no-preference")
    while not me.get(f"/v1/games/{game}/turn")["yours"]:
        moves(friend, game)
    for _ in range(2):
        expect(page).to_have_title("● Your turn · Claim")
        expect(page).to_have_title("Claim · Holmgang")
    assert heard(page) == TURN
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate("() => notices.map((one) => [one.title, one.body])") == [["Claim", "It is your turn."]]
    page.get_by_role("link", name="Holmgang").click()
    expect(page).to_have_title("Holmgang")
    page.evaluate("() => notices[0].onclick()")
    expect(page.locator(".table")).to_have_attribute("data-yours", "true")
    friend.post(f"/v1/games/{game}/resignations")
    page.wait_for_function("() => notices.length === 2")
    assert (heard(page), page.evaluate("() => notices[1].body")) == (OVER, "The game is over.")
    assert who.complaints == []


def test_notifications_that_are_forbidden_are_not_offered(service: Running, browser: Browser) -> None:
    who, account = named(service, browser, "Orm")
    page = who.page
    page.add_init_script(f"{WATCHED}; Object.defineProperty(Notification, 'permission', {{ get: () => 'denied' }});")
    page.goto(f"{service.url}/#/account")
    page.reload()
    page.get_by_role("button", name="Alerts").click()
    expect(page.get_by_role("dialog")).to_contain_text("This browser shows no notifications of this page.")
    assert who.complaints == []
    assert account.get("/v1/me/challenges")["items"] == []


def test_challenges_and_their_answers_come_to_whatever_page_is_open(service: Running, browser: Browser) -> None:
    (who, account), friend = named(service, browser, "Yrsa"), Friend(service, "Torsten")
    page = who.page
    page.locator("[data-play=claim]").click()
    page.wait_for_selector(ASKED, state="attached")
    notes = page.locator(".toast.stays")

    def challenge() -> Any:
        return friend.post("/v1/challenges", players=[id_at(who)], ruleset="claim", turn_seconds=600, seat=0)

    first = challenge()["id"]
    expect(notes).to_contain_text("Claim Torsten challenges you")
    expect(notes).to_contain_text("10 min a turn · casual")
    looks_well(who, "challenged-at-a-table")
    notes.get_by_role("button", name="Decline").click()
    page.get_by_label("Why, if you want to say so").select_option(label="The clock is too slow.")
    looks_well(who, "declining")
    page.get_by_role("dialog").get_by_role("button", name="Decline").click()
    expect(notes).to_have_count(0)
    [declined] = friend.get(f"/v1/challenges/{first}")["players"]
    assert (declined["answer"], declined["reason"]) == ("declined", "too_slow")
    second = challenge()["id"]
    notes.get_by_role("button", name="×").click()
    expect(notes).to_have_count(0)
    page.reload()
    third = challenge()["id"]
    expect(notes).to_have_count(1)  # and not what was put aside
    friend.http.delete(f"/v1/challenges/{third}").raise_for_status()
    expect(notes).to_have_count(0)
    page.goto(f"{service.url}/#/leaderboards/claim")
    friend.http.delete(f"/v1/challenges/{second}").raise_for_status()
    own = [account.post("/v1/challenges", players=[id_of(friend)], ruleset="claim")["id"] for _ in range(2)]
    expect(page.get_by_role("heading", name="Leaderboard of Claim")).to_be_visible()
    for challenged, answer in zip(own, ({"accepts": False, "reason": "terms"}, {"accepts": True}), strict=True):
        friend.http.put(f"/v1/challenges/{challenged}/answer", json=answer).raise_for_status()
    expect(page.locator(".toast", has_text="Torsten declines your challenge. On other terms.")).to_be_visible()
    page.locator(".toast", has_text="Your challenge is accepted.").get_by_role("link").click()
    expect(page.locator(".table")).to_have_attribute("data-status", "active")
    challenge()
    notes.get_by_role("button", name="Accept").click()
    expect(page.locator(".seats")).to_contain_text("Torsten")
    expect(notes).to_have_count(0)
    assert who.complaints == []


def test_any_page_tells_of_a_turn_in_any_game_where_that_was_asked_for(service: Running, browser: Browser) -> None:
    friend, who = Friend(service, "Dagny"), Person.arrives(browser)
    page = who.page
    page.add_init_script(f"{WATCHED}; localStorage['holmgang.alerts'] ||= '{{\"notices\": true}}';")
    games = [friend.post("/v1/games", ruleset="claim", seats=2, options={"first_player": 0})["id"] for _ in range(2)]
    for game in games:
        page.goto(f"{service.url}/#/games/{game}")
        page.get_by_role("button", name="Sit down").click()
        expect(page.locator(".table")).to_have_attribute("data-status", "active")
    page.goto(f"{service.url}/#/leaderboards/claim")
    page.reload()
    waits = ("/v1/me/turns", "/v1/me/challenges")

    def asked() -> list[str]:
        return [url for url in who.requested if any(one in url for one in waits)]

    with page.expect_request(lambda it: "/v1/me/turns?wait=" in it.url):
        who.requested.clear()
    moves(friend, games[0])
    toast = page.locator(".toast", has_text="Claim · It is your turn.")
    expect(toast).to_have_count(1)
    assert page.evaluate("() => notices.length") == 0  # who looks at the page needs none
    goes(page, away=True)
    moves(friend, games[1])
    page.wait_for_function("() => notices.length === 1")
    assert page.evaluate("() => [notices[0].title, notices[0].body]") == ["Claim", "It is your turn."]
    page.evaluate("() => notices[0].onclick()")
    expect(page.locator(".table")).to_have_attribute("data-yours", "true")
    assert page.url.endswith(games[1])
    kinds = ["turns" if waits[0] in url else "challenges" for url in asked()]
    assert all(one != other for one, other in itertools.pairwise(kinds))  # one wait, for one and the other
    page.get_by_role("button", name="Alerts").click()
    page.get_by_role("button", name="Tell me no longer").click()
    assert who.complaints == []


@pytest.mark.slow
def test_each_seat_shows_what_is_left_in_its_bank(service: Running, browser: Browser) -> None:
    (who, account), friend = named(service, browser, "Ketil"), Friend(service, "Dagny")
    terms = {"ruleset": "claim", "seats": 2, "options": {"first_player": 1}}
    game = friend.post("/v1/games", bank_seconds=300, increment_seconds=5, **terms)["id"]
    account.post(f"/v1/games/{game}/seats")
    page = who.page
    page.goto(f"{service.url}/#/games/{game}")
    clocks = page.locator(".seats [data-clock]")
    expect(clocks).to_have_count(2)
    expect(clocks.nth(0)).to_have_text("5:00")
    expect(clocks.nth(1)).to_have_text(re.compile("^4:5[0-8]$"))
    expect(page.locator(".choose .beside")).to_be_hidden()
    looks_well(who, "banks")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".choose .beside")).to_have_text(re.compile("^Time left: 4:[0-9]{2}$"))
    moves(account, game)
    expect(page.locator(".feed")).to_contain_text(re.compile(r"Ketil thought for 0:\d\d; [45]:\d\d is left\."))
    assert who.complaints == []


@pytest.mark.slow
def test_one_goes_on_leave_and_ends_it(service: Running, browser: Browser) -> None:
    (who, account), friend = named(service, browser, "Ketil"), Friend(service, "Dagny")
    terms = {"ruleset": "claim", "seats": 2, "turn_seconds": 86400, "leave_days": 3, "options": {"first_player": 1}}
    game = friend.post("/v1/games", **terms)["id"]
    account.post(f"/v1/games/{game}/seats")
    page = who.page
    page.goto(f"{service.url}/#/games/{game}")
    page.get_by_role("button", name="Go on leave").click()
    expect(page.get_by_role("dialog")).to_contain_text("You have 3 d 0 h of it.")
    looks_well(who, "leave")
    page.get_by_role("dialog").get_by_role("button", name="Go on leave").click()
    expect(page.locator(".status")).to_contain_text("You are on leave: your clock stands.")
    expect(page.locator(".seats")).to_contain_text("on leave")
    expect(page.locator(".feed")).to_contain_text("Ketil goes on leave, for 3 d 0 h at most.")
    expect(page.get_by_role("button", name="Go on leave")).to_have_count(0)
    looks_well(who, "on-leave")
    page.get_by_role("button", name="End your leave").click()
    expect(page.locator(".feed")).to_contain_text("Ketil is back from leave; 2 d 23 h of it is left.")
    expect(page.get_by_role("button", name="Go on leave")).to_have_count(1)
    assert who.complaints == []
