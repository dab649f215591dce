"""Choosing on the board of Drakkars and of Claim, with second thoughts on the way."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.e2e.running import Running

from .faults import Stubborn
from .person import PHONE, Person


def place(who: Person, name: str) -> Locator:
    return who.page.locator(f'.board .target[data-place="{name}"]')


CELLS = 36


def sea(who: Person) -> tuple[int, set[int]]:
    """The cell of one's first ship, which a bot may have moved already, or -1 in its fjord; and those of all ships."""
    view = next(body["view"] for got, body in reversed(list(who.bodies())) if "include=view" in got.url)
    own = view["seats"][0]["ships"][0]
    taken = {ship["cell"] for seat in view["seats"] for ship in seat["ships"] if ship["at"] == "sea"}
    return (own["cell"] if own["at"] == "sea" else -1), taken


def confirm(who: Person) -> None:
    turn = who.page.locator(".table").get_attribute("data-turn") or ""
    who.page.locator(".choose .go").click()
    expect(who.page.locator(".table")).not_to_have_attribute("data-turn", turn)


def test_a_ship_sails_where_one_clicks(service: Running, browser: Browser) -> None:
    who = Stubborn.sits_down(browser, service.url, "drakkars")
    page, choose = who.page, who.page.locator(".choose")
    cards = [int(card.inner_text()) for card in choose.locator(".god b").all()]
    expect(place(who, "ship 0.0")).to_have_count(1)
    start, taken = sea(who)
    reached = {card: (start + card) % CELLS for card in cards if card not in (3, 10)}
    plain = sorted(reached, key=lambda card: (reached[card] in taken, card))
    first, second = (f"cell {reached[card]}" for card in plain[:2])
    place(who, "ship 0.0").click()
    expect(choose.locator(".ask")).to_contain_text("Where does your first ship go?")
    place(who, first).click()
    place(who, second).click()  # another place instead, with one click
    expect(choose.locator(".steps li")).to_have_count(2)
    expect(place(who, second)).to_have_attribute("aria-pressed", "true")
    expect(place(who, first)).to_have_attribute("aria-pressed", "false")
    choose.get_by_role("button", name="Undo").click()
    expect(choose.locator(".steps li")).to_have_count(1)
    choose.get_by_role("button", name="Undo").click()
    expect(choose.locator(".ask")).to_contain_text("choose a ship of yours")
    choose.locator(f'.god[data-step="card {plain[0]}"]').first.click()  # or a card first, and then the ship
    place(who, "ship 0.0").click()
    expect(choose.locator(".will")).to_contain_text("Sail your first ship")
    expect(place(who, first)).to_have_attribute("aria-pressed", "true")
    page.set_viewport_size(PHONE)
    assert who.cut_off() == []
    assert who.violations() == []
    confirm(who)
    expect(page.locator(".feed")).to_contain_text(
        re.compile(rf"sails \d+ steps?, from {'the fjord' if start < 0 else f'cell {start}'} to {first}")
    )
    expect(page.locator(".feed")).to_contain_text("Your first ship sails")
    expect(page.locator(".feed .new").first).to_be_visible()
    assert who.complaints == []


def comes_to_moves(who: Stubborn) -> None:
    """By the API, until pieces are moved."""
    while (turn := who.asks(f"/v1/games/{who.game}/turn"))["kind"] != "move":
        if turn["yours"]:
            body = {"turn": turn["turn"], "action": turn["legal"]["sample"]}
            who.beside.post(f"/v1/games/{who.game}/submissions", json=body)


@pytest.mark.slow
def test_a_piece_moves_where_one_clicks(service: Running, browser: Browser) -> None:
    who = Stubborn.sits_down(browser, service.url, "claim")
    page, choose = who.page, who.page.locator(".choose")
    comes_to_moves(who)
    expect(choose.locator(".ask")).to_contain_text("Move one of your pieces")
    pieces = page.locator(".board .target")
    one, other = (pieces.nth(n).get_attribute("data-place") or "" for n in (0, 1))
    place(who, one).click()
    place(who, other).click()  # another piece instead
    expect(choose.locator(".steps li").first).to_contain_text(other)
    if page.locator(".choose .go").count():  # there is one way only, which is shown as chosen
        goal = page.locator(".board .target.on").last.get_attribute("data-place") or ""
    else:
        goals = page.locator(".board .target:not(.instead):not(.on)")
        goal = goals.last.get_attribute("data-place") or ""
        goals.last.click()
    expect(page.locator(".board polyline.trail")).to_have_count(1)
    expect(choose.locator(".will")).to_contain_text(f"to {goal}.")
    assert ("That catches" in choose.locator(".will").inner_text()) == (page.locator(".board .cross").count() > 0)
    assert who.violations() == []
    confirm(who)
    expect(page.locator(".feed")).to_contain_text(f"moves from {other} to {goal}.")
    assert who.complaints == []
