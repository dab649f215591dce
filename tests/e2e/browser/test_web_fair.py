"""The web table gives entropy, keeps what it gave, saw and chose, and tells at the end whether the record agrees."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.e2e.running import Running

from .person import ASKED, Person
from .test_web_life import Friend

OTHER = "A" * 43


def begins(who: Person, service: Running) -> str:
    """A game against a bot; its id."""
    who.page.goto(service.url)
    who.page.locator("[data-play=claim]").click()
    who.page.wait_for_selector(ASKED, state="attached")
    found = re.search(r"#/games/([0-9a-f-]{36})", who.page.url)
    assert found is not None
    return found[1]


def gives_up(who: Person) -> None:
    """After a choice."""
    who.chooses(random.Random(1))
    who.page.locator(".tablehead button").filter(has_text="Give up").click()
    who.page.locator("dialog button").filter(has_text="Give up").click()
    who.page.wait_for_selector(".fair", state="attached")


def noted(who: Person, game: str) -> Any:
    kept = json.loads(who.page.evaluate("localStorage.getItem('holmgang.given')"))
    (found,) = [note for name, note in kept.items() if name.endswith(game)]
    return found


def test_who_plays_gives_entropy_and_hears_that_the_record_agrees(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    game = begins(who, service)
    gives_up(who)
    told = who.page.locator(".fair[data-fair=true]")
    expect(told.locator("> p")).to_contain_text("Chance was honest: it was fixed before the game")
    expect(told.locator("> p")).to_contain_text("Here chance decided only who begins.")
    expect(told.locator("> p")).not_to_contain_text("entropy")  # which a detail explains
    expect(told.locator("details")).to_contain_text("is called entropy")
    friend = Friend(service, "Looker")
    summary, record = friend.get(f"/v1/games/{game}"), friend.get(f"/v1/games/{game}/record")
    note = noted(who, game)
    assert note["entropy"] == summary["seats"][0]["entropy"]
    assert note["commitment"] == summary["commitment"]
    assert note["choices"]
    who.page.locator(".fair summary").click()
    said = who.page.locator(".fair code").inner_text()
    assert said == f"holmgang verify record.json --commitment {note['commitment']} --entropy 0={record['entropy'][0]}"
    assert who.complaints == []
    assert who.cut_off() == []
    assert who.violations() == []


def test_who_sits_down_gives_entropy_too(service: Running, browser: Browser) -> None:
    friend = Friend(service, "Dagny")
    game = friend.post("/v1/games", ruleset="claim", seats=2)["id"]
    who = Person.arrives(browser)
    who.page.goto(f"{service.url}/#/games/{game}")
    who.page.get_by_role("button", name="Sit down").click()
    expect(who.page.locator(".table")).to_have_attribute("data-status", "active")
    assert friend.get(f"/v1/games/{game}")["seats"][1]["entropy"] == noted(who, game)["entropy"]
    assert who.complaints == []


@pytest.mark.slow
def test_entropy_that_was_replaced_on_its_way_is_told(service: Running, browser: Browser) -> None:
    """By a server that lies, which is played here by whoever stands between."""
    who = Person.arrives(browser)

    def bend(route: Route) -> None:
        body = route.request.post_data_json
        if body and body.get("entropy"):
            route.continue_(post_data=json.dumps({**body, "entropy": OTHER}))
        else:
            route.continue_()

    who.page.route("**/seats", bend)
    begins(who, service)
    gives_up(who)
    expect(who.page.locator(".fair[data-fair=false]")).to_contain_text("Do not trust this server")
    expect(who.page.locator(".fair[data-fair=false]")).to_contain_text(
        "gave and chose: the random number that your browser gave (the entropy)."
    )


def changed_choice(record: Any) -> None:
    row = next(row["entry"] for row in record["log"] if any(seat == 0 for seat, _ in row["entry"].get("actions", ())))
    row["actions"] = [[seat, {"type": "pass"} if seat == 0 else action] for seat, action in row["actions"]]


def changed_bot(record: Any) -> None:
    record["entropy"][1] = "00" * 16


def changed_seed(record: Any) -> None:
    record["seed"] = "0" * 64


def changed_terms(record: Any) -> None:
    record["terms"] += " "


def changed_commitment(record: Any) -> None:
    record["commitment"] = "0" * 64


BELIED = {
    changed_choice: "the choices (unless you changed one elsewhere)",
    changed_bot: "the random numbers of bots (their entropy)",
    changed_seed: "what the service fixed before the game (the commitment)",
    changed_terms: "the terms",
    changed_commitment: "what the service fixed before the game (the commitment)",
}


def bends(change: Callable[[Any], None]) -> Callable[[Route], None]:
    def bend(route: Route) -> None:
        answer = route.fetch()
        record = answer.json()
        change(record)
        route.fulfill(response=answer, json=record)

    return bend


def test_whatever_the_record_belies_is_told(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    begins(who, service)
    gives_up(who)
    expect(who.page.locator(".fair[data-fair=true]")).to_be_visible()
    for change, told in BELIED.items():
        who.page.route("**/record", bends(change))
        who.page.reload()
        expect(who.page.locator(".fair[data-fair=false]")).to_contain_text(f"gave and chose: {told}.")
        who.page.unroute("**/record")


def test_what_another_gives_in_the_seat_that_one_left_is_no_fault(service: Running, browser: Browser) -> None:
    """Left in this browser, or elsewhere."""
    friend = Friend(service, "Dagny")
    who = Person.arrives(browser)
    for here in (True, False):
        game = friend.post("/v1/games", ruleset="claim", seats=2, join=False)["id"]
        who.page.goto(f"{service.url}/#/games/{game}")
        who.page.get_by_role("button", name="Sit down").click()
        leave = who.page.get_by_role("button", name="Leave")
        expect(leave).to_be_visible()
        who.page.wait_for_function("localStorage.getItem('holmgang.given').includes('\"seat\":0')")
        if here:
            leave.click()
            expect(who.page.locator(".lists")).to_be_visible()
        else:
            token = who.page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.me')).token")
            headers = {"Authorization": f"Bearer {token}"}
            assert friend.http.delete(f"/v1/games/{game}/seats/0", headers=headers).is_success
        friend.post(f"/v1/games/{game}/seats", seat=0, entropy="A" * 43)
        friend.post(f"/v1/games/{game}/seats", seat=1, bot="random")
        friend.post(f"/v1/games/{game}/resignations")
        who.page.goto(f"{service.url}/#/games/{game}")
        expect(who.page.locator(".result")).to_be_visible()
        expect(who.page.locator(".fair")).to_have_count(0)
    # who left elsewhere may just then be asking who is there
    assert [one for one in who.complaints if "403" not in one] == []


@pytest.mark.slow
def test_a_record_that_is_kept_back_is_told(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    who.page.route("**/record", lambda route: route.fulfill(status=500, json={}))
    begins(who, service)
    gives_up(who)
    expect(who.page.locator(".fair")).to_contain_text("cannot be read")


@pytest.mark.slow
def test_it_is_told_in_each_language(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    begins(who, service)
    gives_up(who)
    for language, told in (
        ("fr", "L'enregistrement de la partie concorde avec"),
        ("nl", "Het verslag van het spel klopt met"),
    ):
        who.page.locator("select.language").select_option(language)
        expect(who.page.locator(".fair[data-fair=true]")).to_contain_text(told)
