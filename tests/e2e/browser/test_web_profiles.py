"""Who people are at the web table: profiles, leaderboards, and one's own account."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from tests.e2e.running import Running
from tests.waiting import wait_until

from .person import Person
from .test_web_life import Friend
from .test_web_people import looks_well


def named(service: Running, browser: Browser, name: str) -> tuple[Person, Friend]:
    """Somebody at the lobby, and what they can do by the API."""
    account, who = Friend(service, name), Person.arrives(browser)
    me = account.get("/v1/me")["player"]
    kept = json.dumps({"id": me["id"], "name": name, "token": account.token})
    who.page.goto(service.url)
    who.page.evaluate("kept => localStorage.setItem('holmgang.me', kept)", kept)
    who.page.reload()
    return who, account


def id_of(friend: Friend) -> str:
    found: str = friend.get("/v1/me")["player"]["id"]
    return found


def test_a_profile_tells_who_somebody_is(service: Running, browser: Browser) -> None:
    (who, account), friend = named(service, browser, "Ragna"), Friend(service, "Hroald")
    page, other = who.page, id_of(friend)
    terms = {"ruleset": "claim", "turn_seconds": 600, "rated": True, "seat": 0}
    challenge = friend.post("/v1/challenges", players=[id_of(account)], **terms)["id"]
    answer = account.http.put(f"/v1/challenges/{challenge}/answer", json={"accepts": True})
    game = answer.json()["game"]
    friend.post(f"/v1/games/{game}/resignations")
    wait_until(lambda: friend.get(f"/v1/players/{other}")["ratings"], "the game counts")
    page.goto(f"{service.url}/#/games/{game}")
    page.get_by_role("link", name="Hroald", exact=True).click()
    profile = page.locator(".profile")
    expect(profile.get_by_role("heading", level=1)).to_have_text("Hroald")
    expect(profile).to_contain_text("A person. Here since ")
    expect(profile.locator("figure")).to_contain_text("rated games: 1, won: 0")
    page.wait_for_function("() => document.querySelector('figure img').naturalWidth > 0")
    expect(profile.get_by_role("row").last).to_have_text(re.compile(r"Claim\s*1\s*1\s*0\s*0"))
    expect(profile.locator(".games li")).to_have_count(1)
    expect(profile.locator(".games li a")).to_have_attribute("href", f"#/games/{game}/replay")
    looks_well(who, "profile")
    profile.get_by_role("link", name="Show these games").press("Enter")
    expect(page).to_have_url(f"{service.url}/#/players/{other}?other={id_of(account)}")
    expect(profile.get_by_role("button", name="With anybody again")).to_have_text("with Ragna ×")
    expect(profile.locator(".games li")).to_have_count(1)
    page.go_back()
    expect(profile.get_by_role("link", name="Show these games")).to_be_visible()
    expect(profile.get_by_role("button", name="With anybody again")).to_have_count(0)
    profile.get_by_role("button", name="Block").click()
    expect(profile).to_contain_text("You block this player")
    expect(profile.get_by_role("button", name="Challenge")).to_have_count(0)
    page.reload()
    profile.get_by_role("button", name="Unblock").click()
    profile.get_by_role("button", name="Challenge").click()
    page.get_by_role("dialog").get_by_label("It counts for the players' ratings").check()
    looks_well(who, "challenge")
    page.get_by_role("button", name="Send the challenge").click()
    expect(page.locator(".sought")).to_contain_text("You challenge")
    [sent] = friend.get("/v1/me/challenges?direction=incoming&status=pending")["items"]
    assert (sent["name"], sent["terms"]["turn_seconds"], sent["terms"]["rated"]) == ("Ragna", 300, True)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator(".sought")).to_have_count(0)
    page.get_by_role("link", name="Leaderboards").click()
    page.get_by_role("link", name="Claim", exact=True).click()
    row = page.get_by_role("row", name="Hroald")
    expect(row).to_have_text(re.compile(r"\d+\s*Hroald\s*1\s*0\s*\d+"))
    looks_well(who, "leaderboard")
    row.get_by_role("link").press("Enter")
    expect(page.get_by_role("heading", name="Hroald")).to_be_visible()
    assert who.complaints == []


@pytest.mark.slow
def test_games_of_a_player_are_narrowed_down_by_an_address_that_can_be_linked(
    service: Running, browser: Browser
) -> None:
    (who, account), friend, third = named(service, browser, "Halla"), Friend(service, "Kari"), Friend(service, "Kare")
    page, me, profile = who.page, id_of(account), who.page.locator(".profile")
    lines, filters = profile.locator(".games li"), profile.locator(".filters")

    def played(loser: Friend, other: Friend, **terms: Any) -> str:
        game: str = loser.post("/v1/games", **{"ruleset": "claim", "seats": 2, "turn_seconds": 600, **terms})["id"]
        other.post(f"/v1/games/{game}/seats")
        loser.post(f"/v1/games/{game}/resignations")
        return game

    lost, won = played(account, friend, rated=True), played(friend, account)
    sailed = played(third, account, ruleset="drakkars")
    page.goto(f"{service.url}/#/players/{me}")
    expect(lines).to_have_count(3)
    expect(lines.nth(1)).to_contain_text("won · 10 min a turn · casual")
    expect(lines.nth(2)).to_contain_text("not won · 10 min a turn · rated")
    for name, value, left in (("result", "won", [sailed, won]), ("game", "claim", [won]), ("result", "lost", [lost])):
        filters.locator(f"[name={name}]").select_option(value)
        expect(lines).to_have_count(len(left))
        for line, game in zip(lines.all(), left, strict=True):
            expect(line.locator("a")).to_have_attribute("href", f"#/games/{game}/replay")
    filters.locator("[name=rated]").select_option("false")
    expect(profile).to_contain_text("No public game is like this.")
    expect(page.locator("#live")).to_have_text("No public game is like this.")
    looks_well(who, "profile-none-like-this")
    profile.get_by_role("button", name="Show all").click()
    expect(lines).to_have_count(3)
    expect(page).to_have_url(f"{service.url}/#/players/{me}")
    profile.get_by_label("With whom").fill("Kar")
    profile.get_by_label("With whom").press("Enter")
    expect(profile).to_contain_text("Who is it?")
    looks_well(who, "profile-who-is-it")
    profile.get_by_role("button", name="Kari, here since").click()
    expect(lines).to_have_count(2)
    expect(profile.get_by_role("table", name="Halla against Kari").get_by_role("row").last).to_have_text(
        re.compile(r"Claim\s*2\s*1\s*0\s*1")
    )
    filters.locator("[name=result]").select_option("lost")
    expect(lines).to_have_count(1)
    link = page.url
    looks_well(who, "profile-narrowed-down")
    other = Person.arrives(browser)
    other.page.goto(link)
    expect(other.page.locator(".games li")).to_have_count(1)
    expect(other.page.locator(".games li a")).to_have_attribute("href", f"#/games/{lost}/replay")
    expect(other.page.locator("[name=result]")).to_have_value("lost")
    other.page.get_by_role("button", name="With anybody again").click()
    expect(other.page.locator(".against")).to_be_empty()
    other.page.get_by_label("With whom").fill("nobody of this name")
    other.page.get_by_role("button", name="Search").click()
    expect(other.page.locator(".whom")).to_contain_text("Nobody is called so.")
    other.page.goto(f"{service.url}/#/players/{me}?other={'0' * 8}-0000-0000-0000-{'0' * 12}")
    expect(other.page.locator(".games li")).to_have_count(3)
    assert who.complaints == []
    assert [one for one in other.complaints if "404" not in one] == []


def test_more_games_of_a_player_come_when_asked_for(service: Running, browser: Browser) -> None:
    who, account = named(service, browser, "Torunn")
    page, lines = who.page, who.page.locator(".games li")
    for _ in range(21):
        game = account.post("/v1/games", ruleset="claim", seats=2)["id"]
        account.post(f"/v1/games/{game}/seats", bot="random")
        account.post(f"/v1/games/{game}/resignations")
    page.goto(f"{service.url}/#/players/{id_of(account)}?result=lost")
    expect(lines).to_have_count(20)
    page.get_by_role("button", name="Show more").press("Enter")
    expect(lines).to_have_count(21)
    expect(lines.last.locator("a")).to_be_focused()
    expect(page.get_by_role("button", name="Show more")).to_be_hidden()
    assert len({one.get_attribute("href") for one in lines.locator("a").all()}) == 21
    assert who.complaints == []


@pytest.mark.slow
def test_ones_own_rank_is_in_sight_however_far_down_it_is(service: Running, browser: Browser) -> None:
    who, account = named(service, browser, "Snorri")
    page, own = who.page, who.page.locator(".standings tfoot tr")
    page.goto(f"{service.url}/#/players/{id_of(account)}")
    expect(page.locator(".profile")).to_contain_text("No public games yet.")
    expect(page.locator(".profile").get_by_role("link", name="To the lobby")).to_be_visible()
    page.goto(f"{service.url}/#/leaderboards/drakkars")
    expect(page.locator(".standings")).to_contain_text("You are not listed yet")
    expect(page.get_by_role("link", name="A game your way")).to_have_attribute("href", "#/new/drakkars")
    for n in range(11):
        friend = Friend(service, f"Winner {n}")
        game = account.post("/v1/games", ruleset="drakkars", seats=2, rated=True, turn_seconds=600)["id"]
        friend.post(f"/v1/games/{game}/seats")
        account.post(f"/v1/games/{game}/resignations")
    path = f"/v1/leaderboards/drakkars?bots=false&player={id_of(account)}"
    wait_until(lambda: [one["games"] for one in account.get(path)["items"]] == [11], "all games count")
    [line] = account.get(path)["items"]
    page.route(  # in short pages
        "**/v1/leaderboards/drakkars?limit=50*",
        lambda route: route.continue_(url=route.request.url.replace("limit=50", "limit=5")),
    )
    page.reload()
    expect(own).to_have_text(re.compile(rf"{line['rank']}\s*Snorri\s*11\s*0\s*{line['rating']}"))
    expect(own).to_be_in_viewport()
    looks_well(who, "leaderboard-own")
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".standings tbody tr")).to_have_count(10)
    expect(own).to_be_visible()
    page.get_by_role("button", name="Show more").click()
    row = page.locator(".standings tbody tr.own")
    expect(row).to_contain_text("Snorri")
    expect(own).to_be_hidden()  # it is not there twice
    page.set_viewport_size({"width": 390, "height": 500})
    page.evaluate("() => scrollTo(0, 0)")
    expect(row.locator("td").first).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_label("Who is listed").select_option("all")
    expect(page).to_have_url(re.compile(r"drakkars\?who=all$"))
    page.reload()
    expect(page.get_by_label("Who is listed")).to_have_value("all")
    page.get_by_role("navigation", name="Game").get_by_role("link", name="Claim").click()
    expect(page).to_have_url(re.compile(r"claim\?who=all$"))
    expect(page.get_by_label("Who is listed")).to_have_value("all")
    page.get_by_label("Who played").select_option("30")
    expect(page).to_have_url(re.compile(r"claim\?who=all&active=30$"))
    expect(page.locator(".standings")).to_contain_text(
        "You are not listed: you have played no rated game in this time."
    )
    page.get_by_role("navigation", name="Game").get_by_role("link", name="Drakkars").click()
    expect(page).to_have_url(re.compile(r"drakkars\?who=all&active=30$"))
    expect(own).to_contain_text("Snorri")
    looks_well(who, "leaderboard-active")
    page.reload()
    expect(page.get_by_label("Who played")).to_have_value("30")
    assert who.complaints == []


def test_an_account_is_renamed_taken_along_and_deleted(service: Running, browser: Browser) -> None:
    who, account = named(service, browser, "Ottar")
    page, ident = who.page, id_of(account)
    game = account.post("/v1/games", ruleset="claim", seats=2)["id"]
    account.post(f"/v1/games/{game}/seats", bot="random")
    account.post(f"/v1/games/{game}/resignations")
    account.post("/v1/games", ruleset="claim", seats=2)
    page.locator(".top .name").click()
    page.get_by_role("link", name="Change the name").click()
    page.get_by_label("New name").fill("Ottar the Old")
    page.get_by_role("button", name="Change the name").click()
    expect(page.locator(".top .name")).to_have_text("Ottar the Old")
    expect(page.get_by_label("New name")).to_have_value("Ottar the Old")
    found = account.get(f"/v1/players/{ident}")
    assert (found["name"], found["former_names"][0]["name"]) == ("Ottar the Old", "Ottar")
    page.locator(".toast button").click()
    page.get_by_label("New name").fill("Ottar once more")
    page.get_by_role("button", name="Change the name").click()
    expect(page.locator(".toast.bad")).to_be_visible()
    page.locator(".toast button").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["game"] for line in lines] == [game]
    looks_well(who, "account")
    page.get_by_role("button", name="Delete the account").click()
    shown = page.get_by_role("dialog")
    shown.get_by_label("Your name").fill("Ottar")
    shown.get_by_role("button", name="Delete for ever").click()
    expect(shown.locator(".said")).not_to_be_empty()
    looks_well(who, "delete")
    shown.get_by_label("Your name").fill("Ottar the Old")
    shown.get_by_label("Your name").press("Enter")
    expect(page.locator(".top .name")).to_have_text("Choose a name")
    assert page.evaluate("() => localStorage.getItem('holmgang.me')") is None
    assert [one for one in who.complaints if "40" not in one and "42" not in one] == []


def test_a_link_lets_one_play_on_another_device_beside_who_plays_there(service: Running, browser: Browser) -> None:
    who, account = named(service, browser, "Gudrun")
    other, _ = named(service, browser, "Sven")
    who.page.goto(f"{service.url}/#/account")
    devices = who.page.locator(".devices li")
    expect(devices).to_have_count(1)
    expect(devices).to_contain_text(re.compile("Where you began.*this browser"))
    looks_well(who, "account-one-device")
    who.page.get_by_role("button", name="Play on another device").click()
    who.page.get_by_label("What you call the device").fill("Telephone")
    who.page.get_by_role("button", name="Make a link").click()
    link = who.page.get_by_label("Link for another device").input_value()
    looks_well(who, "device")
    assert account.token not in link
    page, name = other.page, other.page.locator(".top .name")
    page.goto(link)
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    assert "player=" not in page.url
    expect(name).to_have_text("Sven")
    page.goto(link)  # in a page that is open already
    looks_well(other, "device-entered")
    page.get_by_role("button", name="Play as Gudrun").click()
    expect(name).to_have_text("Gudrun")
    page.goto(f"{service.url}/#/account")
    expect(page.get_by_label("New name")).to_have_value("Gudrun")
    looks_well(other, "account-others")
    page.get_by_role("button", name="Play as Sven").click()
    expect(name).to_have_text("Sven")
    page.get_by_role("button", name="Play as Gudrun").press("Enter")
    expect(name).to_have_text("Gudrun")
    expect(page.get_by_role("button", name="Play as Sven")).to_have_count(1)
    page.goto(f"{service.url}/#player=%E0")
    expect(page.locator(".toast")).to_contain_text("The link is damaged")
    assert (who.complaints, other.complaints) == ([], [])


def test_devices_are_listed_and_taken_back(service: Running, browser: Browser) -> None:
    who, account = named(service, browser, "Asgerd")
    page, devices = who.page, who.page.locator(".devices li")
    program = account.post("/v1/me/tokens", label="My bot", scopes=["read", "play"])
    ended = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    account.post("/v1/me/tokens", label="Guest", scopes=["read"], expires_at=ended)
    page.goto(f"{service.url}/#/account")
    expect(devices).to_have_count(3)
    expect(devices.nth(0)).to_contain_text("this browser")
    expect(devices.nth(1)).to_contain_text(re.compile(r"Guest.*looks only · until "))
    expect(devices.nth(2)).to_contain_text(re.compile(r"My bot.*made .* · no use noted · plays"))

    def long_ago(route: Route) -> None:
        """As it is told of a program that nobody has used for years."""
        page = route.fetch().json()
        items = [
            {**one, "last_used_at": "2020-02-03T11:00:00Z"} if one["label"] == "My bot" else one
            for one in page["items"]
        ]
        route.fulfill(json={**page, "items": items})

    page.route("**/v1/me/tokens?*", long_ago)
    page.reload()
    expect(devices.nth(2)).to_contain_text(
        re.compile(r"My bot.*made .* · last used Feb [234], 2020, \d+.[AP]M · plays")
    )
    expect(devices.nth(1)).to_contain_text("no use noted")
    looks_well(who, "account-devices")
    page.get_by_role("button", name="Take back: My bot").click()
    looks_well(who, "device-taken-back")
    page.get_by_role("dialog").get_by_role("button", name="Take it back").press("Enter")
    expect(devices).to_have_count(2)
    expect(page.locator(".toast")).to_contain_text("It plays as you no longer.")
    program_now = httpx.get(f"{service.url}/v1/me", headers={"Authorization": f"Bearer {program['token']}"})
    assert program_now.status_code == 401
    page.get_by_role("button", name="Take back: Guest").click()
    page.get_by_role("dialog").get_by_role("button", name="Take it back").click()
    expect(devices).to_have_count(1)
    page.get_by_role("button", name="Sign out of this browser").click()
    expect(page.get_by_role("dialog")).to_contain_text("Nothing else plays as you")
    looks_well(who, "signing-out")
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(page.locator(".top .name")).to_have_text("Choose a name")
    expect(page).to_have_url(f"{service.url}/#/")
    assert page.evaluate("() => localStorage.getItem('holmgang.me')") is None
    assert account.http.get("/v1/me").status_code == 401
    page.goto(f"{service.url}/#/account")
    expect(page.get_by_role("link", name="To the lobby")).to_be_visible()
    assert who.complaints == []


@pytest.mark.slow
def test_a_token_that_may_not_manage_is_told_so_in_place_of_devices(service: Running, browser: Browser) -> None:
    who, account = named(service, browser, "Thorey")
    page = who.page
    less = account.post("/v1/me/tokens", label="Less", scopes=["read", "play"])["token"]
    page.evaluate(
        "token => localStorage.setItem('holmgang.me', JSON.stringify("
        "{ ...JSON.parse(localStorage.getItem('holmgang.me')), token }))",
        less,
    )
    page.goto(f"{service.url}/#/account")
    page.reload()
    expect(page.locator("section", has=page.get_by_role("heading", name="Devices"))).to_contain_text("manage")
    expect(page.get_by_role("button", name="Download")).to_be_visible()
    assert [one for one in who.complaints if "403" not in one] == []
